//===- FunctionalizationTraits.h - Functionalization, composite kernels ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_FUNCTIONALIZATIONTRAITS_H
#define OPSIG_DIALECT_FUNCTIONALIZATIONTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opsig {

/// How functionalization records a view, to replay or to revert it.
enum class ViewRecord : uint8_t {
  /// Two lambdas.
  Lambdas,
  /// Two lambdas and, but for inplace views, whether the view has several outputs.
  CountedLambdas,
  /// Two lambdas and what is known of the view, symbolic sizes among it.
  DescribedLambdas,
  /// An object of the view's own class, which is told the same.
  Classes,
};

/// How the inverses of views are called.
enum class ViewInverses : uint8_t {
  /// Named after the copying op, and told whether to reapply views.
  OfCopies,
  /// Named after the view, and told a mode of returning.
  OfViews,
};

/// When kernels run an op on meta tensors to learn of strides.
enum class MetaTensorUse : uint8_t {
  /// Always; tensors are made meta below the guards.
  Always,
  /// For lazy backends; tensors are made meta before the guards, in kernels that write, too.
  ForLazyBackends,
};

/// How a kernel hands a mutation on to its argument.
enum class MutationUpdate : uint8_t {
  /// replace_ and commit_update.
  Commit,
  /// replace_, commit_update and sync.
  CommitAndSync,
  /// propagate_xla_data of the result, replace_, commit_update and sync.
  XlaFromResult,
  /// replace_, commit_update and sync, then propagate_xla_data_direct between the inner tensors.
  XlaBetweenInner,
};

/// What CompositeViewCopyKernels.cpp includes for an op: <op>_ops.h alone, or <op>_native.h as
/// well.
enum class CompositeIncludes : uint8_t { Ops, NativeOfViews, NativeOfAll };

/// Which composites are registered for the key Functionalize. Those that are not decompose first.
enum class CompositeEntries : uint8_t { All, None, Views };

/// Facts of functionalization and of composite kernels of generated functions.
struct FunctionalizationTraits {
  ViewRecord Views;
  ViewInverses Inverses;
  MetaTensorUse Meta;
  MutationUpdate Mutations;
  CompositeEntries Composites;
  /// set_.source_Tensor has a kernel written by hand, so its group is not registered.
  bool SetIsHandwritten;
  /// Ops with arguments of type Storage are not run on meta tensors.
  bool SparesStorageOps;
  /// Functions outside of groups that may write to arguments all the same, besides those that get
  /// no variants.
  llvm::ArrayRef<llvm::StringRef> LeftAlone;
  /// Out functions whose functional variant is asked for the dtype of what is written, where the
  /// caller asks for none.
  llvm::ArrayRef<llvm::StringRef> KeepsOutDtype;
  /// The object that records a view holds tensors, where others hold references to them.
  bool RecordsOwnTensors;
  /// Running on meta tensors can be switched off: disable_meta_reference().
  bool HasMetaSwitch;
  /// Comments of generated kernels have these words with a letter too few.
  bool MisspellsTechnically, MisspellsRunning;
  /// View copies ask clone() for contiguous memory.
  bool ClonesContiguous;
  /// A view copy is named and lowered as its kernel in the YAML is.
  bool ViewCopiesFollowYaml;
  CompositeIncludes Includes;
  /// Where a kernel only redispatches, its return ends in two semicolons.
  bool RedispatchEndsTwice;
};

} // namespace opsig

#endif
