//===- PythonInternal.h - What the Python generators share ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonBindings => names, results, methods of a Python function => the files of the bindings
// PythonExtension => a module of chosen functions and its stub
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_PYTHONINTERNAL_H
#define OPSIG_LIB_CODEGEN_PYTHONINTERNAL_H

#include "opsig/Codegen/Python.h"

namespace opsig {

/// A C++ type for results whose fields have names; overloads share those with the same fields.
struct PythonResult {
  std::string Function;                ///< "max", "max_out"
  std::vector<llvm::StringRef> Fields; ///< "values", "indices"
  /// "" of the first of a Python name, then "1", "2" ...
  std::string Number;
};

/// The results of the overloads of one Python name, in the order of first mention.
std::vector<PythonResult> pythonResults(llvm::ArrayRef<PythonOverload> Overloads);
/// The one of them that \p F returns, or null.
const PythonResult *resultOf(const NativeFunction &F, llvm::ArrayRef<PythonResult> Results);

/// The C++ function that gives the type.
std::string getterName(const PythonResult &R, const Dialect &D);

/// Functions in the order of their names.
std::vector<const PythonFunction *> sortedByName(llvm::ArrayRef<PythonFunction> Functions);

/// The function changes a list in place, and Python gets that list back where C++ returns nothing.
bool returnsItsList(const NativeFunction &F, const Dialect &D);

/// Makes one file. The hole generated_comment is filled unless \p Values does it. Reports a
/// template that is not there, one with a hole that has no value, and one without one of \p
/// Required. \p Template: its name; empty: the same as \p Name.
void addPythonFile(const PythonInput &In, llvm::StringRef Name, TemplateValues Values,
                   llvm::ArrayRef<llvm::StringRef> Required, PythonFiles &Out, Diagnostics &Diags,
                   llvm::StringRef Template = "");

} // namespace opsig

#endif
