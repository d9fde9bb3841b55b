//===- UnstructuredWrapper.cpp - Wrappers of unstructured kernels -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/DeviceTextInternal.h"
#include "opsig/Codegen/UnstructuredWrapper.h"
#include "opsig/Signature/Translate.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template CallKernelText = R"(namespace {

${signature} {
  ${=device_check}

  ${=device_guard}
  return ${kernel}(${args});
}

} // anonymous namespace
)";

constexpr Template CopyFromFunctionalText = R"(${signature} {
  auto ${result} = ${functional}(${args});
  ${=copies}
  return ${returned};
}
)";

constexpr Template ReturnSelfText = R"(

${signature} {
  TORCH_CHECK_NOT_IMPLEMENTED(${self}.is_meta(),
    "Cannot inplace into non-meta tensor with meta tensor argument");
  return ${self};
}
)";

// The device check.
constexpr Template NoDeviceCheckText = "  // No device check\n";
constexpr Template CommonDeviceText = R"(${optional}<Device> common_device = ${nullopt};
(void)common_device; // Suppress unused variable warning
)";
constexpr Template CheckDeviceOfText = R"(

  c10::impl::check_and_update_common_device(common_device, ${arg}, "${wrapper}", "${arg}");)";

// The device guard.
constexpr Template NoGuardText = "// DeviceGuard omitted";
constexpr Template GuardOptionsText = R"(

  const DeviceGuard device_guard(device_or_default(device));)";
constexpr Template GuardArgumentText = "const OptionalDeviceGuard device_guard(device_of(${arg}));";

// Handing results to the written arguments.
constexpr Template CopyOneText = "${copy}(${result}, ${target});";
constexpr Template CopyElementText = "${copy}(std::get<${index}>(${result}), ${target});";
constexpr Template CopyItemsText = R"(    for (int64_t i = 0; i < ${result}.size(); ++i) {
        ${copy}(${result}[i], ${target}[i]);
    })";

constexpr Template RegistrationText = R"(m.impl("${op}",
TORCH_FN(${wrapper}));
)";

constexpr Template DeclarationText = "static ${signature};";

constexpr StringLiteral CudaHeaders = R"(#include <c10/cuda/CUDAGuard.h>
#include <ATen/cuda/ATenCUDAGeneral.h>
#include <ATen/cuda/CUDADevice.h>
#include <ATen/cuda/CUDAContext.h>)";
constexpr Template RocmHeaders = R"(#include <${guard}>
#include <ATen/hip/ATenHIPGeneral.h>
#include <ATen/hip/HIPDevice.h>
#include <ATen/hip/HIPContext.h>)";

} // namespace

//===-- Definitions ---------------------------------------------------------===//

Signature wrapperSignature(const FunctionSchema &S, const Lowering &L, const BackendIndex &Index) {
  std::string Prefix = "wrapper_";
  if (L.D->Output.WrapperNamesHaveKey)
    Prefix += (toString(Index.Key) + "_").str();
  return dispatcherSignature(S, L, /*SymInt=*/true, Prefix + S.Name.Overload + "_");
}

std::string cudaHeaders(bool Rocm, const OutputFacts &O) {
  if (!Rocm)
    return CudaHeaders.str();
  return printed<RocmHeaders>("guard"_hole = O.Rocm == RocmGuard::Masquerading
                                                 ? "ATen/hip/impl/HIPGuardImplMasqueradingAsCUDA.h"
                                                 : "c10/hip/HIPGuard.h");
}

std::string deviceCheckText(const DeviceHandling &Plan, StringRef Wrapper, const OutputFacts &O) {
  if (!Plan.Checks)
    return printed<NoDeviceCheckText>();
  std::string Text = printed<CommonDeviceText>("optional"_hole = O.HelperOptional,
                                               "nullopt"_hole = O.DeviceCheckNullopt);
  for (StringRef Arg : Plan.CheckedArgs)
    Text += printed<CheckDeviceOfText>("arg"_hole = Arg, "wrapper"_hole = Wrapper);
  return Text;
}

