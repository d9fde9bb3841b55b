#!/usr/bin/python3
"""Runs calls into the dispatcher by libtorch, and compares which of them fail with what opsig says of them.

usage: judge_calls.py [--system DIR] DIR SEED CASES OPSIG-COMMAND...

SEED draws CASES cases, and the operators that they look up. Each case is a function of one program, in lines of its own,
and runs in a process of its own: it fails by an exception or by a signal.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import random
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
"""
C_CALLS = """\
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/c/shim.h>
"""

# Types of schemas, and those of kernels that fit.
ARGUMENTS = {
    "Tensor": ["const at::Tensor &", "at::Tensor"],
    "Tensor(a!)": ["at::Tensor &", "const at::Tensor &"],
    "Tensor?": ["const OPTIONAL<at::Tensor> &", "OPTIONAL<at::Tensor>"],
    "Tensor[]": ["at::TensorList", "std::vector<at::Tensor>"],
    "int": ["int64_t"],
    "int?": ["OPTIONAL<int64_t>"],
    "SymInt": ["c10::SymInt", "int64_t"],
    "float": ["double"],
    "bool": ["bool"],
    "str": ["c10::string_view", "std::string"],
    "int[]": ["at::IntArrayRef", "std::vector<int64_t>", "c10::List<int64_t>"],
    "float[]": ["at::ArrayRef<double>", "std::vector<double>"],
    "Scalar": ["const at::Scalar &", "at::Scalar"],
    "Device": ["at::Device"],
    "ScalarType": ["at::ScalarType"],
}
RETURNS = {
    "Tensor": "at::Tensor",
    "(Tensor, Tensor)": "std::tuple<at::Tensor, at::Tensor>",
    "Tensor[]": "std::vector<at::Tensor>",
    "int": "int64_t",
    "float": "double",
    "()": "void",
}
# Operators of all releases: their overloads, and the types of one of them.
NATIVE = {
    "abs": (["", "out"], "", ["at::Tensor", "const at::Tensor &"]),
    "add": (["Tensor", "Scalar", "out"], "Tensor", ["at::Tensor", "const at::Tensor &", "const at::Tensor &", "const at::Scalar &"]),
    "relu_": ([""], "", ["at::Tensor &", "at::Tensor &"]),
    "mm": (["", "out"], "out", ["at::Tensor &", "const at::Tensor &", "const at::Tensor &", "at::Tensor &"]),
    "cat": (["", "out", "names"], "", ["at::Tensor", "const at::ITensorListRef &", "int64_t"]),
    "where": (["self", "Scalar"], "self", ["at::Tensor", "const at::Tensor &", "const at::Tensor &", "const at::Tensor &"]),
    "bmm": (["", "out"], "", ["at::Tensor", "const at::Tensor &", "const at::Tensor &"]),
    "fill_": (["Scalar", "Tensor"], "Scalar", ["at::Tensor &", "at::Tensor &", "const at::Scalar &"]),
    "softmax": (["int", "Dimname"], "int", ["at::Tensor", "const at::Tensor &", "int64_t", "OPTIONAL<at::ScalarType>"]),
    "is_nonzero": ([""], "", ["bool", "const at::Tensor &"]),
    "tril": (["", "out"], "", ["at::Tensor", "const at::Tensor &", "int64_t"]),
}
OVERLOADS = ["", "out", "Tensor", "Scalar", "int", "default", "more"]


class Operator:
    def __init__(self, draw, number):
        self.base = "op%d" % number
        self.overload = draw.choice(["", "", "", "out", "more"])
        types = [draw.choice(list(ARGUMENTS)) for _ in range(draw.randint(1, 4))]
        returned = draw.choice(["Tensor"] * 4 + list(RETURNS))
        arguments = ["%s a%d" % (name.replace("a!", "abcd"[n] + "!"), n) for n, name in enumerate(types)]
        self.name = self.base + ("." + self.overload if self.overload else "")
        self.schema = "%s(%s) -> %s" % (self.name, ", ".join(arguments), returned)
        self.kernel = "kernel%d" % number
        self.types = [RETURNS[returned]] + [draw.choice(ARGUMENTS[name]) for name in types]

    def definition(self):
        return "static %s %s(%s) { std::abort(); }" % (self.types[0], self.kernel, ", ".join(self.types[1:]))


