//===- SyncUpgrade.cpp - A backend's YAML from one release to another -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SchemaInput.h"
#include "sync/SyncUpgrade.h"
#include "opsig/Operators/BackendEdit.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

namespace {

llvm::raw_ostream &note(llvm::raw_ostream &OS) { return llvm::WithColor::note(OS, "opsig"); }

std::string entries(size_t Count) {
  return std::to_string(Count) + (Count == 1 ? " entry" : " entries");
}

class UpgradeLoader {
public:
  UpgradeLoader(const SchemaSource &Source, const UpgradeRequest &Request)
      : Source(Source), Request(Request), Out(std::make_unique<SchemaUpgrade>()) {}

  llvm::Expected<std::unique_ptr<SchemaUpgrade>> run() {
    // Both are read, so that what is wrong with either is said in one run.
    llvm::Expected<bool> HasOld = loadOld();
    llvm::Expected<std::unique_ptr<LoadedSchemas>> New = loadSchemas(Source);
    if (!HasOld || !New)
      return llvm::joinErrors(HasOld.takeError(), New.takeError());
    Out->New = std::move(*New);
    reportOfPyTorch(*Out->New, Request.Verbose);
    if (*HasOld && Out->New->Ops && !Out->New->Ops->IsEmpty) {
      if (llvm::Error Err = pruneRemoved())
        return std::move(Err);
      if (Out->New->usable()) {
        Out->Diff = compareReleases(*Out->Old.Schemas->Ops, *Out->New->Ops);
        return std::move(Out);
      }
    }
    for (const auto &[Name, File] : Out->Yaml)
      note(llvm::errs()) << "the line numbers below refer to '" << safeText(Name)
                         << "' without the " << entries(Out->Gone.size())
                         << " that sync would remove; nothing was written\n";
    printDiagnostics(llvm::errs(), Out->New->Diags, Out->New->Files, OutputFormat::Text);
    return nullptr;
  }

private:
  llvm::Expected<bool> loadOld() {
    llvm::Expected<LoadedRelease> Old = loadRelease(Request.From);
    if (!Old)
      return Old.takeError();
    Out->Old = std::move(*Old);
    LoadedSchemas &Schemas = *Out->Old.Schemas;
    reportAbout(Out->Old.Source, llvm::errs());
    reportOfPyTorch(Schemas, Request.Verbose);
    printDiagnostics(llvm::errs(), Schemas.Diags, Schemas.Files, OutputFormat::Text);
    return Schemas.usable() && !Schemas.Ops->Functions.empty();
  }

  /// What findings about the YAML say to be no operator, though it was one.
  std::vector<GoneEntry> gone() const {
    std::vector<GoneEntry> Found;
    for (const Finding &D : Out->New->Diags.all()) {
      if (D.Id != finding::BackendUnknownOp && D.Id != finding::BackendOpNotInTorch)
        continue;
      if (Out->Old.Schemas->Ops->find(D.Op))
        Found.push_back({D.Op, D.At});
    }
    return Found;
  }

  llvm::Error pruneRemoved() {
    std::vector<GoneEntry> Gone = gone();
    if (Gone.empty())
      return llvm::Error::success();
    if (!Request.PruneRemoved) {
      note(llvm::errs()) << "the backend's YAML has " << entries(Gone.size())
                         << " for operators of PyTorch " << Out->Old.Source.Version.Text
                         << " that this PyTorch no longer has; pass --prune-removed to remove "
                         << (Gone.size() == 1 ? "it" : "them") << "\n";
      return llvm::Error::success();
    }
    std::vector<TextOfFile> Texts;
    for (const ExternalBackendFile &File : yamlFiles(Gone))
      editYaml(File, Texts);
    if (Texts.empty())
      return llvm::Error::success();
    llvm::Expected<std::unique_ptr<LoadedSchemas>> Edited = loadSchemas(Source, Texts);
    if (!Edited)
      return Edited.takeError();
    Out->AsOnDisk = std::exchange(Out->New, std::move(*Edited));
    return llvm::Error::success();
  }

  struct ExternalBackendFile {
    SourceId File;
    std::vector<GoneEntry> Gone;
  };

