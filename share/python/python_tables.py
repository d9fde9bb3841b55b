# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of a Python module that are written out, and the elements that a loop or an index takes of them.

the name of a constant => Tables: its elements; `row[0]`, `row["name"]`, `row.name` => the expression that they stand for

What is a table: lists, tuples, sets and dictionaries that are written out, in sums and unions, by dict(), zip() and
their like, of a variable that is assigned once and never filled.
"""
import ast

from python_text import FUNCTIONS, Unread

# Rows of tables, in loops over loops.
MOST_ROWS = 256
MOST_STEPS = 8
# What changes a list or dictionary.
MUTATING = {"append", "extend", "insert", "update", "setdefault", "pop", "popitem", "remove", "clear", "add", "discard"}
# What gives the elements that it gets.
KEEPING = {"list", "tuple", "set", "sorted", "reversed", "iter", "frozenset"}


def pair(*nodes):
    return ast.Tuple(elts=list(nodes), ctx=ast.Load())


class Tables:
    """Of a Reader: what its loops run over."""

    filled = None

    def is_filled(self, name):
        """Something besides its assignment decides what it holds."""
        if self.filled is None:
            tree, self.filled = self.names.tree, set()
            owners = [node.value for node in tree.of(ast.Subscript) if not isinstance(node.ctx, ast.Load)]
            for node in tree.of(ast.Attribute):
                call = getattr(node, "above", None)
                if node.attr in MUTATING and isinstance(call, ast.Call) and call.func is node:
                    owners.append(node.value)
            self.filled.update(owner.id for owner in owners if isinstance(owner, ast.Name))
            self.filled.update("." + owner.attr for owner in owners if isinstance(owner, ast.Attribute))
        return name in self.filled

    def constant(self, name):
        """What a variable holds, seen from here; None where that is not certain."""
        if self.is_filled(name):
            return None
        return self.table.value_of(name, [scope for scope in reversed(self.scopes) if isinstance(scope, FUNCTIONS)])

    def meant(self, node, steps=0):
        """What a name stands for that a call or a loop binds now, and an element of what it stands for."""
        if steps > MOST_STEPS:
            return node
        if isinstance(node, ast.Name):
            return self.bound_nodes.get(node.id, node)
        found = None
        if isinstance(node, ast.Subscript):
            found = self.element(self.held(node.value, steps + 1), node.slice, steps)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.bound_nodes:
            found = self.field(self.meant(node.value, steps + 1), node.attr)
        return node if found is None else self.meant(found, steps + 1)

    def held(self, node, steps=0):
        """As meant(), also of a constant."""
        node = self.meant(node, steps)
        value = self.constant(node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Attribute) and not self.is_filled("." + node.attr):
            try:
                value = self.names.member(node)
            except Unread:
                pass
        return node if value is None else value

    def element(self, table, index, steps):
        if isinstance(table, (ast.Tuple, ast.List)):
            number = index.value if isinstance(index, ast.Constant) else None
            if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) and isinstance(index.operand, ast.Constant):
                number = -index.operand.value if type(index.operand.value) is int else None
            is_there = type(number) is int and -len(table.elts) <= number < len(table.elts)
            return table.elts[number] if is_there and not self.has_stars(table) else None
        pairs = self.pairs_of(table, steps + 1) if isinstance(table, (ast.Dict, ast.Call)) else None
        if pairs is None:
            return None
        wanted = self.key_of(index)
        found = [value for key, value in pairs if self.key_of(key) == wanted]
        return found[-1] if found and wanted is not None else None

    def key_of(self, node):
        if isinstance(node, ast.Constant):
            return (type(node.value), node.value)
        text = self.text(node)
        return (str, text.value) if text else None

    def field(self, call, name):
        """`Row(name="f", ...).name`, of a dataclass or named tuple of the module."""
        owner = self.names.classes.get(call.func.id) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None
        if owner is None or not self.is_record(owner) or any(k.arg is None for k in call.keywords):
            return None
        fields = [s.target.id for s in owner.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        defaults = {s.target.id: s.value for s in owner.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        given = {**defaults, **dict(zip(fields, call.args)), **{k.arg: k.value for k in call.keywords}}
        value = given.get(name)
        return None if isinstance(value, ast.Call) and self.names.dotted(value.func).endswith("field") else value

    def is_record(self, owner):
        decorators = [self.names.dotted(d.func if isinstance(d, ast.Call) else d) for d in owner.decorator_list]
        bases = [self.names.dotted(base) for base in owner.bases]
        own = {node.name for node in owner.body if isinstance(node, FUNCTIONS)}
        is_one = "dataclasses.dataclass" in decorators and not bases or bases == ["typing.NamedTuple"]
        return is_one and not own & {"__init__", "__post_init__", "__new__", "__getattr__"}

    # -- elements

    @staticmethod
    def has_stars(node):
        return any(isinstance(element, ast.Starred) for element in node.elts)

    def table_of(self, node, steps=0):
        """The elements of a table; None of anything else."""
        if steps > MOST_STEPS:
            return None
        node = self.held(node, steps)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return self.together(self.table_of(e.value, steps + 1) if isinstance(e, ast.Starred) else [e] for e in node.elts)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.together(self.table_of(side, steps + 1) for side in (node.left, node.right))
        if isinstance(node, ast.Call):
            found = self.table_of_call(node, steps)
            if found is not None:
                return found
        pairs = self.pairs_of(node, steps)
        return None if pairs is None else [key for key, _ in pairs]

    @staticmethod
    def together(parts):
        """What all parts have; None where one of them is not known, and of too many."""
        out = []
        for part in parts:
            if part is None or len(out) + len(part) > MOST_ROWS:
                return None
            out += part
        return out

    def table_of_call(self, call, steps):
        """zip(A, B), enumerate(A), list(A), A.items(), "a b".split()."""
        if isinstance(call.func, ast.Attribute) and not call.args and not call.keywords:
            pairs = self.pairs_of(call.func.value, steps + 1) if call.func.attr in ("items", "keys", "values") else None
            words = {"items": lambda key, value: pair(key, value), "keys": lambda key, _: key, "values": lambda _, value: value}
            if pairs is None and call.func.attr == "split":
                text = self.text(call.func.value)
                return [ast.copy_location(ast.Constant(word), call.func.value) for word in text.value.split()] if text else None
            return None if pairs is None else [words[call.func.attr](*both) for both in pairs]
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if not call.args or name not in KEEPING | {"zip", "enumerate"} or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        if name == "zip" and {k.arg for k in call.keywords} <= {"strict"}:
            columns = [self.table_of(argument, steps + 1) for argument in call.args]
            return None if None in columns else [pair(*row) for row in zip(*columns)]
        if len(call.args) != 1 or call.keywords and name != "sorted":
            return None
        elements = self.table_of(call.args[0], steps + 1)
        if name == "enumerate" and elements is not None:
            return [pair(ast.Constant(number), element) for number, element in enumerate(elements)]
        return elements

    def pairs_of(self, node, steps=0):
        """(key, value) of a dictionary that is written out, the last ones where several have one key; None of anything else."""
        if steps > MOST_STEPS:
            return None
        node = self.held(node, steps)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.last_of(self.pairs_of(side, steps + 1) for side in (node.left, node.right))
        if isinstance(node, ast.Dict):
            written = zip(node.keys, node.values)
            return self.last_of([both] if both[0] is not None else self.pairs_of(both[1], steps + 1) for both in written)
        is_dict = isinstance(node, ast.Call) and self.names.dotted(node.func) in ("dict", "collections.OrderedDict")
        if not is_dict or len(node.args) > 1 or any(k.arg is None for k in node.keywords):
            return None
        out = []
        if node.args:
            out = self.pairs_of(node.args[0], steps + 1)
            rows = self.table_of(node.args[0], steps + 1) if out is None else None
            if rows is not None:
                rows = [self.held(row, steps + 1) for row in rows]
                if all(isinstance(row, (ast.Tuple, ast.List)) and len(row.elts) == 2 and not self.has_stars(row) for row in rows):
                    out = [tuple(row.elts) for row in rows]
        return self.last_of([out, [(self.word_of(keyword), keyword.value) for keyword in node.keywords]])

    @staticmethod
    def word_of(keyword):
        """The string that a dictionary has for it."""
        out = ast.copy_location(ast.Constant(keyword.arg), keyword)
        out.end_lineno, out.end_col_offset = keyword.lineno, keyword.col_offset + len(keyword.arg.encode())
        return out

    def last_of(self, parts):
        pairs, out = self.together(parts), {}
        if pairs is None:
            return None
        for number, (key, value) in enumerate(pairs):
            known = self.key_of(key)
            out[number if known is None else known] = (key, value)
        return list(out.values())

    # -- loops

    def rows(self, target, over):
        """What a loop over a table gives its variables, row by row; None for any other loop."""
        values = self.table_of(over)
        if values is None or len(values) * self.rounds > MOST_ROWS:
            return None
        rows = [self.bound_by(target, value) for value in values]
        return None if None in rows else rows

    def bound_by(self, target, value):
        """{name: expression} of `name, (schema, kernel)`; None where it does not fit."""
        if isinstance(target, ast.Name):
            return {target.id: value}
        if not isinstance(target, (ast.Tuple, ast.List)) or self.has_stars(target):
            return None
        value = self.held(value)
        if not isinstance(value, (ast.Tuple, ast.List)) or self.has_stars(value) or len(value.elts) != len(target.elts):
            return None
        out = {}
        for one, element in zip(target.elts, value.elts):
            bound = self.bound_by(one, element)
            if bound is None:
                return None
            out.update(bound)
        return out

