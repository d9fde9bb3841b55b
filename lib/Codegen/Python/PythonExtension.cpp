//===- PythonExtension.cpp - The C++ source of a Python extension -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonExtension => one C++ function per name, which parses arguments and calls what fits them
//                 => NAME.cpp
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Codegen/PythonExtension.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace opsig {

namespace {

//===-- one call ------------------------------------------------------------===//

constexpr Template CallText = R"(
if (${condition}) {
  // ${schema}
  ${+before}
  auto call = [](${params}) -> ${returns} {
    pybind11::gil_scoped_release no_gil;
    ${if value}return ${end}${callee}(${callee_args});
  };
  ${if value}
  return wrap(${if type}${type}(), ${end}call(${args})${after});
  ${else}
  call(${args})${after};
  ${if list}
  Py_INCREF(_r.args[0]);
  return _r.args[0];
  ${else}
  Py_RETURN_NONE;
  ${end}
  ${end}
}
)";

constexpr Template DispatcherCall = R"(
// ${schema}
${definition} {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("${name}", "${overload}").typed<${type}>();
  return op.call(${args});
}

)";

std::string schemaText(const NativeFunction &F) { return F.Namespace + "::" + F.Schema.str(); }

/// What PyTorch has written by hand may be declared in no header of its own.
bool usesDispatcher(const NativeFunction &F, const PythonExtension &X) {
  return X.ThroughDispatcher || F.ManualCppBinding;
}

/// Calls an operator by its schema's name, with its arguments in schema order.
class DispatcherCaller {
public:
  DispatcherCaller(const NativeFunction &F, const Dialect &D)
      : F(F), D(D), S(dispatcherSignature(F.Schema, Lowering::of(F, D))) {}

  std::string name() const { return "call_" + F.Namespace + "_" + F.Schema.Name.unambiguous(); }

  void define(std::string &Out) const {
    std::vector<std::string> Args;
    for (const Binding &P : S.Params)
      Args.push_back(P.Name);
    print<DispatcherCall>(Out, "schema"_hole = schemaText(F), "definition"_hole = S.defn(D, name()),
                          "name"_hole = F.Namespace + "::" + F.Schema.Name.Name.str(),
                          "overload"_hole = F.Schema.Name.Overload, "type"_hole = S.type(D),
                          "args"_hole = Args);
  }

  /// What it is called with where tensor options are packed into `options`.
  std::vector<std::string> arguments() const {
    std::vector<std::string> Args;
    for (const Binding &P : S.Params)
      Args.push_back(isOption(P) ? unpacked(P.Name) : P.Name);
    return Args;
  }

private:
  bool isOption(const Binding &P) const {
    const Arguments &All = F.Schema.Args;
    return P.Arg && All.isTensorOption(P.Arg - All.All.data());
  }

  std::string unpacked(StringRef Option) const {
    if (Option == "dtype")
      return (D.Spelling.DtypeFromOptions + "(options.dtype_opt())").str();
    if (Option == "pin_memory")
      return "options.pinned_memory_opt()";
    return ("options." + Option + "_opt()").str();
  }

  const NativeFunction &F;
  const Dialect &D;
  Signature S;
};

/// Only PyTorch's own factory functions see to requires_grad themselves.
bool ignoresRequiresGrad(const PythonSignature &S, const PythonDispatch &P) {
  return !S.Options.empty() && P.After.empty() && !StringRef(P.Callee).starts_with("torch::");
}

struct CallSite {
  const PythonOverloadGroup &Group;
  const NativeFunction &Function;
  std::string Condition;
};

void call(std::string &Out, const CallSite &Site, const PythonResultClass *Class,
          bool ThroughDispatcher, const Dialect &D) {
  const PythonSignature &S = Site.Group.Signature;
  PythonDispatch P = pythonDispatch(S, Site.Function, D);
  if (ThroughDispatcher) {
    DispatcherCaller Caller(Site.Function, D);
    P.Callee = Caller.name();
    P.CalleeArgs = Caller.arguments();
  }
  if (ignoresRequiresGrad(S, P))
    P.After = ".set_requires_grad(_r.toBool(" + std::to_string(S.count() - 1) + "))";

  std::vector<std::string> Params, Args;
  for (const PythonDispatch::Param &Param : P.Params) {
    Params.push_back(Param.Type + " " + Param.Name.str());
    Args.push_back(Param.From);
  }
  print<CallText>(Out, "condition"_hole = Site.Condition, "schema"_hole = schemaText(Site.Function),
                  "before"_hole = P.Before, "params"_hole = Params, "returns"_hole = P.Returns,
                  "value"_hole = P.Returns != "void", "callee"_hole = P.Callee,
                  "callee_args"_hole = P.CalleeArgs,
                  "type"_hole = Class ? StringRef(Class->Name) : "", "args"_hole = Args,
                  "after"_hole = P.After, "list"_hole = returnsItsList(Site.Function, D));
}

