//===- OperatorHeaders.cpp - Headers of operators, kernels and meta functions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/KernelDeclarationsInternal.h"
#include "Api/StaticDispatchInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template OperatorIncludeText = "#include <ATen/ops/${name}${suffix}.h>";

std::string operatorInclude(StringRef Root, StringRef Suffix) {
  return printed<OperatorIncludeText>("name"_hole = Root, "suffix"_hole = Suffix);
}

std::vector<std::string> metaDeclarations(ArrayRef<const FunctionOrGroup *> Groups,
                                          const Dialect &D) {
  std::vector<std::string> Declarations;
  for (const FunctionOrGroup *G : Groups)
    if (const NativeFunctionsGroup *Structured = structuredGroup(*G))
      Declarations.push_back(metaDeclaration(*Structured, D));
  return Declarations;
}

//===-- A header per base name ----------------------------------------------===//

/// What the headers of one base name hold.
struct Root {
  std::vector<const NativeFunction *> Functions;
  std::vector<const FunctionOrGroup *> Groups;

  bool hasMethod() const {
    return any_of(Functions, [](const NativeFunction *F) { return F->IsMethodVariant; });
  }
};

/// By base name, in the order of the functions.
using Roots = MapVector<StringRef, Root>;

Roots rootsOf(const Operators &Ops) {
  Roots Result;
  for (const NativeFunction &F : Ops.Functions)
    Result[F.rootName()].Functions.push_back(&F);
  for (const FunctionOrGroup &G : Ops.Grouped)
    Result[functionsOf(G).front()->rootName()].Groups.push_back(&G);
  return Result;
}

class OperatorHeaders {
public:
  OperatorHeaders(const AtenInput &In, AtenSink Out, Diagnostics &Diags)
      : In(In), D(In.dialect()), Out(Out), Diags(Diags), Static(In.StaticDispatch, In.Ops) {}

  void addPerOperator() {
    Roots All = rootsOf(In.Ops);
    for (const auto &[Name, R] : All) {
      addApi(Name, R);
      addKernels(Name, R);
    }
    addIncludeLists(All);
  }

  void addAggregated();

private:
  void addOp(const Twine &Name, StringRef Template, TemplateValues Values) {
    std::vector<StringRef> Needed(Values.keys().begin(), Values.keys().end());
    addFile(In, {AtenFolder::Ops, AtenList::Ops, Name.str(), Template}, std::move(Values), Needed,
            Out, Diags);
  }

  /// \p Hole .h, whose two holes begin with its name.
  void addMain(StringRef Hole, std::vector<std::string> Includes,
               std::vector<std::string> Declarations) {
    std::string IncludesHole = (Hole + "_includes").str();
    std::string DeclarationsHole = (Hole + "_declarations").str();
    addFile(In, {AtenFolder::Main, AtenList::Main, (Hole + ".h").str()},
            {{IncludesHole, std::move(Includes)}, {DeclarationsHole, std::move(Declarations)}},
            {IncludesHole, DeclarationsHole}, Out, Diags);
  }

  void addApi(StringRef Name, const Root &R) {
    std::vector<std::string> Structs, Functions, StaticIncludes;
    for (const NativeFunction *F : R.Functions) {
      OperatorApi Api(*F, D);
      Structs.push_back(Api.structDeclaration());
      Functions.push_back(Api.functions(Diags));
      StaticIncludes.push_back(Static.operatorIncludes(*F));
    }
    addOp(Name + "_ops.h", "Operator.h", {{"declarations", std::move(Structs)}});
    addOp(Name + ".h", "Function.h",
          {{"static_dispatch_ops_headers", std::move(StaticIncludes)},
           {"operator_includes", operatorInclude(Name, "_ops")},
           {"function_definitions", std::move(Functions)}});
  }

  void addKernels(StringRef Name, const Root &R) {
    std::vector<std::string> Metas = metaDeclarations(R.Groups, D);
    std::string MetaInclude;
    if (!Metas.empty()) {
      MetaInclude = operatorInclude(Name, "_meta");
      addOp(Name + "_meta.h", "NativeMetaFunction.h",
            {{"meta_function_declarations", std::move(Metas)}});
    }
    addOp(Name + "_native.h", "NativeFunction.h",
          {{"extra_includes", std::move(MetaInclude)},
           {"native_function_declarations", nativeDeclarations(R.Groups, In.Ops)}});
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
    for (auto [List, Suffix] : Lists) {
      std::vector<std::string> Includes;
      for (StringRef Name : Names)
        Includes.push_back(operatorInclude(Name, Suffix));
      addMain(List, std::move(Includes), {});
    }
    // Sorted as lines, not as names.
    std::vector<std::string> Methods;
    for (const auto &[Name, R] : All)
      if (R.hasMethod())
        Methods.push_back(operatorInclude(Name, "_ops"));
    sort(Methods);
    addMain("MethodOperators", std::move(Methods), {});
  }

  const AtenInput &In;
  const Dialect &D;
  AtenSink Out;
  Diagnostics &Diags;
  StaticDispatch Static;
};

//===-- One header for all --------------------------------------------------===//

void OperatorHeaders::addAggregated() {
  std::vector<std::string> MethodStructs, OtherStructs, Functions;
  for (const NativeFunction &F : In.Ops.Functions) {
    OperatorApi Api(F, D);
    (F.IsMethodVariant ? MethodStructs : OtherStructs).push_back(Api.structDeclaration());
    Functions.push_back(Api.functions(Diags));
  }
  std::vector<const FunctionOrGroup *> Groups;
  for (const FunctionOrGroup &G : In.Ops.Grouped)
    Groups.push_back(&G);

  addMain("NativeMetaFunctions", {}, metaDeclarations(Groups, D));
  addMain("MethodOperators", {}, std::move(MethodStructs));
  addMain("Operators", {"#include <ATen/MethodOperators.h>"}, std::move(OtherStructs));
  addMain("Functions", {"#include <ATen/Operators.h>"}, std::move(Functions));
  addMain("NativeFunctions", {"#include <ATen/NativeMetaFunctions.h>"},
          nativeDeclarations(Groups, In.Ops));
}

} // namespace

void generateOperatorHeaders(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  OperatorHeaders Headers(In, Out, Diags);
  if (In.Options.PerOperatorHeaders)
    Headers.addPerOperator();
  else
    Headers.addAggregated();
}

} // namespace opsig
