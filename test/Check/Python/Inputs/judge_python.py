# judge_python.py DIR COUNT SEED COMMAND...: writes COUNT modules that define and register operators into DIR, right ones
# and wrong ones, runs each under the PyTorch that is there (import, calls, FakeTensorMode, backward, vmap), each in a
# process of its own, as some end it; then runs COMMAND on all of them, which prints findings as JSON, and compares: a
# module is wrong to PyTorch exactly if it has a finding. At last COMMAND --fix edits copies of them: what has no finding
# left is right to PyTorch.
import gc
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import warnings

VALUES = {
    "Tensor": ["x()"], "Tensor?": ["None", "x()"], "int": ["7"], "float": ["1.5"], "bool": ["True"], "str": ["'q'"],
    "int[]": ["[3, 4]"], "int?": ["None", "5"], "float[]": ["[0.5]"],
}  # fmt: skip
OTHERS = {"Tensor": "x()", "Tensor?": "x()", "int": "9", "float": "2.5", "bool": "False", "str": "'r'", "int[]": "[5]",
          "int?": "6", "float[]": "[0.25]"}  # fmt: skip
DEFAULTS = {"Tensor?": ["None"], "int": ["3", "-1"], "float": ["0.5", "1e-5"], "bool": ["True", "False"],
            "str": ['"ab"'], "int?": ["None", "4"]}  # fmt: skip
NAMES = ["a", "b", "c", "d", "eps", "dim", "scale", "mode"]


# What bodies call.
HELPERS = ["def helper(t):", "    return torch.empty_like(t)", "def twice(t):", "    if t is None:", "        raise ValueError", "    return t, helper(t)"]


class Arg:
    def __init__(self, name, type, default=None, keyword=False):
        self.name, self.type, self.default, self.keyword = name, type, default, keyword

    def schema(self):
        return f"{self.type} {self.name}" + (f"={self.default}" if self.default else "")


def python_default(text):
    return text


