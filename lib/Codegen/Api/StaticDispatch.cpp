//===- StaticDispatch.cpp - Calls that bypass the dispatcher ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/StaticDispatchInternal.h"
#include "Print/NamespacesInternal.h"
#include "opsig/Signature/Translate.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template ReturnText = "return ${namespace}::${key}::${call};";
constexpr Template UnsupportedText =
    R"(TORCH_CHECK(false, "Static dispatch does not support ${name} for${keys} ");)";

// Several backends have a kernel: the arguments choose.
constexpr Template SwitchText = R"(

    DispatchKeySet _dk_set = ${key_sets};
		DispatchKey _dk = c10::highestPriorityBackendTypeId(_dk_set);
    switch (_dk) {
        ${=cases}
        default:
            ${=fallback}
    }
    )";
constexpr Template CaseText = "case DispatchKey::${key}:\n\t\t\t${call};";
constexpr StringLiteral CaseSeparator = "\n\t\t";
constexpr StringLiteral KeySetOfOptions =
    "DispatchKeySet(c10::computeDispatchKey(dtype, layout, device))";
constexpr Template KeySetOfTensorsText = "c10::detail::multi_dispatch_key_set(${tensors})";

constexpr Template OperatorIncludeText = "#include <ATen/ops/${name}_${key}_dispatch.h>";
constexpr Template FunctionsIncludeText = "#include <ATen/${key}Functions.h>";

constexpr StringLiteral DefaultNamespace = "at";

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

std::string keySets(const OperatorApi &Api) {
  std::vector<std::string> Sets, Tensors;
  if (Api.function().Schema.Args.hasTensorOptions())
    Sets.push_back(KeySetOfOptions.str());
  for (const Binding &B : Api.signature().Params)
    if (B.Arg && B.Arg->Ty.isTensorLike())
      Tensors.push_back(B.Name);
  if (!Tensors.empty())
    Sets.push_back(printed<KeySetOfTensorsText>("tensors"_hole = llvm::join(Tensors, ", ")));
  return llvm::join(Sets, " | ");
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
  std::string Namespace = DefaultNamespace.str();
  if (const KernelEntry *Kernel = B.kernel(F); Kernel && !Kernel->CppNamespace.empty())
    Namespace = withoutNative(Kernel->CppNamespace);
  return printed<ReturnText>("namespace"_hole = Namespace, "key"_hole = toLower(B.Key),
                             "call"_hole = Call);
}

std::string StaticDispatch::fallbackCall(std::optional<DispatchKey> Fallback, StringRef Name,
                                         StringRef Call) const {
  if (Fallback)
    return printed<ReturnText>("namespace"_hole = DefaultNamespace, "key"_hole = toLower(*Fallback),
                               "call"_hole = Call);
  std::vector<StringRef> Keys;
  for (const Backend &B : Backends)
    Keys.push_back(toString(B.Key));
  return printed<UnsupportedText>("name"_hole = Name, "keys"_hole = llvm::join(Keys, ", "));
}

std::optional<std::string> StaticDispatch::callBody(const OperatorApi &Api,
                                                    Diagnostics &Diags) const {
  const NativeFunction &F = Api.function();
  const Dialect &D = Api.dialect();
  if (Backends.empty())
    return std::nullopt;
  Plan P = plan(F);
  if (P.Is == Plan::Shape::Nothing)
    return "";

  CppForm Form{.SymInt = F.hasSymInt(D)};
  Signature Target = cppSignature(F, Form, Api.lowering());
  Expected<std::vector<Expr>> Args =
      translate(withRedundantMemoryFormat(Api.signature().Params, Target.Params), Target.Params, D);
  if (!Args) {
    reportUnforwardable(F, Args.takeError(), Diags);
    return std::nullopt;
  }
  std::string Call = Target.Name + "(" + join(*Args) + ")";

  if (P.Is == Plan::Shape::Backend)
    return backendCall(*P.Serving.front(), F, Call);
  std::string Fallback = fallbackCall(P.Fallback, Target.Name, Call);
  if (P.Is != Plan::Shape::Choice)
    return Fallback;

  std::vector<std::string> Cases;
  for (const Backend *B : P.Serving)
    Cases.push_back(
        printed<CaseText>("key"_hole = toString(B->Key), "call"_hole = backendCall(*B, F, Call)));
  return printed<SwitchText>("key_sets"_hole = keySets(Api),
                             "cases"_hole = llvm::join(Cases, CaseSeparator),
                             "fallback"_hole = Fallback);
}

//===-- Headers -------------------------------------------------------------===//

std::string StaticDispatch::operatorIncludes(const NativeFunction &F) const {
  std::vector<std::string> Includes;
  if (F.ManualKernelRegistration)
    return "";
  for (const Backend &B : Backends) {
    bool Own = F.StructuredDelegate || B.kernel(F);
    if (std::optional<DispatchKey> Key = Own ? B.Key : fallbackOf(F))
      Includes.push_back(
          printed<OperatorIncludeText>("name"_hole = F.rootName(), "key"_hole = toLower(*Key)));
  }
  return llvm::join(Includes, "\n");
}

std::vector<std::string> StaticDispatch::functionsIncludes() const {
  // All keys that may be fallen back to, in the order in which torchgen lists them.
  constexpr DispatchKey Composites[] = {
      DispatchKey::CompositeImplicitAutograd, DispatchKey::CompositeImplicitAutogradNestedTensor,
      DispatchKey::CompositeExplicitAutograd, DispatchKey::CompositeExplicitAutogradNonFunctional};
  std::vector<std::string> Includes;
  if (Backends.empty())
    return Includes;
  for (const Backend &B : Backends)
    Includes.push_back(printed<FunctionsIncludeText>("key"_hole = toString(B.Key)));
  for (DispatchKey Key : Composites)
    Includes.push_back(printed<FunctionsIncludeText>("key"_hole = toString(Key)));
  return Includes;
}

} // namespace opsig
