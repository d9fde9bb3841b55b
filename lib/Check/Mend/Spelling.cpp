//===- Spelling.cpp - types in a file's own words ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mend/MendInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

/// Calls \p Visit with each name in C++ text and each stretch that is none.
static void forEachName(StringRef Text, function_ref<void(StringRef, bool IsName)> Visit) {
  auto isPart = [](char C) { return isAlnum(C) || C == '_' || C == ':'; };
  while (!Text.empty()) {
    bool IsName = isPart(Text.front());
    StringRef Piece = IsName ? Text.take_while(isPart) : Text.take_until(isPart);
    Visit(Piece, IsName);
    Text = Text.drop_front(Piece.size());
  }
}

/// Which bit of ShortNames stands for "at::Tensor"; nothing for names that are none of ours.
static std::optional<unsigned> indexOf(StringRef Qualified) {
  Qualified.consume_front("::");
  for (unsigned I = 0; I < NumCppBases; ++I)
    if (spelling(CppBase(I)) == Qualified && Qualified.contains("::"))
      return I;
  for (unsigned I = 0; I < NumCppTemplates; ++I)
    if (is_contained(templateNames(CppTemplate(I)), Qualified))
      return NumCppBases + I;
  return std::nullopt;
}

/// Whether \p Name is the last part of one of our names.
static bool isShortName(StringRef Name) {
  auto isLastPart = [&](StringRef Qualified) {
    return Qualified.contains("::") && Qualified.rsplit("::").second == Name;
  };
  for (unsigned I = 0; I < NumCppBases; ++I)
    if (isLastPart(spelling(CppBase(I))))
      return true;
  return any_of(seq(NumCppTemplates),
                [&](unsigned I) { return any_of(templateNames(CppTemplate(I)), isLastPart); });
}

TypeSpelling::TypeSpelling(const Found &Like, UnitFiles &Files) : Unit(*Like.Unit) {
  if (!Like)
    return;
  Short = Like.Decl->Short;
  // The declaration itself tells, else the first one of its file that does.
  std::optional<bool> Prefers;
  auto look = [&](const KernelDecl &K, bool Own) {
    for (Span S : {K.ParamList, K.Return})
      forEachName(Files.text(Unit, S), [&](StringRef Name, bool IsName) {
        if (!IsName)
          return;
        if (Own)
          Written.insert(Name);
        // std:: is written out everywhere.
        if (!Prefers && !Name.contains("std::") && (indexOf(Name) || isShortName(Name)))
          Prefers = !Name.contains("::");
      });
  };
  look(*Like.Decl, /*Own=*/true);
  for (const KernelDecl &Other : Unit.Kernels) {
    if (Prefers)
      break;
    if (Other.NameAt.File == Like.Decl->NameAt.File)
      look(Other, /*Own=*/false);
  }
  PrefersShort = Prefers.value_or(false);
  FileId File = Files.file(Unit, Like.Decl->NameAt.File);
  GlobalStd = File != FileId::None && Files.sources().text(File).contains("::std::");
}

std::string TypeSpelling::spellName(StringRef Name) const {
  std::optional<unsigned> Index = indexOf(Name);
  if (!Index)
    return Name.str();
  // The release may prefer std::optional where these headers have a class of their own.
  const std::string &Optional = Unit.Names.Templates[unsigned(CppTemplate::Optional)];
  if (*Index == NumCppBases + unsigned(CppTemplate::Optional) &&
      !StringRef(Optional).starts_with("std::") &&
      is_contained(templateNames(CppTemplate::Optional), Optional))
    Name = Optional;
  StringRef Last = Name.rsplit("::").second;
  bool KnownAsShort = Written.contains(Last);
  if (Short[*Index] && !Written.contains(Name) && (KnownAsShort || PrefersShort))
    return Last.str();
  if (!GlobalStd && Name.starts_with("::std::"))
    return Name.drop_front(2).str();
  return Name.str();
}

std::string TypeSpelling::spell(StringRef Type) const {
  std::string Out;
  forEachName(Type, [&](StringRef Piece, bool IsName) {
    Out += IsName ? spellName(Piece) : Piece.str();
    if (!IsName && Piece.ends_with(",") && !GlobalStd)
      Out += " ";
  });
  return Out;
}

std::string opsig::spellQualified(StringRef Type, const TranslationUnit &Unit, UnitFiles &Files) {
  return TypeSpelling({&Unit, nullptr}, Files).spell(Type);
}
