//===- FlowEffects.cpp - what a function does with its parameters -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values => a graph: which value shares memory with which, always or perhaps
//   => for every value the parameters that it shares memory with (a fixed point: loops are cycles)
//   => writes, calls, returns => KernelEffects
//
//===----------------------------------------------------------------------===//
#include "Effects/EffectsInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// More elements of a tuple than this are not told apart.
constexpr unsigned MaxParts = 8;

/// How a value comes by a parameter's memory.
struct Origin {
  bool Certain = true;
  bool Same = true;
  bool MaySame = true;     ///< on some path it is the parameter itself
  bool Element = false;    ///< on some path it is `x[0]` of the parameter itself
  bool OnlyElement = true; ///< it is the parameter itself or `x[0]` of it
  bool OfList = true;      ///< on some path also if the parameter is a list
  std::string By;          ///< the last view on the way
  std::string Through;     ///< the operator that may have made a copy
};

struct Edge {
  uint32_t From;
  bool Certain = true;
  bool Same = true;
  std::string By;
  bool MaySame = true;
  bool Element = false;
  bool OfList = true;
};

struct Node {
  std::vector<Edge> In;
  /// One of its edges counts, not all: only what each of them has is certain.
  bool IsChoice = false;
  std::map<unsigned, Origin> Origins;
};

class FlowSolver {
public:
  FlowSolver(const FunctionFlow &F, UnitEffects &Unit) : F(F), Unit(Unit) {}

  KernelEffects run();

private:
  void prepareCalls();
  void prepareNodes();
  uint32_t partOf(uint32_t Value, unsigned Index);
  void edgesOfResult(uint32_t Call, std::optional<unsigned> Part, uint32_t To);
  void edgesFromReturns(const FlowCall &Call, ArrayRef<ReturnEffect> Returns, bool Whole,
                        uint32_t To);
  void spread();
  void doubt();
  void addWrites(KernelEffects &Out);
  void addCall(const FlowCall &Call, const CallEffect &Effect, KernelEffects &Out);
  void addReturns(KernelEffects &Out);
  void addTwice(KernelEffects &Out);
  void written(KernelEffects &Out, FlowIndex Value, const ParamEffect &How);
  void lost(KernelEffects &Out, FlowIndex Value);
  uint32_t positionOf(const FlowCall &Call, const FlowArgument &A) const;

  /// Takes \p Steps from what a body may cost; false where nothing is left.
  bool afford(size_t Steps) {
    IsTooLong |= StepsLeft < Steps;
    StepsLeft -= std::min(StepsLeft, Steps);
    return !IsTooLong;
  }

  /// Bodies of people need thousands.
  size_t StepsLeft = 20'000'000;
  bool IsTooLong = false;
  const FunctionFlow &F;
  UnitEffects &Unit;
  std::vector<CallEffect> Calls;
  std::vector<const KernelEffects *> Callees;
  std::vector<std::vector<std::string>> Params; ///< of callees that Python imports
  std::vector<Node> Nodes;                      ///< values, then parts of them
  std::map<std::pair<uint32_t, unsigned>, uint32_t> Parts;
};

void FlowSolver::prepareCalls() {
  for (const FlowCall &Call : F.Calls) {
    Calls.push_back(Unit.effectOf(Call));
    Callees.push_back(Calls.back().Known ? nullptr : Unit.ofCallee(Call));
    std::optional<ImportedFunction> Imported;
    if (Callees.back())
      Imported = Unit.imported(Call);
    Params.push_back(Imported ? std::move(Imported->Params) : std::vector<std::string>());
  }
}

/// The place of \p A among the callee's parameters; behind them where it has none.
uint32_t FlowSolver::positionOf(const FlowCall &Call, const FlowArgument &A) const {
  const std::vector<std::string> &Names = Params[&Call - F.Calls.data()];
  return Names.empty() || A.Param.empty() ? A.Position
                                          : uint32_t(find(Names, A.Param) - Names.begin());
}

/// Not \p Whole: of an element that is not told apart.
void FlowSolver::edgesFromReturns(const FlowCall &Call, ArrayRef<ReturnEffect> Returns, bool Whole,
                                  uint32_t To) {
  for (const ReturnEffect &R : Returns)
    for (const FlowArgument &A : Call.Args)
      if (positionOf(Call, A) == R.Param) {
        bool Certain = R.Sure == Confidence::Certain && Whole;
        Nodes[To].In.push_back({A.Value, Certain, R.Same, Certain ? R.By : R.Through, R.MaySame,
                                /*Element=*/false, R.OfList});
      }
}

