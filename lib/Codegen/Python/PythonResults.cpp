//===- PythonResults.cpp - Results whose fields have names ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// named returns => struct sequences: python_return_types.cpp and .h
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"

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
  std::string Fields;
  ListSeparator Comma;
  for (StringRef Field : R.Fields)
    Fields += (StringRef(Comma) + "{\"" + Field + "\", \"\"}").str();
  return printed<Definition>("getter"_hole = getterName(R, D), "fields"_hole = Fields,
                             "type"_hole = R.Function + "NamedTuple" + R.Number,
                             "function"_hole = R.Function,
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
std::vector<std::vector<PythonOverload>> overloadsByName(const PythonBindings &Bindings) {
  std::vector<std::pair<std::string, std::vector<PythonOverload>>> ByName;
  StringMap<size_t> Index;
  for (const NativeFunction *F : Bindings.Functions) {
    if (pythonResultFields(F->Schema).empty())
      continue;
    std::string Name = F->Schema.Name.Name.str();
    auto [At, IsNew] = Index.try_emplace(Name, ByName.size());
    if (IsNew)
      ByName.push_back({Name, {}});
    ByName[At->second].second.push_back({{}, F});
  }
  llvm::sort(ByName, [](const auto &A, const auto &B) { return A.first < B.first; });
  std::vector<std::vector<PythonOverload>> Sorted;
  for (auto &[Name, Overloads] : ByName)
    Sorted.push_back(std::move(Overloads));
  return Sorted;
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

void generatePythonResults(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags) {
  const Dialect &D = In.dialect();
  std::vector<std::string> Definitions, Registrations, Declarations;
  for (const std::vector<PythonOverload> &Overloads : overloadsByName(In.Bindings)) {
    // An empty line stands between the types of one name only.
    ListSeparator EmptyLine("\n");
    std::string &OfName = Definitions.emplace_back();
    for (const PythonResult &R : pythonResults(Overloads)) {
      OfName += (StringRef(EmptyLine) + definition(R, D)).str();
      Registrations.push_back(registration(R, D));
      Declarations.push_back("PyTypeObject* " + getterName(R, D) + "();");
    }
  }
  bool IsMap = D.Python.Results == NamedResults::Map;
  StringRef RegistrationHole = IsMap ? "py_return_types_map" : "py_return_types_registrations";
  TemplateValues Source;
  Source["py_return_types"] = std::move(Definitions);
  Source[RegistrationHole] = std::move(Registrations);
  addPythonFile(In, "python_return_types.cpp", std::move(Source),
                {"py_return_types", RegistrationHole}, Out, Diags);
  if (IsMap)
    return;
  TemplateValues Header;
  Header["py_return_types_declarations"] = std::move(Declarations);
  addPythonFile(In, "python_return_types.h", std::move(Header), {"py_return_types_declarations"},
                Out, Diags);
}

} // namespace opsig
