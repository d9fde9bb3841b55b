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
#include "Rules/ModuleInternal.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Frontend/PythonModule.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

std::string whyFunctionStays(const UnitFacts &Unit, const BoundFunction &Bound,
                             const BoxedKernels &Boxed) {
  if (!isIdentifier(Bound.Name))
    return "the name of a function is not a constant or not a valid operator name";
  std::string Name = "'" + Bound.Name + "' ";
  if (!Bound.At.isValid())
    return Name + "is bound by a macro";
  if (Bound.Kernel.Is != RegisteredKernel::Function || !Bound.Kernel.Use.isValid())
    return Name + "is not a named function";
  if (!Bound.Other.empty())
    return Name + "has the option '" + Bound.Other + "', which operators do not support";
  std::string Id = identityOf(Bound.Kernel.Decl), Why;
  if (!schemaOf(Bound, Unit.Names, {}, Why))
    return Why;
  if (!Boxed.Defined.count(Id))
    return Name + "is defined in a file that was not passed";
  if (Boxed.FixedNumbers.count(Id) || Boxed.Fixed.count(Id))
    return Name + "has types that the stable ABI does not support and that opsig cannot change";
  if (Boxed.OfPython.count(Id))
    return Name + "uses pybind11 itself";
  return "";
}

bool mentionsTensors(const CppType &T) {
  StringRef Name = T.Name;
  return Name.starts_with("at::") || Name.starts_with("c10::") || any_of(T.Args, mentionsTensors);
}

/// A header of PyTorch's brings pybind11, and how tensors are handed on.
bool includesCasters(const UnitFacts &Unit) {
  static constexpr StringLiteral Casters[] = {"torch/extension.h", "torch/python.h",
                                              "torch/csrc/utils/pybind.h"};
  return any_of(Unit.Uses, [&](const ApiUse &Use) {
    return Use.Is == ApiUse::Include && is_contained(Casters, Use.Name);
  });
}

/// Without PyTorch's types, a module is no matter of its ABI. What else a module has may name them
/// anywhere, once the file includes how pybind11 hands them on.
bool needsPyTorch(const UnitFacts &Unit, const PythonModule &Module) {
  if (Module.Other.isValid() && includesCasters(Unit))
    return true;
  return any_of(Module.Functions, [](const BoundFunction &Bound) {
    const KernelDecl &D = Bound.Kernel.Decl;
    return mentionsTensors(D.ReturnCanonical) ||
           any_of(D.Params, [](const KernelParam &P) { return mentionsTensors(P.Canonical); });
  });
}

/// What a function becomes, and where it stood.
struct MovedFunction {
  const BoundFunction *Bound;
  Span Statement;            ///< with the comments that are its own
  std::string Above, Behind; ///< those comments
  std::vector<std::string> Conditions;
};

class ModulePlanner {
public:
  ModulePlanner(const StableContext &Context, const PythonModule &Module, const BoxedKernels &Boxed)
      : Context(Context), Module(Module), Boxed(Boxed),
        Text(Context.text({Module.At.File, 0, ~0u})),
        Name(firstArgument(Text.substr(Module.At.end()))) {}

  void plan();

private:
  MovedFunction movedFrom(const BoundFunction &Bound) const;
  void takeAway(WayBuilder &Way) const;
  bool holdsFunctionsOnly(Span Region) const;
  bool needsAlias() const;
  void blocks(WayBuilder &Way) const;

  const StableContext &Context;
  const PythonModule &Module;
  const BoxedKernels &Boxed;
  StringRef Text; ///< of the file
  StringRef Name; ///< of the module
  std::vector<MovedFunction> Functions;
};

/// The line in front of \p Offset, where a line begins.
StringRef lineBefore(StringRef Text, uint32_t Offset) {
  StringRef Before = Text.take_front(Offset);
  if (!Before.consume_back("\n"))
    return "";
  return Text.slice(Before.rfind('\n') + 1, Offset);
}

