//===- VerifySchema.cpp - What holds between the parts of a schema ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace opsig::schema {

namespace {

/// One of dtype, layout, device, pin_memory as the tensor options have it.
bool isTensorOption(const Argument &A, llvm::StringRef Name, BaseTy Base) {
  if (A.Name != Name || A.Ty.base() != Base)
    return false;
  llvm::ArrayRef<TypeSuffix> Suffixes = A.Ty.suffixes();
  return Suffixes.empty() || (Suffixes.size() == 1 && Suffixes[0].Is == TypeSuffix::Optional);
}

bool areTensorOptions(llvm::ArrayRef<Argument> Four) {
  return isTensorOption(Four[0], "dtype", BaseTy::ScalarType) &&
         isTensorOption(Four[1], "layout", BaseTy::Layout) &&
         isTensorOption(Four[2], "device", BaseTy::Device) &&
         isTensorOption(Four[3], "pin_memory", BaseTy::Bool);
}

std::string annotationOf(const std::optional<AliasAnnotation> &A) {
  return A ? "Tensor(" + A->str() + ")" : "Tensor";
}

/// The arguments of one annotation.
struct Aliased {
  const Argument *First = nullptr;
  const Argument *Second = nullptr;
  bool HasOut = false;
  bool HasSelf = false;
  bool HasPostSelf = false;
};

class Verifier {
public:
  Verifier(Context &C, const FunctionSchema &F, const SchemaText &Where)
      : C(C), F(F), Where(Where) {
    collectAnnotations();
  }

  void run() {
    checkNames();
    checkKeywords();
    checkDefaultOrder();
    checkBeforeSelf();
    checkOutAgainstReturns();
    checkMutablePositional();
    checkWrittenReturns();
    checkOutReturns();
    checkInplace();
    checkKind();
    checkAliases();
  }

private:
  void collectAnnotations();
  void checkNames();
  void checkKeywords();
  void checkDefaultOrder();
  void checkBeforeSelf();
  void checkOutAgainstReturns();
  void checkMutablePositional();
  void checkWrittenReturns();
  void checkOutReturns();
  void checkInplace();
  void checkKind();
  void checkAliases();

  const PieceText &at(const Argument &A) const { return Where.Args[&A - F.Args.All.data()]; }
  const PieceText &atReturn(const Return &R) const { return Where.Rets[&R - F.Returns.data()]; }
  /// The returns that an out argument at the same position must match.
  size_t numPaired() const { return std::min<size_t>(F.Args.NumOut, F.Returns.size()); }

