//===- Functionalization.h - Views recorded, replayed and reverted ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view group (x Dialect) => its inverse's signature | lambdas or class that record a view
//
// Functionalization replaces a view by its copy and records how to get from the base to the view
// (forward) and how to write a changed view back into its base (reverse). What is recorded outlives
// the call, so arguments are kept as values. By release the record is a pair of lambdas or an
// object of a class that every view has of its own.
//
// Where a Lowering is asked for, it is that of the function whose kernel or class is made.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_FUNCTIONALIZATION_H
#define OPSIG_SIGNATURE_FUNCTIONALIZATION_H

#include "opsig/Signature/Translate.h"

namespace opsig {

/// What a record calls: the view itself, the op that copies (both forward), or the inverse
/// (reverse).
enum class ViewCallee : uint8_t { View, Copy, Inverse };

/// Whether there are several tensors to choose one from: several returns, or a list.
bool hasSeveralOutputs(const FunctionSchema &S);

/// The type of an argument in the dispatcher convention, with lists of numbers as vectors that own
/// them; later releases own tensors and scalars, too.
CType owningType(const Argument &A, const Lowering &L);

/// The inverse of a view, which is written by hand: base, mutated_view, how to return, the index of
/// the output where there are several, then the view's arguments but for the first.
/// Returns one tensor.
Signature viewInverseSignature(const NativeFunctionsViewGroup &G, const Lowering &L);

/// One of the two lambdas that record a view. It returns one tensor.
struct ViewLambda {
  std::vector<Expr> Captures; ///< their type's name is that of the capture
  std::vector<Binding> Params;

  /// "[dim = dim](const at::Tensor & base, int64_t mutated_view_idx) -> at::Tensor"
  std::string decl(const Dialect &D) const;
};

/// The lambda from whose body \p Callee is called. Fails where translate does.
llvm::Expected<ViewLambda> viewLambda(const NativeFunctionsViewGroup &G, ViewCallee Callee,
                                      const Lowering &L);
/// The call in its body: "at::_ops::view_copy::call(base, size)".
llvm::Expected<std::string> viewLambdaCall(const NativeFunctionsViewGroup &G, ViewCallee Callee,
                                           const Lowering &L);

/// The class that records one view op.
struct ViewMetaClass {
  const NativeFunctionsViewGroup *Group;
  bool SeveralOutputs;
  bool AsStrided;
  std::string Name; ///< "transpose_int_ViewMeta", in namespace at::functionalization
  /// Constructor parameters: those that go to the base class (has_symbolic_inputs and, with several
  /// outputs, out_index), and the class's own.
  std::vector<Binding> BaseParams;
  std::vector<Binding> OwnParams;
  /// What is stored of OwnParams, one for one: reapply_views, inverse_return_mode, then the view's
  /// arguments but for the first.
  std::vector<Binding> Attributes;

  std::vector<Binding> params() const; ///< BaseParams, OwnParams
  /// "std::make_shared<at::functionalization::X_ViewMeta>(...)" from variables of the parameters'
  /// names; \p OutIndex stands in the place of out_index.
  std::string make(llvm::StringRef OutIndex) const;
};

/// The class of \p F, which is the group's view or inplace view.
ViewMetaClass viewMetaClass(const NativeFunctionsViewGroup &G, const NativeFunction &F,
                            const Lowering &L);
/// How each attribute is made from the constructor's parameters.
llvm::Expected<std::vector<Expr>> viewMetaInitialisers(const ViewMetaClass &C, const Lowering &L);
/// The call in the class's `forward` or `reverse`.
llvm::Expected<std::string> viewMetaCall(const ViewMetaClass &C, ViewCallee Callee,
                                         const Lowering &L);

} // namespace opsig

#endif
