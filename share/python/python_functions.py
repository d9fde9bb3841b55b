# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions of a Python module take and return, as far as their text tells.

a module's tree => Functions: a table of FUNCTION, and references to them

    FUNCTION: {"name", "qualified", "form": "function" | "lambda" | "async" | "generator", "at", "name_at", "list",
               "slash": the sign behind positional-only parameters, and the comma in front of it,
               "parameters": [PARAMETER ...], "returns": TYPE | null, "gives": the annotation of what it returns, where it
               has none and only one can be right, "results": [RESULT ...], "falls_off",
               "unpacks": [UNPACK ...] (python_unpacks.py), "alters": the decorator that may change the signature}
    PARAMETER: {"name", "kind": "positional" | "normal" | "star" | "keyword" | "stars", "whole", "name_at",
                "type": TYPE | null, "default": VALUE | null}
    TYPE: {"at", "text", "word": the type in a schema, "refused": no release takes it, "needs": [what only some
           releases take: "builtin-list", "module-names", "implied-names", "quotes", "generators"], "instead": how the same is spelled so that
           it is taken, "instead_lists": by list[...], "plain": without quotes, "imported": by a name of the module}
    VALUE: {"at", "text", "value": as a schema writes it, "constant": the text is one, and no call that makes it, "refused"}
    RESULT: {"at", "form": "none" | "tuple" | "list" | "value" | "call" | "tensor": one | "sequence": a tuple or list of
             any length | "unknown", "tensors": parameters that have to be tensors for that, "count", "defined": elements
             up to the last that is not None, "callee", "pair": of a tuple of two, the RESULT of each,
             "value_at", "elements": [[PLACE, is None, where the text begins that goes with it] ...] of a tuple whose
             elements stand in no parentheses, "ends": where that text ends of the last one}
    REFERENCE: {"at", "function": number in the table, "import": the dotted name of one of another file, "skip":
                leading parameters that are bound, "keywords": bound ones, "why": not known}

