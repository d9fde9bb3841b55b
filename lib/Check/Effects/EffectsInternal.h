//===- EffectsInternal.h - What kernels do against what schemas say ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators => OperatorTable: what a call of one writes and returns      (OperatorTable.cpp)
// FunctionFlow* x OperatorTable => KernelEffects, parameter by parameter (FlowEffects.cpp)
//   x MarkedSchema => findings, with a confidence                        (Effects.cpp)
// FunctionFlow::Handed => calls of a kernel's own operator               (OwnCalls.cpp)
// AutogradFunction* => how many gradients there are                      (Gradients.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_EFFECTS_EFFECTSINTERNAL_H
#define OPSIG_LIB_CHECK_EFFECTS_EFFECTSINTERNAL_H

#include "Backend/BackendInternal.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Schema/Parse.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>

namespace opsig {

//===- What operators do -----------------------------------------------------===//

/// An argument that a return of an operator shares memory with.
struct SharedArgument {
  std::string Arg;
  /// Always: the operator makes no copy.
  bool Certain = true;
  /// It is the argument itself, no view of it.
  bool Same = true;
  /// It may be the argument itself: the operator returns it where it has nothing to do.
  bool MaySame = false;
  /// An element: of a tensor a view, but of a list the element itself.
  bool Element = false;
  /// The return is one tensor, so that its elements are views of it.
  bool OfTensor = false;
  /// It holds if the argument is a list, too; otherwise the operator copies a list.
  bool OfList = true;
};

struct CallEffect {
  /// Nothing is known of the callee.
  bool Known = false;
  std::string Name; ///< as it is called: "add_", "add_out"
  /// Names of arguments whose elements it writes, and of those of which it only changes size,
  /// strides or storage: that is seen through the same tensor, not through a view.
  std::vector<std::string> Written, Reshaped;
  std::vector<std::vector<SharedArgument>> Returns;
  /// Its arguments in their order, of an operator of the project's own, which calls name only in
  /// part.
  std::vector<std::string> Args;

  llvm::StringRef nameOf(const FlowArgument &A) const {
    return A.Param.empty() && A.Position < Args.size() ? Args[A.Position] : A.Param;
  }
};

/// By the alias annotations of an operator that the project or another package defines.
CallEffect effectOfSchema(const FunctionSchema &Schema);

/// The argument that \p F writes to and returns although its schema does not say so, "" for none.
/// There are two such operators, the copies that PyTorch asks every backend for.
llvm::StringRef unsaidDestination(const NativeFunction &F);

/// What calls of operators do, by the alias annotations of their schemas.
class OperatorTable {
public:
  explicit OperatorTable(const Operators &Ops);

  /// \p Names: of the unit that the call is from. Where several overloads may be meant, what all of
  /// them do.
  CallEffect effectOf(const FlowCall &Call, const TypeNames &Names) const;
  /// The one operator that the call asks the dispatcher for; null where that is not known, or where
  /// it calls a kernel directly.
  const NativeFunction *dispatchedTo(const FlowCall &Call, const TypeNames &Names) const;

private:
  std::vector<const NativeFunction *> candidates(const FlowCall &Call,
                                                 const TypeNames &Names) const;

