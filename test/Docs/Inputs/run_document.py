"""Runs a document: `run_document.py DOCUMENT` does in an empty folder what its blocks say, and compares.

    ```LANGUAGE FILE    is what FILE holds
    ```diff             is a patch
    ```console          "$ command", with "> " for its further lines, and what that prints
    ```console fails    the same; the last command ends with a status other than 0

In what is printed a line "..." stands for any lines, and the PyTorch that ends the summary line for any other. Ends with 1 at the first difference.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


def commands(text):
    """[[command, what it prints], ...]"""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1].append(line)
    return found


# The reader's PyTorch is not that of the tests.
TORCH = re.compile(r"; PyTorch [0-9][^ ;]* \([^)]*\)$")


def line_pattern(line):
    torch = TORCH.search(line)
    return re.escape(line[: torch.start()]) + TORCH.pattern[:-1] if torch else re.escape(line)


def agrees(printed, expected):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else line_pattern(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def stop(where, what):
    sys.exit(f"{where}: {what}")


def run(where, text, folder, fails):
    all_commands = commands(text)
    for number, (command, expected) in enumerate(all_commands):
        ended = subprocess.run(
            ["bash", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        may_fail = fails and number + 1 == len(all_commands)
        said = f"$ {command}\n{ended.stdout}[{ended.returncode}]"
        if (ended.returncode != 0) != may_fail:
            stop(where, f"another status is expected of\n{said}")
        if not agrees([line.rstrip() for line in ended.stdout.splitlines()], expected):
            stop(where, "this is printed:\n" + said + "\nthis is expected:\n" + "\n".join(expected))


def follow(document, folder):
    """How many blocks it has."""
    text = document.read_text()
    count = 0
    for block in BLOCK.finditer(text):
        language, rest, content = block.group(1), block.group(2).strip(), block.group(3)
        where = f"{document.name}:{text.count(chr(10), 0, block.start()) + 1}"
        if language == "console":
            run(where, content, folder, rest == "fails")
        elif language == "diff":
            subprocess.run(["patch", "-p1", "-s"], cwd=folder, input=content, text=True, check=True)
        elif rest:
            path = folder / rest
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        else:
            stop(where, "this block is of no use: it names no file")
        count += 1
    return count


def main():
    # Not below the tests' own folder, whose settings and repository are no reader's.
    with tempfile.TemporaryDirectory() as folder:
        print(f"{follow(pathlib.Path(sys.argv[1]), pathlib.Path(folder))} blocks")


main()
