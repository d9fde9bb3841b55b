#!/usr/bin/python3
"""Compares what opsig says of the stable ABI with what a real libtorch and its headers say.

usage: judge_stable.py [--system SYSTEM] DIR OPSIG-COMMAND...

Three things are asked: which C++ types compile as parameters and returns of TORCH_BOX (the headers), which names of keys a
STABLE_TORCH_LIBRARY_IMPL block may have, and which strings its def() takes (the library, through the C functions that
these macros call). FILE and FLAGS in the command stand for the source file and the flags to read it with; SYSTEM is the
folder of another system whose libtorch is asked.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import sys

import libtorch as judges
from judge_kernels import names
from judge_schema_strings import literal, strings

# Each type once: an assertion inside of a template fails for the first of its uses only. Classes of a project's own are
# left out: whether they can be copied byte by byte is not asked.
PARAMS = """
Tensor; const Tensor &; Tensor &; Tensor &&; Tensor *; int64_t; const int64_t &; int64_t &; int64_t &&; long long; double
bool; int32_t; float; int16_t; int8_t; char; uint8_t; uint32_t; uint64_t; long double; const char *; void *; own::Opaque *
std::string; const std::string &; std::string &; std::string &&; std::string_view; const std::string_view &
ScalarType; Layout; MemoryFormat; DeviceType; torch::headeronly::Tag; Device; const Device &
torch::stable::Generator; const torch::stable::Generator &
std::optional<Tensor>; const std::optional<Tensor> &; std::optional<int64_t>; std::optional<double>; std::optional<bool>
std::optional<std::string>; std::optional<ScalarType>; std::optional<Device>; std::optional<torch::stable::Generator>
std::optional<std::string_view>; std::optional<std::optional<int64_t>>
std::vector<Tensor>; const std::vector<Tensor> &; std::vector<Tensor> &&; std::vector<int64_t>; std::vector<double>
std::vector<bool>; std::vector<std::string>; std::vector<ScalarType>; std::vector<Device>; std::vector<std::optional<Tensor>>
std::vector<std::string_view>; std::vector<std::vector<int64_t>>; std::optional<std::vector<int64_t>>
HeaderOnlyArrayRef<int64_t>; const HeaderOnlyArrayRef<int64_t> &; HeaderOnlyArrayRef<Tensor>; HeaderOnlyArrayRef<bool>
HeaderOnlyArrayRef<std::string>; std::optional<HeaderOnlyArrayRef<int64_t>>; std::vector<HeaderOnlyArrayRef<int64_t>>
std::array<int64_t, 2>; std::array<int32_t, 2>; std::array<bool, 2>
std::tuple<int64_t>; std::tuple<int64_t, Tensor>; std::pair<int64_t, int64_t>; std::map<std::string, Tensor>
std::unordered_map<std::string, int64_t>; std::complex<double>; std::complex<float>; torch::headeronly::Half
torch::headeronly::BFloat16; c10::complex<double>; c10::complex<float>; std::unique_ptr<int>
std::shared_ptr<int>; std::set<int64_t>; StableIValue
std::list<int64_t>; std::deque<int64_t>; at::Generator; c10::Scalar; c10::SymInt; c10::Storage
std::vector<DeviceType>; std::optional<torch::headeronly::Tag>
"""
# Types that rest on one of the above and share its assertion: each list is a file of its own.
PARAMS_AGAIN = ["const c10::Scalar &; std::vector<c10::SymInt>", "std::optional<c10::Scalar>"]
RETURNS = """
void; Tensor &; const Tensor &; std::tuple<>; std::tuple<Tensor>; std::tuple<Tensor, Tensor>
std::tuple<int64_t, std::vector<Tensor>>; std::tuple<Tensor, std::map<int64_t, bool>>; std::tuple<Tensor, float>; const Tensor
std::vector<Tensor> &; const std::string &; int64_t &
"""
KEYS = "CPU Cpu cpu CUDA CUDDA Cuda PrivateUse1 PrivateUse4 Autograd AutogradCuda CatchAll Composite Meta MPS HIP XPU".split()

PROLOGUE = """\
#include <array>
#include <complex>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/csrc/stable/device.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
#include <torch/headeronly/util/complex.h>
#include <ATen/core/Generator.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
using namespace torch::headeronly;
using torch::stable::Tensor;
using torch::stable::Device;
namespace own { struct Opaque; }
"""
# What the macros' classes call, for keys and for strings.
TAKES = """\
#include <string>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
bool takes(const std::string &what) {
  TorchLibraryHandle library = nullptr;
  if (what[0] == 'k')
    return aoti_torch_library_init_impl("judge", what.c_str() + 1, "", 0, &library) == 0;
  return aoti_torch_library_init_fragment("judge", "", 0, &library) == 0 &&
         aoti_torch_library_def(library, what.c_str() + 1) == 0 && aoti_torch_delete_library_object(library) == 0;
}
"""


def all_keys(libtorch):
    """Every name of a key in the headers, as it is and misspelt, and a few more."""
    with open(os.path.join(libtorch.include, "c10/core/DispatchKey.h")) as header:
        text = header.read()
    body = text[text.index("enum class DispatchKey") : text.index("static_assert")]
    known = re.findall(r"^  (\w+)(?: =.*)?,", body, re.M)
    parts = re.findall(r"_\((\w+), extra\)", text)
    functionalities = re.findall(r"_\((\w+), (\w*)\)", text)
    known += [prefix + part for _, prefix in functionalities for part in parts]
    return list(dict.fromkeys(KEYS + known + [key + "s" for key in known] + [key.lower() for key in known]))


def types_source(params, returns):
    lines = PROLOGUE.splitlines()
    lines += ["void p%d(Tensor, %s);" % row for row in enumerate(params)]
    lines += ["%s r%d();" % (cpp, i) for i, cpp in enumerate(returns)]
    rows = []
    lines.append("STABLE_TORCH_LIBRARY_IMPL(judge, CPU, m) {")
    for what, types in (("p", params), ("r", returns)):
        for i, cpp in enumerate(types):
            lines.append('m.impl("%s%d", TORCH_BOX(&%s%d));' % (what, i, what, i))
            rows.append((len(lines), ("parameter " if what == "p" else "return ") + cpp))
    lines.append("}")
    return "\n".join(lines) + "\n", rows


def opsig_lines(path, command, libtorch, ids):
    """Lines of errors of these checks, and lines where what they are about is registered."""
    lines, last = set(), False
    for line in judges.run_opsig(command, path, libtorch).splitlines():
        match = re.match(re.escape(path) + r":(\d+):\d+: (error|warning|note): (.*)", line)
        if not match:
            continue
        if match[2] != "note":
            last = match[2] == "error" and any("[opsig-%s]" % name in match[3] for name in ids)
        if last and (match[2] == "error" or match[3] == "registered here"):
            lines.add(int(match[1]))
    return lines


def told(rows, refused, found, judge):
    wrong = 0
    for line, what in rows:
        if (line in refused) != (line in found):
            wrong += 1
            print("%s: %s %s it, opsig does not" % (what, judge, "refuses" if line in refused else "takes"))
    return wrong


def judge_types(command, libtorch, params, returns):
    """How many types the headers were asked about, refused, and how often opsig says otherwise."""
    params = libtorch.existing(PROLOGUE, names(params))
    returns = [cpp for cpp in params if not cpp.endswith("&")] + libtorch.existing(PROLOGUE, names(returns))
    text, rows = types_source(params, returns)
    path = libtorch.write("types.cpp", text)
    refused = libtorch.refused_lines(path)
    found = opsig_lines(path, command, libtorch, ["registered-kernel-type"])
    return len(rows), sum(line in refused for line, _ in rows), told(rows, refused, found, "the compiler")


def judge_library(command, libtorch):
    keys, texts = all_keys(libtorch), strings(int(os.environ.get("MUTANTS", "1000")))
    asked = ["k" + key for key in keys] + ["s" + text for text in texts]
    verdicts = libtorch.takes(TAKES, asked, ["torch_cpu", "torch", "c10"])

    lines = ["#include <torch/csrc/stable/library.h>"]
    lines += ["STABLE_TORCH_LIBRARY_IMPL(judge, %s, m) {}" % key for key in keys]
    lines.append("STABLE_TORCH_LIBRARY_FRAGMENT(judge, m) {")
    lines += ["m.def(%s);" % literal(t.encode().decode("latin-1")) for t in texts]
    path = libtorch.write("library.cpp", "\n".join(lines + ["}", ""]))
    ids = ["registration-key", "registered-schema", "registration-misplaced", "registration-namespace"]
    found = opsig_lines(path, command, libtorch, ids)
    rows = [(2 + i, "key " + key) for i, key in enumerate(keys)]
    rows += [(3 + len(keys) + i, repr(text)) for i, text in enumerate(texts)]
    refused = {line for (line, _), taken in zip(rows, verdicts) if not taken}
    return len(keys), len(texts), len(rows) - len(refused), told(rows, refused, found, "libtorch")


def main():
    libtorch, command = judges.arguments(sys.argv[1:])
    of_types = [judge_types(command, libtorch, PARAMS, RETURNS)]
    of_types += [judge_types(command, libtorch, again, "") for again in PARAMS_AGAIN]
    types, refused, wrong = (sum(column) for column in zip(*of_types))
    keys, texts, taken, more = judge_library(command, libtorch)
    print(
        "%d types, %d refused; %d keys and %d strings, %d taken; %d disagreements"
        % (types, refused, keys, texts, taken, wrong + more)
    )
    return bool(wrong + more)


if __name__ == "__main__":
    sys.exit(main())
