//===- RegisteredLists.cpp - parameters that no argument stands for, and the reverse ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class ListComparer {
public:
  ListComparer(const EntryRef &E, const KernelSchema &Schema, const ExpectedList &Want,
               function_ref<bool(unsigned, const KernelParam &)> SameType, UnitFiles &Files)
      : E(E), K(E.Entry->Kernel), Schema(Schema), Want(Want), SameType(SameType), Files(Files),
        Decl(withoutKeySet(K.Decl)) {
    Decl.Editable &= K.Editable;
    All = differences(Decl);
  }

  bool run(Findings &Diags);

private:
  std::vector<Difference> differences(const KernelDecl &D) const;
  void report(const Difference &Diff, Findings &Diags);
  std::string message(const Difference &Diff) const;
  FixIt mend(const Difference &Diff);

  const EntryRef &E;
  const RegisteredKernel &K;
  const KernelSchema &Schema;
  const ExpectedList &Want;
  function_ref<bool(unsigned, const KernelParam &)> SameType;
  UnitFiles &Files;
  KernelDecl Decl;
  std::vector<Difference> All;
  std::vector<KernelDecl> OthersCounted;
  std::vector<Found> Others;
  std::vector<std::vector<Difference>> AllOfOthers;
};

std::vector<Difference> ListComparer::differences(const KernelDecl &D) const {
  auto Same = [&](unsigned W, unsigned G) { return SameType(W, D.Params[G]); };
  ParamLists Lists{{}, {}, Same};
  for (const Argument &Arg : Schema.Schema->Args.All)
    Lists.Want.push_back(Arg.Name);
  for (const KernelParam &P : D.Params)
    Lists.Got.push_back(P.Name);
  return compareParams(Lists);
}

std::string ListComparer::message(const Difference &Diff) const {
  std::string Has;
  if (Diff.Is == Difference::ParamMissing || Diff.Is == Difference::ParamType) {
    const auto &[Type, Name] = Want.Params[Diff.Want];
    Has = "has '" + Name + "' here" +
          (Type.isRead() ? ", which is '" + Type.written() + "' in C++" : "");
  }
  if (Diff.Is == Difference::ParamType)
    return formatv("parameter {0} of {1} is '{2}'; the schema {3}",
                   paramName(Decl.Params[Diff.Got], Diff.Got), kernelName(K),
                   Decl.Params[Diff.Got].TypeText, Has);
  return listMessage(Diff, Decl, kernelName(K), Has);
}

FixIt ListComparer::mend(const Difference &Diff) {
  if (All.size() > MostMended ||
      any_of(Want.Params, [](const ExpectedList::Param &P) { return !P.Type.isRead(); }))
    return {};
  auto DifferencesOf = [&](const Found &F) {
    auto IsOne = [&](const Found &Other) { return Other.Decl == F.Decl; };
    auto Other = find_if(Others, IsOne);
    return Other == Others.end() ? All : AllOfOthers[Other - Others.begin()];
  };
  return fixEverywhere({E.Unit, &Decl}, Others, Want, Diff, DifferencesOf, Files);
}

void ListComparer::report(const Difference &Diff, Findings &Diags) {
  bool Wants = Diff.Is != Difference::ParamExtra;
  TextRange Part = Wants ? Schema.Schema->Args[Diff.Want].NameAt : Schema.Schema->NameAt;
  Finding &Diag = Diags.add(finding::RegisteredKernelSchema,
                            kernelPlace(E, differenceSpan(Decl, Diff), Files), message(Diff));
  Diag.op(operatorOf(E));
  if (Diff.Is == Difference::ParamMissing && Want.Params[Diff.Want].Type.isRead())
    Diag.Hint = Want.Params[Diff.Want].defn();
  if (Diff.Is == Difference::ParamType)
    Diag.Hint = Want.Params[Diff.Want].Type.written();
  addRegistrationNotes(Diag, E, Schema, Part, Files);
  mend(Diff).addTo(Diag);
}

bool ListComparer::run(Findings &Diags) {
  if (all_of(All, [](const Difference &Diff) { return Diff.Is == Difference::ParamType; }))
    return false;
  Others = otherDeclsWithoutKeySet(E, OthersCounted);
  for (const Found &Other : Others)
    AllOfOthers.push_back(differences(*Other.Decl));
  for (const Difference &Diff : All)
    report(Diff, Diags);
  return true;
}

} // namespace

bool opsig::checkKernelList(const EntryRef &E, const KernelSchema &Schema, const ExpectedList &Want,
                            function_ref<bool(unsigned, const KernelParam &)> SameType,
                            UnitFiles &Files, Findings &Diags) {
  return ListComparer(E, Schema, Want, SameType, Files).run(Diags);
}