class Maker:
    """One module."""

    def __init__(self, number, rng, release):
        self.rng, self.release = rng, release
        self.ns, self.module = f"judge{number}", f"case{number}"
        self.lines = ["import collections.abc", "import functools", "import typing", "import torch", "from torch import Tensor",
                      "from torch.library import Library", *HELPERS]  # fmt: skip
        self.calls = []
        self.what = ""

    def chance(self, of):
        return self.rng.random() < of

    def args(self, tensors_positional=False, lists=True):
        out = [Arg("x", "Tensor")]
        names = self.rng.sample(NAMES, self.rng.randint(0, 4))
        types = [t for t in VALUES if lists or not t.endswith("[]")]
        had_default = False
        keyword_from = self.rng.choice([len(names), len(names), self.rng.randint(0, len(names))])
        for index, name in enumerate(names):
            type = self.rng.choice(types)
            keyword = index >= keyword_from
            if tensors_positional and keyword and type.startswith("Tensor"):
                type = "int"
            default = None
            if type in DEFAULTS and (self.chance(0.4) or (had_default and not keyword)):
                default = self.rng.choice(DEFAULTS[type])
            elif had_default and not keyword:
                type, default = "int", "3"
            had_default |= default is not None and not keyword
            out.append(Arg(name, type, default, keyword))
        return out

    def schema_text(self, args, returns):
        parts, starred = [], False
        for arg in args:
            if arg.keyword and not starred:
                parts.append("*")
                starred = True
            parts.append(arg.schema())
        ret = returns[0] if len(returns) == 1 else "(" + ", ".join(returns) + ")"
        return f"({', '.join(parts)}) -> {ret}"

    def parameters(self, args):
        """[name, default, keyword-only] as a right kernel has them."""
        return [[arg.name, arg.default, arg.keyword] for arg in args]

    def spelled(self, params, extra=""):
        parts, starred = [], False
        for name, default, keyword in params:
            if keyword and not starred:
                parts.append("*")
                starred = True
            parts.append(name + (f"={default}" if default else ""))
        text = ", ".join(parts)
        return text

    def mutate(self, params):
        """Some change to the list, which may be harmless or not."""
        params = [list(p) for p in params]
        kind = self.rng.choice(["none", "none", "drop", "add", "add-default", "rename", "no-default", "default", "to-keyword",
                                "to-normal", "star", "stars", "both", "more-default"])  # fmt: skip
        index = self.rng.randrange(len(params))
        if kind == "drop" and len(params) > 1:
            del params[self.rng.randrange(1, len(params))]
        elif kind == "add":
            keyword = params[-1][2]
            default = "0" if not keyword and params[-1][1] else None
            params.append(["extra", default, keyword])
        elif kind == "add-default":
            params.append(["extra", "0", params[-1][2]])
        elif kind == "rename":
            params[index][0] = "renamed"
        elif kind == "no-default":
            for p in params:
                p[1] = None
        elif kind == "default":
            if params[index][1]:
                params[index][1] = "123"
        elif kind == "to-keyword":
            at = self.rng.randrange(1, len(params) + 1)
            for p in params[at:]:
                p[2] = True
        elif kind == "to-normal":
            if not any(p[1] for p in params):
                for p in params:
                    p[2] = False
        elif kind == "more-default":
            seen = False
            for p in params[1:]:
                if not p[2] and (seen or self.chance(0.5)):
                    seen = True
                    p[1] = p[1] or "None"
        text = self.spelled(params)
        if kind == "star":
            return "x, *rest" + "".join(f", {n}={d}" if d else f", {n}" for n, d, k in params if k), kind
        if kind == "stars":
            return ", ".join([*(n + (f"={d}" if d else "") for n, d, k in params if not k), "**more"]), kind
        if kind == "both":
            return "*args, **kwargs", kind
        return text, kind

    def value(self, returns, result="torch.empty(2)"):
        """The body's result, right or of another length."""
        made = {"Tensor": result, "int": "4", "float": "0.5"}
        count = len(returns)
        wrong = self.chance(0.15)
        one = result.replace("2", str(self.rng.randint(1, 4)))
        if count == 0:
            return self.rng.choice(["(1, 2)", "7", one, f"{one}.sort()"]) if wrong else "None"
        if count == 1:
            several = [f"({made[returns[0]]},)", f"{one}.chunk(2)", f"torch.sort({one})", f"tuple([{one}])", f"[{one} for _ in range(1)]"]
            same = [result, f"{result}.clone()", f"torch.empty_like({result})", f"helper({result})", f"helper({result}) + 1"]
            return self.rng.choice(several) if wrong else self.rng.choice(same) if returns == ["Tensor"] else made[returns[0]]
        if wrong and self.chance(0.4):
            return self.rng.choice([one, f"{one}.clone()", f"-helper({one})", f"torch.zeros_like({one})", f"helper({one}) * 2"])
        if not wrong and returns == ["Tensor"] * 2 and self.chance(0.3):
            return self.rng.choice([f"torch.sort({result})", f"{result}.topk(1)", f"twice({result})", f"{result}.chunk(2)"])
        items = [made[r] for r in returns]
        # PyTorch does not look at the length, and goes past the end: whatever a run shows, that is wrong.
        self.undefined |= wrong
        if wrong and count == 3 and self.chance(0.3):
            return self.rng.choice([f"twice({one})", f"{one}.sort()"])
        if wrong:
            items = items[:-1] if len(items) > 2 and self.chance(0.5) else [*items, items[0]]
        text = "(" + ", ".join(items) + ")"
        return text if self.chance(0.8) else text.replace("(", "[", 1)[:-1] + "]"

    def returns(self):
        return self.rng.choice([["Tensor"], ["Tensor"], ["Tensor", "Tensor"], [], ["Tensor", "int"], ["int"], ["Tensor"] * 3])

    def call_texts(self, args, op, fake=False):
        """A call with all arguments at other values than their defaults, and one without those that have one."""

        def text(some):
            parts = [(f"{a.name}=" if a.keyword else "") + other(a) for a in some]
            return f"{op}({', '.join(parts)})"

        def other(a):
            return "True" if a.default == "False" else OTHERS[a.type]

        least = []
        last = max((n for n, a in enumerate(args) if not a.keyword and not a.default), default=-1)
        for n, a in enumerate(args):
            if a.keyword and not a.default or not a.keyword and n <= last:
                least.append(a)
        return [text(args), text(least)]

    def function(self, name, text, body):
        """How the function is written down; what stands for it."""
        kind = self.rng.choice(["def", "def", "lambda", "static", "partial", "alias"])
        if kind == "lambda":
            self.lambdas.append(f"lambda {text}: None")
            return f"lambda {text}: {body}"
        if kind == "static":
            self.lines += [f"class Holder{name}:", "    @staticmethod", f"    def {name}({text}):", f"        return {body}"]
            return f"Holder{name}.{name}"
        if kind == "partial":
            self.lines += [f"def {name}(bound, {text}):", f"    return {body}"]
            return f"functools.partial({name}, 1)"
        if kind == "alias":
            self.lines += [f"{name} = lambda {text}: {body}"]
            return name
        self.lines += [f"def {name}({text}):", f"    return {body}"]
        return name

    # -- kinds of modules

    def kernel(self):
        args, returns = self.args(), self.returns()
        text, kind = self.mutate(self.parameters(args))
        body = self.value(returns)
        schema = self.schema_text(args, returns)
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define({'f' + schema!r})"]
        forms = ["impl", "impl-keyword", "decorator", "one-key"]
        if self.release >= (2, 4):
            forms += ["named", "register_kernel", "register_kernel-decorator"]
        form = self.rng.choice(forms)
        self.what = f"kernel {form} {kind}"
        if form == "decorator":
            self.lines += ["@torch.library.impl(lib, 'f', 'CPU')", f"def f({text}):", f"    return {body}"]
        elif form == "register_kernel-decorator":
            self.lines += [f"@torch.library.register_kernel('{self.ns}::f', 'cpu')", f"def f({text}):", f"    return {body}"]
            self.lambdas.append(f"lambda {text}: None")  # behind the decorator the name stands for None
        else:
            f = self.function("f", text, body)
            if form == "impl":
                self.lines.append(f"lib.impl('f', {f}, 'CPU')")
            elif form == "impl-keyword":
                self.lines.append(f"lib.impl('f', {f}, dispatch_key='CPU')")
            elif form == "one-key":
                self.lines += [f"one = Library({self.ns!r}, 'IMPL', 'CPU')", f"one.impl('f', {f})"]
            elif form == "named":
                self.lines.append(f"torch.library.impl('{self.ns}::f', 'cpu', {f})")
            else:
                self.lines.append(f"torch.library.register_kernel('{self.ns}::f', 'cpu', {f})")
        self.calls = self.call_texts(args, f"torch.ops.{self.ns}.f")
        self.seen(args, text)

    def seen(self, args, text):
        """Whether a kernel's own default is another than the schema's is asked of the function."""
        self.compared = [[a.name, a.default] for a in args if a.default]

    def fake(self):
        args, returns = self.args(), self.returns()
        text, kind = self.mutate(self.parameters(args))
        body = self.value(returns, "torch.empty(2, device='meta')")
        schema = self.schema_text(args, returns)
        self.what = f"fake {kind}"
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define({'f' + schema!r})"]
        form = self.rng.choice(["register_fake", "decorator", "_register_fake", "meta"])
        if form == "decorator":
            self.lines += [f"@torch.library.register_fake('{self.ns}::f')", f"def f({text}):", f"    return {body}"]
        else:
            f = self.function("f", text, body)
            self.lines.append({
                "register_fake": f"torch.library.register_fake('{self.ns}::f', {f})",
                "_register_fake": f"lib._register_fake('f', {f})",
                "meta": f"lib.impl('f', {f}, 'Meta')",
            }[form])  # fmt: skip
        self.calls = ["FAKE:" + call for call in self.call_texts(args, f"torch.ops.{self.ns}.f")]
        self.seen(args, text)

    ANNOTATIONS = [
        ("Tensor", 1), ("torch.Tensor", 1), ("int", 1), ("float", 1), ("bool", 1), ("str", 1), ("torch.dtype", 1),
        ("torch.device", 1), ("typing.Optional[Tensor]", 1), ("typing.List[Tensor]", 1), ("typing.Sequence[int]", 1),
        ("typing.List[float]", 1), ("typing.Optional[int]", 1), ("typing.Optional[typing.List[int]]", 1),
        ("typing.Union[int, float, bool]", 1), ("torch.types.Number", 1), ("typing.List[typing.Optional[Tensor]]", 1),
        ("Tensor | None", 1), ("int | None", 1), ("list[int]", 1), ("list[Tensor]", 1), ("'Tensor'", 1), ("'int'", 1),
        ("typing.Union[Tensor, None]", 1), ("int | float | bool", 1),
        ("typing.Tuple[int, int]", 0), ("dict", 0), ("typing.Dict[str, int]", 0), ("object", 0), ("typing.Any", 0),
        ("typing.Union[int, float]", 0), ("typing.List[str]", 0), ("typing.Optional[typing.List[Tensor]]", 0),
        ("complex", 0), ("bytes", 0), ("list", 0), ("typing.List[typing.List[int]]", 0), ("torch.Size", 0), ("tuple", 0),
        ("typing.Callable", 0), ("None", 0), ("typing.List[torch.dtype]", 0), ("", 0),
        ("'typing.Optional[Tensor]'", 1), ('list["Tensor"]', 1), ("typing.Optional['Tensor']", 0), ("typing.List['int']", 0),
        ("torch.Generator", 0), ("typing.Optional[torch.Generator]", 0), ("list['torch.Generator']", 0),
        ("'list[\"int\"]'", 0), ("collections.abc.Sequence[int]", 1),
        ("set", 0), ("typing.Optional[typing.Any]", 0), ("'typing.Tuple[int]'", 0), ("torch.layout", 0),
    ]  # fmt: skip
    RETURNS = ["Tensor", "None", "typing.Tuple[Tensor, Tensor]", "tuple[Tensor, int]", "typing.List[Tensor]", "int", "float", "bool",
               "list[Tensor]", "'Tensor'", "typing.Optional[Tensor]", "str", "dict", "", "typing.Any", "typing.List[int]",
               "typing.Tuple[Tensor, str]", "torch.types.Number", "tuple['Tensor', int]", "typing.Tuple['Tensor', int]",
               "torch.Generator", "list['Tensor']"]  # fmt: skip

    def custom(self):
        """custom_op and its annotations: imported, not called."""
        count = self.rng.randint(0, 3)
        names = ["x", *self.rng.sample(NAMES, count)]
        bad = self.chance(0.5)
        parts, tensors, others = [], [], []
        star = self.rng.choice([None] * 8 + ["*args: int", "**more: int", "/"])
        for index, name in enumerate(names):
            kinds = [a for a, ok in self.ANNOTATIONS if ok or bad]
            annotation = "Tensor" if index == 0 else self.rng.choice(kinds)
            default = ""
            if index and self.chance(0.3) and index == len(names) - 1:
                default = {"int": " = 3", "float": " = 0.5", "bool": " = True", "str": " = 'z'", "torch.dtype": " = torch.float32",
                           "Tensor | None": " = None", "typing.Optional[Tensor]": " = None", "int | None": " = None",
                           "typing.List[float]": " = [1.0]" if bad else ""}.get(annotation, "")  # fmt: skip
            (tensors if "Tensor" in annotation else others).append(name)
            parts.append(name + (f": {annotation}" if annotation else "") + default)
        if star and bad:
            parts.append(star) if star != "/" else parts.insert(1, "/")
        mutates = self.rng.choice(["()", "[]", "{}", f"({tensors[0]!r},)", f"[{tensors[-1]!r}]", "'unknown'"])
        if bad and self.chance(0.3):
            mutates = self.rng.choice(["('nope',)", f"({(others or ['nope'])[0]!r},)", "'x'", "'all'"])
        returned = self.rng.choice(self.RETURNS[:10] if not bad else self.RETURNS)
        name = f"{self.ns}::f"
        if bad and self.chance(0.1):
            name = self.rng.choice([self.ns, f"{self.ns}::a::f"])
        arrow = f" -> {returned}" if returned else ""
        self.what = f"custom_op ({', '.join(parts)}){arrow} {mutates}"
        self.lines += [f"@torch.library.custom_op({name!r}, mutates_args={mutates})", f"def f({', '.join(parts)}){arrow}:",
                       "    raise NotImplementedError"]  # fmt: skip

    def custom_schema(self):
        """custom_op with a schema of its own."""
        args = [Arg("x", "Tensor")] + [Arg(n, "int") for n in self.rng.sample(NAMES, self.rng.randint(0, 2))]
        marked = self.chance(0.5)
        schema = self.schema_text(args, ["Tensor"])
        if marked:
            schema = schema.replace("Tensor x", "Tensor(a!) x")
        mutates = self.rng.choice(["('x',)"] * 3 + ["()"]) if marked else self.rng.choice(["()"] * 3 + ["('x',)"])
        text, kind = self.mutate(self.parameters(args))
        prefix = self.rng.choice([""] * 8 + ["f"])
        self.what = f"custom_op schema= {kind} {mutates} {schema} {prefix}"
        self.lines += [f"@torch.library.custom_op('{self.ns}::f', mutates_args={mutates}, schema={prefix + schema!r})", f"def f({text}):",
                       "    return torch.empty(2)"]  # fmt: skip
        self.calls = self.call_texts(args, f"torch.ops.{self.ns}.f")
        self.seen(args, text)

    def formula(self):
        """register_autograd: a backward pass with all arguments."""
        args = self.args(tensors_positional=True, lists=False)
        count = self.rng.randint(1, 2)
        schema = self.schema_text(args, ["Tensor"] * count)
        positional = [a for a in args if not a.keyword]
        has_keywords = len(positional) < len(args)
        grads = ["g" + str(n) for n in range(count)]
        if self.chance(0.15):
            grads = self.rng.choice([grads[:-1], [*grads, "more"], ["*grads"]])
        given = ["None"] * len(positional)
        if self.chance(0.2):
            given = self.rng.choice([given[:-1], [*given, "7.0"]])
        result = "(" + "".join(g + ", " for g in given) + ")"
        if len(given) == 1 and self.chance(0.5):
            result = given[0]
        self.what = f"autograd {schema} backward(ctx, {', '.join(grads)}) -> {result}"
        names = ", ".join(a.name for a in args)
        defaults = self.spelled(self.parameters(args))
        made = "x.clone()" if count == 1 else "(x.clone(), x.clone())"
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define({'f' + schema!r})", f"lib.impl('f', lambda {defaults}: {made}, 'CPU')",
                       f"def backward({', '.join(['ctx', *grads])}):", f"    return {result}"]  # fmt: skip
        setup = ""
        if self.chance(0.6):
            words = ["ctx", "inputs", *(["keyword_only_inputs"] if has_keywords else []), "output"]
            if self.chance(0.2):
                words = self.rng.choice([["ctx", "inputs", "output"], ["context", "inputs", "output"], words[:-1], ["ctx", "inputs", "keyword_only_inputs", "output"],
                                         ["ctx", "inputs", "output", "keyword_only_inputs=None"], ["ctx", "**more"]])  # fmt: skip
            unpacked = [f"v{n}" for n in range(len(positional))]
            if self.chance(0.15):
                unpacked.append("vx")
            body = f"{', '.join(unpacked)}, = inputs" if "inputs" in words and self.chance(0.7) else "pass"
            self.lines += [f"def setup({', '.join(words)}):", f"    {body}"]
            setup = ", setup_context=setup"
            self.what += f" setup({', '.join(words)}): {body}"
        self.lines.append(f"torch.library.register_autograd('{self.ns}::f', backward{setup})")
        call = self.call_texts(args, f"torch.ops.{self.ns}.f")[0].replace("x()", "y", 1)
        self.calls = [f"BACKWARD:{call}"]

    def function_class(self):
        """A class of torch.autograd.Function whose apply() is a kernel: how many gradients its backward pass returns."""
        types = ["Tensor", "int", "float", "bool", "str"]
        args = [Arg("x", "Tensor"), *(Arg(name, self.rng.choice(types)) for name in self.rng.sample(NAMES, self.rng.randint(0, 3)))]
        given = ["g * 2"] + ["None"] * (len(args) - 1)
        if self.chance(0.45):
            given = self.rng.choice([given[:-1], [*given, "g"], [*given, "7.0"], [*given, "None"], [*given, "None", "None"]])
        result = "(" + "".join(one + ", " for one in given) + ")"
        if len(given) == 1 and self.chance(0.5):
            result = given[0]
        names = ", ".join(a.name for a in args)
        has_setup = self.release >= (2, 0) and self.chance(0.4)
        context = "" if has_setup else "ctx, "
        schema = self.schema_text(args, ["Tensor"])
        self.what = f"class {schema} forward({context}{names}) backward -> {result}"
        setup = ["    @staticmethod", "    def setup_context(ctx, inputs, output):", "        pass"] if has_setup else []
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define({'f' + schema!r})", f"lib.impl('f', lambda {names}: x.clone(), 'CPU')",
                       "class Rule(torch.autograd.Function):", "    @staticmethod", f"    def forward({context}{names}):", "        return x * 2",
                       *setup, "    @staticmethod", "    def backward(ctx, g):", f"        return {result}"]  # fmt: skip
        kernel = self.rng.choice(["Rule.apply", f"lambda {names}: Rule.apply({names})"])
        self.lines.append(f"lib.impl('f', {kernel}, 'Autograd')")
        self.calls = ["BACKWARD:" + self.call_texts(args, f"torch.ops.{self.ns}.f")[0].replace("x()", "y", 1)]

    def vmap(self):
        args = self.args(tensors_positional=True, lists=False)
        count = self.rng.randint(1, 2)
        schema = self.schema_text(args, ["Tensor"] * count)
        text, kind = self.mutate([["info", None, False], ["in_dims", None, False], *self.parameters(args)])
        if kind in ("star",):
            text, kind = "info, in_dims, *rest, **more", "star"
        good = "torch.empty(3, 2)"
        output, dims = (good, "0") if count == 1 else (f"({good}, {good})", "(0, 0)")
        result = f"({output}, {dims})"
        if self.chance(0.25):
            result = self.rng.choice(["7", f"({output}, {dims}, 0)", f"[{output}, {dims}]", f"({output}, (0, 0, 0))", f"({output}, 0)"])
        self.what = f"vmap {schema} rule({text}) -> {result}"
        defaults = self.spelled(self.parameters(args))
        made = "x.clone()" if count == 1 else "(x.clone(), x.clone())"
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define({'f' + schema!r})", f"lib.impl('f', lambda {defaults}: {made}, 'CPU')"]
        if self.chance(0.5):
            self.lines += [f"@torch.library.register_vmap('{self.ns}::f')", f"def rule({text}):", f"    return {result}"]
            self.lambdas.append(f"lambda {text}: None")  # behind the decorator the name stands for None
        else:
            self.lines += [f"def rule({text}):", f"    return {result}", f"torch.library.register_vmap('{self.ns}::f', rule)"]
        self.calls = ["VMAP:" + call.replace("x()", "y", 1) for call in self.call_texts(args, f"torch.ops.{self.ns}.f")]
        self.compared = [[a.name, a.default] for a in args if a.default]

    def library(self):
        """Kinds, namespaces and keys."""
        kind = self.rng.choice(["DEF", "DEF", "FRAGMENT" if self.release >= (2, 0) else "DEF", "DEFS", "def", "FRAGMNT"])
        namespace = self.rng.choice([self.ns] * 6 + ["prim"])
        key = self.rng.choice(["CPU", "CUDA", "Meta", "CompositeExplicitAutograd", "AutogradCPU", "PrivateUse1", "XPU", "cpu", "CUDAA", "Metaa", "CPUU", "cuda"])
        self.what = f"Library({namespace}, {kind}) {key}"
        self.lines += [f"lib = Library({namespace!r}, {kind!r})", f"lib.define('f{self.ns}(Tensor x) -> Tensor')",
                       f"lib.impl('f{self.ns}', lambda x: x.clone(), {key!r})"]  # fmt: skip

    def lifetime(self):
        form = self.rng.choice(["module", "local", "statement", "returned", "global", "list", "default", "attribute"])
        self.what = f"lifetime {form}"
        fill = [f"lib.define('f(Tensor x) -> Tensor')", "lib.impl('f', lambda x: x.clone(), 'CPU')"]
        made = f"Library({self.ns!r}, 'DEF')"
        inner = {"local": [f"lib = {made}", *fill], "returned": [f"lib = {made}", *fill, "return lib"],
                 "global": ["global lib", f"lib = {made}", *fill], "list": [f"lib = {made}", "KEPT.append(lib)", *fill],
                 "default": [f"lib = {made}", *fill, "f.lib = lib"], "attribute": [f"lib = {made}", "setup.lib = lib", *fill]}  # fmt: skip
        if form == "module":
            self.lines += [f"lib = {made}", *fill]
        elif form == "statement":
            self.lines += [f"{made}.define('f(Tensor x) -> Tensor')"]
        else:
            self.lines += ["KEPT = []", "def f():", "    pass", "def setup():", *("    " + line for line in inner[form]), "KEPT.append(setup())" if form == "returned" else "setup()"]
        self.calls = [f"torch.ops.{self.ns}.f"] if form == "statement" else [f"torch.ops.{self.ns}.f(x())"]

    def seconds(self):
        """Several kernels and fakes of one operator, some behind a question for it."""
        flags = ["", "", ", allow_override=False"] if self.release >= (2, 14) else [""]
        keys = ["'CPU'", "'CPU'", "'Meta'", "'CUDA'", "'CompositeExplicitAutograd'", "''"]
        forms = ["impl"] * 3
        if self.release >= (2, 4):
            forms += ["named", "register_kernel"] + ["register_fake"] * 2
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", "lib.define('f(Tensor x) -> Tensor')"]
        for _ in range(self.rng.randint(1, 3)):
            form, flag = self.rng.choice(forms), self.rng.choice(flags)
            line = {
                "impl": f"lib.impl('f', lambda x: x.clone(), {self.rng.choice(keys)}{flag})",
                "named": f"torch.library.impl('{self.ns}::f', 'cpu', lambda x: x.clone())",
                "register_kernel": f"torch.library.register_kernel('{self.ns}::f', 'cuda', lambda x: x.clone())",
                "register_fake": f"torch.library.register_fake('{self.ns}::f', lambda x: torch.empty_like(x){flag})",
            }[form]
            if self.chance(0.3):
                self.lines.append(f"if hasattr(torch.ops.{self.ns}, 'f'):")
                line = "    " + line
            self.lines.append(line)
        self.what = "seconds " + "; ".join(self.lines[-5:])
        # That the last one wins is what PyTorch warns of, too, and nobody asks for a derivative here.
        self.warned = ["opsig-duplicate-impl", "opsig-composite-backend-kernel"]

    def imported(self):
        """A kernel of another module, under another name, by functions that the module hands on."""
        args, returns = self.args(), self.returns()
        text, kind = self.mutate(self.parameters(args))
        more = f"more_{self.ns}"
        self.extra = (more, [f"import torch", "from torch.library import Library", "if hasattr(torch.library, 'impl'):",
                             "    impl = torch.library.impl", "else:", "    impl = None", *HELPERS, f"def f({text}):", f"    return {self.value(returns)}"])  # fmt: skip
        self.what = f"imported {kind}"
        schema = self.schema_text(args, returns)
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define({'f' + schema!r})"]
        form = self.rng.choice(["name", "module", "handed"])
        if form == "name":
            self.lines += [f"from {more} import f as kernel", "lib.impl('f', kernel, 'CPU')"]
        elif form == "module":
            self.lines += [f"import {more}", f"lib.impl('f', {more}.f, 'CPU')"]
        else:
            self.lines += [f"from {more} import f as kernel, impl as put", "put(lib, 'f', 'CPU')(kernel)"]
        self.calls = self.call_texts(args, f"torch.ops.{self.ns}.f")
        self.seen(args, text)

    def suppressed(self):
        """A wrong line that says of itself that it is meant so, or says it of something else."""
        key = self.rng.choice(["CPUU", "CPU", "Metaa"])
        comment, silent = self.rng.choice([("noqa", True), ("noqa: opsig-registration-key", True), ("opsig: allow(registration-key)", True),
                                           ("noqa: opsig-python-annotation", False), ("noqa: E501", False), ("noqas", False)])  # fmt: skip
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", "lib.define('f(Tensor x) -> Tensor')",
                       f"lib.impl('f', lambda x: x.clone(), {key!r})  # {comment}"]  # fmt: skip
        self.silent = silent and key != "CPU"
        self.what = f"suppressed {key} {comment}"

    def opaque(self):
        """A class that is a type of schemas, and names that are none."""
        name, given = self.rng.choice([("Thing", "Thing")] * 3 + [("Thing", "Thin"), ("Thing", "Other")])
        self.lines += ["from torch._custom_class_base import CustomClassBase", "from torch._library.opaque_object import register_opaque_type",
                       "class Thing(CustomClassBase): pass",
                       "register_opaque_type(Thing, typ='reference')", f"lib = Library({self.ns!r}, 'DEF')",
                       f"lib.define('f({self.module}.{given} q, Tensor x) -> Tensor')", "lib.impl('f', lambda q, x: x.clone(), 'CPU')"]  # fmt: skip
        self.calls = [f"torch.ops.{self.ns}.f(THING(), x())"]
        self.what = f"opaque {given}"

    def table(self):
        """Names that are computed, kernels in tables, and functions that register."""
        args = self.args(lists=False)
        text, kind = self.mutate(self.parameters(args))
        schema = self.schema_text(args, ["Tensor"])
        name = self.rng.choice(["'%s::f' % NS", "'{}::f'.format(NS)", "'::'.join([NS, 'f'])", "f'{NS}::f'", "NS + '::f'", "Names.F", "FULL"])
        self.lines += [f"NS = {self.ns!r}", "FULL = NS + '::' + 'f'", "class Names:", "    F = FULL",
                       "lib = Library(NS, 'DEF')", f"def f({text}):", "    return x.clone()"]  # fmt: skip
        if "x" not in text.split("(")[0].replace("*", "").replace(" ", "").split(","):
            self.lines[-1] = "    return torch.empty(2)"
        define = self.rng.choice(["plain", "loop", "function"])
        if define == "plain":
            self.lines.append(f"lib.define({'f' + schema!r})")
        elif define == "loop":
            self.lines += [f"for s in [{'f' + schema!r}, 'g(Tensor x) -> Tensor']:", "    lib.define(s)"]
        else:
            self.lines += ["def define(s):", "    lib.define(s)", f"define({'f' + schema!r})"]
        register = self.rng.choice(["plain", "rows", "dictionary", "function", "keys", "nested", "fields", "zipped", "records"])
        if register == "plain":
            self.lines.append(f"lib.impl({name}, f, 'CPU')")
        elif register == "rows":
            self.lines += [f"for n, k, d in (({name}, f, 'CPU'),):", "    lib.impl(n, k, d)"]
        elif register == "dictionary":
            self.lines += [f"KERNELS = {{{name}: f}}", "for n, k in KERNELS.items():", "    lib.impl(n, k, 'CPU')"]
        elif register == "nested":
            table = self.rng.choice([f"{{{name}: (f, 'CPU')}}", f"dict([({name}, (f, 'CPU'))])", f"{{**{{{name}: (f, 'CPU')}}}}"])
            self.lines += [f"TABLE = {table}", "for n, (k, d) in TABLE.items():", "    lib.impl(n, k, d)"]
        elif register == "fields":
            row = self.rng.choice([f"dict(n={name}, k=f)", f"{{'n': {name}, 'k': f}}"])
            self.lines += [f"ROWS = [{row}]", "for row in ROWS:", "    lib.impl(row['n'], row['k'], 'CPU')"]
        elif register == "zipped":
            over = self.rng.choice([f"zip([{name}], (f,))", f"zip([{name}, 'more'], [f])", f"list(zip([{name}], [f])) + []"])
            self.lines += [f"for number, (n, k) in enumerate({over}):", "    lib.impl(n, k, 'CPU')"]
        elif register == "records":
            base, made = self.rng.choice([("(typing.NamedTuple)", ""), ("", "@dataclasses.dataclass")])
            self.lines += ["import dataclasses", *([made] if made else []), f"class Row{base}:", "    name: str", "    kernel: object = None",
                           f"for row in (Row({name}, f),):", "    lib.impl(row.name, row.kernel, 'CPU')"]  # fmt: skip
        elif register == "function":
            self.lines += ["def put(n, k, key='CPU'):", "    lib.impl(n, k, key)", f"put({name}, f)"]
        else:
            keys = self.rng.choice([("CPU", "CUDA"), ("CPU", "CUDAA"), ("CPU", "cpu")])
            self.lines += [f"for key in {keys!r}:", f"    lib.impl({name}, f, key)"]
        self.calls = self.call_texts(args, f"torch.ops.{self.ns}.f")
        self.seen(args, text)
        self.warned = ["opsig-def-without-kernel"]
        self.what = f"table {name} {define} {register} {kind}"

    def effects(self):
        """Kernels that write, or return what they get, by helpers of their module or of another one."""
        more = f"more_{self.ns}"
        helpers = ["def writes(t, by=3):", "    t.mul_(by)", "    return t", "def copies(t, by=3):", "    return t * by",
                   "def deep(a, t):", "    writes(t)", "    return a + t", "def same(t):", "    return t"]  # fmt: skip
        where = self.rng.choice(["own", "name", "module"])
        prefix = f"{more}." if where == "module" else ""
        if where == "own":
            self.lines += helpers
        else:
            self.extra = (more, ["import torch", *helpers])
            self.lines.append(f"import {more}" if where == "module" else f"from {more} import writes, copies, deep, same")
        body = self.rng.choice([f"{prefix}writes(x)", f"{prefix}writes(by=2, t=x)", f"{prefix}copies(x)", f"{prefix}deep(y, x)", f"{prefix}deep(x, y)",
                                f"{prefix}deep(a=x, t=x.clone())", "x.add_(1)", "x[0] = 3", f"{prefix}writes(x.clone())", "torch.add(x, 1, out=x)",
                                f"{prefix}writes({prefix}same(x))", f"{prefix}writes({prefix}copies(x))"])  # fmt: skip
        result = self.rng.choice(["x.clone()"] * 4 + ["x", f"{prefix}same(x)", f"{prefix}copies(x)"])
        mark = self.rng.choice(["Tensor", "Tensor", "Tensor(a!)"])
        returned = "Tensor(a!)" if mark != "Tensor" and result in ("x", f"{prefix}same(x)") else "Tensor"
        self.lines += [f"lib = Library({self.ns!r}, 'DEF')", f"lib.define('f({mark} x) -> {returned}')", "def f(x):", "    y = torch.ones(2)",
                       f"    {body}", f"    return {result}", "lib.impl('f', f, 'CPU')"]  # fmt: skip
        self.calls = [f"SCHEMA:torch.ops.{self.ns}.f(x())"]
        self.what = f"effects {where} {mark} -> {returned}: {body}; {result}"

    def make(self):
        self.compared, self.undefined, self.extra, self.warned, self.lambdas = [], False, None, [], []
        self.silent = False
        kinds = [self.kernel] * 4 + [self.library, self.lifetime, self.suppressed] + [self.seconds, self.imported] * 2
        kinds += [self.table, self.effects, self.function_class] * 2
        if self.release >= (2, 14):
            kinds += [self.opaque]
        if self.release >= (2, 4):
            kinds += [self.fake] * 4 + [self.custom] * 5 + [self.custom_schema] * 2 + [self.formula] * 3
        if self.release >= (2, 5):
            kinds += [self.vmap] * 2
        self.rng.choice(kinds)()
        return "\n".join(self.lines) + "\n"


