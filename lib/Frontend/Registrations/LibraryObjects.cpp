//===- LibraryObjects.cpp - libraries that code makes without a macro ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `torch::Library lib(torch::Library::IMPL, "ns", ...)`, `MAKE_TORCH_LIBRARY(ns)`
//   => blocks that are not complete: any code may fill such an object
//
//===----------------------------------------------------------------------===//
#include "Decls/RawText.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/Basic/SourceManager.h"

using namespace opsig;
using namespace clang;

namespace {

struct Made {
  RegistrationBlock::Kind Is = RegistrationBlock::Unknown;
  std::string Namespace;
};

std::optional<RegistrationBlock::Kind> kindOf(const RawToken &T) {
  if (T.is("DEF") || T.is("MAKE_TORCH_LIBRARY"))
    return RegistrationBlock::Library;
  if (T.is("FRAGMENT"))
    return RegistrationBlock::Fragment;
  if (T.is("IMPL") || T.is("MAKE_TORCH_LIBRARY_IMPL"))
    return RegistrationBlock::Impl;
  return std::nullopt;
}

/// What begins with token \p I: `Library::IMPL, "ns"` or `MAKE_TORCH_LIBRARY_IMPL(ns`.
std::optional<Made> madeAt(llvm::ArrayRef<RawToken> Code, size_t I) {
  bool IsMacro = Code[I].Text.starts_with("MAKE_TORCH_LIBRARY");
  size_t Kind = IsMacro ? I : I + 2, Name = Kind + 2;
  if (Name >= Code.size() || Code[Kind + 1].Is != (IsMacro ? tok::l_paren : tok::comma))
    return std::nullopt;
  bool IsMember = Code[I].is("Library") && Code[I + 1].Is == tok::coloncolon;
  std::optional<RegistrationBlock::Kind> Is = kindOf(Code[Kind]);
  if (!Is || (!IsMacro && !IsMember))
    return std::nullopt;
  StringRef Text = Code[Name].Text;
  bool IsName = IsMacro ? Code[Name].Is == tok::raw_identifier && !Text.empty()
                        : Code[Name].Is == tok::string_literal && Text.consume_front("\"") &&
                              Text.consume_back("\"");
  return IsName ? Made{*Is, Text.str()} : Made();
}

} // namespace

void opsig::collectLibraryObjects(ProjectPlaces &Project, UnitSpans &Spans, UnitFacts &Unit) {
  const ASTContext &Context = Spans.context();
  const SourceManager &SM = Context.getSourceManager();
  for (FileID Id : Project.files()) {
    StringRef Text = SM.getBufferOrFake(Id).getBuffer();
    if (!Text.contains("torch::Library") && !Text.contains("MAKE_TORCH_LIBRARY"))
      continue;
    const std::vector<RawToken> Code = readRaw(Id, Context).Code;
    for (size_t I = 0; I < Code.size(); ++I)
      if (std::optional<Made> Object = madeAt(Code, I)) {
        SourceLocation At = SM.getLocForStartOfFile(Id).getLocWithOffset(Code[I].Offset);
        RegistrationBlock Block;
        Block.Is = Object->Is;
        Block.Namespace = Object->Namespace;
        Block.At = Spans.span(SourceRange(At, At));
        Block.Complete = false;
        Unit.Registrations.push_back(std::move(Block));
      }
  }
}