namespace {

std::string cudaStartText(CudaStart Start) {
  return Start == CudaStart::Cuda ? "globalContext().lazyInitCUDA();"
                                  : "globalContext().lazyInitDevice(c10::DeviceType::CUDA);";
}

std::string deviceGuardText(const DeviceHandling &Plan, const OutputFacts &O) {
  switch (Plan.Guards) {
  case DeviceHandling::Guard::None:
    return printed<NoGuardText>();
  case DeviceHandling::Guard::OfOptions:
    return (Plan.InitialisesCuda ? cudaStartText(O.Cuda) + "\n" : "") + printed<GuardOptionsText>();
  case DeviceHandling::Guard::OfArgument:
    return printed<GuardArgumentText>("arg"_hole = Plan.GuardArg);
  }
  llvm_unreachable("unknown guard");
}

/// What the wrapper calls: a static member of the backend's class, or a function of a namespace.
std::string kernelName(const KernelEntry &Kernel, const WrapperContext &C) {
  std::string Scope = Kernel.CppNamespace + "::";
  if (!C.ClassName.empty())
    Scope += (C.ClassName + "::").str();
  return Scope + Kernel.Kernel;
}

Expected<std::string> callKernel(const Wrapper &W, const Signature &Own, const Lowering &L,
                                 const WrapperContext &C) {
  Signature Kernel = kernelSignature(*W.Function, C.Index, L);
  Expected<std::vector<Expr>> Args = translate(Own.Params, Kernel.Params, C.D);
  if (!Args)
    return Args.takeError();
  DeviceHandling Devices = planDevices(*W.Function, C.Index);
  return printed<CallKernelText>(
      "signature"_hole = Own.defn(C.D),
      "device_check"_hole = deviceCheckText(Devices, Own.Name, C.D.Output),
      "device_guard"_hole = deviceGuardText(Devices, C.D.Output),
      "kernel"_hole = kernelName(*W.Kernel, C), "args"_hole = join(*Args));
}

std::string copiesText(const CopyBack &Plan, StringRef Result) {
  StringRef Copy = Plan.Resizes ? "at::_copy_from_and_resize" : "at::_copy_from";
  switch (Plan.Is) {
  case CopyBack::Shape::One:
  case CopyBack::Shape::VoidOne:
    return printed<CopyOneText>("copy"_hole = Copy, "result"_hole = Result,
                                "target"_hole = Plan.Targets[0]);
  case CopyBack::Shape::VoidPerItem:
    return printed<CopyItemsText>("copy"_hole = Copy, "result"_hole = Result,
                                  "target"_hole = Plan.Targets[0]);
  case CopyBack::Shape::Tuple:
    break;
  }
  std::vector<std::string> Copies;
  for (auto [I, Target] : enumerate(Plan.Targets))
    Copies.push_back(printed<CopyElementText>("copy"_hole = Copy, "index"_hole = std::to_string(I),
                                              "result"_hole = Result, "target"_hole = Target));
  return llvm::join(Copies, "\n  ");
}

std::string returnedText(const CopyBack &Plan, const Signature &Own, const Dialect &D) {
  switch (Plan.Is) {
  case CopyBack::Shape::One:
    return Plan.Targets[0];
  case CopyBack::Shape::Tuple:
    return Own.Returns.str(D) + "(" + llvm::join(Plan.Targets, ", ") + ")";
  case CopyBack::Shape::VoidOne:
  case CopyBack::Shape::VoidPerItem:
    return "";
  }
  llvm_unreachable("unknown shape");
}

Expected<std::string> copyFromFunctional(const Wrapper &W, const Signature &Own, const Lowering &L,
                                         const WrapperContext &C) {
  Expected<CopyBack> Plan = planCopyBack(*W.Function, C.D);
  if (!Plan)
    return Plan.takeError();
  Signature Functional = wrapperSignature(W.Functional->Schema, L, C.Index);
  Expected<std::vector<Expr>> Args = translate(Own.Params, Functional.Params, C.D);
  if (!Args)
    return Args.takeError();
  std::string Result = Own.Name + "_tmp";
  return printed<CopyFromFunctionalText>(
      "signature"_hole = Own.defn(C.D), "result"_hole = Result, "functional"_hole = Functional.Name,
      "args"_hole = join(*Args), "copies"_hole = copiesText(*Plan, Result),
      "returned"_hole = returnedText(*Plan, Own, C.D));
}

} // namespace

Expected<std::string> wrapperDefinition(const Wrapper &W, const WrapperContext &C) {
  const FunctionSchema &S = W.Function->Schema;
  if (std::optional<std::string> Why = whyNotLowerable(S, C.D))
    return createStringError(*Why);
  // Its own flags count here also for a member of a group.
  Lowering L = Lowering::of(*W.Function, C.D);
  Signature Own = wrapperSignature(S, L, C.Index);
  switch (W.Kind) {
  case WrapperKind::CallKernel:
    return callKernel(W, Own, L, C);
  case WrapperKind::CopyFromFunctional:
    return copyFromFunctional(W, Own, L, C);
  case WrapperKind::ReturnSelf:
    return printed<ReturnSelfText>("signature"_hole = Own.defn(C.D),
                                   "self"_hole = S.Args.self()->Name);
  }
  llvm_unreachable("unknown kind");
}

//===-- Registrations and declarations --------------------------------------===//

std::string wrapperRegistration(const Wrapper &W, const WrapperContext &C) {
  const FunctionSchema &S = W.Function->Schema;
  Signature Own = wrapperSignature(S, Lowering::of(*W.Function, C.D), C.Index);
  return printed<RegistrationText>("op"_hole = S.Name.str(), "wrapper"_hole = Own.Name);
}

std::vector<std::string> kernelDeclarations(const Operators &Ops, const BackendIndex &Index) {
  std::vector<std::string> Declarations;
  for (const NativeFunction &F : Ops.Functions)
    if (const KernelEntry *Kernel = Index.kernel(F)) {
      Signature Own = kernelSignature(F, Index, Lowering::of(F, *Ops.D));
      Declarations.push_back(
          printed<DeclarationText>("signature"_hole = Own.decl(*Ops.D, Kernel->Kernel)));
    }
  sort(Declarations);
  Declarations.erase(unique(Declarations), Declarations.end());
  return Declarations;
}

} // namespace opsig
