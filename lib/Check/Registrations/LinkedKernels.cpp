//===- LinkedKernels.cpp - are registered kernels defined? --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RegisteredKernel::Symbol x UnitFacts::Symbols of all files
//   => defined, but with another return type | as another overload | as a template that nothing
//      instantiates | nowhere
//
// What Clang mangles tells that something is wrong; types, as they are written, only tell what.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class LinkChecker {
public:
  LinkChecker(ArrayRef<EntryRef> Entries, ArrayRef<UnitFacts> Units, const ProjectLayout &Layout,
              UnitFiles &Files, Findings &Diags);

  void check(const EntryRef &E);

  /// Kernels that are defined where a condition is off, which is no finding.
  std::vector<std::string> Notes;

private:
  using Templates = std::vector<std::pair<const UnitFacts *, const TemplateDefinition *>>;

  bool isAllKnown();
  bool isDefinedElsewise(const EntryRef &E);
  void checkReturn(const EntryRef &E);
  void checkMissing(const EntryRef &E);
  void checkNear(const EntryRef &E);
  std::vector<Found> definitionsOf(const EntryRef &E) const;
  bool isTemplateLeft(const EntryRef &E, const Templates &Of);
  void reportNear(const EntryRef &E, const Found &Near);
  Finding &finish(Finding &Diag, const EntryRef &E);
  Place use(const EntryRef &E) { return Files.place(*E.Unit, E.Entry->Kernel.Use); }

  ArrayRef<UnitFacts> Units;
  const ProjectLayout &Layout;
  UnitFiles &Files;
  Findings &Diags;
  bool AllWhole;
  std::optional<bool> AllKnown;
  std::set<StringRef> Symbols;
  std::map<std::string, std::vector<Found>> Definitions;
  std::map<std::string, Templates> TemplatesOf;
  std::map<std::string, std::vector<const UnitFacts *>> Registering;
  std::set<StringRef> Seen;
};

LinkChecker::LinkChecker(ArrayRef<EntryRef> Entries, ArrayRef<UnitFacts> Units,
                         const ProjectLayout &Layout, UnitFiles &Files, Findings &Diags)
    : Units(Units), Layout(Layout), Files(Files), Diags(Diags),
      AllWhole(all_of(Units, [](const UnitFacts &Unit) { return Unit.complete(); })) {
  for (const EntryRef &E : Entries)
    if (!E.Entry->Kernel.Symbol.empty() && !E.Entry->Kernel.Decl.Definition)
      Registering[E.Entry->Kernel.Decl.qualifiedName()].push_back(E.Unit);
  for (const UnitFacts &Unit : Units) {
    Symbols.insert(Unit.Symbols.begin(), Unit.Symbols.end());
    for (const TemplateDefinition &T : Unit.Templates)
      TemplatesOf[T.Name].push_back({&Unit, &T});
    for (const KernelDecl &Definition : Unit.Definitions)
      Definitions[Definition.qualifiedName()].push_back({&Unit, &Definition});
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Definition && !K.Internal)
        Definitions[K.qualifiedName()].push_back({&Unit, &K});
  }
}

bool LinkChecker::isAllKnown() {
  if (!AllKnown)
    AllKnown = AllWhole && Layout.HasAllSources && Layout.HasAllSources();
  return *AllKnown;
}

Finding &LinkChecker::finish(Finding &Diag, const EntryRef &E) {
  Diag.op(operatorOf(E));
  const KernelDecl &Decl = E.Entry->Kernel.Decl;
  Place At = Files.place(*E.Unit, Decl.NameAt);
  if (At.isValid() && (At.File != Diag.At.File || At.Line != Diag.At.Line))
    Diag.note(At, "declared here");
  return Diag;
}

/// Clang takes a type that it does not know for int.
static bool isSure(const UnitFacts &Unit, const CppType &Type) {
  return Unit.complete() || (Type.isRead() && !Type.is("int"));
}

