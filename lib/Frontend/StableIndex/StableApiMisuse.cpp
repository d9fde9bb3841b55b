//===- StableApiMisuse.cpp - what goes wrong in moves to the stable ABI ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Preprocess.h"
#include "opsig/Frontend/StableApiMisuse.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace opsig;
using namespace clang;

namespace {

/// A word as it is spelled, and where.
struct Word {
  std::string Text;
  FileID File;
  uint32_t Offset = 0;
  uint32_t end() const { return Offset + Text.size(); }
};

using Words = ArrayRef<Word>;

bool isWord(const Word &W, StringRef Text) { return W.Text == Text; }

std::string joined(Words All) {
  std::string Text;
  for (const auto &[Index, W] : llvm::enumerate(All)) {
    bool Exclusivity = Index > 0 && All[Index - 1].end() != W.Offset;
    Text += (Exclusivity ? " " : "") + W.Text;
  }
  return Text;
}

bool same(Words L, Words R) {
  return llvm::equal(L, R, [](const Word &A, const Word &B) { return A.Text == B.Text; });
}

/// The null stream as one writes it.
bool isNull(Words Argument) {
  return Argument.size() == 1 && llvm::StringSwitch<bool>(Argument[0].Text)
                                     .Cases({"0", "nullptr", "NULL"}, true)
                                     .Default(false);
}

/// What is left of a sum without \p Term; none where that is no part of it.
std::optional<Words> without(Words Sum, Words Term) {
  size_t N = Term.size();
  if (Sum.size() < N + 2)
    return std::nullopt;
  if (same(Sum.take_front(N), Term) && isWord(Sum[N], "+"))
    return Sum.drop_front(N + 1);
  if (same(Sum.take_back(N), Term) && isWord(Sum[Sum.size() - N - 1], "+"))
    return Sum.drop_back(N + 1);
  return std::nullopt;
}

class MisuseFinder {
public:
  MisuseFinder(Preprocessor &PP, std::vector<StableMisuse> &Out)
      : PP(PP), SM(PP.getSourceManager()), Out(Out) {}

  /// The next word that the compiler sees.
  void add(const Token &Tok, bool IsProjects) {
    if (!IsProjects || Tok.isAnnotation() || Tok.is(tok::eof))
      return;
    SourceLocation At = SM.getSpellingLoc(Tok.getLocation());
    All.push_back({PP.getSpelling(Tok), SM.getFileID(At), SM.getFileOffset(At)});
    if (Tok.isAnyIdentifier() && isUnstableCheck(All.back().Text) && isStableOnly())
      report(StableMisuse::UnstableMacro, All.back().Text, Words(All).take_back(),
             "STD_" + All.back().Text);
  }

  void seeStable() { IsStable = true; }

  void finish() {
    for (size_t At = 0; At + 1 < All.size(); ++At) {
      if (isWord(All[At], "narrow") && isWord(All[At + 1], "("))
        checkNarrow(At);
      if (!IsStable)
        continue;
      if (isWord(All[At], "<<<"))
        checkLaunch(At);
      StringRef Name = All[At].Text;
      if (Name == "cudaStream_t" || Name == "hipStream_t")
        checkVariable(At);
      if ((Name.starts_with("cuda") || Name.starts_with("hip")) && Name.ends_with("Async") &&
          isWord(All[At + 1], "("))
        checkCall(At);
    }
  }

private:
  /// Those of c10 that stable headers have under another name. A macro that the project defines is
  /// replaced by its own words before it comes here.
  static bool isUnstableCheck(StringRef Name) {
    return llvm::StringSwitch<bool>(Name)
        .Cases({"TORCH_CHECK", "TORCH_CHECK_NOT_IMPLEMENTED"}, true)
        .Default(false);
  }

  bool isStableOnly() const {
    return PP.isMacroDefined("TORCH_STABLE_ONLY") || PP.isMacroDefined("TORCH_TARGET_VERSION");
  }

  void report(StableMisuse::Kind Is, std::string Text, Words Of, std::string Instead) {
    const Word &First = Of.front();
    OptionalFileEntryRef File = SM.getFileEntryRefForID(First.File);
    if (!File || !Told.insert({First.File, First.Offset}).second)
      return;
    SmallString<256> Path(File->getName());
    PP.getFileManager().makeAbsolutePath(Path);
    llvm::sys::path::remove_dots(Path);
    bool OneLine = Of.back().File == First.File && Of.back().Offset >= First.Offset;
    uint32_t End = OneLine ? Of.back().end() : First.end();
    // STD_TORCH_CHECK is the only one of them there.
    if (Is == StableMisuse::UnstableMacro && Text != "TORCH_CHECK")
      Instead.clear();
    Out.push_back({Is, std::string(Path), First.Offset, End - First.Offset, std::move(Text),
                   std::move(Instead)});
  }