  const Dialect &D;
  llvm::StringMap<std::vector<const NativeFunction *>> ByName;   ///< "add_", "add_out"
  llvm::StringMap<std::vector<const NativeFunction *>> ByKernel; ///< "at::native::add_out"
  llvm::StringMap<const NativeFunction *> ByStruct;              ///< "add_Tensor", in at::_ops
};

//===- What kernels do -------------------------------------------------------===//

class ProjectEffects;

/// A function that a Python file imports, where another one of the run defines it.
struct ImportedFunction {
  const UnitFacts *Unit;
  Span NameAt;
  std::string Name;
  std::vector<std::string> Params;
};

struct ParamEffect {
  Confidence Written = Confidence::Unstated; ///< Unstated: never, as far as is known
  Span At;
  /// The operator or function that writes it; "" for an assignment of elements.
  std::string By;
  /// Where Written is Likely: the operator that may have made a copy, if that is why.
  std::string Through;
  /// It goes where it is lost from sight.
  bool Lost = false;
  /// Where Written is Likely: a pointer to it, and not to const, goes to By, which was not read.
  bool Handed = false;
};

/// A return that shares memory with a parameter.
struct ReturnEffect {
  unsigned Param = 0;
  Confidence Sure = Confidence::Certain;
  bool Same = true; ///< the parameter itself
  std::string By;   ///< the operator that makes the view
  Span At;
  std::string Through; ///< as in ParamEffect
  /// It may be the parameter itself, and not only share memory with it.
  bool MaySame = false;
  /// Every `return` returns the parameter itself.
  bool Always = false;
  /// If the parameter is a list: some path returns an element of it, and every `return` does.
  bool Element = false, AlwaysElement = false;
  /// It holds if the parameter is a list, too.
  bool OfList = true;
};

/// Returns \p First and \p Second are one new tensor.
struct TwiceReturned {
  unsigned First = 0, Second = 0;
  Span At;
  /// Every `return` does so.
  bool Always = false;
};

struct KernelEffects {
  std::vector<ParamEffect> Params;
  /// Of the one return, or of a tuple as a whole; of its elements.
  std::vector<ReturnEffect> Whole;
  std::vector<std::vector<ReturnEffect>> Parts;
  /// What is known of return number \p Return of so many; nothing of one beyond the parts.
  llvm::ArrayRef<ReturnEffect> ofReturn(unsigned Return, size_t NumReturns) const {
    if (NumReturns <= 1)
      return Whole;
    return Return < Parts.size() ? llvm::ArrayRef(Parts[Return]) : llvm::ArrayRef<ReturnEffect>();
  }
  std::vector<TwiceReturned> Twice;
  bool Complete = true;
  bool Finishes = true;
  bool TooLong = false; ///< to follow all of it
  /// For certain.
  bool neverWrites(const ParamEffect &E) const {
    return E.Written == Confidence::Unstated && !E.Lost && Complete && Finishes;
  }
};

/// The effects of one unit's functions.
class UnitEffects {
public:
  UnitEffects(const UnitFacts &Unit, const OperatorTable &Table, ProjectEffects &Project)
      : Unit(Unit), Table(Table), Project(Project), States(Unit.Flows.size()) {}

  /// Of the kernel \p Name whose name stands at \p NameAt; null where its body was not read. A
  /// macro may make several functions at one place.
  const KernelEffects *ofKernel(Span NameAt, llvm::StringRef Name);
  /// The same kernel's place in UnitFacts::Flows.
  std::optional<uint32_t> flowOfKernel(Span NameAt, llvm::StringRef Name) const;
  /// Null where it is being computed.
  const KernelEffects *ofFlow(uint32_t Index);
  /// Of the function that is called, in whatever file its body stands; null where that is none of
  /// the run's.
  const KernelEffects *ofCallee(const FlowCall &Call);
  /// What FlowCall::Symbol of a Python file stands for.
  std::optional<ImportedFunction> imported(const FlowCall &Call) const;
  const CallEffect &effectOf(const FlowCall &Call);
  /// Where the names of functions stand that were asked for, and whose bodies are too long.
  std::vector<Span> longBodies() const;

private:
  struct State {
    bool Started = false, Done = false;
    KernelEffects Effects;
  };
  const UnitFacts &Unit;
  const OperatorTable &Table;
  ProjectEffects &Project;
  std::vector<State> States;
  llvm::StringMap<CallEffect> Calls; ///< by callee and the types it takes
};

//===- Against schemas -------------------------------------------------------===//

/// What a schema says about memory, and which parameter of a kernel stands for which argument.
struct MarkedArgument {
  std::string Name;
  bool Tensor = false; ///< or a list, or an optional of it
  bool List = false;
  bool Written = false;
  std::vector<std::string> Sets;
  unsigned Param = 0;
  /// The schema is known not to say that it is written and returned.
  bool Unsaid = false;
};

struct MarkedReturn {
  bool Tensor = false;
  bool List = false;
  std::vector<std::string> Sets; ///< "*" for any
};

struct MarkedSchema {
  std::vector<MarkedArgument> Args;
  std::vector<MarkedReturn> Returns;

  /// The argument of tensors that parameter \p Param gets; null if it gets none.
  const MarkedArgument *tensorOf(unsigned Param) const;
};

/// One way in which a kernel differs from its schema.
struct EffectFinding {
  FindingId Id;
  Confidence Sure;
  std::string Message;
  Span At;
  unsigned Arg = 0;    ///< of the schema
  unsigned Return = 0; ///< of AliasUnmarked
  std::string ArgName;
  std::string How;     ///< " by calling 'mul_'": of an argument that is written
  bool Itself = false; ///< of AliasUnmarked: the argument is returned, not a view of it
  /// Further arguments of which the same is said.
  std::vector<EffectFinding> Others = {};
  /// Where arguments that are written are returned, too.
  std::vector<EffectFinding> Returned = {};
};

/// \p Kernel is how messages call it: "'scale'", "the lambda".
std::vector<EffectFinding> compareEffects(const MarkedSchema &Schema, const KernelEffects &Effects,
                                          llvm::StringRef Kernel);

/// One finding for all arguments that a kernel writes to, and one for those that it may write to.
/// That it returns what it writes to without a mark is part of that: one mark is missing, "(a!)".
void groupByKernel(std::vector<EffectFinding> &Hits, llvm::StringRef Kernel);
/// Says at \p Diag where \p Finding has each of its arguments written.
void addWriteNotes(Finding &Diag, const EffectFinding &Hit,
                   llvm::function_ref<Place(Span)> PlaceOf);

/// Of a kernel whose parameters are \p Params.
MarkedSchema markedSchema(const FunctionSchema &S, const Signature &Params);
/// Of a registered kernel; parameter \p First stands for the first argument.
MarkedSchema markedSchema(const FunctionSchema &S, unsigned First);
/// Sets Unsaid for a kernel of \p F: the schema is not the kernel author's to change.
void excuseDestination(const NativeFunction &F, MarkedSchema &S);

/// The effects of every unit of a check, computed when they are asked for.
class ProjectEffects {
public:
  ProjectEffects(const Operators &Ops, llvm::ArrayRef<UnitFacts> Units) : Ops(Ops), Units(Units) {}

