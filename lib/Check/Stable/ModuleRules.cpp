//===- ModuleRules.cpp - functions of pybind11's as operators -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: PYBIND11_MODULE(ext, m) {          After: PYBIND11_MODULE(ext, m) {
//           m.doc() = "Kernels";                      m.doc() = "Kernels";
//           m.def("f", &f, "what it does",          }
//                 py::arg("x"),
//                 py::arg("n") = 2);                STABLE_TORCH_LIBRARY_FRAGMENT(ext, m) {
//         }                                           // what it does
//                                                     m.def("f(Tensor x, int n=2) -> Tensor");
//                                                   }
//
//                                                   STABLE_TORCH_LIBRARY_IMPL(ext,
//                                                                CompositeExplicitAutograd, m) {
//                                                     m.impl("f", TORCH_BOX(&f));
//                                                   }
//
// The module stays, so that importing it loads the library, and what it says of itself. All of its
// functions move or none does: nobody wants half of them elsewhere. An operator is called without
// Python's lock, so what releases it goes.
//
//===----------------------------------------------------------------------===//
#include "Stable/StableInternal.h"
#include "opsig/Check/InferredSchema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

bool isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

std::optional<std::string> scalarDefault(const CppType &T, StringRef Value) {
  int64_t Int;
  double Float;
  bool IsInt = !Value.getAsInteger(10, Int);
  if (T.is("bool") && IsInt)
    return Int ? "True" : "False";
  if ((T.is("long") && IsInt) || (T.is("double") && !Value.getAsDouble(Float)))
    return Value.str();
  return std::nullopt;
}

/// What a schema says for a default value, in a string of C++.
std::optional<std::string> defaultText(const CppType &Declared, StringRef Value) {
  const CppType &Outer = Declared.referee();
  const bool Optional = Outer.isTemplate("std::optional");
  const CppType &T = Optional ? Outer.Args.front() : Outer;
  if (Value == "none")
    return Optional ? std::optional<std::string>("None") : std::nullopt;
  if (T.Name == "std::basic_string" && Value.consume_front("\"") && Value.consume_back("\"")) {
    bool Plain =
        all_of(Value, [](char C) { return isAlnum(C) || StringRef("_-.: /").contains(C); });
    return Plain ? std::optional("\\\"" + Value.str() + "\\\"") : std::nullopt;
  }
  if (!T.isTemplate("std::vector"))
    return scalarDefault(T, Value);
  if (!Value.consume_front("{") || !Value.consume_back("}"))
    return std::nullopt;
  std::vector<std::string> Items;
  SmallVector<StringRef> Parts;
  Value.split(Parts, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    std::optional<std::string> Item = scalarDefault(T.Args.front(), Part);
    if (!Item)
      return std::nullopt;
    Items.push_back(std::move(*Item));
  }
  return "[" + join(Items, ", ") + "]";
}

/// The schema of a function's operator. None, and \p Why, where there is none.
std::optional<std::string> schemaOf(const BoundFunction &Bound, const TypeNames &Names,
                                    std::string &Why) {
  RegisteredKernel Kernel = withWideNumbers(Bound.Kernel);
  std::vector<KernelParam> &Params = Kernel.Decl.Params;
  auto No = [&](const Twine &Reason) {
    Why = ("'" + Bound.Name + "' " + Reason).str();
    return std::nullopt;
  };
  for (const KernelParam &P : Params)
    if (!isCarried(P.Canonical.referee()))
      return No("takes a '" + P.TypeText + "', which TORCH_BOX cannot carry");
  if (!isReturned(Kernel.Decl.ReturnCanonical))
    return No("returns a '" + Kernel.Decl.ReturnText + "', which TORCH_BOX cannot carry");
  if (!Bound.Args.empty() && Bound.Args.size() != Params.size())
    return No("has names for some of its arguments only");
  std::vector<std::string> Defaults(Params.size());
  for (auto [P, Arg, Default] : zip(Params, Bound.Args, Defaults)) {
    P.Name = Arg.Name;
    if (!Arg.HasDefault)
      continue;
    std::optional<std::string> Text = defaultText(P.Canonical, Arg.Default);
    if (!Text)
      return No("has a default for '" + Arg.Name + "' that no schema has");
    Default = std::move(*Text);
  }
  for (const KernelParam &P : Params)
    if (!P.Name.empty() && !isIdentifier(P.Name))
      return No("has an argument that cannot be called '" + P.Name + "'");
  std::optional<std::string> Schema = inferredSchema(Bound.Name, Kernel, Names, Defaults);
  return Schema ? Schema : No("has types that no schema has");
}