void FlowSolver::edgesOfResult(uint32_t CallIndex, std::optional<unsigned> Part, uint32_t To) {
  const FlowCall &Call = F.Calls[CallIndex];
  const CallEffect &Effect = Calls[CallIndex];
  if (const KernelEffects *Callee = Callees[CallIndex]) {
    bool HasPart = Part && *Part < Callee->Parts.size();
    edgesFromReturns(Call, HasPart ? Callee->Parts[*Part] : Callee->Whole, Part != AnyPart, To);
    return;
  }
  for (unsigned I = 0; I < Effect.Returns.size(); ++I) {
    // An element of the one list that is returned is not told apart.
    if (Part && *Part != AnyPart && Effect.Returns.size() > 1 && I != *Part)
      continue;
    for (const SharedArgument &S : Effect.Returns[I])
      for (const FlowArgument &A : Call.Args)
        if (Effect.nameOf(A) != S.Arg)
          continue;
        else if (Part && S.OfTensor && Effect.Returns.size() == 1)
          Nodes[To].In.push_back({A.Value, S.Certain, /*Same=*/false, "select", /*MaySame=*/false,
                                  /*Element=*/false, S.OfList});
        else
          Nodes[To].In.push_back({A.Value, S.Certain, S.Same, S.Same ? "" : Effect.Name, S.MaySame,
                                  S.Element, S.OfList});
  }
}

uint32_t FlowSolver::partOf(uint32_t Value, unsigned Index) {
  auto [It, New] = Parts.try_emplace({Value, Index}, Nodes.size());
  if (!New)
    return It->second;
  uint32_t Out = It->second;
  Nodes.emplace_back();
  const FlowValue &Whole = F.Values[Value];
  switch (Whole.Is) {
  case FlowValue::Tuple:
    Nodes[Out].IsChoice = Index == AnyPart;
    for (unsigned I = 0; I < Whole.From.size(); ++I)
      if (Index == AnyPart || I == Index)
        Nodes[Out].In.push_back({Whole.From[I]});
    break;
  case FlowValue::Result:
    edgesOfResult(Whole.Index, Index, Out);
    break;
  case FlowValue::OneOf:
    Nodes[Out].IsChoice = true;
    for (FlowIndex From : Whole.From) {
      uint32_t Part = partOf(From, Index); // may move Nodes
      Nodes[Out].In.push_back({Part});
    }
    break;
  case FlowValue::OrElse:
    for (FlowIndex From : Whole.From) {
      uint32_t Part = partOf(From, Index); // may move Nodes
      Nodes[Out].In.push_back({Part, /*Certain=*/From == Whole.From.front()});
    }
    break;
  case FlowValue::Parameter:
    Nodes[Out].In.push_back({Value});
    break;
  case FlowValue::Part: // it may be a list that is written out
    Nodes[Out].In.push_back({Value, /*Certain=*/Index != AnyPart});
    break;
  case FlowValue::None:
    break;
  }
  return Out;
}

void FlowSolver::prepareNodes() {
  Nodes.resize(F.Values.size());
  for (uint32_t I = 0; I < F.Values.size(); ++I) {
    const FlowValue &Value = F.Values[I];
    switch (Value.Is) {
    case FlowValue::None:
      break;
    case FlowValue::Parameter:
      Nodes[I].Origins[Value.Index] = {};
      break;
    case FlowValue::Result:
      edgesOfResult(Value.Index, std::nullopt, I);
      break;
    case FlowValue::Part: {
      uint32_t Part = partOf(Value.From.front(), Value.Index);
      Nodes[I].In.push_back({Part});
      break;
    }
    case FlowValue::OrElse: // what an optional holds is taken whenever it is there
      Nodes[I].In = {{Value.From[0]}, {Value.From[1], /*Certain=*/false}};
      break;
    case FlowValue::OneOf:
      Nodes[I].IsChoice = true;
      [[fallthrough]];
    case FlowValue::Tuple:
      for (FlowIndex From : Value.From)
        Nodes[I].In.push_back({From});
      break;
    }
  }
  for (const FlowReturn &R : F.Returns)
    for (unsigned Part = 0; Part < MaxParts; ++Part)
      partOf(R.Value, Part);
}

