//===- ReleaseTraits.cpp - Lists of a dialect, read from its release ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonDataInternal.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Dialect/ShimTraits.h"
#include "opsig/Torchgen/Torchgen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {

namespace {

using Names = llvm::ArrayRef<llvm::StringRef>;
using Keys = llvm::ArrayRef<DispatchKey>;

enum File : unsigned { Model, Generation, Functionalization, Fallback, PythonApi, PythonFunctions };

constexpr llvm::StringRef ModelPaths[] = {"torchgen/model.py"};
constexpr llvm::StringRef GenerationPaths[] = {"torchgen/native_function_generation.py"};
constexpr llvm::StringRef FunctionalizationPaths[] = {"torchgen/gen_functionalization_type.py"};
constexpr llvm::StringRef FallbackPaths[] = {"torchgen/aoti/fallback_ops.py"};
constexpr llvm::StringRef PythonApiPaths[] = {"torchgen/api/python.py"};
constexpr llvm::StringRef PythonFunctionsPaths[] = {
    "torchgen/packaged/autograd/gen_python_functions.py", "tools/autograd/gen_python_functions.py"};
constexpr Names Paths[] = {ModelPaths,    GenerationPaths, FunctionalizationPaths,
                           FallbackPaths, PythonApiPaths,  PythonFunctionsPaths};

/// What a variable holds, and how its list is made of it.
enum class Shape : uint8_t {
  Names,     ///< strings, members of an Enum
  LeftAlone, ///< strings, without those of the lists of exceptions
  ShimOps,   ///< "aten.name.overload"; of a dict the keys
  Patterns,  ///< regular expressions
  Keys,      ///< DispatchKey.X
  KnownKeys, ///< the members of DispatchKey
};

struct Spec {
  llvm::StringRef Name;
  File In;
  llvm::StringRef Variable;
  Shape Is;
  Names &(*List)(Dialect &);
  Keys &(*KeyList)(Dialect &) = nullptr;
  bool Ordered = false;
};

#define NAMES(Member) [](Dialect &D) -> Names & { return D.Member; }
#define KEYS(Member) nullptr, [](Dialect &D) -> Keys & { return D.Member; }
// The exceptions stand before what is said without them.
constexpr Spec Specs[] = {
    {"base-types", Model, "BaseTy", Shape::Names, NAMES(Schema.BaseTypes)},
    {"scalar-types", Model, "ScalarType", Shape::Names, NAMES(Schema.ScalarTypes)},
    {"keys", Model, "DispatchKey", Shape::KnownKeys, KEYS(Keys.Unknown)},
    {"dispatch-keys", Model, "dispatch_keys", Shape::Keys, KEYS(Keys.Dispatch), true},
    {"structured-keys", Model, "STRUCTURED_DISPATCH_KEYS", Shape::Keys, KEYS(Keys.Structured)},
    {"ufunc-keys", Model, "UFUNC_DISPATCH_KEYS", Shape::Keys, KEYS(Keys.Ufunc)},
    {"fragment-namespaces", Model, "FRAGMENT_NAMESPACES", Shape::Names,
     NAMES(Aten.FragmentNamespaces)},
    {"no-generated-out", Generation, "FUNCTIONAL_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT", Shape::Names,
     NAMES(Schema.NoGeneratedOut)},
    {"no-generated-out-mutable", Generation, "MUTABLE_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT",
     Shape::Names, NAMES(Schema.NoGeneratedOutMutable)},
    {"lone-out", Generation, "OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY", Shape::Names,
     NAMES(Schema.LoneOut)},
    {"not-grouped-inplace", Generation, "INPLACE_OPS_THAT_DONT_GET_GROUPED_PROPERLY", Shape::Names,
     NAMES(Schema.NotGroupedInplace)},
    {"not-functionalized", Functionalization, "MUTABLE_OPS_NOT_USING_FUNCTIONALIZATION",
     Shape::LeftAlone, NAMES(Functionalization.LeftAlone)},
    {"keeps-out-dtype", Functionalization, "CUMULATIVE_OUT_OPS_PRESERVING_OUT_DTYPE", Shape::Names,
     NAMES(Functionalization.KeepsOutDtype)},
    {"shim-ops", Fallback, "inductor_fallback_ops", Shape::ShimOps, NAMES(Shims.DeviceOps), nullptr,
     true},
    {"shim-ops-of-all-devices", Fallback, "aten_shimified_ops", Shape::ShimOps,
     NAMES(Shims.GenericOps), nullptr, true},
    {"python-return-types", PythonApi, "SUPPORTED_RETURN_TYPES", Shape::Names,
     NAMES(Python.ReturnTypes)},
    {"unbound", PythonFunctions, "_SKIP_PYTHON_BINDINGS", Shape::Patterns, NAMES(Python.Unbound)},
    {"unbound-schemas", PythonFunctions, "SKIP_PYTHON_BINDINGS_SIGNATURES", Shape::Names,
     NAMES(Python.UnboundSchemas)},
};
#undef NAMES
#undef KEYS

/// The classes whose bodies are data.
constexpr llvm::StringRef Enums[] = {"BaseTy", "ScalarType", "DispatchKey"};

class ListReader {
public:
  explicit ListReader(llvm::ArrayRef<TorchgenText> Texts) {
    for (const TorchgenText &Text : Texts)
      Modules.emplace_back(Text.Name, Text.Text, Enums);
  }

