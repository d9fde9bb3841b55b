//===- PythonBindings.cpp - Which functions Python gets, and where ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions => bound ones => by module and name, with the deprecated signatures they serve
//
//===----------------------------------------------------------------------===//
#include "PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace opsig {

namespace {

bool matchesChars(StringRef Pattern, StringRef Text) {
  return Pattern.size() == Text.size() && all_of(zip(Pattern, Text), [](auto Both) {
           auto [P, T] = Both;
           return P == T || P == '?';
         });
}

/// A pattern of Dialect: Python.Unbound.
bool matches(StringRef Pattern, StringRef Text) {
  if (Pattern.ends_with("*")) {
    Pattern = Pattern.drop_back();
    return Text.size() >= Pattern.size() && matchesChars(Pattern, Text.take_front(Pattern.size()));
  }
  if (Pattern.starts_with("*")) {
    Pattern = Pattern.drop_front();
    return Text.size() >= Pattern.size() && matchesChars(Pattern, Text.take_back(Pattern.size()));
  }
  return matchesChars(Pattern, Text);
}

//===-- modules -------------------------------------------------------------===//

/// What `python_module:` says; functions of other modules are bound by hand.
std::optional<PythonNamespace> moduleNamed(StringRef Name) {
  static constexpr std::pair<StringLiteral, PythonNamespace> Modules[] = {
      {"nn", PythonNamespace::Nn},         {"fft", PythonNamespace::Fft},
      {"linalg", PythonNamespace::Linalg}, {"nested", PythonNamespace::Nested},
      {"sparse", PythonNamespace::Sparse}, {"special", PythonNamespace::Special}};
  for (const auto &[Known, Module] : Modules)
    if (Known == Name)
      return Module;
  return std::nullopt;
}

SmallVector<PythonNamespace, 2> modulesOf(const NativeFunction &F) {
  SmallVector<PythonNamespace, 2> Modules;
  if (!F.PythonModule.empty()) {
    if (std::optional<PythonNamespace> M = moduleNamed(F.PythonModule))
      Modules.push_back(*M);
    return Modules;
  }
  if (F.IsMethodVariant)
    Modules.push_back(PythonNamespace::Tensor);
  if (F.IsFunctionVariant)
    Modules.push_back(PythonNamespace::Torch);
  return Modules;
}

PythonForm formIn(PythonNamespace M) {
  return M == PythonNamespace::Tensor ? PythonForm::Method : PythonForm::Function;
}

/// The functions of every module, by name.
class ModuleTable {
public:
  void add(PythonNamespace M, const NativeFunction &F, PythonSignature S) {
    auto &Functions = Modules[unsigned(M)];
    auto [At, IsNew] = Index[unsigned(M)].try_emplace(F.Schema.Name.Name.str(), Functions.size());
    if (IsNew)
      Functions.push_back({&F.Schema.Name.Name, {}, {}});
    Functions[At->second].Overloads.push_back({std::move(S), &F});
  }

  std::array<std::vector<PythonFunction>, NumPythonModules> Modules;

private:
  std::array<StringMap<size_t>, NumPythonModules> Index;
};

//===-- deprecated signatures -----------------------------------------------===//

/// Whether the call of \p Old, argument for argument, is one of \p F.
bool serves(const NativeFunction &F, const DeprecatedFunction &Old) {
  const FunctionSchema &S = F.Schema;
  std::vector<const Argument *> Order;
  auto Add = [&](const Argument &A) { Order.push_back(&A); };
  if (Old.CallsOut) {
    for_each(S.Args.out(), Add);
    for_each(S.Args.nonOut(), Add);
  } else {
    for_each(S.Args.all(), Add);
  }
  for (size_t I = 0; I != Order.size(); ++I) {
    if (I >= Old.Call.size()) {
      if (!Order[I]->Default)
        return false;
      continue;
    }
    const Argument *Given = Old.Call[I].Arg;
    if (Given ? Given->Ty != Order[I]->Ty || Given->Annotation != Order[I]->Annotation
              : !Order[I]->Ty.is(BaseTy::Scalar) || Order[I]->Annotation)
      return false;
  }
  return Old.Schema.Returns == S.Returns;
}

class Binder {
public:
  Binder(const Operators &Ops, Findings &Diags) : D(*Ops.D), Diags(Diags) {
    for (const NativeFunction &F : Ops.Functions)
      if (isBoundToPython(F, D))
        bind(F);
  }

  void bind(const DeprecatedFunction &Old) {
    bool Found = false;
    for (const NativeFunction *F : ByName.lookup(Old.Operator))
      if (serves(*F, Old)) {
        Found = true;
        bind(Old, *F);
      }
    if (!Found)
      reportUnmatched(Old);
  }

