#!/usr/bin/python3
"""Compares what opsig says of kernels and schemas with what the real libtorch says when they are registered.

usage: judge_kernels.py DIR OPSIG-COMMAND...

Every C++ type below is a parameter (or the return) of a kernel, every schema type is tried with each of them. One
source file holds them all: built against libtorch it registers each pair and prints whether that throws; opsig reads
the same file. Types that do not compile stand in a second file, each in a line of its own, where the compiler's
verdict counts. FILE in the command stands for the source file.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import subprocess
import sys

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
"""
RETURNS = """
void; at::Tensor; at::Tensor &; const at::Tensor &; int64_t; double; bool; at::Scalar; std::string; c10::SymInt
std::vector<at::Tensor>; std::vector<int64_t>; c10::List<int64_t>; std::tuple<at::Tensor>; std::tuple<>
std::tuple<at::Tensor, at::Tensor>; std::tuple<at::Tensor &, at::Tensor &>; std::tuple<at::Tensor, int64_t>
c10::optional<at::Tensor>; c10::Dict<std::string, at::Tensor>; std::array<at::Tensor, 2>; at::TensorList; c10::IValue
"""
SCHEMAS = """
Tensor; Tensor?; Tensor[]; Tensor?[]; Tensor(a!); int; int?; int[]; int[2]; int[]?; float; float?; float[]; float[]?
bool; bool?; bool[]; bool[2]; str; str?; str[]; Scalar; Scalar?; Scalar[]; ScalarType; ScalarType?; Layout; MemoryFormat
Device; Device?; Generator; Generator?; Dimname; Dimname[]; Storage; Stream; QScheme; SymInt; SymInt?; SymInt[]; SymInt[]?
complex; Any; Dict(str, Tensor); Dict(int, int[]); (int, Tensor); int[][]; thing
"""
RETURNED = """
(); Tensor; Tensor(a!); Tensor?; int; float; bool; Scalar; str; SymInt; Tensor[]; int[]; (Tensor, Tensor); (Tensor, int)
(Tensor, Tensor, Tensor); Dict(str, Tensor); Any
"""
# Each type once: an assertion inside of a template fails for the first of its uses only.
REFUSED_PARAMS = """
int; float; long long; unsigned long; unsigned char; short; char; const char *; int64_t &; double &; std::string &
std::vector<bool>; at::ArrayRef<bool>; c10::optional<unsigned int>; c10::List<signed char>; c10::List<at::Scalar>
std::array<unsigned short, 2>; std::array<at::Scalar, 2>; std::optional<int64_t>; std::string_view; std::complex<double>
at::TensorOptions; at::TensorBase; at::OptionalTensorRef; c10::DeviceType; at::Tensor *; c10::DispatchKeySet
std::unordered_map<std::string, int64_t>; c10::Dict<float, int64_t>; at::ArrayRef<at::IntArrayRef>
std::pair<int64_t, int64_t>; std::map<std::string, int64_t>; std::set<int64_t>; const at::IOptTensorListRef &
"""
REFUSED_RETURNS = """
int; float; const char *; std::vector<bool>; std::pair<at::Tensor, at::Tensor>; std::vector<unsigned int>
c10::optional<unsigned short>; std::vector<at::Scalar>; std::tuple<at::Tensor, signed char>
c10::Dict<std::string, at::Scalar>
"""
ACCEPTED = ["at::Tensor", "const int64_t &", "std::vector<int64_t>"]

