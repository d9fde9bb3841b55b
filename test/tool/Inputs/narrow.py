"""Runs a command in a terminal of so many columns: `narrow.py COLUMNS COMMAND...` prints what it prints, and ends with 1 if
a line is longer, unless it is code (indented by four or more, and not by six as a check's summary is) or an address."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

columns = int(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.environ.pop("COLUMNS", None)
    os.execvp(sys.argv[2], sys.argv[2:])
printed = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    printed += more
os.waitpid(child, 0)
# Colors, and where links lead, take no columns.
lines = re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", printed.decode()).replace("\r", "").splitlines()
print("\n".join(lines))
fenced, long = False, 0
for line in lines:
    fenced ^= line.startswith("```")
    code = fenced or re.match(r" {4}(?!  \w)", line) or line.startswith("|") or "file://" in line or "https://" in line
    long += len(line) > columns and not code
print(f"{long} lines are too long")
sys.exit(long > 0)