std::string whyFunctionStays(const TranslationUnit &Unit, const BoundFunction &Bound,
                             const BoxedKernels &Boxed) {
  if (!isIdentifier(Bound.Name))
    return "a function's name is no constant, or no name of an operator";
  std::string Name = "'" + Bound.Name + "' ";
  if (!Bound.At.isValid())
    return Name + "is bound by a macro";
  if (Bound.Kernel.Is != RegisteredKernel::Function || !Bound.Kernel.Use.isValid())
    return Name + "is no function that has a name";
  if (!Bound.Other.empty())
    return Name + "is told '" + Bound.Other + "', which an operator cannot be";
  std::string Id = identityOf(Bound.Kernel.Decl), Why;
  if (!schemaOf(Bound, Unit.Names, Why))
    return Why;
  if (!Boxed.Defined.count(Id))
    return Name + "is defined in a file that was not given";
  if (Boxed.FixedNumbers.count(Id) || Boxed.Fixed.count(Id))
    return Name + "has types that would have to change, and cannot";
  if (Boxed.OfPython.count(Id))
    return Name + "uses pybind11 itself";
  return "";
}

bool mentionsTensors(const CppType &T) {
  StringRef Name = T.Name;
  return Name.starts_with("at::") || Name.starts_with("c10::") || any_of(T.Args, mentionsTensors);
}

/// Without PyTorch's types, a module is no matter of its ABI.
bool needsPyTorch(const PythonModule &Module) {
  return any_of(Module.Functions, [](const BoundFunction &Bound) {
    const KernelDecl &D = Bound.Kernel.Decl;
    return mentionsTensors(D.ReturnCanonical) ||
           any_of(D.Params, [](const KernelParam &P) { return mentionsTensors(P.Canonical); });
  });
}

class ModulePlanner {
public:
  ModulePlanner(const StableContext &Context, const PythonModule &Module)
      : Context(Context), Module(Module) {}

  void plan();

private:
  std::string moduleName() const;
  Span statement(const BoundFunction &Bound) const;
  std::string blocks() const;

  const StableContext &Context;
  const PythonModule &Module;
};

std::string ModulePlanner::moduleName() const {
  StringRef Text = Context.text({Module.At.File, 0, ~0u}).substr(Module.At.end());
  return Text.ltrim().drop_front().take_until([](char C) { return C == ','; }).trim().str();
}

/// With its semicolon and its lines.
Span ModulePlanner::statement(const BoundFunction &Bound) const {
  Span S = Bound.At;
  StringRef After = Context.text({S.File, 0, ~0u}).substr(S.end());
  size_t Semicolon = After.find_first_not_of(" \t\n");
  if (Semicolon != StringRef::npos && After[Semicolon] == ';')
    S.Length += Semicolon + 1;
  return Context.wholeLines(S);
}

/// What Python's help would have said. A line that ends with a backslash would go on.
std::string commentOf(StringRef Doc) {
  std::string Text;
  SmallVector<StringRef> Lines;
  Doc.trim().split(Lines, '\n');
  for (StringRef Line : Lines)
    if (StringRef Words = Line.rtrim("\\ \t\r"); !Words.empty() || !Text.empty())
      Text += ("  //" + Twine(Words.empty() ? "" : " ") + Words + "\n").str();
  return Text;
}

std::string functionOf(StringRef Use) {
  Use = Use.trim();
  Use.consume_front("&");
  return Use.trim().str();
}

std::string ModulePlanner::blocks() const {
  std::string Defs, Impls, Why;
  for (const BoundFunction &Bound : Module.Functions) {
    if (Bound.Doc != Bound.Name)
      Defs += commentOf(Bound.Doc);
    Defs +=
        "  " + Module.Variable + ".def(\"" + *schemaOf(Bound, Context.Unit.Names, Why) + "\");\n";
    Impls += "  " + Module.Variable + ".impl(\"" + Bound.Name + "\", TORCH_BOX(&" +
             functionOf(Context.text(Bound.Kernel.Use)) + "));\n";
  }
  std::string Name = moduleName();
  return "\n\nSTABLE_TORCH_LIBRARY_FRAGMENT(" + Name + ", " + Module.Variable + ") {\n" + Defs +
         "}\n\nSTABLE_TORCH_LIBRARY_IMPL(" + Name + ", CompositeExplicitAutograd, " +
         Module.Variable + ") {\n" + Impls + "}";
}

