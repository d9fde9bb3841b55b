//===- RegisteredSchemas.cpp - registered kernels against their schemas ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The schema's type as kernels see it: a kernel without SymInt gets plain ints.
Type realType(const Type &Ty, bool SymKernel) {
  Type Out = Ty.dispatched(), Plain = Out.withoutSymInt(), Int = BaseTy::Int;
  bool HasPlainForm = is_contained({Int, Int.optional(), Int.list(), Int.list().optional()}, Plain);
  return SymKernel || !HasPlainForm ? Out : Plain;
}

/// \p Param is a reference to symbolic ints, and nothing else makes the kernel one of them. \p Arg
/// is of the schema, if there is one.
Finding &reportSymIntReference(const EntryRef &E, const KernelSchema &Schema, const Argument *Arg,
                               unsigned Param, UnitFiles &Files, Findings &Diags) {
  const KernelParam &P = E.Entry->Kernel.Decl.Params[Param];
  Finding &Diag =
      Diags.report(finding::RegisteredSymIntReference, kernelPlace(E, typeSpan(P), Files),
                   "parameter {0} of {1} is '{2}'; pass symbolic integers by value",
                   paramName(P, Param), kernelName(E.Entry->Kernel), P.TypeText);
  Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, Schema, Arg ? Arg->TypeAt : TextRange(), Files);
  return Diag;
}

class SchemaComparer {
public:
  SchemaComparer(const EntryRef &E, const KernelSchema &Schema, const Dialect &D, UnitFiles &Files,
                 Findings &Diags)
      : E(E), K(E.Entry->Kernel), Schema(Schema), D(D), Files(Files), Diags(Diags),
        Types(E.Unit->Names, K.Interface) {}

  bool run();

private:
  /// The C++ type that a parameter for the argument usually has; unread if none is known.
  CppType usual(const Argument &Arg) const;
  /// The schema's type of a return as kernels see it.
  Type realReturn(const Type &Ty) const;
  /// A known type of C++ may be the one that is wanted all the same. A custom class is never one.
  bool isOpen(const Type &Want) const {
    bool IsClass = Want.is(BaseTy::CustomClass) && K.Interface != KernelInterface::Stable;
    return !IsClass && isOpenType(Want);
  }
  bool compareLists();
  void compareParams();
  /// A symbolic argument whose parameter is one of symbolic ints, but for its being a reference.
  bool isTakenByReference(const KernelParam &P, unsigned Arg) const;
  void compareReturns();
  FixIt returnWritten();
  void compareNames();
  void softFindings();
  Finding &report(FindingId Id, Span At, TextRange Part, std::string Message);

  const EntryRef &E;
  const RegisteredKernel &K;
  const KernelSchema &Schema;
  const Dialect &D;
  UnitFiles &Files;
  Findings &Diags;
  TypeInference Types;
  bool SymKernel = false;
  /// Index of the first parameter that an argument stands for.
  unsigned First = 0;
  bool Fits = true;
};

Finding &SchemaComparer::report(FindingId Id, Span At, TextRange Part, std::string Message) {
  Finding &Diag = Diags.add(Id, kernelPlace(E, At, Files), std::move(Message));
  Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, Schema, Part, Files);
  return Diag;
}

CppType SchemaComparer::usual(const Argument &Arg) const {
  return K.Interface == KernelInterface::Stable
             ? canonicalStableCppType(realType(Arg.Ty, SymKernel))
             : canonicalCppType(realType(Arg.Ty, SymKernel), Arg.Ty.listSize(), /*IsReturn=*/false,
                                D);
}

Type SchemaComparer::realReturn(const Type &Ty) const {
  bool IsFixed = !D.Spelling.ReturnsFollowSymInt && K.Interface != KernelInterface::Stable;
  return realType(Ty, SymKernel || IsFixed);
}

