# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How an annotation has to be spelled, where only one spelling can be right.

an annotation that torch.library refuses => Spelling: what it takes instead, as "instead" and its like of TYPE say
a function without an annotation of its result => Given: that annotation
"""
import ast

from python_text import Unread

# Classes of which schemas know no more than that they are tensors.
TENSORS = {
    "torch.FloatTensor", "torch.DoubleTensor", "torch.HalfTensor", "torch.BFloat16Tensor", "torch.ByteTensor",
    "torch.CharTensor", "torch.ShortTensor", "torch.IntTensor", "torch.LongTensor", "torch.BoolTensor",
    "torch.nn.Parameter", "torch.nn.parameter.Parameter",
}  # fmt: skip
TUPLES = ("tuple", "typing.Tuple")
LISTS = ("list", "collections.abc.Sequence")
# What gives one tensor, whatever it gets.
MAKERS = {
    "torch." + name
    for name in (
        "empty", "zeros", "ones", "full", "arange", "cat", "stack", "empty_like", "zeros_like", "ones_like", "full_like",
        "rand_like", "randn_like", "empty_strided",
    )
}  # fmt: skip
METHODS = {
    "clone", "contiguous", "new_empty", "new_zeros", "new_ones", "new_full", "new_empty_strided", "detach", "to", "view",
    "reshape", "float", "half", "double", "flatten",
}  # fmt: skip


class Spelling:
    """Edits of one annotation."""

    def __init__(self, table, is_return):
        self.annotations, self.names, self.source = table.annotations, table.names, table.source
        self.is_return, self.table = is_return, table
        self.edits, self.by_list = [], False

    def of(self, node, whole, quoted):
        """The parts of a TYPE that say what can stand in its place."""
        if whole is node and not quoted:
            return self.respelled(node)
        out = {}
        names = [part.id for part in ast.walk(whole) if isinstance(part, ast.Name)]
        if whole is not node and not self.table.lazy and names and all(name in self.names.imports or self.is_builtin(name) for name in names):
            out["plain"] = node.value
        if whole is not node and isinstance(whole, ast.Name) and self.names.imports.get("torch") == "torch":
            if whole.id in ("Tensor", "dtype", "device"):
                out["imported"] = f'"torch.{whole.id}"'
        return out

    @staticmethod
    def is_builtin(name):
        return name in ("int", "float", "bool", "str", "list", "None")

    def respelled(self, node):
        try:
            self.look(node)
        except Unread:
            return {}
        if not self.edits:
            return {}
        begin, length = self.source.span(node)
        text = self.source.data[begin : begin + length]
        for place, size, new in sorted(self.edits, reverse=True):
            text = text[: place - begin] + new.encode() + text[place - begin + size :]
        text = text.decode()
        if not self.is_taken(text):
            return {}
        return {"instead": text, "instead_lists": self.by_list}

    def is_taken(self, text):
        try:
            tree = ast.parse(text, mode="eval").body
            return bool(self.annotations.returned(tree) if self.is_return else self.annotations.parameter(tree))
        except (Unread, SyntaxError, ValueError):
            return False

    def look(self, node, outer=True):
        """Notes what has to be another word."""
        name = self.names.dotted(node)
        if name in TENSORS:
            tensor = self.tensor()
            if tensor:
                self.edits.append((*self.source.span(node), tensor))
        elif isinstance(node, ast.Tuple) and self.is_return and outer:
            self.tuple_of_types(node)
        elif isinstance(node, ast.Subscript):
            self.subscript(node, outer)
        elif isinstance(node, ast.BinOp):
            self.look(node.left, False)
            self.look(node.right, False)

    def tuple_of_types(self, node):
        """`-> (Tensor, Tensor)`"""
        begin, length = self.source.span(node)
        if self.source.data[begin : begin + 1] != b"(" or len(node.elts) < 2:
            raise Unread
        self.edits += [(begin, 1, "tuple["), (begin + length - 1, 1, "]")]
        for element in node.elts:
            self.look(element, False)

    def subscript(self, node, outer):
        name = self.names.dotted(node.value)
        inner = getattr(node.slice, "elts", [node.slice])
        if name in TUPLES and not (self.is_return and outer):
            # Schemas have lists of one type.
            kinds = [part for part in inner if not (isinstance(part, ast.Constant) and part.value is Ellipsis)]
            if not kinds or len({ast.dump(part) for part in kinds}) != 1:
                raise Unread
            self.edits.append((*self.source.span(node.value), self.list_name()))
            start = sum(self.source.span(kinds[0]))
            end = sum(self.source.span(inner[-1]))
            self.edits.append((start, end - start, ""))
            self.look(kinds[0], False)
            return
        if name in LISTS and self.typing_list():
            self.edits.append((*self.source.span(node.value), self.typing_list()))
        for part in inner:
            self.look(part, False)

    def typing_list(self):
        """What the module calls typing.List or its like; "" where it has no name for it."""
        for wanted in ("typing.List", "typing.Sequence"):
            for name, stands_for in self.names.imports.items():
                if stands_for == wanted:
                    return name
        return next((name + ".List" for name, stands_for in self.names.imports.items() if stands_for == "typing"), "")

    def list_name(self):
        found = self.typing_list()
        self.by_list |= not found
        return found or "list"

    def tensor(self):
        return tensor_name(self.names)


def tensor_name(names):
    """What the module calls torch.Tensor; "" where it has no name for it."""
    for name, stands_for in names.imports.items():
        if stands_for == "torch.Tensor":
            return name
    return next((name + ".Tensor" for name, stands_for in names.imports.items() if stands_for == "torch"), "")


class Given:
    """What a function gives back, as far as it is certain."""

    def __init__(self, table, function, nodes):
        self.table, self.names, self.function = table, table.names, function
        self.returns = [node for node in nodes if isinstance(node, ast.Return)]
        self.stored, self.values = {}, {}
        for node in nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.stored[node.id] = self.stored.get(node.id, 0) + 1
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.values[node.targets[0].id] = node.value

    def annotation(self):
        tensor = tensor_name(self.names)
        if not tensor or not self.returns or self.table.may_fall_off(self.function):
            return ""
        if all(node.value is not None and self.is_tensor(node.value, 0) for node in self.returns):
            return tensor
        counts = {len(node.value.elts) if isinstance(node.value, ast.Tuple) else 0 for node in self.returns}
        if len(counts) != 1 or min(counts) < 2:
            return ""
        if all(self.is_tensor(element, 0) for node in self.returns for element in node.value.elts):
            return f"tuple[{', '.join([tensor] * counts.pop())}]"
        return ""

    def is_tensor(self, node, depth):
        if depth > 4:
            return False
        if isinstance(node, ast.Name):
            if node.id in self.values:
                return self.stored.get(node.id) == 1 and self.is_tensor(self.values[node.id], depth + 1)
            return node.id not in self.stored and self.is_tensor_parameter(node.id)
        if not isinstance(node, ast.Call):
            return False
        if self.names.dotted(node.func) in MAKERS:
            return True
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in METHODS
        return is_method and self.is_tensor(node.func.value, depth + 1)

    def is_tensor_parameter(self, name):
        arguments = self.function.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            if argument.arg == name and argument.annotation is not None:
                return self.names.dotted(argument.annotation) == "torch.Tensor"
        return False
