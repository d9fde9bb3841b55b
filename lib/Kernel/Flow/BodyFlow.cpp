//===- BodyFlow.cpp - kernels with a body => their flows --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernels of a translation unit => their definitions in the AST => FlowReader => FunctionFlow
//   => the functions of the main file that they call, and so on
//
//===----------------------------------------------------------------------===//
#include "Flow/FlowInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

bool opsig::needsBodyForFlow(const Decl &D) {
  const auto *F = dyn_cast<FunctionDecl>(&D);
  if (!F || F->isDependentContext())
    return false;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  return SM.isInMainFile(SM.getExpansionLoc(F->getLocation()));
}

void opsig::compactFlow(FunctionFlow &Flow) {
  std::vector<FlowValue> &Values = Flow.Values;
  std::vector<FlowIndex> Same(Values.size());
  for (FlowIndex I = 0; I < Same.size(); ++I)
    Same[I] = I;
  auto Find = [&](FlowIndex I) {
    while (Same[I] != I)
      I = Same[I];
    return I;
  };
  // A variable that no loop changed holds what it held before.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (FlowIndex I = 0; I < Values.size(); ++I) {
      if (Values[I].Is != FlowValue::OneOf || Find(I) != I)
        continue;
      llvm::SmallVector<FlowIndex, 4> Others;
      for (FlowIndex From : Values[I].From)
        if (FlowIndex Found = Find(From); Found != I && !llvm::is_contained(Others, Found))
          Others.push_back(Found);
      if (Others.size() == 1) {
        Same[I] = Others.front();
        Changed = true;
      }
    }
  }
  // Parameters keep their places.
  constexpr FlowIndex Unseen = ~0u;
  std::vector<FlowIndex> NewIndex(Values.size(), Unseen), Order;
  auto Keep = [&](FlowIndex I) {
    I = Find(I);
    if (NewIndex[I] == Unseen) {
      NewIndex[I] = Order.size();
      Order.push_back(I);
    }
    return NewIndex[I];
  };
  for (FlowIndex I = 0; I <= Flow.NumParams; ++I)
    Keep(I);
  for (FlowCall &Call : Flow.Calls)
    for (FlowArgument &Argument : Call.Args)
      Argument.Value = Keep(Argument.Value);
  for (FlowWrite &Write : Flow.Writes)
    Write.Value = Keep(Write.Value);
  for (FlowReturn &Return : Flow.Returns)
    Return.Value = Keep(Return.Value);
  for (FlowIndex &Escape : Flow.Escapes)
    Escape = Keep(Escape);
  std::vector<FlowValue> Kept;
  for (size_t I = 0; I < Order.size(); ++I) { // Order grows
    FlowValue Value = std::move(Values[Order[I]]);
    for (FlowIndex &From : Value.From)
      From = Keep(From);
    Kept.push_back(std::move(Value));
  }
  Values = std::move(Kept);
}

namespace {

/// Where kernels stand in the main file: offsets of their names.
llvm::DenseSet<uint32_t> kernelPlaces(const TranslationUnit &Unit) {
  llvm::DenseSet<uint32_t> Places;
  for (const KernelDecl &K : Unit.Kernels)
    if (K.Definition && K.NameAt.File == 0)
      Places.insert(K.NameAt.Offset);
  for (const RegistrationBlock &Block : Unit.Registrations)
    for (const RegistrationEntry &Entry : Block.Entries)
      if (Entry.Kernel.hasSignature() && Entry.Kernel.Decl.NameAt.File == 0)
        Places.insert(Entry.Kernel.Decl.NameAt.Offset);
  return Places;
}

/// A body that was parsed; a function without one that can be read has none.
const Stmt *readableBody(const FunctionDecl &F) {
  if (F.isDependentContext() || F.hasSkippedBody() || !F.doesThisDeclarationHaveABody() ||
      F.isDefaulted())
    return nullptr;
  return F.getBody();
}

class FlowCollector : public RecursiveASTVisitor<FlowCollector> {
public:
  FlowCollector(ASTContext &Context, llvm::ArrayRef<ClangError> Errors, TranslationUnit &Unit)
      : Spans(Context, Unit, Errors), Errors(Errors), Unit(Unit), Places(kernelPlaces(Unit)) {}

  bool shouldVisitLambdaBody() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    take(*F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    if (!E->isGenericLambda())
      take(*E->getCallOperator());
    return true;
  }

  bool empty() const { return Places.empty(); }
  void readAll();

private:
  void take(const FunctionDecl &F) {
    Span At = Spans.use(SourceRange(F.getLocation(), F.getLocation()));
    if (At.File == 0 && Places.contains(At.Offset) && readableBody(F))
      want(F);
  }
  uint32_t want(const FunctionDecl &F) {
    auto [It, New] = Indices.try_emplace(&F, Wanted.size());
    if (New)
      Wanted.push_back(&F);
    return It->second;
  }
  uint32_t flowOf(const FunctionDecl &F) {
    const FunctionDecl *Definition = F.getDefinition();
    if (!Definition || !needsBodyForFlow(*Definition) || !readableBody(*Definition))
      return FlowCall::NoFlow;
    return want(*Definition);
  }
  FunctionFlow read(const FunctionDecl &F);

  UnitSpans Spans;
  FlowTypes Types;
  llvm::ArrayRef<ClangError> Errors;
  TranslationUnit &Unit;
  llvm::DenseSet<uint32_t> Places;
  std::vector<const FunctionDecl *> Wanted;
  llvm::DenseMap<const FunctionDecl *, uint32_t> Indices;
};

FunctionFlow FlowCollector::read(const FunctionDecl &F) {
  FunctionFlow Flow;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method || !Method->getParent()->isLambda())
    Flow.Name = scopeName(F);
  Flow.NameAt = Spans.use(SourceRange(F.getLocation(), F.getLocation()));
  Span Whole = Spans.use(F.getSourceRange());
  Flow.Complete = Whole.isValid() && llvm::none_of(Errors, [&](const ClangError &E) {
                    return E.Offset >= Whole.Offset && E.Offset <= Whole.end();
                  });
  FlowReader(Spans, Types, Flow, [this](const FunctionDecl &Callee) {
    return flowOf(Callee);
  }).read(F, *readableBody(F));
  compactFlow(Flow);
  return Flow;
}

void FlowCollector::readAll() {
  for (size_t I = 0; I < Wanted.size(); ++I) // Wanted grows
    Unit.Flows.push_back(read(*Wanted[I]));
}

} // namespace

void opsig::collectFlows(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                         llvm::ArrayRef<ClangError> Errors, TranslationUnit &Unit) {
  FlowCollector Collector(Context, Errors, Unit);
  if (Collector.empty())
    return;
  for (Decl *D : TopLevel)
    Collector.TraverseDecl(D);
  Collector.readAll();
}
