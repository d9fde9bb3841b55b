//===- ViewMetaClasses.cpp - A class that records each view -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view group => for the view and the inplace view: declaration (ViewMetaClasses.h), member
// functions
//   (ViewMetaClasses.cpp)
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "opsig/Signature/Functionalization.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template DeclarationText = R"(

struct TORCH_API ${class} : public ViewMeta {
  FUNCTIONALIZATION_VIEWMETA_NAME(${class})
  FUNCTIONALIZATION_VIEWMETA_SERIALIZABLE_TUPLE(
${tuple_types});

  ${class}(const SerializableTuple& tpl)
      : ${class}(${tuple_gets}) {}

  ${class}(${params})
      : at::functionalization::ViewMeta(has_symbolic_inputs, /*is_multi_output=*/${several}, /*is_as_strided=*/${as_strided}, /*out_index=*/${if outputs}out_index${else}0${end}),
${initialisers} {}

  Tensor forward(const Tensor& base) override;
  Tensor reverse(const Tensor& base, const Tensor& mutated_view) override;
${if outputs}  std::shared_ptr<ViewMeta> to_out_index(int64_t out_idx) override;${end}${=blank}

  SerializableTuple to_serializable_tuple() {
    return std::make_tuple(${tuple_values});
  }

${=attributes}
};
)";

constexpr Template FunctionsText = R"(

at::Tensor ${class}::forward(const at::Tensor& base) {
  if (reapply_views) {
    return ${call_view};
  } else {
    return ${call_copy};
  }
}

at::Tensor ${class}::reverse(const at::Tensor& base, const Tensor& mutated_view) {
  return ${call_inverse};
}
${if outputs}

std::shared_ptr<at::functionalization::ViewMeta> ${class}::to_out_index(int64_t out_index) {
  return ${object};
}
${end}
)";

//===-- Plans ---------------------------------------------------------------===//

struct ClassPlan {
  ViewMetaClass Class;
  std::vector<Expr> Stored; ///< what attributes are initialised with
  std::string CallView, CallCopy, CallInverse;
};

ClassPlan planClass(ViewMetaClass C, const Lowering &L, FirstError &Failed) {
  ClassPlan Plan{std::move(C), {}, "", "", ""};
  Plan.Stored = Failed.take(viewMetaInitialisers(Plan.Class, L));
  Plan.CallView = Failed.take(viewMetaCall(Plan.Class, ViewCallee::View, L));
  Plan.CallCopy = Failed.take(viewMetaCall(Plan.Class, ViewCallee::Copy, L));
  Plan.CallInverse = Failed.take(viewMetaCall(Plan.Class, ViewCallee::Inverse, L));
  return Plan;
}

std::vector<ClassPlan> planClasses(const AtenInput &In, Findings &Diags) {
  std::vector<ClassPlan> Plans;
  if (!In.Selected.includesAll())
    return Plans;
  for (const NativeFunctionsViewGroup *G : viewGroups(In.Ops)) {
    if (whyNotFunctionalized({.ViewGroup = G}, In.dialect()))
      continue; // Reported with the kernels.
    for (const FunctionalizationKernel &K : planKernels({.ViewGroup = G})) {
      FirstError Failed;
      Lowering L = Lowering::of(*K.Function, In.dialect());
      ClassPlan Plan = planClass(viewMetaClass(*G, *K.Function, L), L, Failed);
      if (succeeded(Failed, *K.Function, Diags))
        Plans.push_back(std::move(Plan));
    }
  }
  return Plans;
}

//===-- Texts ---------------------------------------------------------------===//

void printDeclaration(std::string &Out, const ClassPlan &Plan, const Dialect &D) {
  const ViewMetaClass &C = Plan.Class;
  // What is serialized: the parameters of the base class and the attributes.
  std::vector<Binding> Tuple = C.BaseParams, Params = C.params();
  append_range(Tuple, C.Attributes);
  using B = const Binding &;
  auto Type = [&](B P) { return "      " + P.Type.Ty.str(D) + " /* " + P.Name + " */"; };
  auto Get = [&](B P) { return "std::get<" + std::to_string(&P - Tuple.data()) + ">(tpl)"; };
  auto Initialise = [](const Expr &E) { return "        " + E.Type.Name + "(" + E.Text + ")"; };
  print<DeclarationText>(
      Out, "class"_hole = C.Name, "tuple_types"_hole = each(Tuple, Type, ",\n"),
      "tuple_gets"_hole = each(Tuple, Get), "params"_hole = declarations(Params, D),
      "several"_hole = boolText(C.SeveralOutputs), "as_strided"_hole = boolText(C.AsStrided),
      "outputs"_hole = C.SeveralOutputs, "blank"_hole = "",
      "initialisers"_hole = each(Plan.Stored, Initialise, ",\n"),
      "tuple_values"_hole = names(Tuple),
      "attributes"_hole = each(C.Attributes, [&](B P) { return "  " + P.decl(D) + ";"; }, "\n"));
}

void printFunctions(std::string &Out, const ClassPlan &Plan) {
  const ViewMetaClass &C = Plan.Class;
  print<FunctionsText>(Out, "class"_hole = C.Name, "call_view"_hole = Plan.CallView,
                       "call_copy"_hole = Plan.CallCopy, "call_inverse"_hole = Plan.CallInverse,
                       "outputs"_hole = C.SeveralOutputs, "object"_hole = C.make("out_index"));
}

} // namespace

void generateViewMetaClasses(const AtenInput &In, FileWriter &Out) {
  const Dialect &D = In.dialect();
  if (D.Functionalization.Views != ViewRecord::Classes)
    return;
  std::vector<ClassPlan> Plans = planClasses(In, Out.diags());
  auto Includes = [](std::string &To, const NativeFunctionsViewGroup *G) {
    printIncludes(To, {.ViewGroup = G});
  };
  auto Declare = [&](std::string &To, const ClassPlan &Plan) { printDeclaration(To, Plan, D); };
  Out.add({"ViewMetaClasses.h"}, "view_meta_declarations"_hole = each(Plans, Declare));
  Out.add({"ViewMetaClasses.cpp"}, frame("op_headers"_hole = each(viewGroups(In.Ops), Includes)),
          "view_meta_implementations"_hole = each(Plans, printFunctions));
}

} // namespace opsig
