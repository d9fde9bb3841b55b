# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what Python files define and register by torch.library, without importing or running anything.

In:  names of files as arguments; without any, texts on standard input, each behind a line that has its length in bytes,
     behind blanks, with commas between them: functions of it that other files use; types that those register for
     schemas; names that are those of torch.library where it imports them, and those of Libraries, as "aliases" has them.
     The first argument is the CPU time in seconds that one file may take, and behind it " compile" where texts that
     Python would not compile are errors, too, or " imports" where only "together" and "choices" are wanted, which
     stay empty otherwise; the second is a JSON list of the project's own
     functions that define operators, each an object of strings: "function"; what its parameters are called: "name",
     "kernel", "mutates_args", "fake", "library", "key", and "parameters", their order; "namespace" and "default_key"
     for calls that say nothing of them
Out: two lines of JSON a file on standard output: what it registers, and FACTS, which are null where the file was not
     read; a file that takes longer ends the process

    {"file": "a.py", "error": "3:7: invalid syntax", "blocks": [BLOCK ...], "bodies": [BODY ...] (kernel_bodies.py),
     "imports": functions of other files that it uses, as REFERENCE has them, "types": those that it registers for
     schemas, "aliases": names of torch.library that it hands on, "name=namespace/KIND/key" of its Libraries, and
     "name=!..." of functions that define operators (python_definers.py),
     "together", "choices": modules that it imports (python_choices.py)}
    What is false or empty is left out of FACTS and of bodies.
    FACTS: {"functions": [FUNCTION ...], "classes" (python_functions.py), "uses": [USE ...], "libraries": [LIBRARY ...],
            "apis": [API ...], "backends": what
            PrivateUse1 may be called here (python_uses.py), "script" (python_uses.py), "shapes": [SHAPE ...] (kernel_bodies.py),
            "offers": {name: REFERENCE} of the functions that others use}
    BLOCK: {"kind": "library" | "fragment" | "impl", "namespace", "key", "at": [OFFSET, LENGTH],
            "complete": what fills it was read, "entries": [ENTRY ...]}
    ENTRY: {"kind": "def" | "impl" | "fallback", "text": TEXT, "known": the text is a constant,
            "schema_unread": the text is a name, whose schema is not known, "key", "key_unknown", "conditional",
            "in_function": stands in a function that may not be called, "name", "at", "use",
            "tags": names of those that are given to a def, null where only running the code would tell,
            "kernel": "none" | "boxed", a function comes with it}
    TEXT:  {"value", "whole": [OFFSET, LENGTH], "pieces": [[OFFSET IN VALUE, LENGTH, OFFSET IN FILE] ...]}

