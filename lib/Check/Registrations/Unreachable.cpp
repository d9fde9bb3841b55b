//===- Unreachable.cpp - kernels to which the dispatcher never comes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher takes the keys of a call from its tensors. Without a tensor only a few keys are
// left, which are asked in every call, and the kernels that serve calls without a key.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/InferredSchema.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/InputFiles.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// Values of the type have keys: Tensor, Tensor?, Tensor[], Tensor?[]; no other type of tensors.
static bool hasKeys(const Type &Ty) {
  Type Element = Ty.isList() ? Ty.elem() : Ty, Tensor = BaseTy::Tensor;
  return Element == Tensor || Element == Tensor.optional();
}

bool opsig::takesTensors(const FunctionSchema &Schema) {
  return Schema.VarArgs || any_of(Schema.Args.All, [](const Argument &A) { return hasKeys(A.Ty); });
}

static bool isReachedWithoutTensors(StringRef Key) {
  static constexpr StringLiteral Keys[] = {"",
                                           "CatchAll",
                                           "Undefined",
                                           "BackendSelect",
                                           "ADInplaceOrView",
                                           "CompositeImplicitAutograd",
                                           "CompositeExplicitAutograd",
                                           "CompositeExplicitAutogradNonFunctional"};
  return is_contained(Keys, Key);
}

/// A mode turns these on, so that who is in it comes to the kernel all the same.
static bool isOfMode(StringRef Key) {
  static constexpr StringLiteral Keys[] = {
      "Python", "PythonTLSSnapshot", "PythonDispatcher", "Fake",    "PreDispatch", "Functionalize",
      "Tracer", "VmapMode",          "DeferredInit",     "Batched", "Named"};
  return is_contained(Keys, Key) || Key.starts_with("FuncTorch") || Key.starts_with("Autocast") ||
         Key.starts_with("TESTING_ONLY");
}

/// custom_op() made the definition; Library.define and torch.library.define only define. One of
/// which no more is known may be.
static bool mayBeOfCustomOp(const EntryRef &Def) {
  if (!isPython(Def.Unit->MainFile))
    return false;
  return !Def.Unit->Python || any_of(Def.Unit->Python->Uses, [&](const LibraryUse &Use) {
    return Use.What == "custom-op" && Use.At == Def.Entry->At;
  });
}

/// `custom_op` of newer releases adds a kernel for BackendSelect that asks the argument for the
/// device.
static bool mayAskForDevice(const RegisteredOp &Op, const FunctionSchema &Schema) {
  auto IsDevice = [Device = Type(BaseTy::Device)](const Argument &A) {
    return A.Ty == Device || A.Ty == Device.optional();
  };
  return any_of(Schema.Args.All, IsDevice) &&
         any_of(Op.Defs, [](const EntryRef *E) { return mayBeOfCustomOp(*E); });
}

/// `def("name", &kernel)`: the schema that libtorch makes of the kernel has no tensor.
static bool infersNoTensors(const EntryRef &Def) {
  if (!Def.Schema || !Def.Schema->NameOnly || isPython(Def.Unit->MainFile))
    return false;
  std::optional<FunctionSchema> Inferred =
      inferredSchema(Def.Schema->operatorName(), Def.Entry->Kernel, Def.Unit->Names);
  return Inferred && !takesTensors(*Inferred);
}

/// The definition that says that \p Op takes no tensor.
static const EntryRef *defWithoutTensors(const RegisteredOp &Op) {
  for (const EntryRef *E : Op.Defs)
    if (E->Schema && !E->Schema->NameOnly)
      return takesTensors(*E->Schema) ? nullptr : E;
  auto Inferred = find_if(Op.Defs, [](const EntryRef *E) { return infersNoTensors(*E); });
  return Inferred == Op.Defs.end() ? nullptr : *Inferred;
}

void opsig::checkReach(const RegisteredOp &Op, UnitFiles &Files, Findings &Diags) {
  const EntryRef *Def = defWithoutTensors(Op);
  if (!Def || Op.Kernels.empty() || mayAskForDevice(Op, *Def->Schema))
    return;
  const EntryRef *First = nullptr;
  for (const EntryRef *E : Op.Kernels) {
    bool GoesOn = E->Entry->Kernel.Is == RegisteredKernel::Fallthrough;
    if (!E->keyKnown() || E->Block->Is == RegistrationBlock::Legacy ||
        (isReachedWithoutTensors(E->key()) && !GoesOn))
      return;
    if (!First && !GoesOn && !isOfMode(E->key()))
      First = E;
  }
  if (!First)
    return;
  StringRef Key = First->key();
  Diags
      .report(finding::RegistrationUnreachable, Files.place(*First->Unit, First->Entry->At),
              "the dispatcher never calls the {0} kernel of '{1}', because the schema takes no "
              "tensor and a call has no device; register it for CompositeExplicitAutograd, or add "
              "a BackendSelect kernel that chooses the device",
              Key, Op.Name)
      .op(operatorOf(*First))
      .note(Def->namePlace(Files), "schema declared here");
}
