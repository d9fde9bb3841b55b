#!/usr/bin/python3
"""Compares what opsig says of kernels that are boxed by hand with what a libtorch makes of their calls.

usage: judge_boxed_stack.py [--system SYSTEM] DIR OPSIG-COMMAND...

Each kernel is called with arguments of its schema. It behaves if its return is the argument that the row names (or that
there is none), if the caller's tensor has as many owners afterwards as before, and if the process lives.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import sys

import libtorch as judges

# schema | which argument comes back, - for none | body. Left out is what goes well by luck, such as a bool that is
# taken as an int64_t, and a value behind the last one, which may be anything.
ROWS = """
(Tensor x, float by) -> Tensor | 0 | auto x = to<Tensor>(stack[0]); auto by = to<double>(stack[1]); stack[0] = from(x);
(Tensor x, float by) -> float | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<double>(stack[1]));
(Tensor x, float by) -> float | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<float>(stack[1]));
(Tensor x, float by) -> float | 1 | auto x = to<Tensor>(stack[0]); auto n = to<int64_t>(stack[1]); stack[0] = from(double(n));
(Tensor x, int n) -> int | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<int64_t>(stack[1]));
(Tensor x, int n) -> int | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<int>(stack[1]));
(Tensor x, SymInt n) -> SymInt | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<int64_t>(stack[1]));
(Tensor x, int n) -> int | 1 | auto x = to<Tensor>(stack[0]);
(Tensor x, int n) -> int | 1 | stack[0] = from(to<int64_t>(stack[1]));
(int n, Tensor x) -> int | 0 | auto n = to<int64_t>(stack[0]); stack[0] = from(n);
(int n, Tensor x) -> int | 0 | auto x = to<Tensor>(stack[1]);
(int n, int m, Tensor x) -> int | 0 | auto x = to<Tensor>(stack[2]); stack[0] = from(to<int64_t>(stack[0]));
(Tensor(a!) x) -> Tensor(a!) | 0 | auto x = to<Tensor>(stack[0]); stack[0] = from(x);
(Tensor(a!) x) -> Tensor(a!) | 0 |
(Tensor x, Tensor y) -> Tensor | 0 | auto y = to<Tensor>(stack[1]);
(Tensor x, Tensor y) -> Tensor | 0 | auto x = to<Tensor>(stack[0]); stack[0] = from(x);
(Tensor x, Tensor y) -> Tensor | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<Tensor>(stack[1]));
(Tensor x) -> () | - | auto x = to<Tensor>(stack[0]);
(Tensor x) -> () | - | auto x = to<Tensor>(stack[0]); stack[0] = from(x);
(Tensor x) -> () | - | auto x = to<Tensor>(stack[0]); auto y = to<Tensor>(stack[0]);
(Tensor x, bool b) -> () | - | if (to<bool>(stack[1])) { auto x = to<Tensor>(stack[0]); } else { auto y = to<Tensor>(stack[0]); }
(Tensor[] xs) -> () | - | auto xs = to<std::vector<Tensor>>(stack[0]);
(Tensor[] xs, int n) -> () | - | auto n = to<int64_t>(stack[1]); if (n == 0) stack[1] = stack[0];
(Tensor? x) -> () | - | auto x = to<std::optional<Tensor>>(stack[0]);
(Tensor? x, int n) -> int | 1 | stack[0] = from(to<int64_t>(stack[1]));
(Tensor x, int n) -> (int, Tensor) | 1 0 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<int64_t>(stack[1])); stack[1] = from(x);
(Tensor x, int n) -> (int, Tensor) | 1 0 | auto x = to<Tensor>(stack[0]); stack[0] = from(x); stack[1] = from(to<int64_t>(stack[1]));
(Tensor x, str s) -> str | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<std::string>(stack[1]));
(Tensor x, int[] ns) -> int[] | 1 | auto x = to<Tensor>(stack[0]); stack[0] = from(to<std::vector<int64_t>>(stack[1]));
(Tensor x, float[] fs) -> float[] | 1 | auto x = to<Tensor>(stack[0]); auto f = to<std::vector<int64_t>>(stack[1]); stack[0] = from(std::vector<double>(f.begin(), f.end()));
"""

KERNELS = """\
#include <optional>
#include <string>
#include <vector>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
using torch::stable::Tensor;
namespace sd = torch::stable::detail;
"""
CALLS = """
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <cstring>

