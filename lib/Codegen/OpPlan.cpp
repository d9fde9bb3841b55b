//===- OpPlan.cpp - What is generated for an operator, and why --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Aoti/AotiShimsInternal.h"
#include "Api/FamilyPlansInternal.h"
#include "Api/StaticDispatchInternal.h"
#include "Functionalize/FunctionalizationInternal.h"
#include "Register/RegistrationPlanInternal.h"
#include "Ufunc/UfuncInternal.h"
#include "opsig/Codegen/OpPlan.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "opsig/Signature/Functionalization.h"
#include <map>

using namespace llvm;

namespace opsig {

//===-- What is looked up ---------------------------------------------------===//

struct OpPlanner::Context {
  Context(const AtenInput &In, ArrayRef<ExternalBackend> Backends);

  const FunctionOrGroup &groupOf(const NativeFunction &F) const {
    return *GroupOf.find(&F)->second;
  }

  const AtenInput &In;
  const Dialect &D;
  ArrayRef<ExternalBackend> Backends;
  StaticDispatch Static;
  std::vector<ShimFile> Shims;
  DenseMap<const NativeFunction *, const FunctionOrGroup *> GroupOf;
  StringMap<std::vector<const FunctionOrGroup *>> RootGroups;
  /// A copying view stands in its group and in that of its view.
  DenseMap<const NativeFunction *, std::vector<FunctionalizationItem>> ItemsOf;
};

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
    if (Item.ViewGroup && Item.ViewGroup->ViewInplace)
      ItemsOf[Item.ViewGroup->ViewInplace].push_back(Item);
  }
}

OpPlanner::OpPlanner(const AtenInput &In, ArrayRef<ExternalBackend> Backends)
    : C(std::make_unique<Context>(In, Backends)) {}
OpPlanner::~OpPlanner() = default;

//===-- Registrations -------------------------------------------------------===//

namespace {

/// "ATen/ops/add_native.h"
std::string opHeader(const NativeFunction &F, StringRef Suffix) {
  return ("ATen/ops/" + F.rootName() + Suffix + ".h").str();
}

std::string quoted(const NativeFunction &F) { return "'" + F.Schema.Name.str() + "'"; }

/// By Unregistered.
constexpr StringLiteral Reasons[] = {
    "it is registered by hand (manual_kernel_registration)",
    "no kernel is listed for it or for a variant to generate it from",
    "no kernel is listed for it, but it has a composite one", "no operator has a kernel there",
    "each backend defines the out variant of its structured group"};

/// By StructuredKernel::Then.
constexpr StringLiteral StructuredKinds[] = {"structured-meta", "structured-call-out",
                                             "structured-impl"};

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
    PlannedRegistration R = planned(std::get<KeyFunction>(std::move(By)), {Index, C.D});
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
    R.Kind = StructuredKinds[unsigned(K.After)];
    R.Calls = K.After == StructuredKernel::Then::CallOut ? K.Group->Out->Schema.Name.str()
                                                         : K.ParentClass;
    if (K.After == StructuredKernel::Then::Nothing)
      R.DeclaredIn = opHeader(*K.Group->Out, "_meta");
    if (K.After != StructuredKernel::Then::Impl)
      return;
    const KernelEntry &Kernel = *Index.kernel(K.Group->primary(Index));
    R.DeclaredIn = declaredIn(Kernel);
    R.Why += ", which lists a kernel";
    R.At = Kernel.At;
  }

  void fillIn(PlannedRegistration &R, const Wrapper &W, const KeyCode &Code) const {
    R.At = W.Kernel ? W.Kernel->At : Place();
    if (W.Kind == WrapperKind::CallKernel) {
      R.Kind = "wrapper";
      R.Calls = Code.Callee;
      R.DeclaredIn = declaredIn(*W.Kernel);
      R.Why = R.At.isValid() ? "its dispatch table lists it" : "it is implied by the entry";
      return;
    }
    bool Copies = W.Kind == WrapperKind::CopyFromFunctional;
    R.Kind = Copies ? "copy-from-functional" : "return-self";
    R.Calls = Copies ? W.Functional->Schema.Name.str() : "";
    R.Devices = DeviceHandling();
    R.Why = Copies ? "only " + quoted(*W.Functional) + " has a kernel"
                   : "it has no kernel that computes shapes, and an in-place function keeps the "
                     "shape of self";
  }

  std::string declaredIn(const KernelEntry &Kernel) const {
    return planDeclaration(Kernel) == KernelDeclaration::Elsewhere ? "" : opHeader(F, "_native");
  }

  const NativeFunction &F;
  const OpPlanner::Context &C;
  OpPlan &Plan;
  std::map<Unregistered, std::vector<DispatchKey>> Without;
};

//===-- What the smaller families have --------------------------------------===//

