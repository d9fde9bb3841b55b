//===- Coverage.h - Operators x dispatch keys: who serves what ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// operators with what is registered for them (YAML, sources, a dump), kernels
//   => (DispatchTable.h) the kernel of each key => CoverageReport: cells, counts
//   => text | markdown | JSON | a page (CoveragePrint.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_COVERAGE_COVERAGE_H
#define OPSIG_COVERAGE_COVERAGE_H

#include "opsig/Operators/DispatchTable.h"
#include <array>
#include <string>
#include <vector>

namespace opsig {

/// Who serves an operator under a key.
enum class Service : uint8_t {
  Own,               ///< a kernel of the backend, or of the sources at hand, for this key
  Wrapper,           ///< generated for the backend out of its kernel for another form
  Library,           ///< a kernel of PyTorch's for this key
  StructuredDefault, ///< CompositeExplicitAutogradNonFunctional: the structured kernel's default
  Explicit,          ///< CompositeExplicitAutograd
  Implicit,          ///< CompositeImplicitAutograd: made of other operators
  Nested,            ///< CompositeImplicitAutogradNestedTensor
  Ambiguous,         ///< an error, for AutogradOther cannot know which backend is meant
  Formula,           ///< PyTorch's autograd kernel, of a formula in derivatives.yaml
  NoFormula,         ///< PyTorch's autograd kernel, which has no formula
  Autograd,          ///< PyTorch's autograd kernel; there is no derivatives.yaml to ask
  Decomposition,     ///< FuncTorchBatchedDecomposition
  Fallback,          ///< what is there for all operators
  Fallthrough,       ///< nothing is done, the next key is asked
  Missing,
};
inline constexpr unsigned NumServices = unsigned(Service::Missing) + 1;

/// "structured-default".
llvm::StringRef toString(Service S);
/// "served by the default of its structured kernel (CompositeExplicitAutogradNonFunctional)".
llvm::StringRef meaning(Service S);

/// What the dispatcher's own tables say of an entry: "default backend kernel".
llvm::StringRef toString(ServedBy By);
/// The entry of which they say that.
std::optional<ServedBy> parseServedBy(llvm::StringRef Words);

/// A kernel, and where it stands or is named.
struct CoveredKernel {
  Service Is = Service::Library; ///< where it is registered for the key itself
  std::string Name;              ///< "demo::DemoNativeFunctions::add"; "" where that is not known
  std::string File;              ///< as it is to be shown; "" without
  unsigned Line = 0, Column = 0;
};

struct CoveredOperator {
  std::string Name; ///< "aten::add.Tensor"
  KernelsByKey Kernels;
  /// Of a process that runs: what is there, by slots, in the place of what would follow from
  /// Kernels.
  std::vector<SlotEntry> Table = {};
};

struct CoverageInput {
  explicit CoverageInput(const Dialect &D);

  DispatchKeys Keys;
  std::vector<CoveredKernel> Kernels; ///< by KernelId
  std::vector<CoveredOperator> Operators;
  /// Those of PyTorch are there from the beginning.
  KernelsByKey Fallbacks;

  KernelId add(CoveredKernel Kernel);
};

struct CoverageCell {
  Service Is = Service::Missing;
  ServedBy By = ServedBy::Nothing;
  KernelId Kernel = NoKernel;
};

struct CoverageRow {
  const CoveredOperator *Operator;
  std::vector<CoverageCell> Cells; ///< by CoverageReport::Keys
};

using ServiceCounts = std::array<unsigned, NumServices>;

/// Refers to the input.
struct CoverageReport {
  const CoverageInput *Input;
  std::vector<KeyId> Keys; ///< slots
  std::vector<CoverageRow> Rows;
  std::vector<ServiceCounts> Counts; ///< by Keys, of all operators, also those of no row
  size_t NumOperators = 0;

  const CoveredKernel *kernel(const CoverageCell &Cell) const {
    return Cell.Kernel == NoKernel ? nullptr : &Input->Kernels[Cell.Kernel];
  }
};

enum class RowChoice : uint8_t { All, WithMissing };

/// Rows in the order of the operators.
CoverageReport buildCoverage(const CoverageInput &Input, std::vector<KeyId> Keys, RowChoice Rows);

/// Keys of one role whose cells are alike in every row of a report.
struct KeyColumn {
  std::vector<size_t> Members; ///< indices into CoverageReport::Keys
};
std::vector<KeyColumn> joinAlike(const CoverageReport &Report);

} // namespace opsig

#endif