PROLOGUE = """\
#include <ATen/ATen.h>
#include <complex>
#include <map>
#include <optional>
#include <set>
#include <torch/library.h>
#include <unordered_map>
"""
JUDGE = """\
#ifdef JUDGE
#include <iostream>
template <typename F> void judge(int row, const char *schema, F *kernel) {
  bool taken = true;
  try {
    torch::Library m(torch::Library::FRAGMENT, "judge", c10::nullopt, "", 0);
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


def pairs_source():
    """The file of the pairs, and the line of each row."""
    # A kernel of its own for each row: one finding about several rows would be one only.
    lines = (PROLOGUE + JUDGE).splitlines()
    rows = []
    bodies = []
    for cpp in names(PARAMS):
        for schema in names(SCHEMAS):
            lines.append("static void k%d(%s) {}" % (len(bodies), cpp))
            bodies.append(("f%d(%s x) -> ()" % (len(bodies), schema), cpp))
    for cpp in names(RETURNS):
        for schema in names(RETURNED):
            lines.append("static %s k%d() { std::abort(); }" % (cpp, len(bodies)))
            bodies.append(("f%d() -> %s" % (len(bodies), schema), cpp))
    lines.append("OPEN")
    for schema, cpp in bodies:
        lines.append('ROW(%d, "%s", &k%d)' % (len(rows), schema, len(rows)))
        rows.append((len(lines), "%s with %s" % (schema, cpp)))
    lines.append("}")
    return "\n".join(lines) + "\n", rows


def refused_source():
    lines = PROLOGUE.splitlines() + ["using torch::CppFunction;"]
    rows = []
    for i, cpp in enumerate(names(REFUSED_PARAMS) + ACCEPTED):
        lines.append("static void p%d(at::Tensor, %s) {}" % (i, cpp))
    for i, cpp in enumerate(names(REFUSED_RETURNS) + ACCEPTED):
        lines.append("static %s r%d() { std::abort(); }" % (cpp, i))
    lines.append("TORCH_LIBRARY(judge, m) {")
    for i, cpp in enumerate(names(REFUSED_PARAMS) + ACCEPTED):
        lines.append('m.def("p%d", CppFunction(p%d));' % (i, i))
        rows.append((len(lines), "parameter " + cpp))
    for i, cpp in enumerate(names(REFUSED_RETURNS) + ACCEPTED):
        lines.append('m.def("r%d", CppFunction(r%d));' % (i, i))
        rows.append((len(lines), "return " + cpp))
    lines.append("}")
    return "\n".join(lines) + "\n", rows


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        out.write(text)
    return path


def libtorch_pairs(path):
    program = path + ".judge"
    subprocess.run(
        ["clang++", os.environ["OPSIG_TORCH_STD"], "-O0", "-w", "-DJUDGE", path, "-o", program]
        + ["-ltorch_cpu", "-lc10"],
        check=True,
    )
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    return [line.endswith("+") for line in run.stdout.splitlines()]


def compiler_lines(path):
    """Lines of the file that the compiler's errors come from."""
    run = subprocess.run(
        ["clang++", os.environ["OPSIG_TORCH_STD"], "-fsyntax-only", "-w", "-ferror-limit=0"]
        + ["-ftemplate-backtrace-limit=0", path],
        capture_output=True,
        text=True,
    )
    # The first note of each error that points into the file says which line asked for the template.
    found, waiting = set(), False
    for line in run.stderr.splitlines():
        match = re.match(r"(.*?):(\d+):\d+: (?:fatal )?(error|note): ", line)
        if not match:
            continue
        if match[3] == "error":
            waiting = True
        if waiting and match[1] == path:
            found.add(int(match[2]))
            waiting = False
    return found


def opsig_lines(path, command):
    run = subprocess.run(
        [path if word == "FILE" else word for word in command],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if run.returncode not in (0, 1):
        sys.exit("opsig failed: " + run.stderr[-500:])
    lines, last = set(), False
    name = re.escape(path)
    for line in run.stdout.splitlines():
        match = re.match(name + r":(\d+):\d+: (error|warning|note): (.*)", line)
        if not match:
            continue
        if match[2] != "note":
            last = match[2] == "error"
            if last and "[opsig-registered-schema]" in match[3]:
                lines.add(int(match[1]))
        elif last and match[3] == "it is registered here":
            lines.add(int(match[1]))
    return lines


def main():
    folder, command = sys.argv[1], sys.argv[2:]
    wrong = 0
    text, rows = pairs_source()
    path = write(folder, "pairs.cpp", text)
    expected, found = libtorch_pairs(path), opsig_lines(path, command)
    if len(expected) != len(rows):
        sys.exit("the judge stopped after %d of %d rows" % (len(expected), len(rows)))
    for (line, what), taken in zip(rows, expected):
        if taken == (line in found):
            wrong += 1
            print("%s: libtorch %s it, opsig does not" % (what, "takes" if taken else "refuses"))
    text, refused = refused_source()
    path = write(folder, "refused.cpp", text)
    compiler, found = compiler_lines(path), opsig_lines(path, command)
    for line, what in refused:
        if (line in compiler) != (line in found):
            wrong += 1
            print("%s: the compiler %s it, opsig does not" % (what, "refuses" if line in compiler else "takes"))
    print(
        "%d pairs, %d taken; %d types, %d refused; %d disagreements"
        % (len(rows), sum(expected), len(refused), sum(line in compiler for line, _ in refused), wrong)
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
