//===- Translate.cpp - Arguments of one convention from those of another ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small proof search: the bindings at hand and what follows from each of them are facts; a goal
// is a fact, or follows from one by conversions that cost nothing (direct), or by one rule that
// makes code. What a rule needs must be direct, so every search ends.
//
//===----------------------------------------------------------------------===//

#include "opsig/Signature/Translate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

namespace {

using Solution = std::optional<std::string>;

/// A NamedCType that does not own its name.
struct Goal {
  llvm::StringRef Name;
  bool PossiblyRedundantMemoryFormat;
  CType Ty;

  Goal(llvm::StringRef Name, CType Ty, bool Redundant = false)
      : Name(Name), PossiblyRedundantMemoryFormat(Redundant), Ty(std::move(Ty)) {}
  explicit Goal(const NamedCType &N) : Goal(N.Name, N.Ty, N.PossiblyRedundantMemoryFormat) {}

  Goal with(CType NewTy) const { return {Name, std::move(NewTy), PossiblyRedundantMemoryFormat}; }
  bool isNamed(llvm::StringRef Expected) const {
    return Name == Expected && !PossiblyRedundantMemoryFormat;
  }
  friend bool operator==(const Goal &, const Goal &) = default;
};

bool isOptional(const CType &T, CppBase Base) {
  return T.layers().size() == 1 && T.isA(CTypeLayer::Optional) && T.base() == Base;
}

bool isVector(const CType &T, CppBase Base) {
  return T.layers().size() == 1 && T.isA(CTypeLayer::Vector) && T.base() == Base;
}

const CType &tensorOptionsRef() {
  static const CType Ty = CType(CppBase::TensorOptions).constRef();
  return Ty;
}

//===-- facts ---------------------------------------------------------------===//

/// What is known to be at hand. A later fact about the same name and type replaces an earlier one.
class Facts {
public:
  /// Adds a value and what follows from it alone.
  void add(llvm::StringRef Text, const NamedCType &Type) {
    Goal G(Type);
    set(G, Text.str());
    addConsequences(Text, G);
  }

  void set(Goal What, std::string Text) {
    for (Fact &F : All)
      if (F.What == What) {
        F.Text = std::move(Text);
        return;
      }
    All.push_back({std::move(What), std::move(Text)});
  }

  const std::string *find(const Goal &Expected) const {
    for (const Fact &F : All)
      if (F.What == Expected)
        return &F.Text;
    return nullptr;
  }

  /// "TYPE NAME = TEXT; ..."
  std::string describe(const Dialect &D) const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    llvm::interleave(
        All, OS,
        [&](const Fact &F) {
          F.What.Ty.print(OS, D);
          OS << ' ' << F.What.Name << " = " << F.Text;
        },
        "; ");
    return Text.empty() ? "nothing" : Text;
  }

private:
  struct Fact {
    Goal What;
    std::string Text;
  };

  void addConsequences(const llvm::Twine &X, const Goal &G) {
    using L = CTypeLayer;
    auto Is = [&](CppBase Base, llvm::ArrayRef<L::Kind> Layers) {
      return G.Ty.base() == Base &&
             llvm::equal(G.Ty.layers(), Layers,
                         [](const L &Layer, L::Kind Kind) { return Layer.Is == Kind; });
    };
    if (Is(CppBase::Tensor, {L::Optional, L::ConstRef}))
      set(G.with(CppBase::OptionalTensorRef),
          ("((" + X + ".has_value() && (*" + X + ").defined()) ? at::OptionalTensorRef(*" + X +
           ") : at::OptionalTensorRef())")
              .str());
    else if (Is(CppBase::Scalar, {L::ConstRef}))
      set(G.with(CppBase::OpmathT), ("(" + X + ").to<opmath_t>()").str());
    else if (Is(CppBase::Scalar, {L::Optional, L::ConstRef}))
      set(G.with(CppBase::OptionalScalarRef), ("(" + X + ".has_value() ? at::OptionalScalarRef(&(" +
                                               X + ".value())) : at::OptionalScalarRef())")
                                                  .str());
    else if (Is(CppBase::ScalarT, {}))
      set(G.with(CppBase::OpmathT), ("static_cast<opmath_t>(" + X + ")").str());
    else if (Is(CppBase::Tensor, {L::Optional, L::List, L::ConstRef}))
      set(G.with(CppBase::IOptTensorListRef), ("at::IOptTensorListRef(" + X + ")").str());
  }

