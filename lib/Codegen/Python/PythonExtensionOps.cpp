//===- PythonExtensionOps.cpp - What a Python extension binds ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// list of names => functions => overloads by name, with the classes of their results
//
//===----------------------------------------------------------------------===//
#include "opsig/Codegen/PythonExtension.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <set>

using namespace llvm;

namespace opsig {

std::vector<LocatedText> readOpNames(SourceId List, const SourceFiles &Files) {
  constexpr StringLiteral Separators = ", \t\r\n";
  StringRef Text = Files.text(List);
  std::vector<LocatedText> Names;
  for (size_t At = 0; (At = Text.find_first_not_of(Separators, At)) != StringRef::npos;) {
    if (Text[At] == '#') {
      At = std::min(Text.find('\n', At), Text.size());
      continue;
    }
    size_t End = std::min(Text.find_first_of(", \t\r\n#", At), Text.size());
    Names.push_back({Text.slice(At, End), Files.placeAt(List, At, End - At), /*Verbatim=*/true});
    At = End;
  }
  return Names;
}

//===-- choosing ------------------------------------------------------------===//

namespace {

class OpChooser {
public:
  OpChooser(const Operators &Ops, Findings &Diags) : Ops(Ops), Diags(Diags) {
    for (const NativeFunction &F : Ops.Functions)
      ByBase[F.Schema.Name.Name.str()].push_back(&F);
  }

  void choose(const LocatedText &Name) {
    if (auto Overloads = ByBase.find(Name.Text); Overloads != ByBase.end())
      chooseAll(Overloads->second);
    else if (const NativeFunction *F = Ops.find(Name.Text))
      chooseOne(*F);
    else
      reportUnknown(Name);
  }

  std::vector<const NativeFunction *> inFunctionOrder() const {
    std::vector<const NativeFunction *> Functions;
    for (const NativeFunction &F : Ops.Functions)
      if (Chosen.contains(&F))
        Functions.push_back(&F);
    return Functions;
  }

private:
  void chooseAll(ArrayRef<const NativeFunction *> Overloads) {
    auto IsBound = [&](const NativeFunction *F) { return isBoundToPython(*F, *Ops.D); };
    bool AnyBound = any_of(Overloads, IsBound);
    for (const NativeFunction *F : Overloads)
      if (AnyBound ? IsBound(F) : !F->Generated)
        Chosen.insert(F);
  }

  void chooseOne(const NativeFunction &F) {
    Chosen.insert(&F);
    if (F.Schema.isOut() || whyNotPython(F, *Ops.D))
      return;
    std::string Text = callWithoutOut(F);
    for (const NativeFunction *Other : ByBase.lookup(F.Schema.Name.Name.str()))
      if (Other->Schema.isOut() && isBoundToPython(*Other, *Ops.D) &&
          !whyNotPython(*Other, *Ops.D) && callWithoutOut(*Other) == Text)
        Chosen.insert(Other);
  }

  /// What an overload and its out form have in common.
  std::string callWithoutOut(const NativeFunction &F) const {
    PythonSignature S = pythonSignature(F, PythonForm::Function, *Ops.D);
    S.Options.clear(); // C++ out forms take none, and get those of their partners.
    return S.strWithoutOut(*Ops.D);
  }

  void reportUnknown(const LocatedText &Name) {
    if (!Near) {
      std::vector<StringRef> Names = Ops.names();
      llvm::append_range(Names, ByBase.keys());
      llvm::sort(Names);
      Near.emplace(Names);
    }
    Diags.report(finding::PythonUnknownOp, Name.At, "unknown operator '{0}'{1}", Name.Text,
                 Near->didYouMean(Name.Text));
  }

  const Operators &Ops;
  Findings &Diags;
  StringMap<SmallVector<const NativeFunction *, 4>> ByBase;
  DenseSet<const NativeFunction *> Chosen;
  std::optional<OperatorNameIndex> Near;
};

} // namespace

std::vector<const NativeFunction *> choosePythonOps(ArrayRef<LocatedText> Names,
                                                    const Operators &Ops, Findings &Diags) {
  OpChooser Chooser(Ops, Diags);
  for (const LocatedText &Name : Names)
    Chooser.choose(Name);
  return Chooser.inFunctionOrder();
}

//===-- binding -------------------------------------------------------------===//

namespace {

std::vector<PythonResultClass> resultClasses(const PythonFunction &F) {
  std::vector<PythonResultClass> Classes;
  for (const PythonOverload &O : F.Overloads) {
    std::vector<StringRef> Fields = pythonResultFields(O.Function->Schema);
    auto IsSame = [&](const PythonResultClass &C) { return C.Fields == Fields; };
    if (Fields.empty() || any_of(Classes, IsSame))
      continue;
    std::string Number = Classes.empty() ? "" : std::to_string(Classes.size());
    Classes.push_back({F.Name->str() + "_result" + Number, std::move(Fields)});
  }
  return Classes;
}

/// The parser takes the C++ name of a way to reduce for 0, so that PyTorch's own bindings have
/// another default than the schema; callers from Python always say the number.
void nameReductionByNumber(PythonSignature &S) {
  for (std::vector<PythonArgument> *Part : {&S.Positional, &S.Keyword})
    for (PythonArgument &A : *Part)
      if (A.Default)
        A.Default = StringSwitch<std::string>(*A.Default)
                        .Case("at::Reduction::None", "0")
                        .Case("at::Reduction::Mean", "1")
                        .Case("at::Reduction::Sum", "2")
                        .Default(*A.Default);
}

} // namespace

const PythonResultClass *PythonExtensionFunction::resultOf(const NativeFunction &F) const {
  std::vector<StringRef> Fields = pythonResultFields(F.Schema);
  auto Found = find_if(Results, [&](const PythonResultClass &C) { return C.Fields == Fields; });
  return Found == Results.end() ? nullptr : &*Found;
}

PythonExtension bindPythonExtension(std::string Name, ArrayRef<const NativeFunction *> Functions,
                                    bool ThroughDispatcher, const Dialect &D, Findings &Diags) {
  std::map<std::string, PythonFunction> ByName;
  std::set<std::string> Incomplete;
  for (const NativeFunction *F : Functions) {
    if (std::optional<PythonBlocker> Why = whyNotPython(*F, D)) {
      Diags.add(Why->Id, F->SchemaText.At, std::move(Why->Message)).op(F->Schema.Name.str());
      Incomplete.insert(F->Schema.Name.Name.str());
      continue;
    }
    PythonFunction &Mine = ByName[F->Schema.Name.Name.str()];
    Mine.Name = &F->Schema.Name.Name;
    Mine.Overloads.push_back({pythonSignature(*F, PythonForm::Function, D), F});
    nameReductionByNumber(Mine.Overloads.back().Signature);
  }

  PythonExtension X{std::move(Name), {}, ThroughDispatcher};
  for (auto &[Text, F] : ByName) {
    if (Incomplete.contains(Text))
      continue; // An out form would miss what could not be bound.
    F.Groups = groupPythonOverloads(F.Overloads, D, Diags);
    std::vector<PythonResultClass> Results = resultClasses(F);
    X.Functions.push_back({std::move(F), std::move(Results)});
  }
  return X;
}

} // namespace opsig
