//===- SchemaEvidence.cpp - where a kernel may be right, and its schema wrong -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KernelVerdict* => the same, without edits of a parameter's type that something besides the schema
//   speaks for: another kernel of the operator, in C++ or Python, its default argument, what the
//   body does with it
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The body of a kernel, and the unit that it was read in.
struct KernelBody {
  const UnitFacts *Unit = nullptr;
  const FunctionFlow *Flow = nullptr;
};

class SchemaEvidence {
public:
  SchemaEvidence(ArrayRef<KernelVerdict> Verdicts, ArrayRef<UnitFacts> Units, UnitFiles &Files)
      : Verdicts(Verdicts), Units(Units), Files(Files) {}

  /// Why the type of parameter \p Index may be meant, as notes.
  std::vector<Note> against(const KernelVerdict &V, unsigned Index);

private:
  void addPython(const KernelVerdict &V, unsigned Index, std::vector<Note> &Out);
  void addPeers(const KernelVerdict &V, unsigned Index, std::vector<Note> &Out) const;
  void addDefault(const KernelVerdict &V, unsigned Index, std::vector<Note> &Out) const;
  void addBody(const KernelVerdict &V, unsigned Index, std::vector<Note> &Out) const;

  KernelBody bodyOf(const EntryRef &E) const;

  ArrayRef<KernelVerdict> Verdicts;
  ArrayRef<UnitFacts> Units;
  UnitFiles &Files;
};

unsigned firstParam(const RegisteredKernel &K) {
  const std::vector<KernelParam> &Params = K.Decl.Params;
  return !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
}

const KernelParam &paramOf(const KernelVerdict &V, unsigned Index) {
  return V.Entry->Entry->Kernel.Decl.Params[Index];
}

/// The schema's argument that parameter \p Index stands for; null if there is none.
const Argument *argumentOf(const KernelVerdict &V, unsigned Index) {
  unsigned First = firstParam(V.Entry->Entry->Kernel);
  const Arguments &Args = V.Schema.Schema->Args;
  return Index < First || Index - First >= Args.size() ? nullptr : &Args[Index - First];
}

std::optional<Type> wantedType(const KernelVerdict &V, unsigned Index) {
  const Argument *Arg = argumentOf(V, Index);
  return Arg ? std::optional(Arg->Ty.dispatched()) : std::nullopt;
}

bool isFloating(const CppType &T) { return T.referee().is("double") || T.referee().is("float"); }

/// Another kernel of the operator has the same type, and so the same quarrel with the schema.
void SchemaEvidence::addPeers(const KernelVerdict &V, unsigned Index,
                              std::vector<Note> &Out) const {
  const EntryRef &Own = *V.Entry;
  Place At = kernelPlace(Own, typeSpan(paramOf(V, Index)), Files);
  for (const KernelVerdict &Other : Verdicts) {
    const RegisteredKernel &K = Other.Entry->Entry->Kernel;
    unsigned There = Index - firstParam(Own.Entry->Kernel) + firstParam(K);
    if (Other.Entry->Op != Own.Op || Other.Schema.Def != V.Schema.Def || !K.hasSignature() ||
        K.Decl.Params.size() <= There || !haveSameNames(Own.Unit->Names, Other.Entry->Unit->Names))
      continue;
    const KernelParam &P = K.Decl.Params[There];
    Place PeerAt = kernelPlace(*Other.Entry, typeSpan(P), Files);
    if (PeerAt == At || !(P.Canonical.referee() == paramOf(V, Index).Canonical.referee()))
      continue;
    Out.push_back({PeerAt, "not fixed: " + kernelName(K) + " also takes '" + P.TypeText +
                               "', so the schema may be wrong"});
    return;
  }
}

/// `eps=1e-5` for a float. Whole numbers go with both types.
bool isNumberOf(const PythonParameter &P, const Type &Of) {
  double Value;
  return P.Default && Of.is("float") && !StringRef(*P.Default).getAsDouble(Value) &&
         Value != double(int64_t(Value));
}

/// "int" is "SymInt" where a schema is made of an annotation.
bool isAnnotated(const PythonType &As, const Type &Of) {
  return As.Word == Of.str() || (As.Word == "SymInt" && Of.is("int"));
}

/// The parameter of a Python function that gets the argument; null where that is not known.
const PythonParameter *parameterFor(const PythonFacts &Facts, const LibraryUse &Use,
                                    const Arguments &Args, const Argument &Arg) {
  if (Use.Function.Function < 0)
    return nullptr;
  const PythonCallable &F = Facts.Functions[Use.Function.Function];
  size_t Place = &Arg - &Args[0] + Use.Function.Skip + (Use.KeySet ? 1 : 0);
  for (const PythonParameter &P : F.Parameters) {
    bool HasPlace = P.Is == PythonParameter::Positional || P.Is == PythonParameter::Normal;
    if (Args.isKeywordOnly(Arg) ? P.Name == Arg.Name : HasPlace && Place == 0)
      return &P;
    Place -= HasPlace && Place != 0;
  }
  return nullptr;
}

