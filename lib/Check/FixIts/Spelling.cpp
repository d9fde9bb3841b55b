//===- Spelling.cpp - types in a file's own words ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FixIts/FixItsInternal.h"
#include "opsig/Support/CppName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

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
  auto IsLastPart = [&](StringRef Qualified) {
    return Qualified.contains("::") && lastCppName(Qualified) == Name;
  };
  for (unsigned I = 0; I < NumCppBases; ++I)
    if (IsLastPart(spelling(CppBase(I))))
      return true;
  return any_of(seq(NumCppTemplates),
                [&](unsigned I) { return any_of(templateNames(CppTemplate(I)), IsLastPart); });
}

/// What \p T is called where it is written; "" where an alias or a macro hides it.
static StringRef nameAt(const CppType &T, const UnitFacts &Unit, UnitFiles &Files) {
  return T.Is == CppType::Named && T.At.isValid() ? Files.text(Unit, T.At) : "";
}

/// Notes the names in \p T, a type of the declaration itself (\p Own) or of another one. The first
/// that tells says which kind of names is preferred.
void TypeSpelling::recordNames(const CppType &T, bool Own) {
  StringRef Name = nameAt(T, Unit, Files);
  if (Own && !Name.empty())
    Written.insert(Name);
  // std:: is written out everywhere.
  if (!PrefersShort && !Name.contains("std::") && (indexOf(Name) || isShortName(Name)))
    PrefersShort = !Name.contains("::");
  for (const CppType &A : T.Args)
    recordNames(A, Own);
}

TypeSpelling::TypeSpelling(const Found &Like, UnitFiles &Files) : Unit(*Like.Unit), Files(Files) {
  if (!Like)
    return;
  Short = Like.Decl->Short;
  auto Look = [&](const KernelDecl &K, bool Own) {
    for (const KernelParam &P : K.Params)
      recordNames(P.Canonical, Own);
    recordNames(K.ReturnCanonical, Own);
  };
  Look(*Like.Decl, /*Own=*/true);
  for (const KernelDecl &Other : Unit.Kernels) {
    if (PrefersShort)
      break;
    if (Other.NameAt.File == Like.Decl->NameAt.File)
      Look(Other, /*Own=*/false);
  }
  SourceId File = Files.file(Unit, Like.Decl->NameAt.File);
  GlobalStd = File != SourceId::None && Files.sources().text(File).contains("::std::");
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
  StringRef Last = lastCppName(Name);
  bool KnownAsShort = Written.contains(Last);
  if (Short[*Index] && !Written.contains(Name) && (KnownAsShort || PrefersShort.value_or(false)))
    return Last.str();
  if (!GlobalStd && Name.starts_with("::std::"))
    return Name.drop_front(2).str();
  return Name.str();
}

std::string TypeSpelling::spell(const CppType &Type) const {
  return Type.written([&](StringRef Name) { return spellName(Name); }, GlobalStd ? "," : ", ");
}

CppType opsig::asWritten(const CppType &T, const Found &F, UnitFiles &Files) {
  CppType Out = T;
  if (T.Is == CppType::Named) {
    StringRef Name = nameAt(T, *F.Unit, Files);
    if (Name.empty())
      return {};
    bool Qualifies = StringRef(T.Name).ends_with(("::" + Name).str());
    Out.Name = Qualifies ? T.Name : Name.str();
    bool IsPlaced = any_of(T.Args, [](const CppType &A) { return A.At.isValid(); });
    if (!IsPlaced && lastCppName(Name) != lastCppName(T.Name)) // an alias
      Out.Args.clear();
  }
  for (CppType &A : Out.Args) {
    if (A.Is == CppType::Named && !A.At.isValid())
      continue; // a value, or in a macro
    A = asWritten(A, F, Files);
    if (!A.isRead())
      return {};
  }
  return Out;
}

std::string opsig::pointerType(const Signature &Want, const UnitFacts &Unit, const Dialect &D,
                               UnitFiles &Files) {
  TypeSpelling Types({&Unit, nullptr}, Files);
  ExpectedList List = ExpectedList::of(Want, D);
  std::string Params = join(
      map_range(List.Params, [&](const ExpectedList::Param &P) { return Types.spell(P.Type); }),
      ", ");
  return Types.spell(List.Returns) + " (*)(" + Params + ")";
}
