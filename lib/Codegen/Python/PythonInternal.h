//===- PythonInternal.h - What the Python generators share ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonBindings => names, results, methods of a Python function => the files of the bindings
// PythonExtension => a module of chosen functions and its stub
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_PYTHON_PYTHONINTERNAL_H
#define OPSIG_LIB_CODEGEN_PYTHON_PYTHONINTERNAL_H

#include "Print/CppInternal.h"
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

/// The function changes a list in place, and Python gets that list back where C++ returns nothing.
bool returnsItsList(const NativeFunction &F, const Dialect &D);

/// Appends the C++ text of one binding, which ends in an empty line.
void printPythonMethod(std::string &Out, const PythonFunction &F, PythonNamespace M,
                       const Dialect &D);
/// Its entry in a table of methods.
std::string pythonMethodEntry(const PythonFunction &F, PythonNamespace M, const Dialect &D);
/// "static PyObject * THPVariable_add(PyObject* self_, PyObject* args, PyObject* kwargs)"
std::string pythonMethodDefn(const PythonFunction &F);

} // namespace opsig

#endif