/// False where each parameter stands for the argument at its place.
bool SchemaComparer::compareLists() {
  ExpectedList Want;
  std::vector<Type> Real;
  for (const Argument &Arg : Schema.Schema->Args.All) {
    Real.push_back(realType(Arg.Ty, SymKernel));
    Want.Params.push_back({usual(Arg), Arg.Name});
  }
  auto SameType = [&](unsigned Arg, const KernelParam &P) {
    InferredType T = Types.param(P.Canonical, 1); // not a leading key set
    // What is refused is reported by itself; it may be meant for any argument of its name.
    return T.Is == InferredType::Unknown || isOpenType(Real[Arg]) || isTakenByReference(P, Arg) ||
           (T.Is == InferredType::Known ? Types.fits(T.Ty, Real[Arg])
                                        : P.Name == Want.Params[Arg].Name);
  };
  return checkKernelList(E, Schema, Want, SameType, Files, Diags);
}

bool SchemaComparer::isTakenByReference(const KernelParam &P, unsigned Arg) const {
  Type Want = Schema.Schema->Args[Arg].Ty.dispatched();
  return !SymKernel && Types.isSymByReference(P.Canonical) && realType(Want, false) != Want &&
         Types.fits(Types.param(P.Canonical, 1).Ty, Want);
}

void SchemaComparer::compareParams() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All;
  for (unsigned I = 0; I < Args.size(); ++I) {
    const KernelParam &P = K.Decl.Params[First + I];
    InferredType T = Types.param(P.Canonical, First + I);
    if (T.Is != InferredType::Known) {
      Fits &= T.Is == InferredType::Unknown;
      continue;
    }
    Type Want = realType(Args[I].Ty, SymKernel);
    if (isOpen(Want) || Types.fits(T.Ty, Want))
      continue;
    Fits = false;
    if (isTakenByReference(P, I)) {
      Finding &Diag = reportSymIntReference(E, Schema, &Args[I], First + I, Files, Diags);
      CppType Value = canonicalCppType(Args[I].Ty, Args[I].Ty.listSize(), /*IsReturn=*/false, D);
      Diag.Hint = Value.written();
      if (Value.isRead())
        retypeEverywhere(editableDecls(E), First + I, Value, Files).addTo(Diag);
      continue;
    }
    CppType Usual = usual(Args[I]);
    std::string Needs = Usual.isRead() ? ", which is '" + Usual.written() + "' in C++" : "";
    Finding &Diag =
        report(finding::RegisteredKernelSchema, typeSpan(P), Args[I].TypeAt,
               formatv("parameter {0} of {1} is '{2}'; the schema's '{3}' is {4}'{5}'{6}",
                       paramName(P, First + I), kernelName(K), P.TypeText, Args[I].Name,
                       Want.is(BaseTy::Variable) ? "the type variable " : "", Want.str(), Needs));
    if (Usual.isRead()) {
      Diag.Hint = Usual.written();
      retypeEverywhere(editableDecls(E), First + I, Usual, Files).addTo(Diag);
    }
  }
}

void SchemaComparer::compareReturns() {
  std::optional<std::vector<InferredType>> Got = Types.returns(K.Decl.ReturnCanonical);
  if (!Got || Schema.Schema->VarReturns)
    return;
  const std::vector<Argument> &Want = Schema.Schema->Returns;
  TextRange All = Schema.Schema->NameAt;
  if (!Want.empty())
    All = {Want.front().TypeAt.Offset,
           Want.back().TypeAt.Offset + Want.back().TypeAt.Length - Want.front().TypeAt.Offset};
  auto Text = [&] {
    std::string Types =
        join(map_range(Want, [&](const Argument &R) { return realReturn(R.Ty).str(); }), ", ");
    return Want.size() == 1 ? Types : "(" + Types + ")";
  };
  bool Differs = Got->size() != Want.size();
  for (size_t I = 0; I < Want.size() && !Differs; ++I) {
    const InferredType &T = (*Got)[I];
    Type Real = realReturn(Want[I].Ty);
    Differs = T.Is == InferredType::Known && !isOpen(Real) && !Types.fits(T.Ty, Real);
  }
  if (!Differs)
    return;
  // A type that is refused has been reported.
  if (any_of(*Got, [](const InferredType &T) { return T.isBad(); })) {
    Fits = false;
    return;
  }
  Fits = false;
  // As Python writes a function that returns nothing.
  bool SaysNone =
      K.Decl.ReturnCanonical.is("void") && Want.size() == 1 && Want[0].Ty.is(BaseTy::None);
  Finding &Diag = report(finding::RegisteredKernelSchema, returnSpan(K), All,
                         formatv("{0} returns '{1}'; the schema returns '{2}'{3}", kernelName(K),
                                 K.Decl.ReturnText, Text(),
                                 SaysNone ? "; write '-> ()' for no return value" : ""));
  if (K.Decl.ReturnCanonical.is("void"))
    returnWritten().addTo(Diag);
}