  llvm::SmallVector<Fact, 16> All;
};

//===-- search --------------------------------------------------------------===//

class Solver {
public:
  Solver(const Facts &Known, bool WantsOptions, bool AllowExpensive, const Dialect &D)
      : Known(Known), WantsOptions(WantsOptions), AllowExpensive(AllowExpensive), S(D.Spelling) {}

  Solution solve(const Goal &G) const {
    if (Solution X = direct(G))
      return X;
    // References are looked through before any rule is tried.
    if (G.Ty.isA(CTypeLayer::ConstRef)) {
      if (Solution X = solve(G.with(G.Ty.elem().mutRef())))
        return X;
    } else if (G.Ty.isA(CTypeLayer::MutRef)) {
      if (Solution X = solve(G.with(G.Ty.elem())))
        return X;
    } else if (G.Ty == CType(CppBase::Long).arrayRef()) {
      return solve(G.with(CppBase::IntArrayRef));
    }
    return byRule(G);
  }

private:
  /// From a fact as it stands: `const T &` is served by `T &`, `T &` by `T`, and IntArrayRef is
  /// another name of ArrayRef<int64_t>.
  Solution direct(const Goal &G) const {
    if (const std::string *Text = Known.find(G))
      return *Text;
    if (G.Ty.isA(CTypeLayer::ConstRef))
      return direct(G.with(G.Ty.elem().mutRef()));
    if (G.Ty.isA(CTypeLayer::MutRef))
      return direct(G.with(G.Ty.elem()));
    if (G.Ty == CType(CppBase::Long).arrayRef())
      return direct(G.with(CppBase::IntArrayRef));
    return std::nullopt;
  }

  /// At most one rule is for a goal; if it fails, so does the goal.
  Solution byRule(const Goal &G) const {
    if (isTensorOption(G))
      return tensorOption(G);
    if (std::optional<Solution> X = number(G))
      return *X;
    if (G.Ty.is(CppBase::OptionalScalarRef))
      return direct(G.with(CType(CppBase::Scalar).optional()));
    if (G.Ty.is(CppBase::OptionalTensorRef))
      return direct(G.with(CType(CppBase::Tensor).optional()));
    if (AllowExpensive)
      if (std::optional<Solution> X = owning(G))
        return *X;
    if (G.Ty == CType(CppBase::Tensor).mutRef())
      return around("const_cast<Tensor&>(", direct(G.with(CType(CppBase::Tensor).constRef())), ")");
    return std::nullopt;
  }

  static Solution around(const llvm::Twine &Before, const Solution &X, const llvm::Twine &After) {
    return X ? Solution((Before + *X + After).str()) : std::nullopt;
  }

  /// "X.has_value() ? MAKE(INNER) : NULLOPT".
  Solution mapped(const Solution &X,
                  llvm::function_ref<std::string(const std::string &)> Inner) const {
    if (!X)
      return std::nullopt;
    return (*X + ".has_value() ? " + S.MakeOptional + "(" + Inner(*X) + ") : " + S.Nullopt).str();
  }

  //===-- tensor options ----------------------------------------------------===//

  static bool isTensorOption(const Goal &G) {
    return (G.isNamed("options") && G.Ty.is(CppBase::TensorOptions)) ||
           (G.isNamed("memory_format") && isOptional(G.Ty, CppBase::MemoryFormat)) ||
           (G.isNamed("dtype") && isOptional(G.Ty, CppBase::ScalarType)) ||
           (G.isNamed("layout") && isOptional(G.Ty, CppBase::Layout)) ||
           (G.isNamed("device") && isOptional(G.Ty, CppBase::Device)) ||
           (G.isNamed("pin_memory") && isOptional(G.Ty, CppBase::Bool));
  }

  Solution tensorOption(const Goal &G) const {
    if (G.Name == "options")
      return packedOptions();
    if (G.Name == "memory_format")
      return memoryFormat();
    Solution Options = direct({"options", tensorOptionsRef()});
    // A factory called from its out variant makes something like the output.
    Solution Out = Options ? std::nullopt : direct({"out", CType(CppBase::Tensor).constRef()});
    if (G.Name == "dtype")
      return Options ? around(S.DtypeFromOptions + "(", Options, ".dtype_opt())")
                     : around("", Out, ".scalar_type()");
    if (G.Name == "layout")
      return Options ? around("", Options, ".layout_opt()") : around("", Out, ".layout()");
    if (G.Name == "device")
      return Options ? around("", Options, ".device_opt()") : around("", Out, ".device()");
    if (Options)
      return around("", Options, ".pinned_memory_opt()");
    return Out ? Solution(S.Nullopt.str()) : std::nullopt;
  }

