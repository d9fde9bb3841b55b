//===- Python.h - The Python bindings of PyTorch's own build ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators + deprecated.yaml => PythonBindings => one generator per family of outputs => files
//
// Every generator is a pure function over the same input. None opens a file.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_PYTHON_H
#define OPSIG_CODEGEN_PYTHON_H

#include "opsig/Codegen/Files.h"
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

/// The writer of its files.
inline FileWriter pythonWriter(const PythonInput &In, FileSink Out, Findings &Diags,
                               std::string &Buffer) {
  return {In.Templates, In.dialect(), "from " + In.TemplateFolder + "/", Out, Diags, Buffer};
}

// One function per family.

/// python_variable_methods.cpp
void generatePythonMethods(const PythonInput &In, FileWriter &Out);
/// python_torch_functions_N.cpp and python_torch_functionsEverything.cpp
void generatePythonTorchFunctions(const PythonInput &In, FileWriter &Out);
/// python_nn_functions.cpp and those of the other modules of torch
void generatePythonModules(const PythonInput &In, FileWriter &Out);
/// python_return_types.cpp, and .h where results have functions of their own
void generatePythonResults(const PythonInput &In, FileWriter &Out);
/// python_enum_tag.cpp
void generatePythonTags(const PythonInput &In, FileWriter &Out);
/// python_functions.h, which declares the parts of the bindings of autograd's nodes
void generatePythonNodes(const PythonInput &In, FileWriter &Out);
/// annotated_fn_args.py, for tests of __torch_function__
void generateAnnotatedArguments(const PythonInput &In, FileWriter &Out);
/// ViewMetaClassesPythonBinding.cpp, where views are recorded in classes
void generateViewMetaBindings(const PythonInput &In, FileWriter &Out);

} // namespace opsig

#endif
