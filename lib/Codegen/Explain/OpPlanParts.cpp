//===- OpPlanParts.cpp - What the smaller families have for an operator -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Explain/OpPlanInternal.h"
#include "opsig/Signature/Functionalization.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringLiteral None = "none";

/// Adds the parts of one function, family by family.
class Parts {
public:
  Parts(const NativeFunction &F, const OpPlanner::Context &C) : F(F), C(C), D(C.D) {}

  std::vector<PlannedPart> all() {
    addApi();
    addFunctionalization();
    addComposites();
    addStaticDispatch();
    addVmap();
    addBackendSelect();
    addUfuncs();
    addShims();
    return std::move(Result);
  }

private:
  void add(const Twine &Family, StringRef Kind, std::string What = "", std::string Why = "") {
    Result.push_back({Family.str(), Kind, std::move(What), std::move(Why)});
  }
  void addNone(const Twine &Family, Nothing Why) { add(Family, None, "", Why.Why.str()); }

  void addApi();
  void addFunctionalization();
  void addKernel(const FunctionalizationItem &Item);
  void addComposites();
  void addStaticDispatch();
  void addVmap();
  void addBackendSelect();
  void addUfuncs();
  void addShims();

  const NativeFunction &F;
  const OpPlanner::Context &C;
  const Dialect &D;
  std::vector<PlannedPart> Result;
};

//===-- The C++ API ---------------------------------------------------------===//

void Parts::addApi() {
  OperatorApi Api(F, D);
  std::string Name = cppName(F.Schema);
  add("api", "operator", "at::_ops::" + F.Schema.Name.unambiguous());
  if (F.IsFunctionVariant)
    add("function", "function", "at::" + Name);
  else
    addNone("function", {"it is a method only (variants)"});
  if (Api.hasSymIntTemplates())
    add("function-symint", "templates", "at::symint::" + Name);
  if (F.IsMethodVariant)
    add("method", "method", "at::Tensor::" + Name);
  else
    addNone("method", {"'method' is not among its variants"});
}

//===-- Functionalization ---------------------------------------------------===//

/// By FunctionalizationKernel::Shape.
constexpr StringLiteral KernelKinds[] = {"view", "inplace-view", "mutation"};
/// By CompositeKernel::Shape.
constexpr StringLiteral CompositeKinds[] = {"view-copy", "functional", "out"};
/// By Plumbing.
constexpr StringLiteral PlumbingKinds[] = {"no-returns", "inplace", "functional"};

/// How a kernel gets by without what it stands for.
std::string substitute(const FunctionalizationKernel &K, const Dialect &D) {
  if (K.Group)
    return "calls " + K.Group->Functional->Schema.Name.str();
  if (D.Functionalization.Views == ViewRecord::Classes)
    return "recorded by " +
           viewMetaClass(*K.ViewGroup, *K.Function, Lowering::of(*K.Function, D)).Name;
  return "recorded by lambdas";
}

void Parts::addKernel(const FunctionalizationItem &Item) {
  for (const FunctionalizationKernel &K : planKernels(Item))
    if (K.Function == &F)
      add("functionalization-kernel", KernelKinds[unsigned(K.Is)],
          "at::functionalization::" + functionalizationName(F.Schema), substitute(K, D));
  const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item);
  if (G && (*G)->View == &F && hasInverse(**G))
    add("view-inverse", "declared", viewInverseSignature(**G, Lowering::of(F, D)).Name);
}

void Parts::addFunctionalization() {
  std::optional<Nothing> Why;
  bool HasEntry = false;
  for (const FunctionalizationItem &Item : C.ItemsOf.find(&F)->second) {
    if (std::optional<FunctionalizationProblem> Problem = whyNotFunctionalized(Item, D)) {
      add("functionalization", "impossible", "", Problem->Why);
      return;
    }
    addKernel(Item);
    auto Plan = planEntry(F, Item, D);
    if (const auto *Entry = std::get_if<FunctionalizationEntry>(&Plan)) {
      HasEntry = true;
      if (Entry->Composite)
        add("functionalization", "composite", "at::native::" + Entry->Composite->Kernel);
      else
        add("functionalization", "kernel",
            "at::functionalization::" + functionalizationName(F.Schema));
    } else if (!Why || Why->Why == WritesNothing) {
      Why = std::get<Nothing>(Plan);
    }
  }
  if (!HasEntry)
    addNone("functionalization", *Why);
}

