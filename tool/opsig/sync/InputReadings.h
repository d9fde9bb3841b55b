//===- InputReadings.h - The inputs of a run that edits, read again ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// inputs, texts in memory => units: those of before, where an input has the same texts as then
//                         => read with headers that many inputs include, once
// what is found of a unit, or edited in it => that input again, by itself
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_INPUTREADINGS_H
#define OPSIG_TOOL_INPUTREADINGS_H

#include "check/CheckSetup.h"
#include "check/KernelCheck.h"
#include "opsig/Edit/Proof.h"
#include "opsig/Support/ReadTexts.h"
#include <set>

namespace opsig {

class InputReadings {
public:
  /// What is read from disk is noted in \p FromDisk.
  InputReadings(const CheckSetup &Setup, FileIdentities &Identities, ReadTexts &FromDisk)
      : Setup(Setup), Inputs(Setup.Inputs.Files), Identities(Identities), FromDisk(FromDisk),
        ByInput(Inputs.size()) {}

  /// Reads what is not known of the texts of \p Options. Returns a unit for each input, in their
  /// order; opens the inputs in \p Files. Prints to standard error which cannot be read, and fails
  /// then.
  llvm::Expected<std::vector<UnitFacts>> read(const ParseOptions &Options, SourceFiles &Files);

  /// As they were read last.
  std::vector<UnitFacts> units() const;

  /// Reads again by themselves those inputs that have one of the files \p Named and were read with
  /// a shared precompiled header. False if there are none.
  llvm::Expected<bool> confirm(const std::set<llvm::sys::fs::UniqueID> &Named,
                               const ParseOptions &Options, SourceFiles &Files);

  /// Numbers of the inputs that have one of the texts of \p Options, as they were read last.
  std::vector<size_t> inputsWith(llvm::ArrayRef<VirtualFile> Texts);

private:
  /// Texts in memory by name.
  using Texts = std::map<std::string, std::string>;
  struct Reading {
    UnitFacts Unit;
    Texts With; ///< those that it was read with
    /// The files of the project that it is made of.
    std::set<llvm::sys::fs::UniqueID> From;
    bool IsKnown = false;
    bool HasSharedPch = false;
  };

  Texts textsOf(const Reading &Of, llvm::ArrayRef<VirtualFile> All);
  /// Nobody knows who has a file that no input was seen to have: each may have it.
  bool mayHave(const Reading &Of, const VirtualFile &Text);
  llvm::Expected<std::vector<Reading>> readAnew(llvm::ArrayRef<size_t> Numbers,
                                                const ParseOptions &Options, SourceFiles &Files,
                                                bool WithPrefixes);

  const CheckSetup &Setup;
  llvm::ArrayRef<std::string> Inputs;
  FileIdentities &Identities;
  ReadTexts &FromDisk;
  std::vector<Reading> ByInput;
  /// As they are on disk.
  std::vector<Reading> OnDisk;
};

} // namespace opsig

#endif
