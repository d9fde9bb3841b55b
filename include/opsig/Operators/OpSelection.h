//===- OpSelection.h - The operators of a selective build -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op selection YAML => OpSelection => checked against the operators there are
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_OPSELECTION_H
#define OPSIG_OPERATORS_OPSELECTION_H

#include "opsig/Operators/Operators.h"

namespace opsig {

/// An entry of a selection: "aten::add.Tensor", or "aten::add" with all its overloads.
struct SelectedOp {
  std::string Name;
  bool AllOverloads = true;
  Place At; ///< invalid for a name from the command line
};

struct OpSelection {
  bool IncludesAll = false;
  /// Where `et_kernel_metadata` stands, which not every release knows; invalid without.
  Place EtKernels;
  std::vector<SelectedOp> Ops; ///< in written order
};

/// Reads the YAML of a selective build: include_all_operators and operators. What it says about
/// kernels, classes and features is for other programs and only has to be known by name. Errors go
/// to \p Diags.
OpSelection readOpSelection(SourceId File, const SourceFiles &Files, Findings &Diags);

/// Reports every entry that selects nothing, and what the release does not know. Of a namespace
/// without any function in \p Ops nothing is known, so its names are left alone.
void checkOpSelection(const OpSelection &Selection, const Operators &Ops, Findings &Diags);

} // namespace opsig

#endif
