//===- StaticDispatch.cpp - Calls that bypass the dispatcher ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/StaticDispatchInternal.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template ReturnText = "return ${namespace}::${key}::${call};";
constexpr Template UnsupportedText =
    R"(TORCH_CHECK(false, "Static dispatch does not support ${name} for${keys} ");)";

// Several backends have a kernel: the arguments choose.
constexpr Template SwitchText = R"(

    DispatchKeySet _dk_set = ${if options}DispatchKeySet(c10::computeDispatchKey(dtype, layout, device))${end}${if both} | ${end}${if tensors}c10::detail::multi_dispatch_key_set(${tensors})${end};
		DispatchKey _dk = c10::highestPriorityBackendTypeId(_dk_set);
    switch (_dk) {
        ${=cases}
        default:
            ${=fallback}
    }
    )";
constexpr Template CaseText = "case DispatchKey::${key}:\n\t\t\t${call};";

/// Where a call goes that no backend serves, the first that the function has a kernel for.
constexpr DispatchKey Fallbacks[] = {
    DispatchKey::CompositeExplicitAutograd, DispatchKey::CompositeExplicitAutogradNonFunctional,
    DispatchKey::CompositeImplicitAutograd, DispatchKey::CompositeImplicitAutogradNestedTensor};

std::optional<DispatchKey> fallbackOf(const NativeFunction &F) {
  for (DispatchKey Key : Fallbacks)
    if (F.hasKernel(Key))
      return Key;
  return std::nullopt;
}

/// The memory format of functions with tensor options goes by a name of its own in the C++ API, and
/// so it must on the caller's side.
std::vector<Binding> withRedundantMemoryFormat(std::vector<Binding> Have, ArrayRef<Binding> Want) {
  if (any_of(Want, [](const Binding &B) { return B.Type.PossiblyRedundantMemoryFormat; }))
    for (Binding &B : Have)
      if (B.Name == "memory_format")
        B.Type.PossiblyRedundantMemoryFormat = true;
  return Have;
}

} // namespace

StaticDispatch::StaticDispatch(ArrayRef<DispatchKey> Keys, const Operators &Ops) {
  for (DispatchKey Key : Keys) {
    const BackendIndex *Index = Ops.index(Key);
    Backends.push_back({Index ? Key : DispatchKey::Undefined, Index,
                        Index && is_contained(Ops.D->Keys.Structured, Key)});
  }
}

StaticDispatch::Plan StaticDispatch::plan(const NativeFunction &F) const {
  if (F.ManualKernelRegistration)
    return {Plan::Shape::Nothing, {}, std::nullopt};
  Plan P{Plan::Shape::Unsupported, {}, fallbackOf(F)};
  for (const Backend &B : Backends)
    if (B.serves(F))
      P.Serving.push_back(&B);
  if (P.Serving.size() == 1)
    P.Is = Plan::Shape::Backend;
  else if (!P.Serving.empty())
    P.Is = Plan::Shape::Choice;
  else if (P.Fallback)
    P.Is = Plan::Shape::Fallback;
  return P;
}

//===-- Calls ---------------------------------------------------------------===//

std::string StaticDispatch::backendCall(const Backend &B, const NativeFunction &F,
                                        StringRef Call) const {
  const KernelEntry *Kernel = B.kernel(F);
  bool Own = Kernel && !Kernel->CppNamespace.empty();
  return printed<ReturnText>("namespace"_hole =
                                 Own ? without("::native", Kernel->CppNamespace) : "at",
                             "key"_hole = toLower(B.Key), "call"_hole = Call);
}

std::string StaticDispatch::fallbackCall(std::optional<DispatchKey> Fallback, StringRef Name,
                                         StringRef Call) const {
  if (Fallback)
    return printed<ReturnText>("namespace"_hole = "at", "key"_hole = toLower(*Fallback),
                               "call"_hole = Call);
  return printed<UnsupportedText>(
      "name"_hole = Name,
      "keys"_hole = each(Backends, [](const Backend &B) { return toString(B.Key); }));
}

StaticCall StaticDispatch::callBody(const OperatorApi &Api, Findings &Diags) const {
  const NativeFunction &F = Api.function();
  const Dialect &D = Api.dialect();
  if (Backends.empty())
    return std::nullopt;
  Plan P = plan(F);
  if (P.Is == Plan::Shape::Nothing)
    return "";

  Signature Target = cppSignature(F, {.SymInt = F.hasSymInt(D)}, Api.lowering());
  FirstError Failed;
  std::string Args = argumentsFor(
      Target.Params, withRedundantMemoryFormat(Api.signature().Params, Target.Params), D, Failed);
  if (Failed) {
    reportUnforwardable(F, *Failed.Why, Diags);
    return std::nullopt;
  }
  std::string Call = Target.Name + "(" + Args + ")";
  if (P.Is == Plan::Shape::Backend)
    return backendCall(*P.Serving.front(), F, Call);
  std::string Fallback = fallbackCall(P.Fallback, Target.Name, Call);
  if (P.Is != Plan::Shape::Choice)
    return Fallback;

  std::vector<std::string> Tensors;
  for (const Binding &B : Api.signature().Params)
    if (B.Arg && B.Arg->Ty.isTensorLike())
      Tensors.push_back(B.Name);
  bool Options = F.Schema.Args.hasTensorOptions();
  auto Case = [&](std::string &To, const Backend *B) {
    print<CaseText>(To, "key"_hole = toString(B->Key), "call"_hole = backendCall(*B, F, Call));
  };
  return printed<SwitchText>(
      "options"_hole = Options, "both"_hole = Options && !Tensors.empty(), "tensors"_hole = Tensors,
      "cases"_hole = each(P.Serving, Case, "\n\t\t"), "fallback"_hole = Fallback);
}

//===-- Headers -------------------------------------------------------------===//

std::string StaticDispatch::operatorIncludes(const NativeFunction &F) const {
  std::vector<std::string> Includes;
  if (F.ManualKernelRegistration)
    return "";
  for (const Backend &B : Backends) {
    bool Own = F.StructuredDelegate || B.kernel(F);
    if (std::optional<DispatchKey> Key = Own ? B.Key : fallbackOf(F))
      Includes.push_back(opInclude(F, dispatchSuffix(*Key)));
  }
  return llvm::join(Includes, "\n");
}

std::vector<std::string> StaticDispatch::functionsIncludes() const {
  std::vector<std::string> Includes;
  if (Backends.empty())
    return Includes;
  for (const Backend &B : Backends)
    Includes.push_back(functionsInclude(B.Key));
  // All keys that may be fallen back to, in the order in which torchgen lists them.
  for (DispatchKey Key :
       {DispatchKey::CompositeImplicitAutograd, DispatchKey::CompositeImplicitAutogradNestedTensor,
        DispatchKey::CompositeExplicitAutograd,
        DispatchKey::CompositeExplicitAutogradNonFunctional})
    Includes.push_back(functionsInclude(Key));
  return Includes;
}

} // namespace opsig
