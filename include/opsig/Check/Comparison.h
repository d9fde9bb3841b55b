//===- Comparison.h - How much a check had before it -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So that "nothing is wrong" and "nothing was looked at" are not the same.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_COMPARISON_H
#define OPSIG_CHECK_COMPARISON_H

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

struct Comparison {
  /// Operators whose schema is known and that some file registers or implements: "demo::add.out".
  std::set<std::string> Operators;
  /// The operator and its kernel, which was compared with the schema, or from which a schema is
  /// made. A kernel without a name has its place for one.
  std::set<std::pair<std::string, std::string>> Kernels;
  /// Of distinct places, in the order of files.
  std::vector<UnreadRegistration> Unread;
  /// Registrations in functions that may not be called.
  size_t InFunctions = 0;
  /// What a user should know of what was looked for.
  std::vector<std::string> Notes;
  /// The names of functions whose bodies are too long to follow: what they do is not known.
  std::vector<Place> LongBodies;
  /// Kernels that were read, of operators that no given file defines.
  size_t Undefined = 0;

  void add(const std::string &Op, std::string Kernel) {
    Operators.insert(Op);
    Kernels.insert({Op, std::move(Kernel)});
  }
};

} // namespace opsig

#endif
