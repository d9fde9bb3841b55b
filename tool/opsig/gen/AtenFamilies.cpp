//===- AtenFamilies.cpp - What opsig gen aten writes, family by family ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/AtenFamilies.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "llvm/ADT/StringSwitch.h"

namespace opsig {

namespace {

constexpr AtenGroup Headers = AtenGroup::Headers;
constexpr AtenGroup Sources = AtenGroup::Sources;

/// Whatever is not written yet says nullptr, so that it is missed rather than forgotten.
constexpr AtenFamily Families[] = {
    {"registrations", Sources, "Register<Key>.cpp", generateRegistrations, 55},
    {"backend-select", Sources, "RegisterBackendSelect.cpp", generateBackendSelect},
    {"schema-registrations", Sources, "RegisterSchema.cpp", generateSchemaRegistrations, 3},
    {"operator-sources", Sources, "Operators_*.cpp", generateOperatorSources, 22},
    {"functionalization", Sources, "RegisterFunctionalization_*.cpp, FunctionalInverses.h",
     generateFunctionalization, 26},
    {"view-meta-classes", Sources, "ViewMetaClasses.h, ViewMetaClasses.cpp",
     generateViewMetaClasses},
    {"composite-view-copies", Sources, "CompositeViewCopyKernels.cpp", generateCompositeViewCopies,
     2},
    {"fixed-sources", Sources, "Functions.cpp, core/TensorMethods.cpp", generateFixedSources},
    {"operator-list", Sources, "core/ATenOpList.cpp", generateOperatorList},
    {"ufunc-kernels", Sources, "UfuncCPU_*.cpp, UfuncCPUKernel_*.cpp, UfuncCUDA_*.cu",
     generateUfuncKernels},
    {"aoti-shims", Sources, "c_shim_*.h, c_shim_*.cpp", generateAotiShims},
    {"operator-headers", Headers, "ops/*.h, Functions.h, Operators.h, NativeFunctions.h ...",
     generateOperatorHeaders, 73},
    {"dispatch-headers", Headers, "<Key>Functions.h, ops/*_dispatch.h", generateDispatchHeaders,
     45},
    {"tensor-methods", Headers, "core/TensorBody.h, RedispatchFunctions.h", generateTensorMethods,
     17},
    {"registration-declarations", Headers, "RegistrationDeclarations.h",
     generateRegistrationDeclarations, 6},
    {"vmap-plumbing", Headers, "VmapGeneratedPlumbing.h", generateVmapPlumbing, 6},
    {"name-lists", Headers, "core/aten_interned_strings.h, core/enum_tag.h", generateNameLists, 2},
    {"declarations-yaml", AtenGroup::DeclarationsYaml, "Declarations.yaml",
     generateDeclarationsYaml, 34},
};

bool exists(const AtenFamily &Family, const Dialect &D) {
  if (Family.Name == "view-meta-classes")
    return D.Functionalization.Views == ViewRecord::Classes;
  if (Family.Name == "aoti-shims")
    return D.Aten.HasAotiShims;
  return true;
}

} // namespace

std::optional<AtenGroup> parseAtenGroup(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<AtenGroup>>(Name)
      .Case("headers", AtenGroup::Headers)
      .Case("sources", AtenGroup::Sources)
      .Case("declarations_yaml", AtenGroup::DeclarationsYaml)
      .Default(std::nullopt);
}

std::vector<AtenFamily> atenFamilies(const Dialect &D) {
  std::vector<AtenFamily> Result;
  for (const AtenFamily &Family : Families)
    if (exists(Family, D))
      Result.push_back(Family);
  return Result;
}

} // namespace opsig