//===-- one name ------------------------------------------------------------===//

constexpr Template FunctionText = R"(
PyObject *py_${name}(PyObject *, PyObject *args, PyObject *kwargs) {
  HANDLE_TH_ERRORS
  static PythonArgParser parser({
      ${signatures}
  }, /*traceable=*/${traceable});
  ParsedArgs<${count}> parsed;
  auto _r = parser.parse(nullptr, args, kwargs, parsed);
  if (_r.has_torch_function())
    return overridden(_r, args, kwargs);
  ${calls}
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

)";

constexpr Template EntryText = R"(
    {"${name}", castPyCFunctionWithKeywords(py_${name}), METH_VARARGS | METH_KEYWORDS,
     ${=signatures}},
)";

constexpr Template ResultText = R"(
PyTypeObject *${class}() {
  static PyStructSequence_Field fields[] = {${fields}, {nullptr, nullptr}};
  static PyStructSequence_Desc description = {"${module}.${class}", nullptr, fields, ${count}};
  static PyTypeObject *const type = PyStructSequence_NewType(&description);
  return type;
}

)";

/// A raw string: signatures may hold quotes.
std::string literal(const Twine &Text) { return ("R\"~(" + Text + ")~\"").str(); }

class FunctionWriter {
public:
  FunctionWriter(const PythonExtension &X, const PythonExtensionFunction &E, const Dialect &D)
      : X(X), E(E), F(E.Function), D(D), Name(F.Name->str()) {}

  void results(std::string &Out) const {
    auto Field = [](StringRef Name) { return ("{\"" + Name + "\", \"\"}").str(); };
    for (const PythonResultClass &C : E.Results)
      print<ResultText>(Out, "class"_hole = C.Name, "module"_hole = X.Name,
                        "fields"_hole = each(C.Fields, Field),
                        "count"_hole = std::to_string(C.Fields.size()));
  }

  void dispatcherCalls(std::string &Out) const {
    for (const PythonOverloadGroup &G : F.Groups)
      for (const NativeFunction *Member : {G.Base, G.Out})
        if (Member && usesDispatcher(*Member, X))
          DispatcherCaller(*Member, D).define(Out);
  }

  void definition(std::string &Out) const {
    auto Signature = [](const PythonOverloadGroup &G) { return literal(G.Text) + ","; };
    auto Calls = [&](std::string &To) {
      for (const CallSite &Site : sites())
        call(To, Site, E.resultOf(Site.Function), usesDispatcher(Site.Function, X), D);
    };
    print<FunctionText>(Out, "name"_hole = Name, "signatures"_hole = each(F.Groups, Signature),
                        "traceable"_hole = F.isTraceable() ? "true" : "false",
                        "count"_hole = std::to_string(std::max(F.maxArguments(), 1u)),
                        "calls"_hole = Calls);
  }

  void entry(std::string &Out) const {
    auto Text = [](const PythonOverloadGroup &G) -> StringRef { return G.Text; };
    print<EntryText>(Out, "name"_hole = Name,
                     "signatures"_hole = literal(each(F.Groups, Text, "\n").str()));
  }

  void types(std::string &Out) const;

private:
  std::vector<CallSite> sites() const {
    std::vector<CallSite> Sites;
    for (const PythonOverloadGroup &G : F.Groups) {
      std::string IsMine = "_r.idx == " + std::to_string(&G - F.Groups.data());
      std::string NoOut = "_r.isNone(" + std::to_string(G.Signature.outIndex()) + ")";
      Sites.push_back({G, *G.Base, G.Out ? IsMine + " && " + NoOut : IsMine});
      if (G.Out)
        Sites.push_back({G, *G.Out, IsMine + " && !" + NoOut});
    }
    return Sites;
  }

  const PythonExtension &X;
  const PythonExtensionFunction &E;
  const PythonFunction &F;
  const Dialect &D;
  std::string Name;
};

//===-- the file ------------------------------------------------------------===//

constexpr Template SourceText = R"(
// ${name}, a Python module of ${count} functions, made by opsig gen python
// clang-format off
#include <torch/csrc/python_headers.h>

