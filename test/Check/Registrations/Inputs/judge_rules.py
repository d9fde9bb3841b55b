#!/usr/bin/python3
"""Compares what opsig says of fallbacks, of keys that no call has, of custom classes and of namespaces that macros give
with what the real libtorch does with the same code: compile, load and call it.

usage: judge_rules.py [--system SYSTEM] DIR SEED ROWS OPSIG-COMMAND...

Rows are drawn by SEED, about ROWS of each of the two large kinds; the others are complete. For libtorch a row is a function
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
# Each once: an assertion inside of a template fails for the first of its uses only.
MEMBERS = """
int; float; short; unsigned char; unsigned long; char; const char *; std::string_view; std::vector<bool>; at::TensorOptions
c10::DeviceType; std::complex<double>; std::pair<int64_t, int64_t>; std::set<int64_t>; std::map<std::string, int64_t>
std::vector<int>; std::vector<float>; c10::optional<long long>; long double
int64_t; double; bool; std::string; at::Tensor; const at::Tensor &; std::vector<int64_t>; std::vector<double>; at::Scalar
std::vector<std::string>; c10::optional<int64_t>; c10::optional<at::Tensor>; std::vector<at::Tensor>; at::Device; at::ScalarType
c10::Dict<std::string, int64_t>; c10::List<int64_t>; std::tuple<int64_t, double>; std::vector<std::vector<int64_t>>
"""
PLACES = [
    "int64_t f({t} x) {{ std::abort(); }}",
    "static int64_t f({t} x) {{ std::abort(); }}",
    "C{n}({t} x) {{ std::abort(); }}",
]
LIBRARIES = ["TORCH_LIBRARY(N{n}, m)", "TORCH_LIBRARY_FRAGMENT(N{n}, m)", "HAND_ON_LIBRARY(N{n}, m)", "TORCH_LIBRARY(e{n}, m)"]
IMPLS = ["TORCH_LIBRARY_IMPL(N{n}, CPU, m)", "HAND_ON_IMPL(N{n}, CPU, m)", "TORCH_LIBRARY_IMPL(e{n}, CPU, m)"]


def compiled_rows():
    """Rows that the compiler judges, or libtorch if that takes them."""
    for number, cpp in enumerate(name.strip() for line in MEMBERS.strip().splitlines() for name in line.split(";")):
        place = PLACES[number % len(PLACES)]
        member = ".def(torch::init<%s>())" % cpp if number % len(PLACES) == 2 else '.def%s("f", &C{n}::f)' % ("_static" if number % 3 == 1 else "")
        yield (
            ["struct C{n} : torch::CustomClassHolder { %s };" % place.replace("{t}", cpp).replace("{{", "{").replace("}}", "}")],
            ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C")%s; }' % member],
        )
    holder = ["struct C{n} : torch::CustomClassHolder {};"]
    for parameter in ("C{n} c", "const C{n} &c", "std::vector<C{n}> c", "c10::intrusive_ptr<C{n}> c", "const std::vector<c10::intrusive_ptr<C{n}>> &c"):
        yield (
            holder + ["static int64_t f{n}(%s) { std::abort(); }" % parameter],
            ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C"); m.def("f", &f{n}); }'],
        )
    yield (
        holder + ["static int64_t f{n}(const c10::intrusive_ptr<C{n}> &self, C{n} c) { std::abort(); }"],
        ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C").def("f", &f{n}); }'],
    )
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


def class_rows(count, draw):
    """A class C and another one, D, that is there before. Kernels take C, schemas name what is drawn."""
    wraps = {"": "const {p} &", "[]": "const std::vector<{p}> &", "?": "const c10::optional<{p}> &"}
    for _ in range(count):
        wrap = draw.choice(list(wraps))
        right = "__torch__.torch.classes.r{n}.C" + wrap
        named = draw.choice([right, right, right, "__torch__.torch.classes.r{n}.D" + wrap, "__torch__.torch.classes.r{n}.E" + wrap, "int", right + "?" if wrap == "" else right])
        schema = "f(Tensor x, %s c) -> int" % named
        parameter = wraps[wrap].replace("{p}", "c10::intrusive_ptr<C{n}>")
        make = 'm.class_<C{n}>("C");'
        use = draw.choice([
            ['m.def("f", &f{n});'],
            ['m.def("%s", &f{n});' % schema],
            ['m.def("%s");' % schema, 'm.impl("f", &f{n});'],
            ['m.def("%s");' % schema],
        ])
        parts = use + [make] if draw.random() < 0.25 else [make] + use
        if draw.random() < 0.25:
            parts.remove(make)
        yield (
            [
                "struct C{n} : torch::CustomClassHolder {}; struct D{n} : torch::CustomClassHolder {};",
                "static int64_t f{n}(const at::Tensor &x, %s c) { return 1; }" % parameter,
            ],
            ['FRAGMENT(r{n}, 0) { m.class_<D{n}>("D"); %s }' % " ".join(parts)],
        )


def namespace_rows():
    """Blocks of the real macros: they register when the program begins, and the row only calls."""
    for library in LIBRARIES:
        for impl in IMPLS:
            yield ["#define N{n} e{n}", library + ' { m.def("f(Tensor x) -> int"); }', impl + ' { m.impl("f", &one); }'], ['CALL("e{n}::f", at::ones({1}))']
        yield ["#define N{n} e{n}", library + ' { m.def("f", &one); }'], ['CALL("e{n}::f", at::ones({1}))']


class Source:
    """A file of rows, and which row each line belongs to."""

    def __init__(self):
        self.lines, self.owners, self.texts = PROLOGUE.splitlines(), {}, []

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


def main():
    argv = sys.argv[1:]
    system = argv[:2] if argv[0] == "--system" else []
    folder, seed, count, *command = argv[len(system):]
    libtorch, command = judges.arguments(system + [folder] + command)
    draw = random.Random(int(seed))

    source = Source()
    for row in compiled_rows():
        source.add(row)
    path = libtorch.write("compiled.cpp", source.text())
    refused = {source.owners[line] for line in libtorch.refused_lines(path) if line in source.owners}
    found = found_rows(path, command, libtorch, source.owners)
    # What compiles may still be refused when it is loaded.
    left = [row for n, row in enumerate(compiled_rows()) if n not in refused]
    kept = [n for n in range(len(source.texts)) if n not in refused]

    loaded = Source()
    rows = left + list(fallback_rows(known_keys(libtorch), draw)) + list(reach_rows(int(count), draw))
    rows += list(class_rows(int(count), draw)) + list(namespace_rows())
    for row in rows:
        loaded.add(row)
    path = libtorch.write("loaded.cpp", loaded.text())
    run = libtorch.run([libtorch.build(path, options=["-DJUDGE"])], capture_output=True, text=True)
    verdicts = run.stdout.split()
    if len(verdicts) != len(rows):
        sys.exit("the judge stopped after %d of %d rows: %s" % (len(verdicts), len(rows), run.stderr[-500:]))
    unloadable = {n for n, verdict in enumerate(verdicts) if verdict == "-"}
    found_loaded = found_rows(path, command, libtorch, loaded.owners)

    at_all = refused | {kept[n] for n in unloadable if n < len(kept)}
    wrong = compare("libtorch", source.texts, at_all, found)
    later = set(range(len(left), len(rows)))
    wrong += compare("libtorch", loaded.texts, unloadable & later, found_loaded & later)
    total = len(source.texts) + len(later)
    print("%d rows, %d refused; %d disagreements" % (total, len(at_all) + len(unloadable & later), wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