/// Which parameters a value may share memory with, as if all of it were certain.
void FlowSolver::spread() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Node &To : Nodes)
      for (const Edge &E : To.In) {
        if (!afford(1 + Nodes[E.From].Origins.size()))
          return;
        for (const auto &[Param, From] : Nodes[E.From].Origins) {
          auto [It, New] = To.Origins.try_emplace(Param);
          Origin &Mine = It->second;
          bool MaySame = (!New && Mine.MaySame) || (E.MaySame && From.MaySame);
          bool Element = Mine.Element || (E.Element && From.MaySame) || (E.MaySame && From.Element);
          bool OfList = (!New && Mine.OfList) || (From.OfList && (E.OfList || From.Element));
          if (New)
            Mine.By = E.By.empty() ? From.By : E.By;
          Changed |=
              New || Mine.MaySame != MaySame || Mine.Element != Element || Mine.OfList != OfList;
          Mine.MaySame = MaySame;
          Mine.Element = Element;
          Mine.OfList = OfList;
        }
      }
  }
}

/// Takes back what is not certain, until nothing more is to be taken back.
void FlowSolver::doubt() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Node &To : Nodes) {
      if (To.In.empty())
        continue;
      if (!afford(To.In.size() * To.Origins.size()))
        return;
      for (auto &[Param, Mine] : To.Origins) {
        bool Any = false, Every = true, Same = true, OnlyElement = true;
        std::string Through;
        for (const Edge &E : To.In) {
          auto From = Nodes[E.From].Origins.find(Param);
          if (From == Nodes[E.From].Origins.end()) {
            Every = false;
            continue;
          }
          bool Certain = E.Certain && From->second.Certain;
          Any |= Certain;
          Every &= Certain;
          Same &= E.Same && From->second.Same;
          OnlyElement &= (E.Same && From->second.OnlyElement) || (E.Element && From->second.Same);
          if (!Certain && Through.empty())
            Through = E.Certain ? From->second.Through : E.By;
        }
        bool Certain = To.IsChoice ? Every : Any;
        if ((Mine.Certain && !Certain) || (Mine.Same && !Same) ||
            (Mine.OnlyElement && !OnlyElement))
          Changed = true;
        Mine.Certain &= Certain;
        Mine.Same &= Same;
        Mine.OnlyElement &= OnlyElement;
        if (!Certain && Mine.Through.empty() && !Through.empty())
          Mine.Through = Through;
      }
    }
  }
}

void FlowSolver::written(KernelEffects &Out, FlowIndex Value, const ParamEffect &How) {
  for (const auto &[Param, O] : Nodes[Value].Origins) {
    bool Certain = O.Certain && How.Written == Confidence::Certain;
    Confidence Sure = Certain ? Confidence::Certain : Confidence::Likely;
    ParamEffect &Known = Out.Params[Param];
    if (Known.Written >= Sure)
      continue;
    bool Lost = Known.Lost;
    Known = How;
    Known.Written = Sure;
    Known.Lost |= Lost;
    if (!Certain && Known.Through.empty())
      Known.Through = O.Through;
  }
}

void FlowSolver::lost(KernelEffects &Out, FlowIndex Value) {
  for (const auto &[Param, O] : Nodes[Value].Origins)
    Out.Params[Param].Lost = true;
}

void FlowSolver::addCall(const FlowCall &Call, const CallEffect &Effect, KernelEffects &Out) {
  ParamEffect How{Confidence::Certain, Call.At, Effect.Name, "", false};
  for (const FlowArgument &A : Call.Args) {
    if (!Effect.Known) {
      lost(Out, A.Value);
      if (A.Writable)
        written(Out, A.Value, {Confidence::Likely, Call.At, Effect.Name, "", false, true});
    } else if (is_contained(Effect.Written, Effect.nameOf(A)))
      written(Out, A.Value, How);
    else if (is_contained(Effect.Reshaped, Effect.nameOf(A)) &&
             all_of(Nodes[A.Value].Origins, [](const auto &O) { return O.second.Same; }))
      written(Out, A.Value, How);
  }
}