  /// The arguments between the bracket at \p Open and \p Close, which must follow; none where it
  /// does not.
  std::optional<std::vector<Words>> arguments(size_t Open, StringRef Close) const {
    std::vector<Words> Found;
    unsigned Depth = 0;
    size_t Begin = Open + 1;
    for (size_t At = Begin; At < All.size(); ++At) {
      StringRef Text = All[At].Text;
      bool Ends = Depth == 0 && Text == Close;
      if (Ends || (Depth == 0 && Text == ",")) {
        if (At > Begin)
          Found.push_back(Words(All).slice(Begin, At - Begin));
        Begin = At + 1;
      }
      if (Ends)
        return Found;
      if (Text == "(" || Text == "[" || Text == "{")
        ++Depth;
      else if ((Text == ")" || Text == "]" || Text == "}") && Depth-- == 0)
        return std::nullopt;
      else if (Text == ";" && Depth == 0)
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// Before: narrow(t, dim, i, i + n), t.narrow(dim, i, i + n)
  void checkNarrow(size_t Name) {
    bool IsMethod = Name > 0 && (isWord(All[Name - 1], ".") || isWord(All[Name - 1], "->"));
    std::optional<std::vector<Words>> Args = arguments(Name + 1, ")");
    if (!Args || Args->size() != (IsMethod ? 3u : 4u))
      return;
    Words Start = (*Args)[Args->size() - 2], Length = Args->back();
    // From 0 on an end is a length.
    if (isNull(Start))
      return;
    std::optional<Words> Rest = without(Length, Start);
    if (Rest && !llvm::any_of(*Rest, [](const Word &W) { return isWord(W, "-"); }))
      report(StableMisuse::NarrowEnd, joined(Length), Length, joined(*Rest));
  }

  /// Before: kernel<<<grid, block>>>(...), kernel<<<grid, block, 0, nullptr>>>(...)
  void checkLaunch(size_t Open) {
    std::optional<std::vector<Words>> Args = arguments(Open, ">>>");
    if (!Args || Args->size() < 2)
      return;
    if (Args->size() < 4)
      report(StableMisuse::NullStream, "<<<", Words(All).slice(Open, 1), "");
    else if (isNull(Args->back()))
      report(StableMisuse::NullStream, joined(Args->back()), Args->back(), "");
  }

  /// Before: cudaStream_t stream = nullptr;
  void checkVariable(size_t Type) {
    if (Type + 3 < All.size() && isWord(All[Type + 2], "=") &&
        isNull(Words(All).slice(Type + 3, 1)) && Type + 4 < All.size() &&
        isWord(All[Type + 4], ";"))
      report(StableMisuse::NullStream, All[Type + 3].Text, Words(All).slice(Type + 3, 1), "");
  }

  /// Before: cudaMemcpyAsync(to, from, size, kind, 0)
  void checkCall(size_t Name) {
    std::optional<std::vector<Words>> Args = arguments(Name + 1, ")");
    if (Args && Args->size() > 3 && isNull(Args->back()))
      report(StableMisuse::NullStream, joined(Args->back()), Args->back(), "");
  }

  Preprocessor &PP;
  const SourceManager &SM;
  std::vector<StableMisuse> &Out;
  std::vector<Word> All;
  std::set<std::pair<FileID, uint32_t>> Told; ///< a macro's words come as often as it is used
  bool IsStable = false;
};

/// Whether the file is of the stable ABI.
class StableWatch : public PPCallbacks {
public:
  StableWatch(MisuseFinder &Finder) : Finder(Finder) {}
  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (Name.starts_with("torch/csrc/stable/"))
      Finder.seeStable();
  }
  bool FileNotFound(StringRef) override { return true; }

private:
  MisuseFinder &Finder;
};

/// Whether places are in files of the project.
class ProjectTokens {
public:
  ProjectTokens(const SourceManager &SM, const ParseOptions &Options) : SM(SM), Options(Options) {}

  bool contain(SourceLocation At) {
    FileID Id = SM.getFileID(SM.getExpansionLoc(At));
    auto [It, New] = Known.try_emplace(Id, false);
    if (New)
      It->second = isProjects(Id);
    return It->second;
  }

private:
  bool isProjects(FileID Id) const {
    if (Id == SM.getMainFileID())
      return true;
    OptionalFileEntryRef File = SM.getFileEntryRefForID(Id);
    if (!File || SrcMgr::isSystem(SM.getFileCharacteristic(SM.getLocForStartOfFile(Id))))
      return false;
    SmallString<256> Path(File->getName());
    SM.getFileManager().makeAbsolutePath(Path);
    return !Options.IsProjectFile || Options.IsProjectFile(Path);
  }

  const SourceManager &SM;
  const ParseOptions &Options;
  std::map<FileID, bool> Known;
};

} // namespace

std::vector<StableMisuse> opsig::stableApiMisuses(const ParseJob &Job,
                                                  const ParseOptions &Options) {
  std::vector<StableMisuse> Out;
  std::optional<MisuseFinder> Finder;
  std::optional<ProjectTokens> Project;
  NoMessages Errors;
  auto Make = [&](Preprocessor &PP) {
    Finder.emplace(PP, Out);
    Project.emplace(PP.getSourceManager(), Options);
    PP.setPreprocessToken(false); // tokens of the source alone
    PP.setTokenWatcher([&](const Token &Tok) {
      lookAtBounds();
      Finder->add(Tok, Project->contain(Tok.getLocation()));
    });
    return std::make_unique<StableWatch>(*Finder);
  };
  auto Finish = [&](Preprocessor &) { Finder->finish(); };
  IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = makeFileSystem(Options);
  if (Options.IsProjectFile)
    Files = hollowFiles(std::move(Files), Options.IsProjectFile);
  std::string WhyNot = runClang(Job, Options,
                                {[&] { return std::make_unique<PreprocessAction>(Make, Finish); },
                                 Errors,
                                 std::move(Files),
                                 {}});
  return WhyNot.empty() ? std::move(Out) : std::vector<StableMisuse>();
}
