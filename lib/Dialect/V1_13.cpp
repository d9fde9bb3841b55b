//===- V1_13.cpp - PyTorch 1.13 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first release that has a dialect, so every trait is given here; the others say what they
// changed. Everything was seen in torchgen 1.13.1 as distributions install it, and in what it
// prints: each signature, each form of `translate`, each file of the in-tree generator, of the
// Python bindings and of the generator for backends was compared, and none differs.
//
// What tells it from its successors: optionals and options are c10's; a tag list is one string;
// wrappers are not named after their key; SymInt is new, and whether a signature has it decides
// about its returns as well; there are no C shims for AOTInductor; functionalization records views
// in lambdas that know nothing of the view, and makes kernels of composites, too.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

constexpr llvm::StringRef BaseTypes[] = {
    "Generator",    "ScalarType", "Tensor",  "int",    "Dimname", "DimVector",
    "float",        "str",        "bool",    "Layout", "Device",  "Scalar",
    "MemoryFormat", "QScheme",    "Storage", "Stream", "SymInt",  "ConstQuantizerPtr"};
constexpr llvm::StringRef ScalarTypes[] = {
    "Byte",   "Char",        "Short",        "Int",           "Long", "Half",    "Float",
    "Double", "ComplexHalf", "ComplexFloat", "ComplexDouble", "Bool", "BFloat16"};

