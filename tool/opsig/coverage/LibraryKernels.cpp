//===- LibraryKernels.cpp - What PyTorch and a backend's YAML register -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage/LibraryKernels.h"
#include "gen/AtenKeys.h"
#include "opsig/Check/BackendKernels.h"
#include "opsig/Check/Check.h"
#include "opsig/Codegen/OpPlan.h"
#include "opsig/Coverage/SourceKernels.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Operators/CustomOperators.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {

namespace {

//===-- PyTorch -------------------------------------------------------------===//

/// The kernels of one operator after the other.
class LibraryKernels {
public:
  LibraryKernels(const LoadedSchemas &Schemas, const Derivatives *Formulas,
                 llvm::ArrayRef<std::string> Without, CoverageInput &Input)
      : Facts(Schemas.Ops->D->Table), D(*Schemas.Ops->D), Files(Schemas.Files), Formulas(Formulas),
        Without(Without), Input(Input) {}

  void add(const NativeFunction &F, const OpPlan &Plan) {
    CoveredOperator Op{qualifiedName(F), {}};
    for (const PlannedRegistration &R : Plan.Registrations)
      if (std::optional<KeyId> Key = Input.Keys.find(toString(R.Key)); Key && isBuilt(R.Key))
        Op.Kernels.set(*Key, kernel(Service::Library, R.Calls, R.At.isValid() ? R.At : F.Entry));
    addGenerated(F, Plan, Op);
    Input.Operators.push_back(std::move(Op));
  }

private:
  /// What is generated for operators by rules.
  void addGenerated(const NativeFunction &F, const OpPlan &Plan, CoveredOperator &Op) {
    std::string Name = F.Schema.Name.str();
    auto Register = [&](llvm::StringRef Key, Service Is, const char *What) {
      if (std::optional<KeyId> Slot = Input.Keys.find(Key))
        Op.Kernels.set(*Slot, kernel(Is, What, F.Entry));
    };
    if (has(Plan, "functionalization") || llvm::is_contained(Facts.AlsoFunctionalized, Name))
      Register("Functionalize", Service::Library, "functionalization");
    if (has(Plan, "backend-select") || llvm::is_contained(Facts.AlsoBackendSelected, Name))
      Register("BackendSelect", Service::Library, "backend selection");
    bool IsTraced = !llvm::is_contained(Facts.NotTraced, Name);
    Register("Tracer", IsTraced ? Service::Library : Service::Fallthrough, "tracing");
    if (!F.IsAbstract)
      return;
    if (!llvm::is_contained(Facts.NoAutograd, Name))
      Register("Autograd", autograd(F), "PyTorch's autograd");
    bool Changes = F.kind() == SchemaKind::Inplace || F.kind() == SchemaKind::Out || F.isViewOp(D);
    if (Changes && !F.Schema.Returns.empty() && !llvm::is_contained(Facts.NoInplaceOrView, Name))
      Register("ADInplaceOrView", Service::Library, "version counters and views");
  }

  Service autograd(const NativeFunction &F) const {
    if (!Formulas)
      return Service::Autograd;
    return Formulas->hasFormula(F) ? Service::Formula : Service::NoFormula;
  }

  static bool has(const OpPlan &Plan, llvm::StringRef Family) {
    return llvm::any_of(Plan.Parts, [&](const PlannedPart &Part) {
      return Part.Family == Family && Part.Kind != "none" && Part.Kind != "impossible";
    });
  }

  bool isBuilt(DispatchKey Key) const {
    return llvm::none_of(Without,
                         [&](llvm::StringRef Device) { return toString(Key).ends_with(Device); });
  }

  KernelId kernel(Service Is, llvm::StringRef Name, const Place &At) {
    CoveredKernel Kernel{Is, Name.str(), ""};
    setPlace(Kernel, At, Files);
    return Input.add(std::move(Kernel));
  }

  const DispatchTableTraits &Facts;
  const Dialect &D;
  const SourceFiles &Files;
  const Derivatives *Formulas;
  llvm::ArrayRef<std::string> Without;
  CoverageInput &Input;
};

//===-- Backends ------------------------------------------------------------===//

/// Definitions of a backend's kernels, or else declarations, by function and key.
class KernelPlaces {
public:
  KernelPlaces(const LoadedSchemas &Schemas, llvm::ArrayRef<UnitFacts> Units, UnitFiles &Files) {
    std::vector<ExpectedKernel> Expected = expectedKernels(*Schemas.Ops, Schemas.Backends);
    for (const BackendKernels &Class : findBackendKernels(Expected, Units, Files)) {
      for (const Match &M : Class.Declarations)
        add(M, Files);
      for (const Match &M : Class.Definitions)
        add(M, Files);
    }
  }

  Place find(const NativeFunction &F, DispatchKey Key) const {
    auto It = Places.find({&F, Key});
    return It == Places.end() ? Place() : It->second;
  }

private:
  void add(const Match &M, UnitFiles &Files) {
    Places[{M.Expected->Function, M.Expected->Key}] =
        Files.place(*M.Kernel.Unit, M.Kernel.Decl->NameAt);
  }

  std::map<std::pair<const NativeFunction *, DispatchKey>, Place> Places;
};

class BackendJoin {
public:
  BackendJoin(const LoadedSchemas &Schemas, const KernelPlaces &Places, const SourceFiles &Files,
              CoverageInput &Input)
      : Schemas(Schemas), Places(Places), Files(Files), Input(Input) {
    for (CoveredOperator &Op : Input.Operators)
      ByName[Op.Name] = &Op;
    for (const NativeFunction &F : Schemas.Ops->Functions)
      if (F.StructuredDelegate)
        Delegates[F.StructuredDelegate->str()].push_back(&F);
  }

