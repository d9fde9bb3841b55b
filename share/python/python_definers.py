# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a project's own that other files call to define operators, and that hand what they get on to custom_op():

    def maybe_custom_op(op_name, mutates_args):
        def decorate(function):
            return function if OFF else torch.library.custom_op(op_name, function, mutates_args=mutates_args)
        return decorate

a module with such a function => "maybe_custom_op=!custom_op/op_name/mutates_args//op_name:mutates_args", among its "aliases":
    what custom_op() is told by, and the parameters that may be given by position; "mutates_args?" where it may be left out
a file that imports it => its calls, as those of custom_op()
"""
import ast

from python_text import FUNCTIONS, above, defaults_of, is_nothing, parameters_of, walk

# What custom_op() is told, in this order, and what else it may be.
TOLD = ("name", "mutates_args", "schema")
DEFINERS = {"torch.library.custom_op": "custom_op", "torch.library.triton_op": "triton_op"}


class Definers:
    """A part of the reader, which knows the names of the module and its functions."""

    def offered_definers(self):
        """What is to be said of those functions that other files ask for."""
        made = {name: self.names.definers.get(name) or self.handed_by(self.functions.get(name)) for name in self.offers}
        return [f"{name}=!{words}" for name, words in made.items() if words]

    def handed_by(self, function):
        """Of a function that surely defines what it gets; "" of any other."""
        if function is None or function.decorator_list or function not in self.at_top:
            return ""
        calls = [node for node in walk(function) if isinstance(node, ast.Call) and self.names.dotted(node.func) in DEFINERS]
        words = self.told_by(function, calls[0]) if len(calls) == 1 else None
        if not words:
            return ""
        order = ":".join(one.arg for one in [*function.args.posonlyargs, *function.args.args])
        return "/".join([DEFINERS[self.names.dotted(calls[0].func)], *words, order])

    def told_by(self, function, call):
        """The function's parameters that the call gets for TOLD; None where it gets something else."""
        given, unknown = self.arguments(call, "name", "fn", "mutates_args", "schema", "device_types", "tags")
        # What a parameter is bound to again is not what was given.
        own = {one.arg for one in parameters_of(function.args)} - self.assigned_names(function)
        names = [given[word].id if isinstance(given[word], ast.Name) else "" for word in TOLD]
        is_told = names[0] in own and names[1] in own and (given["schema"] is None or names[2] in own)
        if unknown or not is_told or given["tags"] is not None or given["device_types"] is not None:
            return None
        defaults = {name: value for name, value in defaults_of(function).items() if value is not None}
        if names[0] in defaults or names[1] in defaults and not is_empty(defaults[names[1]]) or not is_nothing(defaults.get(names[2])):
            return None
        names[1] += "?" if names[1] in defaults else ""
        return names if self.defines_what_it_decorates(function, call, given["fn"]) else None

    @staticmethod
    def defines_what_it_decorates(function, call, given):
        """Nothing stands between the function that the decorator gets and the operator."""
        scopes = [one for one in above(call) if isinstance(one, (*FUNCTIONS, ast.Lambda))]
        inner = scopes[0]
        if given is None:
            return isinstance(call.above, ast.Return) and inner is function
        named = {one.arg for one in parameters_of(inner.args)}
        is_inner = scopes[1:] == [function] and isinstance(inner, FUNCTIONS) and not inner.decorator_list
        is_kept = is_inner and isinstance(given, ast.Name) and len(named) == 1 and given.id in named
        return is_kept and not any(isinstance(one, ast.Name) and one.id == given.id and isinstance(one.ctx, ast.Store) for one in walk(inner))

    def imported_definers(self):
        """Functions of other files that decorate functions, and are told which arguments those write to."""
        imported = {}
        for node in self.names.tree.imports:
            if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] != "torch"):
                imported.update({alias.asname or alias.name: "." * node.level + f"{node.module or ''}:{alias.name}" for alias in node.names})
        decorators = [one for function in self.names.tree.of(*FUNCTIONS) for one in function.decorator_list]
        asked = {one.func.id for one in decorators if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and self.may_define(one)}
        return {imported[name] for name in asked if name in imported}

    @staticmethod
    def may_define(call):
        """`@maybe_custom_op("ns::f", mutates_args=())`"""
        words = [one.value for one in [*call.args[:1], *(k.value for k in call.keywords)] if isinstance(one, ast.Constant)]
        return any(isinstance(word, str) and "::" in word for word in words)

    def define_by_other(self, call, decorated):
        """As custom_op() of what the function of another file hands on to it."""
        kind, *told, order = self.names.definers[call.func.id].split("/")
        may_lack = told[1].endswith("?")
        told[1] = told[1].rstrip("?")
        given, unknown = self.arguments(call, *order.split(":"), *[word for word in told if word and word not in order.split(":")])
        if unknown or given.get(told[0]) is None:
            return None
        parts = {word: given.get(name) for word, name in zip(TOLD[1:], told[1:])}
        if parts["mutates_args"] is None and may_lack:
            parts["mutates_args"] = ast.copy_location(ast.Tuple(elts=[], ctx=ast.Load()), call)
        keywords = [ast.keyword(arg=word, value=node) for word, node in parts.items() if node is not None]
        whole = ast.Call(func=call.func, args=[given[told[0]]], keywords=keywords)
        # It may be that it does not define it.
        self.conditional += 1
        made = self.custom_op(ast.copy_location(whole, call), decorated, kind)
        self.conditional -= 1
        return made


def is_empty(node):
    return isinstance(node, (ast.Tuple, ast.List, ast.Dict)) and not getattr(node, "elts", getattr(node, "keys", ()))
