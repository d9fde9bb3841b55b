//===- WatchMacros.cpp - macros and includes that files of the project use ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiUses/UsesInternal.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;

/// From the folder on that is PyTorch's: nobody else's header has such a name.
static StringRef torchPart(StringRef Path) {
  for (StringRef Folder : {"/torch/csrc/", "/torch/headeronly/", "/ATen/", "/c10/", "/caffe2/",
                           "/torch/", "/pybind11/"})
    if (size_t At = Path.rfind(Folder); At != StringRef::npos)
      return Path.drop_front(At + 1);
  return "";
}

std::string opsig::torchHeader(SourceLocation At, const SourceManager &SM) {
  OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(At)));
  if (!File)
    return "";
  StringRef Name = torchPart(File->getName());
  // The C++ API has a folder of its own.
  Name.consume_front("torch/csrc/api/include/");
  return Name.str();
}

namespace {

class MacroWatch : public PPCallbacks {
public:
  MacroWatch(const SourceManager &SM, ProjectPlaces &Project, MacroUses &Out)
      : SM(SM), Project(Project), Out(Out) {}

  void MacroExpands(const Token &Name, const MacroDefinition &Definition, SourceRange,
                    const MacroArgs *) override {
    const MacroInfo *Info = Definition.getMacroInfo();
    if (!Info || Info->isBuiltinMacro() || Info->getDefinitionLoc().isInvalid())
      return;
    if (auto Own = Out.Defined.find(Info); Own != Out.Defined.end())
      Own->second.Expanded = true;
    SourceLocation At = SM.getSpellingLoc(Name.getLocation());
    if (!Project.contain(At) || Project.contain(Info->getDefinitionLoc()))
      return;
    std::string Header = torchHeader(Info->getDefinitionLoc(), SM);
    if (Header.empty())
      return;
    bool InMacro = Name.getLocation().isMacroID() && !SM.isMacroArgExpansion(Name.getLocation());
    Out.Expansions.push_back(
        {At, Name.getIdentifierInfo()->getName().str(), std::move(Header), InMacro});
  }

  void MacroDefined(const Token &Name, const MacroDirective *Directive) override {
    const MacroInfo *Info = Directive->getMacroInfo();
    if (!Info->tokens_empty() && Project.contain(Name.getLocation()))
      Out.Defined.insert({Info,
                          {Name.getIdentifierInfo()->getName().str(),
                           SourceRange(Name.getLocation(), Info->tokens().back().getLocation())}});
  }

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool,
                          CharSourceRange Written, OptionalFileEntryRef File, StringRef, StringRef,
                          const Module *, bool, SrcMgr::CharacteristicKind) override {
    if (!Project.contain(Hash) || Hash.isMacroID())
      return;
    if (isTorchHeaderName(Name) && (!File || !torchPart(File->getName()).empty()))
      Out.Inclusions.push_back({SourceRange(Hash, Written.getEnd()), Name.str(), Written});
  }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (Project.contain(Range.getBegin()))
      Out.Skipped.push_back(Range);
  }

private:
  const SourceManager &SM;
  ProjectPlaces &Project;
  MacroUses &Out;
};

} // namespace

std::unique_ptr<PPCallbacks> opsig::watchMacros(Preprocessor &PP, ProjectPlaces &Project,
                                                MacroUses &Out) {
  return std::make_unique<MacroWatch>(PP.getSourceManager(), Project, Out);
}
