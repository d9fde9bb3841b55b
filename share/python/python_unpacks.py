# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a function takes out of its parameters.

a function => [UNPACK ...] in the order of the file, of parameters that nothing assigns

    UNPACK: {"kind": "" | "least" | "element" | "key", "parameter", "count", "word", "at"}
            "": `a, b = inputs`, of which "count" is 2; "least": `a, *b = inputs`, 1; "element": `inputs[1]`, 2;
            "key": `inputs["x"]`, whose "word" is x

An element or a key counts only if the function always comes to it: behind a condition it may belong to another operator.
Those of parameters with other names than PyTorch's are left out, because most of them are elements of tensors.
"""
import ast

from python_text import FUNCTIONS, Span, above

# Where an expression may be left out, or what it raises is caught.
CHOOSING = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.BoolOp, ast.Compare, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.With, ast.AsyncWith,
)  # fmt: skip
# What PyTorch gives to a setup_context(), and to a rule of vmap.
GIVEN = {"inputs", "output", "keyword_only_inputs", "in_dims"}
LEAVING = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


def is_chosen(node, function):
    for one in above(node):
        if one is function:
            return False
        if isinstance(one, CHOOSING) or type(one).__name__ == "Match":
            return True
    return True


def asks_for_length(nodes, name):
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" and any(isinstance(a, ast.Name) and a.id == name for a in n.args)
        for n in nodes
    )


def number_of(node):
    """Of a constant index, how many elements it needs; None for any other index."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    if not isinstance(node, ast.Constant) or type(node.value) is not int:
        return None
    return node.value + 1 if sign > 0 else node.value


def of_target(target, name):
    """The first parts of UNPACK of a list of targets; None of anything else."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return None
    stars = sum(isinstance(element, ast.Starred) for element in target.elts)
    return {"kind": "least" if stars else "", "parameter": name, "count": len(target.elts) - stars, "word": ""}


def of_index(node):
    index = node.slice
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return {"kind": "key", "parameter": node.value.id, "count": 0, "word": index.value}
    count = number_of(index)
    return None if count is None else {"kind": "element", "parameter": node.value.id, "count": count, "word": ""}


def unpacks(source, function, nodes, parameters):
    """`nodes` are those of the function itself, without those of functions in it."""
    if not isinstance(function, FUNCTIONS):
        return []
    given = parameters & GIVEN
    taken = [n for n in nodes if n.__class__ is ast.Assign and n.value.__class__ is ast.Name and n.value.id in parameters]
    read = [n for n in nodes if given and n.__class__ is ast.Subscript and n.value.__class__ is ast.Name and n.value.id in given]
    if not taken and not read:
        return []
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    found = [(of_target(target, n.value.id), target) for n in taken for target in n.targets]
    if not any(isinstance(n, LEAVING) and is_chosen(n, function) for n in nodes):
        known = [n for n in read if isinstance(n.ctx, ast.Load) and not is_chosen(n, function) and not asks_for_length(nodes, n.value.id)]
        found += [(of_index(n), n) for n in known]
    out = [{**parts, "at": Span(source.span(node))} for parts, node in found if parts and parts["parameter"] not in stored]
    return sorted(out, key=lambda unpacked: unpacked["at"])