MovedFunction ModulePlanner::movedFrom(const BoundFunction &Bound) const {
  MovedFunction Out{&Bound, Context.statement(Bound.At).value_or(Bound.At), "", "",
                    conditionsAt(Text, Module.Body, Bound.At.Offset)};
  Span &S = Out.Statement;
  StringRef Rest = Text.substr(S.end()).take_until([](char C) { return C == '\n'; });
  if (Rest.ltrim().starts_with("//")) {
    Out.Behind = " " + Rest.trim().str();
    S.Length += Rest.size();
  }
  S = Context.wholeLines(S);
  while (S.Offset > Module.Body.Offset) {
    StringRef Line = lineBefore(Text, S.Offset);
    if (!Line.ltrim().starts_with("//") || S.Offset - Line.size() < Module.Body.Offset)
      break;
    Out.Above.insert(0, "  " + Line.trim().str() + "\n");
    S.Offset -= Line.size();
    S.Length += Line.size();
  }
  return Out;
}

/// Nothing else stands between a condition and its end.
bool ModulePlanner::holdsFunctionsOnly(Span Region) const {
  std::string Left = Text.substr(Region.Offset, Region.Length).str();
  for (const MovedFunction &F : Functions)
    if (F.Statement.Offset >= Region.Offset && F.Statement.end() <= Region.end())
      std::fill_n(Left.begin() + (F.Statement.Offset - Region.Offset), F.Statement.Length, '\n');
  SmallVector<StringRef> Lines;
  StringRef(Left).split(Lines, '\n');
  return all_of(Lines, [](StringRef L) { return L.trim().empty() || L.ltrim().starts_with("#"); });
}

void ModulePlanner::takeAway(WayBuilder &Way) const {
  std::vector<Span> Gone;
  for (const ConditionalLines &Lines : conditionalLines(Text)) {
    Span Region{Module.Body.File, Lines.Begin,
                std::min(Lines.End, Module.Body.end()) - Lines.Begin};
    if (Lines.Begin < Module.Body.Offset || Lines.End > Module.Body.end() + 1 ||
        (!Gone.empty() && Lines.Begin < Gone.back().end()))
      continue;
    if (holdsFunctionsOnly(Region))
      Gone.push_back(Region);
  }
  for (const MovedFunction &F : Functions)
    if (none_of(Gone, [&](const Span &S) {
          return S.Offset <= F.Statement.Offset && F.Statement.end() <= S.end();
        }))
      Gone.push_back(F.Statement);
  for (const Span &S : Gone)
    Way.at(S);
}

/// `py` was PyTorch's own name, in a header that goes.
bool ModulePlanner::needsAlias() const {
  if (Text.contains("namespace py "))
    return false;
  for (size_t At = Text.find("py::"); At != StringRef::npos; At = Text.find("py::", At + 1)) {
    StringRef Line = Text.slice(Text.take_front(At).rfind('\n') + 1, At);
    bool IsName = At == 0 || !(isAlnum(Text[At - 1]) || Text[At - 1] == '_');
    bool Goes = any_of(Functions, [&](const MovedFunction &F) {
      return F.Statement.Offset <= At && At < F.Statement.end();
    });
    if (IsName && !Goes && !Line.contains("//"))
      return true;
  }
  return false;
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

/// The blocks that the functions move to.
void ModulePlanner::blocks(WayBuilder &Way) const {
  std::vector<BlockLine> Defs, Impls;
  for (const MovedFunction &F : Functions) {
    const BoundFunction &Bound = *F.Bound;
    std::string Why;
    SchemaMarks Marks = Boxed.marks(Context.Unit, Bound.Kernel);
    const std::string Schema = *schemaOf(Bound, Context.Unit.Names, Marks, Why);
    const std::string Doc = Bound.Doc != Bound.Name ? commentOf(Bound.Doc) : "";
    Defs.push_back(
        {F.Conditions,
         {{F.Above + Doc + "  " + Module.Variable + ".def(\"" + Schema + "\");" + F.Behind + "\n",
           {}}}});
    Impls.push_back(implLine(F.Conditions, Module.Variable, {"\"" + Bound.Name + "\"", {}},
                             boxed(Bound.Kernel.Use, Context)));
  }
  Way.pieces(writtenBlock("STABLE_TORCH_LIBRARY_FRAGMENT(" + Name + ", " + Module.Variable, Defs));
  Way.pieces(writtenBlock("STABLE_TORCH_LIBRARY_IMPL(" + Name + ", CompositeExplicitAutograd, " +
                              Module.Variable,
                          Impls));
}

void ModulePlanner::plan() {
  for (const BoundFunction &Bound : Module.Functions)
    Functions.push_back(movedFrom(Bound));
  WayBuilder Way(Context);
  Way.need("STABLE_TORCH_LIBRARY_FRAGMENT").need("STABLE_TORCH_LIBRARY_IMPL").need("TORCH_BOX");
  Way.header("pybind11/pybind11.h");
  if (needsAlias())
    Way.helper(StableHelper{"py", "namespace py = pybind11;"});
  takeAway(Way);
  Way.at({Module.At.File, Module.Body.end(), 1}).text("}");
  blocks(Way);
  StableChange Change = movesBy({"PYBIND11_MODULE", Module.At}, finding::UnstableMacro,
                                "STABLE_TORCH_LIBRARY_FRAGMENT", std::move(Way));
  toBeReviewed(
      Change,
      "Python now calls 'torch.ops." + Name.str() + "." + Module.Functions.front().Name +
          "', which exists after the import of the module; check that the schemas annotate all "
          "arguments that the functions write to, and that no function relies on autograd through "
          "its body");
  for (const BoundFunction &Bound : Module.Functions)
    Change.AtomicGroup.insert(identityOf(Bound.Kernel.Decl));
  Context.Plan.Changes.push_back(std::move(Change));
}

/// Python's lock, which nobody holds when an operator is called.
void planReleases(const StableContext &Context, const BoxedKernels &Boxed) {
  for (const PythonUse &Function : Context.Unit.PythonUses) {
    std::string Id = identityOf(Function.Decl);
    if (!Boxed.Bound.count(Id))
      continue;
    for (Span Release : Function.Releases) {
      WayBuilder Way(Context);
      Way.at(Context.wholeLines(Release));
      StableChange Change = movesInWords({"py::gil_scoped_release", Release}, finding::UnstableType,
                                         "nothing", std::move(Way));
      Change.AtomicGroup.insert(Id);
      Context.Plan.Changes.push_back(std::move(Change));
    }
  }
}

} // namespace

