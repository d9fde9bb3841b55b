# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the expressions of a Python module stand for, as far as its text alone tells: names, strings, places.

bytes of a file => Source: the text, offsets => Names: imports, constants => Text: a string and where it is written
"""
import ast
import collections
import io
import re
import tokenize

COMMON = {"define", "impl", "Library"}
# Names that modules of a project take over from torch.library for the others.
HANDED_ON = {
    "register_fake", "impl_abstract", "register_kernel", "register_autograd", "register_vmap", "custom_op", "triton_op",
    "define", "impl", "Library",
}  # fmt: skip
# Parameters by these names are the module.
TORCH_PARAMETERS = {"torch", "torch_", "_torch", "torch_mod", "torch_module"}
TYPING = ("Optional", "List", "Sequence", "Union", "Tuple")
# What else `from typing import *` brings of what annotations are made of.
OF_TYPING = (
    "Annotated", "Any", "Callable", "Collection", "Dict", "FrozenSet", "Iterable", "Iterator", "Literal", "Mapping",
    "MutableSequence", "Set", "Type",
)  # fmt: skip
# Longer texts are no schemas, and texts of texts may grow without end.
MOST_CHARACTERS = 1 << 16
MOST_SOURCE = 1 << 18
BEFORE_FUNCTION = re.compile(rb"(?:async\s+)?def\s+")
BEFORE_CLASS = re.compile(rb"class\s+")


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = {*FUNCTIONS, ast.ClassDef}
CLOSED = {*SCOPES, ast.Lambda}
IMPORTS = (ast.Import, ast.ImportFrom)
# Patterns, and parameters of types, that bind names; Python has them since 3.10 and 3.12.
MATCHING = tuple(getattr(ast, name) for name in ("MatchAs", "MatchStar", "TypeVar", "ParamSpec", "TypeVarTuple") if hasattr(ast, name))
MAPPINGS = (ast.MatchMapping,) if hasattr(ast, "MatchMapping") else ()
# Nodes that say no more than which operator or context it is.
SIGNS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


# Fields that hold no nodes, or signs.
PLAIN = {
    "ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module", "asname", "conversion",
    "is_async", "simple", "rest", "lineno",
}  # fmt: skip
LEAVES = (ast.Name, ast.Constant, ast.alias, ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)
NO_NODES = []
# The nodes in a node, of those types that a module has most of; None of those that have none.
BELOW = {
    **dict.fromkeys(LEAVES),
    **dict.fromkeys((ast.Attribute, ast.Starred, ast.Expr, ast.keyword), lambda node: [node.value]),
    **dict.fromkeys((ast.Tuple, ast.List, ast.Set), lambda node: node.elts),
    **dict.fromkeys((ast.BoolOp, ast.JoinedStr), lambda node: node.values),
    **dict.fromkeys((ast.Import, ast.ImportFrom), lambda node: node.names),
    ast.Call: lambda node: [node.func, *node.args, *node.keywords],
    ast.Assign: lambda node: [*node.targets, node.value],
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.BinOp: lambda node: [node.left, node.right],
    ast.UnaryOp: lambda node: [node.operand],
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.If: lambda node: [node.test, *node.body, *node.orelse],
    ast.arg: lambda node: [node.annotation] if node.annotation is not None else NO_NODES,
    ast.Return: lambda node: [node.value] if node.value is not None else NO_NODES,
}

for leaf in LEAVES:
    leaf.below = NO_NODES


def below_any(kind):
    """A function for the nodes in a node of any other type."""
    fields = tuple(name for name in kind._fields if name not in PLAIN)

    def below(node):
        found = []
        for name in fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                found += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
        return found

    return below


class Tree:
    """All nodes of a module; each has its own in `below`, and its parent in `above`."""

    def __init__(self, module):
        self.by_type = by_type = {}  # breadth first
        self.bindings = []  # what has a target
        below_of = BELOW
        nodes = [module]
        for node in nodes:
            kind = node.__class__
            try:
                by_type[kind].append(node)
            except KeyError:
                by_type[kind] = [node]
                if kind not in below_of:
                    below_of[kind] = below_any(kind)
            below = below_of[kind]
            if below is None:
                continue
            node.below = found = below(node)
            for one in found:
                one.above = node
            nodes += found
        for kind in by_type:
            if "targets" in kind._fields or "target" in kind._fields:
                self.bindings += by_type[kind]
        self.imports = sorted(self.of(*IMPORTS), key=lambda node: (sum(1 for _ in above(node)), node.lineno, node.col_offset))

    def of(self, *kinds):
        """The nodes of these types."""
        return [node for kind in kinds for node in self.by_type.get(kind, ())]


def children(node):
    """As ast.iter_child_nodes() has them, without signs."""
    try:
        return node.below
    except AttributeError:  # made by the reader itself
        return [one for one in ast.iter_child_nodes(node) if not isinstance(one, SIGNS)]


def walk(node):
    """As ast.walk()."""
    nodes = [node]
    for node in nodes:
        nodes += children(node)
    return nodes


def own_nodes(function):
    """Of a function, without the bodies of those in it."""
    return nodes_in(list(function.body) if isinstance(function.body, list) else [function.body])


def own_nodes_of(statement):
    """The nodes in a statement, without the bodies of functions in it."""
    return nodes_in(list(children(statement)))


def nodes_in(todo):
    while todo:
        node = todo.pop()
        yield node
        if node.__class__ not in CLOSED:
            todo += children(node)


def named_parameters(arguments):
    """Those that take one value each, those that may be given by position first."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def parameters_of(arguments):
    """All, in an order in which those that may be given by position come first."""
    return named_parameters(arguments) + [extra for extra in (arguments.vararg, arguments.kwarg) if extra]


