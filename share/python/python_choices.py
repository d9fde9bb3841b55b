# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules that a file imports in any case, and those that it imports one or the other.

the statements of a module, what its names stand for => Choices
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


def branches_of(node):
    """Those of an `if` with each `elif`."""
    out = [node.body]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        out.append(node.body)
    return out + [node.orelse]


class Choices:
    def __init__(self, tree, names):
        self.names = names
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
            elif isinstance(node, ast.If) and self.tests_version(node):
                versions.append(node.body)
            else:
                maybe += self.choose(self.alternatives(node))
                inner, in_branches = self.imports_of(self.always(node))
                sure += inner
                maybe += in_branches
        return sure, maybe + self.choose(versions)

    def is_for_checkers(self, node):
        return self.names.dotted(node.test).endswith("TYPE_CHECKING")

    def tests_version(self, node):
        """`torch.version.cuda`, `torch.version.hip is not None`"""
        test = node.test
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.IsNot, ast.NotEq)):
            test = test.left
        return self.names.dotted(test).startswith("torch.version.") and not node.orelse

    def always(self, node):
        """The statements in a statement that run in any case."""
        if isinstance(node, ast.With):
            return node.body
        if isinstance(node, ast.If) and self.is_for_checkers(node):
            return node.orelse
        return node.finalbody if isinstance(node, ast.Try) else []

    def alternatives(self, node):
        """The branches of a statement that exclude each other."""
        if isinstance(node, ast.If) and not self.is_for_checkers(node):
            return branches_of(node)
        if isinstance(node, ast.Try):
            return [node.body + node.orelse] + [handler.body for handler in node.handlers]
        return []

    def choose(self, branches):
        imported = [sum(self.walk(branch), []) for branch in branches]
        if sum(map(bool, imported)) > 1:
            self.choices.append(imported)
        return sum(imported, [])
