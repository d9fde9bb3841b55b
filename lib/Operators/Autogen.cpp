//===- Autogen.cpp - Out and functional variants that are not written -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GroupingInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

std::string outOverload(llvm::StringRef Overload) {
  return Overload.empty() ? "out" : (Overload + "_out").str();
}

/// \p Args with \p Out behind them; there are no out arguments yet.
Arguments withOut(Arguments Args, std::vector<Argument> Out) {
  Args.NumOut = Out.size();
  llvm::append_range(Args.All, std::move(Out));
  return Args;
}

/// self becomes the out argument, its annotation going with it.
FunctionSchema inplaceToOut(const FunctionSchema &S) {
  FunctionSchema Result = S;
  Result.Name = S.Name.withoutInplace().withOverload(outOverload(S.Name.Overload));
  Argument Out = *S.Args.self();
  Out.Name = "out";
  Out.Default.reset();
  Result.Args.All[S.Args.SelfIndex].Annotation.reset();
  Result.Args = withOut(std::move(Result.Args), {std::move(Out)});
  return Result;
}

struct OutPieces {
  std::vector<Argument> Args;
  std::vector<Return> Returns;
};

/// The alias letters that are free for out arguments. torchgen goes through the letters of the
/// arguments once, side by side with the alphabet, so that it sees only those that come in the
/// alphabet's order.
std::string freeLetters(const FunctionSchema &S) {
  std::string Used, Free;
  for (const Argument &A : S.Args.all())
    if (A.Annotation)
      Used += A.Annotation->Before;
  llvm::StringRef Rest = Used;
  for (char Letter = 'a'; Letter <= 'z'; ++Letter) {
    size_t At = Rest.find(Letter);
    if (At == llvm::StringRef::npos)
      Free += Letter;
    Rest = Rest.drop_front(At == llvm::StringRef::npos ? Rest.size() : At + 1);
  }
  return Free;
}

/// Each return that becomes an out argument finds a letter.
bool lettersSuffice(const FunctionSchema &S) {
  size_t Letters = freeLetters(S).size();
  for (size_t I = Letters; I < S.Returns.size(); ++I)
    if (S.Returns[I].Ty.isTensorLike())
      return false;
  return true;
}

/// An out argument per tensor-like return. Names and alias letters count all returns, so that they
/// have holes where a return is no tensor.
OutPieces outFromReturns(const FunctionSchema &S) {
  std::string Free = freeLetters(S);
  bool AllTensors =
      llvm::all_of(S.Returns, [](const Return &R) { return R.Ty.is(BaseTy::Tensor); });
  OutPieces Pieces;
  for (size_t I = 0; I != S.Returns.size(); ++I) {
    const Return &R = S.Returns[I];
    if (!R.Ty.isTensorLike()) {
      Pieces.Returns.push_back(R);
      continue;
    }
    AliasAnnotation Annotation;
    Annotation.Before = Free.substr(I, 1);
    Annotation.IsWrite = true;
    Argument Out;
    Out.Name = S.Returns.size() == 1 ? "out" : "out" + std::to_string(I);
    Out.Ty = R.Ty;
    Out.Annotation = Annotation;
    if (AllTensors)
      Pieces.Returns.push_back({"", R.Ty, std::nullopt, Annotation});
    Pieces.Args.push_back(std::move(Out));
  }
  return Pieces;
}

FunctionSchema outSchema(const NativeFunction &F) {
  const FunctionSchema &S = F.Schema;
  if (F.Kind == SchemaKind::Inplace)
    return inplaceToOut(S);
  OutPieces Pieces = outFromReturns(S);
  FunctionSchema Result;
  Result.Name = S.Name.withOverload(outOverload(S.Name.Overload));
  // A mutable op keeps its mutable positionals; a functional one loses its tensor options. Without
  // a name, so that no op's arguments are treated as special.
  Result.Args = withOut(F.Kind == SchemaKind::Mutable ? S.Args : S.withName({}).signature().Args,
                        std::move(Pieces.Args));
  Result.Returns = std::move(Pieces.Returns);
  return Result;
}

FunctionSchema functionalSchema(const NativeFunction &F) {
  SignatureOptions Options;
  Options.KeepReturnNames = true;
  OperatorName Name = F.Schema.Name;
  Name.Name.Inplace = false;
  Name.Name.Namespace.clear();
  Name.Name.FunctionalOverload = F.Kind == SchemaKind::Mutable;
  return F.Schema.signature(Options).withName(std::move(Name));
}