void FlowSolver::addWrites(KernelEffects &Out) {
  for (const FlowWrite &W : F.Writes)
    written(Out, W.Value, {Confidence::Certain, W.At, "", "", false});
  for (FlowIndex Value : F.Escapes)
    lost(Out, Value);
  for (size_t I = 0; I < F.Calls.size(); ++I) {
    const FlowCall &Call = F.Calls[I];
    const KernelEffects *Callee = Callees[I];
    if (!Callee) {
      addCall(Call, Calls[I], Out);
      continue;
    }
    for (const FlowArgument &A : Call.Args) {
      uint32_t Position = positionOf(Call, A);
      if (Position >= Callee->Params.size()) {
        lost(Out, A.Value);
        continue;
      }
      if (!Callee->Complete)
        lost(Out, A.Value);
      const ParamEffect &Inner = Callee->Params[Position];
      if (Inner.Lost)
        lost(Out, A.Value);
      if (Inner.Written != Confidence::Unstated)
        written(Out, A.Value,
                {Inner.Written, Call.At, Calls[I].Name, Inner.Through, false, Inner.Handed});
    }
  }
}

void FlowSolver::addReturns(KernelEffects &Out) {
  auto Add = [&](std::vector<ReturnEffect> &Into, uint32_t NodeIndex, Span At) {
    for (const auto &[Param, O] : Nodes[NodeIndex].Origins) {
      Confidence Sure = O.Certain ? Confidence::Certain : Confidence::Likely;
      ReturnEffect New{Param, Sure, O.Same, O.By, At, O.Through, O.MaySame};
      New.Element = O.Element;
      New.OfList = O.OfList;
      auto Known = find_if(Into, [&](const ReturnEffect &R) { return R.Param == New.Param; });
      if (Known == Into.end()) {
        Into.push_back(New);
        continue;
      }
      New.MaySame |= Known->MaySame;
      New.Element |= Known->Element;
      New.OfList |= Known->OfList;
      if (Known->Sure < Sure)
        *Known = New;
      Known->MaySame = New.MaySame;
      Known->Element = New.Element;
      Known->OfList = New.OfList;
    }
  };
  /// Every `return` returns the parameter itself.
  auto MarkAlways = [&](std::vector<ReturnEffect> &Of, function_ref<uint32_t(FlowIndex)> NodeOf) {
    for (ReturnEffect &R : Of) {
      auto All = [&](bool Origin::*Is) {
        return all_of(F.Returns, [&](const FlowReturn &Ret) {
          const auto &Origins = Nodes[NodeOf(Ret.Value)].Origins;
          auto O = Origins.find(R.Param);
          return O != Origins.end() && O->second.Certain && O->second.*Is;
        });
      };
      R.Always = All(&Origin::Same);
      R.AlwaysElement = All(&Origin::OnlyElement);
    }
  };
  Out.Parts.resize(MaxParts);
  for (const FlowReturn &R : F.Returns) {
    Add(Out.Whole, R.Value, R.At);
    for (unsigned Part = 0; Part < MaxParts; ++Part)
      Add(Out.Parts[Part], partOf(R.Value, Part), R.At);
  }
  MarkAlways(Out.Whole, [](FlowIndex Value) { return Value; });
  for (unsigned Part = 0; Part < MaxParts; ++Part)
    MarkAlways(Out.Parts[Part], [&](FlowIndex Value) { return partOf(Value, Part); });
  addTwice(Out);
}

static bool isProjectOperator(StringRef Callee) { return Callee.starts_with("torch.ops."); }

/// Whether calls made the value, whichever path led to it. Of what the calls of a lambda return,
/// that of one call is one tensor.
static bool isMade(const FunctionFlow &F, FlowIndex Value) {
  SmallVector<FlowIndex, 8> Todo{Value};
  std::set<FlowIndex> Seen;
  while (!Todo.empty()) {
    FlowIndex I = Todo.pop_back_val();
    const FlowValue &Of = F.Values[I];
    bool IsOfOneCall = Of.Is == FlowValue::OrElse && Of.From.front() == Of.From.back();
    bool IsChoice = IsOfOneCall || (Of.Is == FlowValue::OneOf && !Of.From.empty());
    if (!IsChoice && Of.Is != FlowValue::Result)
      return false;
    // What an operator of a project returns may be a number.
    if (!IsChoice && isProjectOperator(F.Calls[Of.Index].Callee))
      return false;
    if (IsChoice && Seen.insert(I).second)
      Todo.append(Of.From.begin(), Of.From.end());
  }
  return true;
}

