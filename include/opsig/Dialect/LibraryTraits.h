//===- LibraryTraits.h - A release's torch.library ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_LIBRARYTRAITS_H
#define OPSIG_DIALECT_LIBRARYTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Traits of torch.library, by which Python code defines and registers operators.
struct LibraryTraits {
  /// Its functions and classes that define or register something, or help to.
  llvm::ArrayRef<llvm::StringRef> Names;
  /// What the second argument of Library may be.
  llvm::ArrayRef<llvm::StringRef> Kinds;
  /// define() and impl() also take the full name of an operator in the place of a Library.
  bool TakesFullNames;
  /// An annotation may stand in quotes, as all do behind `from __future__ import annotations`; a
  /// default may be a text, a dtype or a device; mutates_args may be "unknown".
  bool TakesQuotes;
  bool TakesTextDefaults;
  bool TakesUnknownMutations;
  /// An annotation may be list[...] or collections.abc.Sequence[...] in the place of typing's, and
  /// what stands in their brackets, or in those of tuple, may stand in quotes.
  bool TakesBuiltinLists;
  /// An annotation in quotes is looked up in the module of its function, and not in that of
  /// infer_schema().
  bool QuotesSeeModule;
  /// An annotation may be torch.Generator alone.
  bool TakesGenerators;
  /// A kernel or fake in the place of another one of Python takes its place, and is not refused.
  bool ReplacesKernels;
  /// A schema that torch.Tag.out or torch.Tag.inplace of its operator does not fit is refused.
  bool ChecksTags;
  /// The function that is given to register_autograd() must not return more values than its
  /// operator has positional arguments, not even None.
  bool CountsGradients;
};

} // namespace opsig

#endif
