//===- PythonExtension.h - A Python module that binds chosen operators ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// list of names x Operators => NativeFunction* => PythonExtension => NAME.cpp, NAME.pyi
//
// In contrast to the bindings of PyTorch's own build these stand alone: what is compiled is an
// extension module of functions, and its templates are opsig's own.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_PYTHONEXTENSION_H
#define OPSIG_CODEGEN_PYTHONEXTENSION_H

#include "opsig/Codegen/Files.h"
#include "opsig/Signature/Python.h"

namespace opsig {

/// A class for results whose fields have names.
struct PythonResultClass {
  std::string Name; ///< "max_result"
  std::vector<llvm::StringRef> Fields;
};

/// All that is called by one name.
struct PythonExtensionFunction {
  PythonFunction Function;
  /// Those of the overloads, each once, in the order of first mention.
  std::vector<PythonResultClass> Results;

  /// The one that \p F returns, or null.
  const PythonResultClass *resultOf(const NativeFunction &F) const;
};

struct PythonExtension {
  std::string Name; ///< of the module: an identifier
  /// Sorted by name.
  std::vector<PythonExtensionFunction> Functions;
  /// Operators are looked up by their schema's name when they are first called; else only those are
  /// that PyTorch's C++ API has written by hand.
  bool ThroughDispatcher = false;
};

/// The names in a list: separated by commas or blanks, "#" starts a comment.
std::vector<LocatedText> readOpNames(SourceId List, const SourceFiles &Files);

/// The functions that \p Names stand for, in function order. "add" stands for all overloads that
/// PyTorch binds to Python, or for all that are written in the YAML where it binds none;
/// "sub.Tensor" for one, with the out form that has the same arguments. Reports names that stand
/// for nothing.
std::vector<const NativeFunction *> choosePythonOps(llvm::ArrayRef<LocatedText> Names,
                                                    const Operators &Ops, Findings &Diags);

/// Reports every function that cannot be called from Python, and what is wrong with overloads;
/// usable only if no error was added. \p Functions must outlive the result.
PythonExtension bindPythonExtension(std::string Name,
                                    llvm::ArrayRef<const NativeFunction *> Functions,
                                    bool ThroughDispatcher, const Dialect &D, Findings &Diags);

/// NAME.cpp, which is compiled with ATen's header of each operator.
GeneratedFile pythonExtensionSource(const PythonExtension &X, const Dialect &D);
/// NAME.pyi, which says the same to type checkers and editors.
GeneratedFile pythonExtensionStub(const PythonExtension &X, const Dialect &D);

} // namespace opsig

#endif
