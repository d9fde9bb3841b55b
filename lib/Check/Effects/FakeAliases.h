//===- FakeAliases.h - Fakes that return what is no new tensor --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tracer of PyTorch knows tensors by their identity. If a fake returns its argument itself, the
// tracer takes every later use of that argument for a use of the operator's result.
//
// effects of the kernels => KernelReturns
// effects of the fake x alias annotations x KernelReturns => FakeAlias*
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_EFFECTS_FAKEALIASES_H
#define OPSIG_LIB_CHECK_EFFECTS_FAKEALIASES_H

#include "Effects/EffectsInternal.h"
#include <set>

namespace opsig {

struct EntryRef;

/// What the kernels of an operator return themselves. A fake that returns the same is right about
/// the values; the kernel gets a finding of its own.
struct KernelReturns {
  /// Return and argument => every `return` of a kernel returns it.
  std::map<std::pair<unsigned, unsigned>, bool> Arguments;
  /// Pairs of returns that are one tensor.
  std::set<std::pair<unsigned, unsigned>> Twice;

  void add(const MarkedSchema &Schema, const KernelEffects &Kernel);
};

struct FakeAlias {
  std::string Message;
  Confidence Sure;
  Span At;
  unsigned Return = 0; ///< of the schema
};

/// How messages call a fake, and what makes a new tensor in its language.
struct FakeWords {
  std::string Fake;          ///< "the fake kernel 'f'"
  llvm::StringRef EmptyLike; ///< "torch.empty_like"
};

std::vector<FakeAlias> aliasesOfFake(const MarkedSchema &Schema, const KernelEffects &Fake,
                                     const KernelReturns &Kernels, const FakeWords &Words);

/// Adds what the kernel \p E returns, if its body was read.
void addKernelReturns(const EntryRef &E, const FunctionSchema &S, ProjectEffects &Effects,
                      KernelReturns &To);

} // namespace opsig

#endif
