//===- OperatorFiles.cpp - Headers and sources of operators -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/FamilyPlansInternal.h"
#include "Api/StaticDispatchInternal.h"
#include "opsig/Codegen/Aten.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- A header per base name ----------------------------------------------===//

/// What the headers of one base name hold.
struct Root {
  std::vector<const OperatorApi *> Functions;
  std::vector<const FunctionOrGroup *> Groups;

  bool hasMethod() const {
    return any_of(Functions, [](const OperatorApi *A) { return A->function().IsMethodVariant; });
  }
};

/// By base name, in the order of the functions.
using Roots = MapVector<StringRef, Root>;

Roots rootsOf(const AtenInput &In) {
  Roots Result;
  for (const OperatorApi &A : operatorApis(In))
    Result[A.function().rootName()].Functions.push_back(&A);
  for (const FunctionOrGroup &G : In.Ops.Grouped)
    Result[functionsOf(G).front()->rootName()].Groups.push_back(&G);
  return Result;
}

class OperatorHeaders {
public:
  OperatorHeaders(const AtenInput &In, FileWriter &Out)
      : In(In), D(In.dialect()), Out(Out), Static(In.StaticDispatch, In.Ops) {}

  // How a list of functions or groups is printed.
  auto structs() const {
    return [](std::string &To, const OperatorApi *F) { F->printStruct(To); };
  }
  auto functions() const {
    return [this](std::string &To, const OperatorApi *F) { F->printFunctions(To, Out.diags()); };
  }
  auto metas() const {
    return [this](std::string &To, const NativeFunctionsGroup *G) { declareMeta(To, *G, D); };
  }

  void addPerOperator() {
    Roots All = rootsOf(In);
    for (const auto &[Name, R] : All) {
      addApi(Name, R);
      addKernels(Name, R);
    }
    addIncludeLists(All);
  }

  void addAggregated() {
    auto All = to_vector(make_pointer_range(operatorApis(In)));
    auto IsMethod = [](const OperatorApi *F) { return F->function().IsMethodVariant; };
    auto IsOther = std::not_fn(IsMethod);
    std::vector<const FunctionOrGroup *> Groups;
    for (const FunctionOrGroup &G : In.Ops.Grouped)
      Groups.push_back(&G);
    addMain("NativeMetaFunctions", "", each(structuredGroups(Groups), metas()));
    addMain("MethodOperators", "", each(make_filter_range(All, IsMethod), structs()));
    addMain("Operators", "#include <ATen/MethodOperators.h>",
            each(make_filter_range(All, IsOther), structs()));
    addMain("Functions", "#include <ATen/Operators.h>", each(All, functions()));
    addMain("NativeFunctions", "#include <ATen/NativeMetaFunctions.h>",
            nativeDeclarations(Groups, In.Ops));
  }

private:
  static FileSpec opSpec(const Twine &Name, StringRef Template) {
    return {Name.str(), Template, FileFolder::Ops, FileList::Ops};
  }

  /// \p Hole .h, whose two holes begin with its name.
  template <typename T>
  void addMain(StringRef Hole, const HoleView &Includes, const T &Declarations) {
    std::string IncludesHole = (Hole + "_includes").str();
    std::string DeclarationsHole = (Hole + "_declarations").str();
    Out.addNamed({(Hole + ".h").str()},
                 {{IncludesHole, Includes}, {DeclarationsHole, HoleView(Declarations)}});
  }

  void addApi(StringRef Name, const Root &R) {
    auto StaticIncludes = [&](const OperatorApi *F) {
      return Static.operatorIncludes(F->function());
    };
    Out.add(opSpec(Name + "_ops.h", "Operator.h"),
            "declarations"_hole = each(R.Functions, structs()));
    Out.add(opSpec(Name + ".h", "Function.h"),
            "static_dispatch_ops_headers"_hole = each(R.Functions, StaticIncludes),
            "operator_includes"_hole = opInclude(Name, "_ops"),
            "function_definitions"_hole = each(R.Functions, functions()));
  }

