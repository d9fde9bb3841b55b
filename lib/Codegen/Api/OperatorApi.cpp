//===- OperatorApi.cpp - The C++ API of one operator ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/OperatorApiInternal.h"
#include "opsig/Signature/Translate.h"
#include "opsig/Support/Printer.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template StructText = R"(

struct TORCH_API ${name} {
  using schema = ${type};
  using ptr_schema = schema*;
  // See Note [static constexpr char* members for windows NVCC]
${=strings}
  static ${call};
  static ${redispatch};
};)";

constexpr Template StringMacrosText =
    R"(  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(name, "aten::${op}")
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(overload_name, "${overload}")
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(schema_str, ${schema}))";

constexpr Template StringConstantsText = R"(  static constexpr const char* name = "aten::${op}";
  static constexpr const char* overload_name = "${overload}";
  static constexpr const char* schema_str = ${schema};)";

constexpr Template StringDefinitionsText = R"(

STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(${name}, name, "aten::${op}")
STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(${name}, overload_name, "${overload}")
STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(${name}, schema_str, ${schema})
)";

constexpr Template HandleText = R"(

// aten::${schema}
static C10_NOINLINE c10::TypedOperatorHandle<${name}::schema> create_${name}_typed_handle() {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(${name}::name, ${name}::overload_name)
      .typed<${name}::schema>();
}
)";

constexpr Template MemberText = R"(

// aten::${schema}
${signature} {
    ${=body}
}
)";

constexpr Template DispatchBodyText = R"(

    static auto op = create_${name}_typed_handle();
    return op.${member}(${args});)";

constexpr Template ForwardText = R"(

// aten::${schema}
inline ${signature} {
    return at::_ops::${name}::${member}(${args});
})";

constexpr Template IsSameText = "std::is_same<T, ${type}>::value";
constexpr Template IsSameVText = "std::is_same_v<T, ${type}>";

constexpr Template SymIntTemplateText = R"(

namespace symint {
  template <typename T, typename = std::enable_if_t<${test}>>
  ${signature} {
    return at::_ops::${name}::call(${args});
  }
}
)";

constexpr StringLiteral KeySetParam = "c10::DispatchKeySet dispatchKeySet";
constexpr StringLiteral KeySetArg = "dispatchKeySet";

/// \p Signature with the key set as its first parameter.
std::string withKeySet(std::string Signature) {
  size_t Params = Signature.find('(') + 1;
  bool Alone = Signature[Params] == ')';
  Signature.insert(Params, (KeySetParam + (Alone ? "" : ", ")).str());
  return Signature;
}

std::string withKeySetArg(StringRef Args) {
  return (KeySetArg + (Args.empty() ? "" : ", ") + Args).str();
}

std::string parameterNames(const Signature &S) {
  std::string Names;
  for (const Binding &B : S.Params) {
    if (!Names.empty())
      Names += ", ";
    Names += B.Name;
  }
  return Names;
}

} // namespace

std::string cppStringLiteral(StringRef Text) {
  std::string Literal = "\"";
  Literal.reserve(Text.size() + 2);
  for (char C : Text)
    switch (C) {
    case '\\':
      Literal += "\\\\";
      break;
    case '"':
      Literal += "\\\"";
      break;
    case '\a':
      Literal += "\\a";
      break;
    case '\b':
      Literal += "\\b";
      break;
    case '\f':
      Literal += "\\f";
      break;
    case '\n':
      Literal += "\\n";
      break;
    case '\v':
      Literal += "\\v";
      break;
    case '\t':
      Literal += "\\t";
      break;
    default:
      Literal += C;
    }
  return Literal + '"';
}

void reportUnforwardable(const NativeFunction &F, Error Why, Diagnostics &Diags) {
  std::string Op = F.Schema.Name.str();
  Diags.report(diag::CppApi, F.Entry, "'{0}' gets no C++ API: {1}", Op, toString(std::move(Why)))
      .op(Op);
}

//===-- The struct in at::_ops ----------------------------------------------===//

OperatorApi::OperatorApi(const NativeFunction &F, const Dialect &D)
    : F(F), D(D), L(Lowering::of(F, D)), Own(dispatcherSignature(F.Schema, L)),
      Name(F.Schema.Name.unambiguous()), Schema(F.Schema.str()) {}

std::string OperatorApi::structDeclaration() const {
  std::string Op = F.Schema.Name.Name.str(), Literal = cppStringLiteral(Schema);
  std::string Strings =
      D.Output.Strings == OperatorStrings::Macros
          ? printed<StringMacrosText>("op"_hole = Op, "overload"_hole = F.Schema.Name.Overload,
                                      "schema"_hole = Literal)
          : printed<StringConstantsText>("op"_hole = Op, "overload"_hole = F.Schema.Name.Overload,
                                         "schema"_hole = Literal);
  return printed<StructText>("name"_hole = Name, "type"_hole = Own.type(D),
                             "strings"_hole = Strings, "call"_hole = Own.defn(D, "call"),
                             "redispatch"_hole = withKeySet(Own.defn(D, "redispatch")));
}

