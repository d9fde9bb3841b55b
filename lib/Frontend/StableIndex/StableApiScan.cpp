//===- StableApiScan.cpp - what of the stable headers a target has ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preprocessor only, and only of PyTorch's headers: a target costs milliseconds.
//
//===----------------------------------------------------------------------===//
#include "Parse/Preprocess.h"
#include "StableIndex/StableApiIndexInternal.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

/// The path of \p File below \p Folder; "" where it is elsewhere.
std::string nameBelow(StringRef Folder, FileManager &Files, FileEntryRef File) {
  SmallString<256> Path(File.getName());
  Files.makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
  StringRef Name = Path;
  return Name.consume_front(Folder) && Name.consume_front("/") ? Name.str() : "";
}

/// Files that were refused by an #error of theirs.
class RefusalReader : public DiagnosticConsumer {
public:
  RefusalReader(StringRef Folder, StableApiScan &Out) : Folder(Folder), Out(Out) {}
  void HandleDiagnostic(DiagnosticsEngine::Level, const clang::Diagnostic &Info) override {
    if (Info.getID() != clang_diag::err_pp_hash_error || !Info.hasSourceManager())
      return;
    const SourceManager &SM = Info.getSourceManager();
    if (OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(Info.getLocation())))
      Out.Files[nameBelow(Folder, SM.getFileManager(), *File)].Refuses = true;
  }

private:
  StringRef Folder;
  StableApiScan &Out;
};

class StableApiWatch : public PPCallbacks {
public:
  StableApiWatch(Preprocessor &PP, StringRef Folder, StableApiScan &Out)
      : PP(PP), SM(PP.getSourceManager()), Folder(Folder), Out(Out) {}

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    StableApiScan::File *From = fileAt(Hash);
    if (!From)
      return;
    if (!File)
      From->Lacks.push_back(Name.str());
    else if (std::string To = nameBelow(Folder, PP.getFileManager(), *File); !To.empty())
      From->Includes.insert(std::move(To));
  }

  bool FileNotFound(StringRef) override { return true; }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (StableApiScan::File *File = fileAt(Range.getBegin()))
      File->Skipped.push_back(
          {SM.getFileOffset(Range.getBegin()), SM.getFileOffset(Range.getEnd())});
  }

  void MacroDefined(const Token &Name, const MacroDirective *Macro) override {
    // Whether a macro guards its header is known at the header's end.
    if (fileAt(Name.getLocation()))
      Macros.push_back(
          {Name.getIdentifierInfo()->getName().str(), Name.getLocation(), Macro->getMacroInfo()});
  }

  void If(SourceLocation, SourceRange Condition, ConditionValueKind) override {
    condition(Condition);
  }
  void Elif(SourceLocation, SourceRange Condition, ConditionValueKind, SourceLocation) override {
    condition(Condition);
  }
  void Ifdef(SourceLocation At, const Token &Name, const MacroDefinition &Macro) override {
    StringRef Word = Name.getIdentifierInfo()->getName();
    if (!Macro && Word.starts_with("USE_") && isShim(nameAt(At)))
      Out.Switches.insert(Word.str());
  }

  void finish() {
    for (const Defined &M : Macros)
      if (!M.Info->isUsedForHeaderGuard())
        fileAt(M.At)->Macros.push_back({M.Name, SM.getExpansionLineNumber(M.At)});
  }

private:
  struct Defined {
    std::string Name;
    SourceLocation At;
    const MacroInfo *Info;
  };

  /// C shims have a folder c, or are generated.
  static bool isShim(StringRef Name) {
    StringRef In = llvm::sys::path::filename(llvm::sys::path::parent_path(Name));
    return In == "c" || In == "generated";
  }

  std::string nameAt(SourceLocation At) {
    OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(At)));
    return File ? nameBelow(Folder, PP.getFileManager(), *File) : "";
  }

  /// The file of the folder that \p At is in, where this is the first time that it is read.
  StableApiScan::File *fileAt(SourceLocation At) {
    FileID Id = SM.getFileID(SM.getExpansionLoc(At));
    auto [It, New] = Known.try_emplace(Id, nullptr);
    if (!New)
      return It->second;
    std::string Name = nameAt(At);
    if (!Name.empty() && Seen.insert(Name).second)
      It->second = &Out.Files[Name];
    return It->second;
  }

  void condition(SourceRange Range) {
    StringRef Text =
        Lexer::getSourceText(CharSourceRange::getTokenRange(Range), SM, PP.getLangOpts());
    if (!Text.contains("TORCH_FEATURE_VERSION"))
      return;
    while (!Text.empty()) {
      StringRef Word = Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
      if (!Word.empty() && Word != "TORCH_FEATURE_VERSION" && PP.isMacroDefined(Word))
        Out.Targets.insert(Word.str());
      Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
    }
  }

  Preprocessor &PP;
  SourceManager &SM;
  StringRef Folder;
  StableApiScan &Out;
  std::map<FileID, StableApiScan::File *> Known;
  std::set<std::string> Seen;
  std::vector<Defined> Macros;
};

} // namespace

std::string StableApiInput::text() const {
  std::string Text;
  for (const std::string &Header : Headers)
    Text += "#include <" + Header + ">\n";
  return Text;
}

ParseJob StableApiInput::job(StringRef Target) const {
  std::vector<std::string> All{"-std=c++20", "-I" + Folder, "-DTORCH_STABLE_ONLY",
                               ("-DTORCH_TARGET_VERSION=" + Target).str()};
  for (const std::string &Switch : Switches)
    All.push_back("-D" + Switch);
  All.insert(All.end(), Flags.begin(), Flags.end());
  return CompileCommands::fixed(All).job(mainFile());
}

std::optional<StableApiScan> opsig::scanStableApi(const StableApiInput &Input, StringRef Target) {
  StableApiScan Out;
  bool Done = false;
  RefusalReader Errors(Input.Folder, Out);
  ParseOptions Options;
  Options.Buffers.push_back({Input.mainFile(), Input.text()});
  StableApiWatch *Watch = nullptr;
  auto Action = [&] {
    return std::make_unique<PreprocessAction>(
        [&](Preprocessor &PP) {
          auto Made = std::make_unique<StableApiWatch>(PP, Input.Folder, Out);
          Watch = Made.get();
          return Made;
        },
        [&](Preprocessor &) {
          Watch->finish();
          Done = true;
        });
  };
  auto IsOpened = [&](StringRef Path) {
    StringRef Name = Path;
    return Path == Input.mainFile() || (Name.consume_front(Input.Folder) &&
                                        (Name.starts_with("/torch/") || Name.starts_with("/c10/") ||
                                         Name.starts_with("/ATen/")));
  };
  std::string WhyNot =
      runClang(Input.job(Target), Options,
               {Action, Errors, hollowFiles(makeFileSystem(Options), IsOpened), {}});
  return WhyNot.empty() && Done ? std::optional(std::move(Out)) : std::nullopt;
}
