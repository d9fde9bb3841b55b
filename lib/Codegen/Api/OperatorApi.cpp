//===- OperatorApi.cpp - The C++ API of one operator ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/OperatorApiInternal.h"
#include "Print/StringsInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Dialect/OutputTraits.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include <mutex>

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template StructText = R"(

struct TORCH_API ${name} {
  using schema = ${type};
  using ptr_schema = schema*;
  // See Note [static constexpr char* members for windows NVCC]
  ${if macros}
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(name, "aten::${op}")
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(overload_name, "${overload}")
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(schema_str, ${literal})
  ${else}
  static constexpr const char* name = "aten::${op}";
  static constexpr const char* overload_name = "${overload}";
  static constexpr const char* schema_str = ${literal};
  ${end}
  static ${call};
  static ${redispatch};
};)";

constexpr Template DefinitionText = R"(
${if macros}

STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(${name}, name, "aten::${op}")
STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(${name}, overload_name, "${overload}")
STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(${name}, schema_str, ${literal})
${end}

// aten::${schema}
static C10_NOINLINE c10::TypedOperatorHandle<${name}::schema> create_${name}_typed_handle() {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(${name}::name, ${name}::overload_name)
      .typed<${name}::schema>();
}

// aten::${schema}
${call} {
    ${if calls_kernel}${=call_kernel}${else}${=blank}
    static auto op = create_${name}_typed_handle();
    return op.call(${args});${end}
}

// aten::${schema}
${redispatch} {
    ${=blank}
    static auto op = create_${name}_typed_handle();
    return op.redispatch(dispatchKeySet${if args}, ${end}${args});
}
)";

constexpr Template ForwardText = R"(

// aten::${schema}
inline ${returns} ${class}${function}(${if redispatches}c10::DispatchKeySet dispatchKeySet${if params}, ${end}${end}${params})${if class} const${end} {
    return at::_ops::${name}::${if redispatches}redispatch(dispatchKeySet${if args}, ${end}${else}call(${end}${args});
})";

constexpr Template SymIntTemplateText = R"(

namespace symint {
  template <typename T, typename = std::enable_if_t<std::is_same${if value}_v${end}<T, ${type}>${if is_class}::value${end}>>
  ${returns} ${function}(${params}) {
    return at::_ops::${name}::call(${args});
  }
}
)";

} // namespace

void reportUnforwardable(const NativeFunction &F, StringRef Why, Findings &Diags) {
  std::string Op = F.Schema.Name.str();
  Diags.report(finding::CppApi, F.Entry, "cannot generate a C++ API for '{0}': {1}", Op, Why)
      .op(Op);
}

//===-- The struct in at::_ops ----------------------------------------------===//

OperatorApi::OperatorApi(const NativeFunction &F, const Dialect &D)
    : F(F), D(D), L(Lowering::of(F, D)), Own(dispatcherSignature(F.Schema, L)),
      Name(F.Schema.Name.unambiguous()), Schema(F.schemaText()),
      Functions(forms(/*Method=*/false)) {}

void OperatorApi::printStruct(std::string &Out) const {
  print<StructText>(Out, "name"_hole = Name, "type"_hole = Own.type(D),
                    "macros"_hole = D.Output.Strings == OperatorStrings::Macros,
                    "op"_hole = F.Schema.Name.Name.str(), "overload"_hole = F.Schema.Name.Overload,
                    "literal"_hole = cppString(Schema), "call"_hole = definition(Own, D, "call"),
                    "redispatch"_hole = redispatchingDefn(Own, D, "redispatch"));
}

void OperatorApi::printDefinition(std::string &Out, const StaticCall &CallKernel) const {
  std::string Call = Name + "::call", Redispatch = Name + "::redispatch";
  print<DefinitionText>(
      Out, "macros"_hole = D.Output.Strings == OperatorStrings::Macros, "name"_hole = Name,
      "blank"_hole = "", "op"_hole = F.Schema.Name.Name.str(),
      "overload"_hole = F.Schema.Name.Overload, "literal"_hole = cppString(Schema),
      "schema"_hole = Schema, "call"_hole = definition(Own, D, Call),
      "calls_kernel"_hole = CallKernel.has_value(), "call_kernel"_hole = CallKernel.value_or(""),
      "args"_hole = names(Own.Params), "redispatch"_hole = redispatchingDefn(Own, D, Redispatch));
}

//===-- Functions and methods -----------------------------------------------===//

