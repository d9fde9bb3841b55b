# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How an annotation has to be spelled, where only one spelling can be right.

an annotation that torch.library refuses => Spelling: what it takes instead, as "instead" and its like of TYPE say
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