def judged(path, maker):
    """What PyTorch says: "" or what was wrong."""
    import torch

    name = os.path.basename(path)[:-3]
    space = {"__name__": name, "__file__": path}
    sys.modules[name] = type(sys)(name)
    sys.path.insert(0, os.path.dirname(path))
    modules = [name, maker.extra and maker.extra[0]]
    space = sys.modules[name].__dict__
    space["__file__"] = path
    exec(compile(open(path).read(), path, "exec"), space)
    helpers = {"torch": torch, "x": lambda: torch.ones(2)}
    for call in maker.calls:
        how, _, text = call.rpartition(":") if call.split(":")[0] in ("FAKE", "BACKWARD", "VMAP", "SCHEMA") else ("", "", call)
        if "Thing" in space:
            helpers["THING"] = space["Thing"]
        if how == "FAKE":
            from torch._subclasses import FakeTensorMode

            with FakeTensorMode() as mode:
                eval(text, {**helpers, "x": lambda: mode.from_tensor(torch.ones(2))})
        elif how == "BACKWARD":
            y = torch.ones(2, requires_grad=True)
            result = eval(text, {**helpers, "y": y})
            (sum(result) if isinstance(result, tuple) else result).sum().backward()
        elif how == "SCHEMA":
            given = torch.ones(2)
            schema = eval(text.partition("(")[0], helpers).default._schema
            result = eval(text, {**helpers, "x": lambda: given})
            marks = schema.arguments[0].alias_info, schema.returns[0].alias_info
            if not torch.equal(given, torch.ones(2)) and not (marks[0] and marks[0].is_write):
                raise ValueError("it writes to x")
            if result.data_ptr() == given.data_ptr() and not marks[1]:
                raise ValueError("it returns x")
        elif how == "VMAP":
            torch.vmap(lambda y: eval(text, {**helpers, "y": y}))(torch.ones(3, 2))
        else:
            eval(text, helpers)
    for name, default in maker.compared:
        wanted = eval(default, {})
        imported = vars(sys.modules[maker.extra[0]]) if maker.extra else {}
        # Those that no name stands for are made again.
        for value in [*space.values(), *imported.values(), *(eval(text, space) for text in maker.lambdas)]:
            function = getattr(value, "_init_fn", value)
            import inspect

            if not callable(function) or getattr(function, "__module__", None) not in modules:
                continue
            functions = [function] if not inspect.isclass(function) else [v.__func__ for v in vars(function).values() if isinstance(v, staticmethod)]
            for one in functions:
                found = inspect.signature(one).parameters.get(name)
                if found is not None and found.default is not inspect.Parameter.empty and (found.default != wanted or (found.default is None) != (wanted is None)):
                    raise ValueError(f"the default of {name} is {found.default}")


