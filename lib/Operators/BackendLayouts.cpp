//===- BackendLayouts.cpp - The layouts of public forks ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read off the forks' own generators: torchnpugen/gen_backend_stubs.py of torch_npu (August 2026),
// tools/codegen/gen_torch_musa.py of torch_musa (January 2026), codegen/gen_mlu_stubs.py of
// torch_mlu (September 2024), and the generator of pytorch/pytorch#172539 (June 2026), which no
// release has.
//
//===----------------------------------------------------------------------===//
#include "BackendInternal.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

const BackendSection *BackendLayout::section(llvm::StringRef Expected) const {
  auto It = llvm::find_if(Sections, [&](const BackendSection &S) { return S.Name == Expected; });
  return It != Sections.end() ? &*It : nullptr;
}

bool BackendLayout::knows(llvm::StringRef Expected) const {
  return section(Expected) || llvm::is_contained(Ignored, Expected) ||
         llvm::is_contained(OverrideFields, Expected) ||
         (!Expected.empty() && Expected == MetaField) ||
         llvm::any_of(Defaults, [&](const auto &D) { return D.first == Expected; }) ||
         llvm::any_of(Extra, [&](const ExtraKernel &E) { return E.Field == Expected; });
}

namespace {

using Section = BackendSection;

BackendLayout torchNpu() {
  BackendLayout L;
  L.Name = "torch_npu";
  L.Keys = {{"NPU", "PrivateUse1"}};
  L.SharedKeys = {"XLA"}; // in former ones
  L.ClassName = "NPUNativeFunctions";
  L.Sections = {{"supported", Section::Operators, "", ""},
                {"autograd", Section::Operators, "Autograd${backend}", ""},
                {"custom", Section::Schemas, "", "npu"},
                {"custom_autograd", Section::Schemas, "Autograd${backend}", "npu"},
                {"symint", Section::SymInt, "", ""},
                {"quant", Section::Operators, "Quantized${backend}", ""},
                {"nestedtensor", Section::Operators, "NestedTensor${backend}", ""},
                {"custom_supported", Section::Ignored, "", ""},
                {"tocpu", Section::Ignored, "", ""}}; // in former ones
  L.Ignored = {"op_api", "internal_format_opapi", "device_check", "exposed", "dispatch",
               "tags",   "structured_inherits",   "precomputed",  "bscpp_op"};
  L.Kernel = "${name}";
  return L;
}

BackendLayout torchMusa() {
  BackendLayout L;
  L.Name = "torch_musa";
  L.Backend = "PrivateUse1";
  L.CppNamespace = "at";
  L.ClassName = "musa";
  L.IsNamespace = L.IsNative = L.IsList = true;
  L.Sections = {{"", Section::Operators, "", ""}};
  L.Ignored = {"autogen",  "device_check",        "device_guard", "tags",
               "variants", "structured_inherits", "precomputed"};
  L.StructuredByDefault = L.SharesNamed = true;
  return L;
}

/// torch-xpu-ops, torch_rbln: a native_functions.yaml with what the backend adds.
BackendLayout nativeFunctions() {
  BackendLayout L;
  L.Name = "native_functions";
  L.Keys = {{"PrivateUse1", "PrivateUse1"}, {"XPU", "XPU"}};
  L.CppNamespace = "at";
  L.ClassName = "native";
  L.IsNamespace = L.IsNative = L.IsList = L.IsNativeFunctions = true;
  L.Sections = {{"", Section::Operators, "", ""}};
  L.Ignored = {"variants",
               "device_check",
               "device_guard",
               "tags",
               "autogen",
               "python_module",
               "structured_inherits",
               "cpp_no_default_args",
               "category_override",
               "precomputed",
               "use_const_ref_for_mutable_tensors",
               "ufunc_inner_loop",
               "manual_cpp_binding",
               "manual_kernel_registration"};
  L.SharesNamed = true;
  return L;
}

BackendLayout torchMlu() {
  BackendLayout L;
  L.Name = "torch_mlu";
  L.Backend = "PrivateUse1";
  L.CppNamespace = "torch_mlu";
  L.ClassName = "ops";
  L.IsNamespace = L.IsNative = true;
  L.Sections = {{"aten", Section::Operators, "", ""},
                {"vision", Section::Schemas, "", "torchvision"},
                {"audio", Section::Schemas, "", "torchaudio"},
                {"custom", Section::Schemas, "", "torch_mlu"}};
  L.Ignored = {"structured_inherits", "tags", "variants", "device_check", "device_guard"};
  L.Defaults = {{"derived_type", "cnnl"}};
  L.Kernel = "${derived_type}_${name}";
  L.StructuredKernel = "${name}_mlu";
  L.SharesStructured = true;
  L.OverrideFields = {"override_meta", "override_impl"};
  L.Extra = {
      {"custom_autograd", "Autograd${backend}", "${derived_type}_${name}${overload}_autograd"},
      {"dispatch", "SparsePrivateUse1", "${derived_type}_${name}_sparse"}};
  return L;
}

/// PyTorch's own layout with items that say which kernels are structured.
BackendLayout torchStructured() {
  BackendLayout L;
  L.Name = "torchgen with structured kernels";
  L.Sections = {{"supported", Section::Operators, "", ""},
                {"full_codegen", Section::Generated, "", ""},
                {"autograd", Section::Operators, "Autograd${backend}", ""},
                {"symint", Section::SymInt, "", ""},
                {"non_native", Section::Ignored, "", ""},
                {"ir_gen", Section::Ignored, "", ""}};
  L.ItemsByName = L.StructuredInClass = true;
  L.OutIsPrimary = false;
  L.Ignored = {"structured_inherits", "device_guard"};
  L.Kernel = "${name}";
  L.StructuredKernel = "${operator}";
  L.MetaField = "define_meta";
  return L;
}

// An item of it has a kernel in each namespace that it names, for the releases that it names; here
// a key has one kernel of each operator.
constexpr UnreadLayout Unread[] = {{"op-plugin", "official",
                                    "whose 'acl_op' and 'op_api' kernels torch_npu merges into "
                                    "npu_native_functions.yaml; pass that file instead"}};

} // namespace

llvm::ArrayRef<UnreadLayout> unreadLayouts() { return Unread; }

llvm::ArrayRef<BackendLayout> knownBackendLayouts() {
  static const std::vector<BackendLayout> Layouts{torchNpu(), torchMusa(), nativeFunctions(),
                                                  torchMlu(), torchStructured()};
  return Layouts;
}

} // namespace opsig
