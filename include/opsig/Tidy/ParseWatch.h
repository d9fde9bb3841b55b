//===- ParseWatch.h - Looks on while another program parses -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preprocessor of a host => its errors and missing headers => ParseErrors
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TIDY_PARSEWATCH_H
#define OPSIG_TIDY_PARSEWATCH_H

#include "opsig/Kernel/FromAst.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"

namespace clang {
class DiagnosticConsumer;
class DiagnosticsEngine;
class Preprocessor;
} // namespace clang

namespace opsig {

/// Listens from its construction on until stop(), or its end. What the host says to its user stays
/// as it is.
class ParseWatch {
public:
  explicit ParseWatch(clang::Preprocessor &PP);
  ~ParseWatch();

  void stop();
  const ParseErrors &errors() const { return *Errors; }

private:
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> Engine;
  std::shared_ptr<ParseErrors> Errors; ///< also the preprocessor's callbacks have it
  clang::DiagnosticConsumer *Host;
  std::unique_ptr<clang::DiagnosticConsumer> OwnedHost; ///< null: somebody else owns it
  std::unique_ptr<clang::DiagnosticConsumer> Listener;
};

} // namespace opsig

#endif
