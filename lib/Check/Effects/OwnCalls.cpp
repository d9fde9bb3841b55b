//===- OwnCalls.cpp - kernels that call their own operator ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionFlow::Handed of a kernel => the operator that is called => is it the kernel's own, with
// each argument in its place? Then the dispatcher comes back to the same kernel, without end.
//
//===----------------------------------------------------------------------===//
#include "Effects/EffectsInternal.h"
#include "Registrations/RegistrationInternal.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Keys whose kernels get the same tensors again: no kernel for another key comes first, or it has
/// come first already.
bool comesBack(StringRef Key) {
  Key.consume_front("Autograd");
  return Key.empty() || Key == "Meta" || Key == "CatchAll" || Key == "Other" ||
         Key.starts_with("Composite") || isBackendKey(Key);
}

/// Parameter \p Index of the function is what \p A hands on.
bool isParam(const FlowArgument &A, unsigned Index) { return A.Value == Index + 1; }

/// Each argument of \p F gets the parameter that stands for it; parameter \p First is the first.
bool handsOnAll(const FlowCall &Call, const NativeFunction &F, unsigned First) {
  const auto &Args = F.Schema.Args.All;
  if (Call.Args.size() != Args.size())
    return false;
  for (unsigned I = 0; I < Args.size(); ++I) {
    auto Given = find_if(Call.Args, [&](const FlowArgument &A) { return A.Param == Args[I].Name; });
    if (Given == Call.Args.end() || !isParam(*Given, First + I))
      return false;
  }
  return true;
}

/// The same of a call through the handle of an operator, which has the places of the schema.
bool handsOnAll(const FlowCall &Call, unsigned First, unsigned NumParams) {
  if (Call.Args.size() + First != NumParams)
    return false;
  for (unsigned I = 0; I < Call.Args.size(); ++I)
    if (!isParam(Call.Args[I], First + I))
      return false;
  return true;
}

bool isThrough(const OperatorLookup &L, const FlowCall &Call) {
  return any_of(L.Typed, [&](const TypedHandle &T) {
    return any_of(T.Calls, [&](const Span &At) {
      return At.File == Call.At.File && At.Offset == Call.At.Offset && At.Length == Call.At.Length;
    });
  });
}

/// The name that code in \p Unit called the operator by, "" for none.
std::string lookedUp(const FlowCall &Call, const UnitFacts &Unit) {
  for (const OperatorLookup &L : Unit.Lookups)
    if (isThrough(L, Call))
      return L.Overload.Value.empty() ? L.Name.Value : L.Name.Value + "." + L.Overload.Value;
  return "";
}

} // namespace

const FlowCall *opsig::callOfItself(const KernelBody &Body, const OwnOperator &Own,
                                    ProjectEffects &Effects) {
  const FunctionFlow *Flow = Effects.flowOf(*Body.Unit, Body.NameAt, Body.Name);
  if (!Flow || !comesBack(Own.Key))
    return nullptr;
  for (const FlowCall &Call : Flow->Handed) {
    if (StringRef(Call.Callee).starts_with("at::")) {
      const NativeFunction *F = Effects.dispatchedTo(Call, *Body.Unit);
      if (F && F == Own.Function && handsOnAll(Call, *F, Own.First))
        return &Call;
    } else if (lookedUp(Call, *Body.Unit) == Own.Name &&
               handsOnAll(Call, Own.First, Flow->NumParams)) {
      return &Call;
    }
  }
  return nullptr;
}

/// The call is in a helper of the kernel: another name is nearer in front of it.
static bool isInHelper(const KernelBody &Body, const FlowCall &Call) {
  auto IsNearer = [&](const Span &Name, const Span &Than) {
    return Name.File == Call.At.File && Name.Offset <= Call.At.Offset &&
           (Than.File != Call.At.File || Than.Offset > Call.At.Offset || Name.Offset > Than.Offset);
  };
  return any_of(Body.Unit->Flows, [&](const FunctionFlow &F) {
    return !F.Name.empty() && IsNearer(F.NameAt, Body.NameAt);
  });
}

Finding &opsig::reportCallOfItself(const KernelBody &Body, const FlowCall &Call,
                                   const OwnOperator &Own, UnitFiles &Files, Findings &Diags) {
  Place At = Files.place(*Body.Unit, Call.At);
  bool IsInHelper = isInHelper(Body, Call);
  Finding &Diag = Diags.report(finding::KernelCallsItself,
                               IsInHelper ? Files.place(*Body.Unit, Body.NameAt) : At,
                               "{0} calls its own operator '{1}' with unchanged arguments, which "
                               "causes infinite recursion through the dispatcher",
                               Body.Shown, Own.Name);
  Diag.op(Own.Name);
  if (IsInHelper)
    Diag.note(At, "through this call");
  return Diag;
}
