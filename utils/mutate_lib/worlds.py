# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources that hold mutants: each a set of files, with every function's place and expected text.

    Function*, random numbers => World (files, Site*)
"""
import dataclasses
import itertools
import random
import re
from pathlib import Path

from functions import (
    Form,
    Function,
    definitions,
    dispatcher_functions,
    meta_headers,
    native_functions,
    structured_functions,
)
from mutations import Mutant, loosened, mutate

# Half of a file's functions, roughly, stay as they are: no finding may be about them.
MUTANTS_PER_FILE = 900


@dataclasses.dataclass
class Site:
    """A function in a file. Its text stands between two marks."""

    mark: int
    file: str
    offset: int
    form: Form
    function: Function
    original: Function
    mutant: Mutant = None


@dataclasses.dataclass
class World:
    name: str
    files: dict  # name => text
    sources: list  # names of those that opsig is given
    sites: list
    compiled: list  # names of those that are whole
    options: tuple = ()  # of opsig check
    unfit: bool = False  # libtorch's headers refuse some mutants, so that the compiler reports errors


def mark_line(mark):
    return f"// mark {mark}\n"


class Text:
    """A file in the making."""

    def __init__(self, name, marks):
        self.name, self.text, self.marks, self.sites = name, "", marks, []

    def add(self, text):
        self.text += text

    def site(self, form, original, mutant):
        mark = next(self.marks)
        self.text += mark_line(mark)
        function = mutant.function if mutant else original
        self.sites.append(Site(mark, self.name, len(self.text), form, function, original, mutant))
        self.text += form.write(function).text + "\n" + mark_line(mark)


def marked(text):
    """Mark => what stands between its two lines, blanks in one form."""
    found = re.finditer(r"^// mark (\d+)\n(.*?)\n// mark \1$", text, re.M | re.S)
    return {int(m[1]): normal(m[2]) for m in found}


def normal(text):
    """Which side of a reference the blank stands on is a matter of style, not of signatures."""
    text = re.sub(r"\s*([&,()])\s*", r"\1", text)
    return re.sub(r"\s+", " ", text)


BODY = " { TORCH_CHECK(false); }"
NATIVE_FORMS = (
    (40, (Form(),)),
    (10, (Form(after=BODY),)),
    (10, (Form(separator=",\n    "),)),
    (10, (Form(right_ref=True, after=BODY),)),
    (15, (Form(right_ref=True), Form(after=BODY))),
    (10, (Form(names=False),)),
    (10, (Form(short=True),)),
    (5, (Form(trailing=True),)),
)


class Rejected:
    """Mutations that are none: the function became one of its own overloads."""

    def __init__(self):
        self.number = 0


def new_mutant(function, overloads, rng, rejected):
    while True:
        mutant = mutate(function, rng)
        if mutant.returns and not function.returns:
            continue
        if not mutant.returns and param_types(mutant.function) in overloads:
            rejected.number += 1
            continue
        return mutant


def param_types(function):
    return tuple(p.type for p in function.params)


def native_worlds(count, rng, marks, rejected):
    functions = native_functions()
    by_name = {}
    for function in functions:
        by_name.setdefault(function.name, []).append(function)
    weights, forms = zip(*NATIVE_FORMS)
    worlds = []
    while count > 0:
        # One mutant to a name: of two that differ nobody could say which kernel each was meant to be.
        names = rng.sample(list(by_name), min(count, MUTANTS_PER_FILE, len(by_name)))
        chosen = {rng.choice(by_name[name]) for name in names}
        count -= len(chosen)
        file = Text(f"native{len(worlds)}.cpp", marks)
        file.add("#include <ATen/ATen.h>\nnamespace at { namespace native {\n")
        # With their overloads, and as many others.
        right = rng.sample(list(by_name), min(len(chosen), len(by_name)))
        shown = {function.name for function in chosen}.union(right)
        for function in functions:
            if function.name not in shown:
                continue
            mutant = None
            (written,) = rng.choices(forms, weights)
            if function in chosen:
                overloads = {param_types(f) for f in by_name[function.name] if f != function}
                mutant = new_mutant(function, overloads, rng, rejected)
                if not written[0].names:
                    mutant = loosened(mutant)
            for form in written:
                file.site(form, function, mutant)
        file.add("}}\n")
        worlds.append(World(file.name, {file.name: file.text}, [file.name], file.sites, [file.name]))
    return worlds


def structured_worlds(count, rng, marks, rejected):
    worlds = []
    while count > 0:
        kind = ("meta", "impl")[len(worlds) % 2]
        functions = structured_functions(kind)
        chosen = set(rng.sample(functions, min(count, len(functions) // 2)))
        count -= len(chosen)
        file = Text(f"{kind}{len(worlds)}.cpp", marks)
        file.add("#include <ATen/ATen.h>\n#include <ATen/NativeFunctions.h>\n")
        file.add("".join(f"#include <ATen/ops/{name}>\n" for name in meta_headers()))
        file.add(f"namespace at {{ namespace {'meta' if kind == 'meta' else 'native'} {{\n")
        right = set(rng.sample(functions, min(len(chosen), len(functions))))
        for function in functions:
            if function not in chosen and function not in right:
                continue
            form = rng.choice((Form(after=BODY), Form(after=BODY, separator=",\n    ", short=True)))
            mutant = new_mutant(function, (), rng, rejected) if function in chosen else None
            file.site(form, function, mutant)
        file.add("}}\n")
        worlds.append(World(file.name, {file.name: file.text}, [file.name], file.sites, [file.name]))
    return worlds


BACKEND = ("--backend", "demo.yaml")
CLASS = "DemoNativeFunctions"
HEADER = "PrivateUse1NativeFunctions.h"


def backend_worlds(count, rng, marks, rejected, folder):
    """The example backend again and again, with a mutant in each of its kernels; every other time with
    a header that declares the same mutants."""
    sources = {p.name: p.read_text(encoding="utf-8") for p in sorted(Path(folder).glob("*.cpp"))}
    found = {name: definitions(text, CLASS) for name, text in sources.items()}
    found = {name: kernels for name, kernels in found.items() if kernels}
    if not found:
        raise LookupError(f"no kernel of the class {CLASS} in {folder}")
    style = {"right_ref": True}
    worlds = []
    while count > 0:
        files, sites, declarations = {}, [], Text(HEADER, marks)
        declarations.add(f"#pragma once\n#include <ATen/ATen.h>\nnamespace demo {{ struct {CLASS} {{\n")
        for name, kernels in found.items():
            file, at = Text(name, marks), 0
            for begin, end, function in kernels:
                mutant = new_mutant(function, (), rng, rejected) if count > 0 else None
                count -= mutant is not None
                file.add(sources[name][at:begin])
                form = Form(scope=f"{CLASS}::", separator=",\n      ", after="", **style)
                file.site(form, function, mutant)
                declarations.site(Form(before="static ", **style), function, mutant)
                at = end
            file.add(sources[name][at:])
            files[name] = file.text
            sites += file.sites
        declarations.add("}; }\n")
        if len(worlds) % 2:
            files[HEADER] = declarations.text
            sites += declarations.sites
        for name in ("Device.h", "demo.yaml"):
            files[name] = (Path(folder) / name).read_text(encoding="utf-8")
        # The other sources include a header that a generator has yet to write.
        compiled = list(found) if HEADER in files else []
        worlds.append(World(f"backend{len(worlds)}", files, list(found), sites, compiled, BACKEND))
    return worlds


KEY_SET = "c10::DispatchKeySet, "
REGISTERED_FORMS = (
    (30, (Form(after=BODY),)),
    (20, (Form(right_ref=True, after=BODY, separator=",\n    "),)),
    (20, (Form(right_ref=True), Form(after=BODY))),
    (20, (Form(leading=KEY_SET, after=BODY),)),
    (10, (Form(trailing=True, after=BODY),)),
)
# Each is instantiated by the compiler.
REGISTERED_PER_FILE = 160


def registered_worlds(count, rng, marks, rejected):
    """Kernels that TORCH_LIBRARY_IMPL gives to PyTorch's own operators."""
    functions = dispatcher_functions()
    weights, forms = zip(*REGISTERED_FORMS)
    worlds = []
    while count > 0:
        operators = rng.sample(sorted(functions), min(REGISTERED_PER_FILE, 2 * count))
        file, impls = Text(f"registered{len(worlds)}.cpp", marks), ""
        file.add("#include <torch/library.h>\nnamespace mine {\n")
        for number, operator in enumerate(operators):
            function = functions[operator]
            mutant = new_mutant(function, (), rng, rejected) if number % 2 and count > 0 else None
            count -= mutant is not None
            (written,) = rng.choices(forms, weights)
            # A key set by itself leaves no list to fix.
            if written[0].leading and not all(f.params for f in (function, mutant and mutant.function) if f):
                written = forms[0]
            for form in written:
                file.site(form, function, mutant)
            impls += f'  m.impl("{operator}", mine::{function.name});\n'
        file.add(f"}}\nTORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {{\n{impls}}}\n")
        worlds.append(
            World(
                file.name, {file.name: file.text}, [file.name], file.sites, [file.name],
                ("--checks=-*,opsig-kernel-signature",), unfit=True,
            )
        )
    return worlds


def numbers():
    mark = 0
    while True:
        yield mark
        mark += 1


def all_worlds(count, seed, folder):
    rng, marks, rejected = random.Random(seed), numbers(), Rejected()
    of_backend, of_registered, of_structured = count // 16, count // 16, count // 8
    kinds = [
        native_worlds(count - of_backend - of_registered - of_structured, rng, marks, rejected),
        structured_worlds(of_structured, rng, marks, rejected),
        registered_worlds(of_registered, rng, marks, rejected),
        backend_worlds(of_backend, rng, marks, rejected, folder),
    ]
    # Each kind early: a run may end before all are tried.
    turns = itertools.zip_longest(*kinds)
    return [world for turn in turns for world in turn if world], rejected.number
