//===- PythonMethod.cpp - The binding of one Python name --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonFunction (x module) => a C++ function that parses arguments, then calls what fits them
//
//===----------------------------------------------------------------------===//
#include "Print/StringsInternal.h"
#include "Python/PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"

using namespace llvm;

namespace opsig {

namespace {

/// Where the functions of each PythonNamespace are looked up by __torch_function__.
struct ModuleNames {
  StringLiteral Object;
  StringLiteral Name;
};
constexpr ModuleNames NamesOf[] = {{"THPVariableClass", "torch.Tensor"},
                                   {"THPVariableFunctionsModule", "torch"},
                                   {"THPNNVariableFunctionsModule", "torch.nn"},
                                   {"THPFFTVariableFunctionsModule", "torch.fft"},
                                   {"THPLinalgVariableFunctionsModule", "torch.linalg"},
                                   {"THPNestedVariableFunctionsModule", "torch.nested"},
                                   {"THPSparseVariableFunctionsModule", "torch.sparse"},
                                   {"THPSpecialVariableFunctionsModule", "torch.special"}};
static_assert(std::size(NamesOf) == NumPythonModules);

std::string bindingName(const PythonFunction &F) { return "THPVariable_" + F.Name->str(); }

//===-- One call ------------------------------------------------------------===//

constexpr Template CallText = R"(
// ${if deprecated}[deprecated] ${end}aten::${schema}
${=before}
auto dispatch_${name} = [](${params}) -> ${returns} {
  pybind11::gil_scoped_release no_gil;
  ${if value}return ${end}${callee}(${callee_args});
};
${if value}
return wrap(${if result}NamedTuple${number}, ${end}dispatch_${name}(${args})${after});
${else}
dispatch_${name}(${args})${after};
${if list}
PyObject* self_tensorlist = _r.args[0];
Py_INCREF(self_tensorlist);
return self_tensorlist;
${else}
Py_RETURN_NONE;
${end}
${end}
)";

//===-- A binding -----------------------------------------------------------===//

constexpr Template MethodText = R"(
${if several}\${end}
// ${name}
${definition}
{
  HANDLE_TH_ERRORS
  ${results}
  ${if method}const Tensor& self = THPVariable_Unpack(self_);${end}
  ${if parses}
  static PythonArgParser parser({
    ${signatures}
  }, /*traceable=*/${traceable});

  ParsedArgs<${count}> parsed_args;
  auto _r = parser.parse(${self}, args, kwargs, parsed_args);
  if(_r.has_torch_function()) {
    return handle_torch_function(_r, ${self}, args, kwargs, ${module_object}, "${module}");
  }
  ${else}
  ${if method}
  if${if check}(check_has${else} (has${end}_torch_function(self_)) {
    return handle_torch_function(self_, "${name}");
  }
  ${else}

  ${end}
  ${end}
  ${if several}
  switch (_r.idx) {
    ${+cases}
  }
  ${else}
  ${+cases}
  ${end}
  ${if parses}Py_RETURN_NONE;${end}
  END_HANDLE_TH_ERRORS
}

)";

constexpr Template CaseText = R"(
case ${index}: {
  ${+call}
}
)";

constexpr Template OutOrNotText = R"(
if (_r.isNone(${out})) {
  ${+call}
} else {
  ${+call_out}
}
)";

constexpr Template EntryText =
    R"({"${name}", ${if cast}castPyCFunctionWithKeywords(${end}${if parentheses}(${end}${if dunder}TypeError_to_NotImplemented_<${end}${binding}${if dunder}>${end}${if parentheses})${end}${if cast})${end}, ${if no_args}METH_NOARGS${else}METH_VARARGS | METH_KEYWORDS${end}${if static} | METH_STATIC${end}, ${null}},)";

class MethodWriter {
public:
  MethodWriter(const PythonFunction &F, PythonNamespace M, const Dialect &D)
      : F(F), M(M), D(D), Results(pythonResults(F.Overloads)) {}

