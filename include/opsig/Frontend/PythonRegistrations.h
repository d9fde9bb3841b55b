//===- PythonRegistrations.h - What Python files register ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// output of share/python/torch_library.py => an answer for each file
//   => PythonAnswer { UnitFacts, as if its blocks stood in C++; names it imports }
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONREGISTRATIONS_H
#define OPSIG_FRONTEND_PYTHONREGISTRATIONS_H

#include "opsig/Frontend/UnitFacts.h"
#include "llvm/Support/Error.h"

namespace opsig {

struct PythonAnswer {
  /// Kernels are boxed: they have no C++ signature. A file that could not be read has an error, as
  /// a source with one.
  UnitFacts Unit;
  /// Functions of other files that it gives to torch.library: "pkg.mod.f", ".mod:f".
  std::vector<std::string> Imports;
  /// Classes that it registers as types of schemas.
  std::vector<std::string> Types;
  /// Names of torch.library that it hands on to those who import them.
  std::vector<std::string> Aliases;
  using ModuleNames = std::vector<std::string>; ///< "pkg.mod", ".mod"
  /// For each block of statements, the modules that it imports in any case, and those that it
  /// imports in its branches.
  std::vector<std::vector<ModuleNames>> Together;
  /// Modules of which it imports one or the other: lists of branches, each a list of modules.
  std::vector<std::vector<ModuleNames>> Choices;
};

/// The whole answers in \p Output. What ends in the middle of one was about a file that is not
/// known.
std::vector<llvm::StringRef> pythonAnswers(llvm::StringRef Output);

/// Fails where \p Answer is something else.
llvm::Expected<PythonAnswer> readPythonAnswer(llvm::StringRef Answer, llvm::StringRef File);

/// \p Answer in a short form that only the program reads that wrote it.
std::string pythonAnswerToBytes(const PythonAnswer &Answer);
/// The same about \p File; none where it is something else.
std::optional<PythonAnswer> pythonAnswerFromBytes(llvm::StringRef Bytes, llvm::StringRef File);

/// A unit for \p File, of which nothing is known because of \p Why.
UnitFacts unreadPython(llvm::StringRef File, std::string Why);

} // namespace opsig

#endif
