//===- OpPlanInternal.h - Where the plan of an operator comes from ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => the plan of each family (OpPlanParts.cpp) => lines of an OpPlan (OpPlan.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_OPPLANINTERNAL_H
#define OPSIG_CODEGEN_OPPLANINTERNAL_H

#include "Aoti/AotiShimsInternal.h"
#include "Api/FamilyPlansInternal.h"
#include "Api/StaticDispatchInternal.h"
#include "Functionalize/FunctionalizationInternal.h"
#include "Register/RegistrationPlanInternal.h"
#include "Ufunc/UfuncInternal.h"
#include "opsig/Codegen/OpPlan.h"

namespace opsig {

struct OpPlanner::Context {
  Context(const AtenInput &In, llvm::ArrayRef<ExternalBackend> Backends);

  const FunctionOrGroup &groupOf(const NativeFunction &F) const {
    return *GroupOf.find(&F)->second;
  }

  const AtenInput &In;
  const Dialect &D;
  llvm::ArrayRef<ExternalBackend> Backends;
  StaticDispatch Static;
  std::vector<ShimFile> Shims;
  llvm::DenseMap<const NativeFunction *, const FunctionOrGroup *> GroupOf;
  llvm::StringMap<std::vector<const FunctionOrGroup *>> RootGroups;
  /// A copying view stands in its group and in that of its view.
  llvm::DenseMap<const NativeFunction *, std::vector<FunctionalizationItem>> ItemsOf;
};

/// "ATen/ops/add_native.h"
std::string opHeader(const NativeFunction &F, llvm::StringRef Suffix);

/// What all families but those of the registrations have for \p F.
std::vector<PlannedPart> planParts(const NativeFunction &F, const OpPlanner::Context &C);

} // namespace opsig

#endif
