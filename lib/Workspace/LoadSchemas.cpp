//===- LoadSchemas.cpp - Reading schemas ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseInternal.h"
#include "opsig/Operators/CustomOperators.h"
#include "opsig/Schema/SymInt.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "opsig/Workspace/Schemas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace opsig {

namespace {

/// Reads the two files of a torch root and goes on whatever is in them.
class InstalledSchemas {
public:
  InstalledSchemas(const SchemaSource &Source, LoadedSchemas &Loaded)
      : Source(Source), Loaded(Loaded) {}

  void read() {
    Yaml = open(Source.NativeFunctions,
                "PyTorch's own operators are unknown, so nothing is compared with them");
    if (Yaml == SourceId::None) {
      Loaded.Ops = std::make_unique<Operators>();
      Loaded.Ops->D = Source.D;
      Loaded.Ops->IsEmpty = true;
      reportErrors();
      return;
    }
    Tags = open(Source.Tags, "tags are not checked");
    Loaded.Ops = load(*Source.D, Loaded.OfPyTorch);
    reportErrors();
  }

private:
  SourceId open(const std::string &Path, llvm::StringRef Consequence) {
    llvm::Expected<SourceId> File = Loaded.Files.open(Path);
    if (File)
      return *File;
    Loaded.Warnings.push_back(llvm::toString(File.takeError()) + "; " + Consequence.str());
    return SourceId::None;
  }

  std::unique_ptr<Operators> load(const Dialect &D, Findings &Diags) const {
    LoadOptions Options{Source.DroppedKeys, BrokenEntry::Taken, isLowerable, &Source.Families};
    return loadOperators(Yaml, Tags, Loaded.Files, D, Diags, Options);
  }

  /// The operators that nothing is compared with.
  size_t numLost() const {
    const Operators &Ops = *Loaded.Ops;
    return llvm::count_if(Ops.Unread,
                          [&](const auto &Name) { return Ops.find(Name.getKey()) == nullptr; });
  }

  /// What the errors mean for the run.
  std::string consequence() const {
    size_t Lost = numLost();
    if (Loaded.Ops->Functions.empty())
      return "its operators could not be read, so nothing is compared with them";
    if (Lost)
      return counted(Lost, "operator is", "operators are") +
             " skipped; opsig uses what it could read of the other operators";
    return "opsig uses what it could read of the operators";
  }

  /// The release that opsig does not know, in one line with what its rules do to PyTorch's YAML.
  std::string unknownRelease() const {
    std::string Text = Source.UnknownRelease;
    if (size_t Errors = Loaded.OfPyTorch.numErrors()) {
      Text +=
          "; these rules find " + counted(Errors, "error") + " in PyTorch's YAML (see --verbose)";
      if (size_t Lost = numLost())
        Text += " and skip " + counted(Lost, "operator");
      if (const Dialect *Other = Source.NamesRootsRelease ? nullptr : fitting(Errors))
        Text += "; those of " + Other->Name.str() + " fit better";
    }
    return Text + withoutSetting(Source);
  }

  /// One line, however many there are.
  void reportErrors() {
    std::string Text = Source.UnknownRelease.empty() ? "" : unknownRelease();
    size_t Errors = Text.empty() ? Loaded.OfPyTorch.numErrors() : 0;
    if (Errors) {
      Text = counted(Errors, "error") + " in PyTorch's own '" + Source.NativeFunctions +
             "' (for details, use 'opsig check --verbose'); " + consequence();
      if (const Dialect *Other = fitting(Errors))
        Text += "; the file looks like that of PyTorch " + Other->Name.str() +
                ", but the rules of " + Source.D->Name.str() + " are used; to use the rules of " +
                Other->Name.str() + ", pass '" + Source.Spell("torch", Other->Name) + "'";
    }
    if (!Text.empty())
      Loaded.Warnings.push_back(std::move(Text));
  }

  /// A release that the YAML is much more like than the one that was stated. To ask takes time, so
  /// that it is done only where much is wrong.
  const Dialect *fitting(size_t Errors) const {
    const Dialect *Best = nullptr;
    size_t Fewest = Errors / 4;
    if (Errors * 100 <= Loaded.Ops->Functions.size())
      return nullptr;
    for (const Dialect *D : allDialects()) {
      Findings Diags;
      load(*D, Diags);
      size_t Found = Diags.numErrors();
      if (Best ? Found >= Fewest : Found > Fewest)
        continue;
      Best = D;
      Fewest = Found;
    }
    return Best && Best->Name != Source.D->Name ? Best : nullptr;
  }