Offsets count bytes of the file, whatever its encoding. Pieces are those of the value that stand in the file letter for letter.
"""
import ast
import builtins
import gc
import json
import math
import os
import re
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kernel_bodies import bodies, shapes
from python_arguments import refused
from python_functions import Functions
from python_choices import Choices
from python_definers import Definers
from python_given import GivenLibraries
from python_methods import Methods
from python_scopes import Scopes
from python_tables import Tables
from python_text import (
    FUNCTIONS, TYPING, Names, NumberText, Refused, Source, Span, Text, Unread, above, bindings_of, children, defaults_of,
    own_nodes, parameters_of, spelled, walk,
)  # fmt: skip
from python_unnamed import Unnamed
from python_uses import FILLING, Uses, operator_guards

# What stands for a type of the schema language in an annotation, and in which containers.
PARAMETER_TYPES = {
    "torch.Tensor": ("Tensor", {"[]", "?[]"}),
    "int": ("SymInt", {"[]", "[]?"}),
    "float": ("float", {"[]", "[]?"}),
    "bool": ("bool", {"[]", "[]?"}),
    "str": ("str", set()),
    "torch.types.Number": ("Scalar", {"[]"}),
    "torch.dtype": ("ScalarType", set()),
    "torch.device": ("Device", set()),
}
RETURN_TYPES = {"torch.Tensor", "int", "float", "bool", "torch.types.Number"}
# Names that annotations in quotes may have without an import.
IMPLIED = {
    **{name: "torch." + name for name in ("Tensor", "dtype", "device", "types")},
    **{name: "typing." + name for name in TYPING},
}
# infer_schema() has no name for it.
UNIMPLIED = {"Tuple"}
# The same type under another name.
SAME = {
    "types.Number": "torch.types.Number",
    "torch.Number": "torch.types.Number",
    "torch._tensor.Tensor": "torch.Tensor",
}
# What an annotation may be, and no schema has.
REFUSED = {
    "object", "dict", "list", "set", "frozenset", "tuple", "bytes", "complex", "type", "None", "Ellipsis",
    "typing.Any", "typing.Dict", "typing.List", "typing.Tuple", "typing.Set", "typing.Sequence", "typing.Iterable",
    "typing.Callable", "typing.Mapping", "typing.Literal", "typing.Optional", "typing.Union", "typing.Annotated",
    "typing.FrozenSet", "typing.Iterator", "typing.Type", "typing.Collection", "typing.MutableSequence",
    "typing_extensions.Annotated", "typing_extensions.Literal",
    "collections.abc.Sequence", "collections.abc.Iterable", "collections.abc.Callable", "collections.abc.Mapping",
    "collections.abc.Iterator", "collections.abc.Collection", "torch.Size", "torch.layout",
    "torch.memory_format", "torch.nn.Module", "torch.nn.Parameter", "torch.LongTensor",
    "torch.FloatTensor", "torch.SymInt", "torch.SymFloat", "torch.SymBool", "torch.ScriptObject", "torch._C.ScriptObject",
}  # fmt: skip
# What schemas of some releases have a type for, alone.
GENERATORS = {"torch.Generator", "torch._C.Generator"}
SEQUENCES = {"list", "typing.List", "typing.Sequence", "collections.abc.Sequence"}
# Of a parameter, and not of what is returned.
PARAMETER_SEQUENCES = ("typing.Sequence", "collections.abc.Sequence")
# So many names of annotations stand for each other.
MOST_ALIASES = 4
INFINITE = ("math.inf", "math.nan", "torch.inf", "torch.nan", "numpy.inf", "numpy.nan")
# Brackets in which an annotation in quotes stays a text.
EVALUATED = {"list", "tuple", "collections.abc.Sequence"}
DEVICE_KEYS = {
    "cpu": "CPU", "cuda": "CUDA", "hip": "HIP", "xpu": "XPU", "mps": "MPS", "meta": "Meta", "xla": "XLA",
    "ipu": "IPU", "hpu": "HPU", "ve": "VE", "lazy": "Lazy", "mtia": "MTIA", "privateuseone": "PrivateUse1",
    "default": "CompositeExplicitAutograd",
}  # fmt: skip
ALL_DEVICES = "CompositeExplicitAutograd"
# A device as str() writes it.
DEVICE = re.compile("[a-z]+(:(0|[1-9][0-9]?))?")
LIBRARY_KINDS = {"DEF": "library", "FRAGMENT": "fragment", "IMPL": "impl"}


# Functions that define an operator by a function, and what each is called.
DEFINING = {"custom_op": "torch.library.custom_op", "triton_op": "torch.library.triton_op"}
# What makes a Library.
MAKING_LIBRARIES = ("torch.library.Library", "torch.library._scoped_library")
# What is registered by the object that defines an operator.
OF_OPERATORS = ("register_fake", "impl_abstract", "register_kernel", "register_autograd", "register_vmap")
# What makes a class a type of schemas.
OPAQUE = ("register_opaque_type", "register_custom_class")
# Those that PyTorch itself registers for its DeviceMesh.
DISTRIBUTED_TYPES = ("DeviceMesh", "ProcessGroup")
# So many bytes of sources are read before their trees are given back.
COLLECTED = 8 << 20
# Functions that call each other are followed so far.
MOST_CALLS = 4
# Nothing in an answer holds itself.
ENCODER = json.JSONEncoder(check_circular=False, separators=(",", ":"))


def is_none(node):
    """Not given, or given as None."""
    return node is None or isinstance(node, ast.Constant) and node.value is None


class Annotations:
    """Schemas of functions, as torch.library infers them from the annotations."""

    def __init__(self, names):
        self.names = names
        self.lazy = False  # all annotations are texts

    def schema(self, function, mutated, tag=""):
        """With `tag`, "inplace" or "out", what it returns is what it writes to."""
        arguments = function.args
        if arguments.posonlyargs or arguments.vararg or arguments.kwarg:
            raise Unread
        defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
        listed = [*zip(arguments.args, defaults, [False] * len(arguments.args))]
        listed += [*zip(arguments.kwonlyargs, arguments.kw_defaults, [True] * len(arguments.kwonlyargs))]
        out, marks, starred = [], [], False
        for number, (argument, default, keyword) in enumerate(listed):
            if keyword and not starred:
                out.append("*")
                starred = True
            word = self.parameter(argument.annotation)
            writes = word.startswith("Tensor") if mutated == "unknown" else argument.arg in mutated
            if writes:
                word = word.replace("Tensor", f"Tensor(a{number}!)", 1)
                marks.append(f"Tensor(a{number}!)")
            out.append(f"{word} {argument.arg}" + (f"={self.default(default)}" if default else ""))
        returned = self.returned(function.returns)
        if tag and returned == ("Tensor" if len(marks) == 1 else f"({', '.join(['Tensor'] * len(marks))})"):
            returned = marks[0] if len(marks) == 1 else f"({', '.join(marks)})"
        return f"({', '.join(out)}) -> {returned}"

    def is_infinite(self, node):
        """No schema can write the number."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return self.is_infinite(node.operand)
        if isinstance(node, ast.Call) and self.names.dotted(node.func) == "float" and len(node.args) == 1 and not node.keywords:
            node = node.args[0]
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            return text.strip().lower().lstrip("+-") in ("inf", "infinity", "nan")
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            return math.isinf(node.value)
        return self.names.dotted(node) in INFINITE

    def default(self, node):
        if self.is_infinite(node):
            raise Refused
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return f"-{node.operand.value}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return f'"{node.value}"'
        if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (int, float))):
            try:
                return str(node.value)
            except ValueError:  # of thousands of digits
                raise Unread from None
        if isinstance(node, ast.Call):
            return f'"{self.device(node)}"'
        name = self.names.dotted(node)
        if name.startswith("torch.") and name.count(".") == 1:
            return name.split(".")[1]
        raise Unread

    def device(self, call):
        """The text of a torch.device() that is made of one."""
        text = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
        if self.names.dotted(call.func) == "torch.device" and isinstance(text, str) and not call.keywords and DEVICE.fullmatch(text):
            return text
        raise Unread

    @staticmethod
    def is_implied(name):
        """infer_schema() itself knows the name."""
        return name in IMPLIED and name not in UNIMPLIED or name in ("torch", "typing", "inspect", "device") or hasattr(builtins, name)

    def refuse(self, name):
        """What no schema has a type for, whatever else the module says of it; anything else may be an alias."""
        if name in REFUSED or name.split(".")[0] == "numpy":
            raise Refused
        raise Unread

    def is_generator(self, node, implied):
        return self.name(node, implied) in GENERATORS

    def meant(self, node):
        """What the module's own name for an annotation stands for: `Size = Tuple[int, int]`."""
        for _ in range(MOST_ALIASES):
            value = self.names.constants.get(node.id) if isinstance(node, ast.Name) and node.id not in self.names.imports else None
            if not isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)):
                break
            node = value
        return node

    def name(self, node, implied):
        name = self.names.dotted(node)
        first, dot, rest = name.partition(".")
        if implied and first not in self.names.imports and first in IMPLIED:
            name = IMPLIED[first] + dot + rest
        return SAME.get(name, name)

    def parts(self, node, implied=False, inside=""):
        """(base, layers from the inside out) of an annotation: ("torch.Tensor", "?[]"); `inside` is what it stands in the
        brackets of."""
        node = self.meant(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            # Quotes are looked into where typing does not keep them, and once.
            if inside and (inside not in EVALUATED or implied or self.lazy):
                raise Refused
            try:
                return self.parts(ast.parse(node.value, mode="eval").body, implied=True)
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                raise Unread from None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.optional([node.left, node.right], implied)
        if isinstance(node, ast.Subscript):
            outer = self.name(node.value, implied)
            inner = node.slice
            if outer == "typing.Optional":
                return self.optional([inner, ast.Constant(None)], implied)
            if outer == "typing.Union":
                return self.optional(getattr(inner, "elts", [inner]), implied)
            if outer in SEQUENCES:
                base, layers = self.parts(inner, implied, outer)
                return base, layers + "[]"
            self.refuse(outer)
        if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Lambda)):
            raise Refused
        return self.name(node, implied), ""

    def optional(self, of, implied):
        some = [node for part in of for node in self.alternatives(part, implied) if not is_none(node)]
        optional = "?" if any(is_none(node) for part in of for node in self.alternatives(part, implied)) else ""
        if len(some) == 1 and optional:
            base, layers = self.parts(some[0], implied, "typing.Optional")
            return base, layers + optional
        found = [self.parts(node, implied, "typing.Union") for node in some]
        if len(found) > 1 and {layers for _, layers in found} == {""}:
            bases = {base for base, _ in found}
            if bases == {"int", "float", "bool"}:
                return "torch.types.Number", optional
            if bases <= set(PARAMETER_TYPES) | REFUSED and len(bases) > 1:
                raise Refused
        raise Unread

    def alternatives(self, node, implied):
        """Of a union in a union, one after the other."""
        node = self.meant(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.alternatives(node.left, implied) + self.alternatives(node.right, implied)
        if isinstance(node, ast.Subscript):
            outer = self.name(node.value, implied)
            if outer == "typing.Optional":
                return [*self.alternatives(node.slice, implied), ast.Constant(None)]
            if outer == "typing.Union":
                return [part for inner in getattr(node.slice, "elts", [node.slice]) for part in self.alternatives(inner, implied)]
        return [node]

    def parameter(self, node):
        base, layers = self.parts(node)
        word, containers = PARAMETER_TYPES.get(base, ("", set()))
        if base in GENERATORS and layers:
            raise Refused
        if not word:
            self.refuse(base)
        if layers not in {"", "?"} | containers:
            raise Refused
        return word + layers

    def one_return(self, node, inside=""):
        base, layers = self.parts(node, inside=inside)
        node = self.meant(node)
        if isinstance(node, ast.Subscript) and self.name(node.value, False) in PARAMETER_SEQUENCES:
            raise Refused
        if base in GENERATORS and layers:
            raise Refused
        if base not in PARAMETER_TYPES:
            self.refuse(base)
        if base not in RETURN_TYPES or layers not in ({"", "[]"} if base == "torch.Tensor" else {""}):
            raise Refused
        return PARAMETER_TYPES[base][0] + layers

    def returned(self, node):
        node = self.meant(node)
        if isinstance(node, ast.Constant) and node.value is None:
            return "()"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                raise Refused from None
            return self.returned(node)
        outer = self.name(node.value, True) if isinstance(node, ast.Subscript) else ""
        if outer in ("tuple", "typing.Tuple"):
            elements = getattr(node.slice, "elts", [node.slice])
            words = ", ".join(self.one_return(element, outer) for element in elements)
            return f"({words})" if len(elements) > 1 else f"(({words}))"
        if node is None:
            raise Unread
        return self.one_return(node)


class Reader(Tables, Uses, GivenLibraries, Methods, Unnamed, Definers):
    """Walks a module in its order and keeps what it defines and registers."""

    def __init__(self, tree, source, registrars=(), wanted=(), types=(), aliases=()):
        self.source, self.names, self.registrars = source, Names(tree, source, aliases), registrars
        self.annotations = Annotations(self.names)
        self.blocks, self.libraries, self.operators, self.made = [], {}, {}, {}
        self.only_impl = []  # where Libraries are made that may define nothing
        self.used = self.library_names = self.calls_by_name = self.binders = self.top_names = None
        self.nameless = set()  # variables that hold Libraries of which only running the code would tell the namespace
        self.functions, self.givers = {}, {}
        for node in self.names.tree.of(ast.FunctionDef):
            # Of two that have one name nobody knows which is meant.
            self.functions[node.name] = None if node.name in self.functions else node
        self.conditional = self.in_function = self.followed = 0
        self.rounds = 1  # of the loops around it
        self.start_uses(Functions(tree, source, self.names, self.annotations), tree)
        self.names.meant = self.table.meant = self.meant
        self.table.is_definer = self.gets_as_it_is
        self.find_wrappers(tree)
        self.types = self.opaque_types()
        self.names.handed |= self.imported_libraries() | self.imported_definers()
        self.known_types = {*types, *self.types}
        self.called = {
            statement.value.func.id
            for statement in tree.body
            if isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Call)
            and isinstance(statement.value.func, ast.Name)
        }
        self.at_top = set(tree.body)
        self.name_scopes = Scopes(self.names.tree)
        self.find_methods()
        self.way = self.find_way()
        self.visit(tree)
        self.offers = {name: self.table.offered(name, tree) for name in wanted}

    # -- blocks and entries

    def block(self, node, kind, namespace, key=""):
        block = {"kind": kind, "namespace": namespace, "key": key, "at": self.source.span(node), "complete": True}
        self.blocks.append({**block, "entries": []})
        return self.blocks[-1]

    def add(self, block, node, kind, text, keys=("",), function=None, name_only=False, tags=None):
        """`text` is None, and a key is, where only running the code would tell; of a def with
        `name_only` it is the operator's name, and what else there is is not known."""
        at = self.source.span(node)
        if text is None and kind != "fallback":
            block["complete"] = False
        if kind == "def" and text is not None and self.known_types and self.has_opaque(text.value):
            text, name_only = text.head(), True
        for key in keys:
            block["entries"].append({
                "kind": kind,
                "text": text.json() if text else {"value": "", "whole": at, "pieces": []},
                "known": text is not None,
                "schema_unread": name_only,
                "key": key or "",
                "key_unknown": key is None,
                "conditional": self.conditional > 0,
                "in_function": self.in_function > 0,
                "kernel": "boxed" if function is not None else "none",
                "name": self.function_name(function),
                "use": self.source.span(function) if isinstance(function, ast.expr) else at,
                "at": at,
                "tags": tags,
            })  # fmt: skip

    def opaque_types(self):
        """Names of types that the module registers for schemas, and of classes that get a name by their module."""
        out = []
        for call in self.names.calls_of(OPAQUE):
            given, _ = self.arguments(call, "cls", "name")
            name = self.text(given["name"])
            known = [name.value] if name else [self.names.dotted(one) for one in self.rows_of(given["cls"])]
            out += [one.rpartition(".")[2] if name is None else one for one in known]
        if "_register_distributed_opaque_types" in self.source.string and self.names.calls_of(("_register_distributed_opaque_types",)):
            out += DISTRIBUTED_TYPES
        return sorted({name for name in out if name})

    @staticmethod
    def rows_of(node):
        """What the variable of a loop over a list that is written out stands for; the node itself of anything else."""
        if node is None:
            return []
        for one in above(node):
            if isinstance(one, ast.For) and isinstance(node, ast.Name) and isinstance(one.target, ast.Name) and one.target.id == node.id:
                return getattr(one.iter, "elts", [node])
        return [node]

    def has_opaque(self, schema):
        words = re.findall(r"[^\W\d][\w.]*", schema.partition("(")[2])
        return any(word in self.known_types or word.rpartition(".")[2] in self.known_types for word in words)

    def function_name(self, function):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return function.name
        return self.names.dotted(function) if isinstance(function, ast.expr) else ""

    def word(self, node):
        """As text(), and the NumberText of a number."""
        if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1 << 32:
            return NumberText(str(node.value), [0, 0])
        return self.text(node)

    def text(self, node):
        try:
            return self.names.string(node) if node is not None else None
        except Unread:
            return None

    def operator_text(self, node):
        """Of a name: a string, torch.ops.ns.name, or the object that custom_op made."""
        dotted = self.path(node)
        if dotted.startswith("torch.ops."):
            namespace, _, rest = dotted[len("torch.ops.") :].partition(".")
            name, _, overload = rest.partition(".")
            overload = "" if overload == "default" else overload
            value = f"{namespace}::{name}" + (f".{overload}" if overload else "")
            return Text(value, self.source.span(node))
        if dotted in self.operators:
            known = self.operators[dotted]
            return Text(known, self.source.span(node)) if known and known[0] != "@" else None
        return self.text(node)

    def path(self, node):
        """As Names.dotted(), also of getattr(torch.ops.ns, NAME)."""
        if isinstance(node, ast.Call) and self.names.dotted(node.func) == "getattr" and len(node.args) == 2:
            base, word = self.path(node.args[0]), self.text(node.args[1])
            return f"{base}.{word.value}" if base and word else ""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            base = self.path(node.value)
            return f"{base}.{node.attr}" if base else ""
        return self.names.dotted(node) if node is not None else ""

    def namespace(self, text):
        return text.value.partition("::")[0] if text and "::" in text.value else ""

    def keys(self, node):
        """Dispatch keys for types of devices, which may be dispatch keys themselves."""
        if is_none(node):
            return [ALL_DEVICES]
        try:
            return [DEVICE_KEYS.get(text.value, text.value) for text in self.names.strings(node)]
        except Unread:
            return [None]

    # -- what calls mean

    def arguments(self, call, *names):
        """The arguments by their names; None for what is not given."""
        out = dict(zip(names, call.args))
        out.update({k.arg: k.value for k in call.keywords if k.arg})
        unknown = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
        return {name: out.get(name) for name in names}, unknown

    def library_of(self, call):
        """Of a call that is met twice, for itself and for what is called on it, one."""
        if call not in self.made:
            self.made[call] = self.make_library(call)
        return self.made[call]

    def make_library(self, call):
        given, _ = self.arguments(call, "ns", "kind", "dispatch_key")
        namespace, kind = self.text(given["ns"]), self.text(given["kind"])
        key = self.text(given["dispatch_key"])
        if not namespace or not kind:
            return None
        # One without a key has it in each call; that for fallbacks fills no namespace. A kind that is misspelt is a finding
        # of its own.
        word = LIBRARY_KINDS.get(kind.value, "fragment")
        is_for_all = namespace.value == "_" and word == "impl" and not (key and key.value)
        word = "fragment" if word == "impl" and not (key and key.value) else word
        block = self.block(call, word, "" if is_for_all else namespace.value, key.value if key else "")
        if kind.value == "IMPL":
            self.only_impl.append(block["at"])
        return block

    def library_call(self, block, method, call, decorated):
        if method == "define":
            given, unknown = self.arguments(call, "schema", "alias_analysis")
            if block["at"] in self.only_impl:
                block = self.block(call, "impl", block["namespace"], block["key"])
            self.add(block, call, "def", None if unknown else self.text(given["schema"]), tags=self.tags(call))
            self.use("library-define", call, self.qualified(block, self.text(given["schema"])))
        elif method == "impl":
            given, _ = self.arguments(call, "op_name", "fn", "dispatch_key")
            key = [""] if given["dispatch_key"] is None else [self.one_key(given["dispatch_key"])]
            operator = self.operator_text(given["op_name"])
            self.add(block, call, "impl", operator, key, given["fn"] or decorated or call)
            self.library_kernel(block, call, operator, given["dispatch_key"], given["fn"] or decorated)
        elif method == "_register_fake":
            given, _ = self.arguments(call, "op_name", "fn")
            operator = self.operator_text(given["op_name"])
            self.add(block, call, "impl", operator, ["Meta"], given["fn"] or decorated or call)
            keeps = self.flag(call, "allow_override") is False
            self.use("fake", call, self.qualified(block, operator), given["fn"] or decorated, keeps=keeps)
        elif method == "fallback":
            given, _ = self.arguments(call, "fn", "dispatch_key")
            key = [""] if given["dispatch_key"] is None else [self.one_key(given["dispatch_key"])]
            if block["at"] in self.only_impl and not block["namespace"] and key[0]:
                block = self.block(call, "impl", "_", key[0])
            self.add(block, call, "fallback", None, key, given["fn"])

    def library_kernel(self, block, call, operator, key, function):
        keys = [text for text in [self.text_json(key)] if text] if key is not None else []
        where = {"keys": keys, "keyset": bool(self.flag(call, "with_keyset")), "keeps": self.flag(call, "allow_override") is False}
        if key is None and block["key"]:
            where["block_key"] = block["key"]
        if key is not None and not keys:
            where["keys_unknown"] = True
        self.use("library-kernel", call, self.qualified(block, operator), function, **where)

    @staticmethod
    def qualified(block, text):
        """With the namespace of its library."""
        if text is None or "::" in text.value.partition("(")[0]:
            return text
        return Text(block["namespace"] + "::", [text.whole[0], 0]) + text if block["namespace"] else None

    def one_key(self, node):
        text = self.text(node)
        return text.value if text else None

    def kernel(self, call, text, keys, function):
        """A kernel by the full name of its operator."""
        self.add(self.block(call, "fragment", self.namespace(text)), call, "impl", text, keys, function)

    def define(self, call):
        if self.is_library(call.args[0] if call.args else None):  # the decorator of old
            return self.library_call(self.library(call.args[0]), "define", self.without_first(call), None)
        given, _ = self.arguments(call, "qualname", "schema")
        name, schema = self.text(given["qualname"]), self.text(given["schema"])
        has_schema = not is_none(given["schema"])
        text = name + schema if name and schema else name
        use = self.use("define", call, name, schema=self.placed(schema), has_schema=has_schema)
        if not name and schema:
            self.define_unnamed(use, call, given["qualname"], schema)
        block = self.block(call, "fragment", self.namespace(name))
        name_only = bool(name and has_schema and not schema)
        return self.add(block, call, "def", text, name_only=name_only, tags=self.tags(call))

    def impl(self, call, decorated):
        if self.is_library(call.args[0] if call.args else None):
            rest = self.without_first(call)
            given, _ = self.arguments(rest, "op_name", "dispatch_key")
            key = [""] if given["dispatch_key"] is None else [self.one_key(given["dispatch_key"])]
            block = self.library(call.args[0])
            operator = self.operator_text(given["op_name"])
            self.library_kernel(block, call, operator, given["dispatch_key"], decorated)
            return self.add(block, call, "impl", operator, key, decorated or call)
        return self.device_kernel(call, ("qualname", "types", "func"), decorated)

    def device_kernel(self, call, names, decorated):
        """For operator, devices and function, which are called `names`."""
        given, _ = self.arguments(call, *names)
        named, devices, function = (given[name] for name in names)
        operator = self.operator_text(named)
        self.kernel(call, operator, self.keys(devices), function or decorated or call)
        use = self.use("kernel", call, operator, function or decorated, keys=self.key_texts(devices), devices=True)
        self.refer_to_unnamed(use, operator, named)

    def custom_op(self, call, function, kind=""):
        """`kind` is what a function of the project's own hands the arguments on to."""
        given, unknown = self.arguments(call, "name", "fn", "mutates_args", "device_types", "schema")
        name = self.text(given["name"])
        function = function or given["fn"]
        made = name.value if name else self.key_of_call(call)
        if isinstance(function, ast.FunctionDef):
            self.operators[function.name] = made
        api = self.names.dotted(call.func)
        is_triton = (kind or api).endswith("triton_op")
        is_own = bool(kind) or spelled(call.func) in self.names.taken_over
        has_devices = given["device_types"] is not None
        use = self.use(
            "custom-op", call, name, function, keys=self.key_texts(given["device_types"]),
            api=spelled(call.func) if is_own else api, devices=has_devices if is_triton and not is_own else True,
            mutates=self.mutates(given["mutates_args"]), schema=self.text_json(given["schema"]),
            has_schema=not is_none(given["schema"]), lacks_mutates=given["mutates_args"] is None and not unknown,
            tagged=any(keyword.arg in ("tags", None) for keyword in call.keywords),
        )  # fmt: skip
        typed = self.functions.get(function.id) if isinstance(function, ast.Name) else function
        block = self.block(call, "fragment", self.namespace(name))
        signature = self.signature_of(given, typed, self.returned_tag(call))
        schema = self.named_schema(name, signature, given)
        if is_triton and use["has_schema"]:  # some releases ignore it
            use["signature"] = self.placed(self.signature_of({**given, "schema": None}, typed))
        if not name:
            self.define_unnamed(use, call, given["name"], signature)
        self.add(block, call, "def", schema or name, name_only=not schema and name is not None, tags=self.tags(call))
        self.add(block, call, "impl", name, self.keys(given["device_types"]), function or call)
        if is_triton or self.returned_tag(call):  # PyTorch makes a fake itself, which another one may replace
            self.conditional += 1
            self.add(block, call, "impl", name, ["Meta"], call)
            self.conditional -= 1
        return made

    def tags(self, call):
        """Names of the tags that a call gives to an operator; None where only running the code would tell."""
        out = []
        for keyword in call.keywords:
            if keyword.arg is None:
                return None
            node = self.held(keyword.value) if keyword.arg == "tags" else None
            for one in getattr(node, "elts", [node]) if not is_none(node) else ():
                name = self.names.dotted(one)
                if not name.startswith("torch.Tag."):
                    return None
                out.append(name.rpartition(".")[2])
        return out

    def returned_tag(self, call):
        """"inplace" or "out": the operator returns what it writes to."""
        return next((tag for tag in self.tags(call) or () if tag in ("inplace", "out")), "")

    def named_schema(self, name, signature, given):
        if not name or not signature:
            return None
        return name + signature if not is_none(given["schema"]) else Text(name.value + signature.value, signature.whole)

    def signature_of(self, given, function, tag=""):
        """The schema without the operator's name: as it is given, or as torch.library infers it."""
        if not is_none(given["schema"]):
            schema = self.text(given["schema"])
            return schema if schema and schema.value.lstrip().startswith("(") else None
        if not isinstance(function, ast.FunctionDef):
            return None
        try:
            listed = self.listed(given["mutates_args"])
            mutated = {text.value for text in listed}
            is_word = not isinstance(given["mutates_args"], (ast.Tuple, ast.List, ast.Set, ast.Dict))
            schema = self.annotations.schema(function, "unknown" if is_word and mutated == {"unknown"} else mutated, tag)
        except Unread:
            return None
        return Text(schema, self.source.name_span(function))

    def listed(self, node):
        """The strings of mutates_args."""
        if node is None or self.is_empty(node):
            return []
        return self.names.strings(node)

    def registration(self, word, call, decorated):
        """register_fake and its like; `call` has the operator first."""
        if word in ("register_fake", "impl_abstract"):
            given, _ = self.arguments(call, "op", "func")
            operator, function = self.operator_text(given["op"]), given["func"] or decorated
            self.kernel(call, operator, ["Meta"], function or call)
            use = self.use("fake", call, operator, function, keeps=self.flag(call, "allow_override") is False)
            self.refer_to_unnamed(use, operator, given["op"])
        elif word == "register_kernel":
            self.device_kernel(call, ("op", "device_types", "func"), decorated)
        elif word == "register_autograd":
            self.register_autograd(call, decorated)
        elif word == "register_vmap":
            given, _ = self.arguments(call, "op", "func")
            operator, function = self.operator_text(given["op"]), given["func"] or decorated
            self.kernel(call, operator, ["FuncTorchBatched"], function or call)
            use = self.use("vmap", call, operator, function)
            self.refer_to_unnamed(use, operator, given["op"])

    def register_autograd(self, call, decorated):
        given, unknown = self.arguments(call, "op", "backward")
        operator, function = self.operator_text(given["op"]), given["backward"] or decorated
        setup = next((k.value for k in call.keywords if k.arg == "setup_context"), None)
        refused = ""
        if len(call.args) > 2 and not unknown:
            refused, setup = "positional", call.args[2]
        elif decorated is not None and given["backward"] is None and not unknown:
            refused = "decorator"
        self.kernel(call, operator, ["Autograd"], function or call)
        use = self.use("autograd", call, operator, function, setup=self.reference(setup), refused=refused)
        self.refer_to_unnamed(use, operator, given["op"])

    def of_operator(self, call, decorated):
        """f.register_fake(g), where custom_op made f."""
        word, owner = call.func.attr, call.func.value
        whole = ast.Call(func=call.func, args=[owner, *call.args], keywords=call.keywords)
        self.registration(word, ast.copy_location(whole, call), decorated)

    def bare_decorator(self, node, decorated):
        """@f.register_fake"""
        if self.names.dotted(node.value) in self.operators:
            given = [decorated] if node.attr == "register_autograd" else []
            whole = ast.Call(func=node, args=given, keywords=[])
            self.of_operator(ast.copy_location(whole, node), decorated)

    def called_by_decorator(self, name, decorated):
        """@name"""
        call = ast.copy_location(ast.Call(name, [decorated], []), name)
        call.above = decorated
        self.call(call)

    # -- functions of the project's own

    def gets_as_it_is(self, name):
        """Whether the function with this dotted name is known for what it does with those that it decorates."""
        others = {self.names.imports.get(own, own) for own in self.names.definers}
        return name in others or self.registrar(name) is not None

    def registrar(self, name):
        """The project's description of the function `name`, which may be called by its module or not."""
        for known in self.registrars:
            function = known["function"]
            if name == function or name.endswith("." + function) or function.endswith("." + name):
                return known
        return None

    def own_registration(self, known, call, decorated):
        """direct_register_custom_op(op_name=..., op_func=f): a def, its kernel, and one for Meta if it is given."""
        order = list(known["parameters"])
        here = self.functions.get(known["function"].rpartition(".")[2])
        if here is not None:
            order = [argument.arg for argument in here.args.args]
        words = [known[part] for part in ("name", "kernel", "mutates_args", "fake", "library", "key")]
        given, _ = self.arguments(call, *order, *[word for word in words if word not in order])
        name, kernel, mutates, fake, library, key = (given[word] for word in words)
        function = kernel if kernel is not None else decorated
        word = self.text(name)
        if name is None and isinstance(decorated, (ast.FunctionDef, ast.AsyncFunctionDef)):
            word = Text(decorated.name, self.source.name_span(decorated))
        namespace = known["namespace"]
        if not is_none(library):
            own = self.library(library)
            namespace = own["namespace"] if own else ""
        text = word
        if word and "::" not in word.value:
            text = Text(namespace + "::", word.whole) + word if namespace else None
        typed = self.functions.get(function.id) if isinstance(function, ast.Name) else function
        block = self.block(call, "fragment", self.namespace(text))
        key_texts = [] if is_none(key) else self.key_texts(key)
        use = self.use("registrar", call, text, function, keys=key_texts, devices=True, mutates=self.mutates(None if is_none(mutates) else mutates))
        of_fake = None if is_none(fake) else self.use("fake", call, text, fake)
        stated = {"schema": None, "mutates_args": None if is_none(mutates) else mutates}
        signature = self.signature_of(stated, typed)
        schema = self.named_schema(text, signature, stated)
        if not text:
            self.define_unnamed(use, call, None, signature)
            if of_fake and "unnamed" in use:
                of_fake["unnamed"] = use["unnamed"]
        self.add(block, call, "def", schema or text, name_only=not schema and text is not None)
        keys = [known["default_key"] or None] if is_none(key) else [self.one_key(key)]
        self.add(block, call, "impl", text, keys, function if function is not None else call)
        if not is_none(fake):
            self.add(block, call, "impl", text, ["Meta"], fake)

    # -- libraries that have names

    def imported_libraries(self):
        """Names of other files that are filled as Libraries are."""
        filled = self.filled_names()
        out = set()
        for node in self.names.tree.imports if filled else ():
            if isinstance(node, ast.ImportFrom):
                own = [alias for alias in node.names if (alias.asname or alias.name) in filled]
                out.update("." * node.level + f"{node.module or ''}:{alias.name}" for alias in own)
        return out

    def others_library(self, name):
        """The part of another file's Library that this file fills."""
        if name not in self.libraries:
            node, what = self.names.others_libraries[name]
            namespace, kind, key = what.split("/")
            self.libraries[name] = self.block(node, "impl" if kind == "IMPL" and key else "fragment", namespace, key)
        return self.libraries[name]

    def offered_libraries(self):
        """"lib=namespace/KIND/key" of each that a variable of the module holds."""
        out = []
        for name, call in self.module_libraries(self.tree):
            given, _ = self.arguments(call, "ns", "kind", "dispatch_key")
            words = [self.text(given[word]) for word in ("ns", "kind", "dispatch_key")]
            words = "/".join(word.value if word else "" for word in words)
            if re.fullmatch(r"\w+/\w+/\w*", words):
                out.append(f"{name}={words}")
        return out

    def module_libraries(self, tree):
        """(variable, call of Library) of the module's statements."""
        return [
            (target.id, value)
            for statement in tree.body
            if isinstance(statement, (ast.Assign, ast.AnnAssign))
            for targets, value in bindings_of(statement)
            if self.is_new_library(value)
            for target in targets
            if isinstance(target, ast.Name)
        ]

    def is_handed_on(self, name):
        """A function of the module that is called as custom_op() is, and hands what it gets on to it."""
        function = self.functions.get(name) if name in DEFINING else None
        words = {a.arg for a in parameters_of(function.args)} if function else set()
        if not {"name", "mutates_args"} <= words:
            return False
        for call in walk(function):
            if isinstance(call, ast.Call) and self.names.dotted(call.func) in DEFINING.values():
                given, _ = self.arguments(call, "name", "fn", "mutates_args", "schema")
                same = ("name", "mutates_args", *(["schema"] if "schema" in words else []))
                if all(isinstance(given[word], ast.Name) and given[word].id == word for word in same):
                    return True
        return False

    def is_library(self, node):
        return node is not None and self.library(node) is not None

    def library(self, node):
        if hasattr(node, "block"):  # the owner of a method, as it was when the method got another name
            return node.block
        node = self.meant(node.value if isinstance(node, ast.NamedExpr) else node)
        if self.is_new_library(node):
            return self.library_of(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            made = self.returned_library(self.functions.get(node.func.id))
            return self.library_of(made) if made is not None else None
        if isinstance(node, ast.Name) and node.id in self.names.others_libraries:
            return self.others_library(node.id)
        return self.libraries.get(self.held_as(node)) if self.libraries else None

    @staticmethod
    def held_as(node):
        """What a variable, a member or an element is called where Libraries are kept."""
        return ast.unparse(node) if isinstance(node, ast.Subscript) else spelled(node)

    def returned_library(self, function):
        """The call that makes what a function of the module gives back, where that is always the same Library."""
        if function is None or "Library" not in self.source.string:
            return None
        if function not in self.givers:
            self.givers[function] = self.find_returned(function)
        return self.givers[function]

    def find_returned(self, function):
        nodes = list(own_nodes(function))
        values = [node.value for node in nodes if isinstance(node, ast.Return)]
        kept = {ast.unparse(value) for value in values if isinstance(value, (ast.Name, ast.Attribute))}
        made = [value for value in values if self.is_new_library(value)]
        made += [
            node.value
            for node in nodes
            if isinstance(node, ast.Assign) and self.is_new_library(node.value)
            for target in node.targets
            if isinstance(target, (ast.Name, ast.Attribute)) and ast.unparse(target) in kept
        ]
        return made[0] if len(made) == 1 and len(kept) + any(value is made[0] for value in values) == 1 else None

    def without_first(self, call):
        rest = ast.Call(func=call.func, args=call.args[1:], keywords=call.keywords)
        return ast.copy_location(rest, call)

    # -- the walk

    def find_way(self):
        """The nodes that lead to something that may register."""
        words = {*FILLING, *OF_OPERATORS, *(known["function"].rpartition(".")[2] for known in self.registrars), *self.wrappers}
        words.update(self.names.definers)
        found = [*self.names.api_calls(), *self.names.calls_of(words), *self.ways_of_methods()]
        for function in self.names.tree.of(*FUNCTIONS):
            found += [d for d in function.decorator_list if isinstance(d, ast.Attribute) and d.attr in OF_OPERATORS]
        partials = [call for call in self.names.calls_of(("partial",)) if self.is_partial_of_api(call)]
        held = {name for name, value in self.names.constants.items() if value in partials} if partials else ()
        found += [*partials, *(self.names.calls_of(held) if held else ())]
        found += [d for function in self.names.tree.of(*FUNCTIONS) for d in function.decorator_list if isinstance(d, ast.Name) and d.id in held]
        kinds = (ast.BoolOp, ast.IfExp, ast.Name, ast.Attribute)
        found += [node for node in self.names.tree.of(ast.Assign, ast.AnnAssign) if isinstance(node.value, kinds)]
        way = set()
        for node in found:
            while node is not None and node not in way:
                way.add(node)
                node = getattr(node, "above", None)
        return way

    def visit(self, node):
        if node not in self.way:
            return None
        if node in self.reads:
            self.count_reads(node)
        handler = self.HANDLERS.get(type(node))
        return handler(self, node) if handler is not None else self.generic_visit(node)

    def generic_visit(self, node):
        for child in children(node):
            self.visit(child)

    def call(self, call, decorated=None):
        """What the call makes: a block, the name of an operator, or None."""
        call = self.called_method(self.applied_partial(call, decorated))
        hidden = self.hidden_block(call)
        if hidden is not None:
            return self.add(hidden, call, "def", None)
        if isinstance(call.func, ast.Call):  # custom_op("ns::f", mutates_args=())(f)
            return self.call(call.func, call.args[0] if call.args else None)
        name = self.names.dotted(call.func)
        word = name[len("torch.library.") :] if name.startswith("torch.library.") else ""
        if name in MAKING_LIBRARIES:
            return self.library_of(call)
        self.refuse_arguments(call)
        if word == "define":
            self.define(call)
        elif word == "impl":
            self.impl(call, decorated)
        elif word in ("custom_op", "triton_op"):
            return self.custom_op(call, decorated)
        elif word:
            self.registration(word, call, decorated)
        elif name and (own := self.registrar(name)):
            self.own_registration(own, call, decorated)
        elif isinstance(call.func, ast.Name) and call.func.id in self.names.definers and not self.is_bound_again(call.func.id):
            return self.define_by_other(call, decorated)
        elif name in self.wrappers:
            self.follow(self.wrappers[name], call, decorated)
        elif isinstance(call.func, ast.Attribute):
            if self.is_library(call.func.value):
                self.library_call(self.library(call.func.value), call.func.attr, call, decorated)
            elif self.names.dotted(call.func.value) in self.operators:
                self.of_operator(call, decorated)
            elif call.func.attr == "impl" and spelled(call.func.value) in self.nameless:
                given, _ = self.arguments(call, "op_name", "fn", "dispatch_key")
                self.use("library-kernel", call, None, given["fn"] or decorated, keys=self.key_texts(given["dispatch_key"]))
            elif call.func.attr == "define" and spelled(call.func.value) in self.nameless or self.fills_library(call):
                self.library_call(self.block(call, "fragment", ""), call.func.attr, call, decorated)
        return None

    def applied_partial(self, call, decorated):
        """`register_fake("ns::f", f)` of `@functools.partial(register_fake, "ns::f")`, and of a call of a variable that
        holds the partial; the call itself of any other."""
        held = self.held_partial(call.func)
        if held is not None:
            return self.with_first(held, call.args, call.keywords, call)
        return self.with_first(call, [decorated], [], call) if decorated is not None and self.is_partial_of_api(call) else call

    @staticmethod
    def with_first(partial, arguments, keywords, call):
        given = {keyword.arg for keyword in keywords}
        keywords = [*(keyword for keyword in partial.keywords if keyword.arg not in given), *keywords]
        whole = ast.copy_location(ast.Call(partial.args[0], [*partial.args[1:], *arguments], keywords), call)
        whole.above = call.above
        return whole

    def is_partial_of_api(self, call):
        return isinstance(call, ast.Call) and self.is_partial(call) and self.table.applied(call).startswith("torch.library.")

    def held_partial(self, function):
        """The partial of a function of torch.library that a variable of the module holds."""
        is_held = isinstance(function, ast.Name) and not self.names.is_local(function)
        held = self.names.constants.get(function.id) if is_held else None
        return held if held is not None and self.is_partial_of_api(held) else None

    def refuse_arguments(self, call):
        """Notes those for which the function has no parameter."""
        for kind, node, name, near in refused(self.names, call):
            at = self.source.span(node)
            exact = [at[0], len(name.encode())] if kind != "position" else at
            text = Text(name, exact, [[0, exact[1], exact[0]]] if kind != "position" else ())
            use = self.use("argument", call, text, expression=kind, keys=[self.placed(Text(one, at)) for one in near])
            use["at"] = Span(at)

    def chosen_library(self, value):
        """The one that `lib or Library(...)` makes, and `Library(...) if lib is None else lib`; `value` of anything else."""
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else getattr(value, "values", [])
        made = [part for part in parts if self.is_new_library(part)] if isinstance(value, (ast.IfExp, ast.BoolOp)) else []
        return made[0] if len(made) == 1 else value

    def may_be_library(self, value):
        """`given or lib`: which one it is depends on the call."""
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else getattr(value, "values", [])
        return isinstance(value, (ast.IfExp, ast.BoolOp)) and any(isinstance(part, ast.Name) and self.is_library(part) for part in parts)

    def visit_Assign(self, node):
        for targets, value in bindings_of(node):
            self.bind(targets, value)

    visit_AnnAssign = visit_Assign

    def visit_NamedExpr(self, node):
        self.bind([node.target], node.value)

    def bind(self, targets, value):
        """What the targets stand for from here on, if it is a Library or an operator."""
        value = self.chosen_library(value)
        if self.may_be_library(value):
            self.nameless.update(spelled(target) for target in targets)
        if self.keep_method(targets, value):
            return None
        if isinstance(value, (ast.Name, ast.Attribute)):
            known = self.library(value) or self.later_library(targets, value)
            return self.keep_library(targets, known) if known is not None else None
        if not isinstance(value, ast.Call):
            return self.visit(value)
        made = self.call(value)
        if made is None and self.is_new_library(value):
            self.nameless.update(spelled(target) for target in targets)
        if isinstance(made, dict):
            return self.keep_library(targets, made)
        if isinstance(made, str):
            self.operators.update({target.id: made for target in targets if isinstance(target, ast.Name)})
        return None

    def later_library(self, targets, value):
        """Of a variable that the module sets behind the function that uses it."""
        is_filled = any(spelled(target) in self.filled_names() for target in targets)
        call = self.maker(value, value, 0) if is_filled else None
        return self.library_of(call) if call is not None else None

    def keep_library(self, targets, block):
        for target in targets:
            name = self.held_as(target)
            if not name:  # a member of what a call makes
                continue
            self.libraries[name] = block
            if self.scopes and isinstance(self.scopes[-1], ast.ClassDef) and isinstance(target, ast.Name):
                self.libraries.update({f"{owner}.{name}": block for owner in (self.scopes[-1].name, "cls", "self")})

    def visit_With(self, node):
        for item in node.items:
            if isinstance(item.context_expr, ast.Call) and item.optional_vars is not None:
                made = self.call(item.context_expr)
                if isinstance(made, dict):
                    self.keep_library([item.optional_vars], made)
        for statement in node.body:
            self.visit(statement)

    def visit_Call(self, node):
        self.call(node)
        if not isinstance(node.func, ast.Call):
            self.generic_visit(node)

    def visit_BinOp(self, node):
        """One after the other: sums may have thousands of operands."""
        operands = []
        while isinstance(node, ast.BinOp):
            operands.append(node.right)
            node = node.left
        for operand in [node, *reversed(operands)]:
            self.visit(operand)

    def find_wrappers(self, tree):
        """Functions of the module that hand a string to torch.library, as decorators of a project's own do."""
        self.wrappers, inside = {}, {}
        made = {name for name, _ in self.module_libraries(tree)}
        made |= set(self.names.others_libraries)
        for call in {*self.names.api_calls(), *self.names.calls_of(FILLING)}:
            if self.may_register(call, made):
                top = call
                while top.above is not tree:
                    top = top.above
                inside.setdefault(top, []).append(call)
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef):
                continue
            names = {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]}
            registers = inside.get(node, [])
            passed = {n.id for call in registers for a in call.args[:1] for n in walk(a) if isinstance(n, ast.Name)}
            if names & passed and not self.registrar(node.name) and node.name in self.used_names():
                self.wrappers[node.name] = node

    def used_names(self):
        """Names that are read; what the module never names is called by other files, if at all."""
        if self.used is None:
            self.used = {node.id for node in self.names.tree.of(ast.Name) if isinstance(node.ctx, ast.Load)}
        return self.used

    def is_new_library(self, node):
        return isinstance(node, ast.Call) and self.names.dotted(node.func) in MAKING_LIBRARIES

    def may_register(self, call, libraries):
        """torch.library.impl(...), and lib.impl(name, f) of a Library that the module holds."""
        function = call.func
        if self.names.dotted(function).startswith("torch.library."):
            return True
        if not (isinstance(function, ast.Attribute) and function.attr in FILLING):
            return False
        owner = function.value
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name):
            return self.returned_library(self.functions.get(owner.func.id)) is not None
        return isinstance(owner, ast.Name) and owner.id in libraries

    def follow(self, function, call, decorated=None):
        """What a wrapper does for the strings that it is called with."""
        if self.followed >= MOST_CALLS:
            return
        given, _ = self.arguments(call, *[a.arg for a in [*function.args.args, *function.args.kwonlyargs]])
        given = {name: self.meant(node) for name, node in {**defaults_of(function), **without_nones(given)}.items()}
        inner = [node for node in function.body if isinstance(node, ast.FunctionDef) and node.args.args]
        if decorated is not None and len(inner) == 1:
            given[inner[0].args.args[0].arg] = decorated
        kept = self.names.bound, self.names.texts, self.libraries, self.made, self.bound_nodes
        first_use = len(self.uses)
        self.bound_nodes = {name: node for name, node in given.items() if node is not None}
        bound = {name: self.word(node) for name, node in given.items() if node is not None}
        self.names.bound = {name: text for name, text in bound.items() if text}
        self.names.texts, self.libraries, self.made = {}, dict(self.libraries), {}
        self.followed += 1
        here, known = len(self.blocks), [len(block["entries"]) for block in self.blocks]
        given_to = self.decorations(function, decorated)
        for node in walk(function):
            choices = sum(isinstance(one, (ast.If, ast.Try, ast.IfExp)) for one in above(node))
            choices -= sum(isinstance(one, (ast.If, ast.Try, ast.IfExp)) for one in above(function))
            self.conditional += choices
            self.count_reads(node)
            if node in self.kept_methods:
                self.visit_Assign(node)
            elif isinstance(node, ast.Assign) and self.is_library(node.value):
                self.libraries.update({ast.unparse(target): self.library(node.value) for target in node.targets})
            elif isinstance(node, ast.Assign) and self.is_new_library(node.value):
                self.nameless.update(spelled(target) for target in node.targets)
            elif isinstance(node, ast.Call) and self.names.dotted(node.func).startswith("torch.library."):
                self.call(node, given_to.get(node))
            elif isinstance(node, ast.Call) and self.called_method(node) is not node:
                self.call(node, given_to.get(node))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if self.is_library(node.func.value) or spelled(node.func.value) in self.nameless:
                    self.call(node, given_to.get(node))
                elif self.names.dotted(node.func.value) in self.operators:
                    self.of_operator(node, given_to.get(node))
            elif isinstance(node, ast.Attribute) and node in given_to:
                self.bare_decorator(node, given_to[node])
            self.conditional -= choices
        self.followed -= 1
        self.names.bound, self.names.texts, self.libraries, self.made, self.bound_nodes = kept
        for use in self.uses[first_use:]:
            use["at"], use["in_function"] = Span(self.source.span(call)), self.in_function > 0
        # Each is told of where the wrapper is called.
        for block in self.blocks[here:]:
            block["at"] = self.source.span(call)
        known += [0] * (len(self.blocks) - here)
        for block, first in zip(self.blocks, known):
            for entry in block["entries"][first:]:
                entry["at"] = entry["use"] = self.source.span(call)

    @staticmethod
    def decorations(function, decorated):
        """What the decorators in a wrapper decorate; one that it returns gets what the wrapper itself decorates."""
        out = {d: inner for inner in walk(function) if isinstance(inner, FUNCTIONS) for d in inner.decorator_list}
        returned = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
        if decorated is not None and len(returned) == 1:
            out[returned[0]] = decorated
        return out

    def visit_FunctionDef(self, node):
        # What they do is known of each call.
        if self.wrappers.get(node.name) is node or self.registrar(node.name):
            return
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call):
                self.call(decorator, node)
            elif isinstance(decorator, ast.Attribute):
                self.bare_decorator(decorator, node)
            elif self.held_partial(decorator) is not None:
                self.called_by_decorator(decorator, node)
        self.scopes.append(node)
        kept = self.take_given(node)
        if self.is_surely_called(node):
            for part in node.body:
                self.visit(part)
        else:
            self.in_function += 1
            self.visit_conditional(node, node.body)
            self.in_function -= 1
        self.libraries.update(kept)
        self.scopes.pop()

    def take_given(self, function):
        """Binds the parameters that hold a Library; returns what they meant before."""
        given = self.given_libraries(function)
        kept = {name: self.libraries.get(name) for name in given}
        for name, call in given.items():
            self.libraries[name] = self.library_of(call) if call is not None else self.block(function, "fragment", "")
        return kept

    def visit_ClassDef(self, node):
        self.scopes.append(node)
        self.generic_visit(node)
        self.scopes.pop()

    def is_surely_called(self, function):
        """The module calls it by a statement of its own, and it goes on to its end."""
        return (
            function.name in self.called
            and function in self.at_top
            and self.functions.get(function.name) is function
            and not any(isinstance(node, (ast.Return, ast.Raise, ast.Yield)) for node in own_nodes(function))
        )

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_conditional(self, node, parts):
        self.conditional += 1
        for part in parts:
            self.visit(part)
        self.conditional -= 1

    def visit_If(self, node):
        guard = operator_guards(node.test, self.names)
        if guard is None:
            return self.visit_conditional(node, [*node.body, *node.orelse])
        for part, holds in ((node.body, guard[1]), (node.orelse, not guard[1])):
            self.guards.append({"op": guard[0], "exists": holds})
            self.visit_conditional(node, part)
            self.guards.pop()
        return None

    def visit_For(self, node):
        rows = self.rows(node.target, node.iter)
        if rows is None:
            return self.visit_conditional(node, [*node.body, *node.orelse])
        leaves = any(isinstance(part, (ast.Break, ast.Continue, ast.Return)) for part in walk(node))
        self.conditional += leaves
        self.visit_rows(node.body, rows)
        for part in node.orelse:
            self.visit(part)
        self.conditional -= leaves
        return None

    def visit_Comprehension(self, node):
        """`[lib.impl(name, f) for name, f in TABLE.items()]`"""
        only = node.generators[0]
        rows = None
        if len(node.generators) == 1 and not only.ifs and any(isinstance(part, ast.Call) for part in walk(node.elt)):
            rows = self.rows(only.target, only.iter)
        if rows is None:
            return self.generic_visit(node)
        self.visit_rows([node.elt], rows)
        return None

    def visit_rows(self, body, rows):
        rounds = self.rounds
        self.rounds *= max(1, len(rows))
        for row in rows:
            self.visit_row(body, row)
        self.rounds = rounds

    def visit_row(self, body, row):
        kept = self.names.bound, self.names.texts, self.made, self.bound_nodes
        texts = {name: self.word(value) for name, value in row.items()}
        self.bound_nodes = {**self.bound_nodes, **{name: self.meant(value) for name, value in row.items()}}
        # What the variable of an outer loop or a wrapper is called does not count here.
        outer = {name: text for name, text in self.names.bound.items() if name not in row}
        self.names.bound = {**outer, **{name: text for name, text in texts.items() if text}}
        self.names.texts, self.made = {}, dict(self.made)
        for part in body:
            self.visit(part)
        self.names.bound, self.names.texts, self.made, self.bound_nodes = kept

    def visit_While(self, node):
        self.visit_conditional(node, [*node.body, *node.orelse])

    def visit_Try(self, node):
        handlers = [part for handler in node.handlers for part in handler.body]
        self.visit_conditional(node, [*node.body, *handlers, *node.orelse, *node.finalbody])

    HANDLERS = {
        ast.Assign: visit_Assign, ast.AnnAssign: visit_Assign, ast.NamedExpr: visit_NamedExpr, ast.With: visit_With,
        ast.Call: visit_Call, ast.BinOp: visit_BinOp,
        ast.FunctionDef: visit_FunctionDef, ast.AsyncFunctionDef: visit_FunctionDef, ast.ClassDef: visit_ClassDef,
        ast.If: visit_If, ast.For: visit_For, ast.While: visit_While, ast.Try: visit_Try,
        ast.ListComp: visit_Comprehension, ast.SetComp: visit_Comprehension, ast.GeneratorExp: visit_Comprehension,
    }  # fmt: skip


