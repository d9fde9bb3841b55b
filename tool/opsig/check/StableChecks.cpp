//===- StableChecks.cpp - code and libraries of the stable ABI --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/StableChecks.h"
#include "check/TorchIncludeDirs.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;

/// The folder of the headers that the sources are compiled with, else that of the torch root.
static llvm::Expected<std::string> headerFolder(const CheckSetup &Setup) {
  if (!Setup.Inputs.Files.empty())
    if (auto Headers = TorchIncludeDirs().ofMost(Setup.Inputs.Files, Setup.Commands))
      return Headers->Folder;
  if (auto Headers = findTorchHeaders(torchHeaderFolders(Setup.Source.TorchRoot)))
    return Headers->Folder;
  return llvm::createStringError("--binary needs PyTorch's headers, which declare the "
                                 "stable ABI; pass --torch-root, or a source file with its flags");
}

llvm::Error StableChecks::readBinaries(llvm::ArrayRef<std::string> Names, llvm::StringRef Expected,
                                       const CheckSetup &Setup) {
  if (!Expected.empty()) {
    Target = parseTarget(Expected);
    if (!Target)
      return llvm::createStringError("'" + Expected +
                                     "' (--target) is not a release; expected MAJOR.MINOR");
  }
  if (Names.empty())
    return llvm::Error::success();
  for (const std::string &Name : Names) {
    auto Buffer = readWholeFile(Name);
    if (!Buffer)
      return Buffer.takeError();
    llvm::Expected<BinaryFile> Read = readBinary(Name, **Buffer);
    if (!Read)
      return Read.takeError();
    Binaries.push_back(std::move(*Read));
  }
  llvm::Expected<std::string> Folder = headerFolder(Setup);
  if (!Folder)
    return Folder.takeError();
  llvm::Expected<StableApiIndex> Read = readStableApiIndex(*Folder);
  if (!Read)
    return Read.takeError();
  Api = std::move(*Read);
  if (Target && *Target > Api->Newest)
    return llvm::createStringError("the target " + targetText(*Target) + " is newer than '" +
                                   *Folder + "', which is " + targetText(Api->Newest));
  return llvm::Error::success();
}

/// Whether a look at each word may find something.
static bool mayHaveMisuses(llvm::StringRef Text, const ParseJob &Job) {
  if (Text.contains("narrow") || Text.contains("torch/csrc/stable/") ||
      Text.contains("TORCH_STABLE_ONLY") || Text.contains("TORCH_TARGET_VERSION"))
    return true;
  return llvm::any_of(Job.Command, [](llvm::StringRef Flag) {
    return Flag.contains("TORCH_STABLE_ONLY") || Flag.contains("TORCH_TARGET_VERSION");
  });
}

void StableChecks::readSources(const CheckSetup &Setup, const ParseOptions &Options) {
  for (const std::string &File : Setup.Inputs.Files) {
    Sources.push_back(File);
    auto Buffer = readWholeFile(File);
    if (!Buffer) {
      llvm::consumeError(Buffer.takeError()); // the reading of its kernels says so
      continue;
    }
    ParseJob Job = Setup.Commands.job(File);
    if (mayHaveMisuses((*Buffer)->getBuffer(), Job))
      Misuses.push_back({File, stableApiMisuses(Job, Options)});
  }
}

void StableChecks::report(SourceFiles &Files, Findings &Diags) const {
  for (const SourceMisuses &S : Misuses)
    reportMisuses(S.Misuses, S.MainFile, Files, Diags);
  std::vector<SourceId> Ids;
  for (const std::string &Source : Sources)
    if (llvm::Expected<SourceId> Id = Files.open(Source))
      Ids.push_back(*Id);
    else
      llvm::consumeError(Id.takeError()); // the reading has said so
  for (const BinaryFile &Binary : Binaries)
    checkBinary(Binary, *Api, Target, Ids, Files, Diags);
}

std::vector<std::string> StableChecks::notes() const {
  std::vector<std::string> Texts;
  for (const BinaryFile &Binary : Binaries) {
    SourceFiles Files;
    Findings Unused;
    BinaryCount Count = checkBinary(Binary, *Api, Target, {}, Files, Unused);
    std::string Needs =
        Count.Needed == 0
            ? "its stable symbols exist in every PyTorch that has a stable ABI"
            : "its stable symbols need PyTorch " + targetText(Count.Needed) + " or later";
    Texts.push_back(
        llvm::formatv("'{0}' uses {1} PyTorch symbols; {2}", Binary.Name, Count.Torch, Needs));
  }
  return Texts;
}