  Solution packedOptions() const {
    Solution Dtype = direct({"dtype", CType(CppBase::ScalarType).optional()});
    Solution Layout = direct({"layout", CType(CppBase::Layout).optional()});
    Solution Device = direct({"device", CType(CppBase::Device).optional()});
    Solution PinMemory = direct({"pin_memory", CType(CppBase::Bool).optional()});
    if (!Dtype || !Layout || !Device || !PinMemory)
      return std::nullopt;
    return "TensorOptions().dtype(" + *Dtype + ").layout(" + *Layout + ").device(" + *Device +
           ").pinned_memory(" + *PinMemory + ")";
  }

  Solution memoryFormat() const {
    Solution Format = direct({"memory_format", CType(CppBase::MemoryFormat).optional(), true});
    if (!Format || WantsOptions)
      return Format; // Options that are handed on keep their own format.
    Solution Options = direct({"options", tensorOptionsRef()});
    if (!Options)
      return Format;
    return "c10::impl::check_tensor_options_and_extract_memory_format(" + *Options + ", " +
           *Format + ")";
  }

  //===-- numbers, symbolic and not -----------------------------------------===//

  /// Nothing if \p G is no such goal.
  std::optional<Solution> number(const Goal &G) const {
    using B = CppBase;
    auto From = [&](CType Source) { return direct(G.with(std::move(Source))); };

    if (G.Ty.is(B::IntArrayRef)) {
      if (Solution X = From(CType(B::Long).vector()))
        return X;
      return around(S.IntArrayFromSymInt + "(", From(B::SymIntArrayRef), ")");
    }
    if (G.Ty.is(B::SymIntArrayRef)) {
      if (Solution X = From(B::IntArrayRef))
        return around(S.SymIntArrayFromInt + "(", X, ")");
      return From(CType(B::SymInt).vector());
    }
    if (G.Ty.is(B::SymInt))
      return From(B::Long);
    if (isOptional(G.Ty, B::SymInt))
      return mapped(From(CType(B::Long).optional()),
                    [](const std::string &X) { return "c10::SymInt(*" + X + ")"; });
    if (G.Ty.is(B::Long))
      return around("", From(B::SymInt), "." + S.IntFromSymInt);
    if (isOptional(G.Ty, B::Long))
      return mapped(From(CType(B::SymInt).optional()),
                    [&](const std::string &X) { return X + "->" + S.IntFromSymInt.str(); });
    if (G.Ty.is(B::OptionalIntArrayRef)) {
      if (Solution X = From(CType(B::Long).vector().optional()))
        return X;
      return mapped(From(B::OptionalSymIntArrayRef), [&](const std::string &X) {
        return S.IntArrayFromSymInt.str() + "(*" + X + ")";
      });
    }
    if (G.Ty.is(B::OptionalSymIntArrayRef))
      return mapped(From(B::OptionalIntArrayRef), [&](const std::string &X) {
        return S.SymIntArrayFromInt.str() + "(*" + X + ")";
      });
    return std::nullopt;
  }

  //===-- values that own what a reference points to ------------------------===//

  /// Nothing if \p G is no such goal.
  std::optional<Solution> owning(const Goal &G) const {
    using B = CppBase;
    auto From = [&](CppBase Source) { return direct(G.with(Source)); };

    if (isVector(G.Ty, B::Long))
      return around("", From(B::IntArrayRef), ".vec()");
    if (isVector(G.Ty, B::SymInt))
      return around("", From(B::SymIntArrayRef), ".vec()");
    if (G.Ty == CType(B::Long).vector().optional())
      return mapped(From(B::OptionalIntArrayRef),
                    [](const std::string &X) { return X + "->vec()"; });
    if (isOptional(G.Ty, B::Scalar))
      return mapped(From(B::OptionalScalarRef), [](const std::string &X) { return X; });
    if (S.TensorsFromReferences && (G.Ty.is(B::Tensor) || isOptional(G.Ty, B::Tensor)))
      return direct(G.with(G.Ty.constRef()));
    return std::nullopt;
  }

  const Facts &Known;
  /// Whether options are among what is wanted.
  bool WantsOptions;
  bool AllowExpensive;
  const SpellingTraits &S;
};

