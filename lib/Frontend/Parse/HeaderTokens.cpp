//===- HeaderTokens.cpp - which tokens headers have in one reading ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/HeaderTokens.h"
#include "Parse/Preprocess.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace opsig;
using namespace clang;

void HeaderTokenWatch::mix(uint64_t Value) {
  uint64_t &Hash = Within.back().Hash;
  Hash = (Hash ^ Value) * 0x9E3779B97F4A7C15ull;
  Hash ^= Hash >> 29;
}

void HeaderTokenWatch::add(const Token &Tok) {
  // A parser makes annotations of pragmas, and words of some keywords.
  if (Within.empty() || !Within.back().File || Tok.isAnnotation() || Tok.is(tok::eof))
    return;
  Within.back().HasTokens = true;
  if (const IdentifierInfo *Name = Tok.getIdentifierInfo()) {
    mix(llvm::xxh3_64bits(Name->getName()));
    return;
  }
  mix(uint64_t(Tok.getKind()));
  if (Tok.isLiteral() && Tok.getLiteralData())
    mix(llvm::xxh3_64bits(StringRef(Tok.getLiteralData(), Tok.getLength())));
}

void HeaderTokenWatch::leave() {
  Entry Left = std::move(Within.back());
  Within.pop_back();
  if (!Left.File || !Left.HasTokens)
    return;
  std::vector<uint64_t> &Hashes = Out[*Left.File];
  auto At = llvm::lower_bound(Hashes, Left.Hash);
  if (At == Hashes.end() || *At != Left.Hash)
    Hashes.insert(At, Left.Hash);
}

void HeaderTokenWatch::LexedFileChanged(FileID File, LexedFileChangeReason Why,
                                        SrcMgr::CharacteristicKind, FileID, SourceLocation) {
  if (Why == LexedFileChangeReason::ExitFile) {
    if (!Within.empty())
      leave();
    return;
  }
  Entry &Entered = Within.emplace_back();
  if (OptionalFileEntryRef Entry = PP.getSourceManager().getFileEntryRefForID(File))
    Entered.File = Entry->getUniqueID();
}

void HeaderTokenWatch::InclusionDirective(SourceLocation, const Token &, StringRef Name, bool,
                                          CharSourceRange, OptionalFileEntryRef, StringRef,
                                          StringRef, const Module *, bool,
                                          SrcMgr::CharacteristicKind) {
  // What it includes comes between its tokens.
  if (!Within.empty())
    mix(llvm::xxh3_64bits(Name));
}

std::unique_ptr<HeaderTokenWatch> opsig::watchHeaderTokens(Preprocessor &PP, HeaderTokens &Out) {
  auto Watch = std::make_unique<HeaderTokenWatch>(PP, Out);
  PP.setPreprocessToken(false); // tokens of the source alone
  PP.setTokenWatcher([To = Watch.get()](const Token &Tok) {
    lookAtBounds();
    To->add(Tok);
  });
  return Watch;
}

namespace {

/// Whether a file includes itself, by whatever name.
class SelfIncludeWatch : public PPCallbacks {
public:
  SelfIncludeWatch(const SourceManager &SM, bool &Found) : SM(SM), Found(Found) {}

  void LexedFileChanged(FileID File, LexedFileChangeReason Why, SrcMgr::CharacteristicKind, FileID,
                        SourceLocation) override {
    OptionalFileEntryRef Entered = SM.getFileEntryRefForID(File);
    OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
    Found |= Why == LexedFileChangeReason::EnterFile && File != SM.getMainFileID() && Entered &&
             Main && Entered->getUniqueID() == Main->getUniqueID();
  }

private:
  const SourceManager &SM;
  bool &Found;
};

/// Takes the main file's text as the preprocessor has read it.
void takeText(Preprocessor &PP, ComparedFile &To) {
  const SourceManager &SM = PP.getSourceManager();
  OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!Main)
    return;
  SmallString<256> Path(Main->getName());
  (void)PP.getFileManager().getVirtualFileSystem().makeAbsolute(Path);
  To.Trace.forgetText(Path);
  To.Text = textUpToIncludes(SM.getBufferData(SM.getMainFileID())).str();
}

} // namespace

bool opsig::haveSameTokens(const ParseJob &Job, const ParseOptions &Options, const HeaderTokens &Of,
                           ComparedFile *Compared) {
  HeaderTokens Here;
  bool Done = false, IncludesItself = false;
  NoMessages Errors;
  auto Make = [&](Preprocessor &PP) {
    PP.addPPCallbacks(std::make_unique<SelfIncludeWatch>(PP.getSourceManager(), IncludesItself));
    return watchHeaderTokens(PP, Here);
  };
  auto Finish = [&](Preprocessor &PP) {
    Done = true;
    if (Compared && !IncludesItself)
      takeText(PP, *Compared);
  };
  auto Run = [&] { return std::make_unique<PreprocessAction>(Make, Finish); };
  auto Files = makeFileSystem(Options, Compared ? &Compared->Trace : nullptr);
  std::string WhyNot = runClang(Job, Options, {Run, Errors, std::move(Files), nullptr});
  return WhyNot.empty() && Done && llvm::all_of(Of, [&](const auto &File) {
           auto It = Here.find(File.first);
           return It != Here.end() && It->second == File.second;
         });
}
