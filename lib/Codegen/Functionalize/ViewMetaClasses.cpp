//===- ViewMetaClasses.cpp - A class that records each view -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view group => for the view and the inplace view: declaration (ViewMetaClasses.h), member
// functions
//   (ViewMetaClasses.cpp)
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Signature/Functionalization.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
      : at::functionalization::ViewMeta(${base_args}),
${initialisers} {}

  Tensor forward(const Tensor& base) override;
  Tensor reverse(const Tensor& base, const Tensor& mutated_view) override;
${=to_out_index}

  SerializableTuple to_serializable_tuple() {
    return std::make_tuple(${tuple_values});
  }

${=attributes}
};
)";
constexpr Template TupleTypeText = "      ${type} /* ${name} */";
constexpr Template TupleGetText = "std::get<${index}>(tpl)";
constexpr Template InitialiserText = "        ${name}(${value})";
constexpr Template AttributeText = "  ${attribute};";
constexpr Template BaseArgsText =
    "has_symbolic_inputs, /*is_multi_output=*/${several}, /*is_as_strided=*/${as_strided}, "
    "/*out_index=*/${out_index}";
constexpr Template ToOutIndexText =
    "  std::shared_ptr<ViewMeta> to_out_index(int64_t out_idx) override;";

constexpr Template ForwardText = R"(

at::Tensor ${class}::forward(const at::Tensor& base) {
  if (reapply_views) {
    return ${call_view};
  } else {
    return ${call_copy};
  }
})";
constexpr Template ReverseText = R"(

at::Tensor ${class}::reverse(const at::Tensor& base, const Tensor& mutated_view) {
  return ${call_inverse};
})";
constexpr Template ToOutIndexBodyText = R"(

std::shared_ptr<at::functionalization::ViewMeta> ${class}::to_out_index(int64_t out_index) {
  return ${object};
}
)";

//===-- Declarations --------------------------------------------------------===//

std::string baseArgs(const ViewMetaClass &C) {
  auto Bool = [](bool Value) { return Value ? "true" : "false"; };
  return printed<BaseArgsText>("several"_hole = Bool(C.SeveralOutputs),
                               "as_strided"_hole = Bool(C.AsStrided),
                               "out_index"_hole = C.SeveralOutputs ? "out_index" : "0");
}

/// What is serialized: the parameters of the base class and the attributes.
struct TupleTexts {
  std::string Types, Gets, Values;
};

TupleTexts tupleTexts(const ViewMetaClass &C, const Dialect &D) {
  std::vector<std::string> Types, Gets, Values;
  for (const Binding &B : concat<const Binding>(C.BaseParams, C.Attributes)) {
    Types.push_back(printed<TupleTypeText>("type"_hole = B.Type.Ty.str(D), "name"_hole = B.Name));
    Gets.push_back(printed<TupleGetText>("index"_hole = std::to_string(Gets.size())));
    Values.push_back(B.Name);
  }
  return {llvm::join(Types, ",\n"), llvm::join(Gets, ", "), llvm::join(Values, ", ")};
}

Expected<std::string> declaration(const ViewMetaClass &C, const Lowering &L) {
  const Dialect &D = *L.D;
  Expected<std::vector<Expr>> Stored = viewMetaInitialisers(C, L);
  if (!Stored)
    return Stored.takeError();
  std::vector<std::string> Params, Initialisers, Attributes;
  for (const Binding &B : C.params())
    Params.push_back(B.decl(D));
  for (const Expr &E : *Stored)
    Initialisers.push_back(
        printed<InitialiserText>("name"_hole = E.Type.Name, "value"_hole = E.Text));
  for (const Binding &B : C.Attributes)
    Attributes.push_back(printed<AttributeText>("attribute"_hole = B.decl(D)));
  TupleTexts Tuple = tupleTexts(C, D);
  std::string ToOutIndex = C.SeveralOutputs ? printed<ToOutIndexText>() : "";
  return printed<DeclarationText>(
      "class"_hole = C.Name, "tuple_types"_hole = Tuple.Types, "tuple_gets"_hole = Tuple.Gets,
      "params"_hole = llvm::join(Params, ", "), "base_args"_hole = baseArgs(C),
      "initialisers"_hole = llvm::join(Initialisers, ",\n"), "to_out_index"_hole = ToOutIndex,
      "tuple_values"_hole = Tuple.Values, "attributes"_hole = llvm::join(Attributes, "\n"));
}

