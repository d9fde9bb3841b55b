# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries that a file hands to its functions: `def register(lib): lib.impl("f", f)`, called as `register(Library("ns", "DEF"))`.

a function of the module => {parameter: the call of Library that makes what all of its calls give}
"""
import ast
import re

from python_text import FUNCTIONS, above, bindings_of, defaults_of, own_nodes, parameters_of, spelled, walk
from python_uses import FILLING

# Functions whose first argument may be a Library.
TAKING_LIBRARIES = ("torch.library.impl", "torch.library.define")
# Functions that hand a Library on to each other are followed so far.
MOST_HANDS = 4


class GivenLibraries:
    """A part of the reader, which knows the names of the module, its functions and what makes a Library."""

    def given_libraries(self, function):
        """By parameter; None for a Library of which only running the code would tell the namespace."""
        made = {name: self.all_give(function, name) for name in self.filled_parameters(function)}
        return {name: call for name, call in made.items() if call is not None or self.may_get_library(function, name)}

    def filled_names(self):
        """Names that are filled as Libraries are."""
        if self.library_names is None:
            self.library_names = set()
            for call in self.names.calls_of(FILLING):
                function = call.func
                if isinstance(function, ast.Attribute) and function.attr in FILLING and isinstance(function.value, ast.Name):
                    self.library_names.add(function.value.id)
                elif call.args and isinstance(call.args[0], ast.Name) and self.names.dotted(function) in TAKING_LIBRARIES:
                    self.library_names.add(call.args[0].id)
        return self.library_names

    def filled_parameters(self, function):
        """Those that hold a Library, if what is done with them says so."""
        names = self.filled_names().intersection(argument.arg for argument in parameters_of(function.args))
        return sorted(names - self.assigned_names(function)) if names else []

    @staticmethod
    def assigned_names(function):
        return {node.id for node in walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}

    def calls_to(self, function):
        """The calls of the module that mean the function; none where another one has its name."""
        if self.functions.get(function.name) is not function:
            return []
        if self.calls_by_name is None:
            self.calls_by_name = {}
            for call in self.names.tree.of(ast.Call):
                member = isinstance(call.func, ast.Attribute)
                name = call.func.attr if member else getattr(call.func, "id", "")
                self.calls_by_name.setdefault((name, member), []).append(call)
        return self.calls_by_name.get((function.name, isinstance(function.above, ast.ClassDef)), [])

    def all_give(self, function, name, hands=0):
        """The one call of Library that makes what each call of the function gives for a parameter; None where there is none,
        or another one."""
        made = [self.maker(self.given_for(function, name, call), call, hands) for call in self.calls_to(function)]
        return made[0] if made and all(one is not None and one is made[0] for one in made) else None

    @staticmethod
    def given_for(function, name, call):
        """The argument of the call for a parameter; the default where it gives none."""
        if any(isinstance(one, ast.Starred) for one in call.args):
            return None
        listed = [*function.args.posonlyargs, *function.args.args]
        if isinstance(function.above, ast.ClassDef):
            listed = listed[1:]
        given = {parameter.arg: argument for parameter, argument in zip(listed, call.args)}
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
        return given.get(name, defaults_of(function).get(name))

    def maker(self, node, place, hands):
        """The call of Library that makes the value of an expression at a place of the module, if it can be seen."""
        if self.is_new_library(node):
            return node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.returned_library(self.functions.get(node.func.id))
        assignments = self.names.tree.of(ast.Assign, ast.AnnAssign)
        if isinstance(node, ast.Attribute):
            return self.assigned(node, assignments)
        return self.maker_of_name(node, place, assignments, hands) if isinstance(node, ast.Name) else None

    def maker_of_name(self, name, place, assignments, hands):
        for scope in (one for one in above(place) if isinstance(one, FUNCTIONS)):
            if name.id in self.assigned_names(scope):
                return self.assigned(name, own_nodes(scope))
            if name.id in {argument.arg for argument in parameters_of(scope.args)}:
                return self.all_give(scope, name.id, hands + 1) if hands < MOST_HANDS else None
        return self.assigned(name, [one for one in assignments if not any(isinstance(scope, FUNCTIONS) for scope in above(one))])

    def assigned(self, name, nodes):
        """What the only assignment to it among these makes."""
        spelling = spelled(name)
        values = [
            value
            for node in nodes
            if isinstance(node, (ast.Assign, ast.AnnAssign))
            for targets, value in bindings_of(node)
            if spelling in (spelled(target) for target in targets)
        ]
        made = self.chosen_library(values[0]) if spelling and len(values) == 1 else None
        return made if made is not None and self.is_new_library(made) else None

    def may_get_library(self, function, name):
        """Its annotation, a call or what it is filled with says so."""
        parameter = next(one for one in parameters_of(function.args) if one.arg == name)
        if parameter.annotation is not None and self.is_library_type(parameter.annotation):
            return True
        given = [self.maker(self.given_for(function, name, call), call, 0) for call in self.calls_to(function)]
        return any(one is not None for one in given) or any(
            self.fills_library(call) and spelled(call.func.value) == name for call in walk(function)
        )

    def fills_library(self, call):
        """`x.define("f(Tensor x) -> Tensor")` or `x.impl("f", f, "CPU")`, as only a Library has them."""
        word = call.func.attr if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else ""
        if word not in ("define", "impl"):
            return False
        given, _ = self.arguments(call, "text", "fn", "dispatch_key")
        text, key = (self.text(given[name]) for name in ("text", "dispatch_key"))
        if word == "define":
            return text is not None and re.match(r"[\w.:]+\s*\(.*\)\s*->", text.value, re.DOTALL) is not None
        return text is not None and key is not None and re.fullmatch(r"[A-Z]\w+", key.value) is not None

    def is_library_type(self, annotation):
        """`Library`, `Library | None`, `Optional[Library]`, in quotes or not."""
        words = [node for node in walk(annotation) if isinstance(node, (ast.Name, ast.Attribute))]
        quoted = [node.value for node in walk(annotation) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        return any(self.names.dotted(word) == "torch.library.Library" for word in words) or any(
            text.strip() in ("Library", "torch.library.Library") for text in quoted
        )
