//===- BoxedTypes.cpp - types of kernels that TORCH_BOX cannot carry ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: void f(at::Tensor x, std::optional<std::string_view> mode)
// After:  void f(torch::stable::Tensor x, std::optional<std::string> mode)
//
// Before: m.impl("g", with_wide_types(&g)), which makes a lambda of g(at::Tensor x, float by)
// After:  m.impl("g", TORCH_BOX(&g)), and g(torch::stable::Tensor x, double by)
//
// TORCH_BOX copies 64 bits as what the kernel's type says: a float of a schema's float would be
// half of a double, and nobody would say so. So a kernel moves with all of its types, in all files,
// or not at all.
//
//===----------------------------------------------------------------------===//
#include "Rules/RuleTable.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Frontend/PythonModule.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

bool isView(const CppType &T) {
  return T.Is == CppType::Named && T.Name == "std::basic_string_view";
}

/// Which numbers another type is written for.
enum class Numbers : uint8_t {
  AsTheyAre,
  Narrow, ///< int and float, which a function of the project's has handed on
  Any,    ///< and those without a sign, which Python has
};

/// The type that the schema language has for a number; "" for those that it has already.
StringRef wideNumber(const CppType &T, Numbers Which) {
  if (T.Is != CppType::Named || !T.Args.empty() || Which == Numbers::AsTheyAre)
    return "";
  StringRef To =
      StringSwitch<StringRef>(T.Name).Case("float", "double").Case("int", "int64_t").Default("");
  bool Unsigned = T.is("unsigned long") || T.is("unsigned int");
  return To.empty() && Unsigned && Which == Numbers::Any ? "int64_t" : To;
}

/// What is inside of an optional, or the type itself.
const CppType &held(const CppType &T) {
  const CppType &Value = T.referee();
  return Value.isTemplate("std::optional") ? Value.Args.front() : Value;
}

/// Where a type is written that can be exchanged in \p Whole, which has that text; invalid for an
/// alias of the project's, which may be there for more.
Span exchangeable(const CppType &T, const Span &Whole, StringRef Text) {
  if (!T.At.isValid() || T.At.File != Whole.File || T.At.Offset < Whole.Offset)
    return {};
  StringRef Word = Text.substr(T.At.Offset - Whole.Offset, T.At.Length);
  bool Known = isWordOf("int int32_t float size_t uint64_t uint32_t uintptr_t string_view",
                        Word.substr(Word.rfind(':') + 1));
  return Known ? T.At : Span();
}

Span exchangeable(const CppType &T, const KernelParam &P) {
  return exchangeable(T, P.Type, P.TypeText);
}

/// A class that no 64 bits are, in whatever it is.
bool isStrange(const CppType &T) {
  const CppType &Value = T.referee();
  return StringSwitch<bool>(Value.Is == CppType::Named ? StringRef(Value.Name) : "")
             .Cases({"std::tuple", "std::map", "std::unordered_map", "c10::Dict"}, true)
             .Cases({"c10::Scalar", "c10::SymInt", "c10::Storage"}, true)
             .Default(false) ||
         any_of(Value.arguments(), isStrange);
}

/// The type that is written for a parameter's; "" where it stays. None: it has to be another one,
/// and cannot.
std::optional<StringRef> typeInstead(const KernelParam &P, Numbers Which) {
  if (isStrange(P.Canonical))
    return std::nullopt;
  const CppType &Value = P.Canonical.referee(), &Inner = held(P.Canonical);
  const bool View = &Inner != &Value && isView(Inner);
  StringRef To = View ? "std::string" : wideNumber(Inner, Which);
  // What it refers to would be another number.
  const bool Refers = !View && P.Canonical.Is == CppType::LeftRef && !Value.Const;
  if (!To.empty() && (Refers || !exchangeable(Inner, P).isValid()))
    return std::nullopt;
  return To;
}

/// `std::optional<const Tensor> &`, of which nothing can be made.
bool holdsConst(const CppType &T) { return &held(T) != &T.referee() && held(T).Const; }

/// Whether a function of the project's only changes a parameter's type.
bool isAdapted(const CppType &From, const CppType &To) {
  CppType Wide = held(From), Taken = held(To);
  if (StringRef Number = wideNumber(Wide, Numbers::Narrow); !Number.empty())
    Wide = CppType::named(Number == "double" ? "double" : "long");
  Wide.Const = Taken.Const = false;
  return isCarried(Wide) && Wide.str() == Taken.str();
}

