"""Runs the commands of documents: `run_commands.py WORLD ROOT` prints how many ran, and how many did not and why.

A command is a line of an indented block that begins with the name of a program (PROGRAMS). Those of opsig run in a copy
of the folder WORLD, which holds what the documents speak of, and have to end with 0 or 1: what they ask for can be done.
What does not run here is in ELSEWHERE, each with who runs it or why nobody can; a command that is neither is an error,
and so is an entry that no document has any more. Blocks of ```console are run_document.py's.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = r"opsig|utils/[a-z-]+|cmake|ninja|apt|pip|tar|podman|bazel|bear|clang-apply-replacements|clang\S*-22|\.ci/run|[A-Z_]+=\S+ \S+"
COMMAND = re.compile(rf"^    ((?:{PROGRAMS}) \S.*|(?:{PROGRAMS}))$", re.M)
USAGE = re.compile(r"opsig \w+( \w+)? \[")
# How a command begins => who runs it, or why nobody does.
ELSEWHERE = {
    "opsig gen aten": "on PyTorch's own templates: test/Codegen, test/Oracle",
    "opsig gen python NATIVE": "on PyTorch's own templates: test/Python",
    "opsig coverage --dispatch-dump": "on tables that a running PyTorch prints: test/Coverage",
    "opsig check --binary": "on libraries, and headers that have the stable ABI: test/StableAbi",
    "opsig gen stubs": "on a project in C++ and Python: test/tool/gen, test/tool/stubs",
    "opsig stabilize": "on headers that have the stable ABI: test/tool/stabilize",
    "apt install": "installs into the system: utils/try-package, and what the tests need themselves",
    "tar -xf": "test/CMake/package.test",
    "pip install ./opsig": "test/CMake/package.test",
    "podman": "an engine for containers: utils/try-package does the steps of Containerfile without one",
    "cmake": "the tests run in what it builds; test/CMake/install.test installs it",
    "ninja -C build/temp": "docs/tutorial-custom-ops.md has it with its project",
    "pip install -v": "the project and its build are the reader's",
    "bear": "a program that records what any build calls; the build is the reader's",
    "bazel": "test/Bazel",
    "clang-apply-replacements": "test/Check has fixes that are exported and applied",
    "clang-tidy-22": "test/Tidy",
    "clang++-22": "test/Tidy",
    "utils/": "builds, measures or tests by itself: test/tool, test/Repo, continuous integration",
    "OPSIG_SOURCE_ROOT": "the fuzzers, by test/Fuzz",
}


def commands(root, document):
    """[(place, command), ...]"""
    text = document.read_text()
    found = []
    for match in COMMAND.finditer(text):
        command = re.sub(r"\s+#.*$", "", match[1]).replace("-- FLAGS", "-- -std=c++17")
        if not USAGE.match(command):
            place = f"{document.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            found.append((place, command))
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
    world, root = map(pathlib.Path, sys.argv[1:])
    documents = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    ran, left_out, failed = 0, {}, []
    for place, command in (found for document in documents for found in commands(root, document)):
        start = next((start for start in ELSEWHERE if command.startswith(start)), None)
        if start:
            left_out[start] = left_out.get(start, 0) + 1
        elif not command.startswith("opsig "):
            failed.append(f"{place}: nobody runs this: {command}")
        else:
            ran += 1
            failed += filter(None, [run(place, command, world)])
    failed += [f"no document has '{start}' any more" for start in ELSEWHERE if start not in left_out]
    print("\n".join(failed))
    for start, count in left_out.items():
        print(f"elsewhere: {count} of '{start}': {ELSEWHERE[start]}")
    print(f"{len(documents)} documents, {ran} commands ran, {sum(left_out.values())} elsewhere, {len(failed)} failed")
    sys.exit(1 if failed else 0)


main()
