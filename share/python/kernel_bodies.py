# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions of a Python module do with their tensors, and with the sizes of them.

the table of functions => Bodies: values, calls, writes and returns, as opsig/Frontend/BodyFlow.h has them of C++

    BODY: {"function": number in the table, "name", "name_at", "parameters": how many, "values": [VALUE ...],
           "calls": [CALL ...], "writes": [[value, PLACE] ...], "returns": [[value, PLACE] ...], "escapes": [value ...],
           "complete", "finishes", "shapes": [SHAPE ...]}
    VALUE: [kind, index, [values it is made of]]; kinds are those of FlowValue, the first value is none, the next are
           the parameters
    CALL: {"callee": "torch.Tensor.add_", "torch.add_out"; "" where it is not known, "args": [[name, position, value] ...],
           "keywords": [names], "function": number in the table of the one that is called, or -1, "at", "import": the
           dotted name of one of another file, "launch": a kernel of Triton, as REFERENCE has it; arguments by name have
           no position}
    SHAPE: {"function", "kind": "number": int() of a size, "value": an element is read, "branch": a condition on
            elements, "size": a parameter is one, "parameter": whose, by number, "at", "what",
            "instead": what can stand in its place, or null}

Code that is not understood loses its values from sight (escapes), so that it leads to silence, not to a wrong finding.
"""
import ast

from python_functions import FUNCTIONS, goes_on
from python_results import SIZED, SIZED_METHODS
from python_sizes import Sizes
from python_text import Span, above, children, walk
from triton_stores import LOST, SURE, is_triton, triton_kernel, triton_kernels

# FlowValue::Kind
NONE, PARAMETER, RESULT, PART, TUPLE, ONE_OF = range(6)
ANY_PART = 0xFFFFFFFF
# Longer bodies are not those of kernels.
MOST_VALUES = 20000
# Attributes that share a tensor's memory, and the operators that do the same.
VIEWS = {"data": "detach", "T": "permute", "mT": "transpose", "H": "transpose", "mH": "transpose", "real": "real",
         "imag": "view_as_real"}  # fmt: skip
# Methods that tell something about a tensor, and give no memory away.
TELLING = {
    "size", "numel", "dim", "stride", "nelement", "ndimension", "element_size", "storage_offset", "get_device",
    "data_ptr", "has_names", "is_contiguous", "item", "tolist", "__len__",
}  # fmt: skip
# `x += y` as a call.
WRITING = {
    "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__", "__ipow__", "__iand__", "__ior__",
    "__ixor__", "__ilshift__", "__irshift__",
}  # fmt: skip
READING = {"item", "tolist"}
# Functions that only look at what they are given.
LOOKING = {
    "len", "int", "float", "bool", "str", "repr", "print", "isinstance", "type", "range", "max", "min", "sum", "abs", "id",
    "hasattr", "round", "any", "all", "hash", "format", "issubclass", "callable", "math.ceil", "math.floor", "math.sqrt",
    "math.prod", "math.log2", "triton.cdiv", "triton.next_power_of_2", "torch._check", "torch.is_tensor", "torch.sym_int",
    "torch._check_is_size", "torch.is_floating_point", "torch.numel", "torch.broadcast_shapes", "torch.finfo", "torch.iinfo",
}  # fmt: skip
# Of an element, whatever the tensor.
JUDGING = {"any", "all", "sum", "max", "min", "mean", "amax", "amin", "argmax", "argmin", "count_nonzero", "prod", "norm"}
# Of torch.nn.functional: they return their argument outside of training; and whether they are in training by default.
DROPOUTS = {
    "dropout": True, "dropout1d": True, "dropout2d": True, "dropout3d": True,
    "alpha_dropout": False, "feature_alpha_dropout": False,
}  # fmt: skip
# What gives back the kernel of Triton that it gets, and what makes such a function.
WRAPPING = ("wrap_triton", "capture_triton")
MAKING = ("triton.autotune", "triton.heuristics")
# Modules that are no project's own.
FOREIGN = ("torch.", "triton.", "numpy.", "math.", "typing.", "functools.", "os.", "collections.", "logging.", "warnings.")


class Body(Sizes):
    """One function, statement by statement."""

    def __init__(self, table, number, tree):
        self.tree = tree
        self.table, self.names, self.source = table, table.names, table.source
        self.node, self.facts = table.nodes[number], table.facts[number]
        # The innermost first.
        self.functions = [self.node, *(one for one in above(self.node) if isinstance(one, (*FUNCTIONS, ast.Lambda)))]
        self.number = number
        self.values = [[NONE, 0, []]]
        self.calls, self.writes, self.returns, self.escapes, self.shapes, self.handed = [], [], [], set(), [], []
        self.complete = self.facts["form"] in ("function", "lambda")
        self.variables, self.sizes = {}, {}
        self.lists, self.depth, self.returned = set(), 0, False
        for index, parameter in enumerate(self.facts["parameters"]):
            self.values.append([PARAMETER, index, []])
            if parameter["kind"] not in ("star", "stars"):
                self.variables[parameter["name"]] = index + 1
            if parameter["type"] and "[]" in parameter["type"]["word"]:
                self.lists.add(index + 1)

    def read(self):
        if is_triton(self.table, self.node):
            self.launched()
        elif isinstance(self.node, ast.Lambda):
            self.give_back(self.node.body, self.node.body)
        else:
            self.block(self.node.body)
        if len(self.values) > MOST_VALUES:
            self.complete = False
        return {
            "function": self.number,
            "name": self.facts["qualified"],
            "name_at": Span(self.facts["name_at"]),
            "parameters": len(self.facts["parameters"]),
            "values": self.values,
            "calls": self.calls,
            "writes": self.writes,
            "returns": self.returns,
            "escapes": sorted(self.escapes - {0}),
            "complete": self.complete,
            "finishes": bool(self.returns) or self.facts["falls_off"],
            "handed": self.handed,
        }  # fmt: skip

    def launched(self):
        """A kernel of Triton, for the files that launch it."""
        self.complete = True
        order, stores = triton_kernel(self.table, self.node)
        for name in order:
            self.store_by_kernel(self.variables[name], stores.get(name), Span(self.facts["name_at"]))

    def store_by_kernel(self, value, how, place):
        """What a kernel of Triton does to one that it gets."""
        if how == LOST:
            self.escape(value)
        elif how is not None and value:
            # That it may be no tensor at all leaves the finding at "may write".
            self.writes.append([value if how == SURE else self.value(ONE_OF, 0, [NONE, value]), place])

    # -- values

    def place(self, node):
        return Span(self.source.span(node))

    def value(self, kind, index=0, made_of=()):
        self.values.append([kind, index, list(made_of)])
        return len(self.values) - 1

    def one_of(self, values):
        values = list(dict.fromkeys(values))
        return values[0] if len(values) == 1 else self.value(ONE_OF, 0, values)

    def part(self, value, index):
        if value and self.values[value][0] == TUPLE and index < len(self.values[value][2]):
            return self.values[value][2][index]
        return self.value(PART, index, [value]) if value else 0

    def element_of(self, value, index, node):
        """Of a list a part, of a tensor a view: the annotation says which it is, or else the schema."""
        if self.values[value][0] == PARAMETER and value not in self.lists:
            return self.view(value, "select", node)
        return self.part(value, index)

    def escape(self, *values):
        self.escapes.update(values)

    def write(self, value, node):
        if value:
            self.writes.append([value, self.place(node)])

    def root(self, value):
        """The parameter that a value was made of, by its number; None for none."""
        for _ in range(64):
            kind, index, made_of = self.values[value]
            if kind == PARAMETER:
                return index
            if kind == RESULT and self.calls[index]["args"]:
                value = self.calls[index]["args"][0][2]
            elif kind in (PART, ONE_OF) and made_of:
                value = made_of[0]
            else:
                return None
        return None

    def shape(self, kind, root, node, what, instead=None):
        if root is not None:
            place = self.place(node)
            if all(known["at"] != place for known in self.shapes):
                shape = {"function": self.number, "kind": kind, "parameter": root, "at": place, "what": what}
                self.shapes.append({**shape, "instead": instead})

    # -- statements

    def block(self, statements):
        self.depth += 1
        for statement in statements:
            if len(self.values) > MOST_VALUES:
                break
            handler = getattr(self, "do_" + type(statement).__name__, None)
            if handler is None:
                self.lose(statement)
                self.complete = False
            else:
                handler(statement)
        self.depth -= 1

    def lose(self, node):
        """Whatever it names may be changed by it."""
        for part in walk(node):
            if isinstance(part, ast.Name):
                self.escape(self.variables.get(part.id, 0))

    def do_Expr(self, node):
        self.note_handed(node.value)
        self.see(node.value)

    def note_handed(self, node):
        """`torch.ops.ns.f(x, y)` as a statement of the body itself, or its result; also where custom_op made f of the function."""
        if self.depth != 1 or self.returned or not isinstance(node, ast.Call) or node.keywords:
            return
        name = self.own_operator(node) or self.names.dotted(node.func)
        given = [self.variables.get(a.id, 0) if isinstance(a, ast.Name) else 0 for a in node.args]
        if name.startswith("torch.ops.") and given == list(range(1, len(self.facts["parameters"]) + 1)):
            args = [["", number, value] for number, value in enumerate(given)]
            self.handed.append({"callee": name, "args": args, "keywords": [], "function": -1, "at": self.place(node)})

    def own_operator(self, call):
        """"torch.ops.ns.f" of a call of what the decorator of the function makes of it; "" of any other."""
        known = self.table.operators.get(call.func.id, "") if isinstance(call.func, ast.Name) else ""
        if "::" not in known or self.is_local(call.func.id) or not isinstance(self.node, FUNCTIONS) or self.node.name != call.func.id:
            return ""
        defines = any(self.table.defines(decorator) for decorator in self.node.decorator_list)
        return "torch.ops." + known.replace("::", ".") if defines and self.own_function(call) == (self.number, 0) else ""

    def do_Return(self, node):
        self.note_handed(node.value)
        self.returned = True
        if node.value is not None:
            self.give_back(node.value, node)

    def give_back(self, value, node):
        self.returns.append([self.see(value), self.place(node)])

    def do_Assign(self, node):
        self.note_handed(node.value)
        value = self.see(node.value)
        sizes = [self.size_of_assigned(target, node.value) for target in node.targets]
        for target, found in zip(node.targets, sizes):
            self.store(target, value, node)
            self.note_sizes_of(target, found)

    def do_AnnAssign(self, node):
        if node.value is not None:
            found = self.size_of_assigned(node.target, node.value)
            self.store(node.target, self.see(node.value), node)
            self.note_sizes_of(node.target, found)

    def store(self, target, value, node):
        if isinstance(target, ast.Name):
            self.variables[target.id] = value
            self.sizes.pop(target.id, None)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for index, element in enumerate(target.elts):
                if isinstance(element, ast.Starred):
                    self.store(element.value, value, node)
                else:
                    self.store(element, self.element_of(value, index, target), node)
        elif isinstance(target, ast.Subscript):
            base = self.see(target.value)
            self.see(target.slice)
            # Of a list an element is another tensor now; of a tensor it is written.
            if base not in self.lists and not self.is_local_list(base):
                self.write(base, node)
            else:
                self.escape(value)
        else:
            self.escape(value)
            self.lose(target)

    def is_local_list(self, value):
        return self.values[value][0] == TUPLE

    def do_AugAssign(self, node):
        self.see(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            value = self.variables.get(target.id, 0)
            if value not in self.lists and not self.is_local_list(value):
                self.write(value, node)
        elif isinstance(target, ast.Subscript):
            base = self.see(target.value)
            self.write(self.part(base, ANY_PART) if base in self.lists else base, node)
        else:
            self.lose(target)

    def do_If(self, node):
        self.condition(node.test)
        self.branches([node.body, node.orelse])

    def branches(self, blocks):
        """Each begins with what the variables hold now."""
        before, ends = dict(self.variables), []
        for block in blocks:
            self.variables = dict(before)
            self.block(block)
            if goes_on(block):
                ends.append(self.variables)
        self.join(ends or [before])

    def join(self, ends):
        names = dict.fromkeys(name for end in ends for name in end)
        self.variables = {name: self.one_of([end.get(name, 0) for end in ends]) for name in names}

    def loop(self, node, enter):
        for _ in range(2):  # what one round leaves, the next one finds
            before = dict(self.variables)
            enter()
            self.block(node.body)
            self.join([before, self.variables])
        self.block(node.orelse)

    def do_For(self, node):
        over = self.see(node.iter)
        self.loop(node, lambda: self.enter(node, over))

    def enter(self, node, over):
        self.store(node.target, self.element(over, node.iter), node)
        self.note_loop(node.target, node.iter)

    def element(self, over, node):
        """What a loop gets of it."""
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if is_call and node.func.id in ("zip", "enumerate") and not node.keywords:
            of = [self.element_of(self.see(argument), ANY_PART, argument) for argument in node.args]
            return self.value(TUPLE, 0, of if node.func.id == "zip" else [0, *of])
        return self.element_of(over, ANY_PART, node)

    def do_While(self, node):
        self.loop(node, lambda: self.condition(node.test))

    def do_With(self, node):
        for item in node.items:
            value = self.see(item.context_expr)
            if item.optional_vars is not None:
                self.store(item.optional_vars, value, node)
        self.block(node.body)

    def do_Try(self, node):
        self.branches([node.body + node.orelse, *[handler.body for handler in node.handlers]])
        self.block(node.finalbody)

    def do_Assert(self, node):
        self.condition(node.test)

    def do_Raise(self, node):
        pass

    do_Pass = do_Import = do_ImportFrom = do_Global = do_Break = do_Continue = do_Raise

    def do_Delete(self, node):
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.variables.pop(target.id, None)

    def do_FunctionDef(self, node):
        self.lose(node)

    do_AsyncFunctionDef = do_ClassDef = do_FunctionDef

    # -- expressions

    def see(self, node):
        """The value of an expression, 0 for one that shares no memory with a parameter."""
        handler = SEEN_BY.get(node.__class__)
        if handler is not None:
            return handler(self, node)
        for child in children(node):
            self.see(child)
        return 0

    def see_Name(self, node):
        return self.variables.get(node.id, 0)

    def see_Constant(self, node):
        return 0

    def see_Attribute(self, node):
        value = self.see(node.value)
        return self.view(value, VIEWS[node.attr], node) if value and node.attr in VIEWS else 0

    def view(self, value, operator, node):
        return self.called("torch.Tensor." + operator, [["self", 0, value]], node)

    def see_Subscript(self, node):
        base = self.see(node.value)
        self.see(node.slice)
        if not base:
            return 0
        index = node.slice
        number = index.value if isinstance(index, ast.Constant) and type(index.value) is int else None
        if base in self.lists or self.values[base][0] in (TUPLE, PART, RESULT) and number is not None:
            return self.part(base, number if number is not None and number >= 0 else ANY_PART)
        if number is not None:
            return self.view(base, "select", node)
        if self.is_basic(index):
            return self.view(base, "slice", node)
        # By a tensor it is a copy, by a number no.
        return self.one_of([0, self.view(base, "slice", node)])

    def is_basic(self, node):
        if isinstance(node, ast.Tuple):
            return all(self.is_basic(element) for element in node.elts)
        if isinstance(node, ast.UnaryOp):
            return self.is_basic(node.operand)
        return isinstance(node, ast.Slice) or isinstance(node, ast.Constant) and not isinstance(node.value, (str, bool))

    def see_Tuple(self, node):
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return self.one_of([0, *[self.part(self.see(e.value), ANY_PART) if isinstance(e, ast.Starred) else self.see(e) for e in node.elts]])
        return self.value(TUPLE, 0, [self.see(element) for element in node.elts])

    see_List = see_Tuple

    def see_IfExp(self, node):
        self.condition(node.test)
        return self.one_of([self.see(node.body), self.see(node.orelse)])

    def see_BoolOp(self, node):
        return self.one_of([self.see(value) for value in node.values])

    def see_NamedExpr(self, node):
        value = self.see(node.value)
        self.store(node.target, value, node)
        return value

    def see_BinOp(self, node):
        self.see(node.left)
        self.see(node.right)
        return self.new(node)

    def see_UnaryOp(self, node):
        value = self.see(node.operand)
        if isinstance(node.op, ast.UAdd) and value:
            return self.view(value, "positive", node)
        return 0 if isinstance(node.op, ast.Not) else self.new(node)

    def new(self, node):
        """A value of its own, so that a function that returns it twice is seen to do so."""
        return self.called("", [], node)

    def see_Lambda(self, node):
        self.lose(node)
        return 0

    def see_ListComp(self, node):
        sizes = dict(self.sizes)
        for generator in node.generators:
            self.store(generator.target, self.element(self.see(generator.iter), generator.iter), node)
            self.note_loop(generator.target, generator.iter)
            for test in generator.ifs:
                self.see(test)
        value = self.see(node.elt)
        self.sizes = sizes
        return self.one_of([0, value])

    see_GeneratorExp = see_SetComp = see_ListComp

    def see_DictComp(self, node):
        self.lose(node)
        return 0

    see_Await = see_Yield = see_YieldFrom = see_Dict = see_DictComp

    # -- calls

    def called(self, callee, args, node, keywords=(), function=-1):
        call = {"callee": callee, "args": args, "keywords": list(keywords), "function": function, "at": self.place(node)}
        self.calls.append(call)
        return self.value(RESULT, len(self.calls) - 1)

    def see_Call(self, node):
        launched = self.launched_by(node.func)
        if launched is not None:
            return self.launch(node, launched)
        name = self.names.dotted(node.func)
        if isinstance(node.func, ast.Attribute):
            owner = self.see(node.func.value)
            if owner:
                return self.method(node, owner)
        given = [self.see(a.value if isinstance(a, ast.Starred) else a) for a in node.args]
        named = {k.arg: self.see(k.value) for k in node.keywords}
        starred = None in named or any(isinstance(a, ast.Starred) for a in node.args)
        own = isinstance(node.func, ast.Name) and node.func.id in self.variables
        if not own and not starred:
            if name == "map":
                self.look_at_map(node)
            if name in LOOKING or name.startswith("math."):
                self.look(node, name)
                return 0
            if name.startswith("torch.ops.aten."):
                return self.operator(node, name[len("torch.ops.aten.") :].split(".")[0], given, named)
            if name.startswith("torch.ops.") and name.count(".") in (3, 4):
                args = [*[["", i, value] for i, value in enumerate(given)], *[[word, 0, value] for word, value in named.items()]]
                return self.called(name, args, node)
            if name == "torch.as_tensor" and given and not self.may_be_tensor(given[0]):
                return self.new(node)
            if name == "torch.as_tensor" and len(given) == 1 and not named and self.is_one_tensor(given[0]):
                return given[0]
            if name.startswith("torch.") and name.count(".") == 1:
                self.note_sizes(node, name in SIZED)
                return self.operator(node, name[len("torch.") :], given, named)
            if name.startswith("torch.nn.functional."):
                return self.functional(node, name.rpartition(".")[2], given, named)
            if name.startswith("torch.nn.init.") and name.endswith("_"):
                return self.functional(node, name.rpartition(".")[2], given, {**named, "input": named.get("tensor", 0)})
            if name in ("list", "tuple") and len(given) == 1:
                is_list = self.values[given[0]][0] != PARAMETER or given[0] in self.lists
                return self.one_of([0, given[0] if is_list else self.element_of(given[0], ANY_PART, node)])
            function, skip = self.own_function(node)
            if function is not None:
                return self.own_call(node, function, given, named, skip)
            if any(given) or any(named.values()):
                found = self.imported_name(node.func)
                if found:
                    return self.imported_call(node, found, given, named)
        self.escape(*given, *named.values())
        return 0

    def method(self, node, owner):
        name = node.func.attr
        given = [self.see(a.value if isinstance(a, ast.Starred) else a) for a in node.args]
        named = {k.arg: self.see(k.value) for k in node.keywords}
        if name in READING and self.is_tensor(owner):
            self.shape("value", self.root(owner), node, f"{name}()")
        tells = name == "type" and not node.args and not node.keywords
        if tells or name in TELLING or name.startswith("is_"):
            return 0
        if name in ("append", "extend", "insert", "update", "add_module", "setdefault"):
            self.escape(owner, *given, *named.values())
            return 0
        if name in WRITING and self.is_tensor(owner) and owner not in self.lists:
            self.write(owner, node)
            return owner
        self.note_sizes(node, name in SIZED_METHODS)
        out = named.pop("out", 0)
        args = [["self", 0, owner], *[["", i, v] for i, v in enumerate(given) if v]]
        if out:
            name, args = name + "_out", [*args, ["out", 0, out]]
        args += [[word, 0, value] for word, value in named.items() if word]
        value = self.called("torch.Tensor." + name, args, node, [k for k in named if k])
        return self.one_of([value, owner]) if name == "flatten" and is_one_dimension(node.args) else value

    def operator(self, node, name, given, named):
        """torch.add(x, y, out=z), and what stands behind torch.ops.aten."""
        if "out" in named:
            name += "_out"
            if isinstance(self.keyword(node, "out"), (ast.Tuple, ast.List)):
                self.escape(named["out"])
        words = {"self" if word == "input" else word: value for word, value in named.items()}
        args = [["self" if i == 0 else "", i, value] for i, value in enumerate(given)]
        args += [[word, 0, value] for word, value in words.items()]
        value = self.called("torch." + name, args, node, [word for word in words if word != "self"])
        return self.one_of([value, given[0]]) if name == "flatten" and is_one_dimension(node.args[1:]) else value

    @staticmethod
    def keyword(node, word):
        return next((k.value for k in node.keywords if k.arg == word), None)

    def functional(self, node, name, given, named):
        inplace = self.keyword(node, "inplace")
        first = given[0] if given else named.get("input", 0)
        if isinstance(inplace, ast.Constant) and inplace.value is True or name.endswith("_"):
            self.write(first, node)
            return first
        new = self.new(node)  # pad and interpolate always copy
        return self.dropped(node, name, new, first) if name in DROPOUTS else new

    def dropped(self, node, name, new, first):
        """Of a dropout, what it returns: in training a new tensor, if it drops anything. Outside of training it returns
        its argument, but not in all traces."""
        drops = self.constant_argument(node, 2, "training", DROPOUTS[name]) is True and self.constant_argument(node, 1, "p", 0.5)
        return new if drops else self.one_of([new, first])

    def constant_argument(self, node, index, word, default):
        """None for one that is no constant."""
        given = node.args[index] if len(node.args) > index else self.keyword(node, word)
        return default if given is None else given.value if isinstance(given, ast.Constant) else None

    def own_function(self, node):
        """(number of the function of the module that is called, how many parameters have their arguments by then); (None, 0)
        for none."""
        if isinstance(node.func, ast.Attribute):
            return self.own_method(node.func)
        if not isinstance(node.func, ast.Name):
            return None, 0
        found = self.table.reference(node.func, [self.tree, *reversed(self.functions)])
        return (found["function"], 0) if found["function"] >= 0 and not found["skip"] and not found["keywords"] else (None, 0)

    def own_method(self, function):
        """As own_function(), of `Class.f` and `OBJECT.f`, where the module makes the object once."""
        base = function.value
        if not isinstance(base, ast.Name) or self.is_local(base.id):
            return None, 0
        made = self.names.constants.get(base.id)
        name = made.func.id if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) else base.id
        nodes = self.table.module_bindings(name)
        if len(nodes) != 1 or not isinstance(nodes[0], ast.ClassDef) or nodes[0].decorator_list or nodes[0].keywords:
            return None, 0
        if self.table.method(nodes[0], "__new__") or self.table.method(nodes[0], "__getattribute__"):
            return None, 0
        found = self.table.member(nodes[0], function.attr, {"function": -1, "skip": 0}, is_instance=name != base.id)
        if found["function"] < 0 or function.attr == "apply":
            return None, 0
        return found["function"], found["skip"]

    def imported_name(self, function):
        """Of a function of another file; "" where it may be anything else."""
        if not isinstance(function, (ast.Name, ast.Attribute)):
            return ""
        name = self.table.reference(function, [self.tree, *reversed(self.functions)])["import"]
        return "" if name.startswith(FOREIGN) else name

    def imported_call(self, node, name, given, named, launch=False):
        args = [["", i, value] for i, value in enumerate(given)]
        args += [[word, -1, value] for word, value in named.items()]
        value = self.called(name.replace(":", ".").rpartition(".")[2], [a for a in args if a[2]], node)
        self.calls[-1].update({"import": name, "launch": launch})
        return value

    def own_call(self, node, function, given, named, skip=0):
        facts = self.table.facts[function]
        order = [p["name"] for p in facts["parameters"] if p["kind"] in ("positional", "normal")][skip:]
        names = [p["name"] for p in facts["parameters"]]
        if facts["alters"] or facts["form"] != "function" or len(given) > len(order) or not set(named) <= set(names):
            self.escape(*given, *named.values())
            return 0
        args = [["", names.index(order[i]), value] for i, value in enumerate(given)]
        args += [["", names.index(word), value] for word, value in named.items()]
        return self.called(facts["name"], [a for a in args if a[2]], node, function=function)

    def launched_by(self, function):
        """Of `k[grid]`, also where a variable holds it, the k; None of any other function."""
        if isinstance(function, ast.Name):
            function = self.table.value_of(function.id, self.functions)
        return function.value if isinstance(function, ast.Subscript) else None

    def is_local(self, name):
        """The function, or one around it, calls something else by a name of the module."""
        return any(self.table.takes(function, name) or name in self.table.bound_in(function) for function in self.functions)

    def kernel_of(self, node, steps=0):
        """What is launched, without what only wraps it: wrap_triton(k), a variable."""
        if steps > 4:
            return node
        if isinstance(node, ast.Call):
            name = self.names.dotted(node.func)
            wraps = name.rpartition(".")[2] in WRAPPING or name == "triton.jit"
            if isinstance(node.func, ast.Call):  # autotune(...)(k)
                wraps = self.names.dotted(node.func.func) in MAKING
            given = [*node.args, *[k.value for k in node.keywords if k.arg in ("triton_kernel", "fn")]]
            return self.kernel_of(given[0], steps + 1) if wraps and given else node
        if isinstance(node, ast.Name) and (self.is_local(node.id) or node.id not in self.table_of_kernels()):
            value = self.table.value_of(node.id, self.functions)
            if isinstance(value, (ast.Call, ast.Name, ast.Attribute)):
                return self.kernel_of(value, steps + 1)
        return node

    def launch(self, node, launched):
        """kernel[grid](x, y): a kernel of Triton, where it is one of the module."""
        given = [self.see(a.value if isinstance(a, ast.Starred) else a) for a in node.args]
        named = {k.arg: self.see(k.value) for k in node.keywords}
        kernel = self.kernel_of(launched)
        if isinstance(node.func, ast.Subscript):
            self.see(node.func.slice)
        stored = self.stored_by(kernel.id) if isinstance(kernel, ast.Name) and not self.is_local(kernel.id) else None
        starred = None in named or any(isinstance(a, ast.Starred) for a in node.args)
        if stored is None and not starred and (any(given) or any(named.values())):
            name = self.imported_name(kernel)
            if name:
                self.imported_call(node, name, given, named, launch=True)
                return 0
        if stored is None or starred:
            self.escape(*given, *named.values())
            return 0
        order, stores = stored
        for word, value in [*zip(order, given), *named.items()]:
            self.store_by_kernel(value, stores.get(word), self.place(node))
        return 0

    def table_of_kernels(self):
        return triton_kernels(self.table)

    def stored_by(self, name):
        """(order of parameters, how it stores to them) of a kernel; None for none."""
        node = self.table_of_kernels().get(name)
        return triton_kernel(self.table, node) if node is not None else None

    # -- sizes and elements

    def is_tensor(self, value):
        """As far as is seen: a parameter, or what an operator makes of one."""
        kind, index, _ = self.values[value]
        return kind == PARAMETER or kind == RESULT and self.is_of_torch(index)

    def is_of_torch(self, call):
        """An operator of PyTorch's own is called."""
        callee = self.calls[call]["callee"]
        return callee.startswith("torch.") and not callee.startswith("torch.ops.")

    def may_be_tensor(self, value):
        """No list, as far as is seen, and no part of what is not known."""
        kind, _, made_of = self.values[value]
        if kind == ONE_OF:
            return all(self.may_be_tensor(one) for one in made_of)
        return value not in self.lists and kind not in (NONE, TUPLE)

    def is_one_tensor(self, value):
        """No list, as the annotation of a parameter tells, or what an operator makes."""
        kind, index, made_of = self.values[value]
        if kind == PARAMETER:
            return (self.facts["parameters"][index]["type"] or {}).get("word") == "Tensor"
        if kind == PART:
            return made_of[0] in self.lists
        return kind == RESULT and self.is_of_torch(index)

    def condition(self, node):
        """Of `if`: whether it asks for elements."""
        self.see(node)
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node = node.operand
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.judge(value)
        else:
            self.judge(node)

    def judge(self, node):
        if isinstance(node, ast.Compare) and not any(isinstance(o, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for o in node.ops):
            for side in [node.left, *node.comparators]:
                self.judge_value(side, node)
        else:
            self.judge_value(node, node)

    def judge_value(self, node, whole):
        value = self.reduced(node)
        if value and self.is_tensor(value):
            self.shape("branch", self.root(value), whole, f"{node.func.attr}()")
        elif whole is not node and isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):  # lens[0] > 1
            value = self.quiet(node.value)
            if self.values[value][0] == PARAMETER:
                self.shape("branch", self.root(value), whole, "[]")

    def reduced(self, node):
        """The tensor of whose elements the call makes one, `x.sum()`; 0 for none."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in JUDGING):
            return 0
        owner = node.func.value
        name = self.names.dotted(node.func)
        if name.startswith("torch.") and node.args:
            owner = node.args[0]
        if isinstance(owner, ast.Compare):
            owner = owner.left
        return self.quiet(owner) if not isinstance(owner, ast.Attribute) else 0

    def note_sizes(self, node, is_maker):
        """Parameters that are sizes of what is made."""
        if not is_maker:
            return
        given = [*node.args, *[k.value for k in node.keywords if k.arg in ("size", "shape")]]
        if self.names.dotted(node.func) == "torch.full" or getattr(node.func, "attr", "") == "new_full":
            given = given[:1]
        for argument in given:
            for element in argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]:
                for name in walk(element) if isinstance(element, (ast.BinOp, ast.Name)) else []:
                    value = self.variables.get(name.id, 0) if isinstance(name, ast.Name) else 0
                    if value and self.values[value][0] == PARAMETER:
                        self.shape("size", self.values[value][1], name, name.id)


SEEN_BY = {getattr(ast, name[len("see_") :]): method for name, method in vars(Body).items() if name.startswith("see_")}


def is_one_dimension(given):
    """`1, 1`: flatten(1, 1) returns its argument, if that has dimensions."""
    numbers = [a.value for a in given if isinstance(a, ast.Constant) and type(a.value) is int]
    return len(given) == 2 and len(numbers) == 2 and numbers[0] == numbers[1]


def bodies(reader):
    """Of the functions that serve operators, and of those of the module that they call."""
    reader.shapes, reader.callees, reader.table.operators = [], set(), reader.operators
    wanted = [use["function"]["function"] for use in reader.uses if use["function"]]
    wanted += [offer["function"] for offer in reader.offers.values()]
    out, seen = [], set()
    while wanted:
        number = wanted.pop()
        if number < 0 or number in seen:
            continue
        seen.add(number)
        body = Body(reader.table, number, reader.tree)
        out.append(body.read())
        reader.shapes += body.shapes
        reader.callees.update(call["import"] for call in body.calls if call.get("import"))
        wanted += [call["function"] for call in body.calls]
    return sorted(out, key=lambda body: body["function"])


def shapes(reader):
    """Behind bodies(): what those do with sizes and elements."""
    return sorted(reader.shapes, key=lambda shape: shape["at"])
