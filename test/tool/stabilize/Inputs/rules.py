#!/usr/bin/python3
"""Moves the code of a table by `opsig stabilize`, holds each row against what the table says, and compiles all that moved.

usage: rules.py STAND-INS TABLE OPSIG STABILIZE... -- FLAGS...

In the current folder: moves.cpp and stays.cpp, one namespace a row. Tells what is not as it has to be; exit status 1 then.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

PROLOGUE = """#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/all.h>
#include <torch/library.h>
#include <utility>
using at::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
"""


def prologue(table):
    """What all files of a table begin with: its own includes stand in front of the first row."""
    head = table.partition("\n== ")[0]
    return PROLOGUE + "".join(line + "\n" for line in head.split("\n") if line.startswith("#include"))


def rows(table):
    for text in re.split(r"^== ", table, flags=re.M)[1:]:
        name, _, rest = text.partition("\n")
        code, _, want = rest.partition("\n=> ")
        yield name, code, want.strip("\n").replace("\\n", "\n")


def squeezed(text):
    return re.sub(r"\s+", "", text)


def main():
    split = sys.argv.index("--")
    stand_ins, table = sys.argv[1:3]
    opsig, flags = sys.argv[3:split], sys.argv[split + 1 :]
    groups = {"moves": [], "stays": []}
    table = Path(table).read_text()
    for row in rows(table):
        groups["stays" if row[0].startswith("stays: ") else "moves"].append(row)
    if "extension.h" in prologue(table):
        flags += ["-isystem", sysconfig.get_path("include")]
    wrong = 0
    for group, of_group in groups.items():
        parts = ["// row %d\nnamespace row_%d {\n%s\n}\n" % (n, n, code) for n, (_, code, _) in enumerate(of_group)]
        Path(group + ".cpp").write_text(prologue(table) + "".join(parts))
        done = subprocess.run(opsig + [group + ".cpp", "--", *flags], capture_output=True, text=True, check=False)
        found = re.split(r"^// row \d+$", Path(group + ".cpp").read_text(), flags=re.M)[1:]
        for (name, _, want), got in zip(of_group, found, strict=True):
            if squeezed(want) not in squeezed(got):
                print("%s: wanted\n  %s\ngot%s" % (name, want, got))
                wrong += 1
        target = re.search(r"TORCH_TARGET_VERSION=0x[0-9a-f]+", done.stdout)
        if not target:
            sys.exit("nothing moved: " + done.stdout + done.stderr)
        if group == "moves":
            left = re.findall(r"^.*(?:and stays:|Clang reports).*$", done.stdout, flags=re.M)
            print("\n".join(left))
            defines = ["-DTORCH_STABLE_ONLY", "-DUSE_CUDA", "-D" + target[0]]
            compiled = subprocess.run(["clang++", "-fsyntax-only", *flags, "-idirafter", stand_ins, *defines, "moves.cpp"], check=False)
            wrong += len(left) + (compiled.returncode != 0)
    print("%d rows move, %d stay; %d wrong" % (len(groups["moves"]), len(groups["stays"]), wrong))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