  void print(std::string &Out) const {
    bool Parses = !F.hasNoArguments(), IsMethod = M == PythonNamespace::Tensor;
    const ModuleNames &Names = NamesOf[unsigned(M)];
    auto Result = [&](const PythonResult &R) {
      return "static PyTypeObject* NamedTuple" + R.Number + " = " +
             (D.Python.Results == NamedResults::Map ? "get_namedtuple(\"" + R.Function + "\");"
                                                    : "generated::" + getterName(R, D) + "();");
    };
    opsig::print<MethodText>(
        Out, "several"_hole = F.Groups.size() != 1, "name"_hole = F.Name->str(),
        "definition"_hole = pythonMethodDefn(F), "results"_hole = each(Results, Result),
        "method"_hole = IsMethod, "parses"_hole = Parses,
        "signatures"_hole =
            each(F.Groups, [](const PythonOverloadGroup &G) { return cppString(G.Text) + ","; }),
        "traceable"_hole = boolText(F.isTraceable()), "count"_hole = utostr(F.maxArguments()),
        "self"_hole = IsMethod ? "self_" : "nullptr", "module_object"_hole = Names.Object,
        "module"_hole = Names.Name, "check"_hole = D.Python.Override == OverrideCheck::Checked,
        "cases"_hole = [&](std::string &To) { printCases(To); });
  }

private:
  void printCases(std::string &Out) const {
    if (F.Groups.size() == 1)
      return printGroup(Out, F.Groups.front());
    for (const PythonOverloadGroup &G : F.Groups)
      opsig::print<CaseText>(
          Out, "index"_hole = std::to_string(&G - F.Groups.data()),
          "call"_hole = [&](std::string &To) { printGroup(To, G); });
  }

  void printGroup(std::string &Out, const PythonOverloadGroup &G) const {
    if (!G.Out)
      return printCall(Out, G.Signature, *G.Base);
    opsig::print<OutOrNotText>(
        Out, "out"_hole = utostr(G.Signature.outIndex()),
        "call"_hole = [&](std::string &To) { printCall(To, G.Signature, *G.Base); },
        "call_out"_hole = [&](std::string &To) { printCall(To, G.Signature, *G.Out); });
  }

  void printCall(std::string &Out, const PythonSignature &S, const NativeFunction &Of) const {
    PythonDispatch P = pythonDispatch(S, Of, D);
    const PythonResult *Result = resultOf(Of, Results);
    using Param = const PythonDispatch::Param &;
    opsig::print<CallText>(
        Out, "deprecated"_hole = S.Deprecated != nullptr,
        "schema"_hole = S.Deprecated ? S.Deprecated->Schema.str() : Of.schemaText(),
        "before"_hole = each(
            P.Before, [](StringRef Line) { return Line; }, "\n"),
        "name"_hole = cppName(Of.Schema),
        "params"_hole = each(P.Params, [](Param A) { return A.Type + " " + A.Name.str(); }),
        "returns"_hole = P.Returns, "value"_hole = P.Returns != "void", "callee"_hole = P.Callee,
        "callee_args"_hole = P.CalleeArgs, "result"_hole = Result != nullptr,
        "number"_hole = Result ? StringRef(Result->Number) : "",
        "args"_hole = each(P.Params, [](Param A) -> StringRef { return A.From; }),
        "after"_hole = P.After, "list"_hole = returnsItsList(Of, D));
  }

  const PythonFunction &F;
  PythonNamespace M;
  const Dialect &D;
  std::vector<PythonResult> Results;
};

} // namespace

void printPythonMethod(std::string &Out, const PythonFunction &F, PythonNamespace M,
                       const Dialect &D) {
  MethodWriter(F, M, D).print(Out);
}

std::string pythonMethodEntry(const PythonFunction &F, PythonNamespace M, const Dialect &D) {
  bool NoArguments = F.hasNoArguments();
  return printed<EntryText>(
      "name"_hole = F.Name->str(), "cast"_hole = !NoArguments,
      "parentheses"_hole = NoArguments && D.Python.Cast == MethodCast::AroundParentheses,
      "dunder"_hole = F.Name->Dunder, "binding"_hole = bindingName(F),
      "no_args"_hole = NoArguments && M == PythonNamespace::Tensor,
      "static"_hole = M == PythonNamespace::Torch, "null"_hole = D.Python.NullPointer);
}

std::string pythonMethodDefn(const PythonFunction &F) {
  return "static PyObject * " + bindingName(F) + "(PyObject* self_, PyObject* args" +
         (F.hasNoArguments() ? ")" : ", PyObject* kwargs)");
}

bool returnsItsList(const NativeFunction &F, const Dialect &D) {
  return D.Python.ForeachReturnsSelf && F.Schema.isInplace() &&
         StringRef(F.Schema.Name.Name.str()).starts_with("_foreach_");
}

} // namespace opsig
