#!/usr/bin/python3
"""Compares what opsig says of kernels and schemas with what the real libtorch says when they are registered.

usage: judge_kernels.py [--system SYSTEM] DIR OPSIG-COMMAND...

Every C++ type below is a parameter (or the return) of a kernel. One source file has each of them in a line of its own:
the compiler says which of them can be registered. Those are tried with every schema type: a second file, built against
libtorch, registers each pair and prints whether that throws. opsig reads both files. FILE and FLAGS in the command stand
for the source file and the flags to read it with. SYSTEM is the folder of another system whose libtorch is asked; types
that its headers do not have are left out.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import sys

import libtorch as judges

PARAMS = """
at::Tensor; const at::Tensor &; at::Tensor &; at::Tensor &&; int64_t; const int64_t &; double; bool; c10::SymInt
const c10::SymInt &; at::Scalar; const at::Scalar &; c10::string_view; std::string; const std::string &; c10::ScalarType
c10::Layout; c10::MemoryFormat; c10::Device; at::Generator; c10::optional<at::Generator>; at::Dimname; c10::Storage
c10::Stream; c10::QScheme; c10::IValue; c10::complex<double>; c10::optional<at::Tensor>; c10::optional<int64_t>
c10::optional<double>; c10::optional<bool>; c10::optional<c10::SymInt>; c10::optional<c10::string_view>
c10::optional<std::string>; c10::optional<at::Scalar>; c10::optional<c10::ScalarType>; c10::optional<c10::Device>
at::IntArrayRef; std::vector<int64_t>; const std::vector<int64_t> &; c10::List<int64_t>; std::array<int64_t, 2>
at::ArrayRef<double>; std::vector<double>; c10::List<double>; c10::List<bool>; std::array<bool, 2>; c10::SymIntArrayRef
at::OptionalIntArrayRef; at::OptionalSymIntArrayRef; c10::optional<at::IntArrayRef>; c10::optional<std::vector<int64_t>>
c10::optional<at::ArrayRef<double>>; at::TensorList; std::vector<at::Tensor>; c10::List<at::Tensor>
const at::ITensorListRef &; std::vector<c10::optional<at::Tensor>>; c10::List<c10::optional<at::Tensor>>
at::ArrayRef<at::Scalar>; std::vector<std::string>; c10::List<std::string>; at::DimnameList
c10::Dict<std::string, at::Tensor>; c10::Dict<int64_t, std::vector<int64_t>>; std::tuple<int64_t, at::Tensor>
std::vector<int>; at::ArrayRef<int>; std::vector<float>; at::ArrayRef<float>; std::vector<std::vector<int64_t>>
const c10::SymIntArrayRef &; const c10::optional<c10::SymInt> &; const at::OptionalSymIntArrayRef &
std::vector<c10::SymInt>; c10::List<c10::SymInt>; const std::vector<c10::SymInt> &; c10::SymIntArrayRef &&; c10::SymInt &&
c10::optional<std::vector<c10::SymInt>>; c10::SymBool; c10::SymFloat; const c10::SymFloat &
std::string_view; std::optional<int64_t>; std::optional<at::Tensor>
std::optional<at::IntArrayRef>; c10::DeviceIndex; c10::optional<c10::Layout>; c10::optional<c10::MemoryFormat>
c10::optional<c10::SymBool>; c10::optional<c10::SymFloat>; at::ArrayRef<c10::SymBool>; c10::optional<c10::SymIntArrayRef>
const c10::optional<c10::SymIntArrayRef> &; at::ArrayRef<c10::ScalarType>; c10::List<c10::ScalarType>
"""
RETURNS = """
void; at::Tensor; at::Tensor &; const at::Tensor &; int64_t; double; bool; at::Scalar; std::string; c10::SymInt
std::vector<at::Tensor>; std::vector<int64_t>; c10::List<int64_t>; std::tuple<at::Tensor>; std::tuple<>
std::tuple<at::Tensor, at::Tensor>; std::tuple<at::Tensor &, at::Tensor &>; std::tuple<at::Tensor, int64_t>
c10::optional<at::Tensor>; c10::Dict<std::string, at::Tensor>; std::array<at::Tensor, 2>; at::TensorList; c10::IValue
std::optional<at::Tensor>; std::vector<c10::SymInt>; c10::SymIntArrayRef; c10::SymBool; c10::ScalarType
c10::optional<c10::SymInt>
"""
SCHEMAS = """
Tensor; Tensor?; Tensor[]; Tensor?[]; Tensor(a!); int; int?; int[]; int[2]; int[]?; float; float?; float[]; float[]?
bool; bool?; bool[]; bool[2]; str; str?; str[]; Scalar; Scalar?; Scalar[]; ScalarType; ScalarType?; Layout; MemoryFormat
Device; Device?; Generator; Generator?; Dimname; Dimname[]; Storage; Stream; QScheme; SymInt; SymInt?; SymInt[]; SymInt[]?
complex; Any; Dict(str, Tensor); Dict(int, int[]); (int, Tensor); int[][]; thing; SymBool; DeviceIndex; SymInt[2]; SymInt(a)
"""
RETURNED = """
(); Tensor; Tensor(a!); Tensor?; int; float; bool; Scalar; str; SymInt; Tensor[]; int[]; (Tensor, Tensor); (Tensor, int)
(Tensor, Tensor, Tensor); Dict(str, Tensor); Any; SymInt[]; SymInt?; SymBool; ScalarType
"""
# Each type once: an assertion inside of a template fails for the first of its uses only.
REFUSED_PARAMS = """
int; float; long long; unsigned long; unsigned char; short; char; const char *; int64_t &; double &; std::string &
std::vector<bool>; at::ArrayRef<bool>; c10::optional<unsigned int>; c10::List<char16_t>; c10::List<at::Scalar>
std::array<unsigned short, 2>; std::array<at::Scalar, 2>; std::complex<double>
at::TensorOptions; at::TensorBase; at::OptionalTensorRef; c10::DeviceType; at::Tensor *; c10::DispatchKeySet
std::unordered_map<std::string, int64_t>; c10::Dict<float, int64_t>; at::ArrayRef<at::IntArrayRef>
std::pair<int64_t, int64_t>; std::map<std::string, int64_t>; std::set<int64_t>; const at::IOptTensorListRef &
"""
REFUSED_RETURNS = """
int; float; const char *; std::vector<bool>; std::pair<at::Tensor, at::Tensor>; std::vector<unsigned int>
c10::optional<unsigned short>; std::vector<at::Scalar>; std::tuple<at::Tensor, signed char>
c10::Dict<std::string, at::Scalar>
"""

PROLOGUE = """\
#include <ATen/ATen.h>
#include <complex>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <torch/library.h>
#include <unordered_map>
"""
JUDGE = """\
#ifdef JUDGE
#include <iostream>
template <typename F> void judge(int row, const char *schema, F *kernel) {
  bool taken = true;
  try {
    torch::Library m(torch::Library::FRAGMENT, "judge", {}, "", 0);
    m.def(schema, kernel);
  } catch (const std::exception &) {
    taken = false;
  }
  std::cout << row << (taken ? " +\\n" : " -\\n");
}
#define ROW(row, schema, kernel) judge(row, schema, kernel);
#define OPEN int main() {
#else
#define ROW(row, schema, kernel) m.def(schema, kernel);
#define OPEN TORCH_LIBRARY(judge, m) {
#endif
"""


def names(text):
    return [name.strip() for name in re.split(r"[;\n]", text) if name.strip()]


def pairs_source(params, returns):
    """The file of the pairs, and the line of each row."""
    # A kernel of its own for each row: one finding about several rows would be one only.
    lines = (PROLOGUE + JUDGE).splitlines()
    rows = []
    bodies = []
    for cpp in params:
        for schema in names(SCHEMAS):
            lines.append("static void k%d(%s) {}" % (len(bodies), cpp))
            bodies.append(("f%d(%s x) -> ()" % (len(bodies), schema), "p", cpp))
    for cpp in returns:
        for schema in names(RETURNED):
            lines.append("static %s k%d() { std::abort(); }" % (cpp, len(bodies)))
            bodies.append(("f%d() -> %s" % (len(bodies), schema), "r", cpp))
    lines.append("OPEN")
    for schema, what, cpp in bodies:
        lines.append('ROW(%d, "%s", &k%d)' % (len(rows), schema, len(rows)))
        rows.append((len(lines), schema, what, cpp))
    lines.append("}")
    return "\n".join(lines) + "\n", rows


def types_source(params, returns):
    """The file of the types, and the line of each."""
    lines = PROLOGUE.splitlines() + ["using torch::CppFunction;"]
    for i, cpp in enumerate(params):
        lines.append("static void p%d(at::Tensor, %s) {}" % (i, cpp))
    for i, cpp in enumerate(returns):
        lines.append("static %s r%d() { std::abort(); }" % (cpp, i))
    lines.append("TORCH_LIBRARY(judge, m) {")
    rows = []
    for what, types in (("p", params), ("r", returns)):
        for i, cpp in enumerate(types):
            lines.append('m.def("%s%d", CppFunction(%s%d));' % (what, i, what, i))
            rows.append((len(lines), what, cpp))
    lines.append("}")
    return "\n".join(lines) + "\n", rows


def opsig_lines(path, command, libtorch):
    lines, last = set(), False
    name = re.escape(path)
    for line in judges.run_opsig(command, path, libtorch).splitlines():
        match = re.match(name + r":(\d+):\d+: (error|warning|note): (.*)", line)
        if not match:
            continue
        if match[2] != "note":
            last = match[2] == "error"
            if last and "[opsig-registered-schema]" in match[3]:
                lines.add(int(match[1]))
        elif last and match[3] == "registered here":
            lines.add(int(match[1]))
    return lines


def judge_types(command, libtorch):
    """Which types compile as parameters, which as returns; how many there were; the disagreements.

    A type that compiles, and still is wrong for opsig, must be one that libtorch refuses with every schema: the last of
    the results."""
    known = [
        libtorch.existing(PROLOGUE, names(types))
        for types in (PARAMS + REFUSED_PARAMS, RETURNS + REFUSED_RETURNS)
    ]
    text, rows = types_source(*known)
    path = libtorch.write("types.cpp", text)
    refused, found = libtorch.refused_lines(path), opsig_lines(path, command, libtorch)
    wrong = 0
    taken, useless = {"p": [], "r": []}, set()
    for line, what, cpp in rows:
        if line not in refused:
            taken[what].append(cpp)
            if line in found:
                useless.add((what, cpp))
        elif line not in found:
            wrong += 1
            print("%s %s: the compiler refuses it, opsig does not" % ("parameter" if what == "p" else "return", cpp))
    return taken["p"], taken["r"], len(rows), wrong, useless


def judge_pairs(params, returns, useless, command, libtorch):
    text, rows = pairs_source(params, returns)
    path = libtorch.write("pairs.cpp", text)
    run = libtorch.run([libtorch.build(path, options=["-DJUDGE"])], capture_output=True, text=True)
    expected = [line.endswith("+") for line in run.stdout.splitlines()]
    if len(expected) != len(rows):
        sys.exit("the judge stopped after %d of %d rows: %s" % (len(expected), len(rows), run.stderr[-500:]))
    found = opsig_lines(path, command, libtorch)
    wrong = 0
    for (line, schema, what, cpp), taken in zip(rows, expected):
        if taken == (line in found):
            wrong += 1
            print("%s with %s: libtorch %s it, opsig does not" % (schema, cpp, "takes" if taken else "refuses"))
        elif taken and (what, cpp) in useless:
            wrong += 1
            print("%s with %s: libtorch takes it; without a schema opsig refuses the type" % (schema, cpp))
    return len(rows), sum(expected), wrong


def main():
    libtorch, command = judges.arguments(sys.argv[1:])
    params, returns, types, wrong_types, useless = judge_types(command, libtorch)
    rows, taken, wrong_pairs = judge_pairs(params, returns, useless, command, libtorch)
    refused, wrong = types - len(params) - len(returns), wrong_types + wrong_pairs
    print(
        "%d pairs, %d taken; %d types, %d refused; %d disagreements" % (rows, taken, types, refused, wrong)
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
