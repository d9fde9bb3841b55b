//===- ReadLines.cpp - whether macros make a difference to headers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// headers => the files that are entered, and the lines that conditions leave out => a hash
//
// Two readings that enter the same files and leave out the same lines have the same tokens, unless
// a macro that only one of them has is expanded, or redefined. What a parser reads of them is the
// same, then.
//
//===----------------------------------------------------------------------===//
#include "Parse/Preprocess.h"
#include "Parse/SharedPchInternal.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

void LineWatch::InclusionDirective(SourceLocation, const Token &, StringRef Name, bool,
                                   CharSourceRange, OptionalFileEntryRef File, StringRef, StringRef,
                                   const Module *, bool, SrcMgr::CharacteristicKind) {
  Lines.add(File ? File->getName() : Name);
}

void LineWatch::SourceRangeSkipped(SourceRange Range, SourceLocation) {
  const SourceManager &SM = PP.getSourceManager();
  auto [File, Begin] = SM.getDecomposedLoc(Range.getBegin());
  if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File))
    Lines.add(Entry->getName());
  Lines.add(std::to_string(Begin) + "-" + std::to_string(SM.getFileOffset(Range.getEnd())));
}

void ReadLines::add(StringRef Part) {
  Hash.update(Part);
  Hash.update(StringRef("", 1));
}

std::string ReadLines::hash() const {
  llvm::MD5 Copy = Hash;
  llvm::MD5::MD5Result Result;
  Copy.final(Result);
  return std::string(Result.digest());
}

namespace {

/// Notes whether anything asks what macros are, but for whether they are defined.
class MacroWatch : public PPCallbacks {
public:
  MacroWatch(const SourceManager &SM, llvm::ArrayRef<LeadingMacro> Macros, bool &Used)
      : SM(SM), Macros(Macros), Used(Used) {}

  void MacroExpands(const Token &Name, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    Used |= isOne(Name);
  }
  void MacroUndefined(const Token &Name, const MacroDefinition &, const MacroDirective *) override {
    Used |= isOne(Name);
  }
  void MacroDefined(const Token &Name, const MacroDirective *) override {
    // Outside of a file are those of the command, and in front the ones themselves.
    Used |= isOne(Name) && SM.getFileEntryRefForID(SM.getFileID(Name.getLocation()));
  }

private:
  bool isOne(const Token &Name) const {
    return llvm::any_of(Macros, [&](const LeadingMacro &Macro) {
      return Macro.Name == Name.getIdentifierInfo()->getName();
    });
  }

  const SourceManager &SM;
  llvm::ArrayRef<LeadingMacro> Macros;
  bool &Used;
};

} // namespace

bool opsig::makeNoDifference(const ParseJob &Job, const ParseOptions &Options,
                             llvm::ArrayRef<LeadingMacro> More, llvm::StringRef Text,
                             const SharedPch &P, FileTrace &Trace) {
  std::string Defines;
  for (const LeadingMacro &Macro : More)
    Defines += "#define " + Macro.Text + "\n";
  std::string All = Defines + Text.str();
  ReadLines Lines;
  bool Used = false, Done = false;
  NoMessages Errors;
  auto Make = [&](Preprocessor &PP) {
    PP.addPPCallbacks(std::make_unique<MacroWatch>(PP.getSourceManager(), More, Used));
    return std::make_unique<LineWatch>(PP, Lines);
  };
  auto Run = [&] {
    return std::make_unique<PreprocessAction>(Make, [&](Preprocessor &) { Done = true; });
  };
  std::string WhyNot =
      runClang(Job, Options,
               {Run, Errors, makeFileSystem(Options, &Trace),
                [&](CompilerInvocation &Invocation) { return replaceInput(Invocation, All); }});
  return WhyNot.empty() && Done && !Used && Lines.hash() == P.Lines;
}