/// The linker takes the one for the other: a symbol says nothing of what a function returns.
void LinkChecker::checkReturn(const EntryRef &E) {
  const KernelDecl &Decl = E.Entry->Kernel.Decl;
  auto Known = Definitions.find(Decl.qualifiedName());
  if (Known == Definitions.end() || !isSure(*E.Unit, Decl.ReturnCanonical))
    return;
  std::vector<Found> Same;
  for (const Found &F : Known->second)
    if (haveSameParams(*F.Decl, Decl) && isSure(*F.Unit, F.Decl->ReturnCanonical) &&
        (F.Decl->ReturnCanonical.is("void") != Decl.ReturnCanonical.is("void") ||
         haveSameNames(F.Unit->Names, E.Unit->Names)))
      Same.push_back(F);
  // Where several files define it, which one is linked is not known.
  if (Same.size() != 1)
    return;
  const CppType &There = Same.front().Decl->ReturnCanonical;
  if (!There.isRead() || !Decl.ReturnCanonical.isRead() || There == Decl.ReturnCanonical)
    return;
  Finding &Diag =
      Diags.report(finding::UndefinedKernel, use(E),
                   "'{0}' is declared to return '{1}' here, but its definition returns '{2}'; the "
                   "linker does not report this, and calls have undefined behavior",
                   E.Entry->Kernel.Name, Decl.ReturnText, Same.front().Decl->ReturnText);
  finish(Diag, E).note(Files.place(*Same.front().Unit, Same.front().Decl->NameAt), "defined here");
}

/// In words, where the trees of both can be held against each other; "" otherwise.
std::string differenceOf(const EntryRef &E, const Found &There) {
  const std::vector<KernelParam> &Own = E.Entry->Kernel.Decl.Params, &Other = There.Decl->Params;
  auto Count = [](size_t N) { return formatv("{0} parameter{1}", N, N == 1 ? "" : "s").str(); };
  if (Own.size() != Other.size())
    return "the declaration has " + Count(Own.size()) + ", the definition " + Count(Other.size());
  if (!haveSameNames(There.Unit->Names, E.Unit->Names))
    return "";
  for (size_t I = 0; I < Own.size(); ++I)
    if (Own[I].Canonical.isRead() && Other[I].Canonical.isRead() &&
        Own[I].Canonical != Other[I].Canonical)
      return formatv("parameter {0} is '{1}' in the declaration and '{2}' in the definition",
                     paramName(Own[I].Name.empty() ? Other[I] : Own[I], I), Own[I].TypeText,
                     Other[I].TypeText);
  return "";
}

void LinkChecker::reportNear(const EntryRef &E, const Found &Near) {
  std::string What = differenceOf(E, Near);
  Finding &Diag = Diags.report(finding::UndefinedKernel, use(E),
                               "the definition of '{0}' does not match its declaration{1}{2}; the "
                               "library cannot be loaded",
                               E.Entry->Kernel.Name, What.empty() ? "" : ": ", What);
  finish(Diag, E).note(Files.place(*Near.Unit, Near.Decl->NameAt), "defined here");
}

/// A template is defined whose instance nobody makes. True if that is all there is to say.
bool LinkChecker::isTemplateLeft(const EntryRef &E, const Templates &Of) {
  if (any_of(Of, [](const auto &T) { return T.second->Used; }))
    return true; // perhaps with these arguments
  const auto &[Unit, Template] = Of.front();
  Finding &Diag =
      Diags.report(finding::UndefinedKernel, use(E),
                   "nothing instantiates the template '{0}' with these arguments, so the library "
                   "cannot be loaded; add an explicit instantiation after its definition",
                   E.Entry->Kernel.Name);
  finish(Diag, E).note(Files.place(*Unit, Template->NameAt), "template defined here");
  return true;
}

std::vector<Found> LinkChecker::definitionsOf(const EntryRef &E) const {
  auto Known = Definitions.find(E.Entry->Kernel.Decl.qualifiedName());
  std::vector<Found> Out;
  if (Known != Definitions.end())
    Out = Known->second;
  erase_if(Out, [&](const Found &F) {
    return Layout.Programs.between(E.Unit->MainFile, F.Unit->MainFile) == Exclusivity::Never;
  });
  return Out;
}

