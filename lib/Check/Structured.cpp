//===- Structured.cpp - meta functions and implementations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TORCH_META_FUNC2(add, Tensor)(const Tensor &self, ...) { => at::meta::structured_add_Tensor::meta
//   => compared with the schema, not with the class, which may have been generated from another one
//
//===----------------------------------------------------------------------===//
#include "CheckInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr StringLiteral MetaMacro = "TORCH_META_FUNC";
constexpr StringLiteral PrecomputeMetaMacro = "TORCH_PRECOMPUTE_META_FUNC";

class StructuredChecker {
public:
  StructuredChecker(const Dialect &D, UnitFiles &Files, Diagnostics &Diags)
      : D(D), Files(Files), Diags(Diags) {}

  void check(const WantedKernel &Wanted, const Found &F);

private:
  void checkMacro(const WantedKernel &Wanted, const Found &F);

  const Dialect &D;
  UnitFiles &Files;
  Diagnostics &Diags;
};

/// A meta function without the return type that hands on the precomputed values. The other way
/// round there is no such type, and Clang says so.
void StructuredChecker::checkMacro(const WantedKernel &Wanted, const Found &F) {
  const KernelDecl &K = *F.Decl;
  StringRef Written = Files.text(*F.Unit, K.NameAt);
  if (!Wanted.ReturnsPrecomputed || K.ReturnCanonical != "void" ||
      !Written.consume_front(MetaMacro))
    return;
  std::string Right = (PrecomputeMetaMacro + Written).str();
  Place At = Files.place(*F.Unit, K.NameAt);
  Diagnostic &Diag = Diags.report(diag::KernelSignature, At,
                                  "'{0}{1}' defines a function that returns nothing; '{2}' has "
                                  "precomputed values to return, which needs '{3}'",
                                  MetaMacro, Written, Wanted.Function->Schema.Name.str(), Right);
  Diag.op(Wanted.Function->Schema.Name.str());
  Diag.Hint = Right;
  Diag.Fixes.push_back({At.File, K.NameAt.Offset, K.NameAt.Length, Right});
  addSchemaNotes(Diag, Wanted);
}

void StructuredChecker::check(const WantedKernel &Wanted, const Found &F) {
  checkMacro(Wanted, F);
  Match M{F, &Wanted, differences(Wanted.Signature, F)};
  // The return type is the macro's, or the one above.
  erase_if(M.Differences, [&](const Difference &Diff) {
    return Diff.Is == Difference::ReturnType &&
           (Wanted.ReturnsPrecomputed || !F.Decl->Return.isValid());
  });
  if (!isGuess(M))
    reportMismatch(M, D, Files, Diags);
}

} // namespace

void opsig::checkStructuredKernels(ArrayRef<WantedKernel> Wanted, ArrayRef<TranslationUnit> Units,
                                   const Dialect &D, SourceFiles &Files, Diagnostics &Diags) {
  UnitFiles TheFiles(Units, Files);
  StructuredChecker Checker(D, TheFiles, Diags);
  StringMap<const WantedKernel *> ByName;
  for (const WantedKernel &W : Wanted)
    ByName[W.Class + "::" + W.Name] = &W;
  for (const TranslationUnit &Unit : Units)
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Member && K.Definition && K.InMainFile)
        if (const WantedKernel *W = ByName.lookup(K.qualifiedName()))
          Checker.check(*W, {&Unit, &K});
}
