//===- InferredSchema.cpp - the schema that libtorch makes of a kernel --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/InferredSchema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace opsig;
using namespace llvm;

/// Each has a name, and no two the same.
static bool areNamed(ArrayRef<KernelParam> Params) {
  StringSet<> Seen;
  return all_of(
      Params, [&](const KernelParam &P) { return !P.Name.empty() && Seen.insert(P.Name).second; });
}

/// Only tensors share memory.
static void mark(Argument &A, ArrayRef<std::optional<AliasAnnotation>> Marks, size_t Index) {
  if (Index < Marks.size() && A.Ty.isTensorLike())
    A.Annotation = Marks[Index];
}

std::optional<FunctionSchema> opsig::inferredSchema(StringRef Op, const RegisteredKernel &Kernel,
                                                    const TypeNames &Names,
                                                    ArrayRef<std::string> Defaults,
                                                    const SchemaMarks &Marks) {
  if (!Kernel.hasSignature())
    return std::nullopt;
  ArrayRef<KernelParam> Params = Kernel.Decl.Params;
  TypeInference Types(Names, Kernel.Interface);
  if (!Params.empty() && TypeInference::isKeySet(Params.front().Canonical))
    Params = Params.drop_front();
  bool Named = areNamed(Params);
  auto [Name, Overload] = Op.split('.');
  FunctionSchema Out{{BaseOperatorName::of(Name), Overload.str()}, {}, {}};
  for (auto [I, P] : enumerate(Params)) {
    InferredType T = Types.param(P.Canonical, I);
    if (T.Is != InferredType::Known)
      return std::nullopt;
    Argument &A = Out.Args.All.emplace_back();
    A.Name = Named ? P.Name : "_" + std::to_string(I);
    A.Ty = T.Ty;
    if (I < Defaults.size() && !Defaults[I].empty())
      A.Default = Defaults[I];
    mark(A, Marks.Args, I);
  }
  Out.Args.NumPositional = Out.Args.size();
  std::optional<std::vector<InferredType>> Returns = Types.returns(Kernel.Decl.ReturnCanonical);
  if (!Returns || !all_of(*Returns, [](auto &T) { return T.Is == InferredType::Known; }))
    return std::nullopt;
  for (auto [I, T] : enumerate(*Returns)) {
    Out.Returns.push_back({"", T.Ty, std::nullopt});
    mark(Out.Returns.back(), Marks.Returns, I);
  }
  return Out;
}