def misspelt(draw, name):
    """One edit of the part behind the namespace."""
    at = draw.randrange(name.index("::") + 2, len(name))
    return draw.choice([name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:], name[:at] + "x" + name[at + 1 :], name + "s"])


def drawn_name(draw, operators):
    """A name and an overload: of an operator, and what people get wrong about them."""
    if draw.random() < 0.5:
        operator = draw.choice(operators)
        name, overload = "judge::" + operator.base, operator.overload
    else:
        base = draw.choice(list(NATIVE))
        name, overload = "aten::" + base, draw.choice(NATIVE[base][0])
    kind = draw.randrange(12)
    if kind == 0:
        return misspelt(draw, name), overload
    if kind in (1, 2):
        return name, draw.choice(OVERLOADS)
    if kind == 3:
        return name + "." + (overload or "out"), ""
    if kind == 4:
        return name[name.index("::") + 2 :], overload
    if kind == 5:
        return ("aten" if name.startswith("judge") else "judge") + name[name.index("::") :], overload
    if kind == 6:
        return name + draw.choice(["_", "_out", "_fwd"]), overload
    return name, overload


def lookup(draw, number, operators, c_calls):
    name, overload = drawn_name(draw, operators)
    constant = 'static constexpr const char *name%d = "%s";' % (number, name)
    ways = [
        ([], ['  Dispatcher::singleton().findSchemaOrThrow("%s", "%s");' % (name, overload)]),
        ([], ['  static auto op = c10::Dispatcher::singleton().findSchemaOrThrow("%s", "%s");' % (name, overload)]),
        ([constant], ['  Dispatcher::singleton().findSchemaOrThrow(name%d, "%s");' % (number, overload)]),
        ([], ['  const char *name = "%s";' % name, '  Dispatcher::singleton().findSchemaOrThrow(name, "%s");' % overload]),
        ([], ["  auto &all = Dispatcher::singleton();", '  all.findSchemaOrThrow("%s", "%s").schema();' % (name, overload)]),
        ([], ['  Dispatcher::singleton().findSchema({"%s", "%s"}).value();' % (name, overload)]),
        ([], ['  Dispatcher::singleton().findOp({"%s", "%s"}).value();' % (name, overload)]),
        ([], ['  auto found = Dispatcher::singleton().findSchema({"%s", "%s"});' % (name, overload), "  if (found) found->schema();"]),
        ([], ['  if (auto found = Dispatcher::singleton().findOp({"%s", "%s"})) found->hasSchema();' % (name, overload)]),
    ]
    if c_calls and draw.random() < 0.4:
        base, more = draw.choice([("judge::number", ""), ("judge::number", "more"), ("judge::number", "out"), ("judge::numbers", ""), ("number", ""), (name, "none")])
        call = draw.choice(['aoti_torch_call_dispatcher("%s", "%s", stack)', 'torch_call_dispatcher("%s", "%s", stack, TORCH_ABI_VERSION)']) % (base, more)
        return [], ["  StableIValue stack[4] = {3};", '  if (%s) throw std::runtime_error("refused");' % call]
    return draw.choice(ways)


def changed(draw, types):
    """The types, with none, one or two changes."""
    types = list(types)
    for _ in range(draw.choice((0, 0, 1, 1, 1, 2))):
        at = draw.randrange(len(types))
        kind = draw.randrange(6)
        if kind == 0:
            types.append(draw.choice(["bool", "int64_t", "const at::Tensor &"]))
        elif kind == 1 and len(types) > 1:
            types.pop()
        elif kind == 2 and at > 0:
            types[at], types[-1] = types[-1], types[at]
        elif at == 0:
            types[0] = draw.choice(list(RETURNS.values()) + ["at::Tensor &"])
        else:
            types[at] = draw.choice([cpp for fits in ARGUMENTS.values() for cpp in fits])
    return types


