//===- InputReadings.cpp - The inputs of a run that edits, read again -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/FixVerifier.h"
#include "check/Reading.h"
#include "sync/InputReadings.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

bool InputReadings::mayHave(const Reading &Of, const VirtualFile &Text) {
  std::optional<llvm::sys::fs::UniqueID> File = Identities.of(Text.Name);
  if (!File)
    return true;
  return Of.From.count(*File) ||
         llvm::none_of(ByInput, [&](const Reading &R) { return R.From.count(*File) != 0; });
}

InputReadings::Texts InputReadings::textsOf(const Reading &Of, llvm::ArrayRef<VirtualFile> All) {
  Texts Out;
  for (const VirtualFile &Text : All)
    if (mayHave(Of, Text))
      Out.emplace(Text.Name, Text.Text);
  return Out;
}

std::vector<size_t> InputReadings::inputsWith(llvm::ArrayRef<VirtualFile> Texts) {
  std::vector<size_t> Numbers;
  for (auto [I, Of] : llvm::enumerate(ByInput))
    if (llvm::any_of(Texts, [&](const VirtualFile &Text) { return mayHave(Of, Text); }))
      Numbers.push_back(I);
  return Numbers;
}

llvm::Expected<std::vector<InputReadings::Reading>>
InputReadings::readAnew(llvm::ArrayRef<size_t> Numbers, const ParseOptions &Options,
                        SourceFiles &Files, bool WithPrefixes) {
  std::vector<std::string> Names;
  for (size_t I : Numbers)
    Names.push_back(Inputs[I]);
  ReadLog Log;
  NoteRead Note = [&, ToLog = Log.note()](llvm::StringRef Input, llvm::StringRef Path,
                                          llvm::StringRef Text) {
    ToLog(Input, Path, Text);
    std::string Name = absolutePath(Path);
    // The texts that were made here are not on disk.
    if (llvm::none_of(Options.Buffers, [&](const VirtualFile &B) { return B.Name == Name; }))
      FromDisk.note(Name, Text);
  };
  UnitReader Reader({"", "", WithPrefixes, Setup.Settings.Compile.Threads});
  ReadUnits Read = readKernels(Names, Setup.Commands, Options, Reader, Files, {Note});
  if (Read.Lost)
    return llvm::createStringError("no file was changed");
  std::vector<Reading> Out;
  for (auto [Name, Unit] : llvm::zip_equal(Names, Read.Units)) {
    Reading &New = Out.emplace_back();
    New.Unit = std::move(Unit);
    New.IsKnown = true;
    New.HasSharedPch = Reader.isUnconfirmed(New.Unit.MainFile);
    for (const std::string &Path : Log.filesOf(Name))
      if (std::optional<llvm::sys::fs::UniqueID> File = Identities.of(Path))
        New.From.insert(*File);
  }
  return Out;
}

llvm::Expected<std::vector<UnitFacts>> InputReadings::read(const ParseOptions &Options,
                                                           SourceFiles &Files) {
  std::vector<size_t> Stale;
  for (auto [I, Of] : llvm::enumerate(ByInput)) {
    Texts Now = textsOf(Of, Options.Buffers);
    if (Of.IsKnown && Now == Of.With)
      continue;
    if (!OnDisk.empty() && textsOf(OnDisk[I], Options.Buffers).empty())
      Of = OnDisk[I];
    else
      Stale.push_back(I);
  }
  // In the order of the inputs, in which a first reading opens them.
  for (const std::string &Input : Inputs)
    if (llvm::Expected<SourceId> File = Files.open(Input); !File)
      llvm::consumeError(File.takeError()); // told below, or it was read before
  llvm::Expected<std::vector<Reading>> Anew =
      readAnew(Stale, Options, Files, /*WithPrefixes=*/true);
  if (!Anew)
    return Anew.takeError();
  for (auto [I, New] : llvm::zip_equal(Stale, *Anew))
    ByInput[I] = std::move(New);
  // Who has which file is known of all only now.
  for (size_t I : Stale)
    ByInput[I].With = textsOf(ByInput[I], Options.Buffers);
  if (OnDisk.empty() && Options.Buffers.empty())
    OnDisk = ByInput;
  return units();
}

llvm::Expected<bool> InputReadings::confirm(const std::set<llvm::sys::fs::UniqueID> &Named,
                                            const ParseOptions &Options, SourceFiles &Files) {
  std::vector<size_t> Unsure;
  for (auto [I, Of] : llvm::enumerate(ByInput))
    if (Of.HasSharedPch && hasOneOf(Of.Unit, Named))
      Unsure.push_back(I);
  llvm::Expected<std::vector<Reading>> Anew =
      readAnew(Unsure, Options, Files, /*WithPrefixes=*/false);
  if (!Anew)
    return Anew.takeError();
  for (auto [I, New] : llvm::zip_equal(Unsure, *Anew)) {
    New.With = ByInput[I].With;
    if (New.With.empty() && !OnDisk.empty())
      OnDisk[I] = New;
    ByInput[I] = std::move(New);
  }
  return !Unsure.empty();
}

std::vector<UnitFacts> InputReadings::units() const {
  std::vector<UnitFacts> Units;
  for (const Reading &Of : ByInput)
    Units.push_back(Of.Unit);
  return Units;
}

} // namespace opsig