  const SchemaSource &Source;
  LoadedSchemas &Loaded;
  SourceId Yaml = SourceId::None;
  SourceId Tags = SourceId::None;
};

llvm::Error readStrictly(const SchemaSource &Source, LoadedSchemas &Loaded) {
  llvm::Expected<SourceId> Yaml = Loaded.Files.open(Source.NativeFunctions);
  if (!Yaml)
    return Yaml.takeError();
  SourceId TagsFile = SourceId::None;
  if (!Source.Tags.empty()) {
    llvm::Expected<SourceId> Tags = Loaded.Files.open(Source.Tags);
    if (!Tags)
      return Tags.takeError();
    TagsFile = *Tags;
  }
  Loaded.Ops = loadOperators(
      *Yaml, TagsFile, Loaded.Files, *Source.D, Loaded.Diags,
      LoadOptions{Source.DroppedKeys, BrokenEntry::LeftOut, nullptr, &Source.Families});
  if (!Loaded.Diags.hasErrors()) {
    checkLowerable(*Loaded.Ops, Loaded.Diags);
    return llvm::Error::success();
  }
  // For who goes on in spite of that: LoadedSchemas::comparable().
  Findings Known;
  Loaded.Ops = loadOperators(
      *Yaml, TagsFile, Loaded.Files, *Source.D, Known,
      LoadOptions{Source.DroppedKeys, BrokenEntry::Taken, isLowerable, &Source.Families});
  return llvm::Error::success();
}

/// Each YAML becomes a library, and of two that define one operator libtorch loads one.
void reportDefinedTwice(llvm::ArrayRef<ExternalBackend> Backends, const SourceFiles &Files,
                        Findings &Diags) {
  llvm::StringMap<CustomOperator> First = customOperators(Backends);
  for (const ExternalBackend &B : Backends) {
    if (!B.Custom)
      continue;
    for (const NativeFunction &F : *B.Custom) {
      std::string Name = qualifiedName(F);
      auto [Other, File] = First.lookup(Name);
      if (File == B.File)
        continue;
      bool Differs = !isSameButForSymInt(Other->Schema.str(), F.Schema.str());
      Diags
          .report(finding::BackendCustomClash, F.SchemaText.At, "'{0}' is also defined in '{1}'{2}",
                  Name, Files.name(File), Differs ? ", with a different schema" : "")
          .op(Name)
          .note(Other->SchemaText.At, "first defined here");
    }
  }
}

/// Says of each file in \p Foreign how much is wrong in it, and nothing that stands there.
Findings withoutForeignText(const Findings &Diags, llvm::ArrayRef<std::string> Foreign,
                            const SourceFiles &Files) {
  Findings Out;
  std::map<SourceId, std::pair<Finding, size_t>> Hidden;
  for (const Finding &D : Diags.all()) {
    if (!llvm::is_contained(Foreign, Files.name(D.At.File))) {
      Out.append(D);
      continue;
    }
    auto [It, New] = Hidden.try_emplace(D.At.File, D, 0);
    Finding &Shown = It->second.first;
    if (D.Severity == Level::Error)
      Shown.Severity = Level::Error;
    ++It->second.second;
  }
  for (auto &[File, Known] : Hidden) {
    auto &[D, Count] = Known;
    D.At.Column = 0;
    D.Hint.clear();
    D.Notes.clear();
    D.Fixes.clear();
    D.Op.clear();
    D.Message = counted(Count, "finding") +
                " in this file, the first on this line; the file is outside the project, so its "
                "text is not shown; pass the file on the command line to see its text";
    Out.append(std::move(D));
  }
  return Out;
}

} // namespace

llvm::Expected<std::unique_ptr<LoadedSchemas>> loadSchemas(const SchemaSource &Source,
                                                           llvm::ArrayRef<TextOfFile> Instead) {
  auto Loaded = std::make_unique<LoadedSchemas>();
  for (const TextOfFile &File : Instead)
    Loaded->Files.add(File.Name, File.Text);
  Loaded->Facts = Source.Facts;
  if (Source.IsInstalled)
    InstalledSchemas(Source, *Loaded).read();
  else if (llvm::Error Err = readStrictly(Source, *Loaded))
    return std::move(Err);
  for (const std::string &Path : Source.Backends) {
    llvm::Expected<SourceId> File = Loaded->Files.open(Path);
    if (!File)
      return File.takeError();
    if (!Loaded->comparable())
      continue;
    Loaded->Backends.push_back(loadBackendInPart(*File, Loaded->Files, *Loaded->Ops, Loaded->Diags,
                                                 Source.Project.BackendLayouts));
  }
  reportDefinedTwice(Loaded->Backends, Loaded->Files, Loaded->Diags);
  if (!Source.Foreign.empty())
    for (Findings *Diags : {&Loaded->Diags, &Loaded->OfPyTorch})
      *Diags = withoutForeignText(*Diags, Source.Foreign, Loaded->Files);
  return Loaded;
}

} // namespace opsig
