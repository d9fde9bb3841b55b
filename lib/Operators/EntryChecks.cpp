//===- EntryChecks.cpp - What must hold between the fields of an entry ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EntryInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

/// Checks one entry; each function asks one question.
class EntryCheck {
public:
  EntryCheck(const NativeFunction &F, const FieldReader &Fields, const EntryContext &C)
      : F(F), Fields(Fields), C(C), Name(F.Schema.Name.str()) {}

  void run() {
    variants();
    structured();
    delegate();
    inherits();
    precomputed();
    constRef();
    foreach ()
      ;
    seeded();
  }

private:
  Finding &report(FindingId Id, llvm::StringRef Field, std::string Message) {
    return C.Diags.add(Id, Fields.keyPlace(Field), std::move(Message)).op(Name);
  }

  void variants() {
    if (F.Schema.isOut() && (!F.IsFunctionVariant || F.IsMethodVariant))
      report(finding::OutVariants, "variants",
             "'" + Name + "' has out arguments, so 'variants' must be 'function'");
    if (!F.PythonModule.empty() && F.IsMethodVariant)
      report(finding::ModuleMethod, "variants",
             "'" + Name + "' is in Python module '" + F.PythonModule +
                 "', so it cannot be a method");
  }

  void structured() {
    if (!F.Structured)
      return;
    if (F.Kind != SchemaKind::Out)
      report(finding::StructuredNotOut, "structured",
             "only the out variant can be 'structured'; '" + Name + "' is " +
                 toString(F.Kind).str() + ", so use 'structured_delegate'");
    if (!F.DeviceGuard)
      report(
          finding::StructuredDeviceGuard, "device_guard",
          "structured kernels always set a device guard; 'device_guard: False' has no effect on '" +
              Name + "'");
  }

  void delegate() {
    if (!F.StructuredDelegate)
      return;
    if (F.Structured) {
      report(finding::StructuredAndDelegate, "structured_delegate",
             "'" + Name + "' is itself structured, so it cannot have 'structured_delegate'");
      return;
    }
    if (F.Schema.isOut())
      report(finding::DelegateOnOut, "structured_delegate",
             "'" + Name +
                 "' is an out variant, so it cannot have 'structured_delegate'; use 'structured: "
                 "True'");
    if (!F.DeviceGuard)
      report(
          finding::StructuredDeviceGuard, "device_guard",
          "structured kernels always set a device guard; 'device_guard: False' has no effect on '" +
              Name + "'");
    for (const KernelEntry &Entry : F.Dispatch)
      if (llvm::is_contained(C.D.Keys.Structured, Entry.Key))
        C.Diags
            .report(finding::DelegateWithDispatch, Entry.At,
                    "'{0}' delegates its {1} kernel to '{2}', so it cannot name a kernel; remove "
                    "this entry",
                    Name, toString(Entry.Key), F.StructuredDelegate->str())
            .op(Name);
  }

  void inherits() {
    if (!F.StructuredInherits.empty() && !F.Structured)
      report(finding::InheritsWithoutStructured, "structured_inherits",
             "'structured_inherits' needs 'structured: True'");
  }

  void precomputed() {
    if (Fields.hasValue("precomputed") && !F.Structured)
      report(finding::PrecomputedWithoutStructured, "precomputed",
             "'precomputed' needs 'structured: True'");
  }

  void constRef() {
    if (C.D.Schema.RefusesConstRefOut && F.UseConstRefForMutableTensors && F.Schema.isOut())
      report(finding::ConstRefOut, "use_const_ref_for_mutable_tensors",
             "'" + Name +
                 "' has out arguments, so it cannot set 'use_const_ref_for_mutable_tensors': "
                 "PyTorch does not pass out arguments by const reference");
  }

  void foreach () {
    if (llvm::StringRef(Name).starts_with("_foreach") && F.Check != DeviceCheck::NoCheck)
      report(finding::ForeachDeviceCheck, "device_check",
             "'" + Name +
                 "' can take tensors on several devices, so it needs 'device_check: NoCheck'");
  }

  /// Why the function draws random numbers, as far as names and types tell; "" if it does not.
  std::string whyRandom() const {
    llvm::StringRef Op = Name;
    if (Op.contains("rand"))
      return "has 'rand' in its name";
    bool MayDropOut =
        !Op.contains("backward") && F.Schema.Name.Name.str() != "_cudnn_init_dropout_state";
    if (MayDropOut && Op.contains("dropout"))
      return "has 'dropout' in its name";
    if (MayDropOut && C.D.Schema.SeededTagByArgumentName)
      for (const Argument &A : F.Schema.Args.all())
        if (llvm::StringRef(A.Name).contains("dropout"))
          return "takes the argument '" + A.Name + "'";
    return F.Schema.Args.hasGeneratorArg() ? "takes a Generator" : "";
  }

  void seeded() {
    std::string Why = whyRandom();
    if (!Why.empty() && !F.hasTag("nondeterministic_seeded"))
      report(finding::MissingSeededTag, "func",
             "'" + Name + "' " + Why + ", so it needs 'tags: nondeterministic_seeded'");
  }

  const NativeFunction &F;
  const FieldReader &Fields;
  const EntryContext &C;
  std::string Name;
};

} // namespace

void checkEntry(const NativeFunction &F, const FieldReader &Fields, const EntryContext &C) {
  EntryCheck(F, Fields, C).run();
}

} // namespace opsig