NativeFunction generate(const NativeFunction &From, FunctionSchema Schema, const Dialect &D) {
  NativeFunction F;
  F.Namespace = From.Namespace;
  F.Schema = std::move(Schema);
  F.Kind = F.Schema.kind();
  F.UseConstRefForMutableTensors = From.UseConstRefForMutableTensors;
  F.DeviceGuard = false;
  F.Check = DeviceCheck::NoCheck;
  F.IsAbstract = From.IsAbstract;
  F.Generated = true;
  F.SchemaText = From.SchemaText;
  F.Entry = From.Entry;
  F.Tags = {"generated"};
  for (llvm::StringRef Tag : D.Schema.InheritedTags)
    if (From.hasTag(Tag))
      F.Tags.push_back(Tag.str());
  if (llvm::StringRef Tag = kindTag(F.Schema, D); !Tag.empty())
    F.Tags.push_back(Tag.str());
  llvm::sort(F.Tags);

  KernelEntry Entry;
  Entry.Key = DispatchKey::CompositeExplicitAutograd;
  Entry.Kernel = F.Kind == SchemaKind::Out ? F.Schema.Name.unambiguous() : F.Schema.Name.Name.str();
  if (From.hasSymInt(D))
    Entry.Kernel += "_symint";
  Entry.CppNamespace = "at::native";
  F.Dispatch.push_back(std::move(Entry));
  return F;
}

/// Decides and makes the variants of one group.
class GroupGenerator {
public:
  GroupGenerator(JoinContext &C, PreGroup &Group)
      : C(C), D(*C.Ops.D), Group(Group), HasOut(Group.find(SchemaKind::Out) != nullptr),
        HasFunctional(Group.find(SchemaKind::Functional) != nullptr) {}

  void run() {
    if (llvm::any_of(Group.Members, [&](const NativeFunction *F) { return C.groupIsBroken(*F); }))
      return;
    if (isLeftOut() || isLoneOut())
      return;
    const NativeFunction *Base = base();
    // Only scratch functions: nothing is made from them.
    if (!Base)
      return;
    bool CanHaveOut =
        Base->Kind == SchemaKind::Inplace ||
        llvm::any_of(Base->Schema.Returns, [](const Return &R) { return R.Ty.isTensorLike(); });
    bool WantsOut = llvm::any_of(Base->Autogen, [](const OperatorName &Name) {
      return llvm::StringRef(Name.str()).contains("out");
    });
    if (!HasOut && !CanHaveOut)
      refuseUnlessExcused(*Base);
    bool MakesOut = !HasOut && CanHaveOut && WantsOut;
    if (MakesOut && Base->Kind != SchemaKind::Inplace && !canBecomeOut(*Base))
      return;
    if (MakesOut && !add(generate(*Base, outSchema(*Base), D)))
      return;
    if (!HasFunctional && (HasOut || MakesOut))
      add(generate(*Base, functionalSchema(*Base), D));
  }

private:
  /// Ops that bypass the dispatcher, views, and what is composed of other ops get no variants.
  bool isLeftOut() const {
    auto All = [&](auto Predicate) { return llvm::all_of(Group.Members, Predicate); };
    auto Any = [&](auto Predicate) { return llvm::any_of(Group.Members, Predicate); };
    if (All([](const NativeFunction *F) { return F->ManualCppBinding; }))
      return true;
    if (Any([&](const NativeFunction *F) {
          bool Spared = D.Schema.ViewExclusionSparesSet && F->Schema.Name.Name.str() == "set_";
          return F->isViewOp(D) && !Spared;
        }))
      return true;
    bool Composed = All([](const NativeFunction *F) {
      return F->hasKernel(DispatchKey::CompositeImplicitAutograd);
    });
    bool Core = D.Schema.CoreCompositesGetVariants &&
                Any([](const NativeFunction *F) { return F->hasTag("core"); });
    if (Composed && !Core)
      return true;
    const NativeFunction *Inplace = Group.find(SchemaKind::Inplace);
    return Inplace && !(HasOut && Group.Members.size() == 1) &&
           llvm::is_contained(D.Schema.NotGroupedInplace, Inplace->Schema.Name.str());
  }

