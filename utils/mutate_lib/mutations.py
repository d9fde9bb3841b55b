# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults: Function x random numbers => Mutant.

A mutation says by its own making where the fault is; whether it is one, the compiler judges (judge.py).
"""
import dataclasses
import os
import re

from functions import Function, Param

TYPES = (
    *("bool", "int64_t", "double", "float", "int", "c10::SymInt", "at::Tensor", "at::Scalar"),
    *("const at::Tensor &", "at::Tensor &", "const at::Scalar &", "at::IntArrayRef"),
    *("c10::SymIntArrayRef", "at::TensorList", "const at::ITensorListRef &", "at::ArrayRef<double>"),
    *(("at::DimnameList",) if os.path.exists("/usr/include/ATen/core/Dimname.h") else ()),
    *("at::ScalarType", "at::Layout", "at::Device", "at::MemoryFormat"),
    *("c10::string_view", "const std::string &", "at::Storage", "c10::optional<at::Generator>"),
    *("const c10::optional<at::Tensor> &", "::std::array<bool,3>", "at::OptionalIntArrayRef"),
    *("const c10::List<c10::optional<at::Tensor>> &", "std::vector<int64_t>", "at::Stream"),
)
RETURNS = (
    *("void", "bool", "int64_t", "at::Tensor", "at::Tensor &", "const at::Tensor &", "at::Scalar"),
    *("::std::tuple<at::Tensor,at::Tensor>", "::std::vector<at::Tensor>", "at::ScalarType"),
    *("::std::tuple<at::Tensor &,at::Tensor &>", "::std::tuple<at::Tensor,at::Tensor,at::Tensor>"),
)
# Some of these are no fault at all: on most platforms `long` is int64_t.
WIDTHS = {
    "int64_t": ("int", "int32_t", "int16_t", "uint64_t", "long", "long long", "size_t"),
    "double": ("float", "long double"),
    "bool": ("int", "uint8_t"),
    "at::IntArrayRef": ("at::ArrayRef<int>", "at::ArrayRef<int64_t>"),
    "at::ArrayRef<double>": ("at::ArrayRef<float>",),
    "::std::array<bool,2>": ("::std::array<bool,3>",),
    "::std::array<bool,3>": ("::std::array<bool,2>", "::std::array<bool,4>"),
}


@dataclasses.dataclass
class Mutant:
    kind: str
    original: Function
    function: Function
    returns: bool = False
    params: tuple = ()  # places of the mutant's list at which a finding is right
    before: tuple = ()  # and places before which a parameter is missing


def retyped(kind, function, at, type_text):
    params = list(function.params)
    params[at] = Param(type_text, params[at].name)
    new = dataclasses.replace(function, params=tuple(params))
    return Mutant(kind, function, new, params=(at,))


def of_one_param(kind, function, random, change):
    """`change` gives the new types of a type, none if it has none."""
    at = random.randrange(len(function.params)) if function.params else None
    choices = [t for t in change(function.params[at].type)] if at is not None else []
    return retyped(kind, function, at, random.choice(choices)) if choices else None


def change_type(function, random):
    return of_one_param("type", function, random, lambda old: [t for t in TYPES if t != old])


def change_const(function, random):
    def change(old):
        if old.startswith("const "):
            return [old[len("const ") :]]
        return [f"const {old}"]

    return of_one_param("const", function, random, change)


def change_reference(function, random):
    def change(old):
        if old.endswith(" &"):
            value = old[:-2]
            return [value, f"{value} &&", f"{value} *"]
        return [f"{old} &", f"const {old} &", f"{old} &&", f"{old} *"]

    return of_one_param("reference", function, random, change)


def change_width(function, random):
    def change(old):
        if optional := re.fullmatch(r"c10::optional<(.*)>", old):
            return [f"c10::optional<{t}>" for t in WIDTHS.get(optional[1], ())]
        return WIDTHS.get(old, ())

    return of_one_param("width", function, random, change)


def change_optional(function, random):
    def change(old):
        if "optional<" in old:
            return [re.sub(r"c10::optional<(.*)>", r"\1", old)]
        if old == "at::OptionalIntArrayRef":
            return ["at::IntArrayRef", "c10::optional<at::IntArrayRef>"]
        if reference := re.fullmatch(r"const (.*) &", old):
            return [f"const c10::optional<{reference[1]}> &", f"c10::optional<{reference[1]}>"]
        return [] if old.endswith("&") else [f"c10::optional<{old}>"]

    return of_one_param("optional", function, random, change)


def change_return(function, random):
    new = random.choice([t for t in RETURNS if t != function.returns])
    return Mutant("return", function, dataclasses.replace(function, returns=new), returns=True)


def change_order(function, random):
    """Two parameters change places, or one goes elsewhere."""
    number = len(function.params)
    if number < 2:
        return None
    params = list(function.params)
    one, other = random.sample(range(number), 2)
    if random.random() < 0.5:
        params[one], params[other] = params[other], params[one]
    else:
        params.insert(other, params.pop(one))
    differ = tuple(i for i in range(number) if params[i] != function.params[i])
    return Mutant("order", function, dataclasses.replace(function, params=tuple(params)), params=differ)


def change_count(function, random):
    params = list(function.params)
    if params and random.random() < 0.5:
        at = random.randrange(len(params))
        del params[at]
        new = dataclasses.replace(function, params=tuple(params))
        return Mutant("count", function, new, before=(at,))
    at = random.randrange(len(params) + 1)
    # As often as not of a type that stands next to it.
    near = [p.type for p in params[max(at - 1, 0) : at + 1]]
    new_type = random.choice(near if near and random.random() < 0.5 else TYPES)
    params.insert(at, Param(new_type, "extra"))
    new = dataclasses.replace(function, params=tuple(params))
    return Mutant("count", function, new, params=(at,))


MUTATIONS = (
    *(change_type, change_const, change_reference, change_order, change_count, change_return),
    *(change_optional, change_width),
)


def mutate(function, random):
    """A mutant of `function`; tries again where a kind of fault has no place in it."""
    while True:
        if mutant := random.choice(MUTATIONS)(function, random):
            return mutant


def loosened(mutant):
    """The places at which a finding is right where no parameter has a name: all of a run of equal
    types, of which any may be the one that is missing or too many."""

    def run(params, at, type_text):
        begin = end = at
        while begin > 0 and params[begin - 1].type == type_text:
            begin -= 1
        while end < len(params) and params[end].type == type_text:
            end += 1
        return begin, end

    params = mutant.function.params
    if mutant.kind != "count":
        return mutant
    if mutant.before:
        (at,) = mutant.before
        begin, end = run(params, at, mutant.original.params[at].type)
        return dataclasses.replace(mutant, before=tuple(range(begin, end + 1)))
    (at,) = mutant.params
    begin, end = run(params, at, params[at].type)
    return dataclasses.replace(mutant, params=tuple(range(begin, end)))
