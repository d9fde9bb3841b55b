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

  const FunctionSchema &S;
  const EntryRef &Def;
  UnitFiles &Files;
  std::string Used; ///< letters of edits
  std::set<unsigned> Returned;
  std::vector<Fix> Out;
};

/// A letter that no annotation has.
std::string AnnotationFixer::freshSet() {
  std::string Used = this->Used;
  for (const std::vector<Argument> *List : {&S.Args.All, &S.Returns})
    for (const Argument &A : *List)
      if (A.Annotation)
        Used += A.Annotation->Before + A.Annotation->After;
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
  if (S.Args[Arg].Annotation)
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
    if (!S.Returns[I].Annotation && !Returned.count(I) && IsArg(I, Arg))
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

bool opsig::looksPure(const FunctionSchema &S) {
  std::function<bool(const Type &)> HoldsTensor = [&](const Type &Ty) {
    return Ty.isTensorLike() || any_of(Ty.elements(), HoldsTensor);
  };
  return S.Returns.empty() && !S.VarReturns && !S.VarArgs &&
         none_of(S.Args.All, [](const Argument &A) { return A.isWrite(); }) &&
         any_of(S.Args.All, [&](const Argument &A) { return HoldsTensor(A.Ty); });
}
