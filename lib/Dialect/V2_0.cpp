//===- V2_0.cpp - PyTorch 2.0 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in the source trees of two vendors' forks of 2.0.0, which agree but for a few lines that are
// plainly their own, and in what torchgen and tools/autograd print there without those.
//
// YAML: tags may be a list; a kernel may have three levels of namespace; a dispatch table is too
// long by the keys that are written, not by those that are kept.
//
// C++: wrappers in Register files carry their key in their name; there are templates that take
// either kind of int (`namespace symint`); digits as defaults of lists of SymInt are wrapped;
// other functions turn lists of SymInt into lists of int and back.
//
// Functionalization: meta tensors only for lazy backends, and before the guards; mutations are
// synchronized; operators that take a storage are not tried on meta tensors. View copies clone to
// contiguous memory, and are made from the kernel that the YAML names.
//
// Python bindings: more types of results can be handed back; generated view copies are bound;
// tensors are tried before ints.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

constexpr llvm::StringRef FlashAttention =
    "::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,int64_t,int64_t,int64_t,int64_t,"
    "at::Tensor>";

} // namespace

void V2_0(Draft &D) {
  D.Schema.Tags = TagSyntax::OneOrList;
  D.Schema.AwaitInStrings = true;
  D.Schema.KernelNamespaceLevels = 3;
  D.Schema.TableCount = DispatchTableCount::WrittenKeys;
  D.edit(D.Schema.InheritedTags).append({"view_copy"});
  D.edit(D.Schema.NoGeneratedOut)
      .append({"_chunk_grad_outputs_efficient_attention", "_fused_sdp_choice"});
  D.edit(D.Keys.Unknown)
      .remove({K::FuncTorchDynamicLayerBackMode, K::FuncTorchDynamicLayerFrontMode,
               K::Functionalize, K::ADInplaceOrView});

  D.Spelling.IntArrayFromSymInt = "C10_AS_INTARRAYREF_SLOW";
  D.Spelling.SymIntArrayFromInt = "c10::fromIntArrayRefSlow";
  D.Spelling.WrapsSymIntListDefault = true;

  D.Output.WrapperNamesHaveKey = true;
  D.Output.SymInts = SymIntTemplates::IsSame;
  D.Output.Vmap = VmapShape::ChecksLayer;
  D.edit(D.Aten.FragmentNamespaces).append({"quantized", "quantized_decomposed"});

  D.Functionalization.Meta = MetaTensorUse::ForLazyBackends;
  D.Functionalization.Mutations = MutationUpdate::CommitAndSync;
  D.Functionalization.SparesStorageOps = true;
  D.Functionalization.ClonesContiguous = true;
  D.Functionalization.ViewCopiesFollowYaml = true;
  D.Functionalization.Includes = CompositeIncludes::NativeOfViews;

  D.edit(D.Python.Unbound)
      .remove({"_nested_tensor_strides", "_symeig*"})
      .append({"_nested_view_from_buffer_copy_out", "_reshape_copy", "_reshape_copy_out",
               "_to_copy_out"});
  D.edit(D.Python.ReturnTypes)
      .append({"::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,at::Tensor,at::Tensor>",
               FlashAttention});
  D.Python.BindsGeneratedViewCopies = true;
  D.Python.TensorsBeforeInts = true;
  D.Python.NodesTakeModule = true;
  D.edit(D.Library.Kinds).append({"FRAGMENT"});
}

} // namespace opsig
