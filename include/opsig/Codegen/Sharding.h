//===- Sharding.h - Files made from templates, whole or in shards -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// template x values => AtenFile
// items (key, lists by hole) => shard of each => one AtenFile per shard, and one with everything
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_SHARDING_H
#define OPSIG_CODEGEN_SHARDING_H

#include "opsig/Codegen/Aten.h"

namespace opsig {

/// The shard of an item: the SHA-1 of \p Key, read as a little-endian number, modulo \p NumShards.
unsigned shardOf(llvm::StringRef Key, unsigned NumShards);

/// Where a file goes and what it is made from.
struct AtenFileSpec {
  AtenFolder Folder;
  AtenList List;
  std::string Name; ///< "RegisterCPU.cpp"
  /// The template's name; empty: the same as Name.
  llvm::StringRef Template = "";
};

/// Makes one file. The hole generated_comment is filled unless \p Values does it. Reports a
/// template that is not there, one with a hole that has no value, and one without one of \p
/// Required.
void addFile(const AtenInput &In, const AtenFileSpec &Spec, TemplateValues Values,
             llvm::ArrayRef<llvm::StringRef> Required, AtenSink Out, Diagnostics &Diags);

/// A file of the given text, without a template.
void addText(const AtenFileSpec &Spec, std::string Text, AtenSink Out);

/// What one item adds to the lists of its shard, by hole.
struct ShardItem {
  llvm::StringRef Key;
  llvm::StringMap<std::vector<std::string>> Lists;
};

/// "XEverything.cpp" of all items, which is in no list, then "X_0.cpp" ... "X_<n-1>.cpp" for a
/// Spec.Name of "X.cpp" (Spec.Template defaults to that, too). Items keep their order. The hole
/// shard_id says "Everything" or "_0"; \p Base holds what all files share, and the first elements
/// of a sharded list that it has under the same name. \p ShardedHoles: the lists that items may add
/// to.
void addShardedFiles(const AtenInput &In, const AtenFileSpec &Spec, llvm::ArrayRef<ShardItem> Items,
                     unsigned NumShards, llvm::ArrayRef<llvm::StringRef> ShardedHoles,
                     const TemplateValues &Base, llvm::ArrayRef<llvm::StringRef> Required,
                     AtenSink Out, Diagnostics &Diags);

} // namespace opsig

#endif
