# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws schemas with torch.Tag.out or torch.Tag.inplace, and pairs of operators and out variants. Compares what opsig
reports with what torch.library of PyTorch 2.14 and newer does: it refuses a definition, or finds the out variant.

  judge_tags.py FOLDER COUNT SEED OPSIG OPTION...
"""
import json
import os
import random
import subprocess
import sys

import torch
from torch._library._out_variant import to_out_variant

NAMESPACE = "judged_tags"


def draw_arguments(rng):
    out = []
    for name in "xyzw"[:rng.randint(0, 3)]:
        out.append((rng.choice(["Tensor", "Tensor", "Tensor(a!)", "Tensor(b!)", "Tensor(a!)[]", "int", "Tensor?", "Tensor(a)"]), name))
    return out


def draw_outputs(rng):
    kinds = ["Tensor(a!)", "Tensor(b!)", "Tensor(a!)[]", "Tensor", "int", "Tensor(a!)?"]
    return [(rng.choice(kinds), name) for name in ("out", "o2")[:rng.choice([0, 1, 1, 1, 2])]]


def draw_returns(rng):
    kinds = ["Tensor(a!)", "Tensor(a!)", "Tensor(b!)", "Tensor(a)", "Tensor", "int"]
    count = rng.choice([0, 1, 1, 1, 2])
    one = [rng.choice(kinds) for _ in range(count)]
    return one[0] if count == 1 else "(" + ", ".join(one) + ")"


def text_of(name, arguments, outputs, returns):
    parts = [f"{kind} {argument}" for kind, argument in arguments]
    if outputs:
        parts += ["*"] + [f"{kind} {argument}" for kind, argument in outputs]
    return f"{name}({', '.join(parts)}) -> {returns}"


def draw_tagged(rng, index):
    """Of both kinds: nearly right, so that each rule is broken by itself; and at random."""
    name, tag = f"op{index}", rng.choice(["out", "inplace"])
    if rng.random() < 0.4:
        return text_of(name, draw_arguments(rng), draw_outputs(rng), draw_returns(rng)), tag
    if tag == "out":
        arguments, outputs, returns = [("Tensor", "x"), ("int", "n")], [("Tensor(a!)", "out")], "Tensor(a!)"
        if rng.random() < 0.4:
            outputs, returns = [("Tensor(a!)", "out"), ("Tensor(b!)", "o2")], "(Tensor(a!), Tensor(b!))"
    else:
        arguments, outputs, returns = [("Tensor(a!)", "x"), ("Tensor", "y")], [], "Tensor(a!)"
    change = rng.randrange(6)
    if change == 0:
        arguments[0] = (rng.choice(["Tensor(c!)", "Tensor", "int", "Tensor(a!)[]"]), "x")
    elif change == 1:
        arguments = arguments[:rng.randint(0, 1)]
    elif change == 2:
        outputs = draw_outputs(rng)
    elif change == 3:
        returns = draw_returns(rng)
    return text_of(name, arguments, outputs, returns), tag


def draw_pair(rng, index):
    """An operator, and what may be its out variant."""
    name = f"pair{index}"
    arguments = [("Tensor", "x")] + [(rng.choice(["Tensor", "int", "float"]), letter) for letter in "yz"[:rng.randint(0, 2)]]
    count = rng.choice([1, 1, 2])
    functional = text_of(name, arguments, [], "Tensor" if count == 1 else "(Tensor, Tensor)")
    own = list(arguments)
    change = rng.randrange(5)
    if change == 0:
        own[rng.randrange(len(own))] = (rng.choice(["Tensor", "int", "float"]), rng.choice("xyzq"))
        if len({argument for _, argument in own}) != len(own):
            own = list(arguments)
    elif change == 1:
        own = own[:-1]
    outputs = [("Tensor(a!)", "out"), ("Tensor(b!)", "o2")][:count if change != 2 else 3 - count]
    marks = [kind for kind, _ in outputs]
    returns = marks[0] if len(marks) == 1 else "(" + ", ".join(marks) + ")"
    tags = ["out"] if change != 3 else []
    return functional, text_of(name + ".out", own, outputs, returns), tags


def refuses(library, schema, tags):
    try:
        library.define(schema, tags=tuple(getattr(torch.Tag, tag) for tag in tags))
    except ValueError as error:
        assert "chema tagged with" in str(error), error
        return True
    return False


def is_readable(schema):
    try:
        torch._C.parse_schema(NAMESPACE + "::" + schema)
    except RuntimeError:
        return False
    return True


def main(folder, count, seed, *opsig):
    rng = random.Random(int(seed))
    library = torch.library.Library(NAMESPACE, "DEF")  # noqa: TOR901
    lines, expected = ["import torch", f'lib = torch.library.Library("{NAMESPACE}", "DEF")'], {}

    def write(schema, tags):
        lines.append(f'lib.define("{schema}", tags={"(" + "".join(f"torch.Tag.{tag}, " for tag in tags) + ")"})')

    for index in range(int(count)):
        schema, tag = draw_tagged(rng, index)
        if not is_readable(schema):
            continue
        write(schema, [tag])
        expected[len(lines)] = ("tag", refuses(library, schema, [tag]))
        functional, variant, tags = draw_pair(rng, index)
        if not is_readable(functional) or not is_readable(variant):
            continue
        write(functional, [])
        write(variant, tags)
        refuses(library, functional, [])
        if refuses(library, variant, tags):
            expected[len(lines)] = ("tag", True)
            continue
        operator = getattr(torch.ops, NAMESPACE)
        operator = getattr(operator, functional.split("(")[0]).default
        expected[len(lines)] = ("pair", to_out_variant(operator) is None)
    source = os.path.join(folder, "ops.py")
    with open(source, "w") as file:
        file.write("\n".join(lines) + "\n")
    answer = subprocess.run([*opsig, "ops.py"], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert answer.returncode in (0, 1), answer.returncode
    reported = {}
    for finding in map(json.loads, answer.stdout.splitlines()):
        reported.setdefault(finding["line"], []).append(finding["id"])
    seen, differ = 0, 0
    for line, (kind, is_wrong) in sorted(expected.items()):
        ids = reported.get(line, [])
        said = "opsig-operator-tag" in ids if kind == "tag" else bool(ids)
        seen += is_wrong
        if said != is_wrong:
            differ += 1
            print(f"{lines[line - 1]}: torch {'refuses' if is_wrong else 'takes'} it ({kind}), opsig: {ids}")
    print(f"{len(expected)} judged, {seen} wrong; {differ} disagreements")


main(*sys.argv[1:])
