"""Holds what `opsig coverage --format json` says against the dispatch tables of the PyTorch that is installed.

dispatch_judge.py write FOLDER [LIBRARY]      writes tables.txt (what _dispatch_dump_table prints of each operator) and
                                              registrations.txt (what _dispatch_dump prints), with LIBRARY loaded
dispatch_judge.py compare REPORT TABLES [OWN] every cell of REPORT with TABLES; OWN: operators that a backend lists
                                              itself, one a line

A cell agrees if the rule, whether it falls through, and which of the two explicit composite keys it is from are the
same. There is no tolerance: the cells that the YAML cannot know are counted by their reasons, each of which is seen
in what PyTorch prints, not in what opsig does. Any other difference is an error.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import re
import sys
from collections import Counter
from pathlib import Path

LINE = re.compile(r"^(\w+): (fallthrough )?(.*) \[([\w ]+)\]$")


def write(folder, library=None):
    import torch

    if library:
        torch.ops.load_library(library)
    names = {s.name + ("." + s.overload_name if s.overload_name else "") for s in torch._C._jit_get_all_schemas()}
    tables, registrations = [], []
    for name in sorted(names):
        # TorchScript has operators that the dispatcher does not know.
        if registered := torch._C._dispatch_dump(name):
            registrations.append(registered)
            tables.append(f"name: {name}\n{torch._C._dispatch_dump_table(name)}")
    Path(folder, "tables.txt").write_text("\n".join(tables) + "\n", encoding="utf-8")
    Path(folder, "registrations.txt").write_text("\n".join(registrations) + "\n", encoding="utf-8")


def read_tables(path):
    tables = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("name: "):
            table = tables.setdefault(line[6:], {})
        elif line:
            key, through, where, rule = LINE.match(line).groups()
            table[key] = (rule, bool(through), where)
    return tables


def is_python(where):
    """Registered by Python, of which no YAML knows: PyTorch names no C++ file."""
    return "/dev/null" in where or bool(re.search(r"\.py:\d+", where))


def is_by_hand(entry):
    """Keys whose kernels are C++ that no YAML lists; opsig does not say what serves them."""
    return entry is not None and entry[0] == "kernel" and "/native/" in entry[2]


def reason(key, real, table):
    """Why the YAML cannot know this cell; None if it could."""
    rule, _, where = real
    python_meta = "Meta" in table and is_python(table["Meta"][2])
    if rule == "kernel" and is_python(where):
        return "registered in Python"
    if key == "AutogradMeta" and python_meta and rule in ("autograd kernel", "backend fallback", "missing"):
        return "autograd of what is registered in Python"
    if rule == "kernel" and "VariableType" in where and key.startswith("Autograd"):
        return "a formula for this key in derivatives.yaml"
    if rule == "ambiguous autogradother" and any(is_by_hand(table.get(key)) for key in ("Vulkan", "Metal")):
        return "AutogradOther beside kernels of Vulkan or Metal"
    return None


def agrees(cell, real):
    rule, through, where = real
    if cell["rule"] != rule or (cell["served"] == "fallthrough") != through:
        return False
    if rule == "default backend kernel":
        wanted = "structured-default" if "NonFunctional" in where else "composite-explicit"
        return cell["served"] == wanted
    return (cell["served"] == "missing") == (rule == "missing")


def compare(report, tables, own=None):
    tables = read_tables(tables)
    own = set(Path(own).read_text(encoding="utf-8").split()) if own else None
    lines = Path(report).read_text(encoding="utf-8").splitlines()
    head, rows = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    reasons, wrong, cells, owned = Counter(), [], 0, Counter()
    for row in rows:
        table = tables.get(row["op"])
        if table is None:
            wrong.append(f"{row['op']}: not in this PyTorch")
            continue
        for key in head["keys"]:
            cells += 1
            cell, real = row["cells"][key], table.get(key, ("missing", False, ""))
            if own is not None and cell["served"] in ("own", "wrapper"):
                owned[cell["served"]] += 1
                listed = row["op"].removeprefix("aten::") in own
                if (cell["served"] == "own") != listed or "Register" not in real[2]:
                    wrong.append(f"{row['op']} {key}: said {cell}, PyTorch has {real}")
            if agrees(cell, real):
                continue
            why = reason(key, real, table)
            if why:
                reasons[why] += 1
            else:
                wrong.append(f"{row['op']} {key}: said {cell}, PyTorch has {real}")
    print(f"{len(rows)} operators, {len(head['keys'])} keys, {cells} cells")
    for why, count in sorted(reasons.items()):
        print(f"{count} cells: {why}")
    for served, count in sorted(owned.items()):
        print(f"{count} cells: {served}")
    for text in wrong[:40]:
        print(text)
    print(f"{len(wrong)} cells differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit({"write": write, "compare": compare}[sys.argv[1]](*sys.argv[2:]))
