#!/usr/bin/python3
"""Runs calls into the dispatcher by libtorch, and compares which of them fail with what opsig says of them.

usage: judge_calls.py [--system DIR] DIR OPSIG-COMMAND...

Each case is a function of one program, in lines of its own, and runs in a process of its own: it fails by an
exception or by a signal.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import itertools
import re
import sys

import libtorch as judges

PROLOGUE = """\
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <iostream>
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Dispatcher = c10::Dispatcher;
#ifdef OPTIONAL
template <typename T> using optional = OPTIONAL<T>;
#endif
"""

# Of each operator the schema and its kernel's types, return first.
OPERATORS = {
    "one": ("Tensor x", ["at::Tensor", "const at::Tensor &"]),
    "two": ("Tensor x, int n", ["at::Tensor", "const at::Tensor &", "int64_t"]),
    "many": ("Tensor x, float f, bool b, str s",
             ["at::Tensor", "const at::Tensor &", "double", "bool", "c10::string_view"]),
    "lists": ("Tensor[] xs, int[] ns", ["at::Tensor", "at::TensorList", "at::IntArrayRef"]),
    "inner.out": ("Tensor x, Tensor y", ["at::Tensor", "at::Tensor", "const at::Tensor &"]),
    "scalar": ("Scalar s, Tensor x", ["at::Tensor", "const at::Scalar &", "const at::Tensor &"]),
}
NATIVE = {
    "aten::abs": ["at::Tensor", "const at::Tensor &"],
    "aten::add.Tensor": ["at::Tensor", "const at::Tensor &", "const at::Tensor &", "const at::Scalar &"],
    "aten::relu_": ["at::Tensor &", "at::Tensor &"],
    "aten::mm.out": ["at::Tensor &", "const at::Tensor &", "const at::Tensor &", "at::Tensor &"],
    "aten::cat": ["at::Tensor", "const at::ITensorListRef &", "int64_t"],
}
OTHERS = ["at::Tensor", "const at::Tensor &", "at::Tensor &", "int64_t", "double", "bool", "const at::Scalar &",
          "at::IntArrayRef", "c10::string_view"]
NAMES = [("judge::one", ""), ("judge::one", "out"), ("judge::inner", "out"), ("judge::inner", ""), ("judge::ones", ""),
         ("judge::two_fwd", ""), ("aten::add", "Tensor"), ("aten::add", ""), ("aten::add", "tensor"),
         ("aten::add.Tensor", ""), ("aten::abs", ""), ("aten::abs", "out"), ("aten::abs_out", ""), ("abs", ""),
         ("aten::no_such", ""), ("aten::mm", "out"), ("aten::relu_", ""), ("aten::relu_", "out")]


def find(name, overload):
    return 'Dispatcher::singleton().findSchemaOrThrow("%s", "%s")' % (name, overload)


def variants(types):
    """The types, and what each change of one of them makes."""
    yield types
    for at, other in itertools.product(range(len(types)), OTHERS):
        if types[at] != other:
            yield types[:at] + [other] + types[at + 1:]
    yield types + ["bool"]
    if len(types) > 1:
        yield types[:-1]


def lookups():
    for name, overload in NAMES:
        yield [], ["  %s;" % find(name, overload)]
    for name, overload in NAMES:
        yield [], ['  Dispatcher::singleton().findSchema({"%s", "%s"}).value();' % (name, overload)]
        yield [], ['  auto found = Dispatcher::singleton().findSchema({"%s", "%s"});' % (name, overload),
                   "  if (found) found->schema();"]


def handles():
    operators = [("judge::" + name, types) for name, (_, types) in OPERATORS.items()] + list(NATIVE.items())
    for name, types in operators:
        base, _, overload = name.partition(".")
        for given in variants(types):
            signature = "%s(%s)" % (given[0], ", ".join(given[1:]))
            yield [], ["  %s.typed<%s>();" % (find(base, overload), signature)]


# Parameters of forward() besides the context, and what apply() gets for them.
FORWARD = [
    ("at::Tensor x", "t"),
    ("const at::Tensor &x, int64_t n", "t, 1"),
    ("const at::Tensor &x, const at::Tensor &y, bool b", "t, t, true"),
    ("at::Tensor x, OPTIONAL<at::Tensor> y", "t, OPTIONAL<at::Tensor>()"),
    ("at::Tensor x, std::vector<int64_t> ns, double d", "t, std::vector<int64_t>{1, 2}, 0.5"),
    ("at::Tensor x, int64_t n = 3", "t"),
]
DEFINED, UNDEFINED = "grads[0] * 1", "at::Tensor()"


def returns():
    for count in range(5):
        values = [DEFINED if n == 0 else UNDEFINED for n in range(count)]
        yield ["return {%s};" % ", ".join(values)]
        yield ["variable_list out;"] + ["out.push_back(%s);" % value for value in values] + ["return out;"]
        yield ["variable_list out(%d);" % count] + (["out[0] = grads[0];"] if count else []) + ["return out;"]
    for count in range(2, 5):
        yield ["return {%s};" % ", ".join([DEFINED] + [UNDEFINED] * (count - 2) + ["at::ones({2})"])]


def gradients(number):
    for (params, given), body in itertools.product(FORWARD, returns()):
        # A defined value for what is no variable is another fault, of which nothing is said.
        if "at::ones" in body[0] and any(word in params for word in ("int64_t", "bool", "OPTIONAL")):
            continue
        name = "Of%d" % next(number)
        yield (["struct %s : torch::autograd::Function<%s> {" % (name, name),
                "  static at::Tensor forward(AutogradContext *ctx, %s) { return x * 2; }" % params,
                "  static variable_list backward(AutogradContext *ctx, variable_list grads) {"]
               + ["    " + line for line in body] + ["  }", "};"],
               ["  at::Tensor t = at::ones({2}).requires_grad_();",
                "  %s::apply(%s).sum().backward();" % (name, given)])


CALLED = [
    # body of a kernel of digamma(Tensor self), by the name of each case
    "return at::%(op)s(self);",
    "return self.%(op)s();",
    "auto out = at::%(op)s(self); return out;",
    "TORCH_CHECK(self.dim() < 5); return at::%(op)s(self);",
    "if (self.dim() > 4) return self.clone(); return self * 2;",
    "if (self.dim() > 4) return at::%(op)s(self); return self * 2;",
    "at::Tensor half = self / 2; if (half.dim() > 4) return at::%(op)s(half); return half;",
    "c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::CPU); return self;",
    "static auto op = Dispatcher::singleton().findSchemaOrThrow(\"aten::%(op)s\", \"\").typed<at::Tensor(const at::Tensor &)>(); return op.call(self);",
]
UNARY = ["digamma", "erfinv", "lgamma", "sinc", "i0", "trunc", "expm1", "acosh", "asinh"]


def own_calls():
    for op, body in zip(UNARY, CALLED):
        yield (["at::Tensor own_%s(const at::Tensor &self) { %s }" % (op, body % {"op": op}),
                'TORCH_LIBRARY_IMPL(aten, CPU, m) { m.impl("%s", &own_%s); }' % (op, op)],
               ["  at::%s(at::ones({2}));" % op])


def source(optional):
    """The program, and which case each of its lines belongs to."""
    lines = (PROLOGUE.replace("#ifdef OPTIONAL", "#define OPTIONAL %s\n#ifdef OPTIONAL" % optional)).splitlines()
    for name, (params, types) in OPERATORS.items():
        plain = name.replace(".", "_")
        lines.append("%s %s(%s) { return {}; }" % (types[0], plain, ", ".join(types[1:])))
    lines.append("TORCH_LIBRARY(judge, m) {")
    for name, (params, types) in OPERATORS.items():
        lines.append('  m.def("%s(%s) -> Tensor");' % (name, params))
    lines.append("}\nTORCH_LIBRARY_IMPL(judge, CPU, m) {")
    lines += ['  m.impl("%s", &%s);' % (name, name.replace(".", "_")) for name in OPERATORS]
    lines.append("}")
    lines = "\n".join(lines).splitlines()
    owners, shown = {}, []
    for before, body in itertools.chain(lookups(), handles(), gradients(itertools.count()), own_calls()):
        number = len(shown)
        new = before + ["void case_%d() {" % number] + body + ["}"]
        owners.update({len(lines) + 1 + row: number for row in range(len(new))})
        lines += new
        shown.append(" ".join(line.strip() for line in before + body))
    lines.append("using Case = void (*)();\nconst Case cases[] = {%s};" % ", ".join("case_%d" % n for n in range(len(shown))))
    lines.append("""\
