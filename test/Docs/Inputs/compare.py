"""Who tells of a mistake, and when: `compare.py OPSIG MISTAKES` prints a table in Markdown.

Each file in the folder MISTAKES is an extension with one mistake, in the lines marked `<- here`. It is
compiled, loaded, called once and handed to torch.library.opcheck, each in a process of its own, and given to
clang-tidy and to opsig. What comes behind a step that failed is not reached.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

CXX, TIDY = "clang++-22", "clang-tidy-22"
TIDY_CHECKS = "-*,bugprone-*,clang-analyzer-*"
PREFIX = "#include <ATen/ATen.h>\n#include <torch/csrc/autograd/custom_function.h>\n#include <torch/library.h>\n"
PREFIX_LINES = PREFIX.count("\n")
NOTHING, NOT_REACHED = "–", ""
DIGITS = str.maketrans("0123456789", "abcdefghij")


class Mistake:
    def __init__(self, path, folder):
        text = path.read_text()
        self.title = re.search(r"^// title: (.*)$", text, re.M)[1]
        self.call = re.search(r"^// call: (.*)$", text, re.M)[1]
        body = self.body = text[text.index("\n", text.index("// call: ")) + 1 :]
        self.source = folder / path.stem / path.name
        self.source.parent.mkdir()
        self.source.write_text(PREFIX + body)
        lines = (PREFIX + body).splitlines()
        self.places = {number for number, line in enumerate(lines, 1) if line.endswith("// <- here")}
        self.library = self.source.with_suffix(".so")


def in_child(work):
    """What `work` says in a process of its own: None for nothing, else how it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        said = ""
        try:
            work()
        except BaseException as error:  # pylint: disable=broad-except
            said = type(error).__name__
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    said = os.fdopen(reader).read()
    _, status = os.waitpid(child, 0)
    return "aborts" if os.WIFSIGNALED(status) else said or None


def steps(mistake):
    """Loading, the first call, opcheck: what each says, up to the first that fails."""

    def load():
        torch.ops.load_library(str(mistake.library))

    def call():
        load()
        eval(mistake.call, {"torch": torch})

    def opcheck():
        load()
        operator, arguments = re.match(r"(torch\.ops\.m\.\w+)\((.*)\)$", mistake.call).groups()
        values = eval(f"({arguments},)", {"torch": torch})
        torch.library.opcheck(eval(f"{operator}.default", {"torch": torch}), values)

    said = {}
    for name, work in (("load", load), ("call", call), ("opcheck", opcheck)):
        said[name] = in_child(work)
        if said[name] is not None:
            break
    return said


def compile_library(mistake, flags, prefix):
    """How many lines the compiler says, or None where it says nothing."""
    link = ["-ltorch", "-ltorch_cpu", "-lc10"]
    command = [CXX, *flags, "-include-pch", str(prefix), "-shared", "-o", str(mistake.library), str(mistake.source)]
    run = subprocess.run([*command, *link], capture_output=True, text=True, check=False)
    return len(run.stderr.splitlines()) if run.returncode else None


def tidy(mistakes, flags, folder):
    """{title: the checks that say something of its marked lines}, of all that compile in one run.

    What the compiler says is not theirs, and behind an error there is no analysis.
    """
    lines, owners = PREFIX.splitlines(), {}
    for mistake in mistakes:
        lines.append(f"namespace {mistake.source.stem.replace('-', '_').translate(DIGITS)} {{")
        owners.update({len(lines) + place - PREFIX_LINES: mistake.title for place in mistake.places})
        lines += mistake.body.splitlines() + ["}"]
    source = folder / "all.cpp"
    source.write_text("\n".join(lines) + "\n")
    command = [TIDY, "--quiet", f"--checks={TIDY_CHECKS}", str(source), "--", *flags]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if "error:" in run.stdout:
        sys.exit(run.stdout)
    said = {}
    for line, names in re.findall(r"^[^:\n]*:(\d+):\d+: warning: .*\[([\w.,-]+)\]$", run.stdout, re.M):
        if int(line) in owners:
            said.setdefault(owners[int(line)], set()).update(names.split(","))
    return said


def opsig(program, mistake, flags):
    """Its findings, all of which have to be about marked lines. The folder is all of the project."""
    command = [program, "check", "--no-cache", "--format", "json", str(mistake.source.parent), "--", *flags]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    findings = [json.loads(line) for line in run.stdout.splitlines()]
    for finding in findings:
        if finding["line"] not in mistake.places:
            sys.exit(f"{mistake.source.name}: a finding in line {finding['line']}: {finding['message']}")
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    return [finding["id"] for finding in findings]


def cells(program, mistake, flags, prefix):
    """What all but clang-tidy say."""
    errors = compile_library(mistake, flags, prefix)
    print(f"{mistake.source.name}: the compiler says {errors or 0} lines", file=sys.stderr)
    said = {} if errors else steps(mistake)
    steps_said = [(said[name] or NOTHING) if name in said else NOT_REACHED for name in ("load", "call", "opcheck")]
    ids = ", ".join(dict.fromkeys(opsig(program, mistake, flags))) or NOTHING
    return ["an error" if errors else NOTHING, *steps_said], ids


def main():
    program, mistakes = sys.argv[1:]
    standard = os.environ["OPSIG_TORCH_STD"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flags = [standard, "-fPIC", "-Wall", "-Wextra"]
        header, prefix = folder / "prefix.h", folder / "prefix.pch"
        header.write_text(PREFIX)
        subprocess.run([CXX, *flags, "-x", "c++-header", str(header), "-o", str(prefix)], check=True)
        all_mistakes = [Mistake(path, folder) for path in sorted(Path(mistakes).glob("*.cpp"))]
        rows = {mistake: cells(program, mistake, flags, prefix) for mistake in all_mistakes}
        said = tidy([mistake for mistake in all_mistakes if rows[mistake][0][0] == NOTHING], flags, folder)
        print("| mistake | compiler | when loaded | at the first call | opcheck | clang-tidy | opsig |")
        print("|---|---|---|---|---|---|---|")
        for mistake, (before, ids) in rows.items():
            checks = ", ".join(sorted(said.get(mistake.title, []))) or NOTHING
            print(f"| {mistake.title} | {' | '.join([*before, checks, ids])} |")


main()
