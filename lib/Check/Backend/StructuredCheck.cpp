//===- StructuredCheck.cpp - meta functions and implementations ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TORCH_META_FUNC2(add, Tensor)(const Tensor &self, ...) { => at::meta::structured_add_Tensor::meta
//   => compared with the schema, not with the class, which may have been generated from another one
//
//===----------------------------------------------------------------------===//
#include "Backend/BackendInternal.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr StringLiteral MetaMacro = "TORCH_META_FUNC";
constexpr StringLiteral PrecomputeMetaMacro = "TORCH_PRECOMPUTE_META_FUNC";

class StructuredChecker {
public:
  StructuredChecker(const Dialect &D, UnitFiles &Files, Comparison &Done, Findings &Diags)
      : D(D), Files(Files), Done(Done), Diags(Diags) {}

  void check(const ExpectedKernel &Expected, const Found &F);

private:
  void checkMacro(const ExpectedKernel &Expected, const Found &F);

  const Dialect &D;
  UnitFiles &Files;
  Comparison &Done;
  Findings &Diags;
};

/// The macro says whether the meta function hands on precomputed values.
void StructuredChecker::checkMacro(const ExpectedKernel &Expected, const Found &F) {
  const KernelDecl &K = *F.Decl;
  StringRef Written = Files.text(*F.Unit, K.NameAt), Suffix = Written;
  bool Plain = Suffix.consume_front(MetaMacro);
  if (!Plain && !Suffix.consume_front(PrecomputeMetaMacro))
    return;
  // A project may have a macro of its own by that name.
  if (Plain != Expected.ReturnsPrecomputed || (Plain && !K.ReturnCanonical.is("void")))
    return;
  std::string Right = ((Plain ? PrecomputeMetaMacro : MetaMacro) + Suffix).str();
  std::string Op = Expected.Function->shownName();
  Place At = Files.place(*F.Unit, K.NameAt);
  Finding &Diag = Diags.report(finding::KernelSignature, At,
                               Plain ? "'{0}' defines a function that returns nothing, but '{1}' "
                                       "has precomputed values; use '{2}'"
                                     : "'{0}' defines a function that returns precomputed values, "
                                       "but '{1}' has none; use '{2}'",
                               Written, Op, Right);
  Diag.op(Op);
  Diag.Hint = Right;
  Diag.Fixes.push_back({At.File, K.NameAt.Offset, K.NameAt.Length, Right});
  addSchemaNotes(Diag, Expected);
}

void StructuredChecker::check(const ExpectedKernel &Expected, const Found &F) {
  checkMacro(Expected, F);
  Match M{F, &Expected, differences(Expected.Signature, F)};
  // The return type is the macro's, or the one above.
  erase_if(M.Differences, [&](const Difference &Diff) {
    return Diff.Is == Difference::ReturnType &&
           (Expected.ReturnsPrecomputed || !F.Decl->Return.isValid());
  });
  if (isGuess(M))
    return;
  countCompared(M, Done);
  reportMismatch(M, D, Files, Diags);
}

/// Macros make the name of its class, and sources say only "mul_out".
bool mayBeElsewhere(const ExpectedKernel &W, ArrayRef<UnitFacts> Units,
                    const ProjectLayout &Layout) {
  StringRef Class = StringRef(W.Class).rsplit("::").second;
  StringRef Written = Class;
  Written.consume_front("structured_");
  return any_of(ArrayRef<StringRef>{Class, Written},
                [&](StringRef Name) { return mayExistUnread(Name, Units); }) ||
         isDefinedWhereOff(W.Class + "::" + W.Name, Units) ||
         (Layout.IsMentionedOutside && Layout.IsMentionedOutside(W.Name, Written));
}

void reportMissing(const ExpectedKernel &W, const Dialect &D, Findings &Diags) {
  Finding &Diag =
      Diags.report(finding::MissingKernel, W.At, "missing kernel for '{0}'; define '{1}::{2}'",
                   W.Function->shownName(), W.Class, W.Name);
  Diag.op(W.Function->shownName());
  Diag.Hint = W.Signature.defn(D, W.Name);
  addSchemaNotes(Diag, W);
}

} // namespace

void opsig::checkStructuredKernels(ArrayRef<ExpectedKernel> Expected, const CheckContext &Context,
                                   SourceFiles &Files, Comparison &Done, Findings &Diags) {
  const auto &[Units, Of, Ops, Layout] = Context;
  const Dialect &D = *Ops.D;
  UnitFiles TheFiles(Units, Files);
  StructuredChecker Checker(D, TheFiles, Done, Diags);
  StringMap<const ExpectedKernel *> ByName;
  for (const ExpectedKernel &W : Expected)
    ByName[W.Class + "::" + W.Name] = &W;
  DenseSet<const ExpectedKernel *> Defined;
  for (const UnitFacts &Unit : Units)
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Member && K.Definition && K.InMainFile)
        if (const ExpectedKernel *W = ByName.lookup(K.qualifiedName())) {
          Checker.check(*W, {&Unit, &K});
          Defined.insert(W);
        }
  if (Of == Scope::Project && !Layout.IsPart)
    for (const ExpectedKernel &W : Expected)
      if (W.Needed && !Defined.contains(&W) && !mayBeElsewhere(W, Units, Layout))
        reportMissing(W, D, Diags);
}
