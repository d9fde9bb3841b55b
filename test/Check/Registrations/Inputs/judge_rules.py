#!/usr/bin/python3
"""Compares what opsig says of fallbacks, of keys that no call has, and of namespaces that macros give with what the real
libtorch does with the same code: compile, load and call it.

usage: judge_rules.py [--system SYSTEM] DIR SEED ROWS OPSIG-COMMAND...

SEED draws ROWS rows of keys and namespaces; there is one row of a fallback for each key. For libtorch a row is a function
that makes the same torch::Library objects in a process of its own; for opsig it is TORCH_LIBRARY blocks. FILE and FLAGS in
the command stand for the source file and the flags to read it with; SYSTEM is the folder of another system whose libtorch
is asked.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import random
import re
import sys

import libtorch as judges

PROLOGUE = """\
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/custom_class.h>
#include <torch/library.h>
#include <map>
#include <optional>
#include <set>
#define HAND_ON_LIBRARY(ns, m) TORCH_LIBRARY(ns, m)
#define HAND_ON_FRAGMENT(ns, m) TORCH_LIBRARY_FRAGMENT(ns, m)
#define HAND_ON_IMPL(ns, k, m) TORCH_LIBRARY_IMPL(ns, k, m)
static int64_t one(const at::Tensor &x) { return 1; }
static at::Tensor unboxed(const at::Tensor &a, const at::Tensor &b) { return a; }
static void nothing(const c10::OperatorHandle &op, torch::jit::Stack *stack) {}
static void boxed(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
  torch::jit::drop(*stack, op.schema().arguments().size());
  torch::jit::push(*stack, int64_t(7));
}
using torch::CppFunction;
#ifdef JUDGE
#include <iostream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static void call(const char *name, std::initializer_list<c10::IValue> values) {
  torch::jit::Stack stack(values);
  c10::Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(stack);
}
static void judge(void (*row)()) {
  std::cout.flush();
  pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    try {
      row();
    } catch (const std::exception &e) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  std::cout << (status == 0 ? "+" : "-") << std::endl;
}
#define BEGIN(row) static void judge##row() {
#define END }
#define CALL(name, ...) call(name, {__VA_ARGS__});
#define FRAGMENT(ns, n) torch::Library m##n(torch::Library::FRAGMENT, #ns, {}, "", 0); if (auto &m = m##n; true)
#define IMPL(ns, key, n) torch::Library m##n(torch::Library::IMPL, #ns, c10::DispatchKey::key, "", 0); if (auto &m = m##n; true)
#else
#define BEGIN(row)
#define END
#define CALL(name, ...)
#define FRAGMENT(ns, n) TORCH_LIBRARY_FRAGMENT(ns, m)
#define IMPL(ns, key, n) TORCH_LIBRARY_IMPL(ns, key, m)
#endif
"""
COMPONENTS = "CPU CUDA HIP XLA MPS IPU XPU HPU VE Lazy MTIA MAIA Meta PrivateUse1 PrivateUse2 PrivateUse3".split()
KEYS = """
FPGA Vulkan Metal MkldnnCPU BackendSelect Python Functionalize Named Conjugate Negative ZeroTensor ADInplaceOrView AutogradOther
AutogradNestedTensor Tracer AutocastCPU AutocastMTIA AutocastMAIA AutocastXPU AutocastIPU AutocastHPU AutocastXLA AutocastMPS
AutocastCUDA AutocastPrivateUse1 FuncTorchBatched BatchedNestedTensor FuncTorchVmapMode Batched VmapMode FuncTorchGradWrapper
PythonTLSSnapshot FuncTorchDynamicLayerFrontMode FuncTorchDynamicLayerBackMode PreDispatch PythonDispatcher
""".split() + [family + name for family in ("", "Sparse", "Quantized", "Autograd") for name in COMPONENTS if family + name != "CPU"]
# Types of arguments, and a value of each.
ARGUMENTS = {
    "Tensor": "at::ones({1})",
    "Tensor?": "at::ones({1})",
    "Tensor[]": "c10::IValue(std::vector<at::Tensor>{at::ones({1})})",
    "Tensor?[]": "[] { auto l = decltype(c10::IValue().toOptionalTensorList())(); l.push_back(at::ones({1})); return c10::IValue(l); }()",
    "int": "int64_t(1)",
    "float": "1.5",
    "str": '"s"',
    "bool?": "c10::IValue()",
    "int[]": "c10::IValue(std::vector<int64_t>{1})",
    "Device": "at::Device(at::kCPU)",
    "Tensor[]?": "c10::IValue(std::vector<at::Tensor>{at::ones({1})})",
    "Generator?": "c10::IValue()",
    "Any": "at::ones({1})",
    "Dict(str, Tensor)": "[] { c10::Dict<std::string, at::Tensor> d; d.insert(\"a\", at::ones({1})); return c10::IValue(d); }()",
}
TENSORS = list(ARGUMENTS)[:4]
REACHED = ["BackendSelect", "ADInplaceOrView", "CompositeImplicitAutograd", "CompositeExplicitAutograd", ""]
UNREACHED = ["CUDA", "Meta", "PrivateUse1", "Autograd", "AutogradCPU", "SparseCPU", "Conjugate"]
MACROS = [
    ["#define N{n} e{n}"],
    ["#define M{n} e{n}", "#define N{n} M{n}"],
    ["#define N{n} M{n}", "#define M{n} e{n}"],
    ["#ifndef N{n}", "#define N{n} e{n}", "#endif"],
]
LIBRARIES = ["TORCH_LIBRARY(N{n}, m)", "TORCH_LIBRARY_FRAGMENT(N{n}, m)", "HAND_ON_LIBRARY(N{n}, m)", "HAND_ON_FRAGMENT(N{n}, m)",
             "TORCH_LIBRARY(e{n}, m)", "TORCH_LIBRARY_FRAGMENT(e{n}, m)"]
IMPLS = ["TORCH_LIBRARY_IMPL(N{n}, CPU, m)", "HAND_ON_IMPL(N{n}, CPU, m)", "TORCH_LIBRARY_IMPL(e{n}, CPU, m)"]


def compiled_rows():
    """Rows that the compiler judges, or libtorch if that takes them."""
    define = 'FRAGMENT(r{n}, 0) { m.def("f(Tensor x) -> int"); }'
    for kernel in ("CppFunction::makeFromBoxedFunction<&boxed>", "&nothing"):
        yield [], [define, 'IMPL(r{n}, CPU, 1) { m.impl("f", %s); }' % kernel]
    for kernel in ("CppFunction::makeFromBoxedFunction<&boxed>()", "CppFunction::makeFallthrough()", "CppFunction::makeFromUnboxedFunction(&one)"):
        yield [], [define, 'IMPL(r{n}, CPU, 1) { m.impl("f", %s); }' % kernel]


def fallback_rows(keys, draw):
    """Each key is that of one row: rows are all in one file for opsig."""
    register = "IMPL(_, %s, %d) { m.fallback(%s); }"
    kernels = ["CppFunction::makeFallthrough()", "CppFunction::makeFromBoxedFunction<&boxed>()"]
    for key in keys:
        lines = [register % (key, n, draw.choice(kernels)) for n in range(draw.choice((1, 1, 2)))]
        yield [], lines
    yield (
        [],
        [register % ("CPU", 0, "&unboxed"), 'FRAGMENT(r{n}, 1) { m.def("f(Tensor x, int n) -> int"); }', 'CALL("r{n}::f", at::ones({1}), int64_t(1))'],
    )


def reach_rows(count, draw):
    for _ in range(count):
        tensors = draw.sample(TENSORS, draw.choice((0, 0, 0, 1)))
        types = tensors + draw.sample(list(ARGUMENTS)[len(TENSORS):], draw.choice((0, 1, 2)))
        draw.shuffle(types)
        keys = ["CPU"] + draw.sample(UNREACHED, draw.choice((0, 0, 1, 2))) + draw.sample(REACHED, draw.choice((0, 0, 1)))
        draw.shuffle(keys)
        # What is in front of the CPU kernel would be called in its place, which is no matter here.
        schema = "f(%s) -> int" % ", ".join("%s a%d" % (name, n) for n, name in enumerate(types))
        lines = ['FRAGMENT(r{n}, 0) { m.def("%s"); }' % schema]
        kernel = "CppFunction::makeFromBoxedFunction<&boxed>()"
        for n, key in enumerate(keys, 1):
            block = "IMPL(r{n}, %s, %d)" % (key, n) if key else "FRAGMENT(r{n}, %d)" % n
            lines.append('%s { m.impl("f", %s); }' % (block, kernel))
        yield [], lines + ['CALL("r{n}::f"%s)' % "".join(", " + ARGUMENTS[name] for name in types)]


def namespace_rows(count, draw):
    """Blocks of the real macros: they register when the program begins, and the row only calls."""
    for _ in range(count):
        library = draw.choice(LIBRARIES)
        lines = draw.choice(MACROS) + [library + draw.choice([' { m.def("f(Tensor x) -> int"); }', ' { m.def("f", &one); }'])]
        if "&one" not in lines[-1]:
            lines.append(draw.choice(IMPLS) + ' { m.impl("f", &one); }')
        yield lines, ['CALL("e{n}::f", at::ones({1}))']


class Source:
    """A file of rows, and which row each line belongs to."""

    def __init__(self, rows, prologue):
        self.lines, self.owners, self.texts = prologue.splitlines(), {}, []
        for row in rows:
            self.add(row)

    def add(self, row):
        n = len(self.texts)
        outside, inside = ([re.sub(r"\{n\}", str(n), line) for line in part] for part in row)
        for line in outside + ["BEGIN(%d)" % n] + inside + ["END"]:
            self.lines.append(line)
            self.owners[len(self.lines)] = n
        self.texts.append(" ".join(outside + inside))

    def text(self):
        rows = "".join("judge(judge%d);\n" % n for n in range(len(self.texts)))
        return "\n".join(self.lines) + "\n#ifdef JUDGE\nint main() {\n" + rows + "}\n#endif\n"


def known_keys(libtorch):
    """Those that the release's enumeration has."""
    lines = ["#include <c10/core/DispatchKey.h>"] + ["constexpr auto k%d = c10::DispatchKey::%s;" % row for row in enumerate(KEYS)]
    refused = libtorch.refused_lines(libtorch.write("keys.cpp", "\n".join(lines) + "\n"))
    return [key for row, key in enumerate(KEYS) if row + 2 not in refused]


