"""Opens FILE in Helix, in a terminal of its own, with the settings that EDITORS.md lists for it and the programs of BIN;
goes to the first finding, takes the first of its fixes and saves; usage: EDITORS.md BIN FILE.

Exit status: 0 saved and left, 1 something did not come within three minutes.

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

WAIT = 180  # seconds


def settings(document):
    """The indented lines of the section about Helix."""
    section = re.search(r"^### Helix\n(.*?)^###? ", document, re.DOTALL | re.MULTILINE)[1]
    return textwrap.dedent("".join(line + "\n" for line in section.splitlines() if line.startswith("    ")))


class Terminal:
    def __init__(self, command, env):
        self.drawn = ""
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
        self.drawn += text

    @property
    def seen(self):
        """Without spaces: only what changes is drawn."""
        return re.sub(r"\x1b\[[0-9;:?<>= ]*[A-Za-z]|\x1b.|\s", "", self.drawn)

    def wait(self, what, arrived, keys="", pause=1):
        """Until then presses KEYS every PAUSE seconds."""
        begin = pressed = time.monotonic()
        while not arrived():
            now = time.monotonic()
            if now > begin + WAIT:
                sys.exit(f"no {what} within three minutes; seen: {self.seen[-2000:]}")
            if keys and now >= pressed + pause:
                self.press(keys)
                pressed = now
            self.read(0.1)

    def wait_for(self, verb, text, keys, pause):
        self.wait(repr(text), lambda: text.replace(" ", "") in self.seen, keys, pause)
        print(f"{verb}: {text}")
        self.drawn = ""


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
# There may be no finding yet to go to, and it may be shown before the cursor is there.
terminal.wait_for("shown", "Parameter 'alpha' of 'add' is 'float'", keys="]d", pause=1)
terminal.press("]d a")
terminal.wait_for("offered", "change 'float alpha'", keys="\x1b]d a", pause=10)
terminal.press("\r")
terminal.press(":wq\r")
terminal.wait("change of the file", lambda: path.read_text() != before)
print("written")