llvm::Error cannotMake(const NamedCType &Want, const Facts &Known, const Dialect &D) {
  return llvm::createStringError("cannot construct '" + Want.Ty.str(D) + " " + Want.Name +
                                 "' from the available arguments: " + Known.describe(D));
}

void addThis(Facts &Known) {
  constexpr llvm::StringLiteral This = "const_cast<Tensor&>(*this)";
  Known.set({"self", CType(CppBase::Tensor).mutRef()}, This.str());
  Known.set({"self", CType(CppBase::Tensor).constRef()}, This.str());
}

llvm::Expected<std::vector<Expr>> solveAll(Facts &Known, llvm::ArrayRef<const NamedCType *> Want,
                                           const Dialect &D, TranslateOptions Options) {
  if (Options.Method)
    addThis(Known);
  bool WantsOptions = llvm::any_of(Want, [](const NamedCType *N) {
    return N->Name == "options" && N->Ty == tensorOptionsRef();
  });
  Solver Search(Known, WantsOptions, Options.AllowExpensive, D);
  std::vector<Expr> Result;
  Result.reserve(Want.size());
  for (const NamedCType *N : Want) {
    Solution X = Search.solve(Goal(*N));
    if (!X)
      return cannotMake(*N, Known, D);
    Result.push_back({std::move(*X), *N});
  }
  return Result;
}

} // namespace

llvm::Expected<std::vector<Expr>> translate(llvm::ArrayRef<Expr> Have,
                                            llvm::ArrayRef<NamedCType> Want, const Dialect &D,
                                            TranslateOptions Options) {
  Facts Known;
  for (const Expr &E : Have)
    Known.add(E.Text, E.Type);
  return solveAll(Known, llvm::map_to_vector<16>(Want, [](const NamedCType &N) { return &N; }), D,
                  Options);
}

/// The binding that serves \p Want as it is, and of whose name there is no other.
static const Binding *sameBinding(llvm::ArrayRef<Binding> Have, const Binding &Want) {
  const Binding *Found = nullptr;
  for (const Binding &B : Have)
    if (B.Type.Name == Want.Type.Name) {
      if (Found || B.Type != Want.Type)
        return nullptr;
      Found = &B;
    }
  return Found;
}

/// What a search would find at once, where that is so for every goal: most calls hand on what they
/// got.
static std::optional<llvm::SmallVector<const Binding *, 16>> handOn(llvm::ArrayRef<Binding> Have,
                                                                    llvm::ArrayRef<Binding> Want) {
  llvm::SmallVector<const Binding *, 16> Found;
  for (const Binding &B : Want)
    if (!Found.emplace_back(sameBinding(Have, B)))
      return std::nullopt;
  return Found;
}

static llvm::Expected<std::vector<Expr>> search(llvm::ArrayRef<Binding> Have,
                                                llvm::ArrayRef<Binding> Want, const Dialect &D,
                                                TranslateOptions Options) {
  Facts Known;
  for (const Binding &B : Have)
    Known.add(B.Name, B.Type);
  return solveAll(Known, llvm::map_to_vector<16>(Want, [](const Binding &B) { return &B.Type; }), D,
                  Options);
}

llvm::Expected<std::vector<Expr>> translate(llvm::ArrayRef<Binding> Have,
                                            llvm::ArrayRef<Binding> Want, const Dialect &D,
                                            TranslateOptions Options) {
  auto Same = Options.Method ? std::nullopt : handOn(Have, Want);
  if (!Same)
    return search(Have, Want, D, Options);
  std::vector<Expr> Result;
  Result.reserve(Want.size());
  for (const Binding *B : *Same)
    Result.push_back({B->Name, B->Type});
  return Result;
}

llvm::Expected<std::string> callArguments(llvm::ArrayRef<Binding> Have,
                                          llvm::ArrayRef<Binding> Want, const Dialect &D,
                                          TranslateOptions Options) {
  if (auto Same = Options.Method ? std::nullopt : handOn(Have, Want))
    return llvm::join(
        llvm::map_range(*Same, [](const Binding *B) { return llvm::StringRef(B->Name); }), ", ");
  llvm::Expected<std::vector<Expr>> Found = search(Have, Want, D, Options);
  if (!Found)
    return Found.takeError();
  return join(*Found);
}

std::string join(llvm::ArrayRef<Expr> Exprs) {
  std::string Text;
  for (const Expr &E : Exprs) {
    if (&E != Exprs.begin())
      Text += ", ";
    Text += E.Text;
  }
  return Text;
}

} // namespace opsig