def verdict(path, maker):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        signal.alarm(120)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            judged(path, maker)
            said = "right"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(write, said.encode()[:4000])
        os._exit(0)
    os.close(write)
    said = b""
    while chunk := os.read(read, 4096):
        said += chunk
    os.close(read)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return f"ended by signal {os.WTERMSIG(status)}"
    return "" if said == b"right" else said.decode(errors="replace") or "nothing"


def findings(command, paths):
    """{file: its findings}, without those of modules that belong to another one; files that could not be read."""
    run = subprocess.run([*command, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Status 2 says that nothing of some module could be read; which ones is on standard error.
    unread = {path for path in paths if f"'{path}' could not be read" in run.stderr}
    if run.returncode not in (0, 1) and not unread:
        sys.exit(run.stderr[-2000:])
    found = {}
    for line in run.stdout.splitlines():
        hit = json.loads(line)
        name = os.path.basename(hit["file"]).replace("more_judge", "case")
        found.setdefault(os.path.join(os.path.dirname(paths[0]), name), []).append((hit["id"], hit["message"]))
    return found, unread


def fixed(folder, files, more, command):
    """How many modules were edited, how many have no finding then, and how many of those are wrong to PyTorch."""
    other = folder + "-fixed"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(folder, other)
    paths = {path: os.path.join(other, os.path.basename(path)) for path in [*files, *more]}
    run = subprocess.run([*command, "--fix", *paths.values()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1, 2):
        sys.exit(run.stderr[-2000:])
    found, _ = findings(command, list(paths.values()))
    edited = mended = wrong = 0
    for path, maker in files.items():
        own = [path, *(os.path.join(folder, maker.extra[0] + ".py") for _ in [0] if maker.extra)]
        if all(open(one).read() == open(paths[one]).read() for one in own):
            continue
        edited += 1
        if found.get(paths[path]) or maker.silent:
            continue
        mended += 1
        maker.lambdas = []  # as they were written
        said = verdict(paths[path], maker)
        if said:
            wrong += 1
            print(f"{os.path.basename(path)}: {maker.what}: without findings behind --fix, but PyTorch: {said}")
    return edited, mended, wrong


def main(make=Maker):
    folder, count, seed, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    warnings.simplefilter("ignore")
    import torch

    torch.set_num_threads(1)
    release = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if release >= (2, 4):
        import torch._functorch.autograd_function  # noqa: F401
        from torch._subclasses import FakeTensorMode

        with FakeTensorMode() as mode:
            mode.from_tensor(torch.ones(2)) + 1
        torch.vmap(lambda x: x + 1)(torch.ones(2, 2))
    # A collection in a child would copy all of PyTorch's objects.
    gc.disable()
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(seed)
    files, said, more = {}, {}, []
    for number in range(count):
        maker = make(number, random.Random(rng.random()), release)
        text = maker.make()
        path = os.path.join(folder, f"case{number}.py")
        with open(path, "w") as file:
            file.write(text)
        if maker.extra:
            more.append(os.path.join(folder, maker.extra[0] + ".py"))
            with open(more[-1], "w") as file:
                file.write("\n".join(maker.extra[1]) + "\n")
        files[path] = maker
        said[path] = verdict(path, maker) or ("a result of another length" if maker.undefined else "")
    found, unread = findings(command, [*files, *more])
    wrong = 0
    for path, maker in files.items():
        hits = [": ".join(hit) for hit in found.get(path, []) if hit[0] not in maker.warned]
        if path in unread:
            continue
        if bool(hits) == (bool(said[path]) and not maker.silent) and (said[path] or not maker.silent):
            continue
        wrong += 1
        print(f"{os.path.basename(path)}: {maker.what}: PyTorch: {said[path] or 'right'}; opsig: {'; '.join(hits) or 'nothing'}")
    edited, mended, still = fixed(folder, files, more, command)
    wrong += still
    print(f"{edited} modules were edited, {mended} of them have no finding left")
    refused = sum(bool(s) for s in said.values())
    print(f"PyTorch {'.'.join(map(str, release))}: {count} modules, {refused} wrong, {count - refused} right, {len(unread)} not read; {wrong} disagreements")


if __name__ == "__main__":
    main()