void Parts::addComposites() {
  for (const FunctionalizationItem &Item : C.ItemsOf.find(&F)->second)
    for (const CompositeKernel &K : planComposites(Item, D))
      if (K.Function == &F)
        add("composite-kernel", CompositeKinds[unsigned(K.Is)], "CompositeViewCopyKernels.cpp");
}

//===-- Calls past the dispatcher -------------------------------------------===//

void Parts::addStaticDispatch() {
  if (!C.Static)
    return;
  using Shape = StaticDispatch::Plan::Shape;
  StaticDispatch::Plan P = C.Static.plan(F);
  auto Of = [](DispatchKey Key) { return "at::" + toLower(Key); };
  std::vector<std::string> Serving;
  for (const StaticDispatch::Backend *B : P.Serving)
    Serving.push_back(Of(B->Key));
  switch (P.Is) {
  case Shape::Nothing:
    return addNone("static-dispatch", {"it is registered by hand"});
  case Shape::Backend:
    return add("static-dispatch", "backend", Serving.front());
  case Shape::Choice:
    return add("static-dispatch", "choice", llvm::join(Serving, ", "), "the arguments choose");
  case Shape::Fallback:
    return add("static-dispatch", "fallback", Of(*P.Fallback), "no key of the build serves it");
  case Shape::Unsupported:
    return add("static-dispatch", "unsupported", "", "no key of the build serves it");
  }
}

//===-- Small families ------------------------------------------------------===//

void Parts::addVmap() {
  auto Plan = planPlumbing(F, D);
  if (const auto *Why = std::get_if<Nothing>(&Plan))
    return addNone("vmap", *Why);
  add("vmap", PlumbingKinds[unsigned(std::get<Plumbing>(Plan))]);
}

void Parts::addBackendSelect() {
  auto Plan = planBackendSelect(F, C.In.Selected);
  if (const auto *Why = std::get_if<Nothing>(&Plan))
    return addNone("backend-select", *Why);
  bool Tensors = std::get<BackendSelect>(Plan) == BackendSelect::ByOptionsAndTensors;
  add("backend-select", Tensors ? "by-options-and-tensors" : "by-options");
}

void Parts::addUfuncs() {
  const FunctionOrGroup &G = C.groupOf(F);
  for (DispatchKey Key : planUfuncs(G, C.In.Keys)) {
    const auto &Group = std::get<NativeFunctionsGroup>(G);
    std::string Op = Group.Functional->Schema.Name.Name.str();
    add("ufunc-" + toLower(Key), "files", llvm::join(ufuncFileNames(Op, Key), ", "));
  }
}

//===-- Shims ---------------------------------------------------------------===//

void Parts::addShims() {
  for (const ShimFile &File : C.Shims) {
    std::string Family = "shim-" + File.device();
    std::vector<std::string> Names;
    std::optional<DispatchKey> By;
    for (const Shim &S : File.Shims)
      if (S.Function == &F) {
        Names.push_back("aoti_torch_" + File.device() + "_" + S.Name);
        By = S.Calls;
      }
    auto Without = find_if(File.Without, [&](const auto &W) { return W.first == &F; });
    if (!Names.empty())
      add(Family, "shim", llvm::join(Names, ", "),
          By ? ("by way of " + toString(*By)).str() : "by way of the dispatcher");
    else if (Without != File.Without.end())
      addNone(Family, Without->second);
    else
      addNone(Family, {"it is not on the release's list"});
  }
}

} // namespace

std::vector<PlannedPart> planParts(const NativeFunction &F, const OpPlanner::Context &C) {
  return Parts(F, C).all();
}

} // namespace opsig
