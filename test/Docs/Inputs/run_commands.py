"""Runs the commands of documents: `run_commands.py WORLD DOCUMENT...` prints how many ran, and how many did not and why.

A command is a line of an indented block that begins with `opsig`. It runs in a copy of the folder WORLD, which holds what
the documents speak of, and has to end with 0 or 1: what it asks for can be done. What cannot be run here is in NOT_RUN, each with its reason; an entry that no document has any more is an error.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMMAND = re.compile(r"^    (opsig \S.*)$", re.M)
# Lines that only look like commands: usages, and those of the first lines of a section with all their options.
USAGE = re.compile(r"opsig \w+( \w+)? \[")
# What begins with one of these is left out, for the reason.
NOT_RUN = {
    "opsig gen aten": "PyTorch's own templates (test/Codegen, test/Oracle)",
    "opsig gen python NATIVE": "PyTorch's own templates (test/Python)",
    "opsig coverage --dispatch-dump": "tables that a running PyTorch prints (test/Check/Coverage)",
}


def commands(document):
    """[(place, command), ...]"""
    text = document.read_text()
    found = []
    for match in COMMAND.finditer(text):
        command = re.sub(r"\s+#.*$", "", match[1]).replace("-- FLAGS", "-- -std=c++17")
        if not USAGE.match(command):
            found.append((f"{document.name}:{text.count(chr(10), 0, match.start()) + 1}", command))
    return found


def run(place, command, world):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "world"
        shutil.copytree(world, copy, symlinks=True)
        ended = subprocess.run(
            ["bash", "-c", command], cwd=copy, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
    if ended.returncode not in (0, 1):
        return f"{place}: {command}\n{ended.stdout}{ended.stderr}[{ended.returncode}]"
    return None


def main():
    world, documents = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    ran, left_out, failed = 0, {}, []
    for place, command in (found for document in documents for found in commands(document)):
        reason = next((start for start in NOT_RUN if command.startswith(start)), None)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        ran += 1
        failed += filter(None, [run(place, command, world)])
    for line in failed:
        print(line)
    for start in NOT_RUN:
        print(f"not run: {left_out.get(start, 0)} of '{start}': {NOT_RUN[start]}")
    print(f"{ran} commands ran, {len(failed)} failed")
    sys.exit(1 if failed or len(left_out) < len(NOT_RUN) else 0)


main()