/// A fake or another kernel in Python has an annotation, or a default, of the kernel's type.
void SchemaEvidence::addPython(const KernelVerdict &V, unsigned Index, std::vector<Note> &Out) {
  const EntryRef &Own = *V.Entry;
  const RegisteredKernel &K = Own.Entry->Kernel;
  const Argument *Arg = argumentOf(V, Index);
  InferredType Takes = TypeInference(Own.Unit->Names, K.Interface)
                           .param(K.Decl.Params[Index].Canonical, Index - firstParam(K));
  if (!Arg || Takes.Is != InferredType::Known)
    return;
  for (const KernelVerdict &Other : Verdicts) {
    const UnitFacts &Unit = *Other.Entry->Unit;
    if (!Unit.Python || Other.Entry->Op != Own.Op)
      continue;
    for (const LibraryUse &Use : Unit.Python->Uses) {
      const PythonParameter *P = Use.At.Offset == Other.Entry->Entry->At.Offset
                                     ? parameterFor(*Unit.Python, Use, V.Schema.Schema->Args, *Arg)
                                     : nullptr;
      if (!P || !(P->Type ? isAnnotated(*P->Type, Takes.Ty) : isNumberOf(*P, Takes.Ty)))
        continue;
      Out.push_back({Files.place(Unit, P->Type ? P->Type->At : P->DefaultAt),
                     "not fixed: '" + P->Name + "' is '" + Takes.Ty.str() +
                         "' in this Python function, as in the C++ kernel, so the schema may be "
                         "wrong"});
      return;
    }
  }
}

/// `double eps = 1e-5` for an int.
void SchemaEvidence::addDefault(const KernelVerdict &V, unsigned Index,
                                std::vector<Note> &Out) const {
  const KernelParam &P = paramOf(V, Index);
  std::optional<Type> Want = wantedType(V, Index);
  double Value;
  if (!Want || !(Want->is("int") || Want->is("SymInt")) || !isFloating(P.Canonical) ||
      StringRef(P.DefaultValue).getAsDouble(Value) || Value == double(int64_t(Value)))
    return;
  Out.push_back({kernelPlace(*V.Entry, P.Default, Files),
                 "not fixed: the default argument is not an integer, so the schema may be wrong"});
}

/// Where the kernel is declared, or else in whichever file defines it.
KernelBody SchemaEvidence::bodyOf(const EntryRef &E) const {
  const RegisteredKernel &K = E.Entry->Kernel;
  auto IsHere = [&](const FunctionFlow &F) {
    return F.NameAt.isValid() && F.NameAt.File == K.Decl.NameAt.File &&
           F.NameAt.Offset == K.Decl.NameAt.Offset;
  };
  if (auto Flow = find_if(E.Unit->Flows, IsHere); Flow != E.Unit->Flows.end())
    return {E.Unit, &*Flow};
  for (const UnitFacts &Unit : Units)
    for (const FunctionFlow &F : Unit.Flows)
      if (!K.Symbol.empty() && F.Symbol == K.Symbol)
        return {&Unit, &F};
  return {};
}

/// The body needs the number as it is declared.
void SchemaEvidence::addBody(const KernelVerdict &V, unsigned Index, std::vector<Note> &Out) const {
  std::optional<Type> Want = wantedType(V, Index);
  KernelBody Body = bodyOf(*V.Entry);
  if (!Body.Flow || !Want)
    return;
  bool IsFloating = isFloating(paramOf(V, Index).Canonical), WantsFloat = Want->is("float");
  auto Use = [&](FlowNumber::Kind Is) -> const FlowNumber * {
    auto It = find_if(Body.Flow->Numbers,
                      [&](const FlowNumber &N) { return N.Param == Index && N.Is == Is; });
    return It == Body.Flow->Numbers.end() ? nullptr : &*It;
  };
  const FlowNumber *Whole = Use(FlowNumber::Whole), *Floating = Use(FlowNumber::Floating);
  const FlowNumber *Speaks = IsFloating   ? (Whole ? nullptr : Floating)
                             : WantsFloat ? Whole
                                          : nullptr;
  if (!Speaks)
    return;
  Out.push_back({Files.place(*Body.Unit, Speaks->At),
                 IsFloating
                     ? "not fixed: the parameter is used as a floating-point number here, so "
                       "the schema may be wrong"
                     : "not fixed: the parameter is used as an integer here, so the schema "
                       "may be wrong"});
}

std::vector<Note> SchemaEvidence::against(const KernelVerdict &V, unsigned Index) {
  std::vector<Note> Out;
  addPeers(V, Index, Out);
  addPython(V, Index, Out);
  addDefault(V, Index, Out);
  addBody(V, Index, Out);
  return Out;
}

} // namespace

void opsig::resolveSchemaEvidence(MutableArrayRef<KernelVerdict> Verdicts,
                                  ArrayRef<UnitFacts> Units, UnitFiles &Files) {
  SchemaEvidence Evidence(Verdicts, Units, Files);
  for (KernelVerdict &V : Verdicts) {
    const RegisteredKernel &K = V.Entry->Entry->Kernel;
    // PyTorch's own schemas are right.
    if (!V.Schema.Def || !K.hasSignature())
      continue;
    for (unsigned I = 0; I < K.Decl.Params.size(); ++I)
      for (Finding &Diag : V.Hits) {
        bool IsOf = Diag.Id == finding::RegisteredKernelSchema && !Diag.Fixes.empty() &&
                    Diag.At == kernelPlace(*V.Entry, typeSpan(K.Decl.Params[I]), Files);
        std::vector<Note> Against = IsOf ? Evidence.against(V, I) : std::vector<Note>();
        if (Against.empty())
          continue;
        Diag.Fixes.clear();
        Diag.Hint.clear();
        append_range(Diag.Notes, Against);
      }
  }
}
