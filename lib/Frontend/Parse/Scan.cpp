//===- Scan.cpp - which headers files include -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preprocessor only. A scan opens no header that is none of the project's: it costs milliseconds.
//
//===----------------------------------------------------------------------===//
#include "Parse/Preprocess.h"
#include "Parse/SharedPchInternal.h"
#include "opsig/Frontend/FromAst.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace opsig;
using namespace clang;
using llvm::ErrorOr;
using llvm::sys::fs::UniqueID;

std::string opsig::macroText(const MacroInfo &Macro, const SourceManager &SM,
                             const LangOptions &Options) {
  // The definition begins with the macro's name.
  CharSourceRange Range =
      CharSourceRange::getTokenRange(Macro.getDefinitionLoc(), Macro.getDefinitionEndLoc());
  return Lexer::getSourceText(Range, SM, Options).str();
}

uint64_t opsig::wordHash(StringRef Word) { return llvm::xxh3_64bits(Word); }

std::optional<uint32_t> IncludeGraph::find(const UniqueID &Id) const {
  auto It = Indices.find(Id);
  return It == Indices.end() ? std::nullopt : std::optional(It->second);
}

uint32_t IncludeGraph::add(FileEntryRef File, FileManager &Manager) {
  auto [It, New] = Indices.try_emplace(File.getUniqueID(), Files.size());
  if (New) {
    SmallString<256> Path(File.getName());
    Manager.makeAbsolutePath(Path);
    Files.push_back(
        {std::string(Path), File.getUniqueID(), uint64_t(File.getSize()), {}, false, {}});
  }
  return It->second;
}

void IncludeGraph::reach(uint32_t From, llvm::BitVector &Reached) const {
  llvm::SmallVector<uint32_t, 64> Left{From};
  while (!Left.empty()) {
    uint32_t At = Left.pop_back_val();
    if (Reached.test(At))
      continue;
    Reached.set(At);
    llvm::append_range(Left, Files[At].Includes);
  }
}

bool IncludeGraph::hasWord(StringRef Word) const {
  return std::binary_search(Words.begin(), Words.end(), wordHash(Word));
}

bool IncludeGraph::wasPasted(StringRef Word) const {
  return std::binary_search(Pasted.begin(), Pasted.end(), wordHash(Word));
}

void GraphWriter::InclusionDirective(SourceLocation Hash, const Token &Tok, StringRef Name,
                                     bool Angled, CharSourceRange, OptionalFileEntryRef File,
                                     StringRef, StringRef, const Module *, bool,
                                     SrcMgr::CharacteristicKind) {
  FileManager &Files = PP.getFileManager();
  const SourceManager &SM = PP.getSourceManager();
  OptionalFileEntryRef From = SM.getFileEntryRefForID(SM.getFileID(Hash));
  if (!File) {
    if (From)
      Graph.Files[Graph.add(*From, Files)].Lacks = true;
    return;
  }
  uint32_t Index = Graph.add(*File, Files);
  bool IsNext = Tok.getIdentifierInfo()->isStr("include_next");
  if (!Graph.Files[Index].Reachable && !IsNext && (Angled || !From)) {
    Graph.Files[Index].As = {Name.str(), Angled};
    Graph.Files[Index].Reachable = true;
  }
  if (From) {
    std::vector<uint32_t> &Includes = Graph.Files[Graph.add(*From, Files)].Includes;
    if (!llvm::is_contained(Includes, Index))
      Includes.push_back(Index);
  }
}

void GraphWriter::finish() {
  for (const auto &Entry : PP.getIdentifierTable())
    Graph.Words.push_back(wordHash(Entry.getKey()));
  llvm::sort(Graph.Words);
  // Clang writes what it pastes into buffers of their own, each token on a line that a NUL ends.
  const SourceManager &SM = PP.getSourceManager();
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || Entry.getFile().getName() != "<scratch space>")
      continue;
    FileID File = SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    llvm::SmallVector<StringRef, 0> Lines;
    SM.getBufferData(File).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines)
      Graph.Pasted.push_back(wordHash(Line.split('\0').first));
  }
  llvm::sort(Graph.Pasted);
  Graph.Pasted.erase(llvm::unique(Graph.Pasted), Graph.Pasted.end());
}

