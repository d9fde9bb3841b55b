//===- OpPlan.cpp - What is generated for an operator, and why --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Explain/OpPlanInternal.h"
#include <map>

using namespace llvm;

namespace opsig {

//===-- What is looked up ---------------------------------------------------===//

OpPlanner::Context::Context(const AtenInput &In, ArrayRef<ExternalBackend> Backends)
    : In(In), D(In.dialect()), Backends(Backends), Static(In.StaticDispatch, In.Ops),
      Shims(planShimFiles(In)) {
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    for (const NativeFunction *F : functionsOf(G))
      GroupOf[F] = &G;
    RootGroups[rootName(G)].push_back(&G);
  }
  for (const FunctionalizationItem &Item : functionalizationItems(In.Ops)) {
    for (const NativeFunction *F : includedFunctions(Item))
      ItemsOf[F].push_back(Item);
    if (const auto *G = std::get_if<const NativeFunctionsViewGroup *>(&Item))
      if ((*G)->ViewInplace)
        ItemsOf[(*G)->ViewInplace].push_back(Item);
  }
}

OpPlanner::OpPlanner(const AtenInput &In, ArrayRef<ExternalBackend> Backends)
    : C(std::make_unique<Context>(In, Backends)) {}
OpPlanner::~OpPlanner() = default;

std::string opHeader(const NativeFunction &F, StringRef Suffix) {
  return ("ATen/ops/" + F.rootName() + Suffix + ".h").str();
}

//===-- Registrations -------------------------------------------------------===//

namespace {

std::string quoted(const NativeFunction &F) { return "'" + F.Schema.Name.str() + "'"; }

/// By Unregistered.
constexpr StringLiteral Reasons[] = {
    "it is registered by hand (manual_kernel_registration)",
    "no kernel is listed for it, nor for a form that it could be made of",
    "no kernel is listed for it, but it has a composite one", "no operator has a kernel there",
    "the out function of a structured group is what each backend defines"};

/// The registrations of one function, key by key.
class Registrations {
public:
  Registrations(const NativeFunction &F, const OpPlanner::Context &C, OpPlan &Plan)
      : F(F), C(C), Plan(Plan) {}

  void add() {
    for (DispatchKey Key : C.In.Keys)
      add(Key);
    for (const ExternalBackend &B : C.Backends)
      for (const auto *Index : {&B.Index, &B.AutogradIndex})
        if (*Index)
          addExternal(B, **Index);
    for (auto &[Why, Keys] : Without)
      Plan.Unregistered.push_back({Reasons[unsigned(Why)].str(), std::move(Keys)});
  }

private:
  void add(DispatchKey Key) {
    const BackendIndex &Index = indexOrNone(C.In, Key);
    auto By = planKeyFunction(F, C.groupOf(F), Index);
    if (const auto *Why = std::get_if<Unregistered>(&By)) {
      Without[*Why].push_back(Key);
      return;
    }
    WrapperContext Context{Index, C.D};
    PlannedRegistration R = std::holds_alternative<StructuredKernel>(By)
                                ? planned({&F, std::get<StructuredKernel>(By)}, Context)
                                : planned({&F, std::get<Wrapper>(By)}, Context);
    R.Key = Key;
    if (is_contained(C.In.FunctionKeys, Key))
      R.DirectHeader = opHeader(F, "_" + toLower(Key) + "_dispatch");
    Plan.Registrations.push_back(std::move(R));
  }

  void addExternal(const ExternalBackend &B, const BackendIndex &Index) {
    const auto *Group = std::get_if<NativeFunctionsGroup>(&C.groupOf(F));
    auto By = planWrapper(F, Group ? Group->Functional : nullptr, Index);
    if (const auto *Why = std::get_if<Unregistered>(&By)) {
      Without[*Why].push_back(Index.Key);
      return;
    }
    const auto &W = std::get<Wrapper>(By);
    PlannedRegistration R = planned({&F, W}, {Index, C.D, B.ClassName});
    if (W.Kind == WrapperKind::CallKernel)
      R.DeclaredIn = B.Backend + "NativeFunctions.h";
    Plan.Registrations.push_back(std::move(R));
  }