def without_nones(given):
    return {name: node for name, node in given.items() if node is not None}


def names_of(word):
    """What `word` may be called in torch.library."""
    return ["torch.library." + word, *(["torch.library.impl_abstract"] if word == "register_fake" else [])]


def read(name, data, registrars, mode="", **asked):
    """Both parts of the answer."""
    out, facts = {"file": name, "error": "", "blocks": [], "bodies": [], "imports": [], "types": [], "aliases": []}, None
    out.update(together=[], choices=[])
    try:
        source = Source(data)
        if mode == "compile":
            compile(source.string, "<text>", "exec", dont_inherit=True)
        tree = ast.parse(source.string)
        if mode == "imports":
            choices = Choices(tree, Names(tree, source))
            out.update(together=choices.together, choices=choices.choices)
            return out, None
        reader = Reader(tree, source, registrars, **asked)
        blocks = source.in_file(reader.blocks)
        facts = {"uses": reader.uses, "libraries": reader.library_facts(), "apis": reader.api_uses()}
        facts["classes"] = reader.table.autograd_classes()
        facts["offers"] = reader.offers
        facts["bodies"] = bodies(reader)
        facts["shapes"] = shapes(reader)
        facts["backends"] = reader.backends()
        facts["script"] = reader.is_script()
        facts["functions"] = reader.table.facts
        facts = source.facts_in_file(facts)
        out.update(blocks=blocks, bodies=[lean(body) for body in facts.pop("bodies")], imports=reader.imported(), types=reader.types)
        handed = [name for name in reader.offers if reader.names.imports.get(name, "") in names_of(name) or reader.is_handed_on(name)]
        out["aliases"] = sorted(handed + reader.offered_definers() + reader.offered_libraries())
    except SyntaxError as error:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        # What is wrong with the text as a whole has no place.
        place = f"{error.lineno}:{error.offset or 0}: " if error.lineno else ""
        out["error"] = f"{place}Python {version} reports: {error.msg}"
    except UnicodeDecodeError as error:
        lines = data[: error.start].split(b"\n")
        out["error"] = f"{len(lines)}:{len(lines[-1]) + 1}: the text is not valid {error.encoding}"
    except MemoryError:
        out["error"] = "reading the file took too much memory"
    except RecursionError:
        out["error"] = "the code is nested too deeply"
    except Exception as error:  # whatever it is, the other files are read
        out["error"] = f"{type(error).__name__}: {error}"
    return out, lean(facts) if facts and not out["error"] else None


