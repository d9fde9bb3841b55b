//===- RawText.cpp - files as they are written -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decls/RawText.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;

bool RawFile::hasCondition(Span S) const {
  return llvm::any_of(Conditionals, [&](const RawDirective &D) {
    return D.Words.front().Text.starts_with("if") && D.Hash >= S.Offset && D.Hash < S.end();
  });
}

static bool isConditional(StringRef Word) {
  return llvm::StringSwitch<bool>(Word)
      .Cases({"if", "ifdef", "ifndef", "else", "endif"}, true)
      .Cases({"elif", "elifdef", "elifndef"}, true)
      .Default(false);
}

std::string opsig::absolutePathOf(FileID File, const SourceManager &SM) {
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  llvm::SmallString<256> Path(Entry ? Entry->getName()
                                    : SM.getBufferName(SM.getLocForStartOfFile(File)));
  SM.getFileManager().makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

RawFile opsig::readRaw(FileID File, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  RawFile Out;
  Out.IsMain = File == SM.getMainFileID();
  llvm::MemoryBufferRef Buffer = SM.getBufferOrFake(File);
  Lexer Raw(File, Buffer, SM, Context.getLangOpts());
  RawDirective Directive;
  bool InDirective = false;
  auto End = [&] {
    std::vector<RawToken> &Words = Directive.Words;
    if (Words.size() > 1 && Words[0].is("define"))
      Out.Defines.emplace_back(Words.begin() + 1, Words.end());
    if (!Words.empty() && isConditional(Words[0].Text))
      Out.Conditionals.push_back(std::move(Directive));
    Directive = {};
    InDirective = false;
  };
  Token Tok;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    if (Tok.isAtStartOfLine())
      End();
    uint32_t Offset = SM.getFileOffset(Tok.getLocation());
    if (Tok.is(tok::hash) && Tok.isAtStartOfLine()) {
      InDirective = true;
      Directive.Hash = Offset;
      continue;
    }
    RawToken T{Tok.getKind(), Buffer.getBuffer().substr(Offset, Tok.getLength()), Offset};
    (InDirective ? Directive.Words : Out.Code).push_back(T);
  }
  End();
  return Out;
}
