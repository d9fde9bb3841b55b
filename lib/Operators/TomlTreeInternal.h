//===- TomlTreeInternal.h - TOML with places --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TOML 1.0 text => the nodes that YAML text gives, so that settings are read by the same code
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_OPERATORS_TOMLTREEINTERNAL_H
#define OPSIG_LIB_OPERATORS_TOMLTREEINTERNAL_H

#include "YamlTreeInternal.h"
#include <optional>

namespace opsig {

/// What is wrong with a TOML text. Reading ends there.
struct TomlError {
  Place At;
  std::string Message;
};

class TomlTree {
public:
  TomlTree(SourceId File, llvm::StringRef Text);
  ~TomlTree();

  /// The table or value of this name, e.g. {"tool", "opsig"}; null where there is none.
  const YamlNode *find(llvm::ArrayRef<llvm::StringRef> Name) const;
  const std::optional<TomlError> &error() const { return Error; }

private:
  YamlNodes Nodes;
  std::optional<TomlError> Error;
};

} // namespace opsig

#endif