def texts(names, stream):
    """(name, text, what others use of it and register) of each file."""
    for name in names:
        with open(name, "rb") as file:
            yield name, file.read(), {}
    while not names and (head := stream.readline()):
        length, *lists = head.decode().rstrip("\n").split(" ")
        yield "", stream.read(int(length)), dict(zip(("wanted", "types", "aliases"), (words.split(",") if words else [] for words in lists)))


def lean(value):
    """Facts without what is false or empty, which is what it is by default where it is not there; numbers stay."""
    out = {}
    for key, part in value.items():
        kind = part.__class__
        if not part:
            if kind is int:
                out[key] = part
        elif kind is dict:
            out[key] = lean(part)
        elif kind is list and part[0].__class__ is dict:
            out[key] = [lean(one) for one in part]
        else:
            out[key] = part
    return out


def answer(name, data, registrars, mode, asked):
    return "\n".join(map(ENCODER.encode, read(name, data, registrars, mode, **asked)))


def main():
    sys.setrecursionlimit(10000)
    # Trees have cycles, which are looked for after some of them, and not while one is made.
    gc.disable()
    size = 0
    seconds, _, mode = sys.argv[1].partition(" ")
    seconds = float(seconds)
    registrars = json.loads(sys.argv[2])
    for name, data, asked in texts(sys.argv[3:], sys.stdin.buffer):
        # Nothing catches its signal, not even where Python itself takes the time.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        print(answer(name, data, registrars, mode, asked), flush=True)
        size += len(data)
        if size > COLLECTED:
            gc.collect()
            size = 0
    # The system takes back the trees faster than Python does.
    os._exit(0)


if __name__ == "__main__":
    main()
