"""Opens FILE in Helix, in a terminal of its own, with the settings that EDITORS.md lists for it and the programs of BIN;
goes to the first finding, takes the first of its fixes and saves; usage: EDITORS.md BIN FILE.

Exit status: 0 saved and left, 1 something did not come within a minute.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import textwrap
import time
from pathlib import Path

WAIT = 60  # seconds


def settings(document):
    """The indented lines of the section about Helix."""
    section = re.search(r"^### Helix\n(.*?)^###? ", document, re.DOTALL | re.MULTILINE)[1]
    return textwrap.dedent("".join(line + "\n" for line in section.splitlines() if line.startswith("    ")))


class Terminal:
    def __init__(self, command, env):
        self.seen = ""
        child, self.screen = pty.fork()
        if child == 0:
            os.execvpe(command[0], command, env)
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))

    def press(self, keys):
        os.write(self.screen, keys.encode())

    def read(self, seconds):
        if not select.select([self.screen], [], [], seconds)[0]:
            return
        try:
            text = os.read(self.screen, 65536).decode("utf-8", "replace")
        except OSError:  # the editor is gone
            time.sleep(seconds)
            return
        # Only what changes is drawn, so spaces may be missing.
        self.seen += re.sub(r"\x1b\[[0-9;:?<>= ]*[A-Za-z]|\x1b.|\s", "", text)

    def wait(self, what, arrived):
        end = time.monotonic() + WAIT
        while not arrived():
            if time.monotonic() > end:
                sys.exit(f"no {what} within a minute; seen: {self.seen[-2000:]}")
            self.read(0.1)

    def wait_for(self, verb, text):
        self.wait(repr(text), lambda: text.replace(" ", "") in self.seen)
        print(f"{verb}: {text}")
        self.seen = ""


document, programs, path = (Path(word).resolve() for word in sys.argv[1:])
home = Path("home").resolve()
(home / "helix").mkdir(parents=True)
(home / "helix" / "languages.toml").write_text(settings(document.read_text(encoding="utf-8")))
env = os.environ | {
    "HOME": str(home),
    "XDG_CONFIG_HOME": str(home),
    "XDG_CACHE_HOME": str(home),
    "TERM": "xterm-256color",
    "LANG": "C.UTF-8",
    "PATH": f"{programs}:{os.environ['PATH']}",
}
before = path.read_text()
terminal = Terminal(["hx", path.name], env)
terminal.wait("screen", lambda: "ATen" in terminal.seen)
end = time.monotonic() + WAIT
while "Parameter" not in terminal.seen and time.monotonic() < end:  # there may be no finding yet to go to
    terminal.press("]d")
    terminal.read(1)
terminal.wait_for("shown", "Parameter 'alpha' of 'add' is 'float'")
terminal.press(" a")
terminal.wait_for("offered", "change 'float alpha'")
terminal.press("\r")
terminal.press(":wq\r")
terminal.wait("change of the file", lambda: path.read_text() != before)
print("written")