${headers}
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/utils/wrap_outputs.h>
#include <torch/csrc/tensor/python_tensor.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/out_types.h>
#include <torch/csrc/utils/pycfunction_helpers.h>
#include <torch/csrc/utils/python_arg_parser.h>
#if __has_include(<torch/csrc/utils/device_lazy_init.h>)
#include <torch/csrc/utils/device_lazy_init.h>
#else
#include <torch/csrc/utils/cuda_lazy_init.h>
#endif

namespace {

using namespace at;
using namespace torch;
using torch::autograd::utils::wrap;
using torch::utils::check_out_type_matches;

// Where __torch_function__ finds the function that was called.
PyObject *Module = nullptr;

// Newer releases keep them in the arguments, older ones in the signature.
template <typename Args> auto overloaded(Args &_r, int) -> decltype((_r.overloaded_args)) {
  return _r.overloaded_args;
}
template <typename Args> auto overloaded(Args &_r, long) -> decltype((_r.signature.overloaded_args)) {
  return _r.signature.overloaded_args;
}

// The one way into __torch_function__ that libtorch_python exports in every release.
PyObject *overridden(PythonArgs &_r, PyObject *args, PyObject *kwargs) {
  std::string Name = _r.get_func_name();
  THPObjectPtr Function(PyObject_GetAttrString(Module, Name.c_str()));
  if (!Function)
    throw python_error();
  return handle_torch_function_no_python_arg_parser(overloaded(_r, 0), args, kwargs, Name.c_str(),
                                                    Function.get(), "${name}");
}

${dispatcher_calls}
// Results whose fields have names.

${results}
// One function per name; the parser tries signatures in their order.

${definitions}
PyMethodDef Functions[] = {
${entries}
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef Definition = {PyModuleDef_HEAD_INIT, "${name}", nullptr, -1, Functions};

[[maybe_unused]] bool addType(const char *Name, PyTypeObject *Type) {
  if (!Type)
    return false;
  Py_INCREF(Type);
  if (PyModule_AddObject(Module, Name, reinterpret_cast<PyObject *>(Type)) == 0)
    return true;
  Py_DECREF(Type);
  return false;
}

} // namespace

PyMODINIT_FUNC PyInit_${name}() {
  // torch makes its types known to the parser.
  PyObject *Torch = PyImport_ImportModule("torch");
  if (!Torch)
    return nullptr;
  Py_DECREF(Torch);
  Module = PyModule_Create(&Definition);
  ${types}
  return Module;
}
)";

constexpr Template TypeText = R"(
if (Module && !addType("${class}", ${class}()))
  Py_CLEAR(Module);
)";

void FunctionWriter::types(std::string &Out) const {
  for (const PythonResultClass &C : E.Results)
    print<TypeText>(Out, "class"_hole = C.Name);
}

std::vector<std::string> headersOf(const PythonExtension &X) {
  std::set<std::string> Headers;
  for (const PythonExtensionFunction &E : X.Functions)
    for (const PythonOverload &O : E.Function.Overloads) {
      if (usesDispatcher(*O.Function, X)) {
        Headers.insert("#include <ATen/core/dispatch/Dispatcher.h>");
        continue;
      }
      Headers.insert("#include <ATen/ops/" + O.Function->rootName().str() + ".h>");
      if (!O.Signature.Options.empty())
        Headers.insert("#include <torch/csrc/autograd/generated/variable_factories.h>");
    }
  return {Headers.begin(), Headers.end()};
}

} // namespace

GeneratedFile pythonExtensionSource(const PythonExtension &X, const Dialect &D) {
  auto OfAll = [&](void (FunctionWriter::*Write)(std::string &) const) {
    return [&, Write](std::string &Out) {
      for (const PythonExtensionFunction &E : X.Functions)
        (FunctionWriter(X, E, D).*Write)(Out);
    };
  };
  return {X.Name + ".cpp",
          printed<SourceText>("name"_hole = X.Name,
                              "count"_hole = std::to_string(X.Functions.size()),
                              "headers"_hole = headersOf(X),
                              "dispatcher_calls"_hole = OfAll(&FunctionWriter::dispatcherCalls),
                              "results"_hole = OfAll(&FunctionWriter::results),
                              "definitions"_hole = OfAll(&FunctionWriter::definition),
                              "entries"_hole = OfAll(&FunctionWriter::entry),
                              "types"_hole = OfAll(&FunctionWriter::types))};
}

} // namespace opsig