def handle(draw, number, operators):
    if draw.random() < 0.7:
        operator = draw.choice(operators)
        name, overload, types = "judge::" + operator.base, operator.overload, operator.types
    else:
        base = draw.choice(list(NATIVE))
        name, overload, types = "aten::" + base, NATIVE[base][1], NATIVE[base][2]
    given = changed(draw, types)
    # typed() compares a signature with symbolic ints with such ones only, and takes one of the other sort unseen.
    while ("c10::SymInt" in given) != ("c10::SymInt" in types):
        given = changed(draw, types)
    signature = "%s(%s)" % (given[0], ", ".join(given[1:]))
    found = 'Dispatcher::singleton().findSchemaOrThrow("%s", "%s")' % (name, overload)
    return draw.choice([
        ([], ["  %s.typed<%s>();" % (found, signature)]),
        ([], ["  auto op = %s;" % found, "  op.typed<%s>();" % signature]),
        ([], ["  static auto op = %s.typed<%s>();" % (found, signature)]),
        (["using Signature%d = %s;" % (number, signature)], ["  %s.typed<Signature%d>();" % (found, number)]),
    ])


# Parameters of forward() besides the context, and what apply() gets for them.
FORWARD = [
    ("at::Tensor", "t"),
    ("const at::Tensor &", "t"),
    ("int64_t", "int64_t(1)"),
    ("bool", "true"),
    ("double", "0.5"),
    ("std::string", 'std::string("s")'),
    ("std::vector<int64_t>", "std::vector<int64_t>{1, 2}"),
    ("OPTIONAL<at::Tensor>", "OPTIONAL<at::Tensor>()"),
]


def returns(draw, values, right):
    """The lines of a backward() that returns these values; the other ones are as many as they should be."""
    listed = ", ".join(values)
    return draw.choice([
        ["return {%s};" % listed],
        ["variable_list out;"] + ["out.push_back(%s);" % value for value in values] + ["return out;"],
        ["variable_list out;"] + ["out.emplace_back(%s);" % value for value in values] + ["return out;"],
        ["variable_list out(%d);" % len(values)] + ["out[%d] = %s;" % at for at in enumerate(values) if at[1] != "at::Tensor()"] + ["return out;"],
        ["variable_list out = {%s};" % listed, "return out;"],
        ["if (!grads[0].defined())", "  return {%s};" % ", ".join(["at::Tensor()"] * right), "return {%s};" % listed],
        ["return variable_list{%s};" % listed],
    ])


def gradient(draw, number):
    params = [draw.choice(FORWARD) for _ in range(draw.randint(0, 3))]
    first = draw.randint(0, len(params))
    params.insert(first, draw.choice(FORWARD[:2]))
    # A defined value for what is no variable is another fault, of which nothing is said.
    count = max(0, len(params) + draw.choice((0, 0, 0, -1, -1, 1, 2)))
    values = ["grads[0] * 1" if n == first else "at::Tensor()" for n in range(count)]
    if count > len(params) and draw.random() < 0.5:
        values[-1] = "at::ones({2})"
    name = "Of%d" % number
    declared = ", ".join("%s a%d" % (cpp, n) for n, (cpp, _) in enumerate(params))
    given = [value for _, value in params]
    if params[-1][0] == "int64_t" and draw.random() < 0.5:
        declared, given = declared + " = 3", given[:-1]
    many = draw.random() < 0.3
    result = ("variable_list", "{a%d * 2, a%d * 3}" % (first, first)) if many else ("at::Tensor", "a%d * 2" % first)
    return (
        ["struct %s : torch::autograd::Function<%s> {" % (name, name),
         "  static %s forward(AutogradContext *ctx, %s) { return %s; }" % (result[0], declared, result[1]),
         "  static variable_list backward(AutogradContext *ctx, variable_list grads) {"]
        + ["    " + line for line in returns(draw, values, len(params))] + ["  }", "};"],
        ["  at::Tensor t = at::ones({2}).requires_grad_();",
         "  %s::apply(%s)%s.sum().backward();" % (name, ", ".join(given), "[0]" if many else "")])