  /// Null where the body of the kernel was not read.
  const KernelEffects *of(const UnitFacts &Unit, Span NameAt, llvm::StringRef Name);
  /// "import .module:f", "launch pkg.module.f" of a Python file => that function.
  using Importer =
      std::function<std::optional<ImportedFunction>(const UnitFacts &From, llvm::StringRef Symbol)>;
  void importBy(Importer How) { Imports = std::move(How); }
  std::optional<ImportedFunction> imported(const UnitFacts &From, llvm::StringRef Symbol) const {
    return Imports && From.Python ? Imports(From, Symbol) : std::nullopt;
  }
  /// "torch.ops.ns.f", as Python files call it => the one schema of that operator.
  using OperatorFinder = std::function<const FunctionSchema *(llvm::StringRef Callee)>;
  void findOperatorsBy(OperatorFinder How) { OperatorOf = std::move(How); }
  const FunctionSchema *operatorOf(llvm::StringRef Callee) const {
    return OperatorOf ? OperatorOf(Callee) : nullptr;
  }
  const KernelEffects *of(const ImportedFunction &F) { return of(*F.Unit, F.NameAt, F.Name); }
  /// Of a function by its mangled name; null where not exactly one file defines it.
  const KernelEffects *ofSymbol(llvm::StringRef Symbol);
  /// What the body of the kernel does; null where it was not read.
  const FunctionFlow *flowOf(const UnitFacts &Unit, Span NameAt, llvm::StringRef Name);
  /// See OperatorTable.
  const NativeFunction *dispatchedTo(const FlowCall &Call, const UnitFacts &Unit);
  /// UnitEffects::longBodies() of all units, in their order.
  std::vector<Place> longBodies(UnitFiles &Files) const;

private:
  const OperatorTable &table();
  struct Definition {
    const UnitFacts *Unit;
    uint32_t Flow;
    bool Only;
  };
  UnitEffects &in(const UnitFacts &Unit);

  const Operators &Ops;
  llvm::ArrayRef<UnitFacts> Units;
  std::optional<OperatorTable> Table;
  std::map<const UnitFacts *, UnitEffects> ByUnit;
  std::optional<llvm::StringMap<Definition>> BySymbol;
  Importer Imports;
  OperatorFinder OperatorOf;
};

//===- Calls of themselves ---------------------------------------------------===//

/// A kernel whose body was read.
struct KernelBody {
  const UnitFacts *Unit;
  Span NameAt;
  std::string Name;  ///< qualified
  std::string Shown; ///< as in messages: "'scale'"
};

/// The operator that it serves.
struct OwnOperator {
  std::string Name;                         ///< "ns::add.out"
  llvm::StringRef Key;                      ///< "" for every one
  const NativeFunction *Function = nullptr; ///< of PyTorch's own
  unsigned First = 0;                       ///< the parameter of the first argument
};

/// A call that no way through the body avoids, by which the dispatcher comes back to the kernel;
/// null without.
const FlowCall *callOfItself(const KernelBody &Body, const OwnOperator &Own,
                             ProjectEffects &Effects);
Finding &reportCallOfItself(const KernelBody &Body, const FlowCall &Call, const OwnOperator &Own,
                            UnitFiles &Files, Findings &Diags);

/// Reports gradient-count.
void checkGradients(llvm::ArrayRef<UnitFacts> Units, UnitFiles &Files, Findings &Diags);

/// Reports mutation-unmarked, alias-unmarked and mutation-unwritten for kernels that have the
/// signature that a YAML file asks for.
void checkKernelEffects(llvm::ArrayRef<ExpectedKernel> Expected, llvm::ArrayRef<UnitFacts> Units,
                        ProjectEffects &Effects, UnitFiles &Files, Findings &Diags);

} // namespace opsig

#endif
