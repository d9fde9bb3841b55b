"""Types a line into an interactive zsh that has the completions of FILE, presses tab, and prints what zsh shows
and what the line is then, in <<>>. Usage: ZSH FILE LINE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import pty
import re
import select
import sys
import time

zsh, script, line = sys.argv[1:]
SETUP = f"""PS1=ready%% RPS1= LISTMAX=9999; autoload -Uz compinit; compinit -u -D; source '{script}'
tell() {{ print -r -- "<<$BUFFER>>" }}; zle -N tell; bindkey '^X' tell; print set up
"""

child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="dumb", LC_ALL="C.UTF-8", COLUMNS="200", LINES="200")
    os.execv(zsh, [zsh, "-f", "-i"])


def read_until(pattern):
    """What the shell prints until `pattern` comes; a shell that says nothing for a minute fails the test."""
    text, end = "", time.monotonic() + 60
    while not re.search(pattern, text):
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            sys.exit(f"zsh does not answer: {text!r}")
        text += os.read(terminal, 4096).decode(errors="replace")
    return text


os.write(terminal, SETUP.encode())
read_until(r"\nset up\r?\n(.|\n)*ready%")
os.write(terminal, line.encode() + b"\t\x18")
print(read_until(r"<<.*>>").replace("\r", ""))
os.write(terminal, b"\x15exit\n")
