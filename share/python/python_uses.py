# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a Python module asks torch.library for: which function stands for what, and which Library lives how long.

    USE: {"what": "custom-op" | "kernel" | "fake" | "autograd" | "vmap" | "define" | ... | "argument": one that has no
          parameter, whose name is the "op", as "expression" says (python_arguments.py), "api": as the code calls it,
          "at", "op": TEXT | null, "function": REFERENCE | null, "setup": REFERENCE | null, "keys": [TEXT ...],
          "devices": keys may be types of devices, "mutates": MUTATES | null, "schema": TEXT | null, "has_schema",
          "keyset": the kernel gets the set of keys first, "conditional": by more than its guards, "in_function", "guards": operators that it
          asks for first, "keeps": it says that it replaces nothing,
          "unnamed", "expression": KEYs of an operator without a known name (python_unnamed.py), "signature": TEXT | null, its schema, or
          the one that triton_op() infers though it is given another,
          "extension": what a kernel-builder extension calls it}
    MUTATES: {"at", "names": [TEXT ...], "unknown": only running the code would tell, "word": TEXT | null;
              that of None, a number and the like has no pieces, and is as long as its place}
    LIBRARY: {"at", "namespace": TEXT | null, "kind": TEXT | null, "key": TEXT | null, "lost": why it is gone at once,
              "conditional"}
    "script": the file is one that is run by itself
    API: {"name", "at", "guarded"}: a name of torch.library that the module uses, or "torch.Tag.out" and its like
