//===- OperatorApi.cpp - The C++ API of one operator ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/OperatorApiInternal.h"
#include "Print/StringsInternal.h"

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
inline ${signature} {
    return at::_ops::${name}::${member}(${args});
})";

constexpr Template SymIntTemplateText = R"(

namespace symint {
  template <typename T, typename = std::enable_if_t<std::is_same${if value}_v${end}<T, ${type}>${if class}::value${end}>>
  ${signature} {
    return at::_ops::${name}::call(${args});
  }
}
)";

} // namespace

void reportUnforwardable(const NativeFunction &F, StringRef Why, Diagnostics &Diags) {
  std::string Op = F.Schema.Name.str();
  Diags.report(diag::CppApi, F.Entry, "'{0}' gets no C++ API: {1}", Op, Why).op(Op);
}

//===-- The struct in at::_ops ----------------------------------------------===//

OperatorApi::OperatorApi(const NativeFunction &F, const Dialect &D)
    : F(F), D(D), L(Lowering::of(F, D)), Own(dispatcherSignature(F.Schema, L)),
      Name(F.Schema.Name.unambiguous()), Schema(F.Schema.str()) {}

void OperatorApi::printStruct(std::string &Out) const {
  print<StructText>(Out, "name"_hole = Name, "type"_hole = Own.type(D),
                    "macros"_hole = D.Output.Strings == OperatorStrings::Macros,
                    "op"_hole = F.Schema.Name.Name.str(), "overload"_hole = F.Schema.Name.Overload,
                    "literal"_hole = cppString(Schema), "call"_hole = Own.defn(D, "call"),
                    "redispatch"_hole = redispatching(Own, "redispatch", D, Defaults::Go));
}

void OperatorApi::printDefinition(std::string &Out, const StaticCall &CallKernel) const {
  print<DefinitionText>(
      Out, "macros"_hole = D.Output.Strings == OperatorStrings::Macros, "name"_hole = Name,
      "blank"_hole = "", "op"_hole = F.Schema.Name.Name.str(),
      "overload"_hole = F.Schema.Name.Overload, "literal"_hole = cppString(Schema),
      "schema"_hole = Schema, "call"_hole = Own.defn(D, Name + "::call"),
      "calls_kernel"_hole = CallKernel.has_value(), "call_kernel"_hole = CallKernel.value_or(""),
      "args"_hole = names(Own.Params),
      "redispatch"_hole = redispatching(Own, Name + "::redispatch", D, Defaults::Go));
}

//===-- Functions and methods -----------------------------------------------===//

CppSignatures OperatorApi::cpp(bool Method) const {
  return cppSignatures(F, {.Method = Method, .FallbackBinding = F.ManualCppBinding}, L);
}

template <typename Fn>
void OperatorApi::forEachForm(bool Method, Diagnostics &Diags, Fn Print) const {
  CppSignatures All = cpp(Method);
  for (const Signature *Form : All.all()) {
    FirstError Failed;
    std::string Args = argumentsFor(Own.Params, Form->Params, D, Failed, {.Method = Method});
    if (Failed)
      reportUnforwardable(F, *Failed.Why, Diags);
    else
      Print(*Form, All, Args);
  }
}

void OperatorApi::forward(std::string &Out, StringRef Signature, StringRef Args,
                          StringRef Member) const {
  print<ForwardText>(Out, "schema"_hole = Schema, "signature"_hole = Signature, "name"_hole = Name,
                     "member"_hole = Member, "args"_hole = Args);
}

void OperatorApi::printSymIntTemplate(std::string &Out, const Signature &Form,
                                      const CppSignatures &All, StringRef Args) const {
  // Both forms of a template share the name of the one without SymInt; T tells them apart.
  bool Faithful = All.SymIntFaithful && &Form == &*All.SymIntFaithful;
  bool TakesSymInt = Faithful || (All.SymInt && &Form == &*All.SymInt);
  StringRef As = !TakesSymInt ? Form.Name : Faithful ? All.Faithful->Name : All.Plain.Name;
  bool IsClass = D.Output.SymInts == SymIntTemplates::IsSame;
  print<SymIntTemplateText>(Out, "class"_hole = IsClass, "value"_hole = !IsClass,
                            "type"_hole = TakesSymInt ? "c10::SymInt" : "int64_t",
                            "signature"_hole = Form.decl(D, As), "name"_hole = Name,
                            "args"_hole = Args);
}

void OperatorApi::printFunctions(std::string &Out, Diagnostics &Diags) const {
  bool Templates = hasSymIntTemplates();
  if (!F.IsFunctionVariant && !Templates)
    return;
  forEachForm(/*Method=*/false, Diags,
              [&](const Signature &Form, const CppSignatures &All, StringRef Args) {
                if (F.IsFunctionVariant)
                  forward(Out, Form.decl(D), Args);
                if (Templates)
                  printSymIntTemplate(Out, Form, All, Args);
                if (D.Output.SymInts == SymIntTemplates::None)
                  Out += '\n';
              });
}

void OperatorApi::printRedispatchFunctions(std::string &Out, Diagnostics &Diags) const {
  forEachForm(/*Method=*/false, Diags, [&](const Signature &Form, const auto &, StringRef Args) {
    forward(Out, redispatching(Form, Form.Name, D, Defaults::Stay),
            ("dispatchKeySet" + StringRef(Args.empty() ? "" : ", ") + Args).str(), "redispatch");
    Out += '\n';
  });
}

void OperatorApi::printMethodDeclarations(std::string &Out) const {
  CppSignatures All = cpp(/*Method=*/true);
  for (const Signature *Form : All.all())
    Out += Form->decl(D) + " const;\n";
}

void OperatorApi::printMethodDefinitions(std::string &Out, Diagnostics &Diags) const {
  forEachForm(/*Method=*/true, Diags, [&](const Signature &Form, const auto &, StringRef Args) {
    forward(Out, Form.defn(D, "Tensor::" + Form.Name) + " const", Args);
    Out += '\n';
  });
}

} // namespace opsig
