# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# terminal_style.py NAME COMMAND [--show]: what a terminal gets is what a pipe gets, and marks.
import os, pty, re, subprocess, sys

name, command = sys.argv[1], [word for word in sys.argv[2:] if word != "--show"]
environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")}
environment.update(TERM="xterm", COLUMNS="100")


def on_terminal(**more):
    main, other = pty.openpty()
    with open(os.devnull, "wb") as nothing:
        program = subprocess.Popen(command, stdout=other, stderr=nothing, env=dict(environment, **more))
    os.close(other)
    text = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    program.wait()
    return text.decode().replace("\r\n", "\n")


piped = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True).stdout
marked = on_terminal()
links = re.findall(r"\x1b\]8;;([^\x1b]+)\x1b\\", marked)
plain = re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", marked)
assert piped, "the command prints nothing"
assert "\x1b[" in marked, marked
assert plain == piped, f"{plain!r}\n{piped!r}"
assert on_terminal(NO_COLOR="1") == piped
print(marked.replace("\x1b", "") if sys.argv[-1] == "--show" else f"{name}: colors, " + (f"link to {links[0]}" if links else "no link"))
