//===- StableCode.h - Code and libraries of the stable ABI ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// misuse in sources (Frontend/StableApiMisuse.h) => findings
// a library's bytes => the symbols that it wants of others => those of PyTorch's that a libtorch of
//   the target does not promise (Frontend/StableApiIndex.h) => findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_STABLEABI_STABLECODE_H
#define OPSIG_STABLEABI_STABLECODE_H

#include "opsig/Frontend/StableApiIndex.h"
#include "opsig/Frontend/StableApiMisuse.h"
#include "opsig/Support/Finding.h"

namespace opsig {

/// What a linker has to find elsewhere.
struct ExpectedSymbol {
  std::string Name;  ///< as the linker has it
  std::string Shown; ///< as C++ has it
  bool IsTorch = false;
};

struct BinaryFile {
  std::string Name;
  std::vector<ExpectedSymbol> Expected; ///< in alphabetical order, each once
};

/// Of an ELF file: a library, a program or an object. Fails for what is none.
llvm::Expected<BinaryFile> readBinary(llvm::StringRef Name, llvm::MemoryBufferRef Bytes);

/// What was looked at.
struct BinaryCount {
  unsigned Torch = 0;       ///< symbols of PyTorch
  StableVersion Needed = 0; ///< the lowest target that has all the stable ones
};

/// Reports symbols of PyTorch's that are not in \p Api, or only for higher targets than
/// \p Target (any will do where none is given). A finding points to the first of \p Sources, in
/// their order, that has the symbol's name.
BinaryCount checkBinary(const BinaryFile &Binary, const StableApiIndex &Api,
                        std::optional<StableVersion> Target, llvm::ArrayRef<SourceId> Sources,
                        const SourceFiles &Files, Findings &Diags);

/// Opens the files that hold \p Misuses; those of \p MainFile under that name.
void reportMisuses(llvm::ArrayRef<StableMisuse> Misuses, llvm::StringRef MainFile,
                   SourceFiles &Files, Findings &Diags);

} // namespace opsig

#endif
