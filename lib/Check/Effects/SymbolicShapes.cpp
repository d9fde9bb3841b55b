//===- SymbolicShapes.cpp - Meta kernels that read sizes as numbers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With dynamic shapes PyTorch calls Meta kernels with tensors that have symbolic sizes: asked for
// numbers, they become those of the call (`size()`), or raise an error (`numel()`). Elements they
// have none, whatever their shapes are.
//
//===----------------------------------------------------------------------===//
#include "Effects/ShapesInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

/// What a variable of the type \p Text has to be of to hold symbolic sizes; "" where that is not
/// certain.
static std::string symbolicType(StringRef Text) {
  if (is_contained({"int64_t", "int", "long", "size_t", "std::int64_t", "std::size_t"}, Text))
    return "c10::SymInt";
  if (is_contained({"at::IntArrayRef", "c10::IntArrayRef", "torch::IntArrayRef", "IntArrayRef"},
                   Text))
    return "c10::SymIntArrayRef";
  if (Text == "std::vector<int64_t>")
    return "std::vector<c10::SymInt>";
  return "";
}

/// All edits that let the body work on symbolic sizes; none where one of them is not certain.
std::optional<std::vector<Fix>> SymbolicShapes::fixes(const Body &Of) {
  static constexpr StringLiteral Readers[] = {"size",    "sizes", "stride",
                                              "strides", "numel", "storage_offset"};
  std::vector<Fix> Out;
  for (const FlowNumber &N : Of.Flow->Numbers) {
    StringRef Word = Files.text(*Of.Unit, N.At);
    std::string Text;
    if (N.Is == FlowNumber::Size)
      Text = is_contained(Readers, Word) ? ("sym_" + Word).str() : "";
    else if (N.Is == FlowNumber::SizeUser)
      Text = all_of(Word, [](char C) { return isAlnum(C) || C == '_'; }) ? (Word + "_symint").str()
                                                                         : "";
    else if (N.Is == FlowNumber::SizeHolder)
      Text = symbolicType(Word);
    else
      continue;
    if (Text.empty())
      return std::nullopt;
    Out.push_back({Files.file(*Of.Unit, N.At.File), N.At.Offset, N.At.Length, Text});
  }
  return Out;
}

void SymbolicShapes::checkSizes(const Body &Of, const EntryRef &E) {
  Finding *Diag = nullptr;
  for (const FlowNumber &N : Of.Flow->Numbers) {
    if (N.Is != FlowNumber::Size)
      continue;
    StringRef Word = Files.text(*Of.Unit, N.At);
    Place At = Files.place(*Of.Unit, N.At);
    if (Diag) {
      Diag->note(At, "another size read here");
      continue;
    }
    Diag = &Diags.report(finding::SymbolicSize, At,
                         "the Meta kernel {0} reads sizes as integers, so with dynamic shapes "
                         "torch.compile fails or recompiles for each size; use 'sym_{1}()'",
                         Of.Name, Word);
    Diag->op(operatorOf(E));
    if (std::optional<std::vector<Fix>> All = fixes(Of))
      Diag->Fixes = std::move(*All);
  }
  if (Diag)
    Diag->note(Files.place(*E.Unit, E.Entry->Kernel.Use), "registered for Meta here");
}

void SymbolicShapes::checkBody(const Body &Of, const EntryRef &E) {
  checkSizes(Of, E);
  for (const FlowNumber &N : Of.Flow->Numbers)
    if (N.Is == FlowNumber::Element) {
      Finding &Diag = Diags.report(
          finding::SymbolicValue, Files.place(*Of.Unit, N.At),
          "the Meta kernel {0} reads an element of a tensor, but meta tensors have no data",
          Of.Name);
      Diag.op(operatorOf(E));
      Diag.note(Files.place(*E.Unit, E.Entry->Kernel.Use), "registered for Meta here");
    }
}

void SymbolicShapes::check(const RegisteredOp &Op) {
  for (const EntryRef *E : Op.Kernels) {
    const RegisteredKernel &Kernel = E->Entry->Kernel;
    if (!E->keyKnown() || E->key() != "Meta" || !Kernel.hasSignature() || E->Unit->isOtherBranch())
      continue;
    Body Of{E->Unit, Effects.flowOf(*E->Unit, Kernel.Decl.NameAt, Kernel.Name), kernelName(Kernel)};
    if (!Of.Flow && E->Elsewhere.size() == 1) {
      const Found &There = E->Elsewhere.front();
      Of.Unit = There.Unit;
      Of.Flow = Effects.flowOf(*There.Unit, There.Decl->NameAt, There.Decl->qualifiedName());
    }
    if (Of.Flow && Seen.insert({Of.Unit, Of.Flow->NameAt.Offset}).second)
      checkBody(Of, *E);
  }
}
