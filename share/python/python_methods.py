# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of Libraries under other names: `impl = lib.impl`, `functools.partial(lib.impl, ...)`, `getattr(lib, "impl")`.

the function of a call => the method as an attribute, with the arguments that are given already
"""
import ast
import re

from python_text import bindings_of, spelled, walk
from python_uses import FILLING

REGISTERING_TEXT = re.compile(r"\.(define|impl|fallback|_register_fake)\s*\(|\btorch\s*\.\s*library\b|\bcustom_op\s*\(")


class Methods:
    """A part of the reader, which knows the names of the module and what text an expression stands for."""

    def method_of(self, node):
        """(attribute, first arguments, keywords) of what may be a method that fills a Library; None of anything else."""
        if isinstance(node, ast.Name):
            return self.methods.get(node.id)
        if isinstance(node, ast.Attribute):
            return (node, [], []) if node.attr in FILLING else None
        if not isinstance(node, ast.Call) or not node.args:
            return None
        dotted = self.names.dotted(node.func)
        if dotted == "getattr" and len(node.args) > 1:
            word = self.text(node.args[1])
            if word is None or word.value not in FILLING:
                return None
            return ast.copy_location(ast.Attribute(node.args[0], word.value, ast.Load()), node), [], []
        inner = self.method_of(node.args[0]) if dotted == "functools.partial" else None
        return (inner[0], [*inner[1], *node.args[1:]], [*inner[2], *node.keywords]) if inner else None

    def called_method(self, call):
        """The call as it would be without the other name; the call itself if there is none."""
        method = self.method_of(call.func) if isinstance(call.func, (ast.Name, ast.Call)) else None
        if method is None:
            return call
        function, first, keywords = method
        given = {keyword.arg for keyword in call.keywords}
        keywords = [keyword for keyword in keywords if keyword.arg not in given]
        whole = ast.copy_location(ast.Call(function, [*first, *call.args], [*keywords, *call.keywords]), call)
        whole.above = call.above
        return whole

    def keep_method(self, targets, value):
        """Whether the value is such a method; the targets stand for it from here on."""
        method = self.method_of(value)
        for target in targets:
            if isinstance(target, ast.Name):
                self.methods.pop(target.id, None)
                if method is not None:
                    self.methods[target.id] = method
        return method is not None

    def method_names(self):
        """(assignments, targets) of what is a method, as far as the words say."""
        bindings = [
            (node, [spelled(target) for target in targets], value)
            for node in self.names.tree.of(ast.Assign, ast.AnnAssign)
            for targets, value in bindings_of(node)
        ]
        found = [(node, targets) for node, targets, value in bindings if self.may_be_method(value)]
        names = {name for _, targets in found for name in targets if name.isidentifier()}
        for _, targets, value in bindings if names else ():
            if isinstance(value, ast.Name) and value.id in names:
                names.update(name for name in targets if name.isidentifier())
        return [node for node, _ in found], names

    def may_be_method(self, node):
        if isinstance(node, ast.Call):
            named = self.names.dotted(node.func) in ("getattr", "functools.partial") and node.args
            return bool(named) and any(
                isinstance(part, ast.Attribute) and part.attr in FILLING or isinstance(part, ast.Constant) and part.value in FILLING
                for part in node.args[:2]
            )
        return isinstance(node, ast.Attribute) and node.attr in FILLING

    def ways_of_methods(self):
        """Nodes that call or keep such methods, or run a text."""
        found, names = self.method_names()
        inner = [call for call in self.names.calls_of(("getattr", "partial")) if self.may_be_method(call) or isinstance(call.above, ast.Call)]
        return [*found, *inner, *self.names.calls_of({"exec", "eval", *names})]

    def hidden_block(self, call):
        """Of exec("lib.impl(...)"), as far as the text can be seen, and of `getattr(lib, name)(...)`: what it may fill."""
        function = call.func
        if isinstance(function, ast.Call):
            named = self.names.dotted(function.func) == "getattr" and len(function.args) > 1
            return self.library(function.args[0]) if named else None
        if self.names.dotted(function) not in ("exec", "eval") or not call.args:
            return None
        text = self.text(call.args[0])
        texts = [text.value] if text else [node.value for node in walk(call.args[0]) if isinstance(node, ast.Constant)]
        registers = any(isinstance(one, str) and REGISTERING_TEXT.search(one) for one in texts)
        return self.block(call, "fragment", "") if registers else None
