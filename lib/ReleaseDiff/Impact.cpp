//===- Impact.cpp - Whose code a change breaks ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseDiffInternal.h"
#include "opsig/Signature/Python.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

std::string Impact::str() const {
  std::vector<std::string> Parts;
  if (Kernels)
    Parts.push_back("kernels");
  if (Backends)
    Parts.push_back("backends without a kernel");
  if (Cpp)
    Parts.push_back("C++ callers");
  if (Python)
    Parts.push_back("Python callers");
  return llvm::join(Parts, ", ");
}

bool callsStillFit(const Signature &Old, const Signature &New) {
  if (Old.Name != New.Name || !(Old.Returns == New.Returns) ||
      Old.Params.size() > New.Params.size())
    return false;
  for (auto [Index, To] : llvm::enumerate(New.Params)) {
    if (Index >= Old.Params.size()) {
      if (!To.Default)
        return false;
      continue;
    }
    const Binding &From = Old.Params[Index];
    bool Fits =
        From.Type.Ty == To.Type.Ty || (From.Arg && To.Arg && From.Arg->Ty.optional() == To.Arg->Ty);
    if (!Fits || (From.Default && !To.Default))
      return false;
  }
  return true;
}

namespace {

bool cppCallsStillFit(const CppSignatures &Old, const CppSignatures &New) {
  auto All = New.all();
  return llvm::all_of(Old.all(), [&](const Signature *From) {
    return llvm::any_of(All, [&](const Signature *To) { return callsStillFit(*From, *To); });
  });
}

/// Python gives an int where a SymInt is taken, and anything where it may be None besides.
bool takes(const Type &New, const Type &Old) {
  auto Plain = [](const Type &T) {
    std::string Text = T.str();
    for (llvm::StringRef Sym : {"SymInt", "SymBool"})
      if (size_t At = Text.find(Sym); At != std::string::npos)
        Text.replace(At, Sym.size(), Sym == "SymInt" ? "int" : "bool");
    return Text;
  };
  std::string From = Plain(Old), To = Plain(New);
  return To == From || To == From + "?";
}

bool isServedBy(const PythonArgument &Old, const PythonArgument &New) {
  return Old.Name == New.Name && takes(New.Ty, Old.Ty) && (!Old.Default || New.Default);
}

bool pythonCallsStillFit(const PythonSignature &Old, const PythonSignature &New) {
  if (Old.Name != New.Name || Old.Positional.size() > New.Positional.size() ||
      (Old.Out && !New.Out))
    return false;
  for (auto [From, To] : llvm::zip(Old.Positional, New.Positional))
    if (!isServedBy(From, To))
      return false;
  auto Serves = [](llvm::ArrayRef<PythonArgument> Of, const PythonArgument &Old) {
    return llvm::any_of(Of, [&](const PythonArgument &A) { return isServedBy(Old, A); });
  };
  for (const PythonArgument &Arg : Old.Keyword)
    if (!Serves(New.Keyword, Arg) && !Serves(New.Positional, Arg) && !Serves(New.Options, Arg))
      return false;
  auto IsKnown = [&](const PythonArgument &A) {
    return llvm::any_of(
        llvm::concat<const PythonArgument>(Old.Positional, Old.Keyword, Old.Options),
        [&](const PythonArgument &O) { return O.Name == A.Name; });
  };
  return llvm::all_of(llvm::concat<const PythonArgument>(New.Positional, New.Keyword),
                      [&](const PythonArgument &A) { return A.Default || IsKnown(A); });
}

bool isBound(const NativeFunction &F, const Dialect &D) {
  return isBoundToPython(F, D) && !whyNotPython(F, D);
}

class ImpactFinder {
public:
  ImpactFinder(const OperatorChange &C, const ReleaseSide &Old, const ReleaseSide &New)
      : C(C), Old(Old), New(New), OldLowering(Old.lowering(*C.Old)),
        NewLowering(New.lowering(*C.New)) {}

  Impact find() const {
    Impact Found;
    Found.Kernels = breaksKernels();
    Found.Cpp = breaksCpp();
    Found.Python = breaksPython();
    Found.Backends = has(ChangeKind::DefaultKernelGone);
    return Found;
  }

private:
  bool has(ChangeKind Kind) const {
    return llvm::any_of(C.Changes, [&](const Change &Each) { return Each.Is == Kind; });
  }
  bool has(llvm::StringRef Convention) const {
    return llvm::any_of(C.Signatures,
                        [&](const SignatureChange &S) { return S.Convention == Convention; });
  }

  /// A kernel without SymInt stays right where the schema only has SymInt for int.
  bool breaksKernels() const {
    if (C.Renamed || has(ChangeKind::AliasMark) || has("structured_impl"))
      return true;
    auto Differs = [&](bool SymInt) {
      return !sameTypes(dispatcherSignature(C.Old->Schema, OldLowering, SymInt),
                        dispatcherSignature(C.New->Schema, NewLowering, SymInt));
    };
    if (C.Signatures.empty())
      return false;
    return Differs(false) || (C.Old->hasSymInt(Old.dialect()) && Differs(true));
  }

  bool breaksCpp() const {
    auto Lost = [&](bool Was, bool Is, bool Method) {
      if (!Was)
        return false;
      CppForm Form;
      Form.Method = Method;
      return !Is || !cppCallsStillFit(cppSignatures(*C.Old, Form, OldLowering),
                                      cppSignatures(*C.New, Form, NewLowering));
    };
    if (C.Signatures.empty() && !has(ChangeKind::Field))
      return false;
    return Lost(C.Old->IsFunctionVariant, C.New->IsFunctionVariant, false) ||
           Lost(C.Old->IsMethodVariant, C.New->IsMethodVariant, true);
  }

  bool breaksPython() const {
    const Dialect &D = New.dialect();
    if (C.Changes.empty() && !C.Renamed)
      return false;
    if (!isBound(*C.Old, Old.dialect()))
      return false;
    if (!isBound(*C.New, D) || C.Old->PythonModule != C.New->PythonModule ||
        C.Old->Schema.Returns.size() != C.New->Schema.Returns.size() ||
        pythonResultFields(C.Old->Schema) != pythonResultFields(C.New->Schema))
      return true;
    auto Lost = [&](bool Was, bool Is, PythonForm Form) {
      return Was && (!Is || !pythonCallsStillFit(pythonSignature(*C.Old, Form, D),
                                                 pythonSignature(*C.New, Form, D)));
    };
    return Lost(C.Old->IsFunctionVariant, C.New->IsFunctionVariant, PythonForm::Function) ||
           Lost(C.Old->IsMethodVariant, C.New->IsMethodVariant, PythonForm::Method);
  }

  const OperatorChange &C;
  const ReleaseSide &Old, &New;
  Lowering OldLowering, NewLowering;
};

} // namespace

Impact impactOf(const OperatorChange &Change, const ReleaseSide &Old, const ReleaseSide &New) {
  return ImpactFinder(Change, Old, New).find();
}

} // namespace opsig