def defaults_of(function):
    """By the names of its parameters; None for what has none."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    values = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    return {a.arg: value for a, value in [*zip(positional, values), *zip(arguments.kwonlyargs, arguments.kw_defaults)]}


def spelled(node):
    """As ast.unparse() has it of a name or a member; "" of anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def bindings_of(node):
    """(targets, value) of an assignment, with those of `a, b = f(), g()` one by one."""
    if isinstance(node, ast.AnnAssign):
        return [([node.target], node.value)] if node.value is not None else []
    wide = [one for one in node.targets if isinstance(one, ast.Tuple)]
    values = node.value.elts if isinstance(node.value, ast.Tuple) else []
    if len(node.targets) == 1 and wide and len(wide[0].elts) == len(values):
        return [([target], value) for target, value in zip(wide[0].elts, values)]
    return [(node.targets, node.value)]


def binders_of(tree):
    """How often the module binds each name, in whatever scope; "*" for imports of all that another module has."""
    out = collections.Counter(one.id for one in tree.of(ast.Name) if not isinstance(one.ctx, ast.Load))
    out.update(one.name for one in tree.of(*SCOPES, ast.ExceptHandler, *MATCHING))
    out.update(one.arg for one in tree.of(ast.arg))
    out.update(one.asname or one.name.partition(".")[0] for one in tree.of(ast.alias))
    out.update(name for one in tree.of(ast.Global, ast.Nonlocal) for name in one.names)
    out.update(one.rest for one in tree.of(*MAPPINGS))
    return out


def is_nothing(node):
    return node is None or isinstance(node, ast.Constant) and node.value is None


def above(node):
    """What a node stands in, from the inside out."""
    while (node := getattr(node, "above", None)) is not None:
        yield node


def functions_around(node):
    """The functions in whose bodies it stands, the innermost first. Decorators, defaults and annotations are evaluated
    outside of their function."""
    inner = node
    for one in above(node):
        if isinstance(one, ast.Lambda):
            is_inside = inner is one.body
        else:
            is_inside = isinstance(one, FUNCTIONS) and any(inner is part for part in one.body)
        if is_inside:
            yield one
        inner = one


class Unread(Exception):
    """Something that only running the code would tell."""

    certain = False  # no release of PyTorch takes it


class Refused(Unread):
    certain = True


class Span(list):
    """[OFFSET, LENGTH] in the text, which facts hold."""


def spans_of(entries):
    for entry in entries:
        yield from (entry["at"], entry["use"], entry["text"]["whole"])
        yield from ([place, length] for _, length, place in entry["text"]["pieces"])


