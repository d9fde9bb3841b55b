//===- PythonModule.h - What pybind11 offers Python of a project ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PYBIND11_MODULE blocks (Clang AST, after macro expansion)
//   => PythonModule { BoundFunction* { name, RegisteredKernel, arguments } }
// bodies that use pybind11 => PythonUse
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONMODULE_H
#define OPSIG_FRONTEND_PYTHONMODULE_H

#include "opsig/Frontend/Registration.h"

namespace opsig {

/// `py::arg("n") = 2`.
struct BoundArgument {
  std::string Name;
  bool HasDefault = false;
  std::string Default; ///< as KernelParam::DefaultValue; "" where that cannot be told
};

/// `m.def("f", &f, "what it does", py::arg("n") = 2)`.
struct BoundFunction {
  std::string Name; ///< "" where it is no constant
  std::string Doc;
  RegisteredKernel Kernel;
  std::vector<BoundArgument> Args;
  /// Something else that it is told, as it is written: "py::keep_alive<0, 1>()".
  std::string Other;
  Span At; ///< the call
};

/// One PYBIND11_MODULE block.
struct PythonModule {
  Span At;              ///< the name of the macro
  Span Body;            ///< between the braces
  std::string Variable; ///< "m"
  std::vector<BoundFunction> Functions;
  /// The first statement that is neither such a function nor a text about the module; invalid
  /// without.
  Span Other;
};

/// A function of the project whose body uses pybind11.
struct PythonUse {
  KernelDecl Decl;
  /// Statements that release Python's lock to the end of their block, and no more.
  std::vector<Span> Releases;
  /// The first other use of pybind11; invalid without.
  Span Other;
};

} // namespace opsig

#endif
