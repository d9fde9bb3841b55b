//===- Comparison.h - How much a check had before it -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distinguishes "nothing is wrong" from "nothing was checked".
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_COMPARISON_H
#define OPSIG_CHECK_COMPARISON_H

#include "opsig/Support/Finding.h"
#include "opsig/Support/SourceText.h"
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace opsig {

struct UnreadRegistration {
  Place At;
  std::string Why; ///< "its name is not a constant"
};

/// Where a finding reports what Clang reports, too, when it reads the file.
struct KeyError {
  std::string MainFile;
  Place At; ///< of the finding
};

/// A note that belongs to a check, and is not printed if that check is disabled.
struct CheckNote {
  FindingId Of;
  std::string Text;
};

struct Comparison {
  /// Operators with a known schema that a file registers or implements: "demo::add.out".
  std::set<std::string> Operators;
  /// The operator and its kernel, which was compared with the schema, or from which a schema is
  /// made. A kernel without a name has its place for one.
  std::set<std::pair<std::string, std::string>> Kernels;
  /// Of distinct places, in the order of files.
  std::vector<UnreadRegistration> Unread;
  /// Findings about keys that Clang does not know. Clang has one error for each of them.
  std::vector<KeyError> KeyErrors;
  /// Registrations in functions that may never be called.
  size_t InFunctions = 0;
  /// Notes for the user about the search.
  std::vector<std::string> Notes;
  std::vector<CheckNote> CheckNotes;
  /// The places of the names of functions whose bodies are too long to analyze, so that their
  /// effects are unknown.
  std::vector<Place> LongBodies;
  /// Kernels of operators that no passed file defines.
  size_t Undefined = 0;

  void add(const std::string &Op, std::string Kernel) {
    Operators.insert(Op);
    Kernels.insert({Op, std::move(Kernel)});
  }
};

} // namespace opsig

#endif