/// The kernel is a lambda that does with a function's types what TORCH_BOX wants to be done. One of
/// the same types is made for something else.
bool adapts(const RegisteredKernel &Kernel) {
  if (Kernel.Wrapped.empty())
    return false;
  const KernelDecl &From = Kernel.Wrapped.front().Decl, &To = Kernel.Decl;
  if (From.Params.size() != To.Params.size() ||
      From.ReturnCanonical.str() != To.ReturnCanonical.str())
    return false;
  bool Other = false;
  for (auto [F, T] : zip_equal(From.Params, To.Params)) {
    if (!isAdapted(F.Canonical, T.Canonical))
      return false;
    Other |= F.Canonical.decayed().str() != T.Canonical.decayed().str() ||
             (F.Canonical.Is == CppType::LeftRef && !F.Canonical.referee().Const &&
              T.Canonical.referee().Const);
  }
  return Other;
}

/// A type that has to change.
bool changes(const KernelParam &P, Numbers Which) {
  std::optional<StringRef> To = typeInstead(P, Which);
  return !To || !To->empty() || (Which != Numbers::AsTheyAre && holdsConst(P.Canonical));
}

/// Between the bracket of `std::optional<const Tensor>` and what it holds; invalid where that is
/// not written so.
Span constWithin(const KernelParam &P) {
  const Span &Outer = P.Canonical.referee().At, &Inner = held(P.Canonical).At;
  bool Written = Outer.isValid() && Inner.isValid() && Outer.Offset == P.Type.Offset &&
                 Inner.Offset == Outer.end() + StringRef("<const ").size();
  return Written ? Span{Outer.File, Outer.end() + 1, Inner.Offset - Outer.end() - 1} : Span();
}

/// A type that has to change, and cannot.
bool isFixed(const KernelParam &P, Numbers Which) {
  bool Const = Which != Numbers::AsTheyAre && holdsConst(P.Canonical);
  return !typeInstead(P, Which) || (Const && !constWithin(P).isValid());
}

/// One change for each type of one declaration.
class TypePlanner {
public:
  TypePlanner(const StableContext &Context, const BoxedKernels &Boxed)
      : Context(Context), Boxed(Boxed) {
    for (const StableChange &Change : Context.Plan.Changes)
      for (const RewriteAlternative &Way : Change.Ways)
        for (const StableRewrite &R : Way.Rewrites)
          Edited.insert(keyOf(R.At));
  }

  void plan(const KernelDecl &D);

private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  static Key keyOf(const Span &S) { return {S.File, S.Offset, S.Length}; }
  void value(const KernelDecl &D);
  void number(const KernelDecl &D);
  void param(const KernelDecl &D, const KernelParam &P, Numbers Which);
  void put(const KernelDecl &D, const KernelParam &P, Span At, StringRef To, Span Dropped = {});
  Span bodyBehind(const KernelDecl &D) const;

  const StableContext &Context;
  const BoxedKernels &Boxed;
  std::set<Key> Edited;
};

/// A value for a reference.
void TypePlanner::value(const KernelDecl &D) {
  if (!returnsReference(D, Context) || !Edited.insert(keyOf(referenceSign(D))).second)
    return;
  WayBuilder Way(Context);
  Way.at(referenceSign(D));
  Context.Plan.Changes.push_back(movesInWords(
      {D.ReturnText, referenceSign(D)}, finding::UnstableRegistration, "a value", std::move(Way)));
}

Span TypePlanner::bodyBehind(const KernelDecl &D) const {
  StringRef Text = Context.text({D.ParamList.File, 0, ~0u});
  size_t Open = Text.find_first_of("{;", D.ParamList.end());
  if (Open == StringRef::npos || Text[Open] == ';')
    return {};
  StringRef Body = bracketed(Text.substr(Open));
  return Body.empty() ? Span() : Span{D.ParamList.File, uint32_t(Open), uint32_t(Body.size())};
}

/// \p To at \p At, and nothing at \p Dropped.
void TypePlanner::put(const KernelDecl &D, const KernelParam &P, Span At, StringRef To,
                      Span Dropped) {
  if (!At.isValid() || !Edited.insert(keyOf(At)).second)
    return;
  WayBuilder Way(Context);
  Way.at(At).pattern(To, {});
  if (Dropped.isValid())
    Way.at(Dropped);
  StableChange Change = movesBy({P.TypeText, P.Type}, finding::UnstableType,
                                Dropped.isValid() ? "const std::optional" : To, std::move(Way));
  Change.AtomicGroup.insert(identityOf(D));
  Change.AffectedRange = bodyBehind(D);
  Change.ReachName = P.Name;
  Context.Plan.Changes.push_back(std::move(Change));
}

