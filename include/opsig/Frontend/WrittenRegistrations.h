//===- WrittenRegistrations.h - Registrations as words of a text ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text of a C++ or Python file, tokens only => WrittenRegistration*
//
// A compiler may see none of them: a header that is missing defines their macro, or a condition
// leaves them out. So that they are counted nevertheless.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_WRITTENREGISTRATIONS_H
#define OPSIG_FRONTEND_WRITTENREGISTRATIONS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace opsig {

struct WrittenRegistration {
  std::string Word; ///< "TORCH_LIBRARY_IMPL", "torch.library.define"
  uint32_t Offset = 0;
  /// The innermost condition around it, "#ifdef WITH_CUDA"; "" without.
  std::string Condition;
  /// It stands in a function: of Python one that somebody has to call, of C++ no library block can
  /// be there.
  bool InFunction = false;
  /// A macro whose name does not say that it is a library's; what it fills defines a schema.
  bool IsOtherMacro = false;
};

/// The library blocks of C++ code, in order (a zero has to follow \p Text): PyTorch's, and those of
/// a project's macro such as ACME_LIBRARY(acme, m) { m.def(...); }, or of any macro if a schema is
/// defined. What stands in comments, literals, macros and behind `#if 0` is none.
std::vector<WrittenRegistration> writtenRegistrations(llvm::StringRef Text);

/// The uses of torch.library that define or register something, in order.
std::vector<WrittenRegistration> writtenPythonRegistrations(llvm::StringRef Text);

/// Whether C++ code (a zero has to follow \p Text) may define a function \p Name. False if the word
/// does not stand there, or only where it is called, declared, or its address is taken.
bool mayDefine(llvm::StringRef Text, llvm::StringRef Name);

} // namespace opsig

#endif
