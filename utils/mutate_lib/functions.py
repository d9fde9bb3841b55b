# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions as text: read from declarations, written in several forms, with the place of each part.

    declaration text => Function (returns, name, params) => Writing (text, places of its parts)
"""
import dataclasses
import glob
import os
import re

# A default argument: braces, or a name, number or call without commas outside of parentheses.
DEFAULT = re.compile(r"=(\{[^}]*\}|[^,()]*(\([^()]*\))?)(?=[,)])")
OPENERS, CLOSERS = "<({[", ">)}]"


@dataclasses.dataclass(frozen=True)
class Param:
    type: str
    name: str


@dataclasses.dataclass(frozen=True)
class Function:
    returns: str  # "" where the name is a macro that says it
    name: str
    params: tuple

    def type(self):
        return f"{self.returns or 'void'}({', '.join(p.type for p in self.params)})"


@dataclasses.dataclass
class Writing:
    """A function's text, and where in it stand its return type, its parameters and its ")"."""

    text: str
    returns: tuple
    params: list
    close: int

    def shifted(self, by):
        return Writing(
            self.text,
            (self.returns[0] + by, self.returns[1] + by),
            [(begin + by, end + by) for begin, end in self.params],
            self.close + by,
        )


def split_params(text):
    """The texts between the commas that separate parameters."""
    params, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in OPENERS) - (char in CLOSERS)
        if char == "," and depth == 0:
            params.append(text[begin:at].strip())
            begin = at + 1
    last = text[begin:].strip()
    return params + [last] if last else params


def parse(text):
    """A declaration without defaults, on one line or several: `returns name(type name, ...)`."""
    returns, name, params = re.fullmatch(r"(.*?[\s&])([\w:]+)\((.*)\)", text, re.S).groups()
    params = [re.fullmatch(r"(.*?)(\w+)", " ".join(p.split())).groups() for p in split_params(params)]
    return Function(returns.strip(), name, tuple(Param(t.strip(), n) for t, n in params))


def native_functions():
    """What the installed PyTorch declares in at::native, in the order of its headers; of several
    declarations of a function the first."""
    functions = {}
    for path in sorted(glob.glob("/usr/include/ATen/ops/*_native.h")):
        with open(path, encoding="utf-8") as header:
            for line in header:
                if found := re.fullmatch(r"TORCH_API (.*\));\n", line):
                    function = parse(DEFAULT.sub("", found[1]))
                    functions.setdefault((function.name, function.type()), function)
    return list(functions.values())


def meta_headers():
    """The installed headers that hold meta functions; not every operator that is said to have one has."""
    return [os.path.basename(path) for path in sorted(glob.glob("/usr/include/ATen/ops/*_meta.h"))]


def structured_functions(kind):
    """The meta functions ("meta") or implementations ("impl") that the installed PyTorch declares in
    classes, as their sources write them: TORCH_META_FUNC(add_Tensor) for structured_add_Tensor::meta."""
    macros = {"void impl": "TORCH_IMPL_FUNC", "void meta": "TORCH_META_FUNC"}
    macros["meta_return_ty meta"] = "TORCH_PRECOMPUTE_META_FUNC"
    functions, struct = {}, None
    for path in sorted(glob.glob(f"/usr/include/ATen/ops/*_{'meta' if kind == 'meta' else 'native'}.h")):
        with open(path, encoding="utf-8") as header:
            for line in header:
                if found := re.match(r"struct TORCH_API structured_(\w+)", line):
                    struct = found[1]
                elif found := re.match(rf"\s*(\w+ {kind})\((.*)\);$", line):
                    function = parse(f"void f({found[2]})")
                    name = f"{macros[found[1]]}({struct})"
                    functions[name] = dataclasses.replace(function, returns="", name=name)
    return list(functions.values())


def dispatcher_functions():
    """Operator => the function that the installed PyTorch calls it by, which has the type of its kernels.
    Without those that take SymInts, whose kernels may have either of two types."""
    functions, operator = {}, {}
    for path in sorted(glob.glob("/usr/include/ATen/ops/*_ops.h")):
        with open(path, encoding="utf-8") as header:
            for line in header:
                if found := re.match(r'\s*STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA\((\w+), "(.*)"\)', line) or re.match(
                    r'\s*static constexpr const char\* (\w+) = "(.*)";', line
                ):
                    operator[found[1]] = found[2]
                elif found := re.match(r"\s*static (.*\bcall\(.*\));", line):
                    name = ".".join(filter(None, (operator["name"].split("::")[1], operator["overload_name"])))
                    if "SymInt" not in operator["schema_str"]:
                        functions[name] = dataclasses.replace(parse(found[1]), name=name.replace(".", "_") + "_kernel")
    return functions


def definitions(text, scope):
    """The definitions of members of the class `scope` in a source: (begin, end, Function), without
    their bodies; the name is the member's own."""
    found = []
    for match in re.finditer(rf"^([\w:<>, ]+[ &]){scope}::(\w+)\(([^)]*)\)(?= \{{)", text, re.M):
        function = parse(f"{match[1]}{match[2]}({match[3]})")
        found.append((match.start(), match.end(), function))
    return found


@dataclasses.dataclass(frozen=True)
class Form:
    """How a function is written."""

    before: str = ""  # "static "
    scope: str = ""  # "DemoNativeFunctions::"
    leading: str = ""  # "c10::DispatchKeySet, ": a parameter that is not the function's own
    after: str = ";"
    separator: str = ", "
    right_ref: bool = False  # "T &x" instead of "T & x"
    names: bool = True
    trailing: bool = False  # auto f() -> T
    short: bool = False  # Tensor instead of at::Tensor, as namespace at::native allows

    def spell(self, type_text):
        return re.sub(r"(::)?\b(at|c10)::(?=[A-Zo])", "", type_text) if self.short else type_text

    def declare(self, type_text, name):
        type_text = self.spell(type_text)
        if self.right_ref:
            type_text = re.sub(r" & ?$", " &", type_text)
            return type_text + ("" if type_text.endswith(" &") else " ") + name
        return f"{type_text} {name}"

    def write(self, function):
        text = self.before
        returns = self.declare(function.returns, "").rstrip() if self.right_ref else self.spell(function.returns)
        begin = len(text)
        if self.trailing:
            text += "auto"
        else:
            text += returns
        place = (begin, len(text))
        blank = "" if not text or self.right_ref and text.endswith("&") else " "
        text += f"{blank}{self.scope}{function.name}({self.leading}"
        params = []
        for param in function.params:
            if params:
                text += self.separator
            begin = len(text)
            text += self.declare(param.type, param.name) if self.names else self.spell(param.type)
            params.append((begin, len(text)))
        close = len(text)
        text += ")"
        if self.trailing:
            begin = len(text) + len(" -> ")
            text += f" -> {returns}"
            place = (begin, len(text))
        return Writing(text + self.after, place, params, close)