  void addKernels(StringRef Name, const Root &R) {
    std::vector<const NativeFunctionsGroup *> Structured = structuredGroups(R.Groups);
    if (!Structured.empty())
      Out.add(opSpec(Name + "_meta.h", "NativeMetaFunction.h"),
              "meta_function_declarations"_hole = each(Structured, metas()));
    Out.add(opSpec(Name + "_native.h", "NativeFunction.h"),
            "extra_includes"_hole = Structured.empty() ? "" : opInclude(Name, "_meta"),
            "native_function_declarations"_hole = nativeDeclarations(R.Groups, In.Ops));
  }

  /// Functions.h and the like, which include the headers of all base names.
  void addIncludeLists(const Roots &All) {
    std::vector<StringRef> Names;
    for (const auto &[Name, R] : All)
      Names.push_back(Name);
    sort(Names);
    constexpr std::pair<StringRef, StringRef> Lists[] = {{"Functions", ""},
                                                         {"Operators", "_ops"},
                                                         {"NativeMetaFunctions", "_meta"},
                                                         {"NativeFunctions", "_native"}};
    for (auto [List, Suffix] : Lists)
      addMain(List, each(Names, [&](StringRef Name) { return opInclude(Name, Suffix); }), "");
    // Sorted as lines, not as names.
    std::vector<std::string> Methods;
    for (const auto &[Name, R] : All)
      if (R.hasMethod())
        Methods.push_back(opInclude(Name, "_ops"));
    sort(Methods);
    addMain("MethodOperators", Methods, "");
  }

  const AtenInput &In;
  const Dialect &D;
  FileWriter &Out;
  StaticDispatch Static;
};

} // namespace

void generateOperatorHeaders(const AtenInput &In, FileWriter &Out) {
  OperatorHeaders Headers(In, Out);
  if (In.Options.PerOperatorHeaders)
    Headers.addPerOperator();
  else
    Headers.addAggregated();
}

//===-- Operators_N.cpp, TensorBody.h, RedispatchFunctions.h ----------------===//

void generateOperatorSources(const AtenInput &In, FileWriter &Out) {
  constexpr unsigned NumShards = 5;
  StaticDispatch Static(In.StaticDispatch, In.Ops);
  struct Item {
    const NativeFunction *Function;
    std::string Definition;
  };
  std::vector<Item> Items;
  Items.reserve(In.Ops.Functions.size());
  for (const OperatorApi &Api : operatorApis(In))
    Api.printDefinition(Items.emplace_back(&Api.function()).Definition,
                        Static.callBody(Api, Out.diags()));
  auto Root = [](const Item &I) { return I.Function->rootName(); };
  Out.addShards({"Operators.cpp"}, Items, NumShards, Root, [&](const Shard<Item> &S) {
    Out.add(S.Spec, frame("shard_id"_hole = S.Id),
            "operator_headers"_hole =
                each(S.Items, [](const Item *I) { return opInclude(*I->Function, ""); }),
            "static_dispatch_extra_headers"_hole = Static.functionsIncludes(),
            "definitions"_hole =
                each(S.Items, [](const Item *I) -> StringRef { return I->Definition; }));
  });
}

void generateTensorMethods(const AtenInput &In, FileWriter &Out) {
  ArrayRef<OperatorApi> All = operatorApis(In);
  using Api = const OperatorApi &;
  auto Methods = make_filter_range(All, [](Api A) { return A.function().IsMethodVariant; });
  Out.add({"TensorBody.h", "", FileFolder::Core, FileList::Core},
          "tensor_method_declarations"_hole =
              each(Methods, [](std::string &To, Api A) { A.printMethodDeclarations(To); }),
          "tensor_method_definitions"_hole = each(
              Methods, [&](std::string &To, Api A) { A.printMethodDefinitions(To, Out.diags()); }));
  Out.add({"RedispatchFunctions.h"},
          "function_redispatch_definitions"_hole = each(
              All, [&](std::string &To, Api A) { A.printRedispatchFunctions(To, Out.diags()); }));
}

} // namespace opsig
