//===- UnitFiles.h - Declarations in the files that hold them ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts*, Span => SourceId, Place, text (of a SourceFiles)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REGISTRY_UNITFILES_H
#define OPSIG_REGISTRY_UNITFILES_H

#include "opsig/Frontend/UnitFacts.h"
#include "opsig/Support/SourceText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace opsig {

/// A kernel declaration and the translation unit that it comes from; null for none.
struct Found {
  const UnitFacts *Unit = nullptr;
  const KernelDecl *Decl = nullptr;

  explicit operator bool() const { return Decl != nullptr; }
};

/// Names the files of translation units as the user did and opens them for findings.
class UnitFiles {
public:
  UnitFiles(llvm::ArrayRef<UnitFacts> Units, SourceFiles &Files);

  /// None for a file that cannot be read (any more).
  SourceId file(const UnitFacts &Unit, uint32_t Index);
  Place place(const UnitFacts &Unit, Span At);
  llvm::StringRef text(const UnitFacts &Unit, Span At);
  SourceFiles &sources() { return Files; }

private:
  SourceFiles &Files;
  llvm::StringMap<std::string> GivenNames; ///< by absolute path
  llvm::DenseMap<std::pair<const UnitFacts *, uint32_t>, SourceId> Ids;
};

/// Whether one of \p Units defines \p Name, a qualified one, behind a condition that is off.
bool isDefinedWhereOff(llvm::StringRef Name, llvm::ArrayRef<UnitFacts> Units);
/// "a.cpp:12": where that is; "" where none does.
std::string skippedDefinition(llvm::StringRef Name, llvm::ArrayRef<UnitFacts> Units,
                              UnitFiles &Files);

} // namespace opsig

#endif
