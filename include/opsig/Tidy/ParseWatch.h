//===- ParseWatch.h - Looks on while another program parses -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preprocessor of a host => its errors and missing headers => ParseErrors
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TIDY_PARSEWATCH_H
#define OPSIG_TIDY_PARSEWATCH_H

#include "opsig/Frontend/FromAst.h"
#include <functional>

namespace clang {
class Preprocessor;
} // namespace clang

namespace opsig {

/// Listens from its construction to stop(). What the host says to its user stays as it is.
///
/// Only that Clang does not give up at a missing header or after -ferror-limit errors, because then
/// it would no longer look at types properly: vendors' headers are missing often, and one wrong
/// parameter type can make so many errors in a kernel's body. The host gets no more errors than it
/// would have got: none after a missing header, which is told with what it means to opsig, and no
/// more than the limit; that there were too many it is told when the watch ends.
class ParseWatch {
public:
  /// What a host can tell its user besides when a header of PyTorch is missing; "": nothing.
  using Advice = std::function<std::string()>;

  explicit ParseWatch(clang::Preprocessor &PP, Advice OnMissing = nullptr);
  ~ParseWatch();

  void stop();
  const ParseErrors &errors() const;

private:
  struct State;
  std::unique_ptr<State> TheState;
};

} // namespace opsig

#endif