static c10::IValue argument(const c10::TypePtr &type, const at::Tensor &x) {
  switch (type->kind()) {
  case c10::TypeKind::FloatType: return 0.1;
  case c10::TypeKind::IntType: case c10::TypeKind::SymIntType: return int64_t(5) << 40;
  case c10::TypeKind::BoolType: return true;
  case c10::TypeKind::StringType: return std::string("a word that is too long to be kept within a string");
  case c10::TypeKind::ListType:
    if (type->containedType(0)->kind() == c10::TypeKind::TensorType) return c10::List<at::Tensor>({x});
    if (type->containedType(0)->kind() == c10::TypeKind::FloatType) return c10::List<double>({0.1, 2.5});
    return c10::List<int64_t>({3, 4});
  default: return x;
  }
}

static bool same(const c10::IValue &got, const c10::IValue &want) {
  return got.tagKind() == want.tagKind() && (got.isTensor() ? got.toTensor().is_same(want.toTensor()) : got == want);
}

/// "name|1 0": of these arguments the returns have to be.
bool takes(const std::string &what) {
  std::string name = what.substr(0, what.find('|')), order = what.substr(name.size() + 1);
  auto op = c10::Dispatcher::singleton().findSchemaOrThrow(("judge::" + name).c_str(), "");
  at::Tensor x = at::ones({2});
  auto owners = x.use_count();
  bool fine = true;
  {
    std::vector<c10::IValue> arguments;
    for (const auto &each : op.schema().arguments())
      arguments.push_back(argument(each.type(), x));
    std::vector<c10::IValue> stack = arguments;
    op.callBoxed(&stack);
    size_t count = order == "-" ? 0 : (order.size() + 1) / 2;
    fine = stack.size() == count;
    for (size_t i = 0; fine && i < count; ++i)
      fine = same(stack[i], arguments[order[2 * i] - '0']);
  }
  return fine && x.use_count() == owners;
}
"""


def main():
    libtorch, command = judges.arguments(sys.argv[1:])
    rows = [[part.strip() for part in line.split("|")] for line in ROWS.strip().splitlines()]
    lines, place = KERNELS.splitlines(), {}
    for i, (_, _, body) in enumerate(rows):
        body = re.sub(r"\b(from|to)(?=[<(])", r"sd::\1", body)
        lines.append("void kernel%d(StableIValue *stack, uint64_t inputs, uint64_t outputs) { %s }" % (i, body))
    lines.append("STABLE_TORCH_LIBRARY(judge, m) {")
    lines += ['m.def("op%d%s");' % (i, schema) for i, (schema, _, _) in enumerate(rows)]
    lines += ["}", "STABLE_TORCH_LIBRARY_IMPL(judge, CPU, m) {"]
    for i in range(len(rows)):
        lines.append('m.impl("op%d", &kernel%d);' % (i, i))
        place[len(lines)] = i
    text = "\n".join(lines + ["}", ""])
    path = libtorch.write("kernels.cpp", text)

    told = set()
    for line in judges.run_opsig(command, path, libtorch).splitlines():
        match = re.search(r"'kernel(\d+)' .*\[opsig-boxed-stack(-kept)?\]", line)
        if match:
            told.add(int(match[1]))
    asked = ["op%d|%s" % (i, order) for i, (_, order, _) in enumerate(rows)]
    behave = libtorch.takes(text + CALLS, asked, ["torch_cpu", "torch", "c10"])
    wrong = 0
    for i, (row, fine) in enumerate(zip(rows, behave)):
        if fine == (i in told):
            wrong += 1
            print("%s: %s, opsig says %s" % (" | ".join(row), "goes well" if fine else "goes wrong", "that it is wrong" if fine else "nothing"))
    print("%d kernels, %d of them wrong; %d disagreements" % (len(rows), behave.count(False), wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