  PythonBindings take() && {
    // Methods come last: what is wrong with them is mostly said of the functions.
    for (unsigned M = NumPythonModules; M-- != 0;)
      group(Table.Modules[M]);
    Result.Modules = std::move(Table.Modules);
    return std::move(Result);
  }

private:
  void bind(const NativeFunction &F) {
    Result.Functions.push_back(&F);
    ByName[F.Schema.Name.Name.str()].push_back(&F);
    PythonSignature AsFunction = pythonSignature(F, PythonForm::Function, D);
    if (std::optional<PythonBlocker> Why = whyNotPython(F, AsFunction, D)) {
      Diags.add(Why->Id, F.SchemaText.At, std::move(Why->Message)).op(F.Schema.Name.str());
      return;
    }
    Usable.insert(&F);
    for (PythonNamespace M : modulesOf(F))
      if (formIn(M) == PythonForm::Method)
        Table.add(M, F, pythonSignature(F, PythonForm::Method, D));
      else
        Table.add(M, F, std::move(AsFunction)); // it is in one module at most
  }

  void bind(const DeprecatedFunction &Old, const NativeFunction &F) {
    if (!Usable.contains(&F))
      return;
    PythonSignature S = pythonSignature(Old, F, PythonForm::Function, D);
    if (std::optional<PythonBlocker> Why = whyNotServed(S, F)) {
      Diags.add(Why->Id, Old.At, std::move(Why->Message)).op(F.Schema.Name.str());
      return;
    }
    for (PythonNamespace M : modulesOf(F))
      Table.add(M, F, formIn(M) == S.Form ? S : pythonSignature(Old, F, formIn(M), D));
  }

  void reportUnmatched(const DeprecatedFunction &Old) {
    const auto &Overloads = ByName.lookup(Old.Operator);
    std::vector<StringRef> Names(ByName.keys().begin(), ByName.keys().end());
    sort(Names);
    Finding &Found = Diags.report(
        finding::DeprecatedUnmatched, Old.CallAt, "no Python binding of '{0}' accepts this call{1}",
        Old.Operator, Overloads.empty() ? didYouMean(Old.Operator, Names) : std::string());
    Found.note(Old.At, "the types and alias annotations of the arguments come from this schema");
    for (const NativeFunction *F : Overloads)
      Found.note(F->SchemaText.At, "this overload does not accept the call: " + F->Schema.str());
  }

  void group(std::vector<PythonFunction> &Functions) {
    for (PythonFunction &F : Functions) {
      Findings Mine;
      F.Groups = groupPythonOverloads(F.Overloads, D, Mine);
      for (Finding Found : Mine.all())
        if (Said.insert((findingName(Found.Id) + " " + Found.Op).str()).second) {
          if (Found.Id == finding::PythonOutWithoutFunctional)
            recordOtherModules(Found, F);
          Diags.append(std::move(Found));
        }
    }
  }

  /// The partner of an out form may be there, but in another module.
  void recordOtherModules(Finding &Found, const PythonFunction &Here) const {
    for (const NativeFunction *F : ByName.lookup(Here.Name->str())) {
      auto IsHere = [&](const PythonOverload &O) { return O.Function == F; };
      if (!F->Schema.isOut() && none_of(Here.Overloads, IsHere))
        Found.note(F->SchemaText.At,
                   "'" + F->Schema.Name.str() + "' is bound elsewhere, " +
                       (F->PythonModule.empty() ? "without a module"
                                                : "in module '" + F->PythonModule + "'"));
    }
  }

  const Dialect &D;
  Findings &Diags;
  PythonBindings Result;
  ModuleTable Table;
  StringMap<SmallVector<const NativeFunction *, 4>> ByName;
  DenseSet<const NativeFunction *> Usable;
  StringSet<> Said;
};

} // namespace

bool isBoundToPython(const NativeFunction &F, const Dialect &D) {
  if (F.hasTag("generated") && !(D.Python.BindsGeneratedViewCopies && F.hasTag("view_copy")))
    return false;
  std::string Name = cppName(F.Schema);
  if (any_of(D.Python.Unbound, [&](StringRef Pattern) { return matches(Pattern, Name); }))
    return false;
  StringRef Base = F.rootName();
  bool MayBeListed =
      any_of(D.Python.UnboundSchemas, [&](StringRef Schema) { return Schema.starts_with(Base); });
  return !MayBeListed || !is_contained(D.Python.UnboundSchemas, StringRef(F.Schema.str()));
}

PythonBindings bindToPython(const Operators &Ops, const DeprecatedFunctions &Deprecated,
                            Findings &Diags) {
  Binder B(Ops, Diags);
  for (const auto &Old : Deprecated.All)
    B.bind(*Old);
  return std::move(B).take();
}

} // namespace opsig