constexpr StringLiteral None = "none";
/// By FunctionalizationKernel::Shape.
constexpr StringLiteral KernelKinds[] = {"view", "inplace-view", "mutation"};
/// By CompositeKernel::Shape.
constexpr StringLiteral CompositeKinds[] = {"view-copy", "functional", "out"};
/// By Plumbing.
constexpr StringLiteral PlumbingKinds[] = {"no-returns", "inplace", "functional"};
/// By BackendSelect.
constexpr StringLiteral SelectKinds[] = {"by-options", "by-options-and-tensors"};

/// How a kernel gets by without what it stands for.
std::string substitute(const FunctionalizationKernel &K, const Dialect &D) {
  if (K.Group)
    return "calls " + K.Group->Functional->Schema.Name.str();
  if (D.Functionalization.Views == ViewRecord::Classes)
    return "recorded by " +
           viewMetaClass(*K.ViewGroup, *K.Function, Lowering::of(*K.Function, D)).Name;
  return "recorded by lambdas";
}

/// Adds the parts of one function, family by family.
class Parts {
public:
  Parts(const NativeFunction &F, const OpPlanner::Context &C) : F(F), C(C), D(C.D) {}

  std::vector<PlannedPart> all() {
    addApi();
    addFunctionalization();
    addComposites();
    addStaticDispatch();
    add("vmap", planPlumbing(F, D), PlumbingKinds);
    add("backend-select", planBackendSelect(F, C.In.Selected), SelectKinds);
    addUfuncs();
    addShims();
    return std::move(Result);
  }

private:
  void add(const Twine &Family, StringRef Kind, std::string What = "", std::string Why = "") {
    Result.push_back({Family.str(), Kind, std::move(What), std::move(Why)});
  }
  void addNone(const Twine &Family, Nothing Why) { add(Family, None, "", Why.Why.str()); }
  template <typename T>
  void add(StringRef Family, const std::variant<T, Nothing> &Plan, ArrayRef<StringLiteral> Kinds) {
    if (const auto *Why = std::get_if<Nothing>(&Plan))
      return addNone(Family, *Why);
    add(Family, Kinds[unsigned(std::get<T>(Plan))]);
  }

  //===-- The C++ API -----------------------------------------------------===//

  void addApi() {
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

  //===-- Functionalization -----------------------------------------------===//

  void addKernel(const FunctionalizationItem &Item) {
    for (const FunctionalizationKernel &K : planKernels(Item))
      if (K.Function == &F)
        add("functionalization-kernel", KernelKinds[unsigned(K.Is)],
            "at::functionalization::" + functionalizationName(F.Schema), substitute(K, D));
    const NativeFunctionsViewGroup *G = Item.ViewGroup;
    if (G && G->View == &F && hasInverse(*G))
      add("view-inverse", "declared", viewInverseSignature(*G, Lowering::of(F, D)).Name);
  }

  void addFunctionalization() {
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

  void addComposites() {
    for (const FunctionalizationItem &Item : C.ItemsOf.find(&F)->second)
      for (const CompositeKernel &K : planComposites(Item, D))
        if (K.Function == &F)
          add("composite-kernel", CompositeKinds[unsigned(K.Is)], "CompositeViewCopyKernels.cpp");
  }

  //===-- Calls past the dispatcher ---------------------------------------===//

  void addStaticDispatch() {
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
      return add("static-dispatch", "fallback", Of(*P.Fallback),
                 "no key of the build has a kernel for it");
    case Shape::Unsupported:
      return add("static-dispatch", "unsupported", "", "no key of the build has a kernel for it");
    }
  }

  //===-- Small families --------------------------------------------------===//

  void addUfuncs() {
    const FunctionOrGroup &G = C.groupOf(F);
    for (DispatchKey Key : planUfuncs(G, C.In.Keys)) {
      const auto &Group = std::get<NativeFunctionsGroup>(G);
      std::string Op = Group.Functional->Schema.Name.Name.str();
      add("ufunc-" + toLower(Key), "files", llvm::join(ufuncFileNames(Op, Key), ", "));
    }
  }

  //===-- Shims -----------------------------------------------------------===//

  void addShims() {
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
            By ? ("by way of " + toString(*By)).str() : "through the dispatcher");
      else if (Without != File.Without.end())
        addNone(Family, Without->second);
      else
        addNone(Family, {"it is not on the release's list"});
    }
  }

  const NativeFunction &F;
  const OpPlanner::Context &C;
  const Dialect &D;
  std::vector<PlannedPart> Result;
};

//===-- Headers -------------------------------------------------------------===//

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
  Plan.Parts = Parts(F, *C).all();
  Plan.Headers = headersOf(F, *C);
  return Plan;
}

} // namespace opsig