/// Another function than the registered one, whatever headers are missing: the number of its
/// parameters differs, or, where both were read whole, a type.
static bool isSurelyAnother(const EntryRef &E, const Found &There) {
  const KernelDecl &Decl = E.Entry->Kernel.Decl;
  if (There.Decl->Params.size() != Decl.Params.size())
    return true;
  return E.Unit->complete() && There.Unit->complete() && !differenceOf(E, There).empty();
}

/// Not all was read, but what has the kernel's name was, and is another function.
void LinkChecker::checkNear(const EntryRef &E) {
  const KernelDecl &Decl = E.Entry->Kernel.Decl;
  std::vector<Found> Near = definitionsOf(E);
  if (any_of(Near, [&](const Found &F) { return !isSurelyAnother(E, F); }))
    return checkReturn(E);
  if (Near.empty() || !Layout.MayBeDefinedBeside || TemplatesOf.count(E.Entry->Kernel.Name))
    return;
  std::vector<std::string> Known;
  // What registers it by a declaration, too, does not define it.
  for (const UnitFacts &Unit : Units)
    if (Unit.complete() || is_contained(Registering[Decl.qualifiedName()], &Unit) ||
        any_of(Near, [&](const Found &F) { return F.Unit == &Unit; }))
      Known.push_back(Unit.MainFile);
  if (Layout.MayBeDefinedBeside(Decl.Name, Known))
    return;
  // Where one has as many parameters, that is what was meant.
  auto Nearest =
      find_if(Near, [&](const Found &F) { return F.Decl->Params.size() == Decl.Params.size(); });
  reportNear(E, Nearest == Near.end() ? Near.front() : *Nearest);
}

bool LinkChecker::isDefinedElsewise(const EntryRef &E) {
  std::string Where = skippedDefinition(E.Entry->Kernel.Decl.qualifiedName(), Units, Files);
  if (!Where.empty())
    Notes.push_back("'" + E.Entry->Kernel.Name + "' is defined only in an inactive '#if' branch (" +
                    Where + ")");
  return !Where.empty();
}

void LinkChecker::checkMissing(const EntryRef &E) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (isDefinedElsewise(E))
    return;
  StringRef Word = K.Decl.Name;
  if (!isAllKnown() || (Layout.IsMentionedElsewhere && Layout.IsMentionedElsewhere(Word)))
    return checkNear(E);
  if (auto T = TemplatesOf.find(K.Name); T != TemplatesOf.end() && isTemplateLeft(E, T->second))
    return;
  std::vector<Found> Near = definitionsOf(E);
  if (Near.empty()) {
    Finding &Diag = Diags.report(
        finding::UndefinedKernel, use(E),
        "no definition of '{0}' was found in the project, so the library cannot be loaded", K.Name);
    finish(Diag, E);
    return;
  }
  auto Nearest =
      find_if(Near, [&](const Found &F) { return F.Decl->Params.size() == K.Decl.Params.size(); });
  reportNear(E, Nearest == Near.end() ? Near.front() : *Nearest);
}

void LinkChecker::check(const EntryRef &E) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (K.Symbol.empty() || !Seen.insert(K.Symbol).second)
    return;
  if (Symbols.count(K.Symbol))
    checkReturn(E);
  else
    checkMissing(E);
}

} // namespace

std::vector<std::string> opsig::checkLinkedKernels(ArrayRef<EntryRef> Entries,
                                                   ArrayRef<UnitFacts> Units,
                                                   const ProjectLayout &Layout, UnitFiles &Files,
                                                   Findings &Diags) {
  LinkChecker Checker(Entries, Units, Layout, Files, Diags);
  for (const EntryRef &E : Entries)
    Checker.check(E);
  return std::move(Checker.Notes);
}
