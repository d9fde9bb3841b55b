//===- UnstructuredWrapper.cpp - Wrappers, and their registrations ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Dialect/OutputTraits.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template CallKernelText = R"(
namespace {

${signature} {
  ${=device_check}

  ${if options}${if cuda}globalContext().${start_cuda};
${end}${=blank}
  const DeviceGuard device_guard(device_or_default(device));${else}${if guarded}const OptionalDeviceGuard device_guard(device_of(${guarded}));${else}// DeviceGuard omitted${end}${end}
  return ${kernel}(${args});
}

} // anonymous namespace
)";

constexpr Template CopyFromFunctionalText = R"(
${signature} {
  auto ${own}_tmp = ${functional}(${args});
  ${if per_item}
      for (int64_t i = 0; i < ${own}_tmp.size(); ++i) {
        ${copy}(${own}_tmp[i], ${target}[i]);
    }
  ${else}
  ${copies}
  ${end}
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

constexpr Template DeviceCheckText = R"(
${if checks}
${optional}<Device> common_device = ${nullopt};
(void)common_device; // Suppress unused variable warning
${=arguments}${else}  // No device check
${end})";
constexpr Template CheckDeviceOfText = "  c10::impl::check_and_update_common_device(common_device, "
                                       "${arg}, \"${wrapper}\", \"${arg}\");";

constexpr Template RegistrationText = R"(m.impl("${op}",${=between}TORCH_FN(${wrapper}));)";

constexpr Template LibraryBlockText = R"(
TORCH_LIBRARY_IMPL(${namespace}, ${key}, m) {
${if external}
    ${registrations}
${else}
    ${=registrations}
${end}
${ending})";

void printCallKernel(std::string &Out, const KeyCode &Code, const WrapperContext &C) {
  const OutputTraits &O = C.D.Output;
  using Guard = DeviceHandling::Guard;
  print<CallKernelText>(
      Out, "signature"_hole = Code.Own.defn(C.D),
      "device_check"_hole = [&](std::string &To) { printDeviceCheck(To, Code, O); },
      "options"_hole = Code.Devices.Guards == Guard::OfOptions,
      "cuda"_hole = Code.Devices.InitialisesCuda, "blank"_hole = "",
      "start_cuda"_hole =
          O.Cuda == CudaStart::Cuda ? "lazyInitCUDA()" : "lazyInitDevice(c10::DeviceType::CUDA)",
      "guarded"_hole = Code.Devices.GuardArg, "kernel"_hole = Code.Callee, "args"_hole = Code.Args);
}

void printCopyFromFunctional(std::string &Out, const KeyCode &Code, const WrapperContext &C) {
  const CopyBack &Back = *Code.Back;
  using Shape = CopyBack::Shape;
  StringRef Copy = Back.Resizes ? "at::_copy_from_and_resize" : "at::_copy_from";
  auto CopyTo = [&](const std::string &Target) {
    std::string Result = Code.Own.Name + "_tmp";
    if (Back.Is == Shape::Tuple)
      Result = "std::get<" + std::to_string(&Target - Back.Targets.data()) + ">(" + Result + ")";
    return (Copy + "(" + Result + ", " + Target + ");").str();
  };
  std::string Returned = Back.Is == Shape::One ? Back.Targets[0] : "";
  if (Back.Is == Shape::Tuple)
    Returned = Code.Own.Returns.str(C.D) + "(" + llvm::join(Back.Targets, ", ") + ")";
  print<CopyFromFunctionalText>(
      Out, "signature"_hole = Code.Own.defn(C.D), "own"_hole = Code.Own.Name,
      "functional"_hole = Code.Callee, "args"_hole = Code.Args,
      "per_item"_hole = Back.Is == Shape::VoidPerItem, "copy"_hole = Copy,
      "target"_hole = Back.Targets[0], "copies"_hole = each(Back.Targets, CopyTo),
      "returned"_hole = Returned);
}

} // namespace

void printDeviceCheck(std::string &Out, const KeyCode &Code, const OutputTraits &O) {
  auto Check = [&](std::string &To, StringRef Arg) {
    print<CheckDeviceOfText>(To, "arg"_hole = Arg, "wrapper"_hole = Code.Own.Name);
  };
  print<DeviceCheckText>(Out, "checks"_hole = Code.Devices.Checks,
                         "optional"_hole = O.HelperOptional, "nullopt"_hole = O.DeviceCheckNullopt,
                         "arguments"_hole = each(Code.Devices.CheckedArgs, Check, "\n"));
}

void printDefinition(std::string &Out, const KeyCode &Code, const WrapperContext &C) {
  if (const auto *K = std::get_if<StructuredKernel>(&Code.For.By))
    return printStructured(Out, Code, *K, C);
  const auto &W = std::get<Wrapper>(Code.For.By);
  switch (W.Kind) {
  case WrapperKind::CallKernel:
    return printCallKernel(Out, Code, C);
  case WrapperKind::CopyFromFunctional:
    return printCopyFromFunctional(Out, Code, C);
  case WrapperKind::ReturnSelf:
    return print<ReturnSelfText>(Out, "signature"_hole = Code.Own.defn(C.D),
                                 "self"_hole = W.Function->Schema.Args.self()->Name);
  }
}

void printLibraryBlock(std::string &Out, StringRef Namespace, ArrayRef<const KeyCode *> Codes,
                       const WrapperContext &C) {
  auto Register = [](std::string &To, const KeyCode *Code) {
    bool Structured = std::holds_alternative<StructuredKernel>(Code->For.By);
    print<RegistrationText>(To, "op"_hole = Code->For.Function->Schema.Name.str(),
                            "between"_hole = Structured ? " " : "\n",
                            "wrapper"_hole = Code->Own.Name);
  };
  print<LibraryBlockText>(Out, "namespace"_hole = Namespace, "key"_hole = toString(C.Index.Key),
                          "external"_hole = C.Index.External,
                          "registrations"_hole = each(Codes, Register, "\n"),
                          "ending"_hole = C.D.Output.LibraryBlocksEndInSemicolon ? "};" : "}");
}

} // namespace opsig
