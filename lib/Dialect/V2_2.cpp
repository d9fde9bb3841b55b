//===- V2_2.cpp - PyTorch 2.2 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.2.2, with which all that opsig prints was compared.
//
// YAML: every operator of aten has pt2_compliant_tag; two more scalar types of eight bits.
//
// C++: a return may be `Tensor?`; a SymInt is turned into an int by a guard with a place in the
// source instead of an expectation; tags are handed on in vectors that operators share.
//
// Functionalization: lambdas come with whether a view has several outputs; set_.source_Tensor has a
// kernel written by hand; a comment has its missing letter.
//
// Python bindings: results with named fields have a function each, and a header.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

} // namespace

void V2_2(Draft &D) {
  D.edit(D.Table.Slots)
      .after({"AutocastXPU"}, {byHand("AutocastIPU"), byHand("AutocastHPU"), byHand("AutocastXLA")})
      .after({"AutocastCUDA"}, {byHand("AutocastPrivateUse1")})
      .after({"FuncTorchBatched"}, {byHand("BatchedNestedTensor", LibraryFallback::Kernel)})
      .before({"PythonDispatcher"}, {byHand("PreDispatch", LibraryFallback::Kernel)});

  D.Schema.ImplicitTag = "pt2_compliant_tag";
  D.edit(D.Schema.InheritedTags).append({"pt2_compliant_tag"});
  D.edit(D.Schema.ScalarTypes)
      .after("Float8_e5m2", {"Float8_e5m2fnuz"})
      .append({"Float8_e4m3fnuz"});
  D.edit(D.Keys.Unknown)
      .remove({K::NestedTensor, K::Dense, K::Conjugate, K::Negative, K::BatchedNestedTensor});

  D.Spelling.IntFromSymInt = "guard_int(__FILE__, __LINE__)";
  D.Spelling.OptionalTensorReturn = true;
  D.Aten.Tags = SchemaTags::SharedVectors;

  D.Functionalization.Views = ViewRecord::CountedLambdas;
  D.Functionalization.SetIsHandwritten = true;
  D.Functionalization.MisspellsTechnically = false;

  D.edit(D.Python.Unbound)
      .remove({"_nested_view_from_buffer", "_nested_view_from_buffer_copy",
               "_nested_view_from_buffer_copy_out"});
  D.edit(D.Python.ReturnTypes)
      .replace("::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,int64_t,int64_t,"
               "at::Tensor,at::Tensor,at::Tensor>",
               {"::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,c10::SymInt,c10::SymInt,"
                "at::Tensor,at::Tensor,at::Tensor>"});
  D.Python.Results = NamedResults::NamedTuples;
  D.edit(D.Library.Names).append({"impl_abstract", "get_ctx"});
  D.Library.TakesFullNames = true;
}

} // namespace opsig
