//===- KernelSkeleton.cpp - the kernel that a schema string asks for -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/KernelSkeleton.h"

using namespace opsig;
using namespace llvm;

namespace {

class KernelWriter {
public:
  KernelWriter(KernelInterface Interface, const Dialect &D)
      : IsStable(Interface == KernelInterface::Stable), D(D) {}

  CppType param(const Argument &Arg) const {
    if (IsStable)
      return canonicalStableCppType(Arg.Ty.dispatched());
    if (Arg.isWrite() && Arg.Ty.is("Tensor"))
      return tensorRef();
    return canonicalCppType(Arg.Ty, Arg.Ty.listSize(), /*IsReturn=*/false, D);
  }
  CppType returned(const Argument &Return, bool IsAlone) const {
    if (IsStable)
      return canonicalStableCppType(Return.Ty.dispatched()).decayed();
    if (IsAlone && Return.isWrite() && Return.Ty.is("Tensor"))
      return tensorRef();
    return canonicalCppType(Return.Ty, 0, /*IsReturn=*/true, D);
  }
  CppType returns(ArrayRef<Argument> Of) const {
    if (Of.empty())
      return CppType::named("void");
    if (Of.size() == 1)
      return returned(Of.front(), /*IsAlone=*/true);
    std::vector<CppType> Parts;
    for (const Argument &Return : Of) {
      Parts.push_back(returned(Return, /*IsAlone=*/false));
      if (!Parts.back().isRead())
        return {};
    }
    return CppType::named("std::tuple", std::move(Parts));
  }

  static std::string text(const CppType &Type) {
    return Type.written([](StringRef Name) { return Name.str(); }, ", ");
  }

private:
  static CppType tensorRef() { return CppType::of(CppType::LeftRef, CppType::named("at::Tensor")); }

  bool IsStable;
  const Dialect &D;
};

} // namespace

std::optional<std::string> opsig::kernelSkeleton(const FunctionSchema &S, StringRef Name,
                                                 KernelInterface Interface, const Dialect &D) {
  KernelWriter Writer(Interface, D);
  CppType Returns = Writer.returns(S.Returns);
  if (S.NameOnly || S.VarArgs || S.VarReturns || !Returns.isRead())
    return std::nullopt;
  std::string Out = Writer.text(Returns) + " " + Name.str() + "(";
  for (const Argument &Arg : S.Args.All) {
    CppType Param = Writer.param(Arg);
    if (!Param.isRead())
      return std::nullopt;
    Out += (&Arg == &S.Args[0] ? "" : ", ") + Writer.text(Param) + " " + Arg.Name;
  }
  return Out + ")";
}