/// Elements of the returned tuples that are one and the same value, made by a call.
void FlowSolver::addTwice(KernelEffects &Out) {
  for (const FlowReturn &R : F.Returns) {
    const FlowValue &Whole = F.Values[R.Value];
    if (Whole.Is != FlowValue::Tuple)
      continue;
    unsigned Count = std::min<size_t>(Whole.From.size(), MaxParts);
    for (unsigned Second = 1; Second < Count; ++Second)
      for (unsigned First = 0; First < Second; ++First) {
        if (Whole.From[First] != Whole.From[Second] || !isMade(F, Whole.From[First]))
          continue;
        if (none_of(Out.Twice,
                    [&](const TwiceReturned &T) { return T.First == First && T.Second == Second; }))
          Out.Twice.push_back({First, Second, R.At, F.Returns.size() == 1});
        break;
      }
  }
}

KernelEffects FlowSolver::run() {
  KernelEffects Out;
  Out.Params.resize(F.NumParams);
  Out.Complete = F.Complete;
  Out.Finishes = F.Finishes;
  prepareCalls();
  prepareNodes();
  spread();
  doubt();
  if (IsTooLong) { // as if it could not be read
    Out.Complete = false;
    Out.TooLong = true;
    for (ParamEffect &Param : Out.Params)
      Param.Lost = true;
    Out.Parts.resize(MaxParts);
    return Out;
  }
  addWrites(Out);
  addReturns(Out);
  return Out;
}

} // namespace

const CallEffect &UnitEffects::effectOf(const FlowCall &Call) {
  std::string Key =
      Call.Callee + "(" +
      join(map_range(Call.ParamTypes, [](const CppType &T) { return T.str(); }), ",") + ")" +
      join(Call.TensorParams, ",");
  auto [It, New] = Calls.try_emplace(Key);
  if (New && isProjectOperator(Call.Callee)) {
    if (const FunctionSchema *Schema = Project.operatorOf(Call.Callee))
      It->second = effectOfSchema(*Schema);
  } else if (New) {
    It->second = Table.effectOf(Call, Unit.Names);
  }
  return It->second;
}

std::vector<Span> UnitEffects::longBodies() const {
  std::vector<Span> Out;
  for (size_t I = 0; I < States.size(); ++I)
    if (States[I].Done && States[I].Effects.TooLong)
      Out.push_back(Unit.Flows[I].NameAt);
  return Out;
}

const KernelEffects *UnitEffects::ofFlow(uint32_t Index) {
  if (!States[Index].Started) {
    States[Index].Started = true;
    States[Index].Effects = FlowSolver(Unit.Flows[Index], *this).run();
    States[Index].Done = true;
  }
  return States[Index].Done ? &States[Index].Effects : nullptr;
}

const KernelEffects *UnitEffects::ofCallee(const FlowCall &Call) {
  if (Call.Flow != FlowCall::NoFlow)
    return ofFlow(Call.Flow);
  if (std::optional<ImportedFunction> Function = imported(Call))
    return Project.of(*Function);
  return Call.Symbol.empty() ? nullptr : Project.ofSymbol(Call.Symbol);
}

std::optional<ImportedFunction> UnitEffects::imported(const FlowCall &Call) const {
  return Call.Symbol.empty() ? std::nullopt : Project.imported(Unit, Call.Symbol);
}

std::optional<uint32_t> UnitEffects::flowOfKernel(Span NameAt, StringRef Name) const {
  if (!NameAt.isValid())
    return std::nullopt;
  SmallVector<uint32_t, 2> There, Named;
  for (uint32_t I = 0; I < Unit.Flows.size(); ++I) {
    const FunctionFlow &F = Unit.Flows[I];
    if (F.NameAt.File != NameAt.File || F.NameAt.Offset != NameAt.Offset)
      continue;
    There.push_back(I);
    if (F.Name == Name)
      Named.push_back(I);
  }
  if (There.size() == 1)
    return There.front();
  return Named.size() == 1 ? std::optional(Named.front()) : std::nullopt;
}

const KernelEffects *UnitEffects::ofKernel(Span NameAt, StringRef Name) {
  std::optional<uint32_t> Flow = flowOfKernel(NameAt, Name);
  return Flow ? ofFlow(*Flow) : nullptr;
}
