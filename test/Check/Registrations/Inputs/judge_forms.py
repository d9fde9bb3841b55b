#!/usr/bin/python3
"""Compares what opsig says of the ways to register kernels with what the real libtorch says of the same code.

usage: judge_forms.py [--system SYSTEM] DIR OPSIG-COMMAND...

A row is a few registrations: every way to name a kernel with kernels that fit their schemas and that do not, and every
mistake that blocks and names allow. For libtorch a row is a function that makes the same torch::Library objects and prints
whether that throws; for opsig it is TORCH_LIBRARY blocks. What does not compile stands in a second file, where the compiler
judges. FILE and FLAGS in the command stand for the source file and the flags to read it with; SYSTEM is the folder of
another system whose libtorch is asked.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import sys

import libtorch as judges
from judge_kernels import names

PROLOGUE = """\
#include <ATen/ATen.h>
#include <torch/library.h>
#include <complex>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
using at::Tensor;
using torch::CppFunction;
using torch::RegisterOperators;
#define OPTIONS RegisterOperators::options()
void boxed(const c10::OperatorHandle &, torch::jit::Stack *) {}
#ifdef JUDGE
#include <iostream>
#define BEGIN(row) static void judge##row() {
#define END }
#define LIBRARY(ns, n) torch::Library m##n(torch::Library::DEF, #ns, {}, "", 0); if (auto &m = m##n; true)
#define FRAGMENT(ns, n) torch::Library m##n(torch::Library::FRAGMENT, #ns, {}, "", 0); if (auto &m = m##n; true)
#define IMPL(ns, key, n) torch::Library m##n(torch::Library::IMPL, #ns, c10::DispatchKey::key, "", 0); if (auto &m = m##n; true)
#define OLD(n) auto old##n =
#else
#define BEGIN(row)
#define END
#define LIBRARY(ns, n) TORCH_LIBRARY(ns, m)
#define FRAGMENT(ns, n) TORCH_LIBRARY_FRAGMENT(ns, m)
#define IMPL(ns, key, n) TORCH_LIBRARY_IMPL(ns, key, m)
#define OLD(n) static auto old##n =
#endif
"""
SCHEMA = "op(Tensor self, int n) -> Tensor"
TYPES = [
    "Tensor(const Tensor &, int64_t)",
    "Tensor(c10::DispatchKeySet, Tensor, int64_t)",
    "Tensor(const Tensor &, double)",
    "Tensor(const Tensor &)",
    "void(const Tensor &, int64_t)",
    "std::vector<Tensor>(const Tensor &, int64_t)",
]
# Each once: an assertion inside of a template fails for the first of its uses only.
REFUSED = """
int; float; short; char; signed char; unsigned char; unsigned; unsigned short; unsigned long; long long
unsigned long long; char16_t; char32_t; wchar_t; const char *; std::vector<bool>; at::TensorOptions; at::TensorBase
c10::DeviceType; std::optional<int64_t>; std::string_view; std::complex<double>; std::pair<int64_t, int64_t>
std::map<std::string, int64_t>; at::OptionalTensorRef; std::set<int64_t>; std::list<int64_t>; std::deque<int64_t>
"""
# {f} is a function, {l} a lambda's parameters and return, S{n} a functor, K{n} and I{n} kernel classes; {n} the row.
KERNELS = [
    "{f}",
    "&{f}",
    "+{f}",
    "TORCH_FN({f})",
    "[]{l}",
    "[v = 1]{l}",
    "S{n}()",
    "CppFunction({f})",
    'CppFunction({f}).debug("here")',
    "CppFunction::makeFromUnboxedFunction({f})",
    "static_cast<decltype({f}) *>({f})",
]
PLACES = [
    ['FRAGMENT(r{n}, 0) {{ m.def("%s"); }}' % SCHEMA, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", {k}); }}'],
    ['FRAGMENT(r{n}, 0) {{ m.def("%s"); m.impl("r{n}::op", {k}); }}' % SCHEMA],
    ['FRAGMENT(r{n}, 0) {{ m.def("%s", {k}); }}' % SCHEMA],
    ['FRAGMENT(r{n}, 0) {{ m.def("%s"); m.impl("op", torch::dispatch(c10::kCPU, {k})); }}' % SCHEMA],
    [
        'FRAGMENT(r{n}, 0) {{ m.def(TORCH_SELECTIVE_SCHEMA("r{n}::%s")); }}' % SCHEMA,
        'IMPL(r{n}, CPU, 1) {{ m.impl(TORCH_SELECTIVE_NAME("r{n}::op"), {k}); }}',
    ],
]
OLD = [
    'OLD({n}) RegisterOperators("r{n}::%s", &{f});',
    'OLD({n}) RegisterOperators().op("r{n}::%s", &{f});',
    'OLD({n}) RegisterOperators().op("r{n}::%s", []{l});',
    'OLD({n}) RegisterOperators().op("r{n}::%s", [v = 1]{l});',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.kernel<K{n}>(c10::DispatchKey::CPU));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.kernel<K{n}>(c10::DispatchKey::CPU, 1, true));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.catchAllKernel<I{n}>());',
    'OLD({n}) RegisterOperators().op(OPTIONS.schema("r{n}::%s").catchAllKernel<K{n}>(2));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.catchAllKernel([]{l}));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.kernel(c10::DispatchKey::CPU, []{l}));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.kernel(c10::DispatchKey::CPU, &{f}));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.kernel<decltype({f}), &{f}>(c10::DispatchKey::CPU));',
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.catchAllKernel<decltype({f}), &{f}>());',
]
# What is wrong, or right, about more than one kernel. {a} and {b} are functions of the types in front.
FINE, OTHER, KEYED = TYPES[0], "Tensor(Tensor, int64_t)", TYPES[1]
DEFINED = 'FRAGMENT(r{n}, 0) {{ m.def("%s"); }}' % SCHEMA
WHOLES = [
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", {a}); }}', 'IMPL(r{n}, CUDA, 2) {{ m.impl("op", {b}); }}']),
    (FINE, OTHER, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", {a}); }}', 'IMPL(r{n}, CUDA, 2) {{ m.impl("op", {b}); }}']),
    (FINE, KEYED, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", {a}); }}', 'IMPL(r{n}, CUDA, 2) {{ m.impl("op", {a}); }}']),
    (OTHER, KEYED, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", {a}); }}', 'IMPL(r{n}, CUDA, 2) {{ m.impl("op", {b}); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", {a}); m.impl("op", {b}); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("other", {a}); m.impl("op.more", {b}); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("zzz::op", {a}); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("r{n}::op", {a}); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("%s", {a}); }}' % SCHEMA]),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", torch::dispatch(c10::DispatchKey::CUDA, {a})); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", torch::dispatch(c10::DispatchKey::CPU, {a})); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", CppFunction::makeFromBoxedFunction<&boxed>()); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.impl("op", CppFunction::makeFallthrough()); }}']),
    (FINE, FINE, [DEFINED, 'IMPL(r{n}, CPU, 1) {{ m.def("more(Tensor x) -> Tensor"); }}']),
    (FINE, FINE, [DEFINED, 'FRAGMENT(r{n}, 1) {{ m.def("%s"); }}' % SCHEMA]),
    (FINE, FINE, [DEFINED, 'FRAGMENT(r{n}, 1) {{ m.def("op.more(Tensor x) -> Tensor"); }}']),
    (FINE, FINE, [DEFINED, 'FRAGMENT(r{n}, 1) {{ m.def("zzz::op(Tensor x) -> Tensor"); }}']),
    (FINE, FINE, [DEFINED, 'FRAGMENT(r{n}, 1) {{ m.def("more"); }}']),
    (FINE, FINE, [DEFINED, 'FRAGMENT(r{n}, 1) {{ m.def("more", {a}); }}']),
    (FINE, FINE, [DEFINED, 'FRAGMENT(r{n}, 1) {{ m.def("more", CppFunction::makeFromBoxedFunction<&boxed>()); }}']),
    (FINE, FINE, ['LIBRARY(r{n}, 0) {{ m.def("%s"); }}' % SCHEMA, 'LIBRARY(r{n}, 1) {{ m.def("more(Tensor x) -> Tensor"); }}']),
    (FINE, FINE, ['LIBRARY(r{n}, 0) {{ m.def("%s"); }}' % SCHEMA, 'FRAGMENT(r{n}, 1) {{ m.def("more(Tensor x) -> Tensor"); }}']),
    (FINE, FINE, ["LIBRARY(r{n}, 0) {{ m.fallback(CppFunction::makeFallthrough()); }}"]),
    (FINE, FINE, ["IMPL(r{n}, CPU, 0) {{ m.fallback(CppFunction::makeFallthrough()); }}"]),
    (FINE, FINE, ["IMPL(_, PrivateUse3, 0) {{ m.fallback(CppFunction::makeFallthrough()); }}"]),
    (FINE, FINE, ['OLD({n}) RegisterOperators().op("r{n}::%s", &{a}).op("r{n}::op.b(Tensor x, int n) -> Tensor", &{b});' % SCHEMA]),
    ("Tensor(const Tensor &)", "Tensor(Tensor)", ['IMPL(aten, PrivateUse1, 0) {{ m.impl("abs", {a}); }}']),
    ("Tensor(const Tensor &)", "Tensor(Tensor)", ['IMPL(aten, PrivateUse1, 0) {{ m.impl("abs", {b}); }}']),
    ("Tensor(const Tensor &)", "Tensor(Tensor)", ['IMPL(aten, PrivateUse1, 0) {{ m.impl("add.Tensor", {a}); }}']),
    ("Tensor(const Tensor &)", "Tensor(Tensor)", ['IMPL(aten, PrivateUse1, 0) {{ m.impl("no_such_op", {a}); }}']),
    ("Tensor(const Tensor &, at::IntArrayRef)", FINE, ['IMPL(aten, PrivateUse1, 0) {{ m.impl("view", {a}); }}']),
    ("Tensor(const Tensor &, c10::SymIntArrayRef)", FINE, ['IMPL(aten, PrivateUse1, 0) {{ m.impl("view", {a}); }}']),
    ("Tensor(const Tensor &, std::vector<int64_t>)", FINE, ['IMPL(aten, PrivateUse1, 0) {{ m.impl("view", {a}); }}']),
    ("Tensor(const Tensor &, const c10::SymIntArrayRef &)", FINE, ['IMPL(aten, PrivateUse1, 0) {{ m.impl("view", {a}); }}']),
    (
        "Tensor(const Tensor &, c10::SymInt, const c10::SymIntArrayRef &)",
        "Tensor(const Tensor &, const c10::SymInt &, c10::SymIntArrayRef)",
        ['FRAGMENT(r{n}, 0) {{ m.def("op(Tensor x, SymInt n, SymInt[] size) -> Tensor"); m.impl("op", {a}); }}'],
    ),
    (
        "Tensor(const Tensor &, const c10::SymIntArrayRef &)",
        "Tensor(const Tensor &, c10::SymIntArrayRef)",
        ['FRAGMENT(r{n}, 0) {{ m.def("op(Tensor x, SymInt[] size) -> Tensor"); m.impl("op", {a}); }}'],
    ),
    (
        "Tensor(const Tensor &, const c10::SymIntArrayRef &)",
        "Tensor(const Tensor &, c10::SymIntArrayRef)",
        ['FRAGMENT(r{n}, 0) {{ m.def("op(Tensor x, SymInt[] size) -> Tensor"); m.impl("op", {b}); }}'],
    ),
    (
        "Tensor(const Tensor &, const c10::SymIntArrayRef &)",
        "Tensor(const Tensor &, c10::SymIntArrayRef)",
        ['FRAGMENT(r{n}, 0) {{ m.def("op", {a}); }}'],
    ),
    ("Tensor(const Tensor &, int64_t)", FINE, ['FRAGMENT(r{n}, 0) {{ m.def("op(thing x, int n) -> Tensor", {a}); }}']),
    ("Tensor(const Tensor &, int64_t)", FINE, ['FRAGMENT(r{n}, 0) {{ m.def("op(thing x, int n) -> Tensor"); }}']),
    ("Tensor(const Tensor &, int64_t)", FINE, ['FRAGMENT(r{n}, 0) {{ m.def("op(tensor x) -> tensor"); }}']),
    ("c10::SymInt(c10::SymInt)", "int64_t(int64_t)", ['FRAGMENT(r{n}, 0) {{ m.def("op(SymInt n) -> SymInt"); m.impl("op", {a}); }}']),
    ("c10::SymInt(c10::SymInt)", "int64_t(int64_t)", ['FRAGMENT(r{n}, 0) {{ m.def("op(SymInt n) -> SymInt"); m.impl("op", {b}); }}']),
    ("int64_t(c10::SymInt)", "c10::SymInt(int64_t)", ['FRAGMENT(r{n}, 0) {{ m.def("op(SymInt n) -> SymInt"); m.impl("op", {a}); }}']),
    ("int64_t(c10::SymInt)", "c10::SymInt(int64_t)", ['FRAGMENT(r{n}, 0) {{ m.def("op(SymInt n) -> SymInt"); m.impl("op", {b}); }}']),
]
# Only the compiler sees these.
BROKEN = [
    "Tensor {a}(const Tensor &, int64_t); Tensor {a}(Tensor); FRAGMENT(r{n}, 0) {{ m.impl(\"op\", {a}); }}",
    "Tensor {a}(const Tensor &, int64_t) noexcept; FRAGMENT(r{n}, 0) {{ m.impl(\"op\", {a}); }}",
    "FRAGMENT(r{n}, 0) {{ m.impl(\"op\", [](const Tensor &x, auto n) {{ return x; }}); }}",
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.catchAllKernel([v = 1](Tensor x, int64_t n) {{ return x; }}));' % SCHEMA,
    'OLD({n}) RegisterOperators().op("r{n}::%s", OPTIONS.catchAllKernel<S{n}>());' % SCHEMA,
]


def function(name, cpp):
    """A definition of a function of this type."""
    at = cpp.index("(")
    return "static %s %s%s { std::abort(); }" % (cpp[:at], name, cpp[at:])


def classes(n, cpp):
    at = cpp.index("(")
    call = "%s operator()%s { std::abort(); }" % (cpp[:at], cpp[at:])
    yield "struct S%d { %s };" % (n, call)
    yield "struct K%d : c10::OperatorKernel { explicit K%d(int = 0, bool = false) {} %s };" % (n, n, call)
    yield "struct I%d : K%d {};" % (n, n)


def expand(line, n, cpp):
    at = cpp.index("(")
    return line.format(n=n, f="f%d" % n, a="f%d" % n, b="g%d" % n, l="%s -> %s { std::abort(); }" % (cpp[at:], cpp[:at]))


def ways():
    """The lines of each way to register one kernel."""
    for kernel in KERNELS:
        yield [line.replace("{k}", kernel) for line in PLACES[0]]
    for place in PLACES[1:]:
        yield [line.replace("{k}", "{f}") for line in place]
    for line in OLD:
        yield [line.replace("%s", SCHEMA)]


def rows(compiles):
    """Each: types of functions, lines of registrations."""
    if compiles:
        yield from ((cpp, None, lines) for cpp in TYPES for lines in ways())
        yield from WHOLES
    else:
        yield from (("void(%s)" % cpp, None, lines) for cpp, lines in zip(names(REFUSED), ways()))
        yield from ((FINE, None, [line]) for line in BROKEN)


def source(compiles):
    """A file of the rows, which of them each line belongs to, and what they are."""
    lines, owners, texts = PROLOGUE.splitlines(), {}, []
    for first, second, body in rows(compiles):
        n = len(texts)
        body = [expand(line, n, first) for line in body]
        own = [line for line in classes(n, first) if re.search(r"\b[SKI]%d\b" % n, " ".join(body))]
        own += [function("f%d" % n, first)] if "f%d(" % n not in body[0] else []
        own += [function("g%d" % n, second)] if second else []
        for line in own + ["BEGIN(%d)" % n] + body + ["END"]:
            lines.append(line)
            owners[len(lines)] = n
        texts.append(" ".join(body) + " // " + first)
    if compiles:
        lines += ["#ifdef JUDGE", "int main() {"]
        for n in range(len(texts)):
            lines.append('try { judge%d(); std::cout << "+\\n"; } catch (const std::exception &) { std::cout << "-\\n"; }' % n)
        lines += ["}", "#endif"]
    return "\n".join(lines) + "\n", owners, texts


def opsig_rows(path, command, libtorch, owners, checks="opsig-.*"):
    """The rows in whose lines errors are."""
    text = judges.run_opsig(command, path, libtorch)
    lines = re.findall(r"^" + re.escape(path) + r":(\d+):\d+: error: .*\[(?:%s)\]$" % checks, text, re.M)
    return {owners[int(line)] for line in lines if int(line) in owners}


def disagreements(texts, refused, found, judge_name):
    for n, text in enumerate(texts):
        if (n in refused) != (n in found):
            print("%s %s, opsig does not: %s" % (judge_name, "refuses" if n in refused else "takes", text))
    return len(refused ^ found)


def main():
    libtorch, command = judges.arguments(sys.argv[1:])
    text, owners, texts = source(compiles=True)
    path = libtorch.write("forms.cpp", text)
    run = libtorch.run([libtorch.build(path, options=["-DJUDGE"])], capture_output=True, text=True)
    taken = [line.endswith("+") for line in run.stdout.splitlines()]
    if len(taken) != len(texts):
        sys.exit("the judge stopped after %d of %d rows: %s" % (len(taken), len(texts), run.stderr[-500:]))
    refused = {n for n, good in enumerate(taken) if not good}
    found = opsig_rows(path, command, libtorch, owners)
    wrong = disagreements(texts, refused, found, "libtorch")
    print("%d registrations, %d taken" % (len(texts), sum(taken)), end="; ")

    text, owners, texts = source(compiles=False)
    path = libtorch.write("broken.cpp", text)
    refused = {owners[line] for line in libtorch.refused_lines(path) if line in owners}
    # A type that newer releases have still does not fit the schema; that is not what the compiler is asked.
    found = opsig_rows(path, command, libtorch, owners, "opsig-registered-kernel-(?:type|form)")
    wrong += disagreements(texts, refused, found, "the compiler")
    print("%d that do not compile, %d refused; %d disagreements" % (len(texts), len(refused), wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
