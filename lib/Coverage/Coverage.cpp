//===- Coverage.cpp - Operators x dispatch keys: who serves what -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Coverage/Coverage.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace opsig {

//===-- Words ---------------------------------------------------------------===//

namespace {

struct ServiceWords {
  StringLiteral Name, Meaning;
};

constexpr ServiceWords Services[] = {
    {"own", "the backend's or the project's own kernel for this key"},
    {"wrapper", "generated for this key from the kernel of another variant"},
    {"kernel", "PyTorch's kernel for this key"},
    {"structured-default",
     "PyTorch's default kernel for a structured operator (CompositeExplicitAutogradNonFunctional)"},
    {"composite-explicit", "a kernel for all backends (CompositeExplicitAutograd)"},
    {"composite-implicit", "composed of other operators (CompositeImplicitAutograd)"},
    {"composite-nested",
     "composed of other operators, for nested tensors (CompositeImplicitAutogradNestedTensor)"},
    {"ambiguous",
     "an error: a sparse or quantized backend has its own kernel, so AutogradOther must not use "
     "the composite one"},
    {"formula", "PyTorch's autograd kernel, with a formula in derivatives.yaml"},
    {"no-formula", "PyTorch's autograd kernel, without a formula in derivatives.yaml"},
    {"autograd",
     "PyTorch's autograd kernel; no derivatives.yaml was found, so its formula is unknown"},
    {"decomposition", "composed of other operators, for vmap (FuncTorchBatchedDecomposition)"},
    {"fallback", "the fallback of this key, for all operators"},
    {"fallthrough", "falls through: the call goes to the next key"},
    {"missing", "no kernel: calls fail"},
};
static_assert(std::size(Services) == NumServices);

constexpr StringLiteral Rules[] = {
    "kernel",          "default backend kernel",  "default backend kernel",
    "nested kernel",   "ambiguous autogradother", "math kernel",
    "autograd kernel", "batched kernel",          "backend fallback",
    "missing",
};
static_assert(std::size(Rules) == unsigned(ServedBy::Nothing) + 1);

} // namespace

StringRef toString(Service S) { return Services[unsigned(S)].Name; }
StringRef meaning(Service S) { return Services[unsigned(S)].Meaning; }
StringRef toString(ServedBy By) { return Rules[unsigned(By)]; }

std::optional<ServedBy> parseServedBy(StringRef Words) {
  const auto *It = find(Rules, Words);
  if (It == std::end(Rules))
    return std::nullopt;
  return ServedBy(It - std::begin(Rules));
}

//===-- Input ---------------------------------------------------------------===//

CoverageInput::CoverageInput(const Dialect &D) : Keys(D) {
  KernelId Kernel = add({Service::Fallback, "PyTorch's fallback", ""});
  KernelId Fallthrough = add({Service::Fallthrough, "PyTorch's fallback", ""});
  for (auto [Key, Slot] : enumerate(Keys.slots()))
    if (Slot.Fallback != LibraryFallback::None)
      Fallbacks.set(Key, Slot.Fallback == LibraryFallback::Kernel ? Kernel : Fallthrough);
}

KernelId CoverageInput::add(CoveredKernel Kernel) {
  Kernels.push_back(std::move(Kernel));
  return Kernels.size() - 1;
}

//===-- Cells ---------------------------------------------------------------===//

static Service serviceOf(const SlotEntry &Entry, const CoverageInput &Input) {
  Service Kernel = Entry.Kernel == NoKernel ? Service::Missing : Input.Kernels[Entry.Kernel].Is;
  if (Kernel == Service::Fallthrough)
    return Kernel;
  switch (Entry.By) {
  case ServedBy::Kernel:
  case ServedBy::Autograd:
    return Kernel;
  case ServedBy::NonFunctional:
    return Service::StructuredDefault;
  case ServedBy::Explicit:
    return Service::Explicit;
  case ServedBy::NestedImplicit:
    return Service::Nested;
  case ServedBy::Ambiguous:
    return Service::Ambiguous;
  case ServedBy::Implicit:
    return Service::Implicit;
  case ServedBy::Decomposition:
    return Service::Decomposition;
  case ServedBy::Fallback:
    return Service::Fallback;
  case ServedBy::Nothing:
    return Service::Missing;
  }
  llvm_unreachable("unknown rule");
}

CoverageReport buildCoverage(const CoverageInput &Input, std::vector<KeyId> Keys, RowChoice Rows) {
  CoverageReport Report{&Input, std::move(Keys), {}, {}};
  Report.Counts.resize(Report.Keys.size());
  Report.NumOperators = Input.Operators.size();
  for (const CoveredOperator &Op : Input.Operators) {
    std::vector<SlotEntry> Computed;
    if (Op.Table.empty())
      Computed = computeDispatchTable(Input.Keys, Op.Kernels, Input.Fallbacks);
    ArrayRef<SlotEntry> Table = Op.Table.empty() ? Computed : Op.Table;
    CoverageRow Row{&Op, {}};
    for (auto [Number, Key] : enumerate(Report.Keys)) {
      Service Is = serviceOf(Table[Key], Input);
      ++Report.Counts[Number][unsigned(Is)];
      Row.Cells.push_back({Is, Table[Key].By, Table[Key].Kernel});
    }
    bool Missing =
        any_of(Row.Cells, [](const CoverageCell &Cell) { return Cell.Is == Service::Missing; });
    if (Rows == RowChoice::All || Missing)
      Report.Rows.push_back(std::move(Row));
  }
  return Report;
}

std::vector<KeyColumn> joinAlike(const CoverageReport &Report) {
  std::map<std::pair<SlotRole, std::vector<Service>>, size_t> Known;
  std::vector<KeyColumn> Columns;
  for (size_t Key = 0; Key != Report.Keys.size(); ++Key) {
    std::vector<Service> Of;
    for (const CoverageRow &Row : Report.Rows)
      Of.push_back(Row.Cells[Key].Is);
    SlotRole Role = Report.Input->Keys.slots()[Report.Keys[Key]].Role;
    auto [It, IsNew] = Known.try_emplace({Role, std::move(Of)}, Columns.size());
    if (IsNew)
      Columns.emplace_back();
    Columns[It->second].Members.push_back(Key);
  }
  return Columns;
}

} // namespace opsig
