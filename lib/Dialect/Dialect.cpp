//===- Dialect.cpp - The dialects -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each dialect is the one before it with its changes.
//
//===----------------------------------------------------------------------===//
#include "AotiFallbackOps.h"
#include "PythonUnbound.h"
#include "opsig/Dialect/Dialect.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

using Names = llvm::StringLiteral;
using K = DispatchKey;

//===-- lists ---------------------------------------------------------------===//

constexpr Names BaseTypes113[] = {
    "Generator",    "ScalarType", "Tensor",  "int",    "Dimname", "DimVector",
    "float",        "str",        "bool",    "Layout", "Device",  "Scalar",
    "MemoryFormat", "QScheme",    "Storage", "Stream", "SymInt",  "ConstQuantizerPtr"};
constexpr Names BaseTypes24[] = {
    "Generator", "ScalarType", "Tensor", "int",    "Dimname",          "DimVector", "float",
    "str",       "bool",       "Layout", "Device", "DeviceIndex",      "Scalar",    "MemoryFormat",
    "QScheme",   "Storage",    "Stream", "SymInt", "ConstQuantizerPtr"};
constexpr Names BaseTypes27[] = {
    "Generator", "ScalarType", "Tensor", "int",    "Dimname",     "DimVector",  "float",
    "str",       "bool",       "Layout", "Device", "DeviceIndex", "Scalar",     "MemoryFormat",
    "QScheme",   "Storage",    "Stream", "SymInt", "SymBool",     "GraphModule"};

constexpr Names ScalarTypes113[] = {
    "Byte",   "Char",        "Short",        "Int",           "Long", "Half",    "Float",
    "Double", "ComplexHalf", "ComplexFloat", "ComplexDouble", "Bool", "BFloat16"};
constexpr Names ScalarTypes24[] = {
    "Byte",     "Char",        "Short",           "Int",           "Long",           "Half",
    "Float",    "Double",      "ComplexHalf",     "ComplexFloat",  "ComplexDouble",  "Bool",
    "BFloat16", "Float8_e5m2", "Float8_e5m2fnuz", "Float8_e4m3fn", "Float8_e4m3fnuz"};
constexpr Names ScalarTypes27[] = {"Byte",
                                   "Char",
                                   "Short",
                                   "Int",
                                   "Long",
                                   "Half",
                                   "Float",
                                   "Double",
                                   "ComplexHalf",
                                   "ComplexFloat",
                                   "ComplexDouble",
                                   "Bool",
                                   "BFloat16",
                                   "Float8_e5m2",
                                   "Float8_e5m2fnuz",
                                   "Float8_e4m3fn",
                                   "Float8_e4m3fnuz",
                                   "Float8_e8m0fnu"};

