# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads which sources the extensions of a setup.py are built from, without importing or running anything.

In:  the text of a setup.py on standard input; its folder as the argument
Out: a JSON list on standard output with a list for each extension: its sources as they are written, those of a pattern as
     they are on disk. An extension whose sources can be read in part only is left out.
"""
import ast
import collections
import fnmatch
import glob
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_text import Tree, binders_of

EXTENSIONS = {
    *(f"{module}.Extension" for module in ("setuptools", "setuptools.extension", "distutils.core", "distutils.extension")),
    *(f"torch.utils.cpp_extension.{name}" for name in ("CppExtension", "CUDAExtension", "SyclExtension")),
}  # fmt: skip
# Methods of BuildExtension and build_ext that may choose other sources.
BUILDING = {"build_extension", "build_extensions", "finalize_options"}
# Elements of lists, and entries of the folders that patterns list, in one setup.py.
MOST_ELEMENTS = 10000
MOST_COMPONENTS = 8
BUILDERS = {
    "torch.utils.cpp_extension.BuildExtension",
    *(f"{module}.command.build_ext.build_ext" for module in ("setuptools", "distutils")),
}  # fmt: skip
# Functions that change which files the sources are.
MOVING = {"os.chdir", "os.rename", "os.renames", "os.replace", "shutil.move"}


class TooMuch(Exception):
    pass


class Sources:
    def __init__(self, module, folder):
        self.tree, self.folder, self.left = Tree(module), folder, MOST_ELEMENTS
        self.stores = binders_of(self.tree)
        self.values = {node.targets[0].id: node.value for node in self.tree.of(ast.Assign)
                       if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)}
        self.imports = collections.defaultdict(list)  # by a name: what the imports that bind it stand for
        for node in self.tree.of(ast.Import):
            for one in node.names:
                self.imports[one.asname or one.name.split(".")[0]].append(one.name if one.asname else one.name.split(".")[0])
        for node in self.tree.of(ast.ImportFrom):
            for one in node.names:
                self.imports[one.asname or one.name].append("." * node.level + f"{node.module}.{one.name}")
        self.made = [node for node in self.tree.of(ast.Call) if self.is_call_of(node, EXTENSIONS)]
        # `sources.append(...)`, `other = sources`, `f(sources)`: the list may change.
        reads = {id(one) for node in self.made for one in (*node.args, *(key.value for key in node.keywords))}
        reads.update(id(one) for node in self.tree.of(ast.BinOp) if isinstance(node.op, ast.Add) for one in (node.left, node.right))
        reads.update(id(node.value) for node in self.tree.of(ast.Starred))
        self.used = {node.id for node in self.tree.of(ast.Name) if isinstance(node.ctx, ast.Load) and id(node) not in reads}

    def meanings(self, node):
        """What a name that only imports bind, or an attribute of one, may stand for; nothing of anything else."""
        if isinstance(node, ast.Attribute):
            return [f"{one}.{node.attr}" for one in self.meanings(node.value)]
        if not isinstance(node, ast.Name) or self.stores["*"] or self.stores[node.id] != len(self.imports.get(node.id, ())):
            return []
        return self.imports.get(node.id, [])

    def is_call_of(self, node, functions):
        found = self.meanings(node.func) if isinstance(node, ast.Call) else []
        return bool(found) and functions.issuperset(found)

    def is_builder(self, node):
        """`BuildExtension`, `BuildExtension.with_options(...)`"""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "with_options":
            return self.is_builder(node.func.value)
        found = self.meanings(node)
        return bool(found) and BUILDERS.issuperset(found)

    def is_plain(self, key):
        """Whether an argument of setup() leaves the extensions as they were made."""
        if key.arg == "cmdclass":
            return isinstance(key.value, ast.Dict) and all(map(self.is_builder, key.value.values))
        if key.arg == "ext_modules" and isinstance(key.value, ast.Call):
            own = {node.name for node in self.tree.of(ast.FunctionDef)}
            call = key.value
            return isinstance(call.func, ast.Name) and call.func.id in own and not call.args and not call.keywords
        return True

    def may_choose(self):
        """Whether setup.py may build an extension from other sources than those that it was made with."""
        if any(self.stores[name] for name in BUILDING):
            return True
        names = {one.rsplit(".", 1)[1] for one in EXTENSIONS} | BUILDING | {"cpp_extension", "glob"}
        calls = self.tree.of(ast.Call)
        return (
            any(node.attr in ("sources", "__dict__") or node.attr in names and not isinstance(node.ctx, ast.Load)
                for node in self.tree.of(ast.Attribute))
            or any(node.id in ("setattr", "vars") for node in self.tree.of(ast.Name))
            or not all(map(self.is_plain, self.tree.of(ast.keyword)))
            or any(self.is_call_of(node, MOVING) for node in calls)
            or any(isinstance(one, ast.Constant) and one.value == "sources" for node in calls for one in node.args)
        )  # fmt: skip

    def spend(self, count=1):
        self.left -= count
        if self.left < 0:
            raise TooMuch

    def of(self, node, depth=0):
        """The strings of a list; None where not all of them are known."""
        self.spend()
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
        self.spend()
        return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

    def pattern(self, node):
        """glob.glob("csrc/*.cpp")"""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sorted", "list"):
            builtin = not self.stores[node.func.id] and not self.stores["*"]
            return self.pattern(node.args[0]) if builtin and len(node.args) == 1 and not node.keywords else None
        if not self.is_call_of(node, {"glob.glob"}) or len(node.args) != 1 or node.keywords:
            return None
        written = node.args[0]
        if not isinstance(written, ast.Constant) or not isinstance(written.value, str) or os.path.isabs(written.value):
            return None
        parts = [part for part in written.value.split("/") if part not in ("", ".")]
        if ".." in parts or any("**" in part for part in parts) or len(parts) > MOST_COMPONENTS:
            return None
        return self.matching(parts, "")

    def matching(self, parts, beside):
        """The files below the folder `beside` that match; None where a link may lead to others."""
        if not parts:
            return [beside]
        found = []
        for name in self.entries(parts[0], beside):
            file = os.path.join(beside, name)
            path = os.path.join(self.folder, file)
            if len(parts) > 1 and not os.path.isdir(path):
                continue
            below = self.matching(parts[1:], file) if len(parts) == 1 or not os.path.islink(path) else None
            if below is None:
                return None
            found += below
        return found

    def entries(self, part, beside):
        folder = os.path.join(self.folder, beside)
        self.spend()
        if not glob.has_magic(part):
            return [part] if os.path.lexists(os.path.join(folder, part)) else []
        found = []
        with os.scandir(folder) as entries:
            for entry in entries:
                self.spend()
                if fnmatch.fnmatchcase(entry.name, part) and (part[0] == "." or entry.name[0] != "."):
                    found.append(entry.name)
        return found

    def extensions(self):
        if self.may_choose():
            return
        for node in self.made:
            given = [key.value for key in node.keywords if key.arg == "sources"] or node.args[1:2]
            files = self.of(given[0]) if len(given) == 1 else None
            if files:
                yield [os.path.join(self.folder, file) for file in files]


def main():
    try:
        found = list(Sources(ast.parse(sys.stdin.buffer.read()), sys.argv[1]).extensions())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError, TooMuch):
        found = []
    json.dump(found, sys.stdout)


main()
