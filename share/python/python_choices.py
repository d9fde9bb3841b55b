# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules that a file imports in any case, and those that it imports one or the other.

the statements of a module => Choices
  "together": for the module and each branch, the modules that are imported there in any case, and those in its branches
  "choices": lists of branches that exclude each other, each a list of modules

A name is "pkg.mod", or ".mod" where it is relative; of `from .a import b`, both ".a" and ".a.b". Branches of one `if` or
`try` exclude each other, and so do tests of `torch.version.cuda`, `torch.version.hip` and their like side by side, because
a PyTorch is built for one of them. What functions import is left out: they may not be called.
"""
import ast


def modules_of(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = "." * node.level + (node.module or "")
    joint = "" if base.endswith(".") else "."
    return ([base] if node.module else []) + [base + joint + alias.name for alias in node.names]


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed(parts + [node.id])) if isinstance(node, ast.Name) else ""


def tests_version(node):
    """`torch.version.cuda`, `torch.version.hip is not None`"""
    test = node.test
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.IsNot, ast.NotEq)):
        test = test.left
    return dotted(test).startswith("torch.version.") and not node.orelse


def branches_of(node):
    """Those of an `if` with each `elif`."""
    out = [node.body]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        out.append(node.body)
    return out + [node.orelse]


class Choices:
    def __init__(self, tree):
        self.choices, self.together = [], []
        self.walk(tree.body)

    def walk(self, body):
        """What the statements import in any case, and what only in a branch."""
        sure, maybe = self.imports_of(body)
        if sure:
            self.together.append([sure, maybe])
        return sure, maybe

    def imports_of(self, body):
        sure, maybe, versions = [], [], []
        for node in body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                sure += modules_of(node)
            elif isinstance(node, ast.With):
                inner, in_branches = self.imports_of(node.body)
                sure += inner
                maybe += in_branches
            elif isinstance(node, ast.If) and dotted(node.test).endswith("TYPE_CHECKING"):
                inner, in_branches = self.imports_of(node.orelse)
                sure += inner
                maybe += in_branches
            elif isinstance(node, ast.If) and tests_version(node):
                versions.append(node.body)
            elif isinstance(node, ast.If):
                maybe += self.choose(branches_of(node))
            elif isinstance(node, ast.Try):
                maybe += self.choose([node.body + node.orelse] + [handler.body for handler in node.handlers])
                inner, in_branches = self.imports_of(node.finalbody)
                sure += inner
                maybe += in_branches
        return sure, maybe + self.choose(versions)

    def choose(self, branches):
        imported = [sum(self.walk(branch), []) for branch in branches]
        if sum(map(bool, imported)) > 1:
            self.choices.append(imported)
        return sum(imported, [])
