//===- Apply.cpp - fixes => changed files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Rewrite/Apply.h"

#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace opsig;
using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

/// The fixes of one file that do not conflict.
struct FileEdits {
  Replacements All;
  std::vector<Fix> Fixes;
};

class Editor {
public:
  explicit Editor(const SourceFiles &Files) : Files(Files) {}

  /// Takes all of \p Fixes or none.
  bool take(ArrayRef<Fix> Fixes);
  /// Plans the edited texts; false if one could not be made.
  void plan(OutputTree &Tree) const;

private:
  const SourceFiles &Files;
  MapVector<FileId, FileEdits> Edits;
};

bool Editor::take(ArrayRef<Fix> Fixes) {
  std::map<FileId, FileEdits> Changed;
  for (const Fix &F : Fixes) {
    if (F.File == FileId::None || F.Offset + uint64_t(F.Length) > Files.text(F.File).size())
      return false;
    auto It = Changed.find(F.File);
    if (It == Changed.end())
      It = Changed.emplace(F.File, Edits.lookup(F.File)).first;
    FileEdits &Edit = It->second;
    // Several findings may need the same change; it is made once.
    if (is_contained(Edit.Fixes, F))
      continue;
    if (Error E = Edit.All.add(Replacement(Files.name(F.File), F.Offset, F.Length, F.Text))) {
      consumeError(std::move(E));
      return false;
    }
    Edit.Fixes.push_back(F);
  }
  for (auto &[File, Edit] : Changed)
    Edits[File] = std::move(Edit);
  return true;
}

void Editor::plan(OutputTree &Tree) const {
  for (const auto &[File, Edit] : Edits) {
    Expected<std::string> Text = clang::tooling::applyAllReplacements(Files.text(File), Edit.All);
    // Every replacement lies inside of its file and overlaps no other.
    Tree.add(Files.name(File), cantFail(std::move(Text)));
  }
}

} // namespace

AppliedFixes opsig::applyFixes(ArrayRef<Diagnostic> Findings, const SourceFiles &Files) {
  AppliedFixes Result;
  Editor TheEditor(Files);
  for (size_t I = 0; I < Findings.size(); ++I) {
    if (Findings[I].Fixes.empty())
      continue;
    (TheEditor.take(Findings[I].Fixes) ? Result.Applied : Result.Refused).push_back(I);
  }
  TheEditor.plan(Result.Files);
  return Result;
}