/// What a function returns that Python has had as a number.
void TypePlanner::number(const KernelDecl &D) {
  StringRef To = wideNumber(D.ReturnCanonical, Numbers::Any);
  KernelParam Result;
  Result.TypeText = D.ReturnText;
  Result.Type = D.Return;
  if (!To.empty())
    put(D, Result, exchangeable(D.ReturnCanonical, Result), To);
}

void TypePlanner::param(const KernelDecl &D, const KernelParam &P, Numbers Which) {
  std::optional<StringRef> To = typeInstead(P, Which);
  if (To && !To->empty())
    put(D, P, exchangeable(held(P.Canonical), P), *To);
  else if (Span Const = constWithin(P);
           Which != Numbers::AsTheyAre && holdsConst(P.Canonical) && Const.isValid())
    put(D, P, {P.Type.File, P.Type.Offset, 0}, "const ", Const);
}

void TypePlanner::plan(const KernelDecl &D) {
  std::string Id = identityOf(D);
  bool Bound = Boxed.Bound.count(Id);
  if (!Boxed.Registered.count(Id) && !Bound)
    return;
  value(D);
  if (!Boxed.Defined.count(Id) || Boxed.Fixed.count(Id))
    return;
  if (Bound)
    number(D);
  Numbers Which = Bound                     ? Numbers::Any
                  : Boxed.Wrapped.count(Id) ? Numbers::Narrow
                                            : Numbers::AsTheyAre;
  for (const KernelParam &P : D.Params)
    if (P.Type.isValid())
      param(D, P, Which);
}

/// Calls \p Visit for each declaration of a function that the unit registers.
template <typename Function> void forEachRegistered(const UnitFacts &Unit, Function Visit) {
  for (const RegistrationBlock &Block : Unit.Registrations)
    for (const RegistrationEntry &Entry : Block.Entries) {
      const RegisteredKernel &Kernel = kernelBehind(Entry.Kernel);
      if (Block.Stable || Kernel.Is != RegisteredKernel::Function)
        continue;
      Visit(Kernel.Decl, Entry.Kernel);
      for (const KernelDecl &Other : Kernel.Others)
        Visit(Other, Entry.Kernel);
    }
}

template <typename Function> void forEachBound(const UnitFacts &Unit, Function Visit) {
  for (const PythonModule &Module : Unit.Modules)
    for (const BoundFunction &Bound : Module.Functions)
      if (Bound.Kernel.Is == RegisteredKernel::Function) {
        Visit(Bound.Kernel.Decl);
        for_each(Bound.Kernel.Others, Visit);
      }
}

} // namespace

bool opsig::isCarried(const CppType &T) {
  if (T.Is != CppType::Named)
    return false;
  if (T.isTemplate("std::optional") || T.isTemplate("std::vector") || T.isTemplate("c10::ArrayRef"))
    return isCarried(T.Args.front());
  StringRef Name = T.Name;
  return StringSwitch<bool>(Name)
      .Cases({"at::Tensor", "bool", "long", "double"}, true)
      .Cases({"std::basic_string", "std::basic_string_view"}, true)
      .Cases({"c10::ScalarType", "c10::Device", "c10::Layout", "c10::MemoryFormat"}, true)
      .Default(false);
}

bool opsig::isReturned(const CppType &Declared) {
  const CppType &T = Declared.Is == CppType::LeftRef ? Declared.referee() : Declared;
  if (T.is("void"))
    return true;
  if (T.Is == CppType::Named && T.Name == "std::tuple")
    return !T.Args.empty() && all_of(T.Args, isCarried);
  return isCarried(T) && !T.isTemplate("c10::ArrayRef") && T.Name != "std::basic_string_view";
}

bool opsig::returnsReference(const KernelDecl &D, const StableContext &Context) {
  return D.ReturnCanonical.Is == CppType::LeftRef && Context.text(D.Return).ends_with("&");
}

Span opsig::referenceSign(const KernelDecl &D) { return {D.Return.File, D.Return.end() - 1, 1}; }

std::string opsig::identityOf(const KernelDecl &D) {
  std::string Text = D.qualifiedName() + "(";
  for (const KernelParam &P : D.Params) {
    CppType T = P.Canonical;
    // It is no part of what callers see.
    T.Const &= T.isRef();
    Text += T.str() + ", ";
  }
  return Text + ")";
}

const RegisteredKernel &opsig::kernelBehind(const RegisteredKernel &Kernel) {
  return Kernel.Wrapped.empty() ? Kernel : Kernel.Wrapped.front();
}

