# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which expressions of a function are sizes of its tensors, and where it makes plain numbers of them.

`n = x.shape[0]; int(n)` => "number" of SHAPE (kernel_bodies.py), of the parameter x
"""
import ast

from python_text import walk

SIZES = {"size", "numel", "stride", "nelement", "storage_offset"}
# What is still symbolic of symbolic numbers.
ROUNDING = {"math.ceil", "math.floor", "math.trunc"}
WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


class Sizes:
    """A part of a Body. `self.sizes`: variables that hold a size, and the parameter that has it."""

    def is_shape(self, node):
        return self.shape_root(node) is not None

    def shape_root(self, node):
        """Of `x.shape`, `x.size()` and `x.stride()` the parameter x."""
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            return self.root(self.quiet(node.value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("size", "stride"):
            return None if node.args or node.keywords else self.root(self.quiet(node.func.value))
        return None

    def quiet(self, node):
        """The value of a name, without looking at calls again."""
        if isinstance(node, ast.Name):
            return self.variables.get(node.id, 0)
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            return self.quiet(node.value)
        return 0

    def size_root(self, node):
        """Of `x.shape[0]`, `x.size(0)`, `x.numel()` the parameter x; of sums and products of them the first one."""
        if isinstance(node, ast.Name):
            return self.sizes.get(node.id)
        if isinstance(node, ast.Subscript):
            return None if isinstance(node.slice, ast.Slice) else self.shape_root(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SIZES:
            if node.args or node.func.attr not in ("size", "stride"):
                return self.root(self.quiet(node.func.value))
        if isinstance(node, ast.Call) and self.names.dotted(node.func) in ROUNDING and len(node.args) == 1:
            return self.size_root(node.args[0])
        if isinstance(node, ast.BinOp) and isinstance(node.op, (*WHOLE, ast.Div)):
            left = self.size_root(node.left)
            return left if left is not None else self.size_root(node.right)
        return None

    def is_whole(self, node):
        """It is a whole number also without int()."""
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, WHOLE) and self.is_whole(node.left) and self.is_whole(node.right)
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Name):
            return node.id in self.sizes and len(self.table.bound_in(self.node).get(node.id, ())) == 1
        return self.size_root(node) is not None and not (isinstance(node, ast.Call) and self.names.dotted(node.func) in ROUNDING)

    def look(self, node, name):
        """At a call of a function that only looks at what it gets."""
        if len(node.args) != 1 or node.keywords:
            return
        argument = node.args[0]
        if name == "int":
            root = self.size_root(argument)
            if root is not None:
                self.shape("number", root, node, "int()", self.without_int(node, argument))
                return
        if name in ("int", "float", "bool"):
            # `float(x)`, `float(x[0])`, `float(x.sum())`
            whole = argument.value if isinstance(argument, ast.Subscript) else argument
            value = self.variables.get(whole.id, 0) if isinstance(whole, ast.Name) else self.reduced(argument)
            if value and self.is_tensor(value):
                self.shape("value", self.root(value), node, f"{name}()", self.without_int(node, argument))

    def look_at_map(self, node):
        """`map(int, x.shape)`"""
        if len(node.args) == 2 and isinstance(node.args[0], ast.Name) and self.names.dotted(node.args[0]) == "int":
            self.shape("number", self.shape_root(node.args[1]), node, "int()")

    def without_int(self, node, argument):
        text = self.source.text(argument).decode()
        is_parameter = isinstance(argument, ast.Name) and self.table.takes(self.node, argument.id)
        is_parameter = is_parameter and argument.id not in self.table.bound_in(self.node)
        if b"#" in self.source.text(node) or "\n" in text or not (is_parameter or self.is_whole(argument)):
            return None
        return text if not isinstance(argument, ast.BinOp) else f"({text})"

    def size_of_assigned(self, target, value):
        """{name: parameter} of what an assignment makes sizes: `n = x.shape[0]`, `m, n = x.shape`."""
        if isinstance(target, ast.Name):
            return {target.id: self.size_root(value)}
        names = [e.id for e in target.elts if isinstance(e, ast.Name)] if isinstance(target, (ast.Tuple, ast.List)) else []
        return dict.fromkeys(names, self.shape_root(value))

    def note_sizes_of(self, target, found):
        """The target of a statement stands for these sizes from here on, and for no others."""
        for part in walk(target):
            if isinstance(part, ast.Name):
                self.sizes.pop(part.id, None)
        self.sizes.update((name, root) for name, root in found.items() if root is not None)

    def note_loop(self, target, over):
        """`for n in x.shape`"""
        self.note_sizes_of(target, {target.id: self.shape_root(over)} if isinstance(target, ast.Name) else {})
