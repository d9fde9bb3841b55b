//===- BodyFlow.cpp - kernels with a body => their flows --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernels of a translation unit => their definitions in the AST => FlowReader => FunctionFlow
//   => the functions of the project that they call, and so on; of templates, their instantiations
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "opsig/Frontend/BodyFlow.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

bool opsig::needsBodyForFlow(const Decl &D, ProjectPlaces &Project) {
  return D.getAsFunction() && Project.contain(D);
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

/// A file of the unit and an offset in it.
using FilePlace = std::pair<uint32_t, uint32_t>;

/// Where the names of kernels stand.
llvm::DenseSet<FilePlace> kernelPlaces(const UnitFacts &Unit) {
  llvm::DenseSet<FilePlace> Places;
  for (const KernelDecl &K : Unit.Kernels)
    if (K.Definition && K.NameAt.File == 0)
      Places.insert({K.NameAt.File, K.NameAt.Offset});
  for (const RegistrationBlock &Block : Unit.Registrations)
    for (const RegistrationEntry &Entry : Block.Entries)
      if (Entry.Kernel.hasSignature())
        Places.insert({Entry.Kernel.Decl.NameAt.File, Entry.Kernel.Decl.NameAt.Offset});
  return Places;
}

/// A body that was parsed; a function without one that can be read has none.
const Stmt *readableBody(const FunctionDecl &F) {
  if (F.isDependentContext() || F.hasSkippedBody() || !F.doesThisDeclarationHaveABody() ||
      F.isDefaulted())
    return nullptr;
  return F.getBody();
}

/// The linker may join it with a call in another file.
bool isSeenElsewhere(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return !F.isInvalidDecl() && !F.isDependentContext() && !F.getType()->isDependentType() &&
         F.getFormalLinkage() == Linkage::External && !F.isMain() &&
         (!Method || Method->isStatic());
}

class FlowCollector : public RecursiveASTVisitor<FlowCollector> {
public:
  FlowCollector(ASTContext &Context, const ParseErrors &Errors, ProjectPlaces &Project,
                UnitFacts &Unit)
      : Names(Context), Spans(Context, Unit, Errors.InMainFile, &Project), Errors(Errors),
        Project(Project), Unit(Unit), Places(kernelPlaces(Unit)) {}

  bool shouldVisitLambdaBody() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    take(*F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    if (!E->isGenericLambda())
      take(*E->getCallOperator());
    return true;
  }

  void readAll();

private:
  void take(const FunctionDecl &F) {
    if (!readableBody(F))
      return;
    Span At = Spans.use(SourceRange(F.getLocation(), F.getLocation()));
    if (Places.contains({At.File, At.Offset}) || (At.File == 0 && mayBeCalledElsewhere(F)))
      want(F);
  }
  /// Another file may give it tensors, or pointers into them. What a template makes without being
  /// told to is made where it is called.
  bool mayBeCalledElsewhere(const FunctionDecl &F) {
    return isSeenElsewhere(F) && F.getTemplateSpecializationKind() != TSK_ImplicitInstantiation &&
           llvm::any_of(F.parameters(), [&](const ParmVarDecl *P) {
             return Types.carries(P->getType()) || !Types.members(P->getType()).empty();
           });
  }
  uint32_t want(const FunctionDecl &F) {
    auto [It, New] = Indices.try_emplace(&F, Expected.size());
    if (New)
      Expected.push_back(&F);
    return It->second;
  }
  void follow(const FunctionDecl &F, FlowCall &Call) {
    const FunctionDecl *Definition = F.getDefinition();
    if (Definition && needsBodyForFlow(*Definition, Project) && readableBody(*Definition))
      Call.Flow = want(*Definition);
    else if (!Definition && Project.contain(F) && isSeenElsewhere(F))
      Call.Symbol = Names.getName(&F);
  }
  FunctionFlow read(const FunctionDecl &F);
  bool hasError(const FunctionDecl &F);

  ASTNameGenerator Names;
  UnitSpans Spans;
  FlowTypes Types;
  HandedCalls Handed{Spans, Types};
  const ParseErrors &Errors;
  ProjectPlaces &Project;
  UnitFacts &Unit;
  llvm::DenseSet<FilePlace> Places;
  std::vector<const FunctionDecl *> Expected;
  llvm::DenseMap<const FunctionDecl *, uint32_t> Indices;
};

bool FlowCollector::hasError(const FunctionDecl &F) {
  Span Whole = Spans.use(F.getSourceRange());
  if (!Whole.isValid())
    return true;
  if (Whole.File != 0)
    return Errors.InHeaderBody;
  return llvm::any_of(Errors.InMainFile, [&](const ClangError &E) {
    return E.Offset >= Whole.Offset && E.Offset <= Whole.end();
  });
}

FunctionFlow FlowCollector::read(const FunctionDecl &F) {
  FunctionFlow Flow;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method || !Method->getParent()->isLambda())
    Flow.Name = scopeName(F);
  if (isSeenElsewhere(F))
    Flow.Symbol = Names.getName(&F);
  Flow.NameAt = Spans.use(SourceRange(F.getLocation(), F.getLocation()));
  Flow.Complete = !hasError(F);
  auto Follow = [this](const FunctionDecl &Callee, FlowCall &Call) { follow(Callee, Call); };
  const Stmt &Body = *readableBody(F);
  FlowReader(Spans, Types, Flow, Follow).read(F, Body);
  compactFlow(Flow);
  if (Flow.Complete)
    Flow.Handed = Handed.of(F, Body);
  Flow.Numbers = readNumberUses(F, Body, Spans);
  llvm::append_range(Flow.Numbers, readSizeUses(F, Body, Spans, Types));
  return Flow;
}

void FlowCollector::readAll() {
  for (size_t I = 0; I < Expected.size(); ++I) // Wanted grows
    Unit.Flows.push_back(read(*Expected[I]));
}

} // namespace

void opsig::collectFlows(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                         const ParseErrors &Errors, ProjectPlaces &Project, UnitFacts &Unit) {
  FlowCollector Collector(Context, Errors, Project, Unit);
  for (Decl *D : TopLevel)
    Collector.TraverseDecl(D);
  Collector.readAll();
}
