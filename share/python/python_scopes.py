# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which names a scope of Python binds, and whether a name means what Python itself calls so.

a name, the scopes around it => no scope binds it
"""
import ast

from python_text import CLOSED, FUNCTIONS, IMPORTS, MAPPINGS, MATCHING, SCOPES, above, children, nodes_in, own_nodes, parameters_of

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_by(node):
    """The names that a node binds by itself."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, IMPORTS):
        return [one.asname or one.name.partition(".")[0] for one in node.names]
    if isinstance(node, MAPPINGS):
        return [node.rest]
    return [node.name] if isinstance(node, (*SCOPES, ast.ExceptHandler, *MATCHING)) else []


def is_of_comprehension(node):
    """A target of `for x in` in a comprehension, which has a scope of its own."""
    inner = node
    for outer in above(node):
        if isinstance(outer, ast.comprehension):
            return inner is outer.target
        if isinstance(outer, (ast.stmt, ast.Lambda)):
            return False
        inner = outer
    return False


def nodes_of(scope):
    """Those of a scope that may bind names of its own."""
    if isinstance(scope, COMPREHENSIONS):
        return [node for one in scope.generators for node in nodes_in([one.target])]
    nodes = nodes_in(list(children(scope))) if isinstance(scope, ast.Module) else own_nodes(scope)
    return [node for node in nodes if not (isinstance(node, ast.Name) and is_of_comprehension(node))]


class Scopes:
    """Of one module."""

    def __init__(self, tree):
        self.tree = tree
        self.bound = {}  # by scope: the names that it binds
        self.globals = {}  # by scope: the names of `global`

    def names_of(self, scope):
        if scope not in self.bound:
            nodes = nodes_of(scope)
            free = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
            self.globals[scope] = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
            out = {name for node in nodes for name in bound_by(node)} - free
            if isinstance(scope, (*FUNCTIONS, ast.Lambda)):
                out |= {one.arg for one in parameters_of(scope.args)}
            if isinstance(scope, ast.Module):
                out |= {name for node in self.tree.of(ast.Global) for name in node.names if self.binds_global(node, name)}
            self.bound[scope] = out
        return self.bound[scope]

    @staticmethod
    def binds_global(node, name):
        """The function that `global NAME` stands in assigns to it."""
        function = next((one for one in above(node) if isinstance(one, tuple(CLOSED))), None)
        return function is not None and any(name in bound_by(one) for one in own_nodes(function))

    def is_builtin(self, name):
        """No scope that the name is looked up in binds it."""
        inner, is_direct = name, True
        for scope in above(name):
            if isinstance(scope, (*FUNCTIONS, ast.Lambda)):
                body = scope.body if isinstance(scope.body, list) else [scope.body]
                is_inside = any(inner is one for one in body)
            else:
                # Functions in a class do not see its names.
                is_inside = isinstance(scope, (ast.Module, *COMPREHENSIONS)) or (isinstance(scope, ast.ClassDef) and is_direct)
            if is_inside and name.id in self.names_of(scope):
                return False
            if is_inside and name.id in self.globals[scope]:
                return name.id not in self.names_of(self.tree.of(ast.Module)[0])
            is_direct &= not (is_inside and isinstance(scope, (*FUNCTIONS, ast.Lambda)))
            inner = scope
        return True