  bool isLoneOut() {
    if (!HasOut || Group.Members.size() != 1)
      return false;
    const NativeFunction &F = *Group.Members[0];
    std::string Name = F.Schema.Name.str();
    if (!llvm::is_contained(D.Schema.LoneOut, Name))
      C.Diags
          .report(finding::LoneOut, F.SchemaText.At,
                  "'{0}' has out arguments but no functional variant; add '{1}'", Name,
                  F.Schema.signature().str())
          .op(Name);
    return true;
  }

  const NativeFunction *base() const {
    using enum SchemaKind;
    static constexpr SchemaKind InplaceFirst[] = {Inplace, Mutable, Out, Functional};
    static constexpr SchemaKind MutableFirst[] = {Mutable, Inplace, Out, Functional};
    bool First = D.Schema.GeneratedFrom == GenerationBase::InplaceMutableOutFunctional;
    for (SchemaKind Kind : First ? InplaceFirst : MutableFirst)
      if (const NativeFunction *F = Group.find(Kind))
        return F;
    return nullptr;
  }

  void refuseUnlessExcused(const NativeFunction &Base) {
    std::string Name = Base.Schema.Name.str();
    if (llvm::is_contained(D.Schema.NoGeneratedOut, Name) ||
        llvm::is_contained(D.Schema.NoGeneratedOutMutable, Name))
      return;
    C.Diags
        .report(finding::NoOutVariant, Base.SchemaText.At,
                "'{0}' returns no tensor, so it cannot have an out variant; make it "
                "CompositeImplicitAutograd, or add it to a list of torchgen named "
                "'*_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT'",
                Name)
        .op(Name);
  }

  /// Each return that is a tensor becomes an out argument with a letter of its own.
  bool canBecomeOut(const NativeFunction &Base) {
    std::string Name = Base.Schema.Name.str();
    bool ReturnsWritten = llvm::any_of(
        Base.Schema.Returns, [](const Return &R) { return R.Annotation && R.Annotation->IsWrite; });
    if (ReturnsWritten)
      C.Diags
          .report(finding::GeneratedInvalid, Base.SchemaText.At,
                  "no out variant can be generated from '{0}', because it returns an argument that "
                  "it writes to",
                  Name)
          .op(Name);
    bool Suffice = lettersSuffice(Base.Schema);
    if (!Suffice)
      C.Diags
          .report(finding::NoOutVariant, Base.SchemaText.At,
                  "'{0}' has too many returns for an out variant, which needs an alias letter per "
                  "return",
                  Name)
          .op(Name);
    return !ReturnsWritten && Suffice;
  }

  /// Some signatures have no variants that obey the rules of written ones.
  bool isValid(const NativeFunction &F) {
    Grammar G = grammarOf(D);
    // Only writers of schemas have to avoid Python's words; old ops hand theirs on.
    G.RefusesPythonKeywords = false;
    SchemaErrors Errors;
    std::string Text = F.Schema.str();
    if (parseSchema(Text, G, Errors))
      return true;
    C.Diags
        .report(finding::GeneratedInvalid, F.SchemaText.At,
                "the variant generated from this entry, '{0}', is invalid: {1}", Text,
                Errors.front().Message)
        .op(F.Schema.Name.str());
    return false;
  }

  /// False where the function cannot be used.
  bool add(NativeFunction F) {
    if (!isValid(F))
      return false;
    if (const NativeFunction *Written = C.Ops.find(F.Schema.Name.str())) {
      C.Diags
          .report(finding::GeneratedNameTaken, Written->SchemaText.At,
                  "the schema of '{0}' differs from '{2}', which is generated from '{1}'",
                  F.Schema.Name.str(), F.SchemaText.Text, F.Schema.str())
          .op(F.Schema.Name.str());
      if (C.takesBroken())
        return false;
    }
    C.Ops.Functions.push_back(std::move(F));
    Group.Members.push_back(&C.Ops.Functions.back());
    return true;
  }

  JoinContext &C;
  const Dialect &D;
  PreGroup &Group;
  bool HasOut;
  bool HasFunctional;
};

} // namespace

void addGeneratedFunctions(JoinContext &C, std::vector<PreGroup> &Groups) {
  for (PreGroup &Group : Groups)
    GroupGenerator(C, Group).run();
}

} // namespace opsig
