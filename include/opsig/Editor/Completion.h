//===- Completion.h - What may be written at a place -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text now, which may be half a line of code x CodeIndex => names of operators, namespaces, keys,
//   types and arguments of schemas
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_COMPLETION_H
#define OPSIG_EDITOR_COMPLETION_H

#include "opsig/Editor/CodeIndex.h"

namespace opsig {

struct Completion {
  enum Kind : uint8_t { Operator, Namespace, Key, Type, Argument, Value, Field } Is;
  std::string Label; ///< what is written, too
  std::string Detail = {};
};

/// Best first.
struct Completions {
  /// What they take the place of.
  size_t Begin = 0, End = 0;
  std::vector<Completion> Items;
  /// There are more, for other beginnings.
  bool Incomplete = false;
};

/// At the offset \p At of the C++ text \p Text. None where code stands that is nothing of a
/// registration. \p Schemas may be null: then no names of PyTorch's are known.
std::optional<Completions> completeCode(const CodeIndex &Index, llvm::StringRef Text, size_t At,
                                        const LoadedSchemas *Schemas);

} // namespace opsig

#endif