/// Where the one return of the schema is an argument that is written, a kernel that returns nothing
/// can return that.
FixIt SchemaComparer::returnWritten() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All, &Returns = Schema.Schema->Returns;
  if (Returns.size() != 1 || !Returns[0].isWrite() || !Returns[0].Ty.is("Tensor") || !K.Editable)
    return {};
  auto Arg = find_if(Args, [&](const Argument &A) {
    return A.isWrite() && A.Annotation->Before == Returns[0].Annotation->Before;
  });
  size_t Param = First + (Arg - Args.begin());
  if (Arg == Args.end() || K.Decl.Params.size() != First + Args.size())
    return {};
  ExpectedList Want;
  for (const KernelParam &P : K.Decl.Params)
    Want.Params.push_back({{}, P.Name});
  Want.Returned = {unsigned(Param)};
  bool IsStable = K.Interface == KernelInterface::Stable;
  Want.Returns = CppType::named(IsStable ? "torch::stable::Tensor" : "at::Tensor");
  if (isWritableTensor(K.Decl.Params[Param].Canonical))
    Want.Returns = CppType::of(CppType::LeftRef, Want.Returns);
  auto ReturnsNothing = [](const Found &F) -> std::vector<Difference> {
    if (F.Decl->ReturnCanonical.is("void"))
      return {{Difference::ReturnType}};
    return {};
  };
  return fixEverywhere({E.Unit, &K.Decl}, otherDecls(E), Want, {Difference::ReturnType},
                       ReturnsNothing, Files);
}

/// Arguments are bound by position: names that stand in another order are likely a mistake.
void SchemaComparer::compareNames() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All;
  for (unsigned I = 0; I < Args.size(); ++I) {
    const KernelParam &P = K.Decl.Params[First + I];
    if (P.Name.empty() || P.Name == Args[I].Name)
      continue;
    for (unsigned J = I + 1; J < Args.size(); ++J) {
      const KernelParam &Other = K.Decl.Params[First + J];
      if (P.Name != Args[J].Name || Other.Name != Args[I].Name ||
          Args[I].Ty.dispatched() != Args[J].Ty.dispatched())
        continue;
      report(finding::RegisteredKernelNames, P.NameAt, Args[I].NameAt,
             formatv(
                 "parameters {0} and '{1}' of {2} are in the opposite order in the schema; "
                 "arguments are passed by position, so {0} receives '{3}' and '{1}' receives '{4}'",
                 paramName(P, First + I), Other.Name, kernelName(K), Args[I].Name, Args[J].Name));
    }
  }
}

