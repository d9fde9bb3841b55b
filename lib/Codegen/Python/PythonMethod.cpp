//===- PythonMethod.cpp - The binding of one Python name --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonFunction (x module) => a C++ function that parses arguments, then calls what fits them
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

/// Where a module's functions are looked up by __torch_function__.
struct ModuleNames {
  StringLiteral Object;
  StringLiteral Name;
};
ModuleNames namesOf(PythonModule M) {
  switch (M) {
  case PythonModule::Tensor:
    return {"THPVariableClass", "torch.Tensor"};
  case PythonModule::Torch:
    return {"THPVariableFunctionsModule", "torch"};
  case PythonModule::Nn:
    return {"THPNNVariableFunctionsModule", "torch.nn"};
  case PythonModule::Fft:
    return {"THPFFTVariableFunctionsModule", "torch.fft"};
  case PythonModule::Linalg:
    return {"THPLinalgVariableFunctionsModule", "torch.linalg"};
  case PythonModule::Nested:
    return {"THPNestedVariableFunctionsModule", "torch.nested"};
  case PythonModule::Sparse:
    return {"THPSparseVariableFunctionsModule", "torch.sparse"};
  case PythonModule::Special:
    return {"THPSpecialVariableFunctionsModule", "torch.special"};
  }
  llvm_unreachable("a module without names");
}

std::string bindingName(const PythonFunction &F) { return "THPVariable_" + F.Name->str(); }

std::string cppString(StringRef Text) {
  std::string Quoted = "\"";
  for (char C : Text) {
    constexpr StringLiteral Special = "\\\"\a\b\f\n\v\t", Letters = "\\\"abfnvt";
    if (size_t At = Special.find(C); At != StringRef::npos)
      (Quoted += '\\') += Letters[At];
    else
      Quoted += C;
  }
  return Quoted + '"';
}

//===-- text ----------------------------------------------------------------===//

/// Lines of code with an indentation, as the release's own generator would put them into a block.
class CodeText {
public:
  explicit CodeText(const Dialect &D) : Blanks(blockLinesOf(D)) {}

  void line(unsigned Indent, const Twine &Text) {
    Out.append(Indent, ' ');
    SmallString<256> Buffer;
    Out += Text.toStringRef(Buffer);
    Out += '\n';
  }

  /// Every line of \p Text, but for empty ones at its end.
  void block(unsigned Indent, StringRef Text) {
    for (StringRef Rest = Text.rtrim(" \n"); !Rest.empty();) {
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      if (!Line.empty() || Blanks == BlockLines::Keep)
        Out.append(Indent, ' ');
      Out += Line;
      Out += '\n';
    }
  }

  void blank() { Out += '\n'; }
  std::string take() { return std::move(Out); }

private:
  BlockLines Blanks;
  std::string Out;
};

//===-- one call ------------------------------------------------------------===//

constexpr Template Call = R"(// ${deprecated}aten::${schema}
${=before}
auto dispatch_${name} = [](${params}) -> ${returns} {
  pybind11::gil_scoped_release no_gil;
  ${return}${callee}(${callee_args});
};
)";
constexpr Template ReturnValue = "return wrap(${result}dispatch_${name}(${args})${after});\n";
constexpr Template ReturnNothing = "dispatch_${name}(${args})${after};\n${return}\n";

/// The list that an inplace function was given is what it returns.
constexpr StringLiteral ReturnList = "PyObject* self_tensorlist = _r.args[0];\n"
                                     "Py_INCREF(self_tensorlist);\n"
                                     "return self_tensorlist;";

StringRef returnOfNothing(const NativeFunction &F, const Dialect &D) {
  return returnsItsList(F, D) ? StringRef(ReturnList) : "Py_RETURN_NONE;";
}

std::string callText(const PythonSignature &S, const NativeFunction &F,
                     ArrayRef<PythonResult> Results, const Dialect &D) {
  PythonDispatch P = pythonDispatch(S, F, D);
  std::string Name = cppName(F.Schema), Params, Args;
  for (const PythonDispatch::Param &Param : P.Params) {
    StringRef Comma = &Param == P.Params.data() ? "" : ", ";
    Params += (Comma + Param.Type + " " + Param.Name).str();
    Args += (Comma + Param.From).str();
  }
  bool Void = P.Returns == "void";
  std::string Text = printed<Call>(
      "deprecated"_hole = S.Deprecated ? "[deprecated] " : "",
      "schema"_hole = (S.Deprecated ? S.Deprecated->Schema : F.Schema).str(),
      "before"_hole = join(P.Before, "\n"), "name"_hole = Name, "params"_hole = Params,
      "returns"_hole = P.Returns, "return"_hole = Void ? "" : "return ", "callee"_hole = P.Callee,
      "callee_args"_hole = join(P.CalleeArgs, ", "));
  if (Void)
    return Text + printed<ReturnNothing>("name"_hole = Name, "args"_hole = Args,
                                         "after"_hole = P.After,
                                         "return"_hole = returnOfNothing(F, D));
  const PythonResult *Result = resultOf(F, Results);
  return Text + printed<ReturnValue>(
                    "result"_hole = Result ? "NamedTuple" + Result->Number + ", " : std::string(),
                    "name"_hole = Name, "args"_hole = Args, "after"_hole = P.After);
}

//===-- a binding -----------------------------------------------------------===//

class MethodWriter {
public:
  MethodWriter(const PythonFunction &F, PythonModule M, const Dialect &D)
      : F(F), M(M), D(D), Name(F.Name->str()), Results(pythonResults(F.Overloads)), Code(D) {}