std::string OperatorApi::structDefinition(std::optional<std::string> CallBody) const {
  std::string Args = parameterNames(Own);
  if (!CallBody)
    CallBody =
        printed<DispatchBodyText>("name"_hole = Name, "member"_hole = "call", "args"_hole = Args);
  std::string RedispatchBody = printed<DispatchBodyText>(
      "name"_hole = Name, "member"_hole = "redispatch", "args"_hole = withKeySetArg(Args));

  std::string Text;
  Text.reserve(1024 + 6 * Schema.size());
  if (D.Output.Strings == OperatorStrings::Macros)
    print<StringDefinitionsText>(Text, "name"_hole = Name, "op"_hole = F.Schema.Name.Name.str(),
                                 "overload"_hole = F.Schema.Name.Overload,
                                 "schema"_hole = cppStringLiteral(Schema));
  print<HandleText>(Text, "schema"_hole = Schema, "name"_hole = Name);
  print<MemberText>(Text, "schema"_hole = Schema, "signature"_hole = Own.defn(D, Name + "::call"),
                    "body"_hole = *CallBody);
  print<MemberText>(Text, "schema"_hole = Schema,
                    "signature"_hole = withKeySet(Own.defn(D, Name + "::redispatch")),
                    "body"_hole = RedispatchBody);
  return Text;
}

//===-- Functions and methods -----------------------------------------------===//

CppSignatures OperatorApi::cpp(bool Method) const {
  return cppSignatures(F, {.Method = Method, .FallbackBinding = F.ManualCppBinding}, L);
}

std::optional<std::string> OperatorApi::forwarded(const Signature &From, bool Method,
                                                  Diagnostics &Diags) const {
  Expected<std::vector<Expr>> Args = translate(From.Params, Own.Params, D, {.Method = Method});
  if (Args)
    return join(*Args);
  reportUnforwardable(F, Args.takeError(), Diags);
  return std::nullopt;
}

std::string OperatorApi::symIntTemplate(const Signature &Form, const CppSignatures &All,
                                        StringRef Args) const {
  // Both forms of a template share the name of the one without SymInt; T tells them apart.
  bool TakesSymInt = (All.SymInt && &Form == &*All.SymInt) ||
                     (All.SymIntFaithful && &Form == &*All.SymIntFaithful);
  bool Faithful = All.SymIntFaithful && &Form == &*All.SymIntFaithful;
  StringRef As = !TakesSymInt ? Form.Name : Faithful ? All.Faithful->Name : All.Plain.Name;
  StringRef Element = TakesSymInt ? "c10::SymInt" : "int64_t";
  std::string Test = D.Output.SymInts == SymIntTemplates::IsSame
                         ? printed<IsSameText>("type"_hole = Element)
                         : printed<IsSameVText>("type"_hole = Element);
  return printed<SymIntTemplateText>("test"_hole = Test, "signature"_hole = Form.decl(D, As),
                                     "name"_hole = Name, "args"_hole = Args);
}

std::string OperatorApi::functions(Diagnostics &Diags) const {
  bool Templates = hasSymIntTemplates();
  if (!F.IsFunctionVariant && !Templates)
    return "";
  std::string Text;
  CppSignatures All = cpp(/*Method=*/false);
  for (const Signature *Form : All.all()) {
    std::optional<std::string> Args = forwarded(*Form, /*Method=*/false, Diags);
    if (!Args)
      continue;
    if (F.IsFunctionVariant)
      Text += printed<ForwardText>("schema"_hole = Schema, "signature"_hole = Form->decl(D),
                                   "name"_hole = Name, "member"_hole = "call", "args"_hole = *Args);
    if (Templates)
      Text += symIntTemplate(*Form, All, *Args);
    if (D.Output.SymInts == SymIntTemplates::None)
      Text += '\n';
  }
  return Text;
}

std::string OperatorApi::redispatchFunctions(Diagnostics &Diags) const {
  std::string Text;
  CppSignatures All = cpp(/*Method=*/false);
  for (const Signature *Form : All.all())
    if (std::optional<std::string> Args = forwarded(*Form, /*Method=*/false, Diags))
      Text +=
          printed<ForwardText>("schema"_hole = Schema, "signature"_hole = withKeySet(Form->decl(D)),
                               "name"_hole = Name, "member"_hole = "redispatch",
                               "args"_hole = withKeySetArg(*Args)) +
          '\n';
  return Text;
}

std::string OperatorApi::methodDeclarations() const {
  std::string Text;
  CppSignatures All = cpp(/*Method=*/true);
  for (const Signature *Form : All.all())
    Text += Form->decl(D) + " const;\n";
  return Text;
}

std::string OperatorApi::methodDefinitions(Diagnostics &Diags) const {
  std::string Text;
  CppSignatures All = cpp(/*Method=*/true);
  for (const Signature *Form : All.all())
    if (std::optional<std::string> Args = forwarded(*Form, /*Method=*/true, Diags))
      Text +=
          printed<ForwardText>("schema"_hole = Schema,
                               "signature"_hole = Form->defn(D, "Tensor::" + Form->Name) + " const",
                               "name"_hole = Name, "member"_hole = "call", "args"_hole = *Args) +
          '\n';
  return Text;
}

} // namespace opsig