  Context &C;
  const FunctionSchema &F;
  const SchemaText &Where;
  /// By the text of the annotation.
  llvm::StringMap<Aliased> ByAnnotation;
  llvm::StringSet<> Returned;
};

void Verifier::collectAnnotations() {
  unsigned FirstPostSelf = F.Args.SelfIndex + 1;
  unsigned FirstOut = F.Args.All.size() - F.Args.NumOut;
  for (unsigned I = 0; I != F.Args.All.size(); ++I) {
    const Argument &A = F.Args.All[I];
    if (!A.Annotation)
      continue;
    Aliased &Entry = ByAnnotation[A.Annotation->str()];
    (Entry.First ? Entry.Second : Entry.First) = &A;
    Entry.HasOut |= I >= FirstOut;
    Entry.HasSelf |= I < F.Args.NumPositional && A.Name == "self";
    Entry.HasPostSelf |= I >= FirstPostSelf && I < F.Args.NumPositional;
  }
  for (const Return &R : F.Returns)
    if (R.Annotation)
      Returned.insert(R.Annotation->str());
}

void Verifier::checkNames() {
  llvm::ArrayRef<Argument> All = F.Args.all();
  auto Report = [&](const Argument &A) {
    C.error(finding::ArgumentNameTwice, at(A).Name, "two arguments are named '{0}'; rename one",
            quoted(A.Name));
  };
  // Few names are compared faster than hashed.
  if (All.size() <= 16) {
    for (size_t I = 1; I < All.size(); ++I)
      if (llvm::any_of(All.take_front(I), [&](const Argument &A) { return A.Name == All[I].Name; }))
        Report(All[I]);
    return;
  }
  llvm::StringSet<> Seen;
  for (const Argument &A : All)
    if (!Seen.insert(A.Name).second)
      Report(A);
}

constexpr llvm::StringLiteral PythonKeywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// Operators older than the rule keep their argument `from`.
constexpr llvm::StringLiteral KeepFrom[] = {"_has_compatible_shallow_copy_type", "random_.from",
                                            "uniform_"};

void Verifier::checkKeywords() {
  if (!C.G.RefusesPythonKeywords)
    return;
  for (const Argument &A : F.Args.All)
    if (llvm::is_contained(PythonKeywords, llvm::StringRef(A.Name)) &&
        !(A.Name == "from" && llvm::is_contained(KeepFrom, llvm::StringRef(F.Name.str()))))
      C.error(finding::ArgumentNameKeyword, at(A).Name,
              "'{0}' is a Python keyword, so callers cannot pass this argument by name; use '{0}_'",
              A.Name);
}

void Verifier::checkDefaultOrder() {
  const Argument *WithDefault = nullptr;
  for (const Argument &A : F.Args.positional()) {
    if (A.Default)
      WithDefault = &A;
    else if (WithDefault)
      C.error(finding::DefaultOrder, at(A).Whole,
              "'{0}' needs a default, because '{1}' before it has one", quoted(A.Name),
              quoted(WithDefault->Name));
  }
}

void Verifier::checkBeforeSelf() {
  for (const Argument &A : F.Args.preSelfPositional())
    if (A.isWrite())
      C.error(finding::MutableBeforeSelf, at(A).Type,
              "'{0}' precedes 'self', so it cannot be marked as written", quoted(A.Name));
}

void Verifier::checkOutAgainstReturns() {
  for (size_t I = 0; I != numPaired(); ++I) {
    const Argument &Out = F.Args.out()[I];
    const Return &R = F.Returns[I];
    if (Out.Annotation != R.Annotation)
      C.error(finding::OutReturnMismatch, atReturn(R).Type,
              "return {0} must match out argument {0} ('{1}'): expected '{2}' but found '{3}'",
              I + 1, quoted(Out.Name), annotationOf(Out.Annotation), quoted(atReturn(R).Type));
  }
}

void Verifier::checkMutablePositional() {
  for (const Argument &A : F.Args.postSelfPositional())
    if (A.isWrite() && Returned.contains(A.Annotation->str()))
      C.error(finding::MutablePositionalReturned, at(A).Whole,
              "an operator cannot return a positional argument that it writes to; make '{0}' "
              "keyword-only (an out argument), or remove the return",
              quoted(A.Name));
}

void Verifier::checkWrittenReturns() {
  auto IsWritten = [](const Return &R) { return R.isWrite(); };
  size_t Written = llvm::count_if(F.Returns, IsWritten);
  if (Written == 0)
    return;
  if (Written != F.Returns.size()) {
    const Return &Fresh = *llvm::find_if_not(F.Returns, IsWritten);
    C.error(finding::ReturnsMixed, atReturn(Fresh).Whole,
            "return '{0}' is not an argument that the operator writes to, but another return is; "
            "either all returns or none must be such arguments",
            quoted(atReturn(Fresh).Whole));
  }
  for (size_t I = numPaired(); I != F.Returns.size(); ++I) {
    const Return &R = F.Returns[I];
    if (!R.isWrite())
      continue;
    // A positional argument after self has been reported already.
    Aliased Entry = ByAnnotation.lookup(R.Annotation->str());
    if (Entry.HasOut || Entry.HasSelf || Entry.HasPostSelf)
      continue;
    C.error(finding::ReturnNotOut, atReturn(R).Type,
            "the return '{0}' is marked as written, but matches neither 'self' nor an out argument",
            quoted(atReturn(R).Type));
  }
}

void Verifier::checkOutReturns() {
  if (!F.isOut())
    return;
  auto IsPlain = [](const Argument &A) { return A.Ty.is(BaseTy::Tensor); };
  llvm::ArrayRef<Argument> Out = F.Args.out();
  if (!llvm::all_of(Out, IsPlain)) {
    const Argument &A = *llvm::find_if_not(Out, IsPlain);
    if (!F.Returns.empty())
      C.error(finding::OutListReturns, Where.Returns,
              "an out variant whose out argument '{0}' has type '{1}' must return nothing; write "
              "'-> ()'",
              quoted(A.Name), quoted(A.Ty.str()));
    return;
  }
  size_t Expected = llvm::count_if(
      Out, [](const Argument &A) { return !llvm::StringRef(A.Name).starts_with("_scratch_"); });
  if (Expected != F.Returns.size())
    C.error(finding::OutReturnCount, Where.Returns,
            "expected one return per out argument ({0} in total) but found {1}{2}", Expected,
            F.Returns.size(),
            Expected == Out.size() ? "" : " ('_scratch_' arguments are not returned)");
}

void Verifier::checkInplace() {
  if (!F.isInplace())
    return;
  const Argument *Self = F.Args.self();
  if (!Self) {
    C.error(finding::InplaceWithoutSelf, Where.Name,
            "'{0}' is in-place, so it needs the positional argument 'Tensor(a!) self'",
            quoted(F.Name.str()));
    return;
  }
  if (!Self->isWrite()) {
    C.error(finding::InplaceSelfNotWritten, at(*Self).Type,
            "'{0}' is in-place, so 'self' must be 'Tensor(a!){1} self'", quoted(F.Name.str()),
            Self->Ty.isTensorLike() ? quoted(llvm::StringRef(Self->Ty.str()).drop_front(6)) : "");
    return;
  }
  if (!Self->Ty.is(BaseTy::Tensor)) {
    if (!F.Returns.empty())
      C.error(finding::InplaceListReturns, Where.Returns,
              "an in-place operator on '{0}' must return nothing; write '-> ()'",
              quoted(Self->Ty.str()));
    return;
  }
  if (F.Returns.size() != 1 || F.Returns[0].Annotation != Self->Annotation)
    C.error(finding::InplaceReturn, Where.Returns,
            "'{0}' is in-place, so it must return 'self'; write '{1}'", quoted(F.Name.str()),
            annotationOf(Self->Annotation));
}

void Verifier::checkKind() {
  if (F.isOut() && F.isInplace()) {
    C.error(finding::OutAndInplace, at(F.Args.out().front()).Whole,
            "'{0}' is in-place, so it cannot have an out argument", quoted(F.Name.str()));
    return;
  }
  SchemaKind Kind = F.kind();
  if (Kind == SchemaKind::Functional)
    return;
  if (F.Args.hasTensorOptions())
    C.error(finding::TensorOptionsNotFunctional, at(F.Args.tensorOptions().front()).Whole,
            "only functional operators can take dtype, layout, device and pin_memory; this "
            "operator is the {0} variant",
            toString(Kind));
  if (F.isFunctionalVariant())
    C.error(finding::FunctionalOverloadNotFunctional, Where.Name,
            "only functional variants can have 'functional' in the overload's name; this operator "
            "is the {0} variant",
            toString(Kind));
}

void Verifier::checkAliases() {
  for (const Return &R : F.Returns) {
    if (!R.Annotation)
      continue;
    Aliased Entry = ByAnnotation.lookup(R.Annotation->str());
    if (Entry.Second)
      C.error(finding::ReturnAliasesSeveral, atReturn(R).Type,
              "the return '{0}' aliases several arguments, '{1}' and '{2}'; give them different "
              "letters",
              quoted(atReturn(R).Type), quoted(Entry.First->Name), quoted(Entry.Second->Name));
  }
}

} // namespace

void groupArguments(Arguments &Args, llvm::function_ref<void(unsigned)> Again) {
  for (unsigned I = 0; I != Args.NumPositional; ++I)
    if (Args.All[I].Name == "self") {
      Args.SelfIndex = I;
      break;
    }
  unsigned End = Args.All.size() - Args.NumOut;
  for (unsigned I = Args.NumPositional; I + 4 <= End; ++I) {
    if (!areTensorOptions(Args.all().slice(I, 4)))
      continue;
    if (Args.hasTensorOptions())
      Again(I);
    else
      Args.TensorOptionsIndex = I;
    I += 3;
  }
}

void verifySchema(Context &C, const FunctionSchema &F, const SchemaText &Where) {
  Verifier(C, F, Where).run();
}

} // namespace opsig::schema
