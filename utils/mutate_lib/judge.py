# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler's word: which mutants have another type than their originals, and which files are right."""
import re
import subprocess
from pathlib import Path

COMPILER = "clang++-22"
UTILS = Path(__file__).resolve().parent.parent
# What the sources of the example backend include, too.
HEADERS = ("ATen/ATen.h", "ATen/Dispatch.h", "ATen/ExpandUtils.h", "torch/library.h")
HEAD = """\
#include <ATen/ATen.h>
#include <type_traits>
#define SAME(...) static_assert(std::is_same_v<__VA_ARGS__>, "differ");
"""


class CannotJudge(Exception):
    pass


def precompiled(folder):
    """The flags of a file that includes PyTorch's headers, which are parsed here once for all."""
    header = Path(folder) / "torch.pch"
    standard = subprocess.check_output([UTILS / "torch-std"], text=True).strip()
    flags = [standard, "-w"]
    command = [COMPILER, *flags, "-x", "c++-header", "-o", str(header), "-"]
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotJudge(done.stderr)
    return [*flags, "-include-pch", str(header)]


def changed_types(pairs, folder, flags):
    """For each pair of function types, as texts: whether they are different types."""
    path = Path(folder) / "judge.cpp"
    lines = [f"SAME({one}, {other})\n" for one, other in pairs]
    path.write_text(HEAD + "".join(lines), encoding="utf-8")
    command = [COMPILER, *flags, "-fsyntax-only", "-ferror-limit=0"]
    command += ["-fno-caret-diagnostics", "-fno-color-diagnostics", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    differing, first = set(), HEAD.count("\n") + 1
    for line in done.stderr.splitlines():
        if error := re.fullmatch(r".*judge\.cpp:(\d+):\d+: error: (.*)", line):
            if "differ" not in error[2]:
                raise CannotJudge(line)
            differing.add(int(error[1]) - first)
        elif "error: " in line:
            raise CannotJudge(line)
    if bool(differing) != (done.returncode != 0):
        raise CannotJudge(done.stderr)
    return [number in differing for number in range(len(pairs))]


def compile_errors(files, folder, flags):
    """Of the classes that PyTorch's generator wrote, and of functions that are declared twice."""
    command = [COMPILER, *flags, "-fsyntax-only", "-fno-caret-diagnostics", "-fno-color-diagnostics"]
    errors = []
    for file in files:
        done = subprocess.run([*command, file], cwd=folder, capture_output=True, text=True, check=False)
        errors += [line for line in done.stderr.splitlines() if "error: " in line]
    return errors