constexpr Names NoGeneratedOut113[] = {"_assert_async",
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
constexpr Names NoGeneratedOut24[] = {"_assert_async",
                                      "_assert_async.msg",
                                      "_cslt_sparse_mm_search",
                                      "_assert_scalar",
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
                                      "sym_constrain_range",
                                      "sym_constrain_range_for_size",
                                      "_nested_tensor_storage_offsets",
                                      "_chunk_grad_outputs_efficient_attention",
                                      "_fused_sdp_choice",
                                      "_print",
                                      "_sink_tokens",
                                      "_nested_get_ragged_idx"};
constexpr Names NoGeneratedOut27[] = {"_assert_async",
                                      "_assert_async.msg",
                                      "_assert_tensor_metadata",
                                      "_cslt_sparse_mm_search",
                                      "_assert_scalar",
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
                                      "sym_constrain_range",
                                      "sym_constrain_range_for_size",
                                      "_nested_tensor_storage_offsets",
                                      "_chunk_grad_outputs_efficient_attention",
                                      "_fused_sdp_choice",
                                      "_print",
                                      "_sink_tokens",
                                      "_nested_get_ragged_idx"};
constexpr Names NoGeneratedOutMutable[] = {"_cummax_helper", "_cummin_helper"};
constexpr Names LoneOut[] = {"adaptive_avg_pool3d_backward.grad_input",
                             "_slow_conv2d_backward.grad_input"};
constexpr Names NotGroupedInplace[] = {"polygamma_"};

constexpr Names Fragments24[] = {"quantized", "quantized_decomposed"};

constexpr Names NotFunctionalized113[] = {"record_stream", "resize_"};
constexpr Names NotFunctionalized24[] = {"record_stream", "resize_", "resize_as_",
                                         "_fill_mem_eff_dropout_mask_"};

constexpr Names InheritedTags113[] = {"nondeterministic_seeded"};
constexpr Names InheritedTags24[] = {"nondeterministic_seeded", "view_copy", "pt2_compliant_tag"};

/// Keys that the first release does not have; the others lack only ORT, which became MAIA.
constexpr DispatchKey NotIn113[] = {K::MAIA,
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
constexpr DispatchKey NotIn24[] = {K::ORT};

constexpr DispatchKey Dispatch113[] = {K::CPU,
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
constexpr DispatchKey Dispatch24[] = {K::CPU,
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
                                      K::SparseCsrMeta,
                                      K::QuantizedMeta,
                                      K::NestedTensorMeta,
                                      K::ZeroTensor};
constexpr DispatchKey Dispatch27[] = {K::CPU,
                                      K::SparseCPU,
                                      K::SparseCsrCPU,
                                      K::MkldnnCPU,
                                      K::CUDA,
                                      K::MPS,
                                      K::XPU,
                                      K::SparseXPU,
                                      K::SparseCsrXPU,
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
                                      K::NestedTensorXPU,
                                      K::Meta,
                                      K::SparseMeta,
                                      K::SparseCsrMeta,
                                      K::QuantizedMeta,
                                      K::NestedTensorMeta,
                                      K::ZeroTensor};
constexpr DispatchKey Dispatch29[] = {K::CPU,
                                      K::SparseCPU,
                                      K::SparseCsrCPU,
                                      K::MkldnnCPU,
                                      K::CUDA,
                                      K::MPS,
                                      K::XPU,
                                      K::SparseXPU,
                                      K::SparseCsrXPU,
                                      K::SparseCUDA,
                                      K::SparseCsrCUDA,
                                      K::SparseMPS,
                                      K::SparseCsrMPS,
                                      K::QuantizedCPU,
                                      K::QuantizedCUDA,
                                      K::CompositeImplicitAutograd,
                                      K::CompositeImplicitAutogradNestedTensor,
                                      K::CompositeExplicitAutograd,
                                      K::CompositeExplicitAutogradNonFunctional,
                                      K::NestedTensorCPU,
                                      K::NestedTensorCUDA,
                                      K::NestedTensorXPU,
                                      K::NestedTensorHPU,
                                      K::Meta,
                                      K::SparseMeta,
                                      K::SparseCsrMeta,
                                      K::QuantizedMeta,
                                      K::NestedTensorMeta,
                                      K::ZeroTensor,
                                      K::MTIA};

constexpr DispatchKey Dropped113[] = {K::MPS};
constexpr DispatchKey Dropped27[] = {K::MPS, K::XPU};
constexpr DispatchKey Dropped29[] = {K::MPS, K::SparseMPS, K::SparseCsrMPS, K::XPU, K::MTIA};

constexpr DispatchKey Structured113[] = {K::MPS, K::CUDA, K::CPU};
constexpr DispatchKey Structured27[] = {K::MPS, K::CUDA, K::CPU, K::XPU};
constexpr DispatchKey Structured29[] = {K::MPS, K::CUDA, K::CPU, K::XPU, K::MTIA};

// CUDA stands first: torchgen keeps these in a set, and no order of it reaches any output.
constexpr DispatchKey Ufunc[] = {K::CUDA, K::CPU};

constexpr DispatchKey OwnEmpty113[] = {K::Meta, K::CPU, K::CUDA, K::MPS};
constexpr DispatchKey OwnEmpty27[] = {K::Meta, K::CPU, K::CUDA, K::MPS, K::XPU};
constexpr DispatchKey OwnEmpty29[] = {K::Meta, K::CPU, K::CUDA, K::MPS, K::XPU, K::MTIA};

// Their symbolic return is handed through.
constexpr llvm::StringLiteral VmapDespiteReturns27[] = {"_scaled_dot_product_flash_attention",
                                                        "_scaled_dot_product_cudnn_attention"};

constexpr DispatchKey ShimDevices24[] = {K::CPU, K::CUDA};
constexpr DispatchKey ShimDevices29[] = {K::CPU, K::CUDA, K::MPS, K::XPU};

constexpr llvm::StringLiteral NullableResults24[] = {"_scaled_dot_product_flash_attention",
                                                     "_scaled_dot_product_efficient_attention",
                                                     "convolution_backward"};
constexpr llvm::StringLiteral NullableResults29[] = {
    "_functional_sym_constrain_range",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_fused_attention_overrideable",
    "_thhn_fused_lstm_cell_backward_impl",
    "convolution_backward",
    "grid_sampler_2d_backward",
    "grid_sampler_3d_backward",
    "linear_backward"};

//===-- dialects ------------------------------------------------------------===//

constexpr Dialect D113 = {
    .Name = "1.13",
    .Major = 1,
    .Minor = 13,
    .Standing = DialectStanding::Measured,
    .Schema =
        {
            .BaseTypes = BaseTypes113,
            .Default = DefaultSplit::AtLastSpace,
            .NamespacedNames = false,
            .RefusesPythonKeywords = false,
            .Tags = TagSyntax::CommaSeparated,
            .ImplicitTag = "",
            .KernelNamespaceLevels = 2,
            .TableCount = DispatchTableCount::KeptKeys,
            .RefusesConstRefOut = false,
            .SeededTagByArgumentName = false,
            .ExcusesResizeAsAndSet = false,
            .SymIntInReturnsCounts = true,
            .ScatterIsViewInverse = false,
            .PrecomputedSourceIsOneWord = false,
            .ViewExclusionSparesSet = false,
            .CoreCompositesGetVariants = false,
            .GeneratedFrom = GenerationBase::InplaceMutableOutFunctional,
            .InheritedTags = InheritedTags113,
            .NoGeneratedOut = NoGeneratedOut113,
            .NoGeneratedOutMutable = NoGeneratedOutMutable,
            .LoneOut = LoneOut,
            .NotGroupedInplace = NotGroupedInplace,
            .ScalarTypes = ScalarTypes113,
        },
    .Keys =
        {
            .Unknown = NotIn113,
            .Dispatch = Dispatch113,
            .DroppedByDefault = Dropped113,
            .Structured = Structured113,
            .Ufunc = Ufunc,
            .XpuHasDeviceGuard = false,
            .OwnEmpty = OwnEmpty113,
        },
    .Spelling =
        {
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
        },
    .Output =
        {
            .WrapperNamesHaveKey = false,
            .Helpers = HelperPlace::KernelNamespace,
            .LibraryBlockEnd = "};",
            .HelperOptional = "c10::optional",
            .HelperNullopt = "c10::nullopt",
            .DeviceCheckNullopt = "nullopt",
            .TrimsTemplateLines = false,
            .VoidOutWrappers = false,
            .MacrosHeaderLast = false,
            .CommentNamesScript = false,
            .ForwardDeclaresDeferred = false,
            .CudaLazyInit = "globalContext().lazyInitCUDA();",
            .StructuredOutputs = OutputHolder::ExclusivelyOwned,
            .AfterDispatchMacro = ";",
            .ShardsRegistrations = false,
            .Strings = OperatorStrings::Macros,
            .SymIntTestBegin = "",
            .SymIntTestEnd = "",
            .RegistrationTypesOmitAt = true,
            .Vmap = VmapShape::AssertsLayer,
            .VmapDespiteReturns = {},
        },
    .Aten =
        {
            .Lists = FileListShape::Compact,
            .HasAotiShims = false,
            .ShimUpdateNeedsDevices = false,
            .Tags = SchemaTags::InBraces,
            .SelectionHasEtKernels = false,
            .FragmentNamespaces = {},
        },
    .Functionalization =
        {
            .Views = ViewRecord::Lambdas,
            .Mutations = MutationUpdate::Commit,
            .RegistersComposites = true,
            .SetIsHandwritten = false,
            .SparesStorageOps = false,
            .LeftAlone = NotFunctionalized113,
            .MetaSwitch = "",
            .Technically = "technicaly",
            .Running = "runnin",
            .CloneArguments = "",
            .ViewCopiesFollowYaml = false,
            .Includes = CompositeIncludes::Ops,
        },
    .Shims =
        {
            .Tensors = ShimTensors::AsTheyAre,
            .Devices = {},
            .OnlyRegisteredDevices = false,
            .DeviceOps = {},
            .GenericOps = {},
            .NullableResults = {},
            .StringView = "",
            .EndOfIncludes = "",
        },
    .Python =
        {
            .Unbound = Unbound113,
            .UnboundSchemas = UnboundSchemas,
            .BindsGeneratedViewCopies = false,
            .ReturnTypes = PythonReturns113,
            .LikeDefaultsFromSelf = true,
            .DummiesTakeNoOptions = false,
            .TensorsBeforeInts = false,
            .SizedNumberLists = false,
            .ForeachReturnsSelf = false,
            .Results = NamedResults::Map,
            .Cast = MethodCast::AroundParentheses,
            .NullPointer = "NULL",
            .DeviceInit = "torch::utils::maybe_initialize_cuda",
            .NodesTakeModule = false,
            .Annotated = AnnotatedArguments::Positional,
        },
};

/// Known from single files of the releases between its neighbours: wrapper names carry the key, and
/// a selection may have fields of ExecuTorch.
constexpr Dialect make21() {
  Dialect D = D113;
  D.Name = "2.1";
  D.Major = 2;
  D.Minor = 1;
  D.Standing = DialectStanding::Recorded;
  D.Output.WrapperNamesHaveKey = true;
  D.Aten.SelectionHasEtKernels = true;
  return D;
}
constexpr Dialect D21 = make21();

constexpr Dialect make24() {
  Dialect D = D21;
  D.Name = "2.4";
  D.Minor = 4;
  D.Standing = DialectStanding::Measured;

  D.Schema.BaseTypes = BaseTypes24;
  D.Schema.Tags = TagSyntax::OneOrList;
  D.Schema.ImplicitTag = "pt2_compliant_tag";
  D.Schema.KernelNamespaceLevels = 3;
  D.Schema.TableCount = DispatchTableCount::WrittenKeys;
  D.Schema.SeededTagByArgumentName = true;
  D.Schema.ExcusesResizeAsAndSet = true;
  D.Schema.SymIntInReturnsCounts = false;
  D.Schema.ScatterIsViewInverse = true;
  D.Schema.PrecomputedSourceIsOneWord = true;
  D.Schema.ViewExclusionSparesSet = true;
  D.Schema.InheritedTags = InheritedTags24;
  D.Schema.NoGeneratedOut = NoGeneratedOut24;
  D.Schema.ScalarTypes = ScalarTypes24;

  D.Keys.Unknown = NotIn24;
  D.Keys.Dispatch = Dispatch24;

  D.Spelling.Optional = "::std::optional";
  D.Spelling.Nullopt = "::std::nullopt";
  D.Spelling.MakeOptional = "::std::make_optional";
  D.Spelling.DtypeFromOptions = "c10::optTypeMetaToScalarType";
  D.Spelling.IntArrayFromSymInt = "C10_AS_INTARRAYREF_SLOW";
  D.Spelling.SymIntArrayFromInt = "c10::fromIntArrayRefSlow";
  D.Spelling.IntFromSymInt = "guard_int(__FILE__, __LINE__)";
  D.Spelling.WrapsSymIntListDefault = true;
  D.Spelling.ReturnsFollowSymInt = false;
  D.Spelling.OptionalTensorReturn = true;

  D.Output.HelperOptional = "std::optional";
  D.Output.StructuredOutputs = OutputHolder::Plain;
  D.Output.HelperNullopt = "std::nullopt";
  D.Output.DeviceCheckNullopt = "std::nullopt";
  D.Output.VoidOutWrappers = true;
  D.Output.ForwardDeclaresDeferred = true;
  D.Output.SymIntTestBegin = "std::is_same<T, ";
  D.Output.SymIntTestEnd = ">::value";
  D.Output.Vmap = VmapShape::ChecksLayer;

  D.Aten.HasAotiShims = true;
  D.Aten.Tags = SchemaTags::SharedVectors;
  D.Aten.FragmentNamespaces = Fragments24;

  D.Functionalization.Views = ViewRecord::DescribedLambdas;
  D.Functionalization.Mutations = MutationUpdate::XlaFromResult;
  D.Functionalization.RegistersComposites = false;
  D.Functionalization.SetIsHandwritten = true;
  D.Functionalization.SparesStorageOps = true;
  D.Functionalization.LeftAlone = NotFunctionalized24;
  D.Functionalization.Technically = "technically";
  D.Functionalization.CloneArguments = "/*memory_format=*/at::MemoryFormat::Contiguous";
  D.Functionalization.ViewCopiesFollowYaml = true;
  D.Functionalization.Includes = CompositeIncludes::NativeOfViews;

  D.Shims.Devices = ShimDevices24;
  D.Shims.OnlyRegisteredDevices = true;
  D.Shims.DeviceOps = FallbackOps24;
  D.Shims.NullableResults = NullableResults24;
  D.Shims.StringView = "c10::string_view";

  D.Python.Unbound = Unbound24;
  D.Python.BindsGeneratedViewCopies = true;
  D.Python.ReturnTypes = PythonReturns24;
  D.Python.LikeDefaultsFromSelf = false;
  D.Python.DummiesTakeNoOptions = true;
  D.Python.TensorsBeforeInts = true;
  D.Python.SizedNumberLists = true;
  D.Python.ForeachReturnsSelf = true;
  D.Python.Results = NamedResults::Functions;
  D.Python.Cast = MethodCast::WhereNeeded;
  D.Python.DeviceInit = "torch::utils::maybe_initialize_device";
  D.Python.NodesTakeModule = true;
  D.Python.Annotated = AnnotatedArguments::All;
  return D;
}
constexpr Dialect D24 = make24();

constexpr Dialect make27() {
  Dialect D = D24;
  D.Name = "2.7";
  D.Minor = 7;
  D.Standing = DialectStanding::Recorded;

  D.Schema.BaseTypes = BaseTypes27;
  D.Schema.Default = DefaultSplit::AtEquals;
  D.Schema.NamespacedNames = true;
  D.Schema.RefusesPythonKeywords = true;
  D.Schema.RefusesConstRefOut = true;
  D.Schema.CoreCompositesGetVariants = true;
  D.Schema.GeneratedFrom = GenerationBase::MutableInplaceOutFunctional;
  D.Schema.NoGeneratedOut = NoGeneratedOut27;
  D.Schema.ScalarTypes = ScalarTypes27;

  D.Keys.Dispatch = Dispatch27;
  D.Keys.DroppedByDefault = Dropped27;
  D.Keys.Structured = Structured27;
  D.Keys.XpuHasDeviceGuard = true;
  D.Keys.OwnEmpty = OwnEmpty27;

  D.Spelling.ContiguousFormat = "c10::MemoryFormat::Contiguous";

  D.Output.Helpers = HelperPlace::FileTop;
  D.Output.LibraryBlockEnd = "}";
  D.Output.MacrosHeaderLast = true;
  D.Output.CommentNamesScript = true;
  D.Output.CudaLazyInit = "globalContext().lazyInitDevice(c10::DeviceType::CUDA);";
  D.Output.ShardsRegistrations = true;
  D.Output.AfterDispatchMacro = "";
  D.Output.Strings = OperatorStrings::Constants;
  D.Output.SymIntTestBegin = "std::is_same_v<T, ";
  D.Output.SymIntTestEnd = ">";
  D.Output.Vmap = VmapShape::BindsTensors;
  D.Output.VmapDespiteReturns = VmapDespiteReturns27;

  D.Aten.Lists = FileListShape::CompactByDevice;
  D.Aten.ShimUpdateNeedsDevices = true;

  D.Functionalization.Mutations = MutationUpdate::XlaBetweenInner;
  D.Functionalization.MetaSwitch = " && !disable_meta_reference()";
  D.Functionalization.Includes = CompositeIncludes::NativeOfAll;

  D.Python.NullPointer = "nullptr";
  return D;
}
constexpr Dialect D27 = make27();

constexpr Dialect make29() {
  Dialect D = D27;
  D.Name = "2.9";
  D.Minor = 9;
  D.Standing = DialectStanding::Measured;
  D.Keys.Dispatch = Dispatch29;
  D.Keys.DroppedByDefault = Dropped29;
  D.Keys.Structured = Structured29;
  D.Keys.OwnEmpty = OwnEmpty29;
  D.Output.TrimsTemplateLines = true;
  D.Output.RegistrationTypesOmitAt = false;
  D.Aten.Lists = FileListShape::OwnLines;
  D.Functionalization.Views = ViewRecord::Classes;
  D.Functionalization.Running = "running";
  D.Python.Unbound = Unbound29;

  D.Shims.Tensors = ShimTensors::Resolved;
  D.Shims.Devices = ShimDevices29;
  D.Shims.OnlyRegisteredDevices = false;
  D.Shims.DeviceOps = FallbackOps29;
  D.Shims.GenericOps = ShimifiedOps29;
  D.Shims.NullableResults = NullableResults29;
  D.Shims.StringView = "::std::string_view";
  D.Shims.EndOfIncludes = " // AT_PER_OPERATOR_HEADERS";
  return D;
}
constexpr Dialect D29 = make29();

constexpr const Dialect *All[] = {&D113, &D21, &D24, &D27, &D29};

} // namespace

llvm::ArrayRef<const Dialect *> allDialects() { return All; }

DialectChoice chooseDialect(const llvm::VersionTuple &Version) {
  llvm::VersionTuple Wanted(Version.getMajor(), Version.getMinor().value_or(0));
  auto VersionOf = [](const Dialect *D) { return llvm::VersionTuple(D->Major, D->Minor); };
  if (Wanted < VersionOf(All[0]))
    return {All[0], DialectMatch::OlderThanKnown};
  const Dialect *Best = All[0];
  for (const Dialect *D : All)
    if (VersionOf(D) <= Wanted)
      Best = D;
  if (VersionOf(Best) == Wanted)
    return {Best, DialectMatch::Exact};
  return {Best,
          Best == All[std::size(All) - 1] ? DialectMatch::NewerThanKnown : DialectMatch::Older};
}

std::optional<llvm::VersionTuple> parseTorchVersion(llvm::StringRef Text) {
  Text = Text.trim();
  Text.consume_front("v");
  unsigned Major, Minor;
  if (Text.consumeInteger(10, Major) || !Text.consume_front(".") || Text.consumeInteger(10, Minor))
    return std::nullopt;
  return llvm::VersionTuple(Major, Minor);
}

} // namespace opsig
