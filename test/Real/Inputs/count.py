"""Counts operators and kernels in the text of registrations below folders, as a reader does who knows no C++.

An operator is what a library block, or op() of RegisterOperators, gives a name or a schema. A kernel is an operator
and the function beside its name; functions of one name are told apart by the namespaces that their files open.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^TORCH_LIBRARY(?P<kind>|_FRAGMENT|_IMPL)\((?P<ns>\w+),.*?^}", re.S | re.M)
CALL = re.compile(
    r"(?:m\.(?P<what>def|impl)|\.op)\(\s*(?:TORCH_SELECTIVE_\w+\(\s*)?"
    r'"(?:(?P<ns>\w+)::)?(?P<name>\w+)[^"]*"\)?(?:,\s*(?P<kernel>[^;"]*?)\)\s*(?=;|\.op))?',
    re.S,
)


def registrations(text):
    for block in BLOCK.finditer(text):
        for call in CALL.finditer(block[0]):
            yield call["ns"] or block["ns"], call, block["kind"] != "_IMPL"
    for registry in re.finditer(r"RegisterOperators\(\).*?;", text, re.S):
        for call in CALL.finditer(registry[0]):
            yield call["ns"], call, True


operators, kernels = set(), set()
for folder in sys.argv[1:]:
    for path in sorted(Path(folder).rglob("*.c*")):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        spaces = tuple(re.findall(r"^namespace (\w*)", text, re.M))
        for namespace, call, defines in registrations(text):
            operator = f"{namespace}::{call['name']}"
            if defines:
                operators.add(operator)
            if call["kernel"]:
                function = re.findall(r"[\w:]+", call["kernel"].split("<")[0])[-1]
                kernels.add((operator, spaces, function))
print(f"{len(operators)} operators, {len(kernels)} kernels")