class Source:
    """The text of a file, and offsets of its nodes in that text as UTF-8."""

    def __init__(self, data):
        self.encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        self.string = data.decode(self.encoding)
        self.data = self.string.encode()
        self.lines = [0]
        for line in self.data.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def in_file(self, blocks):
        """The blocks with offsets in the file."""
        if self.encoding == "utf-8":
            return blocks
        spans = [span for block in blocks for span in (block["at"], *spans_of(block["entries"]))]
        at, there, places = 0, 3 if self.encoding == "utf-8-sig" else 0, {}
        encoding = "utf-8" if there else self.encoding
        for offset in sorted({end for span in spans for end in (span[0], sum(span))}):
            there += len(self.data[at:offset].decode().encode(encoding))
            at, places[offset] = offset, there

        def moved(span):
            return [places[span[0]], places[sum(span)] - places[span[0]]]

        def moved_entry(entry):
            text = entry["text"]
            pieces = [[start, *moved([place, length])[::-1]] for start, length, place in text["pieces"]]
            kept = [new for new, old in zip(pieces, text["pieces"]) if new[1] == old[1]]
            text = {"value": text["value"], "whole": moved(text["whole"]), "pieces": kept}
            return {**entry, "text": text, "at": moved(entry["at"]), "use": moved(entry["use"])}

        return [
            {**block, "at": moved(block["at"]), "entries": [moved_entry(entry) for entry in block["entries"]]}
            for block in blocks
        ]

    def facts_in_file(self, facts):
        """Facts with offsets in the file: each Span in them."""
        if self.encoding == "utf-8":
            return facts
        found, todo = [], [facts]
        while todo:
            value = todo.pop()
            if isinstance(value, Span):
                found.append(value)
            elif isinstance(value, (list, tuple)):
                todo.extend(value)
            elif isinstance(value, dict):
                todo.extend(value.values())
        at, there, places = 0, 3 if self.encoding == "utf-8-sig" else 0, {}
        encoding = "utf-8" if there else self.encoding
        for offset in sorted({end for span in found for end in (span[0], sum(span))}):
            there += len(self.data[at:offset].decode().encode(encoding))
            at, places[offset] = offset, there
        for span in {id(span): span for span in found}.values():
            span[:] = [places[span[0]], places[sum(span)] - places[span[0]]]
        return facts

    def span(self, node):
        lines = self.lines
        begin = lines[node.lineno - 1] + node.col_offset
        return [begin, lines[node.end_lineno - 1] + node.end_col_offset - begin]

    def text(self, node):
        begin, length = self.span(node)
        return self.data[begin : begin + length]

    def name_span(self, function):
        """Of the word behind `def`."""
        begin, _ = self.span(function)
        found = BEFORE_FUNCTION.match(self.data, begin)
        return [found.end() if found else begin, len(function.name.encode())]

    def class_span(self, node):
        """Of the word behind `class`."""
        begin, _ = self.span(node)
        found = BEFORE_CLASS.match(self.data, begin)
        return [found.end() if found else begin, len(node.name.encode())]

    def literal_pieces(self, node):
        """Of a string, which may be several literals one after the other."""
        begin, length = self.span(node)
        if length > MOST_SOURCE:
            raise Unread
        written = self.text(node)
        quote = written[:1].decode()
        if quote in ("'", '"') and written == (quote + node.value + quote).encode() and "\\" not in node.value:
            return [[0, len(written) - 2, begin + 1]]
        pieces, at = [], 0
        row, line, column, width = -1, "", 0, 0  # bytes in front of a column of a line
        lines = self.text(node).splitlines(keepends=True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))
        # Without the parentheses around it, lines would end the expression.
        readline = io.BytesIO(b"(\n" + self.text(node) + b"\n)").readline
        for token in tokenize.tokenize(readline):
            if token.type != tokenize.STRING:
                continue
            value = ast.literal_eval(token.string).encode()
            inner = re.match(r"([A-Za-z]*)('''|\"\"\"|'|\")", token.string)
            written = token.string[inner.end() : -len(inner[2])].encode()
            if written == value:
                if row != token.start[0] - 2:
                    row, column, width = token.start[0] - 2, 0, 0
                    line = lines[row].decode()
                width += len(line[column : token.start[1]].encode())
                column = token.start[1]
                pieces.append([at, len(value), begin + starts[row] + width + inner.end()])
            at += len(value)
        return pieces if at == len(node.value.encode()) else []