  void add(const ExternalBackend &Backend, const BackendIndex &Index) {
    std::optional<KeyId> Key = Input.Keys.find(toString(Index.Key));
    if (!Key)
      return;
    for (const Wrapper &W : planWrappers(*Schemas.Ops, Index)) {
      CoveredKernel Kernel;
      Place At = W.Kernel->At;
      if (W.Kind == WrapperKind::CallKernel) {
        Kernel.Is = Service::Own;
        Kernel.Name = Backend.CppNamespace + "::" + Backend.ClassName + "::" + W.Kernel->Kernel;
        if (Place Defined = Places.find(*W.Function, Index.Key); Defined.isValid())
          At = Defined;
      } else {
        Kernel.Is = Service::Wrapper;
        Kernel.Name = "copies the result of '" + W.Functional->Schema.Name.str() + "'";
      }
      setPlace(Kernel, At, Files);
      add(qualifiedName(*W.Function), *Key, std::move(Kernel));
    }
  }

  /// The kernels of a fork's YAML, of whose wrappers nothing is known but that a structured kernel
  /// serves its group.
  void addListed(const ExternalBackend &Backend, const ExternalBackend::Kernels &Of) {
    std::optional<KeyId> Key = Input.Keys.find(toString(Of.Index->Key));
    if (!Key)
      return;
    for (const BackendOp &Op : Of.Ops) {
      const KernelEntry &Entry = *Of.Index->kernel(*Op.Function);
      CoveredKernel Kernel;
      Kernel.Is = Service::Own;
      Kernel.Name = Entry.Structured
                        ? Backend.StructuredScope + "::structured_" + Entry.Kernel
                        : Backend.CppNamespace + "::" + Backend.ClassName + "::" + Entry.Kernel;
      Place Defined = Places.find(*Op.Function, Of.Index->Key);
      setPlace(Kernel, Defined.isValid() ? Defined : Op.At, Files);
      if (Entry.Structured)
        addGroup(*Op.Function, *Key, Kernel);
      add(qualifiedName(*Op.Function), *Key, std::move(Kernel));
    }
    for (const BackendOp &Op : Of.FromTorch) {
      CoveredKernel Kernel;
      Kernel.Is = Service::Wrapper;
      Kernel.Name = "calls PyTorch's kernel for CPU and CUDA";
      setPlace(Kernel, Op.At, Files);
      addGroup(*Op.Function, *Key, Kernel);
      add(qualifiedName(*Op.Function), *Key, std::move(Kernel));
    }
  }

private:
  /// The functional and the inplace variant of \p Out, which is structured.
  void addGroup(const NativeFunction &Out, KeyId Key, CoveredKernel Kernel) {
    Kernel.Is = Service::Wrapper;
    for (const NativeFunction *F : Delegates[Out.Schema.Name.str()])
      add(qualifiedName(*F), Key, Kernel);
  }

  /// In a dump the kernel is there, or it is not; what kind of kernel it is, the YAML knows.
  void add(const std::string &Name, KeyId Key, CoveredKernel Kernel) {
    CoveredOperator *Op = ByName.lookup(Name);
    if (!Op)
      return;
    KernelId Id = Input.add(std::move(Kernel));
    if (Op->Table.empty())
      Op->Kernels.set(Key, Id);
    else if (Op->Table[Key].By == ServedBy::Kernel)
      Op->Table[Key].Kernel = Id;
  }

  const LoadedSchemas &Schemas;
  const KernelPlaces &Places;
  const SourceFiles &Files;
  CoverageInput &Input;
  llvm::StringMap<CoveredOperator *> ByName;
  /// The other variants of structured out functions, by the names of those.
  llvm::StringMap<std::vector<const NativeFunction *>> Delegates;
};

/// Those that the YAML of backends defines itself.
void addCustomOperators(const LoadedSchemas &Schemas, CoverageInput &Input) {
  llvm::StringSet<> Known;
  for (const CoveredOperator &Op : Input.Operators)
    Known.insert(Op.Name);
  for (const ExternalBackend &Backend : Schemas.Backends)
    if (Backend.Custom)
      for (const NativeFunction &F : *Backend.Custom)
        if (Known.insert(qualifiedName(F)).second)
          Input.Operators.push_back({qualifiedName(F), {}, {}});
}

} // namespace

void addLibraryKernels(const LoadedSchemas &Schemas, const Derivatives *Formulas,
                       llvm::ArrayRef<std::string> Without, CoverageInput &Input) {
  const Operators &Ops = *Schemas.Ops;
  AtenOptions Options;
  TemplateSet Templates(TemplateOrigin::Embedded, Schemas.Files);
  Selector All = Selector::all();
  std::vector<DispatchKey> Keys(Ops.D->Keys.Dispatch.begin(), Ops.D->Keys.Dispatch.end());
  AtenInput In{Ops, Options, Templates, All, All, std::move(Keys), {}, {}};
  OpPlanner Planner(In, {});
  LibraryKernels Kernels(Schemas, Formulas, Without, Input);
  for (const NativeFunction &F : Ops.Functions)
    Kernels.add(F, Planner.plan(F));
}

void addBackendKernels(const LoadedSchemas &Schemas, llvm::ArrayRef<UnitFacts> Units,
                       UnitFiles &Files, CoverageInput &Input) {
  KernelPlaces Places(Schemas, Units, Files);
  addCustomOperators(Schemas, Input);
  BackendJoin Join(Schemas, Places, Files.sources(), Input);
  for (const ExternalBackend &Backend : Schemas.Backends)
    for (const ExternalBackend::Kernels &Of : Backend.kernels())
      if (Backend.Layout.empty())
        Join.add(Backend, *Of.Index);
      else
        Join.addListed(Backend, Of);
}

} // namespace opsig
