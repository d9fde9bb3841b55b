//===- RegisteredKernels.cpp - how findings tell of registered kernels ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "Registrations/ScriptFolders.h"

#include "opsig/Frontend/PythonFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

std::string opsig::kernelName(const RegisteredKernel &K) {
  if (K.Is == RegisteredKernel::Lambda && K.Name.empty())
    return "the lambda";
  return K.Name.empty() ? "the kernel" : "'" + K.Name + "'";
}

Place opsig::kernelPlace(const EntryRef &E, Span Part, UnitFiles &Files) {
  Place At = Files.place(*E.Unit, Part);
  return At.isValid() ? At : Files.place(*E.Unit, E.Entry->Kernel.Use);
}

void opsig::addRegistrationNotes(Finding &Diag, const EntryRef &E, const KernelSchema &Schema,
                                 TextRange Part, UnitFiles &Files) {
  // A line that is shown already says nothing new.
  auto IsShown = [&](Place At) { return At.File == Diag.At.File && At.Line == Diag.At.Line; };
  Place Use = Files.place(*E.Unit, E.Entry->Kernel.Use);
  if (Use.isValid() && !IsShown(Use))
    Diag.note(Use, "registered here");
  if (Schema.Def) {
    Place At = Schema.Def->place(Part, Files);
    if (!IsShown(At))
      Diag.note(At, "schema declared here");
  } else if (Schema.Function) {
    Diag.note(Schema.Function->SchemaText.At, Schema.Function->SchemaText.Text.str());
  }
}

Span opsig::typeSpan(const KernelParam &P) { return P.Type.isValid() ? P.Type : P.Whole; }

Span opsig::returnSpan(const RegisteredKernel &K) {
  return K.Decl.Return.isValid() ? K.Decl.Return : K.Decl.NameAt;
}

/// Builds give each extension a name of its own by this macro. Without it, of blocks in several
/// files nobody knows whether they are of one extension.
static bool mayBeOfOthers(const BlockRef &L, const BlockRef &R) {
  return L.Block->Namespace == R.Block->Namespace &&
         StringRef(L.Block->Namespace).contains("TORCH_EXTENSION_NAME") &&
         L.Unit->MainFile != R.Unit->MainFile;
}

/// The path up to a folder whose Python files are run by themselves; "" for others.
static StringRef folderOfScripts(StringRef File) {
  static constexpr StringLiteral Names[] = {"test",      "tests",      "example",    "examples",
                                            "benchmark", "benchmarks", "doc",        "docs",
                                            "tutorial",  "tutorials",  "playground", "scripts"};
  for (size_t End = 0; (End = File.find('/', End + 1)) != StringRef::npos;)
    if (is_contained(Names, sys::path::filename(File.take_front(End)).lower()))
      return File.take_front(End);
  return "";
}

bool opsig::areOtherScripts(const UnitFacts &L, const UnitFacts &R) {
  if (&L == &R || !L.Python || !R.Python)
    return false;
  if (L.Python->IsScript && R.Python->IsScript)
    return true;
  StringRef One = folderOfScripts(L.MainFile), Other = folderOfScripts(R.MainFile);
  bool IsOfTests = sys::path::filename(One).starts_with_insensitive("test");
  return !One.empty() && !Other.empty() && (One != Other || !IsOfTests);
}

/// What a header holds may be part of both; what stands in a source is where that is compiled.
Exclusivity Programs::between(const BlockRef &L, const BlockRef &R) const {
  if (L.Block != R.Block && (mayBeOfOthers(L, R) || areOtherScripts(*L.Unit, *R.Unit)))
    return Exclusivity::Targets;
  // Conditions that are on in one build may exclude each other.
  if (L.Unit != R.Unit && (L.Unit->isOtherBranch() || R.Unit->isOtherBranch()))
    return Exclusivity::Targets;
  if (Of.empty() || L.Block == R.Block)
    return Exclusivity::No;
  auto File = [&](const BlockRef &B) {
    SourceId Id = Files.file(*B.Unit, B.Block->At.isValid() ? B.Block->At.File : 0);
    return Id == SourceId::None ? StringRef(B.Unit->MainFile) : Files.sources().name(Id);
  };
  return Of.between(File(L), File(R));
}

void opsig::findDefinitions(MutableArrayRef<EntryRef> Entries, ArrayRef<UnitFacts> Units) {
  std::map<std::string, std::vector<Found>> ByName;
  for (const UnitFacts &Unit : Units) {
    for (const KernelDecl &Definition : Unit.Definitions)
      ByName[Definition.qualifiedName()].push_back({&Unit, &Definition});
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Definition && !K.Internal)
        ByName[K.qualifiedName()].push_back({&Unit, &K});
  }
  for (EntryRef &E : Entries) {
    const RegisteredKernel &K = E.Entry->Kernel;
    if (K.Is != RegisteredKernel::Function || K.Decl.Internal)
      continue;
    auto Defined = ByName.find(K.Decl.qualifiedName());
    if (Defined == ByName.end())
      continue;
    for (const Found &F : Defined->second)
      if (F.Unit != E.Unit && haveSameParams(*F.Decl, K.Decl))
        E.Elsewhere.push_back(F);
  }
}

std::vector<Found> opsig::otherDecls(const EntryRef &E) {
  std::vector<Found> Out;
  for (const KernelDecl &Other : E.Entry->Kernel.Others)
    Out.push_back({E.Unit, &Other});
  append_range(Out, E.Elsewhere);
  return Out;
}

KernelDecl opsig::withoutKeySet(KernelDecl Decl) {
  std::vector<KernelParam> &Params = Decl.Params;
  if (Params.empty() || !TypeInference::isKeySet(Params.front().Canonical))
    return Decl;
  if (Params.size() == 1)
    Decl.Editable = false; // a comma would have to be written
  else if (Span &List = Decl.ParamList; List.isValid() && Params[1].Whole.File == List.File)
    List = {List.File, Params[1].Whole.Offset, List.end() - Params[1].Whole.Offset};
  Params.erase(Params.begin());
  return Decl;
}

std::vector<Found> opsig::otherDeclsWithoutKeySet(const EntryRef &E,
                                                  std::vector<KernelDecl> &Counted) {
  std::vector<Found> Out = otherDecls(E);
  Counted.reserve(Out.size()); // pointers into it stay
  for (Found &Other : Out)
    Other.Decl = &Counted.emplace_back(withoutKeySet(*Other.Decl));
  return Out;
}

std::vector<Found> opsig::editableDecls(const EntryRef &E) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (!K.Editable)
    return {};
  std::vector<Found> Out = otherDecls(E);
  Out.insert(Out.begin(), {E.Unit, &K.Decl});
  return Out;
}
