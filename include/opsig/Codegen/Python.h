//===- Python.h - The Python bindings of PyTorch's own build ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators + deprecated.yaml => PythonBindings => one generator per family of outputs =>
// GeneratedFile*
//
// Every generator is a pure function over the same input. None opens a file.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_PYTHON_H
#define OPSIG_CODEGEN_PYTHON_H

#include "opsig/Codegen/BackendStubs.h"
#include "opsig/Codegen/TemplateSet.h"
#include "opsig/Signature/Python.h"

namespace opsig {

struct PythonInput {
  const Operators &Ops;
  const PythonBindings &Bindings;
  const TemplateSet &Templates;
  /// The folder of the templates as comments in outputs name it: "../tools/autograd/templates".
  std::string TemplateFolder;

  const Dialect &dialect() const { return *Ops.D; }
};

using PythonFiles = std::vector<GeneratedFile>;

// One function per family; each appends its files. What is wrong with a template goes to Diags.

/// python_variable_methods.cpp
void generatePythonMethods(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// python_torch_functions_N.cpp and python_torch_functionsEverything.cpp
void generatePythonTorchFunctions(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// python_nn_functions.cpp and those of the other modules of torch
void generatePythonModules(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// python_return_types.cpp, and .h where results have functions of their own
void generatePythonResults(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// python_enum_tag.cpp
void generatePythonTags(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// python_functions.h, which declares the parts of the bindings of autograd's nodes
void generatePythonNodes(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// annotated_fn_args.py, for tests of __torch_function__
void generateAnnotatedArguments(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);
/// ViewMetaClassesPythonBinding.cpp, where views are recorded in classes
void generateViewMetaBindings(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags);

/// The C++ text of one binding, which ends in an empty line.
std::string pythonMethodText(const PythonFunction &F, PythonModule M, const Dialect &D);
/// Its entry in a table of methods.
std::string pythonMethodEntry(const PythonFunction &F, PythonModule M, const Dialect &D);
/// Its declaration.
std::string pythonMethodDeclaration(const PythonFunction &F);

} // namespace opsig

#endif
