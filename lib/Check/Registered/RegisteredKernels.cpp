//===- RegisteredKernels.cpp - how findings tell of kernels, and mend their types ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

std::string opsig::kernelName(const RegisteredKernel &K) {
  if (K.Is == RegisteredKernel::Lambda && K.Name.empty())
    return "the lambda";
  return K.Name.empty() ? "the kernel" : "'" + K.Name + "'";
}

Place opsig::kernelPlace(const EntryRef &E, Span Part, UnitFiles &Files) {
  Place At = Files.place(*E.Unit, Part);
  return At.isValid() ? At : Files.place(*E.Unit, E.Entry->Kernel.Use);
}

void opsig::addRegistrationNotes(Diagnostic &Diag, const EntryRef &E, const KernelSchema &Schema,
                                 TextRange Part, UnitFiles &Files) {
  Place Use = Files.place(*E.Unit, E.Entry->Kernel.Use);
  bool SameLine = Use.File == Diag.At.File && Use.Line == Diag.At.Line;
  if (Use.isValid() && !SameLine)
    Diag.note(Use, "it is registered here");
  if (Schema.Def) {
    const LiteralText &Text = Schema.Def->Entry->Text;
    Diag.note(Files.place(*Schema.Def->Unit, Text.at(Part.Offset, Part.Length)),
              "the schema is here");
  } else if (Schema.Function) {
    Diag.note(Schema.Function->SchemaText.At, Schema.Function->SchemaText.Text.str());
  }
}

Span opsig::typeSpan(const KernelParam &P) { return P.Type.isValid() ? P.Type : P.Whole; }

Span opsig::returnSpan(const RegisteredKernel &K) {
  return K.Decl.Return.isValid() ? K.Decl.Return : K.Decl.NameAt;
}

std::string opsig::paramName(const KernelParam &P, unsigned Index) {
  return P.Name.empty() ? std::to_string(Index + 1) : "'" + P.Name + "'";
}

void opsig::findDefinitions(MutableArrayRef<EntryRef> Entries, ArrayRef<TranslationUnit> Units) {
  std::map<std::string, std::vector<Found>> ByName;
  for (const TranslationUnit &Unit : Units) {
    for (const KernelDecl &Definition : Unit.Definitions)
      ByName[Definition.qualifiedName()].push_back({&Unit, &Definition});
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Definition && !K.Internal)
        ByName[K.qualifiedName()].push_back({&Unit, &K});
  }
  for (EntryRef &E : Entries) {
    const RegisteredKernel &K = E.Entry->Kernel;
    if (K.Is != RegisteredKernel::Function || K.Decl.Internal)
      continue;
    auto Defined = ByName.find(K.Decl.qualifiedName());
    if (Defined == ByName.end())
      continue;
    for (const Found &F : Defined->second)
      if (F.Unit != E.Unit && haveSameParams(*F.Decl, K.Decl))
        E.Elsewhere.push_back(F);
  }
}

std::vector<Found> opsig::otherDecls(const EntryRef &E) {
  std::vector<Found> Out;
  for (const KernelDecl &Other : E.Entry->Kernel.Others)
    Out.push_back({E.Unit, &Other});
  append_range(Out, E.Elsewhere);
  return Out;
}

KernelDecl opsig::withoutKeySet(KernelDecl Decl) {
  std::vector<KernelParam> &Params = Decl.Params;
  if (Params.empty() || !TypeInference::isKeySet(Params.front().Canonical))
    return Decl;
  if (Params.size() == 1)
    Decl.Editable = false; // a comma would have to be written
  else if (Span &List = Decl.ParamList; List.isValid() && Params[1].Whole.File == List.File)
    List = {List.File, Params[1].Whole.Offset, List.end() - Params[1].Whole.Offset};
  Params.erase(Params.begin());
  return Decl;
}

std::vector<Found> opsig::otherDeclsWithoutKeySet(const EntryRef &E,
                                                  std::vector<KernelDecl> &Counted) {
  std::vector<Found> Out = otherDecls(E);
  Counted.reserve(Out.size()); // pointers into it stay
  for (Found &Other : Out)
    Other.Decl = &Counted.emplace_back(withoutKeySet(*Other.Decl));
  return Out;
}

namespace {

bool isWordChar(char C) { return isAlnum(C) || C == '_' || C == ':'; }

/// The one place where \p Word stands by itself in \p Text.
std::optional<size_t> onlyWord(StringRef Text, StringRef Word) {
  std::optional<size_t> Found;
  for (size_t At = Text.find(Word); At != StringRef::npos; At = Text.find(Word, At + 1)) {
    size_t End = At + Word.size();
    bool IsWord = !isWordChar(Word[0]) || ((At == 0 || !isWordChar(Text[At - 1])) &&
                                           (End == Text.size() || !isWordChar(Text[End])));
    if (!IsWord)
      continue;
    if (Found)
      return std::nullopt;
    Found = At;
  }
  return Found;
}

} // namespace

std::vector<Fix> TypeFixer::everywhere(function_ref<Span(const KernelDecl &)> SpanOf,
                                       MakeFix Make) {
  std::vector<Fix> Out;
  if (!K.Editable)
    return Out;
  std::vector<Found> Decls = otherDecls(E);
  Decls.insert(Decls.begin(), {E.Unit, &K.Decl});
  for (const Found &F : Decls) {
    if (!F.Decl->Editable || F.Decl->Params.size() != K.Decl.Params.size())
      return {};
    Span At = SpanOf(*F.Decl);
    std::optional<Fix> One = At.isValid() ? Make(*F.Unit, At) : std::nullopt;
    if (!One || One->File == FileId::None)
      return {};
    Out.push_back(std::move(*One));
  }
  return Out;
}

std::vector<Fix> TypeFixer::reword(std::optional<unsigned> Param, StringRef Bad,
                                   StringRef Instead) {
  auto spanOf = [&](const KernelDecl &Decl) {
    return Param ? Decl.Params[*Param].Type : Decl.Return;
  };
  return everywhere(spanOf, [&](const TranslationUnit &Unit, Span Type) -> std::optional<Fix> {
    StringRef Text = Files.text(Unit, Type);
    std::optional<size_t> At = onlyWord(Text, Bad);
    if (!At)
      return std::nullopt;
    size_t Begin = *At, End = Begin + Bad.size();
    if (Instead.empty() && End == Text.size()) // what is taken away leaves no blank behind
      while (Begin > 0 && Text[Begin - 1] == ' ')
        --Begin;
    StringRef Next = Files.text(Unit, {Type.File, Type.end(), 1});
    bool Joins = Instead.empty() && End == Text.size() && !Next.empty() && isWordChar(Next[0]);
    return Fix{Files.file(Unit, Type.File), Type.Offset + uint32_t(Begin), uint32_t(End - Begin),
               Joins ? " " : Instead.str()};
  });
}

std::vector<Fix> TypeFixer::retype(unsigned Param, StringRef To) {
  auto spanOf = [&](const KernelDecl &Decl) { return Decl.Params[Param].Type; };
  return everywhere(spanOf, [&](const TranslationUnit &Unit, Span Type) -> std::optional<Fix> {
    StringRef Next = Files.text(Unit, {Type.File, Type.end(), 1});
    bool Joins = !Next.empty() && isWordChar(Next[0]) && !To.ends_with("&");
    return Fix{Files.file(Unit, Type.File), Type.Offset, Type.Length,
               To.str() + (Joins ? " " : "")};
  });
}