  std::string write() {
    NoArguments = F.hasNoArguments();
    if (F.Groups.size() != 1)
      Code.line(0, "\\"); // PyTorch's generator has it there, for no reason.
    Code.line(0, "// " + Name);
    Code.line(0, "static PyObject * " + bindingName(F) +
                     (NoArguments ? "(PyObject* self_, PyObject* args)"
                                  : "(PyObject* self_, PyObject* args, PyObject* kwargs)"));
    Code.line(0, "{");
    header();
    if (!NoArguments)
      parser();
    torchFunctionCheck();
    dispatch();
    if (!NoArguments)
      Code.line(2, "Py_RETURN_NONE;");
    Code.line(2, "END_HANDLE_TH_ERRORS");
    Code.line(0, "}");
    Code.blank();
    return Code.take();
  }

private:
  bool isMethod() const { return M == PythonModule::Tensor; }
  StringRef self() const { return isMethod() ? "self_" : "nullptr"; }

  void header() {
    Code.line(2, "HANDLE_TH_ERRORS");
    for (const PythonResult &R : Results)
      Code.line(2, "static PyTypeObject* NamedTuple" + R.Number + " = " +
                       (D.Python.Results == NamedResults::Map
                            ? "get_namedtuple(\"" + R.Function + "\");"
                            : "generated::" + getterName(R, D) + "();"));
    if (isMethod())
      Code.line(2, "const Tensor& self = THPVariable_Unpack(self_);");
  }

  void parser() {
    Code.line(2, "static PythonArgParser parser({");
    for (const PythonOverloadGroup &G : F.Groups)
      Code.line(4, cppString(G.Text) + ",");
    Code.line(2, Twine("}, /*traceable=*/") + (F.isTraceable() ? "true" : "false") + ");");
    Code.blank();
    Code.line(2, "ParsedArgs<" + Twine(F.maxArguments()) + "> parsed_args;");
    Code.line(2, "auto _r = parser.parse(" + self() + ", args, kwargs, parsed_args);");
  }

  void torchFunctionCheck() {
    if (NoArguments && !isMethod()) {
      Code.blank();
    } else if (NoArguments) {
      Code.line(2, D.Python.Override == OverrideCheck::Checked
                       ? "if(check_has_torch_function(self_)) {"
                       : "if (has_torch_function(self_)) {");
      Code.line(4, "return handle_torch_function(self_, \"" + Name + "\");");
      Code.line(2, "}");
    } else {
      ModuleNames Names = namesOf(M);
      Code.line(2, "if(_r.has_torch_function()) {");
      Code.line(4, "return handle_torch_function(_r, " + self() + ", args, kwargs, " +
                       Names.Object + ", \"" + Names.Name + "\");");
      Code.line(2, "}");
    }
  }

  void dispatch() {
    if (F.Groups.size() == 1)
      return group(F.Groups.front(), 2);
    Code.line(2, "switch (_r.idx) {");
    for (const PythonOverloadGroup &G : F.Groups) {
      Code.line(4, "case " + Twine(&G - F.Groups.data()) + ": {");
      group(G, 6);
      Code.line(4, "}");
    }
    Code.line(2, "}");
  }

  void group(const PythonOverloadGroup &G, unsigned Indent) {
    if (!G.Out)
      return Code.block(Indent, callText(G.Signature, *G.Base, Results, D));
    Code.line(Indent, "if (_r.isNone(" + Twine(G.Signature.outIndex()) + ")) {");
    Code.block(Indent + 2, callText(G.Signature, *G.Base, Results, D));
    Code.line(Indent, "} else {");
    Code.block(Indent + 2, callText(G.Signature, *G.Out, Results, D));
    Code.line(Indent, "}");
  }

  const PythonFunction &F;
  PythonModule M;
  const Dialect &D;
  std::string Name;
  std::vector<PythonResult> Results;
  bool NoArguments = false;
  CodeText Code;
};

} // namespace

std::string pythonMethodText(const PythonFunction &F, PythonModule M, const Dialect &D) {
  return MethodWriter(F, M, D).write();
}

std::string pythonMethodEntry(const PythonFunction &F, PythonModule M, const Dialect &D) {
  bool NoArguments = F.hasNoArguments();
  std::string Binding = bindingName(F);
  if (F.Name->Dunder)
    Binding = "TypeError_to_NotImplemented_<" + Binding + ">";
  if (!NoArguments)
    Binding = "castPyCFunctionWithKeywords(" + Binding + ")";
  else if (D.Python.Cast == MethodCast::AroundParentheses)
    Binding = "(" + Binding + ")";
  StringRef Flags =
      NoArguments && M == PythonModule::Tensor ? "METH_NOARGS" : "METH_VARARGS | METH_KEYWORDS";
  StringRef Static = M == PythonModule::Torch ? " | METH_STATIC" : "";
  return ("{\"" + F.Name->str() + "\", " + Binding + ", " + Flags + Static + ", " +
          D.Python.NullPointer + "},")
      .str();
}

std::string pythonMethodDeclaration(const PythonFunction &F) {
  return "static PyObject * " + bindingName(F) +
         (F.hasNoArguments() ? "(PyObject* self_, PyObject* args);"
                             : "(PyObject* self_, PyObject* args, PyObject* kwargs);");
}

bool returnsItsList(const NativeFunction &F, const Dialect &D) {
  return D.Python.ForeachReturnsSelf && F.Schema.isInplace() &&
         StringRef(F.Schema.Name.Name.str()).starts_with("_foreach_");
}

} // namespace opsig
