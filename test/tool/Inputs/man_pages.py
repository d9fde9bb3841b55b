"""Formats the man pages of OPSIG with groff, and holds them against `OPSIG help`; usage: OPSIG.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import subprocess
import sys

opsig = sys.argv[1]


def output(*words, text=None):
    done = subprocess.run(words, check=True, input=text, capture_output=True, text=True)
    # groff warns and goes on.
    assert not done.stderr, done.stderr
    return done.stdout


def formatted(*command):
    page = output(opsig, "help", "--man", *command)
    text = output("groff", "-man", "-Tutf8", "-ww", "-rLL=500n", text=page)
    return re.sub(r".\x08|\x1b\[[0-9;]*m", "", text)


overview = output(opsig, "help")
commands = re.findall(r"^  opsig ((?:gen )?[a-z]+)", overview, re.MULTILINE)
assert "check" in commands and "gen aten" in commands, commands
page = formatted()
assert all(re.search(rf"^ +opsig {name}$", page, re.MULTILINE) for name in commands), page
print("opsig: all subcommands named")
for command in commands:
    options = re.findall(r"^  (-\S+)", output(opsig, "help", *command.split()), re.MULTILINE)
    page = formatted(*command.split())
    missing = [o for o in options if not re.search(rf"^ +{re.escape(o)}( |$)", page, re.MULTILINE)]
    assert options and not missing, (command, missing, page)
    print(f"opsig-{command.replace(' ', '-')}: all options named")
