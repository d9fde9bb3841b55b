# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators whose names only running the code would tell: `@custom_op(prefixed("f"), mutates_args=())`.

the call that defines one, and expressions that stand for it => KEY, the same text for the same operator of the module

    "@OFFSET": what the call at that place defines, wherever the variable that holds it is used
    "=EXPRESSION": what has this name. Two expressions surely have the same value if all of their names are bound by one
                   statement of the module each, and the rest are constants, or calls of functions of the module that
                   return such an expression of their parameters. What other functions return may change between two calls
"""
import ast
import re

from python_text import defaults_of, parameters_of, walk

# What kernel-builder gives the operators of an extension their namespace by.
GENERATED = re.compile(r"\.+_ops:add_op_namespace_prefix")
# What an expression may have for parts, besides names.
PARTS = (ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.BinOp)
MOST_NODES = 32
# What binds a name once, if it stands in the module itself.
BINDING = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef)
# What a name may be bound to once, and have another value later.
CHANGING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


class Unnamed:
    """A part of the reader, which keeps "@OFFSET" as the operator of a variable whose operator has no known name."""

    def key_of_call(self, call):
        return f"@{self.source.span(call)[0]}"

    def define_unnamed(self, use, call, name, signature):
        """Notes in the use what else stands for the operator that it defines, and its schema."""
        if self.followed:  # a wrapper is followed once for each of its calls
            return
        use["unnamed"] = self.key_of_call(call)
        use["expression"] = self.key_of_name(name)
        use["extension"] = self.name_in_extension(name)
        use["signature"] = self.placed(signature)

    def refer_to_unnamed(self, use, text, node):
        """Notes in the use of an operator whose name is not known which one it is."""
        if text is not None or self.followed:
            return
        known = self.operators.get(node.id, "") if isinstance(node, ast.Name) and not self.is_bound_again(node.id) else ""
        use["unnamed"] = known if known[:1] == "@" else self.key_of_name(node)
        use["extension"] = self.name_in_extension(node)

    def name_in_extension(self, node):
        """"f" of `add_op_namespace_prefix("f")`, where kernel-builder generates the module of the function."""
        name = self.text(node.args[0]) if self.is_generated(node) else None
        return name.value if name is not None else ""

    def is_generated(self, node):
        """A call of the function that kernel-builder generates."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or len(node.args) != 1 or node.keywords:
            return False
        return bool(GENERATED.fullmatch(self.table.relative.get(node.func.id, ""))) and not self.is_bound_again(node.func.id)

    def key_of_name(self, node):
        return "=" + ast.unparse(node) if node is not None and self.is_settled(node) else ""

    def is_settled(self, node):
        """It has one value, wherever in the module it stands."""
        nodes = walk(node)
        return len(nodes) <= MOST_NODES and all(self.is_settled_part(one) or self.is_pure_call(one) for one in nodes)

    def is_settled_part(self, node):
        is_once = isinstance(node, ast.Name) and not self.is_bound_again(node.id) and node.id in self.bound_at_top()
        return isinstance(node, PARTS) or is_once or self.is_generated(node)

    def is_pure_call(self, node):
        """Of a function of the module that gives the same for the same arguments."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            return False
        function = self.bound_at_top().get(node.func.id)
        if function not in self.pure:
            self.pure[function] = isinstance(function, ast.FunctionDef) and self.is_pure(function)
        return self.pure[function]

    def is_pure(self, function):
        """All that it does is to return settled parts and its parameters; it calls nothing else."""
        body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
        if function.decorator_list or len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            return False
        parameters = {one.arg for one in parameters_of(function.args)}
        defaults = [one for one in defaults_of(function).values() if one is not None]
        nodes = walk(body[0].value)
        are_settled = all(self.is_settled_part(one) or isinstance(one, ast.Name) and one.id in parameters for one in nodes)
        return are_settled and len(nodes) <= MOST_NODES and all(isinstance(one, ast.Constant) for one in defaults)

    def bound_at_top(self):
        """What statements of the module bind that are not in a block of their own: {name: statement}."""
        if self.top_names is None:
            self.top_names, self.pure = {}, {}
            for node in self.tree.body:
                if isinstance(node, BINDING) and not isinstance(getattr(node, "value", None), CHANGING):
                    self.top_names.update(dict.fromkeys(bound_by(node), node))
        return self.top_names


def bound_by(statement):
    """The names that it binds by themselves, and not as parts of something."""
    if isinstance(statement, ast.FunctionDef):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {one.asname or one.name.partition(".")[0] for one in statement.names}
    return {one.id for one in getattr(statement, "targets", [getattr(statement, "target", None)]) if isinstance(one, ast.Name)}