  TorchgenList read(const Spec &S) const {
    TorchgenList List;
    const ModuleAssignments &In = Modules[S.In];
    if (In.name().empty())
      return List;
    List.File = In.name();
    List.Origin = ListOrigin::NoVariable;
    PythonReader Reader(Modules);
    std::optional<PythonValue> Value = Reader.read(In, S.Variable);
    if (Value) {
      List.Line = Value->Line;
      fill(S.Is, *Value, List);
    } else if (Reader.stop()) {
      refuse(List, Reader.stop()->Line, Reader.stop()->Why);
      List.File = Reader.stop()->File;
    }
    return List;
  }

private:
  static void refuse(TorchgenList &List, unsigned Line, std::string Why) {
    List.Origin = ListOrigin::Computed;
    List.Line = Line;
    List.Why = std::move(Why);
    List.Items.clear();
  }

  static void fill(Shape Is, const PythonValue &Value, TorchgenList &List) {
    bool MayBeDict = Is == Shape::ShimOps;
    if (Value.Is != PythonValue::List && !(MayBeDict && Value.Is == PythonValue::Dict))
      return refuse(List, Value.Line, "a value that is not a list");
    List.Origin = ListOrigin::Torchgen;
    llvm::StringSet<> Seen;
    for (const PythonValue &Item : Value.Items) {
      std::optional<std::vector<std::string>> Texts = textsOf(Is, Item);
      if (!Texts)
        return refuse(List, Item.Line, unexpected(Item));
      for (std::string &Text : *Texts)
        if (Seen.insert(Text).second)
          List.Items.push_back(std::move(Text));
    }
    if (Is != Shape::ShimOps)
      return;
    for (auto [Op, Versions] : llvm::zip(Value.Items, Value.Values))
      if (std::vector<std::string> Name = *textsOf(Is, Op); !Name.empty())
        if (!fillShims(Name[0], Versions, List))
          return refuse(List, Op.Line, "the value of '" + Op.Text + "'");
    llvm::sort(List.Items, shimBefore);
    llvm::sort(List.Shims, [](const TorchgenShim &A, const TorchgenShim &B) {
      return A.Op != B.Op ? shimBefore(A.Op, B.Op) : A.Number < B.Number;
    });
  }

  /// {"since": "X", "v2": ["a"], "v3": {"new_args": ["b"], "since": "Y"}}
  static bool fillShims(const std::string &Op, const PythonValue &Versions, TorchgenList &List) {
    if (Versions.Is != PythonValue::Dict)
      return false;
    for (auto [Key, Value] : llvm::zip(Versions.Items, Versions.Values)) {
      TorchgenShim Shim;
      Shim.Op = Op;
      llvm::StringRef Number = Key.Text;
      bool Known = Number == "since" ? fillShim("since", Value, Shim)
                   : !Number.consume_front("v") || Number.getAsInteger(10, Shim.Number) ? false
                   : Value.Is == PythonValue::List
                       ? fillShim("new_args", Value, Shim)
                       : llvm::all_of(llvm::zip(Value.Items, Value.Values), [&](auto Part) {
                           return fillShim(std::get<0>(Part).Text, std::get<1>(Part), Shim);
                         });
      if (!Known)
        return false;
      List.Shims.push_back(std::move(Shim));
    }
    return true;
  }

  static bool fillShim(llvm::StringRef Key, const PythonValue &Value, TorchgenShim &Shim) {
    if (Key == "since" && Value.Is == PythonValue::String) {
      Shim.Since = Value.Text;
      return true;
    }
    for (const PythonValue &Argument : Value.Items)
      Shim.NewArguments.push_back(Argument.Text);
    return Key == "new_args" && Value.Is == PythonValue::List &&
           llvm::all_of(Value.Items,
                        [](const PythonValue &V) { return V.Is == PythonValue::String; });
  }

