#!/usr/bin/python3
"""Compares what opsig says of kernels and alias annotations with what the kernels do when they are run.

usage: judge_effects.py SOURCE DIR OPSIG-COMMAND...

SOURCE registers operators of the namespace `judge`. Each is run in PyTorch on several inputs (contiguous tensors and
transposed ones, true and false), and what is seen is held against its schema: an argument whose elements change
without `(a!)`, a return that has an argument's storage without an annotation of it, a mark on an argument that never
changes. opsig has to say the same of every operator; what it calls certain has to be seen on every input of its kind,
what it calls likely on one. FILE in the command stands for SOURCE.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

FLAGS = [os.environ["OPSIG_TORCH_STD"], "-w", "-O0", "-fPIC", "-shared"]


def build(source, folder):
    library = folder / "judge.so"
    subprocess.run(
        ["clang++-22", *FLAGS, source, "-o", library, "-ltorch_cpu", "-ltorch", "-lc10"], check=True
    )
    return library


def verdicts(command, source):
    """(operator, check, name of the argument) => confidence, as opsig reports them."""
    out = subprocess.run(
        [part.replace("FILE", str(source)) for part in command], capture_output=True, text=True
    )
    if out.returncode not in (0, 1):
        sys.exit(out.stdout + out.stderr)
    found = {}
    for line in out.stdout.splitlines():
        finding = json.loads(line)
        # What is likely only has a check of its own.
        check = finding["id"].removeprefix("opsig-").replace("-possible", "-unmarked")
        # The first quoted name that is an argument: "'f' writes to 'x' ...", "the lambda may return a view of 'x'".
        argument = re.search(r"(?:to|returns?|of) '(\w+)'", finding["message"]).group(1)
        found[finding["op"], check, argument] = finding["confidence"]
        # A kernel that returns what it writes to has one finding: a note says what else the missing mark hides.
        for note in finding["notes"]:
            if returned := re.match(r"'(\w+)' is returned here", note["message"]):
                found[finding["op"], "alias-unmarked", returned.group(1)] = "certain"
    return found


def inputs_of(schema, torch):
    """Several lists of arguments for one operator."""

    def plain():
        return torch.arange(1.0, 17.0).reshape(4, 4)

    def transposed():
        return plain().t()

    def choices(argument):
        kind = str(argument.type)
        if kind in ("Tensor", "Optional[Tensor]"):
            return [plain, transposed]
        if kind == "List[Tensor]":
            return [lambda: [plain(), plain()], lambda: [transposed(), transposed()]]
        return {"bool": [lambda: True, lambda: False], "int": [lambda: 2], "float": [lambda: 2.5]}[kind]

    for makers in itertools.product(*(choices(a) for a in schema.arguments)):
        yield [make() for make in makers]


def tensors(value, torch):
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for v in value for t in tensors(v, torch)] if isinstance(value, (list, tuple)) else []


def storages(value, torch):
    return {t.storage().data_ptr() for t in tensors(value, torch)}


def observe(schema, torch):
    """(check, argument) => on how many of all inputs it was seen; and the number of inputs."""
    seen, runs, changes = {}, 0, {}
    for values in inputs_of(schema, torch):
        runs += 1
        before = [[t.clone() for t in tensors(v, torch)] for v in values]
        held = [storages(v, torch) for v in values]
        positional = [v for v, a in zip(values, schema.arguments) if not a.kwarg_only]
        keywords = {a.name: v for v, a in zip(values, schema.arguments) if a.kwarg_only}
        result = getattr(torch.ops.judge, schema.name.split("::")[1])(*positional, **keywords)
        results = result if len(schema.returns) > 1 else [result]
        for value, old, own, argument in zip(values, before, held, schema.arguments):
            written = argument.alias_info is not None and argument.alias_info.is_write
            changed = any(not torch.equal(a, b) for a, b in zip(tensors(value, torch), old))
            if changed and not written:
                seen["mutation-unmarked", argument.name] = seen.get(("mutation-unmarked", argument.name), 0) + 1
            if written:
                changes[argument.name] = changes.get(argument.name, False) or changed
            for one, ret in zip(results, schema.returns):
                if own & storages(one, torch) and ret.alias_info is None:
                    seen["alias-unmarked", argument.name] = seen.get(("alias-unmarked", argument.name), 0) + 1
    for name, changed in changes.items():
        if not changed:
            seen["mutation-unwritten", name] = runs
    return seen, runs


def main():
    source, folder, *command = sys.argv[1:]
    said = verdicts(command, source)
    import torch

    library = build(source, Path(folder))
    torch.ops.load_library(str(library))
    schemas = [s for s in torch._C._jit_get_all_schemas() if s.name.startswith("judge::")]
    wrong = 0

    def disagree(text):
        nonlocal wrong
        wrong += 1
        print(text)

    total = 0
    for schema in schemas:
        op = schema.name.split("::")[1]
        seen, runs = observe(schema, torch)
        total += len(seen)
        for (check, argument), times in seen.items():
            if (op, check, argument) not in said:
                disagree(f"{op}: {check} of {argument} is seen on {times} of {runs} inputs; opsig says nothing")
        for (named, check, argument), confidence in said.items():
            if named != op:
                continue
            times = seen.get((check, argument), 0)
            if times == 0 or (confidence == "certain" and times < runs and not any(
                a.type.kind() == "BoolType" for a in schema.arguments
            )):
                disagree(f"{op}: {check} of {argument} is {confidence}; it is seen on {times} of {runs} inputs")
    print(f"{len(schemas)} operators, {total} faults seen, {len(said)} said; {wrong} disagreements")


main()
