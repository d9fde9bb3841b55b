//===- TorchIncludeDirs.cpp - The PyTorch that code is compiled with -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/TorchIncludeDirs.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

const std::optional<TorchHeaders> &TorchIncludeDirs::of(const ParseJob &Job) {
  std::vector<std::string> Key{Job.Directory};
  llvm::copy_if(Job.Command, std::back_inserter(Key),
                [&](const std::string &Argument) { return Argument != Job.File; });
  auto [It, New] = Known.try_emplace(std::move(Key));
  if (New)
    It->second = findTorchHeaders(includeFolders(Job));
  return It->second;
}

bool TorchIncludeDirs::areOfFlags(const ParseJob &Job) {
  ParseJob Alone = Job;
  addFlags(Alone, {"-nostdinc"});
  return of(Alone).has_value();
}

std::optional<TorchHeaders> TorchIncludeDirs::ofMost(llvm::ArrayRef<std::string> Files,
                                                     const CompileCommands &Commands) {
  llvm::MapVector<llvm::StringRef, std::pair<unsigned, const TorchHeaders *>> Counts;
  for (const std::string &File : Files)
    if (const std::optional<TorchHeaders> &Headers = of(Commands.job(File))) {
      auto &[Count, Which] = Counts[Headers->Folder];
      ++Count;
      Which = &*Headers;
    }
  const TorchHeaders *Best = nullptr;
  unsigned Most = 0;
  for (const auto &[Folder, Counted] : Counts)
    if (Counted.first > Most)
      std::tie(Most, Best) = Counted;
  return Best ? std::optional(*Best) : std::nullopt;
}

void addFlags(ParseJob &Job, llvm::ArrayRef<std::string> Flags) {
  if (!Job.Command.empty())
    Job.Command.insert(Job.Command.begin() + 1, Flags.begin(), Flags.end());
}

namespace {

void addFolders(ParseJob &Job, llvm::StringRef Option, llvm::ArrayRef<std::string> Folders) {
  std::vector<std::string> Flags;
  for (const std::string &Folder : Folders)
    Flags.insert(Flags.end(), {Option.str(), Folder});
  addFlags(Job, Flags);
}

/// Where the flags choose no standard of C++, compilers do, and not all the same one.
void addStandard(ParseJob &Job, const std::string &Needed) {
  auto ChoosesOne = [](llvm::StringRef Flag) {
    return Flag.starts_with("-std") || Flag.starts_with("--std");
  };
  if (!Needed.empty() && llvm::none_of(Job.Command, ChoosesOne))
    addFlags(Job, "-std=" + Needed);
}

/// What setup.py projects are compiled with by torch.utils.cpp_extension: <torch/extension.h> needs
/// Python, and modules have a name that is said there alone. As its own value it is told as what
/// it is.
void addExtensionFlags(ParseJob &Job, llvm::StringRef Option, const std::string &Python) {
  addFlags(Job, {"-DTORCH_EXTENSION_NAME=TORCH_EXTENSION_NAME"});
  if (!Python.empty())
    addFolders(Job, Option, Python);
}

/// Where the folder of an option for headers begins; npos for other flags.
size_t folderOfOption(llvm::StringRef Flag) {
  for (llvm::StringRef Option : {"-isystem", "-idirafter", "-iquote", "-I"})
    if (Flag.starts_with(Option))
      return Option.size();
  return llvm::StringRef::npos;
}

bool hasTorchHeaders(llvm::StringRef Folder) {
  return Folder.ends_with("torch/csrc/api/include") || findTorchHeaders({Folder.str()}).has_value();
}

/// The same compiles CUDA with these, without which operators of c10::Half are ambiguous.
void addCudaFlags(ParseJob &Job) {
  if (Job.Language == SourceLanguage::Cuda)
    addFlags(Job, {"-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__",
                   "-D__CUDA_NO_BFLOAT16_CONVERSIONS__", "-D__CUDA_NO_HALF2_OPERATORS__"});
}

} // namespace

void replaceTorchHeaders(ParseJob &Job, llvm::ArrayRef<std::string> Folders) {
  std::vector<std::string> Left;
  for (size_t I = 0; I < Job.Command.size(); ++I) {
    llvm::StringRef Flag = Job.Command[I];
    size_t At = folderOfOption(Flag);
    const bool IsApart = At == Flag.size() && I + 1 < Job.Command.size();
    llvm::StringRef Folder = At == llvm::StringRef::npos ? ""
                             : IsApart                   ? llvm::StringRef(Job.Command[I + 1])
                                                         : Flag.drop_front(At);
    if (!Folder.empty() && hasTorchHeaders(Folder)) {
      I += IsApart;
      continue;
    }
    Left.push_back(Flag.str());
    if (IsApart)
      Left.push_back(Job.Command[++I]);
  }
  Job.Command = std::move(Left);
  addFolders(Job, "-isystem", Folders);
}

void addTorchHeaders(CompileCommands &Commands, const CompileSettings &Settings,
                     const SchemaSource &Source) {
  std::vector<std::string> OfRoot = missingHeaderFolders(Source, std::nullopt);
  std::string StandardOfRoot = OfRoot.empty() ? "" : neededStandard(OfRoot.front());
  std::string Python = pythonHeaderFolder(Source.TorchRoot);
  // A build's own commands say what it defines.
  if (Settings.BuildDir.empty())
    Commands.adjustJobs(addCudaFlags);
  if (!Settings.givesFlags() && !OfRoot.empty())
    return Commands.adjustJobs([=](ParseJob &Job) {
      addExtensionFlags(Job, "-isystem", Python);
      addFolders(Job, "-isystem", OfRoot);
      addStandard(Job, StandardOfRoot);
    });
  auto Known = std::make_shared<TorchIncludeDirs>();
  bool IsNamed = Source.RootFrom == "--torch-root" && !OfRoot.empty();
  Commands.adjustJobs([=](ParseJob &Job) {
    std::optional<TorchHeaders> Found = Known->of(Job);
    addExtensionFlags(Job, "-idirafter", Python);
    // The folders of the system are searched whatever the flags are: the root that the user named
    // comes before another release there.
    if (IsNamed && Found && !twoReleases(Source, *Found).empty() && !Known->areOfFlags(Job)) {
      Found.reset();
      addFolders(Job, "-isystem", OfRoot);
    }
    addFolders(Job, "-idirafter", Found ? missingHeaderFolders(Source, Found) : OfRoot);
    addStandard(Job, Found ? Found->Standard : StandardOfRoot);
  });
}

std::vector<std::string> foreignHeaders(llvm::ArrayRef<UnitFacts> Units,
                                        const SchemaSource &Source) {
  std::map<std::vector<std::string>, std::string> Known;
  std::map<std::string, unsigned> Counts;
  for (const UnitFacts &Unit : Units) {
    auto [It, New] = Known.try_emplace(Unit.TorchFolders);
    if (New)
      if (std::optional<TorchHeaders> Headers = findTorchHeaders(Unit.TorchFolders))
        It->second = warnOfHeaders(Source, *Headers);
    if (!It->second.empty())
      ++Counts[It->second];
  }
  std::vector<std::string> Warnings;
  for (const auto &[Message, Count] : Counts) {
    Warnings.push_back(Message);
    if (Count != Units.size())
      Warnings.back() +=
          " (" + std::to_string(Count) + " of " + std::to_string(Units.size()) + " files)";
  }
  return Warnings;
}

void reportForeignHeaders(llvm::ArrayRef<UnitFacts> Units, const SchemaSource &Source) {
  for (const std::string &Warning : foreignHeaders(Units, Source))
    reportWarning(Warning);
}

} // namespace opsig
