//===- PythonRelease.h - The release that Python code is written for -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// units of Python files, the installed release => the release whose rules apply
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_PYTHONRELEASE_H
#define OPSIG_CHECK_PYTHONRELEASE_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Frontend/UnitFacts.h"
#include "opsig/Operators/Operators.h"

#include <optional>

namespace opsig {

/// The newest release, because the older one cannot run the code.
struct NewerRelease {
  const Dialect *Release = nullptr;
  std::string Note; ///< for the user: what the older release lacks
};

/// Finds uses of torch.library in \p Units that \p Found does not have, for runs in which the user
/// did not choose a release.
std::optional<NewerRelease> newerPythonRelease(llvm::ArrayRef<UnitFacts> Units,
                                               const Dialect &Found);

/// How the schema strings of each unit are read.
class StringGrammars {
public:
  /// \p OfPython is null if Python files also follow the rules of \p D.
  StringGrammars(const Dialect &D, const Dialect *OfPython);
  const Grammar &operator()(const UnitFacts &Unit) const { return !Unit.Python ? Cpp : Python; }

private:
  Grammar Cpp, Python;
};

} // namespace opsig

#endif
