//===- SignatureChanges.cpp - What an operator's signatures become ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseDiffInternal.h"
#include "opsig/Signature/Python.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

ReleaseSide::ReleaseSide(const Operators &Ops) : Ops(Ops), Lower(Ops) {
  for (const FunctionOrGroup &Item : Ops.Grouped)
    if (const auto *Group = std::get_if<NativeFunctionsGroup>(&Item))
      if (Group->structured())
        Structured[Group->Out] = Group;
}

bool sameTypes(const Signature &Old, const Signature &New) {
  return Old.Returns == New.Returns && Old.Params.size() == New.Params.size() &&
         llvm::all_of(llvm::zip(Old.Params, New.Params), [](const auto &Pair) {
           return std::get<0>(Pair).Type.Ty == std::get<1>(Pair).Type.Ty;
         });
}

bool sameDefault(const Binding &Old, const Binding &New) {
  if (Old.Default.has_value() != New.Default.has_value())
    return false;
  return Old.Arg && New.Arg ? Old.Arg->Default == New.Arg->Default : Old.Default == New.Default;
}

bool sameLowering(const Lowering &Old, const Lowering &New) {
  return Old.ConstRefForMutableTensors == New.ConstRefForMutableTensors &&
         Old.IListRefForTensorLists == New.IListRefForTensorLists;
}

namespace {

bool sameDeclaration(const Signature &Old, const Signature &New) {
  return Old.Name == New.Name && sameTypes(Old, New) &&
         llvm::all_of(llvm::zip(Old.Params, New.Params), [](const auto &Pair) {
           return sameDefault(std::get<0>(Pair), std::get<1>(Pair));
         });
}

class SignatureComparer {
public:
  SignatureComparer(const OperatorPair &Pair, const ReleaseSide &Old, const ReleaseSide &New)
      : Pair(Pair), Old(Old), New(New), OldLowering(Old.lowering(*Pair.Old)),
        NewLowering(New.lowering(*Pair.New)) {}

  std::vector<SignatureChange> run() {
    bool IsOther = Pair.Renamed || !(Pair.Old->Schema == Pair.New->Schema) ||
                   !sameLowering(OldLowering, NewLowering);
    if (IsOther) {
      compareCpp();
      compare("dispatcher", dispatcherSignature(Pair.Old->Schema, OldLowering),
              dispatcherSignature(Pair.New->Schema, NewLowering));
    }
    compareKernels(IsOther);
    if (IsOther) {
      compareStructured();
      comparePython(PythonForm::Function, "python");
      comparePython(PythonForm::Method, "python_method");
    }
    return std::move(Out);
  }

private:
  void compare(llvm::StringRef Convention, const Signature &From, const Signature &To) {
    if (!sameDeclaration(From, To))
      Out.push_back({Convention, From.decl(Old.dialect()), To.decl(New.dialect())});
  }

  void compareForm(llvm::StringRef Name, const std::optional<Signature> &From,
                   const std::optional<Signature> &To) {
    if (From && To)
      compare(Name, *From, *To);
    else if (From)
      Out.push_back({Name, From->decl(Old.dialect()), ""});
    else if (To)
      Out.push_back({Name, "", To->decl(New.dialect())});
  }

  void compareCpp() {
    bool AreMethods = !Pair.Old->IsFunctionVariant && !Pair.New->IsFunctionVariant;
    CppForm Form;
    Form.Method = AreMethods;
    CppSignatures From = cppSignatures(*Pair.Old, Form, OldLowering);
    CppSignatures To = cppSignatures(*Pair.New, Form, NewLowering);
    compare(AreMethods ? "cpp_method" : "cpp", From.Plain, To.Plain);
    if (AreMethods)
      return;
    compareForm("cpp_faithful", From.Faithful, To.Faithful);
    compareForm("cpp_symint", From.SymInt, To.SymInt);
    compareForm("cpp_symint_faithful", From.SymIntFaithful, To.SymIntFaithful);
  }

  /// Of each key that both releases have an unstructured kernel for; equal lines once.
  void compareKernels(bool IsOther) {
    for (const KernelEntry &From : Pair.Old->Dispatch) {
      const KernelEntry *To = Pair.New->kernel(From.Key);
      if (!To || From.Structured || To->Structured)
        continue;
      if (!IsOther && From.supportsSymInt() == To->supportsSymInt())
        continue;
      Signature Was = nativeSignature(Pair.Old->Schema, OldLowering, From.supportsSymInt());
      Signature Is = nativeSignature(Pair.New->Schema, NewLowering, To->supportsSymInt());
      if (sameTypes(Was, Is))
        continue;
      SignatureChange Change{"native", Was.decl(Old.dialect(), From.Kernel),
                             Is.decl(New.dialect(), To->Kernel)};
      if (llvm::none_of(Out, [&](const SignatureChange &Known) {
            return Known.Convention == Change.Convention && Known.From == Change.From &&
                   Known.To == Change.To;
          }))
        Out.push_back(std::move(Change));
    }
  }

  void compareStructured() {
    const NativeFunctionsGroup *From = Old.structuredGroup(*Pair.Old);
    const NativeFunctionsGroup *To = New.structuredGroup(*Pair.New);
    if (!From || !To)
      return;
    compare("structured_meta", structuredMeta(*From, Old.dialect()),
            structuredMeta(*To, New.dialect()));
    compare("structured_impl", structuredImpl(*From, Old.dialect()),
            structuredImpl(*To, New.dialect()));
  }

  static bool isBound(const NativeFunction &F, PythonForm Form, const Dialect &D) {
    return (Form == PythonForm::Method ? F.IsMethodVariant : F.IsFunctionVariant) &&
           isBoundToPython(F, D) && !whyNotPython(F, D);
  }

  void comparePython(PythonForm Form, llvm::StringRef Convention) {
    const Dialect &D = New.dialect();
    if (!isBound(*Pair.Old, Form, Old.dialect()) || !isBound(*Pair.New, Form, D))
      return;
    // What a method has besides is told of the function.
    if (Form == PythonForm::Method && Pair.Old->IsFunctionVariant && Pair.New->IsFunctionVariant)
      return;
    PythonSignature To = pythonSignature(*Pair.New, Form, D);
    // In one spelling, so that only what the schemas say counts.
    if (pythonSignature(*Pair.Old, Form, D).str(D) == To.str(D))
      return;
    PythonSignature From = pythonSignature(*Pair.Old, Form, Old.dialect());
    Out.push_back({Convention, From.str(Old.dialect()), To.str(D)});
  }

  const OperatorPair &Pair;
  const ReleaseSide &Old, &New;
  Lowering OldLowering, NewLowering;
  std::vector<SignatureChange> Out;
};

} // namespace

std::vector<SignatureChange> signatureChanges(const OperatorPair &Pair, const ReleaseSide &Old,
                                              const ReleaseSide &New) {
  return SignatureComparer(Pair, Old, New).run();
}

} // namespace opsig
