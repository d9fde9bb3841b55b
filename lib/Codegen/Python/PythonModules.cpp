//===- PythonModules.cpp - Tables of Python bindings ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions of a module => python_*_functions*.cpp, python_variable_methods.cpp
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include <map>

using namespace llvm;

namespace opsig {

namespace {

/// torch's own functions are spread over this many files; code that is written by hand counts on
/// it.
constexpr unsigned NumTorchShards = 3;

/// What a binding adds to a file.
struct BoundFunction {
  const PythonFunction *Function;
  std::string Method;
};

BoundFunction bind(const PythonFunction &F, PythonNamespace M, const Dialect &D) {
  BoundFunction B{&F, ""};
  printPythonMethod(B.Method, F, M, D);
  return B;
}

void addBindings(const Shard<BoundFunction> &S, PythonNamespace M, const Dialect &D,
                 FileWriter &Out) {
  using Item = const BoundFunction *;
  std::vector<Item> Declared = M == PythonNamespace::Tensor ? std::vector<Item>() : S.Items;
  auto Include = [](Item B) { return "#include <ATen/ops/" + B->Function->Name->Base + ".h>"; };
  auto Declare = [](Item B) { return pythonMethodDefn(*B->Function) + ";"; };
  auto Enter = [&](Item B) { return pythonMethodEntry(*B->Function, M, D); };
  Out.add(S.Spec,
          frame("shard_id"_hole = S.Id, "ops_headers"_hole = each(S.Items, Include),
                "py_forwards"_hole = each(Declared, Declare)),
          "py_methods"_hole = each(S.Items, [](Item B) -> StringRef { return B->Method; }),
          "py_method_defs"_hole = each(S.Items, Enter));
}

/// A file of all functions of a module, in the order of their names.
void addModule(const PythonInput &In, PythonNamespace M, StringRef File, FileWriter &Out) {
  std::map<std::string, BoundFunction> ByName;
  for (const PythonFunction &F : In.Bindings.of(M))
    ByName.emplace(F.Name->str(), bind(F, M, In.dialect()));
  Shard<BoundFunction> All{{File.str()}, "", {}};
  for (const auto &[Name, B] : ByName)
    All.Items.push_back(&B);
  addBindings(All, M, In.dialect(), Out);
}

} // namespace

void generatePythonMethods(const PythonInput &In, FileWriter &Out) {
  addModule(In, PythonNamespace::Tensor, "python_variable_methods.cpp", Out);
}

void generatePythonModules(const PythonInput &In, FileWriter &Out) {
  addModule(In, PythonNamespace::Nn, "python_nn_functions.cpp", Out);
  addModule(In, PythonNamespace::Fft, "python_fft_functions.cpp", Out);
  addModule(In, PythonNamespace::Linalg, "python_linalg_functions.cpp", Out);
  addModule(In, PythonNamespace::Nested, "python_nested_functions.cpp", Out);
  addModule(In, PythonNamespace::Sparse, "python_sparse_functions.cpp", Out);
  addModule(In, PythonNamespace::Special, "python_special_functions.cpp", Out);
}

void generatePythonTorchFunctions(const PythonInput &In, FileWriter &Out) {
  std::vector<BoundFunction> Bindings;
  for (const PythonFunction &F : In.Bindings.of(PythonNamespace::Torch))
    Bindings.push_back(bind(F, PythonNamespace::Torch, In.dialect()));
  auto Base = [](const BoundFunction &B) -> StringRef { return B.Function->Name->Base; };
  Out.addShards({"python_torch_functions.cpp"}, Bindings, NumTorchShards, Base,
                [&](const Shard<BoundFunction> &S) {
                  addBindings(S, PythonNamespace::Torch, In.dialect(), Out);
                });
}

} // namespace opsig
