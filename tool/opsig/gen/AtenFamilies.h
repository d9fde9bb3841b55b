//===- AtenFamilies.h - What opsig gen aten writes, family by family --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --generate GROUP... => families => generator functions of Codegen/Aten.h
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_ATENFAMILIES_H
#define OPSIG_TOOL_ATENFAMILIES_H

#include "opsig/Codegen/Aten.h"

namespace opsig {

/// The values of --generate.
enum class AtenGroup : uint8_t { Headers, Sources, DeclarationsYaml };
std::optional<AtenGroup> parseAtenGroup(llvm::StringRef Name);

struct AtenFamily {
  llvm::StringLiteral Name;
  AtenGroup Group;
  /// The files, for people.
  llvm::StringLiteral Outputs;
  /// Null where opsig does not write the family yet.
  void (*Generate)(const AtenInput &, FileWriter &);
  /// About how long it takes, beside other families.
  unsigned Cost = 0;
};

/// Every family that the release has, in the order in which torchgen writes them.
std::vector<AtenFamily> atenFamilies(const Dialect &D);

} // namespace opsig

#endif