//===-- Member functions ----------------------------------------------------===//

Expected<std::string> forward(const ViewMetaClass &C, const Lowering &L) {
  Expected<std::string> View = viewMetaCall(C, ViewCallee::View, L);
  if (!View)
    return View.takeError();
  Expected<std::string> Copy = viewMetaCall(C, ViewCallee::Copy, L);
  if (!Copy)
    return Copy.takeError();
  return printed<ForwardText>("class"_hole = C.Name, "call_view"_hole = *View,
                              "call_copy"_hole = *Copy);
}

Expected<std::string> reverse(const ViewMetaClass &C, const Lowering &L) {
  Expected<std::string> Call = viewMetaCall(C, ViewCallee::Inverse, L);
  if (!Call)
    return Call.takeError();
  return printed<ReverseText>("class"_hole = C.Name, "call_inverse"_hole = *Call);
}

//===-- The files -----------------------------------------------------------===//

struct ClassTexts {
  std::vector<std::string> Declarations, Functions;
};

void addClass(ClassTexts &To, const ViewMetaClass &C, const NativeFunction &F, const Lowering &L,
              Diagnostics &Diags) {
  std::optional<std::string> Declaration = orReport(declaration(C, L), F, Diags);
  if (!Declaration)
    return; // What follows fails for the same reason.
  To.Declarations.push_back(std::move(*Declaration));
  if (auto Text = orReport(forward(C, L), F, Diags))
    To.Functions.push_back(std::move(*Text));
  if (auto Text = orReport(reverse(C, L), F, Diags))
    To.Functions.push_back(std::move(*Text));
  if (C.SeveralOutputs)
    To.Functions.push_back(
        printed<ToOutIndexBodyText>("class"_hole = C.Name, "object"_hole = C.make("out_index")));
}

ClassTexts classTexts(const AtenInput &In, Diagnostics &Diags) {
  ClassTexts Texts;
  if (!In.Selected.includesAll())
    return Texts;
  for (const NativeFunctionsViewGroup *G : viewGroups(In.Ops)) {
    if (whyNotFunctionalized(G, In.dialect()))
      continue; // Reported with the kernels.
    for (const FunctionalizationKernel &K : planKernels(G)) {
      Lowering L = Lowering::of(*K.Function, In.dialect());
      addClass(Texts, viewMetaClass(*G, *K.Function, L), *K.Function, L, Diags);
    }
  }
  return Texts;
}

std::vector<std::string> includeLines(const Operators &Ops) {
  std::vector<std::string> Lines;
  for (const NativeFunctionsViewGroup *G : viewGroups(Ops))
    for (const NativeFunction *F : includedFunctions(G))
      for (StringRef Suffix : {"native", "ops"})
        Lines.push_back(opInclude(*F, Suffix));
  return Lines;
}

constexpr StringRef HeaderName = "ViewMetaClasses.h";
constexpr StringRef SourceName = "ViewMetaClasses.cpp";
constexpr StringRef HeaderNeeds[] = {"view_meta_declarations"};
constexpr StringRef SourceNeeds[] = {"view_meta_implementations"};

} // namespace

void generateViewMetaClasses(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  if (In.dialect().Functionalization.Views != ViewRecord::Classes)
    return;
  ClassTexts Texts = classTexts(In, Diags);
  addFile(In, {AtenFolder::Main, AtenList::Main, HeaderName.str()},
          {{"view_meta_declarations", std::move(Texts.Declarations)}}, HeaderNeeds, Out, Diags);
  addFile(In, {AtenFolder::Main, AtenList::Main, SourceName.str()},
          {{"view_meta_implementations", std::move(Texts.Functions)},
           {"op_headers", includeLines(In.Ops)}},
          SourceNeeds, Out, Diags);
}

} // namespace opsig
