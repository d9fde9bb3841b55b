//===- SharedPchCache.cpp - prefixes, and which file was read with which --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"

using namespace opsig;
using namespace llvm;

std::string SharedPchCache::nameOf(const ParseJob &Job) const {
  return "plan-" +
         commandKey(Job, Opsig, States.paths()).add(States.paths().toKept(Job.File)).key();
}

void SharedPchCache::remember(const ParseJob &Job, StringRef Key) const {
  Folder.put(nameOf(Job), Key);
}

std::optional<std::string> SharedPchCache::recall(const ParseJob &Job) const {
  std::unique_ptr<MemoryBuffer> Entry = Folder.get(nameOf(Job));
  return Entry ? std::optional(CacheFolder::textOf(*Entry).str()) : std::nullopt;
}

static std::optional<SharedPch> factsOf(const CacheFolder &Folder, StringRef Key,
                                        FileStates &States, const ParseOptions &Options) {
  std::unique_ptr<MemoryBuffer> Facts = Folder.get(("prefix-" + Key).str());
  return Facts ? sharedPchFromText(CacheFolder::textOf(*Facts), States, Options.IsProjectFile)
               : std::nullopt;
}

bool SharedPchCache::has(StringRef Key, const ParseOptions &Options) const {
  return factsOf(Folder, Key, States, Options).has_value();
}

std::optional<SharedPch> SharedPchCache::find(StringRef Key, const ParseOptions &Options) const {
  std::optional<SharedPch> P = factsOf(Folder, Key, States, Options);
  if (!P)
    return std::nullopt;
  std::shared_ptr<MemoryBuffer> Ast = Folder.get(("ast-" + Key).str());
  // Two runs may have written the two.
  if (!Ast || hashOf(CacheFolder::textOf(*Ast)) != P->AstHash)
    return std::nullopt;
  P->Key = Key;
  StringRef Text = CacheFolder::textOf(*Ast);
  P->setAst(Text, std::move(Ast));
  return P;
}

std::shared_ptr<const HeaderTokens> SharedPchCache::tokensFor(const ParseJob &Job,
                                                              const ParseOptions &Options) const {
  std::optional<std::string> Key = recall(Job);
  std::optional<SharedPch> P;
  if (Key && !Key->empty())
    P = factsOf(Folder, *Key, States, Options);
  return P ? P->Tokens : nullptr;
}

void SharedPchCache::keep(const SharedPch &P) const {
  if (!Folder.isOpen())
    return;
  Folder.put("ast-" + P.Key, P.Ast);
  Folder.put("prefix-" + P.Key, sharedPchToText(P, States.paths()));
}