void ModulePlanner::plan() {
  WayBuilder Way(Context.Names);
  Way.need("STABLE_TORCH_LIBRARY_FRAGMENT").need("STABLE_TORCH_LIBRARY_IMPL").need("TORCH_BOX");
  Way.header("pybind11/pybind11.h");
  for (const BoundFunction &Bound : Module.Functions)
    Way.at(statement(Bound));
  Way.at({Module.At.File, Module.Body.end(), 1}).text("}" + blocks());
  ApiUse Use;
  Use.Name = "PYBIND11_MODULE";
  Use.At = Module.At;
  StableChange Change =
      movesBy(Use, diag::UnstableMacro, "STABLE_TORCH_LIBRARY_FRAGMENT", std::move(Way));
  if (Change.Is == StableChange::Moves) {
    Change.Is = StableChange::Review;
    Change.Why = "Python calls 'torch.ops." + moduleName() + "." + Module.Functions.front().Name +
                 "' then, which importing the module defines; mark in the schemas what the "
                 "functions write, and see that none needs autograd to look into it";
  }
  for (const BoundFunction &Bound : Module.Functions)
    Change.Together.insert(identityOf(Bound.Kernel.Decl));
  Context.Plan.Changes.push_back(std::move(Change));
}

/// Python's lock, which nobody holds when an operator is called.
void planReleases(const StableContext &Context, const BoxedKernels &Boxed) {
  for (const PythonUse &Function : Context.Unit.PythonUses) {
    std::string Id = identityOf(Function.Decl);
    if (!Boxed.Bound.count(Id))
      continue;
    for (Span Release : Function.Releases) {
      WayBuilder Way(Context.Names);
      Way.at(Context.wholeLines(Release));
      ApiUse Use;
      Use.Name = "py::gil_scoped_release";
      Use.At = Release;
      StableChange Change = movesBy(Use, diag::UnstableType, "nothing", std::move(Way));
      Change.InWords = true;
      Change.Together.insert(Id);
      Context.Plan.Changes.push_back(std::move(Change));
    }
  }
}

} // namespace

/// Whatever other functions of the project do.
static std::string whyByItself(const TranslationUnit &Unit, const PythonModule &Module,
                               const BoxedKernels &Boxed) {
  if (Module.Other.isValid())
    return "it has more than functions";
  std::set<std::string> Names;
  for (const BoundFunction &Bound : Module.Functions) {
    if (std::string Why = whyFunctionStays(Unit, Bound, Boxed); !Why.empty())
      return Why;
    if (!Names.insert(Bound.Name).second)
      return "'" + Bound.Name + "' has several overloads";
  }
  return "";
}

void opsig::settleModules(BoxedKernels &Boxed) {
  for (auto [Unit, Module] : Boxed.Modules)
    if (needsPyTorch(*Module) && whyByItself(*Unit, *Module, Boxed).empty())
      for (const BoundFunction &Function : Module->Functions)
        Boxed.Bound.insert(identityOf(Function.Kernel.Decl));
  // It may be called by any of them, which does not hold the lock then.
  for (const std::string &Id : Boxed.Releasing)
    if (!Boxed.Bound.count(Id)) {
      Boxed.Releaser = StringRef(Id).split('(').first.str();
      Boxed.Bound.clear();
      return;
    }
}

static std::string whyModuleStays(const TranslationUnit &Unit, const PythonModule &Module,
                                  const BoxedKernels &Boxed) {
  std::string Why = whyByItself(Unit, Module, Boxed);
  if (Why.empty() && !Boxed.Releaser.empty())
    return "'" + Boxed.Releaser +
           "' releases Python's lock, which nobody holds when an operator is called";
  return Why;
}

void opsig::planModules(const StableContext &Context, const BoxedKernels &Boxed) {
  for (const PythonModule &Module : Context.Unit.Modules) {
    if (!needsPyTorch(Module))
      continue;
    std::string Why = whyModuleStays(Context.Unit, Module, Boxed);
    if (Why.empty()) {
      ModulePlanner(Context, Module).plan();
      continue;
    }
    ApiUse Use;
    Use.Name = "PYBIND11_MODULE";
    Use.At = Module.At;
    Context.Plan.Changes.push_back(
        staysAsIs(Use, diag::UnstableMacro,
                  "define the functions as operators in a STABLE_TORCH_LIBRARY block; " + Why));
  }
  planReleases(Context, Boxed);
}
