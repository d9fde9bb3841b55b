//===- RegisteredTypes.cpp - kernels that cannot be registered at all ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What cannot be boxed of a parameter's type in one declaration, or of the return type.
InferredType inferredIn(const Found &F, std::optional<unsigned> Param, FindingId Id,
                        KernelInterface Interface) {
  TypeInference Types(F.Unit->Names, Interface);
  if (Param)
    return Types.param(F.Decl->Params[*Param].Canonical, *Param);
  bool OfMethod = Id == finding::ClassMethodType;
  std::optional<std::vector<InferredType>> Returns =
      Types.returns(F.Decl->ReturnCanonical, OfMethod);
  for (const InferredType &T : Returns ? ArrayRef(*Returns) : ArrayRef<InferredType>())
    if (T.isBad())
      return T;
  return {};
}

/// Reports one type that cannot be boxed.
void reportType(FindingId Id, const EntryRef &E, const InferredType &T,
                std::optional<unsigned> Param, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  const KernelParam *P = Param ? &K.Decl.Params[*Param] : nullptr;
  std::string What = P ? "parameter " + paramName(*P, *Param) + " of " + kernelName(K) + " is '" +
                             P->TypeText + "'"
                       : kernelName(K) + " returns '" + K.Decl.ReturnText + "'";
  Span At = P ? typeSpan(*P) : returnSpan(K);
  Finding &Diag = Diags.report(Id, kernelPlace(E, At, Files), "{0}; {1}", What, T.Why);
  if (E.Schema)
    Diag.op(operatorOf(E));
  Diag.Hint = T.Instead.written();
  addRegistrationNotes(Diag, E, {}, {}, Files);
  auto PartOf = [&](const Found &F) -> TypePart {
    InferredType Own = inferredIn(F, Param, Id, K.Interface);
    return {Own.Bad, Own.Instead};
  };
  rewordEverywhere(editableDecls(E), Param, PartOf, Files).addTo(Diag);
}

constexpr StringLiteral BoxedMaker = "torch::CppFunction::makeFromBoxedFunction";

/// A maker that is not called: the parentheses are certain where it stands as it is.
void reportUncalled(const EntryRef &E, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  Finding &Diag = Diags.report(
      finding::RegisteredKernelForm, Files.place(*E.Unit, K.Use),
      "'{0}' is a function that creates a kernel, not a kernel; call the function: '{0}()'",
      K.Name);
  Diag.op(E.Schema ? operatorOf(E) : "");
  if (Files.text(*E.Unit, K.Use) != K.Name)
    return;
  Diag.Hint = K.Name + "()";
  Diag.Fixes = {{Files.file(*E.Unit, K.Use.File), K.Use.end(), 0, "()"}};
}

/// A boxed function without its maker, whose template takes the name of a function.
void reportBareBoxed(const EntryRef &E, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  StringRef Written = Files.text(*E.Unit, K.Use);
  std::string Wrapped = (BoxedMaker + "<&" + Written.trim().ltrim('&').ltrim() + ">()").str();
  bool IsName = !K.Name.empty() && all_of(Written, [](char C) {
    return isAlnum(C) || C == '_' || C == ':' || C == '&';
  });
  Finding &Diag = Diags.report(finding::RegisteredKernelForm, Files.place(*E.Unit, K.Use),
                               "{0} is a boxed kernel; wrap it in {1}", kernelName(K),
                               IsName ? "'" + Wrapped + "'"
                                      : "torch::CppFunction::makeFromBoxedFunction<&f>()");
  Diag.op(E.Schema ? operatorOf(E) : "");
  if (!IsName)
    return;
  Diag.Hint = Wrapped;
  Diag.Fixes = {{Files.file(*E.Unit, K.Use.File), K.Use.Offset, K.Use.Length, Wrapped}};
}

} // namespace

void opsig::checkKernelForm(const EntryRef &E, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  Place Use = Files.place(*E.Unit, K.Use);
  std::string Op = E.Schema ? operatorOf(E) : "";
  if (K.Is == RegisteredKernel::Overloaded)
    Diags
        .report(finding::RegisteredKernelForm, Use,
                "'{0}' is overloaded; select one overload with a static_cast", K.Name)
        .op(Op);
  if (K.Is == RegisteredKernel::Generic)
    Diags
        .report(finding::RegisteredKernelForm, Use,
                "the call operator is a template, but a kernel needs parameters of fixed types")
        .op(Op);
  if (K.Is == RegisteredKernel::Stateful)
    Diags
        .report(finding::RegisteredKernelForm, Use,
                "{0} has captures, which kernel() does not support; derive a class from "
                "c10::OperatorKernel and pass kernel<Class>(...)",
                kernelName(K))
        .op(Op);
  if (K.Is == RegisteredKernel::NoKernelClass)
    Diags
        .report(finding::RegisteredKernelForm, Use,
                "'{0}' is not derived from c10::OperatorKernel, which kernel<Class>() requires",
                K.Name)
        .op(Op);
  if (K.Is == RegisteredKernel::Uncalled)
    reportUncalled(E, Files, Diags);
  if (K.Is == RegisteredKernel::BareBoxed)
    reportBareBoxed(E, Files, Diags);
  if (E.Entry->Is == RegistrationEntry::Fallback && K.hasSignature())
    Diags.report(finding::RegisteredKernelForm, Use,
                 "{0} has the parameters of one operator, but a fallback handles all operators; "
                 "give the kernel the parameters '(const c10::OperatorHandle &, "
                 "torch::jit::Stack *)' and wrap it in "
                 "torch::CppFunction::makeFromBoxedFunction<&f>()",
                 kernelName(K));
  if (K.Noexcept && K.Is == RegisteredKernel::Function)
    Diags
        .report(finding::RegisteredKernelForm, Use,
                "{0} is noexcept, which the dispatcher does not support", kernelName(K))
        .op(Op);
}

void opsig::checkKernelTypes(const EntryRef &E, FindingId Id, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (!K.hasSignature())
    return;
  TypeInference Types(E.Unit->Names, K.Interface);
  for (unsigned I = 0; I < K.Decl.Params.size(); ++I) {
    const KernelParam &P = K.Decl.Params[I];
    if (I == 0 && TypeInference::isKeySet(P.Canonical))
      continue;
    if (InferredType T = Types.param(P.Canonical, I); T.isBad())
      reportType(Id, E, T, I, Files, Diags);
  }
  if (InferredType T = inferredIn({E.Unit, &K.Decl}, std::nullopt, Id, K.Interface); T.isBad())
    reportType(Id, E, T, std::nullopt, Files, Diags);
}
