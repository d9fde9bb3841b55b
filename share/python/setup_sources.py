# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads which sources the extensions of a setup.py are built from, without importing or running anything.

In:  the text of a setup.py on standard input; its folder as the argument
Out: a JSON list on standard output with a list for each extension: its sources as they are written, those of a pattern as
     they are on disk. An extension whose sources can be read in part only is left out.
"""
import ast
import glob
import json
import os
import sys

EXTENSIONS = {"Extension", "CppExtension", "CUDAExtension", "SyclExtension"}
MOST_FILES = 10000


def last_name(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


class Sources:
    def __init__(self, tree, folder):
        self.tree, self.folder = tree, folder
        self.stores, self.values, self.used = {}, {}, set()
        for node in ast.walk(tree):
            for name in self.bound(node):
                self.stores[name] = self.stores.get(name, 0) + 1
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.values[node.targets[0].id] = node.value
        # `sources.append(...)`, `other = sources`, `f(sources)`: the list may change.
        reads = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and last_name(node.func) in EXTENSIONS:
                reads.update(map(id, [*node.args, *(key.value for key in node.keywords)]))
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                reads.update((id(node.left), id(node.right)))
            elif isinstance(node, ast.Starred):
                reads.add(id(node.value))
        self.used.update(node.id for node in ast.walk(tree)
                         if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in reads)

    @staticmethod
    def bound(node):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            return [node.id]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return [node.name]
        if isinstance(node, ast.alias):
            return [(node.asname or node.name).split(".")[0]]
        if isinstance(node, ast.arg):
            return [node.arg]
        return [node.name] if isinstance(node, ast.ExceptHandler) and node.name else []

    def of(self, node, depth=0):
        """The strings of a list; None where not all of them are known."""
        if depth > 8:
            return None
        if isinstance(node, (ast.List, ast.Tuple)):
            parts = [self.element(one, depth) for one in node.elts]
            return None if None in parts else [file for part in parts for file in part]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
            return None if left is None or right is None else left + right
        if isinstance(node, ast.Name):
            known = self.stores.get(node.id) == 1 and node.id in self.values and node.id not in self.used
            return self.of(self.values[node.id], depth + 1) if known else None
        return self.pattern(node)

    def element(self, node, depth):
        if isinstance(node, ast.Starred):
            return self.of(node.value, depth + 1)
        return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

    def pattern(self, node):
        """glob.glob("csrc/*.cpp")"""
        if isinstance(node, ast.Call) and last_name(node.func) in ("sorted", "list") and len(node.args) == 1 and not node.keywords:
            return self.pattern(node.args[0])
        if not isinstance(node, ast.Call) or last_name(node.func) != "glob" or len(node.args) != 1 or node.keywords:
            return None
        written = node.args[0]
        if not isinstance(written, ast.Constant) or not isinstance(written.value, str) or "**" in written.value or ".." in written.value:
            return None
        if os.path.isabs(written.value):
            return None
        found = []
        for file in glob.iglob(os.path.join(glob.escape(self.folder), written.value)):
            found.append(file)
            if len(found) > MOST_FILES:
                return None
        return found

    def extensions(self):
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call) or last_name(node.func) not in EXTENSIONS:
                continue
            given = [key.value for key in node.keywords if key.arg == "sources"] or node.args[1:2]
            files = self.of(given[0]) if len(given) == 1 else None
            if files:
                yield [os.path.join(self.folder, file) for file in files]


def main():
    try:
        tree = ast.parse(sys.stdin.buffer.read())
        found = list(Sources(tree, sys.argv[1]).extensions())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = []
    json.dump(found, sys.stdout)


main()
