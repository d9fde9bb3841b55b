//===- FunctionalizationInternal.h - Parts of the functionalization files ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators => items (groups, view groups, single functions) => kernels and registrations of each
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_FUNCTIONALIZATIONINTERNAL_H
#define OPSIG_LIB_CODEGEN_FUNCTIONALIZATIONINTERNAL_H

#include "opsig/Codegen/Aten.h"
#include "opsig/Signature/Translate.h"

namespace opsig {

//===-- What exists ---------------------------------------------------------===//

/// What kernels are made for together.
using FunctionalizationItem = std::variant<const NativeFunction *, const NativeFunctionsGroup *,
                                           const NativeFunctionsViewGroup *>;

/// Groups, then view groups, then the functions in neither, each in the order of the operators.
std::vector<FunctionalizationItem> functionalizationItems(const Operators &Ops);
/// The view groups among them.
std::vector<const NativeFunctionsViewGroup *> viewGroups(const Operators &Ops);

llvm::StringRef rootName(const FunctionalizationItem &Item);
/// The functions whose headers an item needs: functional, out, inplace, mutable; view, copy; or the
/// one.
llvm::SmallVector<const NativeFunction *, 4> includedFunctions(const FunctionalizationItem &Item);

/// A kernel to be made.
struct FunctionalizationKernel {
  enum class Shape : uint8_t {
    View,        ///< makes a wrapper of the view of what is wrapped
    InplaceView, ///< changes what its argument is a view of
    Mutation,    ///< calls the functional variant and hands the results to what is written
  } Is;
  const NativeFunction *Function;
  /// One of them is set.
  const NativeFunctionsViewGroup *ViewGroup = nullptr;
  const NativeFunctionsGroup *Group = nullptr;
};
std::vector<FunctionalizationKernel> planKernels(const FunctionalizationItem &Item);

/// A function that gets an entry for the key Functionalize.
struct FunctionalizationEntry {
  const NativeFunction *Function;
  /// Its CompositeImplicitAutograd kernel, if that is what is registered.
  const KernelEntry *Composite;
};
std::vector<FunctionalizationEntry> planEntries(const FunctionalizationItem &Item,
                                                const Dialect &D);
/// Why a function gets none.
enum class NoEntry : uint8_t {
  WritesNothing,
  Decomposes, ///< composite: what it is made of is functionalized
  ByHand,     ///< PyTorch has a kernel of its own for it, or keeps functionalization away
  LeftAlone,  ///< writes, but is known to have no functional variant
};
/// What becomes of one function of \p Item.
std::variant<FunctionalizationEntry, NoEntry>
planEntry(const NativeFunction &F, const FunctionalizationItem &Item, const Dialect &D);

/// Whether \p F is made from `autogen`, for which PyTorch has no kernel but those made here.
bool isGenerated(const NativeFunction &F);

/// A kernel in CompositeViewCopyKernels.cpp, made of other variants.
struct CompositeKernel {
  enum class Shape : uint8_t {
    ViewCopy,   ///< the view, cloned
    Functional, ///< what the written variant makes of clones
    Out,        ///< what the functional variant returns, copied
  } Is;
  const NativeFunction *Function;
  /// One of them is set.
  const NativeFunctionsViewGroup *ViewGroup = nullptr;
  const NativeFunctionsGroup *Group = nullptr;
};
std::vector<CompositeKernel> planComposites(const FunctionalizationItem &Item, const Dialect &D);

/// Whether FunctionalInverses.h declares how a view is undone.
bool hasInverse(const NativeFunctionsViewGroup &G);

/// Why functionalization cannot deal with an item; nothing if it can.
struct FunctionalizationProblem {
  const NativeFunction *Function;
  std::string Why;
};
std::optional<FunctionalizationProblem> whyNotFunctionalized(const FunctionalizationItem &Item,
                                                             const Dialect &D);

//===-- Text of each --------------------------------------------------------===//

/// Fail where arguments cannot be translated.
llvm::Expected<std::string> viewKernel(const FunctionalizationKernel &K, const Dialect &D);
llvm::Expected<std::string> mutationKernel(const FunctionalizationKernel &K, const Dialect &D);

/// "add__Tensor": what a function's kernel is called.
std::string functionalizationName(const FunctionSchema &S);

/// "Type name(c10::DispatchKeySet dispatchKeySet, ...)"
std::string redispatchingDefn(const Signature &S, const FunctionSchema &Of, const Dialect &D);

/// Statements that make other forms of a kernel's tensors, and all its arguments after them.
struct PreparedArguments {
  std::string Statements;
  std::vector<Binding> Bindings;
};
enum class SyncInputs { No, Yes };
/// Tensors are taken out of their functional wrappers: "self_".
PreparedArguments unwrapTensors(const Signature &S, SyncInputs Sync, const Dialect &D);
/// Tensors are turned into meta tensors: "self_meta".
PreparedArguments convertToMeta(const Signature &S);

/// What is and-ed to a condition for running on meta tensors.
inline llvm::StringRef metaSwitch(const FunctionalizationFacts &Facts) {
  return Facts.HasMetaSwitch ? " && !disable_meta_reference()" : "";
}

/// "return a;" or "return ::std::tuple<...>(a, b);"; "" without returns.
std::string returnStatement(llvm::ArrayRef<Return> Returns, llvm::ArrayRef<std::string> Names,
                            const Lowering &L);
/// The value of return \p Index of a call that returned \p Var.
std::string returnedValue(llvm::StringRef Var, size_t Index, size_t NumReturns);

//===-- Files ---------------------------------------------------------------===//

/// FunctionalInverses.h.
void addViewInverses(const AtenInput &In, AtenSink Out, Diagnostics &Diags);

/// "#include <ATen/ops/add_native.h>"
std::string opInclude(const NativeFunction &F, llvm::StringRef Suffix);

/// Reports that no code can be made for \p F.
void reportFunctionalization(const NativeFunction &F, llvm::StringRef Why, Diagnostics &Diags);
/// \p Text, or nothing and a report.
std::optional<std::string> orReport(llvm::Expected<std::string> Text, const NativeFunction &F,
                                    Diagnostics &Diags);

} // namespace opsig

#endif