class Text:
    """A string and where it is written."""

    def __init__(self, value, whole, pieces=()):
        self.value, self.whole, self.pieces = value, whole, list(pieces)

    @staticmethod
    def joined(parts):
        pieces, shift = [], 0
        for part in parts:
            pieces += [[at + shift, length, place] for at, length, place in part.pieces]
            shift += len(part.value.encode())
        begin, end = min(part.whole[0] for part in parts), max(sum(part.whole) for part in parts)
        return Text("".join(part.value for part in parts), [begin, end - begin], pieces)

    def head(self):
        """What stands in front of the first parenthesis."""
        value = self.value.partition("(")[0]
        length = len(value.encode())
        return Text(value, self.whole, [[at, min(size, length - at), place] for at, size, place in self.pieces if at < length])

    def __add__(self, other):
        return Text.joined([self, other])

    def json(self):
        return {"value": self.value, "whole": self.whole, "pieces": self.pieces}


class NumberText(Text):
    """Of a number: what an f-string makes of it."""


class Names:
    """What the names of a module stand for: imports, and strings that are assigned once."""

    def __init__(self, tree, source, aliases=()):
        self.source = source
        self.is_read = False
        self.handed = set()  # names of torch.library, and Libraries, that another file may hand on
        self.taken_over = set()  # by which the file calls what another one hands on, or makes as torch.library does
        known = dict(alias.split("=", 1) for alias in aliases if "=" in alias)
        self.definers = {}  # functions of other files that define operators, as python_definers.py has them
        self.others_libraries = {}  # [node of the import, "namespace/KIND/key"] of Libraries of other files
        self.tree = Tree(tree)
        self.bound = {}  # parameters of a function whose call is followed
        self.texts = {}  # by expression; None for what is not known
        self.locals = {}  # by function, its own names
        self.called = self.members = self.registering = None  # once they are asked for
        self.meant = None  # what an element of a table stands for, of a Reader
        self.imports, self.constants, assigned = {}, {}, {}
        for node in self.tree.imports:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.imports[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0]
                    )
            else:
                is_own = node.level or node.module != "torch.library"
                for alias in node.names:
                    if is_own and alias.name in known:
                        self.take_known(node, alias, known[alias.name])
                    if is_own and alias.name in HANDED_ON:
                        self.handed.add("." * node.level + f"{node.module or ''}:{alias.name}")
                    if is_own and alias.name in aliases:
                        self.taken_over.add(alias.asname or alias.name)
                        self.imports[alias.asname or alias.name] = "torch.library." + alias.name
                    elif not node.level:
                        self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                if node.names[0].name == "*":
                    self.take_all(node, aliases)
                if node.module == "typing" and node.names[0].name == "*":
                    self.imports.update({name: "typing." + name for name in (*TYPING, *OF_TYPING)})
        for node in self.tree.of(ast.arg):
            if node.arg in TORCH_PARAMETERS:
                self.imports.setdefault(node.arg, "torch")
        for node in self.tree.bindings:
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(node)
        for statement in tree.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                for target in getattr(statement, "targets", [getattr(statement, "target", None)]):
                    if isinstance(target, ast.Name) and len(assigned[target.id]) == 1:
                        self.constants[target.id] = statement.value

        self.classes = {}
        for statement in tree.body:
            self.forget_rebound(statement)
            if isinstance(statement, ast.ClassDef):
                # Of two that have one name nobody knows which is meant.
                self.classes[statement.name] = None if statement.name in self.classes else statement
        for name, nodes in assigned.items():
            self.find_alias(name, nodes)
        self.is_read = True  # nothing stands for anything else any more

    def take_known(self, node, alias, words):
        """What another file says of a name that this one imports."""
        name = alias.asname or alias.name
        if words[0] == "!":
            self.definers[name] = words[1:]
        else:
            self.others_libraries[name] = [node, words]

    def take_all(self, node, aliases):
        """`from torch.library import *`, or from a module that may hand its names on."""
        if not node.level and node.module == "torch.library":
            self.imports.update({name: "torch.library." + name for name in HANDED_ON})
        elif any(name in self.source.string for name in HANDED_ON - COMMON):
            self.handed.update("." * node.level + f"{node.module or ''}:{name}" for name in HANDED_ON - COMMON)
            self.imports.update({name: "torch.library." + name for name in aliases})
            self.taken_over.update(aliases)

    def forget_rebound(self, statement):
        """What the module itself calls by a name of torch.library, whatever it imported before."""
        bound = [statement] if isinstance(statement, (*FUNCTIONS, ast.ClassDef)) else getattr(statement, "targets", [])
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Name) and self.imports.get(value.id, "").startswith("torch.library."):
            # What it stands for before the module gives the name to something else.
            self.imports.update({one.id: self.imports[value.id] for one in bound if isinstance(one, ast.Name)})
            return
        if isinstance(value, ast.Attribute) and self.dotted(value).startswith("torch.library."):
            return
        for one in bound:
            name = getattr(one, "name", getattr(one, "id", ""))
            if self.imports.get(name, "").startswith("torch.library."):
                del self.imports[name]

    def find_alias(self, name, nodes):
        """`name = torch.library.custom_op` of the module, also where it depends on the release what it is."""
        for node in nodes:
            value = getattr(node, "value", None)
            if not isinstance(value, ast.Attribute) or any(isinstance(one, FUNCTIONS) for one in above(node)):
                continue
            dotted = self.dotted(value)
            if dotted.startswith("torch.library.") and name not in self.imports:
                self.imports[name] = dotted
                return

    def dotted(self, node):
        """"torch.library.define", whatever the file calls it; "" for what is no name."""
        kind = node.__class__
        if kind is not ast.Attribute and kind is not ast.Name:
            return ""
        if not self.is_read:
            return self.find_dotted(node)
        try:
            return node.dotted
        except AttributeError:
            node.dotted = self.find_dotted(node)
            return node.dotted

    def find_dotted(self, node):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        first = self.first_of(node.id)
        return ".".join([first, *reversed(parts)]) if parts else first

    def first_of(self, name):
        other = self.constants.get(name)  # Tensor = torch.Tensor
        return self.dotted(other) if isinstance(other, ast.Attribute) else self.imports.get(name, name)

    def calls_of(self, words):
        """The calls of what has one of these names, whatever the module calls it, as the tree has them."""
        if self.called is None:
            calls = self.tree.of(ast.Call)
            self.called = [(call, "." + call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")) for call in calls]
        wanted = {"." + word for word in words}
        known = {key: call.func for call, key in self.called if key[:1] != "."}
        wanted.update(key for key, function in known.items() if self.dotted(function).rpartition(".")[2] in words)
        return [call for call, key in self.called if key in wanted]

    def api_members(self):
        """`torch.library.define`, whatever the file calls it, as the tree has them."""
        if self.members is None:
            owners = {name for name in (*self.imports, *self.constants) if self.first_of(name) == "torch.library"}
            self.members = [
                node
                for node in self.tree.of(ast.Attribute)
                if ((owner := node.value).__class__ is ast.Name and owner.id in owners)
                or (owner.__class__ is ast.Attribute and owner.attr == "library" and self.dotted(owner) == "torch.library")
            ]
        return self.members

    def api_calls(self):
        """The calls of functions of torch.library."""
        if self.registering is None:
            members = set(self.api_members())
            names = {name for name in (*self.imports, *self.constants) if self.first_of(name).startswith("torch.library.")}
            self.registering = [
                call
                for call in self.tree.of(ast.Call)
                if (function := call.func) in members or (function.__class__ is ast.Name and function.id in names)
            ]
        return self.registering

    def string(self, node):
        """The text of an expression; raises Unread where only running it would tell."""
        if isinstance(node, ast.Name) and node.id in self.bound:
            return self.bound[node.id]
        if node not in self.texts:
            self.texts[node] = None  # what stands for itself has none
            try:
                self.texts[node] = self.made_string(node)
            except (Unread, RecursionError):
                pass
        if self.texts[node] is None:
            raise Unread
        return self.texts[node]

    def made_string(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if len(node.value) > MOST_CHARACTERS:
                raise Unread
            return Text(node.value, self.source.span(node), self.source.literal_pieces(node))
        if isinstance(node, ast.Name) and node.id in self.constants and not self.is_local(node):
            return self.string(self.constants[node.id])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            operands = []
            while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                operands.append(node.right)
                node = node.left
            parts = self.bounded(self.string(part) for part in [node, *reversed(operands)])
            if any(isinstance(part, NumberText) for part in parts):
                raise Unread  # a sum
            return Text.joined(parts)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return self.percent(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
            return self.method_text(node)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            found = self.meant(node) if self.meant else node
            if found is not node:
                return self.string(found)
        if isinstance(node, ast.Attribute):
            return self.string(self.member(node))
        if isinstance(node, ast.JoinedStr):
            parts = self.bounded(self.formatted(part) for part in node.values)
            return Text("".join(part.value for part in parts), self.source.span(node))
        raise Unread

    def is_local(self, node):
        """A function whose body it stands in calls something of its own by this name."""
        return any(node.id in self.locals_of(one) for one in functions_around(node))

    def locals_of(self, function):
        if function not in self.locals:
            nodes = [one for one in own_nodes(function) if isinstance(one, (ast.Name, ast.Global, ast.Nonlocal))]
            out = {one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
            out -= {name for one in nodes if not isinstance(one, ast.Name) for name in one.names}
            self.locals[function] = out | {argument.arg for argument in parameters_of(function.args)}
        return self.locals[function]

    def percent(self, node):
        """"%s::add" % NAMESPACE"""
        written = self.string(node.left)
        given = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return self.filled(written.value.split("%s"), given, node, taken="%")

    def method_text(self, node):
        """"{}::add".format(NAMESPACE), "::".join((NAMESPACE, "add"))"""
        if node.func.attr == "format":
            return self.filled(self.string(node.func.value).value.split("{}"), node.args, node, taken="{}")
        if node.func.attr == "join" and len(node.args) == 1 and isinstance(node.args[0], (ast.Tuple, ast.List)):
            parts = self.bounded(self.string(element) for element in node.args[0].elts)
            return Text(self.string(node.func.value).value.join(part.value for part in parts), self.source.span(node))
        raise Unread

    def filled(self, pieces, given, node, taken):
        """A pattern whose holes are filled with `given`, without any other sign of `taken` in it."""
        if len(pieces) != len(given) + 1 or any(sign in piece for piece in pieces for sign in taken):
            raise Unread
        words = [part.value for part in self.bounded(self.formatted(one) for one in given)]
        return Text("".join(a + b for a, b in zip(pieces, [*words, ""])), self.source.span(node))

    def member(self, node):
        """A class of the module holds it, and assigns it once."""
        owner = self.classes.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if owner is None:
            raise Unread
        found = []
        for statement in owner.body:
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            if any(isinstance(target, ast.Name) and target.id == node.attr for target in targets):
                found.append(getattr(statement, "value", None))
        if len(found) != 1 or found[0] is None or f".{node.attr} =" in self.source.string:
            raise Unread
        return found[0]

    def formatted(self, part):
        """A part of an f-string."""
        if isinstance(part, ast.FormattedValue):
            if part.conversion != -1 or part.format_spec is not None:
                raise Unread
            part = part.value
        if not isinstance(part, ast.Constant):
            return self.string(part)
        try:
            return Text(str(part.value), [0, 0])
        except ValueError:  # a number of thousands of digits
            raise Unread from None

    @staticmethod
    def bounded(parts):
        out, length = [], 0
        for part in parts:
            length += len(part.value)
            if length > MOST_CHARACTERS:
                raise Unread
            out.append(part)
        return out

    def strings(self, node):
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return [self.string(element) for element in node.elts]
        if isinstance(node, ast.Dict) and not node.keys:
            return []
        return [self.string(node)]
