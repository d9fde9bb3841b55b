//===- Report.cpp - differences as findings ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

bool isType(const Difference &Diff) {
  return Diff.Is == Difference::ParamType || Diff.Is == Difference::ReturnType;
}

/// Those of \p All that are mended together with \p Wanted: a type by itself, everything that
/// changes the order or number of parameters at once.
std::vector<Difference> mendedWith(const Difference &Wanted, ArrayRef<Difference> All) {
  bool TypesOnly = all_of(All, isType);
  std::vector<Difference> Out;
  copy_if(All, std::back_inserter(Out), [&](const Difference &Diff) {
    if (Wanted.Is == Difference::ReturnType || Diff.Is == Difference::ReturnType)
      return Wanted.Is == Diff.Is;
    return !TypesOnly || Diff.Want == Wanted.Want;
  });
  return Out;
}

class MismatchReporter {
public:
  MismatchReporter(const Match &M, ArrayRef<KernelDecl> MoreDecls, const Dialect &D,
                   UnitFiles &Files)
      : Unit(*M.Kernel.Unit), K(*M.Kernel.Decl), M(M), D(D), Files(Files) {
    for (uint32_t Index : K.Redeclarations)
      Others.push_back({&Unit, &Unit.Kernels[Index]});
    for (const KernelDecl &Other : MoreDecls)
      Others.push_back({&Unit, &Other});
  }

  Diagnostic diagnostic(const Difference &Diff);

private:
  Place place(const Difference &Diff);
  std::string message(const Difference &Diff) const;
  std::string hint(const Difference &Diff) const;
  std::vector<Fix> fixes(const Difference &Diff);
  /// "add", "structured_add_out::impl".
  std::string name() const {
    size_t Class = StringRef(K.Scope).rfind("::");
    return M.Wanted->Structured ? StringRef(K.Scope).substr(Class + 2).str() + "::" + K.Name
                                : K.Name;
  }
  const Binding &wanted(const Difference &Diff) const {
    return M.Wanted->Signature.Params[Diff.Want];
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
  const Dialect &D;
  UnitFiles &Files;
};

Place MismatchReporter::place(const Difference &Diff) {
  switch (Diff.Is) {
  case Difference::ReturnType:
    return Files.place(Unit, K.Return.isValid() ? K.Return : K.NameAt);
  case Difference::ParamType: {
    const KernelParam &P = K.Params[Diff.Got];
    return Files.place(Unit, P.Type.isValid() ? P.Type : P.Whole);
  }
  case Difference::ParamMissing:
    if (Diff.Got < K.Params.size()) {
      Span At = K.Params[Diff.Got].Whole;
      return Files.place(Unit, {At.File, At.Offset, 0});
    }
    if (K.ParamList.isValid())
      return Files.place(Unit, {K.ParamList.File, K.ParamList.end(), 0});
    return Files.place(Unit, K.NameAt);
  case Difference::ParamExtra:
  case Difference::ParamMoved:
    return Files.place(Unit, K.Params[Diff.Got].Whole);
  }
  llvm_unreachable("closed kind");
}

std::string MismatchReporter::message(const Difference &Diff) const {
  const Signature &Want = M.Wanted->Signature;
  std::string Name = name();
  switch (Diff.Is) {
  case Difference::ReturnType:
    return formatv("'{0}' returns '{1}'; the schema needs '{2}'", Name, K.ReturnText,
                   Want.Returns.str(D));
  case Difference::ParamType:
    return formatv("parameter {0} of '{1}' is '{2}'; the schema needs '{3}'", nameOf(Diff.Got),
                   Name, K.Params[Diff.Got].TypeText, wanted(Diff).Type.Ty.str(D));
  case Difference::ParamMissing:
    return formatv("'{0}' lacks a parameter; the schema needs '{1}' here", Name,
                   wanted(Diff).defn(D));
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
    return M.Wanted->Signature.Returns.str(D);
  case Difference::ParamType:
    return wanted(Diff).Type.Ty.str(D);
  case Difference::ParamMissing:
    return wanted(Diff).defn(D);
  case Difference::ParamExtra:
  case Difference::ParamMoved:
    return "";
  }
  llvm_unreachable("closed kind");
}

std::vector<Fix> MismatchReporter::fixes(const Difference &Diff) {
  const Signature &Want = M.Wanted->Signature;
  std::vector<Fix> Out = fixesFor(M.Kernel, Want, mendedWith(Diff, M.Differences), D, Files);
  if (Out.empty() || M.Wanted->Structured)
    return Out;
  for (const Found &Other : Others) {
    std::vector<Difference> All = differences(Want, Other);
    if (mendedWith(Diff, All).empty())
      continue; // as wanted already
    std::vector<Fix> More = fixesFor(Other, Want, mendedWith(Diff, All), D, Files);
    // Half a fix would leave two functions.
    if (More.empty())
      return {};
    append_range(Out, More);
  }
  return Out;
}

Diagnostic MismatchReporter::diagnostic(const Difference &Diff) {
  Diagnostic Out{diag::KernelSignature,
                 diagLevel(diag::KernelSignature),
                 place(Diff),
                 message(Diff),
                 M.Wanted->Function->Schema.Name.str(),
                 hint(Diff),
                 {},
                 fixes(Diff)};
  addSchemaNotes(Out, *M.Wanted);
  return Out;
}

} // namespace

void opsig::addSchemaNotes(Diagnostic &Diag, const WantedKernel &Wanted) {
  const NativeFunction &F = *Wanted.Function;
  if (Wanted.At.isValid() && Wanted.At != Diag.At)
    Diag.note(Wanted.At,
              formatv("'{0}' gets its {1} kernel here", F.Schema.Name.str(), toString(Wanted.Key)));
  Diag.note(F.SchemaText.At, F.SchemaText.Text.str());
}

void opsig::reportMismatch(const Match &M, const Dialect &D, UnitFiles &Files, Diagnostics &Diags,
                           ArrayRef<KernelDecl> Others) {
  MismatchReporter Reporter(M, Others, D, Files);
  for (const Difference &Diff : M.Differences)
    Diags.append(Reporter.diagnostic(Diff));
  reportDefaults(M, D, Files, Diags);
}
