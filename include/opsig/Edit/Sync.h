//===- Sync.h - What files of a backend lack to agree with the schemas ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ExpectedKernel*, UnitFacts*, findings
//   => fixes of signatures                              (Sync.cpp)
//    + declarations that the class lacks                (SyncKernels.cpp)
//    + stubs of kernels that nobody defines
//    + m.impl lines that a registration block lacks, or has too many (SyncRegistrations.cpp)
//   => SyncEdit* => Format.h => new texts
//
// What is added stands among its likes in the order of the YAML. Only main files of the translation
// units are edited: a header has to be among them.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_SYNC_H
#define OPSIG_EDIT_SYNC_H

#include "opsig/Check/BackendKernels.h"

namespace opsig {

struct SyncInput {
  /// From these backends; empty where only PyTorch's own kernels are looked at.
  llvm::ArrayRef<ExpectedKernel> Expected;
  llvm::ArrayRef<ExternalBackend> Backends;
  llvm::ArrayRef<UnitFacts> Units;
  /// What the checks found in Units; the fixes of some of it are taken.
  llvm::ArrayRef<Finding> Hits;
  /// Stubs are added only if Units are the whole project.
  Scope Of;
  const Dialect &D;
};

/// What belongs together: made as a whole or not at all.
struct SyncEdit {
  enum Kind : uint8_t {
    Signature,    ///< a declaration's types, order or defaults
    Declaration,  ///< added to a class
    Stub,         ///< a definition that fails when it is called
    Registration, ///< an m.impl line, added or spelled out
    Removal,      ///< of an m.impl line
  } Is;
  /// How many functions or lines.
  unsigned Count = 1;
  std::vector<Fix> Fixes;
  /// The text is new code; otherwise it stands for what was there.
  bool isAddition() const { return Is != Signature && Is != Removal; }
};

/// In the order in which they have to be tried: signatures, declarations, stubs, registrations.
/// Opens the files that are edited.
std::vector<SyncEdit> planSync(const SyncInput &Input, SourceFiles &Files);

} // namespace opsig

#endif
