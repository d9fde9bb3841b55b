//===- Annotations.cpp - alias annotations that schema strings lack -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Edits the alias annotations of a schema that stands in a string literal.
class AnnotationFixer {
public:
  AnnotationFixer(const KernelSchema &Schema, UnitFiles &Files)
      : S(*Schema.Schema), Def(*Schema.Def), Files(Files) {}

  std::vector<Fix> markWritten(ArrayRef<unsigned> Args,
                               function_ref<bool(unsigned, unsigned)> IsArg);

private:
  std::string freshSet();
  bool markOne(unsigned Arg, function_ref<bool(unsigned, unsigned)> IsArg);
  std::optional<Fix> insertBehind(StringRef Word, TextRange At, StringRef Text);

  const ScriptSchema &S;
  const EntryRef &Def;
  UnitFiles &Files;
  std::string Used; ///< letters of edits
  std::set<unsigned> Returned;
  std::vector<Fix> Out;
};

/// A letter that no annotation has.
std::string AnnotationFixer::freshSet() {
  std::string Used = this->Used;
  for (const std::vector<ScriptArgument> *List : {&S.Args, &S.Returns})
    for (const ScriptArgument &A : *List)
      if (A.Alias)
        for (const std::vector<std::string> *Sets : {&A.Alias->Before, &A.Alias->After})
          for (const std::string &Set : *Sets)
            Used += Set;
  for (char Letter = 'a'; Letter <= 'z'; ++Letter)
    if (Used.find(Letter) == std::string::npos) {
      this->Used += Letter;
      return std::string(1, Letter);
    }
  return "";
}

std::optional<Fix> AnnotationFixer::insertBehind(StringRef Word, TextRange At, StringRef Text) {
  const LiteralText &Literal = Def.Entry->Text;
  Span Place = Literal.at(At.Offset, Word.size());
  // Letter for letter in the file: no escape, no macro, no constant that others use.
  if (Literal.isShared(At.Offset, Word.size()) || Files.text(*Def.Unit, Place) != Word)
    return std::nullopt;
  return Fix{Files.file(*Def.Unit, Place.File), Place.end(), 0, Text.str()};
}

bool AnnotationFixer::markOne(unsigned Arg, function_ref<bool(unsigned, unsigned)> IsArg) {
  if (S.Args[Arg].Alias)
    return false;
  std::string Set = freshSet();
  if (Set.empty())
    return false;
  std::optional<Fix> OfArg = insertBehind("Tensor", S.Args[Arg].TypeAt, "(" + Set + "!)");
  if (!OfArg)
    return false;
  Out.push_back(*OfArg);
  for (unsigned I = 0; I < S.Returns.size(); ++I) {
    std::optional<Fix> OfReturn;
    if (!S.Returns[I].Alias && !Returned.count(I) && IsArg(I, Arg))
      OfReturn = insertBehind("Tensor", S.Returns[I].TypeAt, "(" + Set + "!)");
    if (!OfReturn)
      continue;
    Returned.insert(I);
    Out.push_back(*OfReturn);
  }
  return true;
}

/// All of them or none: half of it would only be another wrong schema.
std::vector<Fix> AnnotationFixer::markWritten(ArrayRef<unsigned> Args,
                                              function_ref<bool(unsigned, unsigned)> IsArg) {
  if (!all_of(Args, [&](unsigned Arg) { return markOne(Arg, IsArg); }))
    return {};
  return std::move(Out);
}

} // namespace

std::vector<Fix> opsig::markWritten(const KernelSchema &Schema, ArrayRef<unsigned> Args,
                                    function_ref<bool(unsigned, unsigned)> IsArg,
                                    UnitFiles &Files) {
  if (!Schema.Def)
    return {};
  return AnnotationFixer(Schema, Files).markWritten(Args, IsArg);
}

bool opsig::isWritableTensor(const CppType &T) {
  return T.Is == CppType::LeftRef && !T.referee().Const &&
         (T.referee().is("at::Tensor") || T.referee().is("torch::stable::Tensor"));
}

bool opsig::looksPure(const ScriptSchema &S) {
  std::function<bool(const ScriptType &)> HoldsTensor = [&](const ScriptType &Ty) {
    return Ty.is("Tensor") || any_of(Ty.Elements, HoldsTensor);
  };
  return S.Returns.empty() && !S.VarReturns && !S.VarArgs &&
         none_of(S.Args, [](const ScriptArgument &A) { return A.isWrite(); }) &&
         any_of(S.Args, [&](const ScriptArgument &A) { return HoldsTensor(A.Ty); });
}