  static std::string unexpected(const PythonValue &Item) {
    if (Item.Is == PythonValue::List || Item.Is == PythonValue::Dict)
      return "an element that is itself a list";
    return "the element '" + Item.Text + "'";
  }

  static std::optional<std::vector<std::string>> textsOf(Shape Is, const PythonValue &Item) {
    llvm::StringRef Text = Item.Text;
    if (Is == Shape::Keys) {
      if (Item.Is != PythonValue::Word || !Text.consume_front("DispatchKey.") || Text.contains('.'))
        return std::nullopt;
      return std::vector{Text.str()};
    }
    if (Item.Is != PythonValue::String)
      return std::nullopt;
    if (Is == Shape::Patterns)
      return namePatterns(Text);
    if (Is != Shape::ShimOps)
      return std::vector{Text.str()};
    // Those of other namespaces have no shims.
    if (!Text.consume_front("aten."))
      return std::vector<std::string>();
    Text.consume_back(".default");
    return std::vector{Text.str()};
  }

  /// By name, then by overload; one without counts as "default". The shims are in this order.
  static bool shimBefore(llvm::StringRef A, llvm::StringRef B) {
    auto Parts = [](llvm::StringRef Name) {
      auto [Base, Overload] = Name.split('.');
      return std::pair(Base, Overload.empty() ? "default" : Overload);
    };
    return Parts(A) < Parts(B);
  }

  std::vector<ModuleAssignments> Modules;
};

bool isOneOf(llvm::StringRef Name, std::initializer_list<Names> Lists) {
  return llvm::any_of(Lists, [&](Names List) { return llvm::is_contained(List, Name); });
}

std::vector<llvm::StringRef> namesOf(Keys List) {
  std::vector<llvm::StringRef> Out;
  for (DispatchKey Key : List)
    Out.push_back(toString(Key));
  return Out;
}

std::vector<DispatchKey> without(Keys List) {
  std::vector<DispatchKey> Out;
  for (unsigned I = 0; I != NumDispatchKeys; ++I)
    if (DispatchKey Key = static_cast<DispatchKey>(I); !llvm::is_contained(List, Key))
      Out.push_back(Key);
  return Out;
}

/// What a dialect says in the terms of the variable: keys that it has, not those that it lacks.
std::vector<llvm::StringRef> itemsIn(const Spec &S, Dialect &D) {
  if (S.Is == Shape::KnownKeys)
    return namesOf(without(D.Keys.Unknown));
  if (S.KeyList)
    return namesOf(S.KeyList(D));
  return S.List(D).vec();
}

} // namespace

llvm::ArrayRef<Names> torchgenFiles() { return Paths; }

bool ListFact::differs() const {
  if (Read.Origin != ListOrigin::Torchgen)
    return false;
  if (!Foreign.empty())
    return true;
  std::vector<llvm::StringRef> Left = Items, Right = OfDialect;
  if (!Ordered) {
    llvm::sort(Left);
    llvm::sort(Right);
  }
  return Left != Right;
}

size_t ReleaseTraits::count(ListOrigin Origin) const {
  return llvm::count_if(Lists, [&](const ListFact &L) { return L.Read.Origin == Origin; });
}

ReleaseTraits::~ReleaseTraits() = default;

