//===- Registrations.h - TORCH_LIBRARY code against the dispatcher's rules ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts::Registrations of all units x operators of native_functions.yaml => findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_REGISTRATIONS_H
#define OPSIG_CHECK_REGISTRATIONS_H

#include "opsig/Check/Check.h"

namespace opsig {

class ProjectEffects;
class Registry;
class UnitFiles;

/// Reports strings that libtorch cannot parse, kernels that cannot be registered or do not fit
/// their schema or do something else than it says, entries that contradict each other; of a project
/// also what is missing in it. Entries of \p R that are misspelled are those of the operator that
/// is meant afterwards. Opens the files that findings point into; everything the findings need to
/// outlive this call is in \p Files. Adds to \p Done what was compared, and what could not be.
void checkRegistrations(const CheckContext &Context, Registry &R, ProjectEffects &Effects,
                        UnitFiles &Files, Comparison &Done, Findings &Diags);

/// Those of \p Found that also hold where they stand behind a condition that is off, and say so;
/// without edits there. \p Units are those of a run with their OtherBranches.
Findings resolveOtherBranches(const Findings &Found, llvm::ArrayRef<UnitFacts> Units,
                              UnitFiles &Files);
/// What a user should know of such registrations.
std::vector<std::string> otherBranchNotes(llvm::ArrayRef<UnitFacts> Units);

/// The operators that the YAML of backends defines, as if a file had registered them, one for each
/// such YAML; without those that \p Units define.
std::vector<UnitFacts> yamlDefinitions(llvm::ArrayRef<ExternalBackend> Backends,
                                       llvm::ArrayRef<UnitFacts> Units, const SourceFiles &Files);

/// Reports the definitions in sources whose schema a YAML has otherwise.
void compareYamlDefinitions(llvm::ArrayRef<ExternalBackend> Backends, const Registry &R,
                            UnitFiles &Files, Findings &Diags);

/// What a front end may tell where a project's registrations were not all compared with each other,
/// since files of it were not read completely; "" where they were, or where there are none.
std::string incompleteTable(llvm::ArrayRef<UnitFacts> Units);

} // namespace opsig

#endif