"""
import ast

from python_functions import FUNCTIONS, is_nothing
from python_text import Span, Text, Unread, above, functions_around, own_nodes, own_nodes_of, parameters_of, walk

# What is called on a Library to fill it.
FILLING = ("define", "impl", "fallback", "_register_fake", "_impl_with_aoti_compile")
# What registers something by a Library that it is given: the first two by the first argument, too.
BY_LIBRARY = tuple(
    "torch.library." + name for name in ("impl", "define", "register_fake", "impl_abstract", "register_kernel", "register_autograd", "register_vmap")
)
# Tags that only some releases have.
TAGS = ("inplace", "out")
# Calls in which no operator is called.
HARMLESS = ("torch.library.", "functools.", "typing.")


def is_zero(node):
    return isinstance(node, ast.Constant) and node.value == 0


class Uses:
    """Of a Reader: what it met, beside its blocks."""

    def start_uses(self, functions, tree):
        self.table, self.uses, self.scopes, self.guards = functions, [], [tree], []
        self.bound_nodes = {}
        self.aliases = {}
        self.tree = tree

    def text_json(self, node):
        text = self.text(node) if isinstance(node, ast.AST) else node
        return self.placed(text)

    @staticmethod
    def placed(text):
        if text is None:
            return None
        pieces = [[at, length, Span([place, length])] for at, length, place in text.pieces]
        return {"value": text.value, "whole": Span(text.whole), "pieces": [[at, span] for at, _, span in pieces]}

    def use(self, what, call, op, function=None, **more):
        """Notes one, of the operator with the text `op`."""
        name = self.names.dotted(call.func) if isinstance(call, ast.Call) else ""
        use = {
            "what": what,
            "api": name or getattr(getattr(call, "func", None), "attr", ""),
            "at": Span(self.source.span(call)),
            "op": self.placed(op),
            "function": None,
            "setup": None,
            "keys": [],
            "devices": False,
            "mutates": None,
            "schema": None,
            "has_schema": False,
            "keyset": False,
            "conditional": self.conditional > len(self.guards),
            "in_function": self.in_function > 0 or self.followed > 0,
            "guards": list(self.guards),
            "keeps": False,
        }
        if function is not None:
            use["function"] = self.table.reference(function, self.scopes, self.bound_nodes)
        use.update(more)
        self.uses.append(use)
        return use

    def reference(self, node):
        return None if is_nothing(node) else self.table.reference(node, self.scopes, self.bound_nodes)

    def key_texts(self, node):
        if is_nothing(node):
            return []
        try:
            return [self.placed(text) for text in self.names.strings(node)]
        except Unread:
            return []

    def mutates(self, node):
        if node is None:
            return None
        out = {"at": Span(self.source.span(node)), "names": [], "unknown": False, "word": None}
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)) or isinstance(node, ast.Dict) and not node.keys:
            try:
                out["names"] = [self.placed(self.names.string(element)) for element in getattr(node, "elts", [])]
            except Unread:
                out["unknown"] = True
        elif self.is_empty(node):
            pass
        elif isinstance(node, ast.Constant) and not isinstance(node.value, str):  # None
            place = self.source.span(node)
            out["word"] = self.placed(Text(self.source.text(node).decode(), place))
        else:
            text = self.text(node)
            if text is None:
                out["unknown"] = True
            else:
                out["word"] = self.placed(text)
        return out

    def is_empty(self, node):
        """set(), and its like."""
        is_made = isinstance(node, ast.Call) and self.names.dotted(node.func) in ("set", "frozenset", "tuple", "list", "dict")
        return is_made and not node.args and not node.keywords

    @staticmethod
    def flag(call, word):
        """True or False where it is given as such; None where it is not given; "?" for anything else."""
        for keyword in call.keywords:
            if keyword.arg == word:
                return keyword.value.value if isinstance(keyword.value, ast.Constant) else "?"
        return None

    def imported(self):
        """The functions of other files that the uses, and those who import some of this one, stand for."""
        references = [use[word] for use in self.uses for word in ("function", "setup") if use[word]]
        found = {found["import"] for found in [*references, *self.offers.values()] if found["import"]}
        return sorted(found | self.names.handed | self.callees)

    # -- names of torch.library

    def api_uses(self):
        """Each name of torch.library that the module looks up, once a place; `from torch.library import x`, too."""
        found = []
        for node in self.names.api_members():
            span = self.source.span(node)
            length = len(node.attr.encode())
            found.append((node.attr, Span([sum(span) - length, length]), self.is_guarded(node)))
        for node in self.names.tree.of(ast.Attribute):
            if node.attr in TAGS and self.names.dotted(node) == "torch.Tag." + node.attr:
                found.append(("torch.Tag." + node.attr, Span(self.source.span(node)), self.is_guarded(node)))
        for node in self.names.tree.of(ast.ImportFrom):
            for alias in node.names if node.module == "torch.library" and not node.level else ():
                at = Span(self.source.span(alias) if hasattr(alias, "lineno") else self.source.span(node))
                found.append((alias.name, at, self.is_guarded(node)))
        return [{"name": name, "at": at, "guarded": is_guarded} for name, at, is_guarded in found if name != "*"]

    @staticmethod
    def is_guarded(node):
        """It stands behind a condition, in a try, or in a function: it may never be reached."""
        if any(isinstance(parent, (ast.If, ast.Try, ast.IfExp)) for parent in above(node)):
            return True
        return next(functions_around(node), None) is not None

    def backends(self):
        """Backends of other packages, which give PrivateUse1 their name: `import torch_npu`."""
        out = set()
        for node in [*self.names.tree.imports, *self.names.calls_of(("rename_privateuse1_backend",))]:
            if isinstance(node, ast.Import):
                out.update(alias.name.split(".")[0][len("torch_") :] for alias in node.names if alias.name.startswith("torch_"))
            elif isinstance(node, ast.ImportFrom):
                if (node.module or "").startswith("torch_") and not node.level:
                    out.add(node.module.split(".")[0][len("torch_") :])
            elif node.args:
                text = self.text(node.args[0])
                out.update([text.value] if text else [])
        return sorted(out)

    def is_script(self):
        """As it is imported, it takes arguments of the command line, or joins other processes. A module may look for a
        word among the arguments, or for the program's name."""
        outer = [
            node
            for statement in self.tree.body
            if not isinstance(statement, (*FUNCTIONS, ast.ClassDef, ast.If))
            for node in [statement, *own_nodes_of(statement)]
        ]
        names = {self.names.dotted(node) for node in outer if isinstance(node, ast.Attribute)}
        if any(name.endswith((".init_process_group", ".parse_args")) for name in names):
            return True
        given = [node for node in outer if isinstance(node, ast.Subscript) and self.names.dotted(node.value) == "sys.argv"]
        return any(self.is_opened(node) or not is_zero(node.slice) for node in given)

    def is_opened(self, node):
        """The program reads its own text."""
        parent = next(iter(above(node)), None)
        return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "open"

    # -- lifetime

    def library_facts(self):
        out = []
        for node in self.names.calls_of(("Library",)):
            if not self.is_new_library(node):
                continue
            given, _ = self.arguments(node, "ns", "kind", "dispatch_key")
            out.append({
                "at": Span(self.source.span(node)),
                **{word: self.text_json(given[name]) if given[name] is not None else None
                   for word, name in (("namespace", "ns"), ("kind", "kind"), ("key", "dispatch_key"))},
                "lost": self.why_lost(node),
                "conditional": self.is_conditional(node),
            })  # fmt: skip
        return out

    @staticmethod
    def is_conditional(node):
        for node in above(node):
            if isinstance(node, (ast.If, ast.Try, ast.IfExp, ast.While, ast.For, *FUNCTIONS)):
                return True
        return False

    def why_lost(self, call):
        parent = getattr(call, "above", None)
        if isinstance(parent, ast.Attribute) and parent.attr in FILLING:
            filled = getattr(parent, "above", None)
            if isinstance(filled, ast.Call) and filled.func is parent:
                return "statement"
        if self.is_dropped_by_callee(call) or self.is_dropped_by_api(call):
            return "statement"
        if not (isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name)):
            return ""
        function = parent
        while hasattr(function, "above") and not isinstance(function, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            function = function.above
        if not isinstance(function, FUNCTIONS) or function.name.startswith("test"):
            return ""
        return "function" if self.is_dropped(parent.targets[0].id, function) else ""

    def is_dropped_by_api(self, made):
        """`@impl(Library("ns", "IMPL"), "f", "CPU")`, `register_fake("ns::f", f, lib=Library("ns", "IMPL"))`: the function
        keeps no Library."""
        call = made.above
        is_lib = isinstance(call, ast.keyword) and call.arg == "lib"
        call = call.above if is_lib else call
        if not isinstance(call, ast.Call):
            return False
        name = self.names.dotted(call.func)
        return name in BY_LIBRARY if is_lib else name in BY_LIBRARY[:2] and call.args[:1] == [made]

    def is_dropped_by_callee(self, made):
        """`fill(Library("ns", "DEF"))`, where all that fill() does is to fill it."""
        call = next((node for node in above(made) if not isinstance(node, ast.keyword)), None)
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and isinstance(call.above, ast.Expr)):
            return False
        function = None if self.is_bound_again(call.func.id) else self.functions.get(call.func.id)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or isinstance(function.above, ast.ClassDef):
            return False
        if any(isinstance(node, FUNCTIONS) and node.name.startswith("test") for node in (function, *above(call))):
            return False
        names = [one.arg for one in parameters_of(function.args) if self.given_for(function, one.arg, call) is made]
        return len(names) == 1 and names[0] not in self.assigned_names(function) and self.is_dropped(names[0], function)

    def is_dropped(self, name, function):
        """Nothing but the local variable holds it, and what the function does with it is to fill it."""
        own = set(own_nodes(function))
        fills = False
        for node in walk(function):
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                return False
            if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
                return False
            if isinstance(node, ast.Attribute) and self.names.dotted(node).startswith("torch.ops"):
                return False
            if not (isinstance(node, ast.Name) and node.id == name):
                continue
            parent = getattr(node, "above", None)
            if isinstance(node.ctx, ast.Store):
                if not isinstance(parent, ast.Assign):
                    return False
                continue
            is_filling = isinstance(parent, ast.Attribute) and parent.attr in FILLING
            if not is_filling or node not in own or not isinstance(getattr(parent, "above", None), ast.Call):
                return False
            fills = True
        return fills and not any(self.may_call(node, name) for node in own if isinstance(node, (ast.Expr, ast.Assign, ast.With, ast.For)))

    def may_call(self, statement, name):
        """The statement does something besides filling the library, in which its operators may be called."""
        value = getattr(statement, "value", None) or getattr(statement, "iter", None)
        if isinstance(statement, ast.With):
            return any(isinstance(item.context_expr, ast.Call) for item in statement.items)
        if not isinstance(value, ast.Call):
            return False
        dotted = self.names.dotted(value.func)
        own = isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Name) and value.func.value.id == name
        harmless = dotted in ("print", "len", "range", "zip", "enumerate", "hasattr", "getattr", "sorted", "str")
        return not own and not harmless and not dotted.startswith(HARMLESS)


def operator_guards(test, names):
    """`not hasattr(torch.ops.ns, "op")`: [("ns::op", False)]; True where it holds if there is such an operator."""
    negated = False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, negated = test.operand, not negated
    if isinstance(test, ast.Call) and names.dotted(test.func) == "hasattr" and len(test.args) == 2:
        dotted = names.dotted(test.args[0])
        second = test.args[1]
        if dotted.startswith("torch.ops.") and dotted.count(".") == 2 and isinstance(second, ast.Constant):
            return f"{dotted.split('.')[2]}::{second.value}", not negated
    return None


__all__ = ["Uses", "operator_guards", "Text"]