/// Whatever other functions of the project do.
static std::string whyByItself(const UnitFacts &Unit, const PythonModule &Module,
                               const BoxedKernels &Boxed) {
  if (Module.Other.isValid())
    return "the module contains more than functions, or lines in inactive '#if' branches";
  std::set<std::string> Names;
  for (const BoundFunction &Bound : Module.Functions) {
    if (std::string Why = whyFunctionStays(Unit, Bound, Boxed); !Why.empty())
      return Why;
    if (!Names.insert(Bound.Name).second)
      return "'" + Bound.Name + "' has several overloads";
  }
  return "";
}

void opsig::resolveModules(BoxedKernels &Boxed) {
  for (auto [Unit, Module] : Boxed.Modules)
    if (needsPyTorch(*Unit, *Module) && whyByItself(*Unit, *Module, Boxed).empty())
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

static std::string whyModuleStays(const UnitFacts &Unit, const PythonModule &Module,
                                  const BoxedKernels &Boxed) {
  std::string Why = whyByItself(Unit, Module, Boxed);
  if (Why.empty() && !Boxed.Releaser.empty())
    return "'" + Boxed.Releaser + "' releases the GIL, which is not held during operator calls";
  return Why;
}

void opsig::planModules(const StableContext &Context, const BoxedKernels &Boxed) {
  for (const PythonModule &Module : Context.Unit.Modules) {
    if (!needsPyTorch(Context.Unit, Module)) {
      if (includesCasters(Context.Unit)) // which goes
        Context.Plan.Kept[Module.At.File].insert("pybind11/pybind11.h");
      continue;
    }
    std::string Why = whyModuleStays(Context.Unit, Module, Boxed);
    if (Why.empty()) {
      ModulePlanner(Context, Module, Boxed).plan();
      continue;
    }
    StableChange Change =
        staysAsIs({"PYBIND11_MODULE", Module.At}, finding::UnstableMacro,
                  "define the functions as operators in a STABLE_TORCH_LIBRARY block; opsig cannot "
                  "do this, because " +
                      Why);
    Change.AffectedRange = {Module.At.File, Module.At.Offset, Module.Body.end() - Module.At.Offset};
    Context.Plan.Changes.push_back(std::move(Change));
  }
  planReleases(Context, Boxed);
}