IDS = """duplicate-fallback registration-unreachable registration-namespace registered-kernel-form registered-kernel-type
registered-kernel-schema class-unregistered class-by-value class-method-type""".split()


def found_rows(path, command, libtorch, owners):
    text = judges.run_opsig(command, path, libtorch)
    pattern = r"^%s:(\d+):\d+: (?:error|warning): .*\[opsig-(?:%s)\]$" % (re.escape(path), "|".join(IDS))
    return {owners[int(line)] for line in re.findall(pattern, text, re.M) if int(line) in owners}


def compare(what, texts, refused, found):
    for n in sorted(refused ^ found):
        print("%s %s, opsig does not: %s" % (what, "refuses" if n in refused else "takes", texts[n]))
    return len(refused ^ found)


def judge(libtorch, command, compiled, loaded, prologue=PROLOGUE):
    """How many rows there are, how many are refused, and how often opsig says otherwise. The compiler judges those of
    `compiled`, and libtorch what that takes, and those of `loaded`."""
    source = Source(compiled, prologue)
    path = libtorch.write("compiled.cpp", source.text())
    refused = {source.owners[line] for line in libtorch.refused_lines(path) if line in source.owners}
    found = found_rows(path, command, libtorch, source.owners)
    kept = [n for n in range(len(compiled)) if n not in refused]

    rows = [compiled[n] for n in kept] + loaded
    source_loaded = Source(rows, prologue)
    path = libtorch.write("loaded.cpp", source_loaded.text())
    run = libtorch.run([libtorch.build(path, options=["-DJUDGE"])], capture_output=True, text=True)
    verdicts = run.stdout.split()
    if len(verdicts) != len(rows):
        sys.exit("the judge stopped after %d of %d rows: %s" % (len(verdicts), len(rows), run.stderr[-500:]))
    unloadable = {n for n, verdict in enumerate(verdicts) if verdict == "-"}
    found_loaded = found_rows(path, command, libtorch, source_loaded.owners)

    at_all = refused | {kept[n] for n in unloadable if n < len(kept)}
    wrong = compare("libtorch", source.texts, at_all, found)
    later = set(range(len(kept), len(rows)))
    wrong += compare("libtorch", source_loaded.texts, unloadable & later, found_loaded & later)
    return len(compiled) + len(later), len(at_all) + len(unloadable & later), wrong


def main():
    libtorch, seed, count, command = judges.seeded_arguments(sys.argv[1:])
    draw = random.Random(seed)
    loaded = list(fallback_rows(known_keys(libtorch), draw))
    loaded += list(reach_rows(count * 3 // 4, draw)) + list(namespace_rows(count - count * 3 // 4, draw))
    rows, refused, wrong = judge(libtorch, command, list(compiled_rows()), loaded)
    print("%d rows, %d refused; %d disagreements" % (rows, refused, wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