ReleaseTraits::ReleaseTraits(const Dialect &Base, std::vector<TorchgenList> Read) : D(Base) {
  std::vector<llvm::StringRef> Foreign;
  Lists.reserve(std::size(Specs) + 1); // names are kept in their elements
  for (auto [S, List] : llvm::zip_equal(Specs, Read)) {
    ListFact &Fact = Lists.emplace_back();
    Fact.Name = S.Name;
    Fact.Variable = S.Variable;
    Fact.Read = std::move(List);
    Fact.Ordered = S.Ordered;
    Fact.OfDialect = itemsIn(S, D);
    Fact.Items = Fact.OfDialect;
    if (Fact.Read.Origin != ListOrigin::Torchgen)
      continue;
    Fact.Items.clear();
    if (!S.KeyList) {
      for (llvm::StringRef Item : Fact.Read.Items)
        if (S.Is != Shape::LeftAlone ||
            !isOneOf(Item, {D.Schema.LoneOut, D.Schema.NoGeneratedOutMutable,
                            D.Schema.NotGroupedInplace}))
          Fact.Items.push_back(Item);
      S.List(D) = Fact.Items;
      continue;
    }
    std::vector<DispatchKey> Listed;
    for (llvm::StringRef Item : Fact.Read.Items) {
      if (std::optional<DispatchKey> Key = parseDispatchKey(Item))
        Listed.push_back(*Key);
      else
        Fact.Foreign.push_back(Item);
    }
    Fact.Items = namesOf(Listed);
    llvm::append_range(Foreign, Fact.Foreign);
    if (S.Is == Shape::KnownKeys)
      Listed = without(Listed);
    S.KeyList(D) = KeyLists.emplace_back(std::move(Listed));
  }
  useShims();
  // A key that may have kernels is known.
  std::vector<DispatchKey> Unknown = D.Keys.Unknown.vec();
  llvm::erase_if(Unknown,
                 [&](DispatchKey Key) { return llvm::is_contained(D.Keys.Dispatch, Key); });
  D.Keys.Unknown = KeyLists.emplace_back(std::move(Unknown));
  llvm::sort(Foreign);
  Foreign.erase(llvm::unique(Foreign), Foreign.end());
  ForeignKeys = std::move(Foreign);
  D.Keys.Foreign = ForeignKeys;
}

/// "add v2 (alpha) since X".
static std::string describe(const ShimVersion &V) {
  std::string Text = V.Op.str() + " v" + std::to_string(V.Number);
  if (!V.NewArguments.empty())
    Text += " (" + llvm::join(V.NewArguments, ", ") + ")";
  return V.Since.empty() ? Text : Text + " since " + V.Since.str();
}

/// The versions of the shims are in the values of both lists of shims.
void ReleaseTraits::useShims() {
  auto IsShims = [](const ListFact &L) { return L.Name == "shim-ops"; };
  const ListFact &OfDevices = *llvm::find_if(Lists, IsShims);
  ListFact Fact;
  Fact.Name = "shim-versions";
  Fact.Variable = OfDevices.Variable;
  Fact.Read.Origin = OfDevices.Read.Origin;
  Fact.Read.File = OfDevices.Read.File;
  Fact.Read.Line = OfDevices.Read.Line;
  Fact.Read.Why = OfDevices.Read.Why;
  for (const ShimVersion &V : D.Shims.Versions)
    Fact.OfDialect.push_back(Texts.emplace_back(describe(V)));
  if (Fact.Read.Origin == ListOrigin::Torchgen) {
    for (const ListFact &L : Lists)
      for (const TorchgenShim &S : L.Read.Shims) {
        std::vector<llvm::StringRef> &New = Arguments.emplace_back();
        New.assign(S.NewArguments.begin(), S.NewArguments.end());
        Shims.push_back({S.Op, S.Number, New, S.Since});
      }
    D.Shims.Versions = Shims;
  }
  for (const ShimVersion &V : D.Shims.Versions)
    Fact.Items.push_back(Texts.emplace_back(describe(V)));
  Lists.push_back(std::move(Fact));
}

size_t ReleaseTraits::distance() const {
  auto Missing = [](llvm::ArrayRef<llvm::StringRef> In, llvm::ArrayRef<llvm::StringRef> Of) {
    return llvm::count_if(Of, [&](llvm::StringRef Name) { return !llvm::is_contained(In, Name); });
  };
  size_t Sum = 0;
  for (const ListFact &L : Lists)
    Sum += Missing(L.Items, L.OfDialect) + Missing(L.OfDialect, L.Items) + L.Foreign.size();
  return Sum;
}

std::vector<TorchgenList> readTorchgen(llvm::ArrayRef<TorchgenText> Texts) {
  ListReader Reader(Texts);
  std::vector<TorchgenList> Lists;
  for (const Spec &S : Specs)
    Lists.push_back(Reader.read(S));
  return Lists;
}

const Dialect *nearestDialect(const std::vector<TorchgenList> &Read) {
  if (llvm::none_of(Read, [](const TorchgenList &L) { return L.Origin == ListOrigin::Torchgen; }))
    return nullptr;
  const Dialect *Best = nullptr;
  size_t Least = 0;
  for (const Dialect *Known : allDialects()) {
    size_t Distance = ReleaseTraits(*Known, Read).distance();
    bool IsBetter = Known->Standing == DialectStanding::Verified || !Best ||
                    Best->Standing != DialectStanding::Verified;
    if (!Best || Distance < Least || (Distance == Least && IsBetter)) {
      Best = Known;
      Least = Distance;
    }
  }
  return Best;
}

} // namespace opsig
