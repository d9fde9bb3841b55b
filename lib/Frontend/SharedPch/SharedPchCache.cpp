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

std::optional<SharedPch> SharedPchCache::factsOf(StringRef Key, const ParseOptions &Options) const {
  std::unique_ptr<MemoryBuffer> Facts = Folder.get(("prefix-" + Key).str());
  return Facts ? sharedPchFromText(CacheFolder::textOf(*Facts), States, Options.IsProjectFile)
               : std::nullopt;
}

bool SharedPchCache::has(StringRef Key, const ParseOptions &Options) {
  std::optional<SharedPch> P = factsOf(Key, Options);
  bool Is = P.has_value();
  std::lock_guard Lock(Mutex);
  if (P)
    Next.insert_or_assign(Key.str(), std::move(*P));
  return Is;
}

std::optional<SharedPch> SharedPchCache::takeNext(StringRef Key) {
  std::lock_guard Lock(Mutex);
  auto Node = Next.extract(Key.str());
  return Node ? std::optional(std::move(Node.mapped())) : std::nullopt;
}

std::optional<SharedPch> SharedPchCache::find(StringRef Key, const ParseOptions &Options) {
  std::optional<SharedPch> P = takeNext(Key);
  if (!P)
    P = factsOf(Key, Options);
  if (!P)
    return std::nullopt;
  std::shared_ptr<MemoryBuffer> Ast = Folder.get(("ast-" + Key).str());
  // Two runs may have written the two.
  if (!Ast || CacheFolder::sealOf(*Ast) != P->AstSeal)
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
    P = factsOf(*Key, Options);
  return P ? P->Tokens : nullptr;
}

void SharedPchCache::keep(const SharedPch &P) const {
  if (!Folder.isOpen())
    return;
  std::string Seal = Folder.put("ast-" + P.Key, P.Ast);
  Folder.put("prefix-" + P.Key, sharedPchToText(P, Seal, States.paths()));
}
