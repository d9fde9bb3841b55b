//===- InferredSchema.cpp - the schema that libtorch makes of a kernel --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/InferredSchema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace opsig;
using namespace llvm;

/// Each has a name, and no two the same.
static bool areNamed(ArrayRef<KernelParam> Params) {
  StringSet<> Seen;
  return all_of(
      Params, [&](const KernelParam &P) { return !P.Name.empty() && Seen.insert(P.Name).second; });
}

/// "Tensor(a!)?": the mark belongs to the tensor, whatever holds it.
static std::string markedType(const ScriptType &Ty, ArrayRef<std::string> Marks, size_t Index) {
  std::string Text = Ty.str();
  size_t Tensor = Text.find("Tensor");
  if (Index < Marks.size() && Tensor != std::string::npos)
    Text.insert(Tensor + StringRef("Tensor").size(), Marks[Index]);
  return Text;
}

std::optional<std::string> opsig::inferredSchema(StringRef Op, const RegisteredKernel &Kernel,
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
  std::vector<std::string> Args;
  for (auto [I, P] : enumerate(Params)) {
    InferredType T = Types.param(P.Canonical, I);
    if (T.Is != InferredType::Known)
      return std::nullopt;
    Args.push_back(markedType(T.Ty, Marks.Args, I) + " " +
                   (Named ? P.Name : "_" + std::to_string(I)));
    if (I < Defaults.size() && !Defaults[I].empty())
      Args.back() += "=" + Defaults[I];
  }
  std::optional<std::vector<InferredType>> Returns = Types.returns(Kernel.Decl.ReturnCanonical);
  if (!Returns || !all_of(*Returns, [](auto &T) { return T.Is == InferredType::Known; }))
    return std::nullopt;
  std::vector<std::string> Results;
  for (auto [I, T] : enumerate(*Returns))
    Results.push_back(markedType(T.Ty, Marks.Returns, I));
  std::string Result = Results.size() == 1 ? Results.front() : "(" + join(Results, ", ") + ")";
  return (Op + "(" + join(Args, ", ") + ") -> " + Result).str();
}