constexpr llvm::StringRef DevicesInStrings[] = {
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep",        "hip",
    "fpga", "ort",  "xla",    "vulkan", "metal",  "xpu",          "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "privateuseone"};

constexpr llvm::StringRef InheritedTags[] = {"nondeterministic_seeded"};
constexpr llvm::StringRef NoGeneratedOut[] = {"_assert_async",
                                              "_dimI",
                                              "_dimV",
                                              "_has_same_storage_numel",
                                              "_linalg_check_errors",
                                              "_local_scalar_dense",
                                              "_nested_tensor_from_mask_left_aligned",
                                              "_nnz",
                                              "_use_cudnn_ctc_loss",
                                              "_use_cudnn_ctc_loss.Tensor",
                                              "_validate_compressed_sparse_indices",
                                              "allclose",
                                              "dense_dim",
                                              "equal",
                                              "is_coalesced",
                                              "is_pinned",
                                              "is_same_size",
                                              "is_set_to",
                                              "q_per_channel_axis",
                                              "q_scale",
                                              "q_zero_point",
                                              "qscheme",
                                              "record_stream",
                                              "sparse_dim",
                                              "_nested_tensor_offsets"};
constexpr llvm::StringRef NoGeneratedOutMutable[] = {"_cummax_helper", "_cummin_helper"};
constexpr llvm::StringRef LoneOut[] = {"adaptive_avg_pool3d_backward.grad_input",
                                       "_slow_conv2d_backward.grad_input"};
constexpr llvm::StringRef NotGroupedInplace[] = {"polygamma_"};
constexpr llvm::StringRef NotFunctionalized[] = {"record_stream", "resize_"};

constexpr DispatchKey UnknownKeys[] = {K::MAIA,
                                       K::SparseCsr,
                                       K::NestedTensor,
                                       K::Dense,
                                       K::PythonTLSSnapshot,
                                       K::PreDispatch,
                                       K::PythonDispatcher,
                                       K::FuncTorchDynamicLayerBackMode,
                                       K::Conjugate,
                                       K::Negative,
                                       K::AutocastCPU,
                                       K::AutocastCUDA,
                                       K::AutocastXPU,
                                       K::FuncTorchGradWrapper,
                                       K::FuncTorchBatched,
                                       K::BatchedNestedTensor,
                                       K::FuncTorchVmapMode,
                                       K::FuncTorchDynamicLayerFrontMode,
                                       K::Functionalize,
                                       K::ADInplaceOrView,
                                       K::FuncTorchBatchedDecomposition,
                                       K::MTIA,
                                       K::QuantizedMTIA,
                                       K::SparseMTIA,
                                       K::SparseCsrHIP,
                                       K::SparseCsrXLA,
                                       K::SparseCsrMTIA,
                                       K::SparseCsrMPS,
                                       K::SparseCsrIPU,
                                       K::SparseCsrXPU,
                                       K::SparseCsrHPU,
                                       K::SparseCsrVE,
                                       K::SparseCsrLazy,
                                       K::SparseCsrMeta,
                                       K::SparseCsrPrivateUse1,
                                       K::SparseCsrPrivateUse2,
                                       K::SparseCsrPrivateUse3,
                                       K::NestedTensorMTIA,
                                       K::AutogradMTIA};
constexpr DispatchKey DispatchKeys[] = {K::CPU,
                                        K::SparseCPU,
                                        K::SparseCsrCPU,
                                        K::MkldnnCPU,
                                        K::CUDA,
                                        K::MPS,
                                        K::SparseCUDA,
                                        K::SparseCsrCUDA,
                                        K::QuantizedCPU,
                                        K::QuantizedCUDA,
                                        K::CompositeImplicitAutograd,
                                        K::CompositeImplicitAutogradNestedTensor,
                                        K::CompositeExplicitAutograd,
                                        K::CompositeExplicitAutogradNonFunctional,
                                        K::NestedTensorCPU,
                                        K::NestedTensorCUDA,
                                        K::Meta,
                                        K::SparseMeta,
                                        K::QuantizedMeta,
                                        K::NestedTensorMeta,
                                        K::ZeroTensor};
constexpr DispatchKey DroppedKeys[] = {K::MPS};
constexpr DispatchKey StructuredKeys[] = {K::MPS, K::CUDA, K::CPU};
// CUDA stands first: torchgen keeps these in a set, and no order of it reaches any output.
constexpr DispatchKey UfuncKeys[] = {K::CUDA, K::CPU};
constexpr DispatchKey KeysWithEmpty[] = {K::Meta, K::CPU, K::CUDA, K::MPS};

// The headers c10/core/DispatchKey.h and DispatchKeySet.h have the keys; which kernels serve them,
// and what is there for all operators, was asked of libtorch: by operators with one kernel each,
// and the tables these have.
constexpr llvm::StringRef Components[] = {
    "CPU", "CUDA", "HIP",  "XLA",  "MPS",         "IPU",         "XPU",
    "HPU", "VE",   "Lazy", "Meta", "PrivateUse1", "PrivateUse2", "PrivateUse3"};
constexpr llvm::StringRef FunctionalComponents[] = {"XLA", "Lazy"};
constexpr llvm::StringRef UnheededComponents[] = {"HIP", "VE"};
constexpr llvm::StringRef FamilyFallbacks[] = {"AutogradCPU", "AutogradCUDA", "AutogradXLA",
                                               "AutogradMPS", "AutogradXPU",  "AutogradHPU",
                                               "AutogradLazy"};
// What no rule says, found by comparing tables: kernels of FunctionalizeFallbackKernel.cpp and
// RegisterBackendSelect.cpp, fallthroughs of
// TraceTypeManual.cpp, views and written arguments that autograd does not count as such.
constexpr llvm::StringRef AlsoFunctionalized[] = {"_to_copy",   "_unsafe_view",    "lift",
                                                  "lift_fresh", "lift_fresh_copy", "resize_"};
constexpr llvm::StringRef AlsoBackendSelected[] = {"_pin_memory", "is_pinned"};
constexpr llvm::StringRef NoInplaceOrView[] = {"_sparse_broadcast_to",
                                               "_test_autograd_multiple_dispatch_view",
                                               "detach_",
                                               "lift_fresh",
                                               "resize_",
                                               "resize_as_"};
constexpr llvm::StringRef NoAutograd[] = {"_test_autograd_multiple_dispatch.ntonly"};
constexpr llvm::StringRef NotTraced[] = {"_backward",  "set_data",  "data",           "is_leaf",
                                         "output_nr",  "_version",  "requires_grad_", "retain_grad",
                                         "_fw_primal", "_make_dual"};
using Role = SlotRole;
using Fallback = LibraryFallback;
constexpr SlotTraits Slots[] = {
    {"", Role::Backend, true},
    {"FPGA", Role::OtherBackend},
    {"ORT", Role::OtherBackend},
    {"Vulkan", Role::OtherBackend, false, Fallback::None, Registrant::Hand},
    {"Metal", Role::OtherBackend, false, Fallback::None, Registrant::Hand},
    {"Quantized", Role::OtherBackend, true},
    {"CustomRNGKeyId", Role::OtherBackend},
    {"MkldnnCPU", Role::OtherBackend},
    {"Sparse", Role::OtherBackend, true},
    {"SparseCsrCPU", Role::OtherBackend},
    {"SparseCsrCUDA", Role::OtherBackend},
    {"NestedTensor", Role::NestedTensor, true},
    {"BackendSelect", Role::Mode, false, Fallback::Fallthrough, Registrant::Rules},
    {"Python", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"Fake", Role::Mode, false, Fallback::None, Registrant::Hand},
    {"FuncTorchDynamicLayerBackMode", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"Functionalize", Role::Mode, false, Fallback::Kernel, Registrant::Rules},
    {"Named", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"Conjugate", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"Negative", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"ZeroTensor", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"ADInplaceOrView", Role::Mode, false, Fallback::Fallthrough, Registrant::Rules},
    {"AutogradOther", Role::AutogradOther, false, Fallback::Fallthrough, Registrant::Rules},
    {"Autograd", Role::Autograd, true, Fallback::Fallthrough, Registrant::Rules},
    {"AutogradNestedTensor", Role::AutogradNestedTensor, false, Fallback::None, Registrant::Rules},
    {"Tracer", Role::Mode, false, Fallback::Kernel, Registrant::Rules},
    {"AutocastCPU", Role::Mode, false, Fallback::Fallthrough, Registrant::Hand},
    {"AutocastXPU", Role::Mode, false, Fallback::None, Registrant::Hand},
    {"AutocastCUDA", Role::Mode, false, Fallback::Fallthrough, Registrant::Hand},
    {"FuncTorchBatched", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"FuncTorchVmapMode", Role::Mode, false, Fallback::Fallthrough, Registrant::Hand},
    {"Batched", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"VmapMode", Role::Mode, false, Fallback::Fallthrough, Registrant::Hand},
    {"FuncTorchGradWrapper", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"DeferredInit", Role::Mode, false, Fallback::None, Registrant::Hand},
    {"PythonTLSSnapshot", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"FuncTorchDynamicLayerFrontMode", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
    {"TESTING_ONLY_GenericWrapper", Role::Mode, false, Fallback::None, Registrant::Hand},
    {"TESTING_ONLY_GenericMode", Role::Mode, false, Fallback::None, Registrant::Hand},
    {"PythonDispatcher", Role::Mode, false, Fallback::Kernel, Registrant::Hand},
};

constexpr llvm::StringRef Unbound[] = {"*_backward",
                                       "*_backward_bias",
                                       "*_backward_input",
                                       "*_backward_out",
                                       "*_backward_weight",
                                       "_cholesky*",
                                       "_cumprod*",
                                       "_cumsum*",
                                       "*_forward",
                                       "*_forward_out",
                                       "_fw_primal",
                                       "_has_same_storage_numel",
                                       "_inverse*",
                                       "*_jvp",
                                       "_local_scalar_dense",
                                       "_nested_tensor_offsets",
                                       "_nested_tensor_strides",
                                       "_nested_view_from_buffer",
                                       "_nested_view_from_buffer_copy",
                                       "_new_zeros_with_same_feature_meta",
                                       "*_overrideable",
                                       "_prod*",
                                       "_qr*",
                                       "_range*",
                                       "_reshape_alias",
                                       "_solve*",
                                       "_sparse_add_out",
                                       "_sparse_bsc_tensor*",
                                       "_sparse_bsr_tensor*",
                                       "_sparse_compressed_tensor*",
                                       "_sparse_coo_tensor*",
                                       "_sparse_csc_tensor*",
                                       "_sparse_csr_tensor*",
                                       "_sparse_dense_add_out",
                                       "_sparse_div*",
                                       "_sparse_mul*",
                                       "_sparse_sub*",
                                       "_sum*",
                                       "_svd*",
                                       "_symeig*",
                                       "_th_*",
                                       "_thnn_*",
                                       "_to_copy",
                                       "_triangular_solve*",
                                       "_unsafe_view",
                                       "_version",
                                       "alias",
                                       "contiguous",
                                       "copy",
                                       "copy_",
                                       "copy_sparse_to_sparse_",
                                       "data",
                                       "fake_quantize_per_channel_affine_cachemask",
                                       "fake_quantize_per_tensor_affine_cachemask",
                                       "fill?Scalar",
                                       "fill?Tensor",
                                       "index",
                                       "index_out",
                                       "is_cuda",
                                       "is_leaf",
                                       "is_sparse",
                                       "is_sparse_csr",
                                       "item",
                                       "lift*",
                                       "mH",
                                       "mT",
                                       "matrix_H",
                                       "nonzero",
                                       "nonzero_numpy",
                                       "nonzero_out",
                                       "normal_functional",
                                       "numpy_T",
                                       "output_nr",
                                       "range*",
                                       "replace_",
                                       "requires_grad_",
                                       "retains_grad",
                                       "set_",
                                       "set_data",
                                       "size",
                                       "slice",
                                       "sparse_bsc_tensor*",
                                       "sparse_bsr_tensor*",
                                       "sparse_compressed_tensor*",
                                       "sparse_coo_tensor*",
                                       "sparse_csc_tensor*",
                                       "sparse_csr_tensor*",
                                       "stride",
                                       "tensor",
                                       "to",
                                       "unique_dim_consecutive"};
/// Overloads with a Scalar that are left to those with a Tensor.
constexpr llvm::StringRef UnboundSchemas[] = {
    "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    "add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)",
    "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    "sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)",
    "mul.Scalar(Tensor self, Scalar other) -> Tensor",
    "mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
    "div.Scalar(Tensor self, Scalar other) -> Tensor",
    "div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"};