CppSignatures OperatorApi::cpp(bool Method) const {
  return cppSignatures(F, {.Method = Method, .FallbackBinding = F.ManualCppBinding}, L);
}

std::vector<OperatorApi::Form> OperatorApi::forms(bool Method) const {
  CppSignatures All = cpp(Method);
  std::vector<Form> Result;
  for (const Signature *S : All.all()) {
    FirstError Failed;
    Form &Made = Result.emplace_back();
    Made.Name = S->Name;
    Made.Returns = S->Returns.str(D);
    // Methods have their defaults where they are declared, in their class.
    Made.Params = Method ? definitions(S->Params, D).str() : declarations(S->Params, D).str();
    Made.Args = argumentsFor(Own.Params, S->Params, D, Failed, {.Method = Method});
    Made.WhyNot = std::move(Failed.Why);
    // Both forms of a template share the name of the one without SymInt; T tells them apart.
    if (All.SymIntFaithful && S == &*All.SymIntFaithful)
      Made.IntName = All.Faithful->Name;
    else if (All.SymInt && S == &*All.SymInt)
      Made.IntName = All.Plain.Name;
  }
  return Result;
}

template <typename Fn>
void OperatorApi::forEachForm(ArrayRef<Form> All, Findings &Diags, Fn Print) const {
  for (const Form &Each : All)
    if (Each.WhyNot)
      reportUnforwardable(F, *Each.WhyNot, Diags);
    else
      Print(Each);
}

void OperatorApi::forward(std::string &Out, const Form &From, StringRef Class,
                          bool Redispatches) const {
  print<ForwardText>(Out, "schema"_hole = Schema, "returns"_hole = From.Returns,
                     "class"_hole = Class, "function"_hole = From.Name,
                     "redispatches"_hole = Redispatches, "params"_hole = From.Params,
                     "name"_hole = Name, "args"_hole = From.Args);
}

void OperatorApi::printSymIntTemplate(std::string &Out, const Form &From) const {
  bool IsClass = D.Output.SymInts == SymIntTemplates::IsSame;
  print<SymIntTemplateText>(
      Out, "is_class"_hole = IsClass, "value"_hole = !IsClass,
      "type"_hole = From.takesSymInt() ? "c10::SymInt" : "int64_t", "returns"_hole = From.Returns,
      "function"_hole = From.takesSymInt() ? From.IntName : From.Name, "params"_hole = From.Params,
      "name"_hole = Name, "args"_hole = From.Args);
}

void OperatorApi::printFunctions(std::string &Out, Findings &Diags) const {
  bool Templates = hasSymIntTemplates();
  if (!F.IsFunctionVariant && !Templates)
    return;
  forEachForm(Functions, Diags, [&](const Form &From) {
    if (F.IsFunctionVariant)
      forward(Out, From);
    if (Templates)
      printSymIntTemplate(Out, From);
    if (D.Output.SymInts == SymIntTemplates::None)
      Out += '\n';
  });
}

void OperatorApi::printRedispatchFunctions(std::string &Out, Findings &Diags) const {
  forEachForm(Functions, Diags, [&](const Form &From) {
    forward(Out, From, "", /*Redispatches=*/true);
    Out += '\n';
  });
}

void OperatorApi::printMethodDeclarations(std::string &Out) const {
  CppSignatures All = cpp(/*Method=*/true);
  for (const Signature *Form : All.all()) {
    Form->appendDecl(Out, D);
    Out += " const;\n";
  }
}

void OperatorApi::printMethodDefinitions(std::string &Out, Findings &Diags) const {
  forEachForm(forms(/*Method=*/true), Diags, [&](const Form &From) {
    forward(Out, From, "Tensor::");
    Out += '\n';
  });
}

//===-- All of a run --------------------------------------------------------===//

/// Made by the first generator that asks; generators run side by side.
class OperatorApis {
public:
  ArrayRef<OperatorApi> of(const AtenInput &In) {
    std::call_once(Made, [&] {
      All.reserve(In.Ops.Functions.size());
      for (const NativeFunction &F : In.Ops.Functions)
        All.emplace_back(F, In.dialect());
    });
    return All;
  }

private:
  std::once_flag Made;
  std::vector<OperatorApi> All;
};

std::shared_ptr<OperatorApis> makeOperatorApis() { return std::make_shared<OperatorApis>(); }

ArrayRef<OperatorApi> operatorApis(const AtenInput &In) { return In.Apis->of(In); }

} // namespace opsig
