//===- PythonResults.cpp - Results whose fields have names ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// named returns => struct sequences: python_return_types.cpp and .h
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"
#include <map>

using namespace llvm;

namespace opsig {

namespace {

constexpr Template Definition = R"(PyTypeObject* ${getter}() {
    static PyStructSequence_Field NamedTuple_fields[] = { ${fields},  {nullptr} };
    static PyTypeObject ${type};
    static bool is_initialized = false;
    static PyStructSequence_Desc desc = { "torch.return_types.${function}", nullptr, NamedTuple_fields, ${count} };
    if (!is_initialized) {
        PyStructSequence_InitType(&${type}, &desc);
        ${type}.tp_repr = (reprfunc)torch::utils::returned_structseq_repr;
        is_initialized = true;
    }
    return &${type};
}
)";

} // namespace

std::string getterName(const PythonResult &R, const Dialect &D) {
  return "get_" + R.Function +
         (D.Python.Results == NamedResults::StructSeqs ? "_structseq" : "_namedtuple");
}

namespace {

std::string definition(const PythonResult &R, const Dialect &D) {
  auto Field = [](StringRef Name) { return ("{\"" + Name + "\", \"\"}").str(); };
  return printed<Definition>(
      "getter"_hole = getterName(R, D), "fields"_hole = each(R.Fields, Field),
      "type"_hole = R.Function + "NamedTuple" + R.Number, "function"_hole = R.Function,
      "count"_hole = std::to_string(R.Fields.size()));
}

/// How the module comes to know the type.
std::string registration(const PythonResult &R, const Dialect &D) {
  std::string Getter = getterName(R, D) + "()";
  if (D.Python.Results == NamedResults::Map)
    return "{\"" + R.Function + "\", " + Getter + "}, ";
  return "addReturnType(return_types_module, \"" + R.Function + "\", generated::" + Getter + ");";
}

/// The overloads of every bound name, methods and functions alike, in the order of the names. The
/// deprecated ones return what the others do.
std::map<std::string, std::vector<PythonOverload>> overloadsByName(const PythonBindings &Bindings) {
  std::map<std::string, std::vector<PythonOverload>> ByName;
  for (const NativeFunction *F : Bindings.Functions)
    if (!pythonResultFields(F->Schema).empty())
      ByName[F->Schema.Name.Name.str()].push_back({{}, F});
  return ByName;
}

} // namespace

std::vector<PythonResult> pythonResults(ArrayRef<PythonOverload> Overloads) {
  std::vector<PythonResult> Results;
  for (const PythonOverload &O : Overloads) {
    std::vector<StringRef> Fields = pythonResultFields(O.Function->Schema);
    if (!Fields.empty() && !resultOf(*O.Function, Results))
      Results.push_back({cppName(O.Function->Schema), std::move(Fields),
                         Results.empty() ? "" : std::to_string(Results.size())});
  }
  return Results;
}

const PythonResult *resultOf(const NativeFunction &F, ArrayRef<PythonResult> Results) {
  if (Results.empty())
    return nullptr;
  std::string Name = cppName(F.Schema);
  std::vector<StringRef> Fields = pythonResultFields(F.Schema);
  auto Found = llvm::find_if(
      Results, [&](const PythonResult &R) { return R.Function == Name && R.Fields == Fields; });
  return Found == Results.end() ? nullptr : &*Found;
}

void generatePythonResults(const PythonInput &In, FileWriter &Out) {
  const Dialect &D = In.dialect();
  std::vector<std::vector<PythonResult>> ByName;
  for (const auto &[Name, Overloads] : overloadsByName(In.Bindings))
    ByName.push_back(pythonResults(Overloads));
  // An empty line stands between the types of one name only.
  auto Define = [&](const std::vector<PythonResult> &OfName) {
    return each(OfName, [&](const PythonResult &R) { return definition(R, D); }, "\n").str();
  };
  auto Of = [&](auto Line) {
    return [&ByName, Line](std::string &To) {
      for (const std::vector<PythonResult> &OfName : ByName)
        for (const PythonResult &R : OfName)
          To += Line(R) + "\n";
    };
  };
  FileSpec Source{"python_return_types.cpp"};
  auto Definitions = "py_return_types"_hole = each(ByName, Define);
  auto Register = Of([&](const PythonResult &R) { return registration(R, D); });
  if (D.Python.Results == NamedResults::Map)
    return Out.add(Source, Definitions, "py_return_types_map"_hole = Register);
  Out.add(Source, Definitions, "py_return_types_registrations"_hole = Register);
  Out.add({"python_return_types.h"},
          "py_return_types_declarations"_hole = Of(
              [&](const PythonResult &R) { return "PyTypeObject* " + getterName(R, D) + "();"; }));
}

} // namespace opsig