# Each of these has a kernel once, in place of the real one: no other case may need them.
UNARY = """digamma erfinv lgamma sinc i0 trunc expm1 acosh asinh atanh cosh sinh tan acos asin atan erfc erf log1p log2 log10
rsqrt frac ceil floor round sign exp2 sigmoid tanh sin cos""".split()
BEFORE = ["", "", "TORCH_CHECK(self.dim() < 5); ", "at::Tensor half = self / 2; ", "int64_t dims = self.dim(); ", "(void)self.sizes(); ", "{ at::NoGradGuard guard; } "]
CALLS = ["return at::{op}(self);", "return self.{op}();", "auto out = at::{op}(self); return out;", "return at::{op}(self) * 2;",
         "const at::Tensor &same = self; return same.{op}();",
         'static auto op = Dispatcher::singleton().findSchemaOrThrow("aten::{op}", "").typed<at::Tensor(const at::Tensor &)>(); return op.call(self);',
         "at::Tensor out; out = self.{op}(); return out;"]
NO_CALLS = ["return self * 2;", "if (self.dim() > 4) return at::{op}(self); return self * 2;", "return self.dim() > 4 ? self.{op}() : self / 2;",
            "auto later = [&] {{ return at::{op}(self); }}; (void)later; return self;", "while (self.dim() > 4) return self.{op}(); return self;",
            "return at::reciprocal(self);"]


def own_call(draw, op):
    body = draw.choice(BEFORE) + draw.choice(draw.choice((CALLS, NO_CALLS))).format(op=op)
    return (["at::Tensor own_%s(const at::Tensor &self) { %s }" % (op, body), 'TORCH_LIBRARY_IMPL(aten, CPU, m) { m.impl("%s", &own_%s); }' % (op, op)],
            ["  at::%s(at::ones({2}));" % op])


def cases(draw, count, operators, c_calls):
    """Each: lines in front of the function, and its body."""
    for op in UNARY:
        yield own_call(draw, op)
    left = count - len(UNARY)
    for number in range(left):
        if number < left * 0.3:
            yield lookup(draw, number, operators, c_calls)
        elif number < left * 0.7:
            yield handle(draw, number, operators)
        else:
            yield gradient(draw, number)


def source(draw, count, optional, c_calls):
    """The program, and which case each of its lines belongs to."""
    operators = [Operator(draw, number) for number in range(24)]
    lines = ["#define OPTIONAL " + optional] + (PROLOGUE + (C_CALLS if c_calls else "")).splitlines()
    lines += [operator.definition() for operator in operators]
    lines += ["static int64_t number(int64_t n) { return n; }", "TORCH_LIBRARY(judge, m) {"]
    lines += ['  m.def("%s");' % operator.schema for operator in operators]
    lines += ['  m.def("number(int n) -> int", &number);', '  m.def("number.more(int n) -> int", &number);']
    lines += ["}", "TORCH_LIBRARY_IMPL(judge, CPU, m) {"]
    lines += ['  m.impl("%s", &%s);' % (operator.name, operator.kernel) for operator in operators]
    lines.append("}")
    owners, shown = {}, []
    for before, body in cases(draw, count, operators, c_calls):
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


def has_c_calls(libtorch):
    """Since 2.10."""
    try:
        with open(os.path.join(libtorch.include, "torch/csrc/stable/c/shim.h")) as header:
            return "torch_call_dispatcher" in header.read()
    except OSError:
        return False


def main():
    libtorch, seed, count, command = judges.seeded_arguments(sys.argv[1:])
    optional = "std::optional" if libtorch.flags[0].endswith("20") else "c10::optional"
    text, owners, shown = source(random.Random(seed), count, optional, has_c_calls(libtorch))
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