A place is [OFFSET, LENGTH], in bytes of the file.
"""
import ast
import builtins
import re

from python_definers import DEFINERS
from python_results import Given, form_of_written
from python_spelling import Spelling
from python_text import FUNCTIONS, IMPORTS, SCOPES, Span, Unread, above, children, is_nothing, own_nodes, parameters_of, walk
from python_unpacks import unpacks


# Decorators behind which a function takes and returns what it did.
KEEPING = {
    "staticmethod", "functools.wraps", "functools.lru_cache", "functools.cache", "torch.no_grad",
    "torch.inference_mode", "torch.enable_grad", "torch.compile", "torch.compiler.disable",
    "torch.compiler.allow_in_graph", "torch._disable_dynamo", "torch._dynamo.disable", "torch._dynamo.allow_in_graph",
    "torch.fx.wrap", "torch.cuda.amp.custom_fwd", "torch.cuda.amp.custom_bwd", "torch.amp.custom_fwd",
    "torch.amp.custom_bwd", "torch.jit.ignore", "torch.jit.unused", "typing.no_type_check", "torch.autograd.function.once_differentiable",
    "torch.autograd.Function.once_differentiable", "once_differentiable",
}  # fmt: skip


COMMENT = re.compile(rb"#[^\n]*")


def names_in(text):
    """The names of an expression in quotes."""
    try:
        return [node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def goes_on(statements):
    """Whether the end of a list of statements may be reached."""
    for statement in statements:
        if isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
            return False
        if isinstance(statement, ast.If) and statement.orelse:
            if not goes_on(statement.body) and not goes_on(statement.orelse):
                return False
        if isinstance(statement, ast.With) and not goes_on(statement.body):
            return False
        if isinstance(statement, ast.Try) and not goes_on(statement.finalbody or [ast.Pass()]):
            return False
        if isinstance(statement, ast.Try) and not goes_on(statement.body + statement.orelse):
            if all(not goes_on(handler.body) for handler in statement.handlers):
                return False
        if isinstance(statement, ast.While) and isinstance(statement.test, ast.Constant) and statement.test.value:
            if not any(isinstance(node, ast.Break) for node in walk(statement)):
                return False
        if type(statement).__name__ == "Match":
            return True
    return True


class Functions:
    """The functions of a module, each once, numbered as they are asked for."""

    def __init__(self, tree, source, names, annotations):
        self.source, self.names, self.annotations, self.tree = source, names, annotations, tree
        self.facts, self.nodes, self.numbers = [], [], {}
        self.bindings = {}  # by scope, {name: nodes}, once they are asked for
        self.operators = {}  # what variables of the module hold
        self.forms = {}  # by function and how deep its call is, what it gives back (python_results.py)
        self.relative = {}
        self.is_definer = lambda name: False  # whether a function of the project's own gets what it decorates as it is
        self.lazy = any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" and any(a.name == "annotations" for a in node.names)
            for node in tree.body
        )
        annotations.lazy = self.lazy
        self.classes = names.tree.of(ast.ClassDef)
        self.signed = {
            node.value.id
            for node in names.tree.of(ast.Attribute)
            if node.attr in ("__signature__", "__annotations__") and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self.definitions = {node.name for node in [*self.classes, *names.tree.of(*FUNCTIONS)]}
        for node in names.tree.imports:
            if isinstance(node, ast.ImportFrom) and node.level:
                for alias in node.names:
                    self.relative[alias.asname or alias.name] = "." * node.level + f"{node.module or ''}:{alias.name}"

    def bound_in(self, scope):
        """Who binds which name in the scope: {name: nodes}."""
        if scope not in self.bindings:
            self.bindings[scope] = self.find_bindings(scope)
        return self.bindings[scope]

    @staticmethod
    def find_bindings(scope):
        out = {}
        todo = list(children(scope))
        while todo:
            node = todo.pop()
            kind = node.__class__
            if kind is ast.Name:
                if node.ctx.__class__ is ast.Store:
                    out.setdefault(node.id, []).append(node)
            elif kind in SCOPES:
                out.setdefault(node.name, []).append(node)
            else:
                if kind in IMPORTS:
                    for alias in node.names:
                        out.setdefault(alias.asname or alias.name.split(".")[0], []).append(node)
                todo += children(node)
        return out

    def takes(self, scope, name):
        """It is a parameter of this function."""
        return any(argument.arg == name for argument in parameters_of(scope.args))

    def value_of(self, name, functions):
        """The one expression that a variable stands for, seen from functions, the innermost first; None where it is not certain."""
        for function in functions:
            if self.takes(function, name):
                return None
            nodes = self.bound_in(function).get(name)
            if nodes:
                assigned = getattr(nodes[0], "above", None)
                is_one = len(nodes) == 1 and isinstance(assigned, ast.Assign) and nodes[0] in assigned.targets
                return assigned.value if is_one else None
        return self.names.constants.get(name)

    def owner(self, node):
        """The function or class that it stands in, or the module; None of what the reader itself made."""
        return next((one for one in above(node) if isinstance(one, (*FUNCTIONS, ast.ClassDef, ast.Module))), None)

    @staticmethod
    def qualified(node):
        out = node.name
        for one in above(node):
            if isinstance(one, ast.ClassDef):
                out = f"{one.name}.{out}"
            elif isinstance(one, FUNCTIONS):
                out = f"{one.name}.<locals>.{out}"
        return out

    # -- one function

    def number(self, node):
        """In the table, where it is put at the first time."""
        if node not in self.numbers:
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            self.facts.append(self.made(node))
        return self.numbers[node]

    def made(self, node):
        whole = Span(self.source.span(node))
        is_lambda = isinstance(node, ast.Lambda)
        nodes = list(own_nodes(node))
        form = "lambda" if is_lambda else "async" if isinstance(node, ast.AsyncFunctionDef) else "function"
        parameters = self.parameters(node.args)
        given = Given(self, node, nodes)
        return {
            "name": "" if is_lambda else node.name,
            "qualified": "" if is_lambda else self.qualified(node),
            "form": "generator" if given.yields else form,
            "at": whole,
            "name_at": Span([whole[0], len("lambda")]) if is_lambda else Span(self.source.name_span(node)),
            "list": self.list_span(node, parameters),
            "slash": self.slash_span(node.args),
            "parameters": parameters,
            "returns": None if is_lambda or node.returns is None else self.type(node.returns, True),
            "gives": "" if is_lambda or node.returns is not None else given.annotation(),
            "results": self.results(node, given),
            "falls_off": not is_lambda and goes_on(node.body),
            "unpacks": unpacks(self.source, node, nodes, {parameter["name"] for parameter in parameters}),
            "alters": "" if is_lambda else self.altering(node),
        }  # fmt: skip

    def list_span(self, node, parameters):
        """Between the parentheses, where they are found."""
        begin, length = self.source.span(node)
        if isinstance(node, ast.Lambda):
            end = self.source.span(node.body)[0]
            return Span([begin + len("lambda"), max(0, end - begin - len("lambda"))])
        start, name = self.source.name_span(node)
        opened = self.source.data.find(b"(", start + name, begin + length)
        at = max([opened + 1, *(sum(parameter["whole"]) for parameter in parameters)])
        closed = self.source.data.find(b")", at, begin + length)
        return Span([opened + 1, max(0, closed - opened - 1)])

    def slash_span(self, arguments):
        """What has to go so that no parameter is positional-only."""
        positional = arguments.posonlyargs
        if not positional:
            return None
        first = len(positional) + len(arguments.args) - len(arguments.defaults)
        own = arguments.defaults[: max(0, len(positional) - first)]
        end = max([sum(self.source.span(positional[-1])), *(sum(self.source.span(node)) for node in own)])
        data = self.source.data
        found = re.compile(rb"\s*,\s*/").match(data, end)
        if found:
            return Span([end, found.end() - end])
        # On a line of its own, maybe behind comments.
        found = re.compile(rb"\s*,(?:[ \t]*(?:#[^\n]*)?\r?\n)+(?P<line>[ \t]*/[ \t]*,?[ \t]*\r?\n)").match(data, end)
        return Span([found.start("line"), len(found["line"])]) if found else None

    def parameters(self, arguments):
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
        out = []
        for number, (argument, default) in enumerate(zip(positional, defaults)):
            kind = "positional" if number < len(arguments.posonlyargs) else "normal"
            out.append(self.parameter(argument, kind, default))
        if arguments.vararg:
            out.append(self.parameter(arguments.vararg, "star", None))
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            out.append(self.parameter(argument, "keyword", default))
        if arguments.kwarg:
            out.append(self.parameter(arguments.kwarg, "stars", None))
        return out

    def parameter(self, argument, kind, default):
        begin, length = self.source.span(argument)
        end = sum(self.source.span(default)) if default is not None else begin + length
        return {
            "name": argument.arg,
            "kind": kind,
            "whole": Span([begin, end - begin]),
            "name_at": Span([begin, len(argument.arg.encode())]),
            "type": None if argument.annotation is None else self.type(argument.annotation, False),
            "default": None if default is None else self.value(default),
        }

    def type(self, node, is_return):
        needs = set()
        word, refused = "", False
        try:
            word = self.annotations.returned(node) if is_return else self.annotations.parameter(node)
        except Unread as why:
            refused = getattr(why, "certain", False)
        text = self.source.text(node).decode()
        meant = self.annotations.meant(node)
        if meant is node and isinstance(node, (ast.Name, ast.Attribute)) and not (self.lazy or refused or self.annotations.is_generator(node, False)):
            return {"at": Span(self.source.span(node)), "text": text, "word": word, "refused": False, "needs": []}
        whole = node
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                whole = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                refused = True
        quoted = self.lazy or whole is not node
        if quoted:
            needs.add("quotes")
        if self.annotations.is_generator(whole, quoted):
            needs.add("generators")
        spread = [*walk(whole), *[one for part in walk(whole) for one in self.behind(part)]]
        inner = [part for part in spread if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if inner and not quoted:
            needs.add("builtin-list")
        for part in spread:
            if isinstance(part, ast.Subscript) and self.names.dotted(part.value) in ("list", "collections.abc.Sequence"):
                needs.add("builtin-list")
        for part in walk(whole):
            if isinstance(part, ast.Name) and quoted:
                self.note_name(part.id, needs)
        for name in [name for part in inner for name in names_in(part.value)]:
            self.note_name(name, needs)
        out = {"at": Span(self.source.span(node)), "text": text, "word": word, "refused": refused, "needs": sorted(needs)}
        if refused or needs:
            out.update(Spelling(self, is_return).of(node, whole, quoted))
        return out

    def behind(self, part):
        """The nodes of what the module's own name for an annotation stands for."""
        meant = self.annotations.meant(part)
        return walk(meant) if meant is not part else ()

    def note_name(self, name, needs):
        """Of a name in quotes."""
        if not self.annotations.is_implied(name):
            needs.add("module-names")
        if not self.is_bound(name):
            needs.add("implied-names")

    def is_only_checked(self, name):
        """Imported for programs that check types, and not where it runs."""
        nodes = self.bound_in(self.tree).get(name, [])
        return bool(nodes) and all(isinstance(node, (ast.Import, ast.ImportFrom)) and self.is_checked(node) for node in nodes)

    def is_checked(self, node):
        """It stands in the body of `if TYPE_CHECKING:`."""
        for one in above(node):
            if isinstance(one, ast.If) and self.names.dotted(one.test) == "typing.TYPE_CHECKING" and node not in one.orelse:
                return True
        return False

    def is_bound(self, name):
        if self.is_only_checked(name):
            return False
        return hasattr(builtins, name) or name in self.names.imports or name in self.definitions or name in self.bound_in(self.tree)

    def value(self, node):
        value, refused = None, False
        try:
            value = self.annotations.default(node)
        except Unread:
            refused = isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Lambda)) or self.annotations.is_infinite(node)
        text = self.source.text(node).decode()
        constant = isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)
        return {"at": Span(self.source.span(node)), "text": text, "value": value, "constant": constant, "refused": refused}

    def altering(self, function):
        """The decorator behind which the function may take something else, or be something else; "__signature__" where the
        module gives it another one."""
        if function.name in self.signed:
            return "__signature__"
        for decorator in function.decorator_list:
            name = self.names.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
            last = name.rpartition(".")[2]
            if name == "functools.wraps" and (function.args.vararg or function.args.kwarg):
                return name  # what inspect tells of it is the other one's
            applied = self.applied(decorator)
            if applied:
                name, last = applied, applied.rpartition(".")[2]
            is_registration = name.startswith("torch.library.") or last.startswith("register_") or self.is_definer(name) or self.keeps(decorator)
            if name not in KEEPING and last != "once_differentiable" and not is_registration:
                return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)[:80]
        return ""

    def applied(self, node):
        """"torch.library.impl" of functools.partial(torch.library.impl, ...), of a variable that holds it, and of a call of
        one; "" of anything else."""
        node = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.names.constants else node
        node = self.names.constants.get(node.id) if isinstance(node, ast.Name) else node
        is_partial = isinstance(node, ast.Call) and node.args and self.names.dotted(node.func) == "functools.partial"
        return self.names.dotted(node.args[0]) if is_partial else ""

    def defines(self, decorator):
        """It makes an operator of a function."""
        name = self.names.dotted(decorator.func) if isinstance(decorator, ast.Call) else ""
        return (self.applied(decorator) or name) in DEFINERS

    def keeps(self, decorator):
        """A function of the module that gives back what it decorates, or one that does."""
        is_made = isinstance(decorator, ast.Call)
        name = decorator.func if is_made else decorator
        nodes = self.module_bindings(name.id) if isinstance(name, ast.Name) else []
        if len(nodes) != 1 or not isinstance(nodes[0], ast.FunctionDef):
            return False
        function = nodes[0]
        if not is_made:
            return self.gives_back(function)
        inner = [node for node in function.body if isinstance(node, ast.FunctionDef)]
        returned = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
        names = {node.id for node in returned if isinstance(node, ast.Name)}
        return len(inner) == 1 and len(returned) == len(names) == 1 and names == {inner[0].name} and self.gives_back(inner[0])

    def module_bindings(self, name):
        return self.bound_in(self.tree).get(name, [])

    @staticmethod
    def gives_back(function):
        """It returns its one parameter, and nothing else."""
        arguments = function.args
        if len(arguments.args) != 1 or arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
            return False
        name = arguments.args[0].arg
        nodes = list(own_nodes(function))
        if any(isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load) for node in nodes):
            return False
        values = [node.value for node in nodes if isinstance(node, ast.Return)]
        return bool(values) and all(isinstance(value, ast.Name) and value.id == name for value in values) and not goes_on(function.body)

    # -- what it returns

    def results(self, node, given):
        if isinstance(node, ast.Lambda):
            return [self.result(node.body, node.body, given)]
        out = [self.result(n, n.value, given) for n in given.returns]
        return sorted(out, key=lambda result: result["at"])

    def result(self, node, value, given):
        out = self.one_result(node, value, given)
        if out["form"] in ("call", "unknown") and value is not None:
            out.update(given.form(value))
        if value is not None:
            out["value_at"] = Span(self.source.span(value))
        is_written = isinstance(value, (ast.Tuple, ast.List))
        if is_written and out["form"] in ("tuple", "list") and self.has_bare_elements(value):
            out["elements"] = [[Span(self.source.span(e)), is_nothing(e), Span([self.cut(value, n), 0])] for n, e in enumerate(value.elts)]
            end = sum(self.source.span(value.elts[-1]))
            comma = re.compile(rb"[ \t]*,").match(self.source.data, end)
            out["ends"] = Span([comma.end() if comma and comma.end() <= sum(self.source.span(value)) else end, 0])
        if is_written and out["form"] == "tuple" and out["count"] == 2:
            out["pair"] = [self.one_result(element, element, given) for element in value.elts]
        return out

    def has_bare_elements(self, value):
        """Nothing but commas and the outer signs is between its elements."""
        begin, length = self.source.span(value)
        at, gaps = begin, []
        for element in value.elts:
            start, size = self.source.span(element)
            gaps.append(COMMENT.sub(b"", self.source.data[at:start]).strip())
            at = start + size
        gaps.append(b"".join(COMMENT.sub(b"", self.source.data[at : begin + length]).split()))
        middle = all(gap == b"," for gap in gaps[1:-1])
        return bool(value.elts) and middle and gaps[0] in (b"", b"(", b"[") and gaps[-1] in (b"", b",", b")", b",)", b"]", b",]")

    def cut(self, value, number):
        """Where the text begins that goes with the element; comments of those before it stay."""
        if not number:
            return self.source.span(value.elts[0])[0]
        before, own = sum(self.source.span(value.elts[number - 1])), self.source.span(value.elts[number])[0]
        gap = self.source.data[before:own]
        return before + gap.rindex(b"\n") if b"#" in gap else before

    def one_result(self, node, value, given):
        out = {"at": Span(self.source.span(node)), "form": "unknown", "count": 0, "defined": 0, "callee": ""}
        if is_nothing(value):
            out["form"] = "none"
        elif isinstance(value, (ast.Tuple, ast.List)):
            out.update(form_of_written(value, given.is_nothing))
        elif isinstance(value, (ast.Constant, ast.JoinedStr, ast.Compare, ast.Lambda, ast.Dict)):
            out["form"] = "value"
        elif isinstance(value, ast.Call):
            out["form"] = "call"
            out["callee"] = self.names.dotted(value.func)
        return out

    @staticmethod
    def may_fall_off(function):
        return goes_on(function.body)

    # -- references

    def offered(self, name, tree):
        """What another file gets that imports the name."""
        out = {"at": Span([0, 0]), "function": -1, "import": "", "skip": 0, "keywords": [], "why": ""}
        owner, dot, member = name.partition(".")
        nodes = self.bound_in(tree).get(owner, [])
        if not dot:
            return self.named(name, [tree], out, {}, 0)
        if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
            return self.member(nodes[0], member, out, is_instance=False)
        return {**out, "why": "the function is known only at run time"}

    def reference(self, node, scopes, bound=None):
        """What `node` stands for, a definition or an expression, seen from `scopes`, the innermost last."""
        out = {"at": Span([0, 0]), "function": -1, "import": "", "skip": 0, "keywords": [], "why": ""}
        if node is None:
            return {**out, "why": "no function is passed"}
        at = self.source.name_span(node) if isinstance(node, FUNCTIONS) else self.source.span(node)
        out["at"] = Span(at)
        return self.resolved(node, scopes, out, bound or {}, 0)

    def resolved(self, node, scopes, out, bound, depth):
        if depth > 8:
            return {**out, "why": "the name of the function could not be resolved"}
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            owner = self.owner(node)
            return {**out, "function": self.number(node), "skip": out["skip"] + (1 if self.is_bound_class(node, owner) else 0)}
        if isinstance(node, ast.Call):
            return self.partial(node, scopes, out, bound, depth)
        if isinstance(node, ast.Name):
            if node.id in bound:
                return self.resolved(bound[node.id], scopes, out, {}, depth + 1)
            return self.named(node.id, scopes, out, bound, depth)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            found = self.meant(node)
            if found is not node:
                return self.resolved(found, scopes, out, bound, depth + 1)
        if isinstance(node, ast.Attribute):
            return self.attribute(node, scopes, out, bound, depth)
        return {**out, "why": "the function is known only at run time"}

    def is_bound_class(self, node, owner):
        """A class method: what is given of it has its first parameter."""
        names = [self.names.dotted(d) for d in getattr(node, "decorator_list", [])]
        return isinstance(owner, ast.ClassDef) and "classmethod" in names

    def partial(self, node, scopes, out, bound, depth):
        name = self.names.dotted(node.func)
        if name in ("functools.partial", "functools.partialmethod") and node.args and name == "functools.partial":
            if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
                return {**out, "why": "the bound arguments are known only at run time"}
            found = self.resolved(node.args[0], scopes, out, bound, depth + 1)
            found["skip"] += len(node.args) - 1
            found["keywords"] = found["keywords"] + [k.arg for k in node.keywords]
            return found
        if name in KEEPING and len(node.args) == 1:
            return self.resolved(node.args[0], scopes, out, bound, depth + 1)
        return {**out, "why": "the function is the result of a call"}

    def named(self, name, scopes, out, bound, depth):
        for scope in reversed(scopes):
            if isinstance(scope, ast.ClassDef) and scope is not scopes[-1]:
                continue
            nodes = self.bound_in(scope).get(name)
            if isinstance(scope, (*FUNCTIONS, ast.Lambda)) and self.takes(scope, name):
                return {**out, "why": "the function is a parameter"}
            if nodes:
                return self.from_bindings(name, nodes, scope, scopes, out, bound, depth)
        return {**out, "why": "no definition of the function was found"}

    def from_bindings(self, name, nodes, scope, scopes, out, bound, depth):
        if len(nodes) > 1:
            return {**out, "why": "the name of the function has more than one definition"}
        node = nodes[0]
        if isinstance(node, FUNCTIONS):
            return self.resolved(node, scopes, out, bound, depth + 1)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imported = self.relative.get(name) or self.names.imports.get(name, "")
            return {**out, "import": imported, "why": "no definition of the imported function was found"}
        constant = self.names.constants.get(name)
        if constant is not None and not isinstance(scope, (*FUNCTIONS, ast.ClassDef)):
            return self.resolved(constant, scopes[:1], out, bound, depth + 1)
        return {**out, "why": "the function is known only at run time"}

    def attribute(self, node, scopes, out, bound, depth):
        """A function of a class of the module, or of another file."""
        base = node.value
        if isinstance(base, ast.Name):
            for scope in reversed(scopes):
                # self.f, cls.f in a method
                if isinstance(scope, FUNCTIONS) and scope.args.args and scope.args.args[0].arg == base.id:
                    owner = self.owner(scope)
                    if isinstance(owner, ast.ClassDef):
                        return self.member(owner, node.attr, out, is_instance=True)
            nodes = self.bound_in(scopes[0]).get(base.id, [])
            if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
                return self.member(nodes[0], node.attr, out, is_instance=False)
            if len(nodes) == 1 and isinstance(nodes[0], (ast.Import, ast.ImportFrom)):
                module = self.relative.get(base.id) or self.names.imports.get(base.id, "")
                return {**out, "import": f"{module}.{node.attr}" if module else "", "why": "no definition of the imported function was found"}
        dotted = self.names.dotted(node)
        if dotted and dotted.split(".")[0] in {name.split(".")[0] for name in self.names.imports.values()}:
            return {**out, "import": dotted, "why": "no definition of the imported function was found"}
        return {**out, "why": "the function is known only at run time"}

    def member(self, owner, name, out, is_instance):
        if name == "apply" and self.is_autograd(owner):
            forward = self.method(owner, "forward")
            if forward is None:
                return {**out, "why": "forward() of the class was not found"}
            skip = 0 if self.method(owner, "setup_context") is not None else 1
            return {**out, "function": self.number(forward), "skip": skip}
        method = self.method(owner, name)
        if method is None:
            return {**out, "why": "the class does not define this function itself"}
        decorators = [self.names.dotted(d) for d in method.decorator_list]
        skip = 1 if "classmethod" in decorators or (is_instance and "staticmethod" not in decorators) else 0
        return {**out, "function": self.number(method), "skip": skip}

    def method(self, owner, name):
        nodes = self.bound_in(owner).get(name, [])
        return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], FUNCTIONS) else None

    def is_autograd(self, owner):
        return any(self.names.dotted(base) in ("torch.autograd.Function", "torch.autograd.function.Function") for base in owner.bases)

    def autograd_classes(self):
        """{"name", "at", "forward", "backward", "setup"} of each class of torch.autograd.Function; -1 for no function."""
        out = []
        for node in self.classes:
            if self.is_autograd(node):
                methods = [self.method(node, word) for word in ("forward", "backward", "setup_context")]
                numbers = [-1 if method is None else self.number(method) for method in methods]
                place = Span(self.source.class_span(node))
                out.append({"name": node.name, "at": place, **dict(zip(("forward", "backward", "setup"), numbers))})
        return sorted(out, key=lambda found: found["at"])
