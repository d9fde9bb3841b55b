//===- Report.cpp - differences as findings ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Listed/ListedInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class MismatchReporter {
public:
  MismatchReporter(const Match &M, ArrayRef<Found> MoreDecls, const Dialect &D, UnitFiles &Files)
      : Unit(*M.Kernel.Unit), K(*M.Kernel.Decl), M(M),
        Want(SignatureText::of(M.Wanted->Signature, D)), Files(Files) {
    for (uint32_t Index : K.Redeclarations)
      Others.push_back({&Unit, &Unit.Kernels[Index]});
    append_range(Others, MoreDecls);
  }

  Diagnostic diagnostic(const Difference &Diff);

private:
  std::string message(const Difference &Diff) const;
  std::string hint(const Difference &Diff) const;
  Mending mend(const Difference &Diff);
  /// "add", "structured_add_out::impl".
  std::string name() const {
    size_t Class = StringRef(K.Scope).rfind("::");
    return M.Wanted->Structured ? StringRef(K.Scope).substr(Class + 2).str() + "::" + K.Name
                                : K.Name;
  }
  const SignatureText::Param &wanted(const Difference &Diff) const {
    return Want.Params[Diff.Want];
  }
  std::string nameOf(unsigned Got) const {
    const std::string &Name = K.Params[Got].Name;
    return Name.empty() ? std::to_string(Got + 1) : "'" + Name + "'";
  }

  const TranslationUnit &Unit;
  const KernelDecl &K;
  const Match &M;
  /// The same function again.
  std::vector<Found> Others;
  SignatureText Want;
  UnitFiles &Files;
};

std::string MismatchReporter::message(const Difference &Diff) const {
  std::string Name = name();
  switch (Diff.Is) {
  case Difference::ReturnType:
    return formatv("'{0}' returns '{1}'; the schema needs '{2}'", Name, K.ReturnText, Want.Returns);
  case Difference::ParamType:
    return formatv("parameter {0} of '{1}' is '{2}'; the schema needs '{3}'", nameOf(Diff.Got),
                   Name, K.Params[Diff.Got].TypeText, wanted(Diff).Type);
  case Difference::ParamMissing:
    return formatv("'{0}' lacks a parameter; the schema needs '{1}' here", Name,
                   wanted(Diff).defn());
  case Difference::ParamExtra:
    return formatv("parameter {0} of '{1}' is one too many; the schema has no such argument",
                   nameOf(Diff.Got), Name);
  case Difference::ParamMoved:
    return formatv("parameter {0} of '{1}' stands in place {2}; the schema has it in place {3}",
                   nameOf(Diff.Got), Name, Diff.Got + 1, Diff.Want + 1);
  }
  llvm_unreachable("closed kind");
}

std::string MismatchReporter::hint(const Difference &Diff) const {
  switch (Diff.Is) {
  case Difference::ReturnType:
    return Want.Returns;
  case Difference::ParamType:
    return wanted(Diff).Type;
  case Difference::ParamMissing:
    return wanted(Diff).defn();
  case Difference::ParamExtra:
  case Difference::ParamMoved:
    return "";
  }
  llvm_unreachable("closed kind");
}

Mending MismatchReporter::mend(const Difference &Diff) {
  auto DifferencesOf = [&](const Found &F) {
    return F.Decl == &K ? M.Differences : differences(M.Wanted->Signature, F);
  };
  ArrayRef<Found> Also = Others;
  if (M.Wanted->Structured) // the class is generated
    Also = {};
  return mendEverywhere(M.Kernel, Also, Want, Diff, DifferencesOf, Files);
}

Diagnostic MismatchReporter::diagnostic(const Difference &Diff) {
  Diagnostic Out{diag::KernelSignature,
                 diagLevel(diag::KernelSignature),
                 Files.place(Unit, differenceSpan(K, Diff)),
                 message(Diff),
                 M.Wanted->Function->Schema.Name.str(),
                 hint(Diff),
                 {},
                 {}};
  addSchemaNotes(Out, *M.Wanted);
  mend(Diff).addTo(Out);
  return Out;
}

} // namespace

Span opsig::differenceSpan(const KernelDecl &K, const Difference &Diff) {
  switch (Diff.Is) {
  case Difference::ReturnType:
    return K.Return.isValid() ? K.Return : K.NameAt;
  case Difference::ParamType: {
    const KernelParam &P = K.Params[Diff.Got];
    return P.Type.isValid() ? P.Type : P.Whole;
  }
  case Difference::ParamMissing:
    if (Diff.Got < K.Params.size()) {
      Span At = K.Params[Diff.Got].Whole;
      return {At.File, At.Offset, 0};
    }
    if (K.ParamList.isValid())
      return {K.ParamList.File, K.ParamList.end(), 0};
    return K.NameAt;
  case Difference::ParamExtra:
  case Difference::ParamMoved:
    return K.Params[Diff.Got].Whole;
  }
  llvm_unreachable("closed kind");
}

void opsig::addSchemaNotes(Diagnostic &Diag, const WantedKernel &Wanted) {
  const NativeFunction &F = *Wanted.Function;
  if (Wanted.At.isValid() && Wanted.At != Diag.At)
    Diag.note(Wanted.At,
              formatv("'{0}' gets its {1} kernel here", F.Schema.Name.str(), toString(Wanted.Key)));
  Diag.note(F.SchemaText.At, F.SchemaText.Text.str());
}

void opsig::reportMismatch(const Match &M, const Dialect &D, UnitFiles &Files, Diagnostics &Diags,
                           ArrayRef<Found> Others) {
  MismatchReporter Reporter(M, Others, D, Files);
  for (const Difference &Diff : M.Differences)
    Diags.append(Reporter.diagnostic(Diff));
  reportDefaults(M, D, Files, Diags);
}
