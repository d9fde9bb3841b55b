//===- FunctionSchema.cpp - A whole schema ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Schema/FunctionSchema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

llvm::StringRef toString(SchemaKind Kind) {
  switch (Kind) {
  case SchemaKind::Functional:
    return "functional";
  case SchemaKind::Inplace:
    return "inplace";
  case SchemaKind::Out:
    return "out";
  case SchemaKind::Mutable:
    return "mutable";
  case SchemaKind::Scratch:
    return "scratch";
  }
  return "";
}

SchemaKind FunctionSchema::kind() const {
  if (isInplace())
    return SchemaKind::Inplace;
  if (isOut()) {
    auto IsScratch = [](const Argument &A) {
      return llvm::StringRef(A.Name).starts_with("_scratch_");
    };
    return llvm::any_of(Args.out(), IsScratch) ? SchemaKind::Scratch : SchemaKind::Out;
  }
  if (llvm::any_of(Args.postSelfPositional(), [](const Argument &A) { return A.isWrite(); }))
    return SchemaKind::Mutable;
  return SchemaKind::Functional;
}

bool FunctionSchema::isFunctionalVariant() const {
  return llvm::StringRef(Name.Overload).contains("functional");
}

bool FunctionSchema::modifiesArguments() const {
  SchemaKind K = kind();
  return K == SchemaKind::Inplace || K == SchemaKind::Out || K == SchemaKind::Mutable;
}

bool FunctionSchema::hasInplaceOrOutSemantics() const {
  SchemaKind K = kind();
  return K == SchemaKind::Inplace || K == SchemaKind::Out;
}

bool FunctionSchema::hasSymInt(bool CountReturns) const {
  return Args.hasSymIntArg() || (CountReturns && llvm::any_of(Returns, [](const Return &R) {
                                   return R.Ty.isSymIntLike();
                                 }));
}

bool FunctionSchema::hasAliasedReturn() const {
  return llvm::any_of(Returns, [](const Return &R) { return R.Annotation && !R.isWrite(); });
}

std::vector<std::string> FunctionSchema::aliasedReturnNames() const {
  std::vector<std::string> Names;
  Names.reserve(Returns.size());
  for (const Return &R : Returns) {
    auto Aliased = llvm::find_if(
        Args.All, [&](const Argument &A) { return A.Annotation && A.Annotation == R.Annotation; });
    Names.push_back(Aliased == Args.All.end() ? std::string() : Aliased->Name);
  }
  return Names;
}

namespace {

void replaceAll(std::string &S, llvm::StringRef From, llvm::StringRef To) {
  for (size_t At = S.find(From); At != std::string::npos; At = S.find(From, At + To.size()))
    S.replace(At, From.size(), To);
}

std::string signatureBase(llvm::StringRef Base, const SignatureOptions &Options) {
  std::string S = Base.str();
  if (!Options.StripViewCopyName)
    return S;
  if (Base.ends_with("_copy"))
    replaceAll(S, "_copy", "");
  else if (Options.StripScatter && Base.ends_with("_scatter"))
    replaceAll(S, "scatter", "inverse");
  return S;
}

Arguments signatureArguments(const Arguments &From, bool StripDefault) {
  Arguments To;
  To.SelfIndex = From.SelfIndex;
  To.NumPositional = From.NumPositional;
  To.All.reserve(From.nonOut().size());
  for (unsigned I = 0; I != From.nonOut().size(); ++I) {
    if (From.isTensorOption(I))
      continue;
    const Argument &A = From.All[I];
    To.All.push_back({A.Name, A.Ty, StripDefault ? std::nullopt : A.Default, std::nullopt});
  }
  return To;
}

/// `bernoulli.p` has no default for p while its inplace variant has one; they belong together all
/// the same, so the signature gets the default.
void giveBernoulliDefault(Arguments &Args) {
  for (Argument &A : Args.All)
    if (A.Name == "p" && A.Ty.is(BaseTy::Float) && !A.Default)
      A.Default = "0.5";
}

} // namespace

FunctionSchema FunctionSchema::signature(SignatureOptions Options) const {
  FunctionSchema S;
  S.Name.Name.Base = signatureBase(Name.Name.Base, Options);
  S.Name.Name.Dunder = Name.Name.Dunder;
  S.Args = signatureArguments(Args, Options.StripDefault);
  if (Name.Overload == "p" && Name.Name.str() == "bernoulli")
    giveBernoulliDefault(S.Args);

  S.Returns.reserve(Returns.size());
  for (const Return &R : Returns)
    S.Returns.push_back({Options.KeepReturnNames ? R.Name : std::string(), R.Ty, std::nullopt});

  auto AddIfWritten = [&](const Argument &A) {
    if (!A.isWrite() ||
        llvm::any_of(Returns, [&](const Return &R) { return R.Annotation == A.Annotation; }))
      return;
    S.Returns.push_back(
        {Options.KeepReturnNames ? A.Name + "_out" : std::string(), A.Ty, std::nullopt});
  };
  if (const Argument *Self = Args.self())
    AddIfWritten(*Self);
  llvm::for_each(Args.out(), AddIfWritten);
  llvm::for_each(Args.postSelfPositional(), AddIfWritten);
  return S;
}

FunctionSchema FunctionSchema::viewSignature(bool StripScatter) const {
  SignatureOptions Options;
  Options.StripViewCopyName = true;
  Options.StripScatter = StripScatter;
  return signature(Options);
}

FunctionSchema FunctionSchema::withName(OperatorName NewName) const {
  FunctionSchema S = *this;
  S.Name = std::move(NewName);
  return S;
}

std::string FunctionSchema::operatorName() const {
  OperatorName Bare = Name;
  Bare.Name.Namespace.clear();
  return Bare.str();
}

bool operator==(const FunctionSchema &L, const FunctionSchema &R) {
  auto Parts = [](const FunctionSchema &F) {
    return std::tie(F.Name, F.Args, F.Returns, F.NameOnly, F.VarArgs, F.VarReturns);
  };
  return Parts(L) == Parts(R);
}

std::string FunctionSchema::str() const {
  std::string S = Name.str(), Arguments = Args.str();
  if (NameOnly)
    return S;
  S.reserve(S.size() + Arguments.size() + 16 * (Returns.size() + 1));
  S += '(';
  S += Arguments;
  if (VarArgs)
    S += Arguments.empty() ? "..." : ", ...";
  S += ") -> ";
  if (Returns.size() == 1 && !VarReturns)
    return S += Returns.front().str();
  S += '(';
  for (size_t I = 0; I != Returns.size(); ++I) {
    if (I)
      S += ", ";
    S += Returns[I].str();
  }
  if (VarReturns)
    S += Returns.empty() ? "..." : ", ...";
  return S += ')';
}

llvm::hash_code hash_value(const FunctionSchema &F) {
  return llvm::hash_combine(F.Name, F.Args,
                            llvm::hash_combine_range(F.Returns.begin(), F.Returns.end()));
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const FunctionSchema &F) {
  return OS << F.str();
}

} // namespace opsig
