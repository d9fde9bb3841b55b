#!/usr/bin/python3
"""Compares what opsig says of C functions that libtorch exports with what its own headers say under each target.

usage: judge_symbols.py DIR ROOT OPSIG-COMMAND...

A target has a function if a file that takes its address compiles with TORCH_TARGET_VERSION of that target; opsig is asked by
an object that wants them all. ROOT is the folder that has usr/include and usr/lib
with libtorch_cpu.so. In the command FILE stands for the
object, TARGET for the target, and what follows are files and flags.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import glob
import os
import re
import subprocess
import sys

FOLDERS = ["torch/csrc/stable/c", "torch/csrc/inductor/aoti_torch/c", "torch/csrc/inductor/aoti_torch/generated"]
SYMBOL = re.compile(r"^(?:aoti_torch|torch)_\w+$")
FLAGS = ["-std=c++20", "-w", "-fsyntax-only", "-ferror-limit=0", "-DTORCH_STABLE_ONLY"]


def exported(library):
    """The C functions that an extension could want, whatever headers say."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1].split("@")[0] for line in lines.splitlines() if line.strip()}
    return sorted(name for name in names if SYMBOL.match(name))


def compile_errors(folder, include, text, target):
    path = os.path.join(folder, "asked.cpp")
    with open(path, "w") as out:
        out.write(text)
    command = ["clang++", *FLAGS, "-idirafter", include, "-DTORCH_TARGET_VERSION=0x%016x" % target, path]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def usable_headers(folder, include):
    """Those that stable code can include."""
    for below in FOLDERS:
        for name in sorted(os.listdir(os.path.join(include, below))):
            line = "#include <%s/%s>\n" % (below, name)
            if "error:" not in compile_errors(folder, include, line, 0x02FF << 48):
                yield line


def targets(include):
    with open(os.path.join(include, "torch/csrc/stable/version.h")) as header:
        found = re.findall(r"#define TORCH_VERSION_(\d+)_(\d+)_0", header.read())
    values = [(int(major), int(minor)) for major, minor in found]
    return [(values[0][0], values[0][1] - 1)] + values


def opsig_refuses(command, folder, symbols, target):
    source, made = os.path.join(folder, "all.c"), os.path.join(folder, "all.o")
    if not os.path.exists(made):
        with open(source, "w") as out:
            out.write("".join("void %s(void);\n" % s for s in symbols))
            out.write("void *all[] = {%s};\n" % ", ".join("(void *)%s" % s for s in symbols))
        subprocess.run(["clang", "-w", "-c", source, "-o", made], check=True)
    words = [{"FILE": made, "TARGET": "%d.%d" % target}.get(word, word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit("opsig: %s" % done.stderr)
    return set(re.findall(r"uses '(\w+)', (?:which is not part of the stable ABI|which needs libtorch)", done.stdout))


def main():
    folder, root = sys.argv[1:3]
    command = sys.argv[3:]
    include = os.path.join(root, "usr/include")
    library = glob.glob(os.path.join(root, "usr/lib/*/libtorch_cpu.so"))[0]
    symbols = exported(library)
    prologue = "".join(usable_headers(folder, include))
    if not prologue:
        sys.exit("no header of the C shims can be included")
    disagreements = asked = refused = 0
    for target in targets(include):
        text = prologue + "".join("void *p%d = (void *)&%s;\n" % row for row in enumerate(symbols))
        errors = compile_errors(folder, include, text, target[0] << 56 | target[1] << 48)
        missing = set(re.findall(r"use of undeclared identifier '(\w+)'", errors)) & set(symbols)
        said = opsig_refuses(command, folder, symbols, target)
        asked += len(symbols)
        refused += len(missing)
        for symbol in sorted(missing ^ said):
            disagreements += 1
            print("%d.%d: %s: %s" % (*target, symbol, "opsig takes it" if symbol in missing else "the headers have it"))
    print("%d symbols, %d targets, %d of %d refused; %d disagreements" % (
        len(symbols), len(targets(include)), refused, asked, disagreements))


if __name__ == "__main__":
    main()
