//===- DefinedOperators.h - The operators that a project defines --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts::Registrations of all units, YAML of backends => DefinedOperator*
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_DEFINEDOPERATORS_H
#define OPSIG_CHECK_DEFINEDOPERATORS_H

#include "opsig/Check/Registrations.h"
#include "opsig/Schema/FunctionSchema.h"
#include <set>

namespace opsig {

struct DefinedOperator {
  std::string Namespace;
  std::string Name; ///< "add.out"
  /// None where the schema could not be read, or cannot be made of the kernel's types.
  std::optional<FunctionSchema> Schema;
  /// What the places of Schema count in: as it is written, or inferred.
  std::string Text;
  Place At; ///< the string
};

struct DefinedOperators {
  /// Each name once, in the order in which definitions are read.
  std::vector<DefinedOperator> All;
  /// Definitions whose operator is not known.
  size_t Unread = 0;
  /// "ns::add.out" of names that other definitions give another schema.
  std::vector<std::string> Ambiguous;
  /// Namespaces that may have more operators than All; with AnyOpen, each may.
  std::set<std::string> Open;
  bool AnyOpen = false;

  bool isOpen(llvm::StringRef Namespace) const {
    return AnyOpen || Open.count(Namespace.str()) != 0;
  }
};

/// Of all files: also of those that are alternatives, and of code behind conditions that are off.
DefinedOperators definedOperators(llvm::ArrayRef<UnitFacts> Units,
                                  llvm::ArrayRef<ExternalBackend> Backends, const Operators &Ops,
                                  SourceFiles &Files);

} // namespace opsig

#endif
