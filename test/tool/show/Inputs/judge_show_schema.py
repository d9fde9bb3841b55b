# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, registers and calls what `opsig show SCHEMA` prints, with the installed libtorch as the judge.

  judge_show_schema.py FOLDER [OPTION...]

Of each schema: a function of the printed kernel's declaration is registered for CPU and for Meta; the printed type gets
the operator through the dispatcher, which compares it with the kernel's; the printed forward() and backward() compile as
a torch::autograd::Function; the printed Python signature is valid, and has the names and the order of the schema's.
"""
import inspect
import json
import os
import subprocess
import sys
import typing

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../Check/Registrations/Inputs"))
import libtorch
import torch

SCHEMAS = [
    "scale(Tensor x, float s) -> Tensor",
    "maybe(Tensor? x, float? s=None, int? n=1, bool? b=None, str? t=None, Scalar? c=None, ScalarType? d=None) -> Tensor",
    "lists(Tensor[] xs, int[] n, float[] f, bool[3] b, SymInt[] s, Tensor?[] o, int[]? i, float[]? g) -> Tensor[]",
    "many(Tensor x, int n=1, *, bool keep=True) -> (Tensor, Tensor)",
    "numbers(Scalar a, int b, SymInt c, float d, bool e, complex f) -> Scalar",
    "names(str a, Device b, Layout c, MemoryFormat d, Generator? g) -> int",
    "inplace_(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    "outs.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    "nothing(Tensor x) -> ()",
    "tuple(Tensor x) -> (Tensor, int, float, str)",
    "strings(str[] a, Dict(str, int) b) -> str[]",
    "view(Tensor(a) x) -> Tensor(a)",
]
BODY = ' { throw std::runtime_error("called"); }\n'


def show(options):
    texts = [f"judge_show::{schema}" for schema in SCHEMAS]
    run = subprocess.run(["opsig", "show", "--format", "json", *options, *texts], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def source(reports):
    out = ["#include <ATen/core/dispatch/Dispatcher.h>\n#include <torch/library.h>\n#include <torch/csrc/autograd/custom_function.h>\n#include <stdexcept>\n"]
    impls, metas, calls = [], [], []
    for number, report in enumerate(reports):
        cpp = report["cpp"]
        out.append(f"namespace n{number} {{\n")
        out += [cpp[form] + BODY for form in ("kernel", "meta")]
        if cpp["autograd_forward"]:
            out.append("struct Formula : torch::autograd::Function<Formula> {\n")
            out += [cpp[form] + BODY for form in ("autograd_forward", "autograd_backward")]
            out.append("};\nauto Apply = [](auto &&...values) { return Formula::apply(values...); };\n")
        out.append("}\n")
        name = report["op"].split("::")[1]
        function = lambda form: cpp[form].split("(")[0].split()[-1]
        impls.append(f'  m.impl("{name}", &n{number}::{function("kernel")});\n')
        metas.append(f'  m.impl("{name}", &n{number}::{function("meta")});\n')
        if cpp["dispatcher"]:
            base, _, overload = report["op"].partition(".")
            calls.append(f'  c10::Dispatcher::singleton().findSchemaOrThrow("{base}", "{overload}").typed<{cpp["dispatcher"]}>();\n')
    escaped = lambda text: text.replace("\\", "\\\\").replace('"', '\\"')
    out.append("TORCH_LIBRARY(judge_show, m) {\n" + "".join(f'  m.def("{escaped(s)}");\n' for s in SCHEMAS))
    out.append('  m.def("check() -> ()", [] {\n' + "".join(calls) + "  });\n}\n")
    for key, lines in (("CPU", impls), ("Meta", metas)):
        out.append(f"TORCH_LIBRARY_IMPL(judge_show, {key}, m) {{\n" + "".join(lines) + "}\n")
    return "".join(out), len(calls)


def check_python(report):
    """The signature as Python itself reads it."""
    fake = report["python"]["fake"]
    names = "Tensor dtype layout memory_format device Generator SymInt SymFloat SymBool".split()
    space = {name: getattr(torch, name, object) for name in names}
    space.update(Sequence=typing.Sequence, Any=typing.Any, Number=float)
    exec("from __future__ import annotations\n" + fake + ": ...", space)
    function = space[fake.split("(")[0].split()[1]]
    schema = torch._C.parse_schema("judge_show::" + next(s for s in SCHEMAS if s.startswith(report["op"].split("::")[1] + "(")))
    got = [(p.name, p.kind is p.KEYWORD_ONLY, p.default is not p.empty) for p in inspect.signature(function).parameters.values()]
    want = [(a.name, a.kwarg_only, a.has_default_value()) for a in schema.arguments]
    assert got == want, f"{report['op']}: {got} != {want}"
    assert report["python"]["call"].startswith("torch.ops." + report["op"].replace("::", ".") + "("), report["python"]["call"]


def main(folder, *options):
    reports = show(options)
    assert len(reports) == len(SCHEMAS)
    text, calls = source(reports)
    judge = libtorch.Libtorch(folder)
    library = os.path.join(judge.folder, "judge_show.so")
    path = judge.write("judge_show.cpp", text)
    judge.clang(["-shared", "-fPIC", path, "-o", library, "-ltorch", "-ltorch_cpu", "-lc10"], check=True)
    torch.ops.load_library(library)
    torch.ops.judge_show.check()
    for report in reports:
        check_python(report)
    formulas = sum(bool(report["cpp"]["autograd_forward"]) for report in reports)
    print(f"{len(reports)} schemas: {2 * len(reports)} kernels registered, {calls} types taken, {formulas} formulas compiled")


main(*sys.argv[1:])