void SchemaComparer::softFindings() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All;
  for (unsigned I = 0; I < Args.size(); ++I) {
    const KernelParam &P = K.Decl.Params[First + I];
    const CppType &T = P.Canonical;
    // Of an operator that looks pure that is the smaller worry.
    if (isWritableTensor(T) && !Args[I].isWrite() && !looksPure(*Schema.Schema))
      report(
          finding::RegisteredKernelReference, typeSpan(P), Args[I].TypeAt,
          formatv(
              "parameter {0} of {1} is '{2}', but the schema does not mark '{3}' as written; use a "
              "const reference, or mark '{3}' as '(a!)'",
              paramName(P, First + I), kernelName(K), P.TypeText, Args[I].Name));
    const CppType &Array = T.referee();
    uint32_t Size = Args[I].Ty.listSize();
    if (Size && Array.isTemplate("std::array", 2) && Array.Args[1].Name != std::to_string(Size))
      report(finding::RegisteredListSize, typeSpan(P), Args[I].TypeAt,
             formatv("parameter {0} of {1} has {2} elements; the schema's '{3}' has {4}",
                     paramName(P, First + I), kernelName(K), Array.Args[1].Name, Args[I].Name,
                     Size));
  }
  const CppType &Return = K.Decl.ReturnCanonical;
  if (Return.Is == CppType::LeftRef && Return.referee().is("at::Tensor") &&
      Schema.Schema->Returns.size() == 1 && !Schema.Schema->Returns[0].Annotation)
    report(finding::RegisteredKernelAlias, returnSpan(K), Schema.Schema->Returns[0].TypeAt,
           formatv("{0} returns '{1}', a reference to an existing tensor, but the schema's return "
                   "has no alias annotation",
                   kernelName(K), K.Decl.ReturnText));
  const CppType &Tuple = Return.referee();
  if (Tuple.Is == CppType::Named && Tuple.Name == "std::tuple" && Tuple.Args.size() < 2)
    report(finding::RegisteredKernelTuple, returnSpan(K), Schema.Schema->NameAt,
           formatv(Tuple.Args.empty()
                       ? "{0} returns an empty '{1}'; return 'void' instead"
                       : "{0} returns a single value as '{1}'; return the value without a tuple",
                   kernelName(K), K.Decl.ReturnText));
}

bool SchemaComparer::run() {
  const std::vector<KernelParam> &Params = K.Decl.Params;
  if (Schema.Schema->VarArgs)
    return true;
  First = !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
  SymKernel = any_of(Params, [&](const KernelParam &P) { return Types.isSym(P.Canonical); });
  if (compareLists()) {
    Fits = false;
  } else {
    compareParams();
    compareNames();
    if (K.Interface != KernelInterface::Stable)
      softFindings();
  }
  compareReturns();
  return Fits;
}

} // namespace

bool opsig::isOpenType(const Type &Ty) {
  static constexpr BaseTy Open[] = {BaseTy::CustomClass, BaseTy::Future,      BaseTy::Await,
                                    BaseTy::RRef,        BaseTy::Union,       BaseTy::Capsule,
                                    BaseTy::Quantizer,   BaseTy::AnyClass,    BaseTy::AnyEnum,
                                    BaseTy::DimVector,   BaseTy::GraphModule, BaseTy::None};
  return is_contained(Open, Ty.base()) || any_of(Ty.elements(), isOpenType);
}

bool opsig::checkKernelSchema(const EntryRef &E, const KernelSchema &Schema, const Dialect &D,
                              UnitFiles &Files, Findings &Diags) {
  if (E.Entry->Kernel.Is == RegisteredKernel::Boxed)
    return checkBoxedStack(E, Schema, Files, Diags);
  return !E.Entry->Kernel.hasSignature() || SchemaComparer(E, Schema, D, Files, Diags).run();
}

bool opsig::takesKernel(const EntryRef &E, const KernelSchema &Schema, const Dialect &D,
                        UnitFiles &Files) {
  Findings Refused;
  checkKernelForm(E, Files, Refused);
  checkKernelTypes(E, finding::RegisteredKernelType, Files, Refused);
  return Refused.empty() && checkKernelSchema(E, Schema, D, Files, Refused);
}

void opsig::checkSymIntReferences(const EntryRef &E, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  TypeInference Types(E.Unit->Names, K.Interface);
  auto IsSym = [&](const KernelParam &P) { return Types.isSym(P.Canonical); };
  if (!K.hasSignature() || any_of(K.Decl.Params, IsSym))
    return;
  for (unsigned I = 0; I < K.Decl.Params.size(); ++I)
    if (Types.isSymByReference(K.Decl.Params[I].Canonical))
      reportSymIntReference(E, {}, nullptr, I, Files, Diags);
}