  static std::vector<ExternalBackendFile> yamlFiles(llvm::ArrayRef<GoneEntry> Gone) {
    std::vector<ExternalBackendFile> Files;
    for (const GoneEntry &Entry : Gone) {
      auto It = llvm::find_if(Files, [&](const auto &F) { return F.File == Entry.At.File; });
      if (It == Files.end())
        It = Files.insert(Files.end(), {Entry.At.File, {}});
      It->Gone.push_back(Entry);
    }
    return Files;
  }

  void editYaml(const ExternalBackendFile &Of, std::vector<TextOfFile> &Texts) {
    const SourceFiles &Files = Out->New->Files;
    std::vector<Place> Places;
    std::vector<std::string> Names;
    for (const GoneEntry &Entry : Of.Gone) {
      Places.push_back(Entry.At);
      Names.push_back(Entry.Operator);
    }
    ItemRemoval Removal = removeItems(Of.File, Files, Places, Names);
    if (!Removal.Kept.empty())
      note(llvm::errs()) << "'" << safeText(Files.name(Of.File))
                         << "' is not edited: " << entries(Removal.Kept.size())
                         << (Removal.Kept.size() == 1 ? " for a removed operator"
                                                      : " for removed operators")
                         << " cannot be deleted, because other entries are on the same line\n";
    if (!Removal.Kept.empty() || Removal.Fixes.empty())
      return;
    std::string Name = Files.name(Of.File).str();
    clang::tooling::Replacements Edits;
    for (const Fix &F : Removal.Fixes)
      llvm::cantFail(Edits.add({Name, F.Offset, F.Length, F.Text}));
    SyncedFile File;
    File.Before = Files.text(Of.File).str();
    File.Now = {llvm::cantFail(clang::tooling::applyAllReplacements(File.Before, Edits)), Edits};
    Texts.push_back({Name, File.Now.Text});
    Out->Yaml[Name] = std::move(File);
    llvm::append_range(Out->Gone, Of.Gone);
  }

  const SchemaSource &Source;
  const UpgradeRequest &Request;
  std::unique_ptr<SchemaUpgrade> Out;
};

std::string reasonOf(const BackendOffer &Offer) {
  return Offer.Is == BackendOffer::LostDefault
             ? "PyTorch no longer has a default kernel"
             : "new variant of '" + Offer.Relative->Schema.Name.str() + "', which the YAML lists";
}

void printOffers(llvm::raw_ostream &OS, const SchemaUpgrade &Upgrade,
                 const ExternalBackend &Backend) {
  BackendOffers Offers = offersFor(Backend, Upgrade.Diff);
  const std::string Old = Upgrade.Old.Source.Version.Text;
  llvm::StringRef Yaml = Upgrade.New->Files.name(Backend.File);
  if (!Offers.Offers.empty()) {
    note(OS) << "these operators needed no backend kernel with PyTorch " << Old
             << ", but need one now; '" << Yaml << "' does not list them:\n";
    size_t Width = 0;
    for (const BackendOffer &Offer : Offers.Offers)
      Width = std::max(Width, Offer.Function->Schema.Name.str().size());
    for (const BackendOffer &Offer : Offers.Offers)
      OS << "  - " << llvm::left_justify(Offer.Function->Schema.Name.str(), Width) << "  # "
         << reasonOf(Offer) << '\n';
  }
  if (Offers.Others)
    note(OS) << "other new operators for which PyTorch has no default kernel: " << Offers.Others
             << "; to list them, run `opsig diff` with --backend\n";
}

} // namespace

llvm::Expected<std::unique_ptr<SchemaUpgrade>> loadUpgrade(const SchemaSource &Source,
                                                           const UpgradeRequest &Request) {
  return UpgradeLoader(Source, Request).run();
}

void printUpgrade(llvm::raw_ostream &OS, const SchemaUpgrade &Upgrade) {
  for (const GoneEntry &Entry : Upgrade.Gone) {
    const Place &At = Entry.At;
    OS << safeLineStart(Upgrade.AsOnDisk->Files.name(At.File)) << ':' << At.Line << ':' << At.Column
       << ": note: removed: PyTorch no longer has the operator '" << safeText(Entry.Operator)
       << "'";
    if (const NativeFunction *New =
            Upgrade.Diff.newOf(*Upgrade.Old.Schemas->Ops->find(Entry.Operator)))
      OS << "; it is now called '" << New->Schema.Name.str() << "'";
    OS << '\n';
  }
  for (const ExternalBackend &Backend : Upgrade.New->Backends)
    printOffers(OS, Upgrade, Backend);
}

} // namespace opsig
