//===- PythonModules.cpp - Tables of Python bindings ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions of a module => python_*_functions*.cpp, python_variable_methods.cpp
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Codegen/Sharding.h"

using namespace llvm;

namespace opsig {

namespace {

/// torch's own functions are spread over this many files; code that is written by hand counts on
/// it.
constexpr unsigned NumTorchShards = 3;

using Texts = std::vector<std::string>;

/// What one or many bindings add to a file.
struct BindingTexts {
  Texts Includes, Declarations, Methods, Entries;

  void add(const PythonFunction &F, PythonModule M, const Dialect &D) {
    Includes.push_back("#include <ATen/ops/" + F.Name->Base + ".h>");
    if (M != PythonModule::Tensor)
      Declarations.push_back(pythonMethodDeclaration(F));
    Methods.push_back(pythonMethodText(F, M, D));
    Entries.push_back(pythonMethodEntry(F, M, D));
  }

  /// Adds what was made before, of number \p I in \p All.
  void add(const BindingTexts &All, size_t I) {
    Includes.push_back(All.Includes[I]);
    Declarations.push_back(All.Declarations[I]);
    Methods.push_back(All.Methods[I]);
    Entries.push_back(All.Entries[I]);
  }

  TemplateValues values() && {
    TemplateValues Values;
    Values["ops_headers"] = std::move(Includes);
    Values["py_forwards"] = std::move(Declarations);
    Values["py_methods"] = std::move(Methods);
    Values["py_method_defs"] = std::move(Entries);
    return Values;
  }
};

constexpr StringRef RequiredHoles[] = {"py_methods", "py_method_defs"};

void addModule(const PythonInput &In, PythonModule M, StringRef File, PythonFiles &Out,
               Diagnostics &Diags) {
  BindingTexts Bindings;
  for (const PythonFunction *F : sortedByName(In.Bindings.of(M)))
    Bindings.add(*F, M, In.dialect());
  addPythonFile(In, File, std::move(Bindings).values(), RequiredHoles, Out, Diags);
}

} // namespace

std::vector<const PythonFunction *> sortedByName(ArrayRef<PythonFunction> Functions) {
  std::vector<std::pair<std::string, const PythonFunction *>> Named;
  for (const PythonFunction &F : Functions)
    Named.emplace_back(F.Name->str(), &F);
  llvm::sort(Named);
  std::vector<const PythonFunction *> Sorted;
  for (const auto &[Name, F] : Named)
    Sorted.push_back(F);
  return Sorted;
}

void addPythonFile(const PythonInput &In, StringRef Name, TemplateValues Values,
                   ArrayRef<StringRef> Required, PythonFiles &Out, Diagnostics &Diags,
                   StringRef Template) {
  if (Template.empty())
    Template = Name;
  Values.try_emplace("generated_comment",
                     ("@generated from " + In.TemplateFolder + "/" + Template).str());
  if (In.Templates.check(Template, Values, Required, Diags))
    Out.push_back({Name.str(), In.Templates.fill(Template, Values, In.dialect())});
}

void generatePythonMethods(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags) {
  addModule(In, PythonModule::Tensor, "python_variable_methods.cpp", Out, Diags);
}

void generatePythonModules(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags) {
  addModule(In, PythonModule::Nn, "python_nn_functions.cpp", Out, Diags);
  addModule(In, PythonModule::Fft, "python_fft_functions.cpp", Out, Diags);
  addModule(In, PythonModule::Linalg, "python_linalg_functions.cpp", Out, Diags);
  addModule(In, PythonModule::Nested, "python_nested_functions.cpp", Out, Diags);
  addModule(In, PythonModule::Sparse, "python_sparse_functions.cpp", Out, Diags);
  addModule(In, PythonModule::Special, "python_special_functions.cpp", Out, Diags);
}

void generatePythonTorchFunctions(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags) {
  ArrayRef<PythonFunction> Functions = In.Bindings.of(PythonModule::Torch);
  BindingTexts Everything;
  std::vector<BindingTexts> Shards(NumTorchShards);
  for (auto [Index, F] : enumerate(Functions)) {
    Everything.add(F, PythonModule::Torch, In.dialect());
    Shards[shardOf(F.Name->Base, NumTorchShards)].add(Everything, Index);
  }
  auto Add = [&](const Twine &Id, BindingTexts &&Bindings) {
    TemplateValues Values = std::move(Bindings).values();
    Values["shard_id"] = Id.str();
    addPythonFile(In, ("python_torch_functions" + Id + ".cpp").str(), std::move(Values),
                  RequiredHoles, Out, Diags, "python_torch_functions.cpp");
  };
  size_t Before = Diags.size();
  Add("Everything", std::move(Everything));
  if (Diags.size() != Before)
    return; // The shards would say the same of the same template.
  for (unsigned I = 0; I != NumTorchShards; ++I)
    Add("_" + Twine(I), std::move(Shards[I]));
}

} // namespace opsig
