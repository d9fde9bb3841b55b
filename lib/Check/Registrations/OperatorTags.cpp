//===- OperatorTags.cpp - schemas against the tags of their operators ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers rely on what Tag::out and Tag::inplace say of an operator: which arguments it writes
// to, and that it returns these. torch.library refuses other schemas; TORCH_LIBRARY takes them.
//
//===----------------------------------------------------------------------===//
#include "Registrations/OutVariantsInternal.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What the tag demands, and the part of the schema that is different.
struct Misfit {
  std::string Demand;
  TextRange At;
};

bool isTensor(const Argument &A) { return A.Ty.str() == "Tensor"; }

bool returnsIt(const Return &R, const Argument &A) {
  return R.isWrite() && R.Annotation->Before == A.Annotation->Before;
}

std::optional<Misfit> misfitOfOut(const FunctionSchema &S) {
  std::vector<const Argument *> Written;
  for (const Argument &A : S.Args.All)
    if (A.isWrite())
      Written.push_back(&A);
  if (Written.empty())
    return Misfit{"a keyword-only argument that is marked as written", S.NameAt};
  for (const Argument *A : Written) {
    if (!S.Args.isKeywordOnly(*A))
      return Misfit{"that the argument '" + A->Name +
                        "', which is marked as written, is keyword-only",
                    A->NameAt};
    if (!isTensor(*A))
      return Misfit{"that the argument '" + A->Name +
                        "', which is marked as written, is a 'Tensor'",
                    A->TypeAt};
  }
  bool Fits = S.Returns.size() == Written.size();
  for (auto [R, A] : zip(S.Returns, Written))
    Fits &= returnsIt(R, *A);
  if (Fits)
    return std::nullopt;
  return Misfit{Written.size() == 1
                    ? "that the schema returns '" + Written.front()->Name +
                          "', with the same annotation"
                    : "that the schema returns the arguments that are written to, in order, "
                      "and with the same annotations",
                S.Returns.empty() ? S.NameAt : S.Returns.front().TypeAt};
}

std::optional<Misfit> misfitOfInplace(const FunctionSchema &S) {
  const Argument *First = S.Args.NumPositional ? &S.Args.All.front() : nullptr;
  if (!First)
    return Misfit{"a positional argument that is marked as written", S.NameAt};
  if (!First->isWrite() || !isTensor(*First))
    return Misfit{"that the first argument '" + First->Name + "' is 'Tensor(a!)'", First->TypeAt};
  for (const Argument &A : ArrayRef(S.Args.All).drop_front())
    if (A.isWrite())
      return Misfit{"that only the first argument is marked as written, not '" + A.Name + "'",
                    A.TypeAt};
  if (S.Returns.size() == 1 && isTensor(S.Returns.front()) && returnsIt(S.Returns.front(), *First))
    return std::nullopt;
  return Misfit{"that the schema returns '" + First->Name + "' alone, with the same annotation",
                S.Returns.empty() ? S.NameAt : S.Returns.front().TypeAt};
}

} // namespace

bool opsig::hasOperatorTag(const EntryRef &Def, StringRef Tag) {
  return Def.Entry->Tags && is_contained(*Def.Entry->Tags, Tag);
}

void opsig::checkOperatorTags(const EntryRef &Def, const FunctionSchema &S, const TagRules &Rules,
                              UnitFiles &Files, Findings &Diags) {
  for (auto [Tag, FindMisfit] :
       {std::pair("out", &misfitOfOut), std::pair("inplace", &misfitOfInplace)}) {
    std::optional<Misfit> Found = hasOperatorTag(Def, Tag) ? FindMisfit(S) : std::nullopt;
    if (!Found)
      continue;
    bool IsRefused = Def.Unit->Python && Rules.Python.Library.ChecksTags;
    Finding &Diag = Diags.report(finding::OperatorTag, Def.place(Found->At, Files),
                                 "'{0}' has {1}{2}, which requires {3}", operatorOf(Def),
                                 Def.Unit->Python ? "torch.Tag." : "Tag::", Tag, Found->Demand);
    if (IsRefused)
      Diag.Severity = Level::Error;
    Diag.op(operatorOf(Def));
  }
}