  PlannedRegistration planned(KeyFunction By, const WrapperContext &Context) const {
    FirstError Failed; // It is told where the code is made.
    KeyCode Code = planKeyCode(std::move(By), Context, Failed);
    PlannedRegistration R{.Key = Context.Index.Key};
    R.Wrapper = Code.Own.Name;
    R.Devices = Code.Devices;
    if (const auto *K = std::get_if<StructuredKernel>(&Code.For.By))
      fillIn(R, *K, Context.Index);
    else
      fillIn(R, std::get<Wrapper>(Code.For.By), Code);
    return R;
  }

  void fillIn(PlannedRegistration &R, const StructuredKernel &K, const BackendIndex &Index) const {
    R.Class = K.ClassName;
    R.Parent = K.ParentClass;
    // Wrappers of structured kernels leave the guard to the class.
    R.Devices.Guards = DeviceHandling::Guard::None;
    R.GuardsOutputs = guardsOutputs(Index.Key, C.In.dialect());
    R.Why = "it belongs to the structured group of " + quoted(*K.Group->Out);
    switch (K.After) {
    case StructuredKernel::Then::Nothing:
      R.Kind = "structured-meta";
      R.Calls = K.ParentClass;
      R.DeclaredIn = opHeader(*K.Group->Out, "_meta");
      break;
    case StructuredKernel::Then::CallOut:
      R.Kind = "structured-call-out";
      R.Calls = K.Group->Out->Schema.Name.str();
      break;
    case StructuredKernel::Then::Impl:
      R.Kind = "structured-impl";
      const KernelEntry &Kernel = *Index.kernel(K.Group->primary(Index));
      R.Calls = K.ParentClass;
      R.DeclaredIn = declaredIn(Kernel);
      R.Why += ", which lists a kernel";
      R.At = Kernel.At;
    }
  }

  void fillIn(PlannedRegistration &R, const Wrapper &W, const KeyCode &Code) const {
    R.At = W.Kernel ? W.Kernel->At : Place();
    switch (W.Kind) {
    case WrapperKind::CallKernel:
      R.Kind = "wrapper";
      R.Calls = Code.Callee;
      R.DeclaredIn = declaredIn(*W.Kernel);
      R.Why = R.At.isValid() ? "its dispatch table lists it" : "it is implied by the entry";
      return;
    case WrapperKind::CopyFromFunctional:
      R.Kind = "copy-from-functional";
      R.Calls = W.Functional->Schema.Name.str();
      R.Devices = DeviceHandling();
      R.Why = "only " + quoted(*W.Functional) + " has a kernel";
      return;
    case WrapperKind::ReturnSelf:
      R.Kind = "return-self";
      R.Devices = DeviceHandling();
      R.Why = "it has no kernel that computes shapes, and an inplace function keeps self's";
    }
  }

  std::string declaredIn(const KernelEntry &Kernel) const {
    return planDeclaration(Kernel) == KernelDeclaration::Elsewhere ? "" : opHeader(F, "_native");
  }

  const NativeFunction &F;
  const OpPlanner::Context &C;
  OpPlan &Plan;
  std::map<Unregistered, std::vector<DispatchKey>> Without;
};

/// The headers about the base name of \p F.
std::vector<std::string> headersOf(const NativeFunction &F, const OpPlanner::Context &C) {
  std::vector<std::string> Headers = {opHeader(F, ""), opHeader(F, "_ops"), opHeader(F, "_native")};
  ArrayRef<const FunctionOrGroup *> Groups = C.RootGroups.find(F.rootName())->second;
  if (!structuredGroups(Groups).empty())
    Headers.push_back(opHeader(F, "_meta"));
  for (DispatchKey Key : C.In.FunctionKeys) {
    const BackendIndex &Index = indexOrNone(C.In, Key);
    if (any_of(Groups,
               [&](const FunctionOrGroup *G) { return !planKeyFunctions(*G, Index).empty(); }))
      Headers.push_back(opHeader(F, "_" + toLower(Key) + "_dispatch"));
  }
  return Headers;
}

} // namespace

OpPlan OpPlanner::plan(const NativeFunction &F) const {
  OpPlan Plan{&F, {}, {}, {}, {}};
  Registrations(F, *C, Plan).add();
  Plan.Parts = planParts(F, *C);
  Plan.Headers = headersOf(F, *C);
  return Plan;
}

} // namespace opsig