bool opsig::numbersCanMove(const KernelDecl &D) {
  bool Returns = wideNumber(D.ReturnCanonical, Numbers::Any).empty() ||
                 exchangeable(D.ReturnCanonical, D.Return, D.ReturnText).isValid();
  auto Changes = [](const KernelParam &P) { return changes(P, Numbers::Any); };
  auto IsFixed = [](const KernelParam &P) { return isFixed(P, Numbers::Any); };
  return Returns && none_of(D.Params, IsFixed) && (D.Editable || none_of(D.Params, Changes));
}

RegisteredKernel opsig::withWideNumbers(RegisteredKernel Kernel) {
  auto Widen = [](CppType &T) {
    if (StringRef To = wideNumber(T, Numbers::Any); !To.empty())
      T = CppType::named(To == "double" ? "double" : "long");
  };
  Widen(Kernel.Decl.ReturnCanonical);
  for (KernelParam &P : Kernel.Decl.Params) {
    CppType Value = P.Canonical.referee();
    if (Value.isTemplate("std::optional"))
      Widen(Value.Args.front());
    else if (!wideNumber(Value, Numbers::Any).empty())
      Widen(Value);
    else
      continue;
    P.Canonical = Value;
  }
  return Kernel;
}

Boxable opsig::boxable(const RegisteredKernel &Kernel, const BoxedKernels &Boxed) {
  const RegisteredKernel &Behind = kernelBehind(Kernel);
  const bool Wide = &Behind != &Kernel;
  if (Behind.Is != RegisteredKernel::Function)
    return Boxable::No;
  std::string Id = identityOf(Behind.Decl);
  if (Wide && !Boxed.Wrapped.count(Id))
    return Boxable::No;
  const Numbers Which = Wide ? Numbers::Narrow : Numbers::AsTheyAre;
  if (none_of(Behind.Decl.Params, [&](const KernelParam &P) { return changes(P, Which); }))
    return Boxable::AsItIs;
  return Boxed.Defined.count(Id) && !Boxed.Fixed.count(Id) ? Boxable::WithOtherTypes : Boxable::No;
}

static void addBoxedKernels(const UnitFacts &Unit, BoxedKernels &To) {
  auto Add = [&](const KernelDecl &D, Numbers Which) {
    std::string Id = identityOf(D);
    if (D.Definition)
      To.Defined.insert(Id);
    if (!D.Editable || any_of(D.Params, [&](const KernelParam &P) { return isFixed(P, Which); }))
      To.Fixed.insert(Id);
    if (!numbersCanMove(D))
      To.FixedNumbers.insert(Id);
  };
  forEachRegistered(Unit, [&](const KernelDecl &D, const RegisteredKernel &Kernel) {
    To.Registered.insert(identityOf(D));
    if (adapts(Kernel))
      To.Wrapped.insert(identityOf(D));
    Add(D, adapts(Kernel) ? Numbers::Narrow : Numbers::AsTheyAre);
  });
  forEachBound(Unit, [&](const KernelDecl &D) { Add(D, Numbers::AsTheyAre); });
  for (const auto *Decls : {&Unit.Kernels, &Unit.Definitions})
    for (const KernelDecl &D : *Decls)
      Add(D, Numbers::AsTheyAre);
  for (const PythonModule &Module : Unit.Modules)
    To.Modules.push_back({&Unit, &Module});
  for (const PythonUse &Use : Unit.PythonUses) {
    if (Use.Other.isValid())
      To.OfPython.insert(identityOf(Use.Decl));
    if (!Use.Releases.empty())
      To.Releasing.insert(identityOf(Use.Decl));
  }
}

BoxedKernels opsig::boxedKernels(ArrayRef<UnitFacts> Units) {
  BoxedKernels Boxed;
  for (const UnitFacts &Unit : Units)
    addBoxedKernels(Unit, Boxed);
  resolveModules(Boxed);
  return Boxed;
}

void opsig::planBoxedTypes(const StableContext &Context, const BoxedKernels &Boxed) {
  TypePlanner Planner(Context, Boxed);
  for_each(Context.Unit.Kernels, [&](const KernelDecl &D) { Planner.plan(D); });
  for_each(Context.Unit.Definitions, [&](const KernelDecl &D) { Planner.plan(D); });
  forEachRegistered(Context.Unit,
                    [&](const KernelDecl &D, const RegisteredKernel &) { Planner.plan(D); });
  forEachBound(Context.Unit, [&](const KernelDecl &D) { Planner.plan(D); });
}