constexpr llvm::StringRef PythonReturns[] = {
    "bool",
    "void",
    "void*",
    "double",
    "int64_t",
    "at::Scalar",
    "at::Tensor",
    "at::QScheme",
    "at::ScalarType",
    "at::IntArrayRef",
    "::std::vector<at::Tensor>",
    "::std::tuple<double,int64_t>",
    "::std::tuple<at::Tensor,at::Tensor>",
    "::std::tuple<at::Tensor,at::Tensor,at::Tensor>",
    "::std::tuple<at::Tensor,::std::vector<at::Tensor>>",
    "::std::tuple<at::Tensor,at::Tensor,double,int64_t>",
    "::std::tuple<at::Tensor,at::Tensor,at::Tensor,int64_t>",
    "::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor>",
    "::std::tuple<at::Tensor,at::Tensor,double,at::Tensor,int64_t>",
    "::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,int64_t>",
    "::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,at::Tensor>"};

constexpr llvm::StringRef LibraryNames[] = {"Library", "impl", "define"};
constexpr llvm::StringRef LibraryKinds[] = {"DEF", "IMPL"};

} // namespace

void V1_13(Draft &D) {
  D.Schema = {
      .BaseTypes = BaseTypes,
      .Default = DefaultSplit::AtLastSpace,
      .NamespacedNames = false,
      .SymBoolInStrings = false,
      .TypeVariablesInStrings = true,
      .AwaitInStrings = false,
      .DtypesInStrings = {},
      .DevicesInStrings = DevicesInStrings,
      .RefusesPythonKeywords = false,
      .Tags = TagSyntax::CommaSeparated,
      .ImplicitTag = "",
      .TagsOutAndInplace = false,
      .KernelNamespaceLevels = 2,
      .TableCount = DispatchTableCount::KeptKeys,
      .RefusesConstRefOut = false,
      .SeededTagByArgumentName = false,
      .ExcusesResizeAs = false,
      .ExcusesSet = false,
      .SymIntInReturnsCounts = true,
      .ScatterIsViewInverse = false,
      .PrecomputedSourceIsOneWord = false,
      .ViewExclusionSparesSet = false,
      .CoreCompositesGetVariants = false,
      .GeneratedFrom = GenerationBase::InplaceMutableOutFunctional,
      .InheritedTags = InheritedTags,
      .NoGeneratedOut = NoGeneratedOut,
      .NoGeneratedOutMutable = NoGeneratedOutMutable,
      .LoneOut = LoneOut,
      .NotGroupedInplace = NotGroupedInplace,
      .ScalarTypes = ScalarTypes,
  };
  D.Keys = {
      .Unknown = UnknownKeys,
      .Dispatch = DispatchKeys,
      .Strings = {},
      .DroppedByDefault = DroppedKeys,
      .Structured = StructuredKeys,
      .Ufunc = UfuncKeys,
      .XpuHasDeviceGuard = false,
      .XpuGuardsOutputs = false,
      .OwnEmpty = KeysWithEmpty,
  };
  D.Table = {
      .Slots = Slots,
      .Components = Components,
      .FunctionalComponents = FunctionalComponents,
      .FunctionalFamily = "Sparse",
      .UnheededComponents = UnheededComponents,
      .FamilyFallbacks = FamilyFallbacks,
      .AlsoFunctionalized = AlsoFunctionalized,
      .AlsoBackendSelected = AlsoBackendSelected,
      .NoInplaceOrView = NoInplaceOrView,
      .NoAutograd = NoAutograd,
      .NotTraced = NotTraced,
  };
  D.Spelling = {
      .Optional = "c10::optional",
      .Nullopt = "c10::nullopt",
      .MakeOptional = "c10::make_optional",
      .ContiguousFormat = "MemoryFormat::Contiguous",
      .DtypeFromOptions = "optTypeMetaToScalarType",
      .IntArrayFromSymInt = "c10::asIntArrayRefSlow",
      .SymIntArrayFromInt = "c10::fromIntArrayRef",
      .IntFromSymInt = "expect_int()",
      .WrapsSymIntListDefault = false,
      .ReturnsFollowSymInt = true,
      .OptionalTensorReturn = false,
      .TensorsFromReferences = false,
  };
  D.Output = {
      .WrapperNamesHaveKey = false,
      .Helpers = HelperPlace::KernelNamespace,
      .LibraryBlocksEndInSemicolon = true,
      .HelperOptional = "c10::optional",
      .HelperNullopt = "c10::nullopt",
      .DeviceCheckNullopt = "nullopt",
      .TrimsTemplateLines = false,
      .VoidOutWrappers = false,
      .SilencesUnusedHelpers = false,
      .CommentNamesScript = false,
      .Cuda = CudaStart::Cuda,
      .StructuredOutputs = OutputHolder::ExclusivelyOwned,
      .NamesOutputDimensions = true,
      .Rocm = RocmGuard::Masquerading,
      .ExportsXpuKernels = false,
      .DispatchMacrosEndInSemicolon = true,
      .ShardsRegistrations = false,
      .Strings = OperatorStrings::Macros,
      .SymInts = SymIntTemplates::None,
      .RegistrationTypesOmitAt = true,
      .Vmap = VmapShape::AssertsLayer,
      .VmapDespiteReturns = {},
  };
  D.Aten = {
      .Lists = FileListShape::Compact,
      .HasAotiShims = false,
      .ShimUpdateNeedsDevices = false,
      .Tags = SchemaTags::InBraces,
      .HasHeaderOnlyFolder = false,
      .SelectionHasEtKernels = false,
      .FragmentNamespaces = {},
  };
  D.Functionalization = {
      .Views = ViewRecord::Lambdas,
      .Inverses = ViewInverses::OfCopies,
      .Meta = MetaTensorUse::Always,
      .Mutations = MutationUpdate::Commit,
      .Composites = CompositeEntries::All,
      .SetIsHandwritten = false,
      .SparesStorageOps = false,
      .LeftAlone = NotFunctionalized,
      .KeepsOutDtype = {},
      .RecordsOwnTensors = false,
      .HasMetaSwitch = false,
      .MisspellsTechnically = true,
      .MisspellsRunning = true,
      .ClonesContiguous = false,
      .ViewCopiesFollowYaml = false,
      .Includes = CompositeIncludes::Ops,
      .RedispatchEndsTwice = true,
  };
  D.Shims = {
      .Tensors = ShimTensors::AsTheyAre,
      .Devices = {},
      .OnlyRegisteredDevices = false,
      .DeviceOps = {},
      .GenericOps = {},
      .Versions = {},
      .LeftOut = ShimLeftOut::Nullopt,
      .NullableResults = {},
      .StringView = "",
      .Layout = ShimLayout::Blanks,
      .Shape = ShimShape::OfListedOps,
  };
  D.Python = {
      .Unbound = Unbound,
      .UnboundSchemas = UnboundSchemas,
      .BindsGeneratedViewCopies = false,
      .ReturnTypes = PythonReturns,
      .LikeDefaultsFromSelf = true,
      .DummiesTakeNoOptions = false,
      .TensorsBeforeInts = false,
      .SizedNumberLists = false,
      .ForeachReturnsSelf = false,
      .Results = NamedResults::Map,
      .Cast = MethodCast::AroundParentheses,
      .NullPointer = "NULL",
      .DeviceInit = "torch::utils::maybe_initialize_cuda",
      .SparesDispatchingTensors = false,
      .Override = OverrideCheck::Checked,
      .NodesTakeModule = false,
      .Annotated = AnnotatedArguments::Positional,
  };
  D.Library = {
      .Names = LibraryNames,
      .Kinds = LibraryKinds,
      .TakesFullNames = false,
      .TakesBuiltinLists = false,
      .QuotesSeeModule = false,
      .ReplacesKernels = false,
  };
}

} // namespace opsig
