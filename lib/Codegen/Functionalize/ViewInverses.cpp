//===- ViewInverses.cpp - FunctionalInverses.h ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Signature/Functionalization.h"
#include "opsig/Support/Printer.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template DeclarationText = "static ${signature};";

constexpr StringRef FileName = "FunctionalInverses.h";
constexpr StringRef Needs[] = {"view_inverse_declarations"};

} // namespace

void addViewInverses(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  const Dialect &D = In.dialect();
  std::vector<std::string> Declarations;
  for (const NativeFunctionsViewGroup *G : viewGroups(In.Ops)) {
    if (!hasInverse(*G))
      continue;
    // A selective build has not checked more than that; `base` stands for this argument.
    Arguments::Slice Args = G->View->Schema.Args.all();
    if (Args.empty() || !Args[0].Ty.is(BaseTy::Tensor)) {
      reportFunctionalization(*G->View, "the first argument of a view must be a tensor", Diags);
      continue;
    }
    Signature Inverse = viewInverseSignature(*G, Lowering::of(*G->View, D));
    Declarations.push_back(printed<DeclarationText>("signature"_hole = Inverse.decl(D)));
  }
  addFile(In, {AtenFolder::Main, AtenList::Main, FileName.str()},
          {{"view_inverse_declarations", std::move(Declarations)}}, Needs, Out, Diags);
}

} // namespace opsig
