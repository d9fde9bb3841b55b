"""Runs a command whose standard error is a terminal, and prints each state of its progress line on a line of its own.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import pty
import subprocess
import sys

EARLY = 0.3  # seconds of processor time

main, other = pty.openpty()
program = subprocess.Popen(sys.argv[1:], stdout=other, stderr=other, env=dict(os.environ, TERM="xterm"))
os.close(other)
text = b""
used = None
while True:
    try:
        piece = os.read(main, 4096)
    except OSError:
        break
    if not piece:
        break
    if used is None:
        with open(f"/proc/{program.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    text += piece
program.wait()
print(text.decode(errors="replace").replace("\r\x1b[K", "\n").replace("\r\n", "\n"))
print("the first line was early" if used is not None and used < EARLY else f"the first line was late: {used} s")