int main() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (Case run : cases) {
    int status = 0;
    if (pid_t child = fork(); child == 0) {
      try {
        run();
        _exit(0);
      } catch (const std::exception &) {
        _exit(1);
      }
    } else {
      waitpid(child, &status, 0);
    }
    std::cout << (status == 0 ? '+' : '-') << '\\n';
  }
}""")
    return "\n".join(lines) + "\n", owners, shown


def main():
    libtorch, command = judges.arguments(sys.argv[1:])
    newer = libtorch.flags[0].endswith("20")
    text, owners, shown = source("std::optional" if newer else "c10::optional")
    path = libtorch.write("calls.cpp", text)
    run = libtorch.run([libtorch.build(path)], capture_output=True, text=True)
    fails = [line == "-" for line in run.stdout.splitlines()]
    if len(fails) != len(shown):
        sys.exit("the judge stopped after %d of %d cases: %s" % (len(fails), len(shown), run.stderr[-500:]))
    output = judges.run_opsig(command, path, libtorch)
    found = set()
    for line, name in re.findall(r"calls\.cpp:(\d+):\d+: (?:error|warning): .*\[opsig-([\w-]+)\]", output):
        if name.startswith(("dispatcher-call", "gradient-count", "kernel-calls-itself")):
            found.add(owners.get(int(line), int(line)))
    wrong = [n for n, case in enumerate(shown) if fails[n] != (n in found)]
    for n in wrong:
        print("%s, opsig %s: %s" % ("fails" if fails[n] else "runs", "objects" if n in found else "does not", shown[n]))
    print("%d cases, %d fail; %d disagreements" % (len(shown), sum(fails), len(wrong)))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
