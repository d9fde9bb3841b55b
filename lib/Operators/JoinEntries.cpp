//===- JoinEntries.cpp - What must hold between entries ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GroupingInternal.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

void checkNamesOnce(JoinContext &C) {
  llvm::StringMap<const NativeFunction *> Seen;
  for (const NativeFunction &F : C.Ops.Functions) {
    auto [It, New] = Seen.try_emplace(F.Schema.Name.str(), &F);
    if (New)
      continue;
    C.Refused.insert(&F);
    // Which of them is meant by those that name it nobody knows.
    C.Broken.Names.insert(F.Schema.Name.str());
    C.Diags
        .report(finding::DuplicateOperator, F.SchemaText.At, "operator '{0}' is defined twice",
                F.Schema.Name.str())
        .op(F.Schema.Name.str())
        .note(It->second->SchemaText.At, "first defined here");
  }
}

/// \p Names: of all operators, made when first needed.
void checkDelegate(const NativeFunction &F, std::optional<OperatorNameIndex> &Names,
                   JoinContext &C) {
  std::string Name = F.Schema.Name.str(), Delegate = F.StructuredDelegate->str();
  if (C.Broken.Names.contains(Delegate))
    return;
  const NativeFunction *Target = C.Ops.find(Delegate);
  if (!Target) {
    if (!Names)
      Names.emplace(C.Ops.names());
    C.Diags
        .report(finding::DelegateMissing, F.SchemaText.At,
                "'{0}' delegates to '{1}', which does not exist{2}", Name, Delegate,
                Names->didYouMean(Delegate))
        .op(Name);
  } else if (!Target->Structured) {
    C.Diags
        .report(finding::DelegateNotStructured, F.SchemaText.At,
                "'{0}' delegates to '{1}', which is not structured", Name, Delegate)
        .op(Name)
        .note(Target->SchemaText.At, "the delegate is here");
  }
}

/// An inplace view stands beside a view of the same base name.
void checkInplaceView(const NativeFunction &F, const llvm::StringSet<> &BaseNames, JoinContext &C) {
  std::string Name = F.Schema.Name.str();
  BaseOperatorName Base = F.Schema.Name.Name;
  if (Name == "resize_")
    return;
  const SchemaTraits &Facts = C.Ops.D->Schema;
  if ((Facts.ExcusesResizeAs && Name == "resize_as_") || (Facts.ExcusesSet && Base.str() == "set_"))
    return;
  if (!Base.Inplace) {
    C.Diags
        .report(finding::InplaceViewName, F.SchemaText.At,
                "'{0}' has tag inplace_view, but its name does not end in '_'", Name)
        .op(Name);
    return;
  }
  Base.Inplace = false;
  Base.FunctionalOverload = false;
  if (!BaseNames.contains(Base.str()) && !C.Broken.Roots.contains(Base.Base))
    C.Diags
        .report(
            finding::InplaceViewCounterpart, F.SchemaText.At,
            "'{0}' has tag inplace_view, so it needs a view operator '{1}' with the same arguments",
            Name, Base.str())
        .op(Name);
}

} // namespace

void checkEntries(JoinContext &C) {
  checkNamesOnce(C);
  llvm::StringSet<> BaseNames;
  for (const NativeFunction &F : C.Ops.Functions)
    BaseNames.insert(F.Schema.Name.Name.str());
  std::optional<OperatorNameIndex> Names;
  for (const NativeFunction &F : C.Ops.Functions) {
    if (F.StructuredDelegate)
      checkDelegate(F, Names, C);
    if (F.hasTag("inplace_view"))
      checkInplaceView(F, BaseNames, C);
  }
}

} // namespace opsig