namespace {

class ScanWatch : public PPCallbacks {
public:
  ScanWatch(Preprocessor &PP, const ParseOptions &Options, ScannedIncludes &Out)
      : PP(PP), Options(Options), Out(Out) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool Angled,
                          CharSourceRange, OptionalFileEntryRef File, StringRef, StringRef,
                          const Module *, bool, SrcMgr::CharacteristicKind Is) override {
    InFront = false;
    if (!File || !Seen.insert(File->getUniqueID()).second)
      return;
    SmallString<256> Path(File->getName());
    PP.getFileManager().makeAbsolutePath(Path);
    if (SrcMgr::isSystem(Is) || !Options.IsProjectFile(Path))
      Out.Headers.push_back({{Name.str(), Angled}, File->getUniqueID()});
  }

  void MacroDefined(const Token &Name, const MacroDirective *Macro) override {
    const SourceManager &SM = PP.getSourceManager();
    if (InFront && SM.getFileID(Name.getLocation()) == SM.getMainFileID())
      Out.Macros.push_back({Name.getIdentifierInfo()->getName().str(),
                            macroText(*Macro->getMacroInfo(), SM, PP.getLangOpts())});
  }

  bool FileNotFound(StringRef) override { return true; }

private:
  Preprocessor &PP;
  const ParseOptions &Options;
  ScannedIncludes &Out;
  std::set<UniqueID> Seen;
  bool InFront = true;
};

} // namespace

/// A scan costs milliseconds; one that does not is no use, and the file is read all the same.
static ParseJob forScan(const ParseJob &Of) {
  ParseJob Job = Of;
  if (Job.Bounds.Seconds)
    Job.Bounds.Seconds = std::min(Job.Bounds.Seconds, 1u);
  return Job;
}

std::optional<ScannedIncludes> opsig::scanIncludes(const ParseJob &Job, const ParseOptions &Options,
                                                   std::string *WhyUnread) {
  ScannedIncludes Out;
  bool Done = false;
  NoMessages Errors;
  auto Files = hollowFiles(makeFileSystem(Options), Options.IsProjectFile);
  std::string WhyNot = runClang(
      forScan(Job), Options,
      {[&] {
         return std::make_unique<PreprocessAction>(
             [&](Preprocessor &PP) { return std::make_unique<ScanWatch>(PP, Options, Out); },
             [&](Preprocessor &) { Done = true; });
       },
       Errors, std::move(Files), takesSharedPch, /*IsCounted=*/false});
  if (WhyUnread)
    *WhyUnread = WhyNot;
  return WhyNot.empty() && Done ? std::optional(std::move(Out)) : std::nullopt;
}

std::optional<IncludeGraph> opsig::includeGraph(const ParseJob &Job, const ParseOptions &Options,
                                                StringRef Text) {
  IncludeGraph Graph;
  bool Done = false;
  NoMessages Errors;
  auto Run = [&] {
    auto Make = [&](Preprocessor &PP) { return std::make_unique<GraphWriter>(PP, Graph); };
    auto Finish = [&](Preprocessor &PP) {
      GraphWriter(PP, Graph).finish();
      Done = true;
    };
    return std::make_unique<PreprocessAction>(Make, Finish);
  };
  std::string WhyNot =
      runClang(Job, Options,
               {Run, Errors, makeFileSystem(Options),
                [&](CompilerInvocation &Invocation) { return replaceInput(Invocation, Text); }});
  return WhyNot.empty() && Done ? std::optional(std::move(Graph)) : std::nullopt;
}
