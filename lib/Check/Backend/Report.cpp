//===- Report.cpp - differences as findings ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Backend/BackendInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class MismatchReporter {
public:
  MismatchReporter(const ComparedKernel &C, const Dialect &D, UnitFiles &Files)
      : C(C), K(*C.Kernel.Decl), Want(ExpectedList::of(C.Want, D)), Files(Files) {}

  Finding diagnostic(const Difference &Diff);

private:
  std::string message(const Difference &Diff) const;
  std::string hint(const Difference &Diff) const;
  Place place(const Difference &Diff) const;
  FixIt mend(const Difference &Diff);

  const ComparedKernel &C;
  const KernelDecl &K;
  ExpectedList Want;
  UnitFiles &Files;
};

std::string MismatchReporter::message(const Difference &Diff) const {
  if (Diff.Is == Difference::ReturnType)
    return formatv("{0} returns '{1}'; the schema needs '{2}'", C.Name, K.ReturnText,
                   Want.Returns.written());
  if (Diff.Is == Difference::ParamType)
    return formatv("parameter {0} of {1} is '{2}'; the schema needs '{3}'",
                   paramName(K.Params[Diff.Got], Diff.Got), C.Name, K.Params[Diff.Got].TypeText,
                   Want.Params[Diff.Want].Type.written());
  return listMessage(Diff, K, C.Name, "needs '" + hint(Diff) + "' here");
}

std::string MismatchReporter::hint(const Difference &Diff) const {
  switch (Diff.Is) {
  case Difference::ReturnType:
    return Want.Returns.written();
  case Difference::ParamType:
    return Want.Params[Diff.Want].Type.written();
  case Difference::ParamMissing:
    return Want.Params[Diff.Want].defn();
  case Difference::ParamExtra:
  case Difference::ParamMoved:
    return "";
  }
  llvm_unreachable("closed kind");
}

Place MismatchReporter::place(const Difference &Diff) const {
  Place At = Files.place(*C.Kernel.Unit, differenceSpan(K, Diff));
  return At.isValid() ? At : C.Otherwise;
}

FixIt MismatchReporter::mend(const Difference &Diff) {
  if (C.Differences.size() > MostMended)
    return {};
  auto DifferencesOf = [&](const Found &F) {
    return F.Decl == &K ? C.Differences : differences(C.Want, F);
  };
  return fixEverywhere(C.Kernel, C.Others, Want, Diff, DifferencesOf, Files);
}

Finding MismatchReporter::diagnostic(const Difference &Diff) {
  Finding Out{finding::KernelSignature,
              findingLevel(finding::KernelSignature),
              place(Diff),
              message(Diff),
              C.Function.shownName(),
              hint(Diff),
              {},
              {}};
  C.AddNotes(Out);
  mend(Diff).addTo(Out);
  return Out;
}

/// "'add'", "'structured_add_out::impl'".
std::string nameOf(const Match &M) {
  const KernelDecl &K = *M.Kernel.Decl;
  std::string Class;
  if (M.Expected->Structured)
    Class = StringRef(K.Scope).drop_front(StringRef(K.Scope).rfind("::") + 2).str() + "::";
  return "'" + Class + K.Name + "'";
}

/// Those that the unit has. The class of a structured kernel is generated.
std::vector<Found> redeclarations(const Match &M) {
  std::vector<Found> Out;
  if (!M.Expected->Structured)
    for (uint32_t Index : M.Kernel.Decl->Redeclarations)
      Out.push_back({M.Kernel.Unit, &M.Kernel.Unit->Kernels[Index]});
  return Out;
}

} // namespace

void opsig::addSchemaNotes(Finding &Diag, const ExpectedKernel &Expected) {
  const NativeFunction &F = *Expected.Function;
  if (Expected.At.isValid() && Expected.At != Diag.At)
    Diag.note(Expected.At,
              formatv("{1} kernel for '{0}' listed here", F.shownName(), toString(Expected.Key)));
  Diag.note(F.SchemaText.At, F.SchemaText.Text.str());
}

void opsig::reportDifferences(const ComparedKernel &K, const Dialect &D, UnitFiles &Files,
                              Findings &Diags) {
  MismatchReporter Reporter(K, D, Files);
  for (const Difference &Diff : K.Differences)
    Diags.append(Reporter.diagnostic(Diff));
}

void opsig::reportMismatch(const Match &M, const Dialect &D, UnitFiles &Files, Findings &Diags) {
  auto AddNotes = [&](Finding &Diag) { addSchemaNotes(Diag, *M.Expected); };
  ComparedKernel K{
      M.Kernel,      nameOf(M), {}, redeclarations(M), *M.Expected->Function, M.Expected->Signature,
      M.Differences, AddNotes};
  reportDifferences(K, D, Files, Diags);
  reportDefaults(K, D, Files, Diags);
}
