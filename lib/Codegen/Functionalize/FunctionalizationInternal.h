//===- FunctionalizationInternal.h - Parts of the functionalization files ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators => items (groups, view groups, single functions) => kernels and registrations of each
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_FUNCTIONALIZE_FUNCTIONALIZATIONINTERNAL_H
#define OPSIG_LIB_CODEGEN_FUNCTIONALIZE_FUNCTIONALIZATIONINTERNAL_H

#include "Print/CppInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Dialect/FunctionalizationTraits.h"

namespace opsig {

//===-- What exists ---------------------------------------------------------===//

/// What kernels are made for together: one of them is set.
struct FunctionalizationItem {
  const NativeFunction *Function = nullptr;
  const NativeFunctionsGroup *Group = nullptr;
  const NativeFunctionsViewGroup *ViewGroup = nullptr;
};

/// Groups, then view groups, then the functions in neither, each in the order of the operators.
std::vector<FunctionalizationItem> functionalizationItems(const Operators &Ops);
/// The view groups among them.
std::vector<const NativeFunctionsViewGroup *> viewGroups(const Operators &Ops);

llvm::StringRef rootName(const FunctionalizationItem &Item);
/// The functions whose headers an item needs: functional, out, inplace, mutable; view, copy; or the
/// one.
llvm::SmallVector<const NativeFunction *, 4> includedFunctions(const FunctionalizationItem &Item);

/// A kernel to be made.
template <typename Kind> struct ItemKernel {
  using Shape = Kind;
  Shape Is;
  const NativeFunction *Function;
  /// One of them is set.
  const NativeFunctionsViewGroup *ViewGroup = nullptr;
  const NativeFunctionsGroup *Group = nullptr;
};

enum class FunctionalizationShape : uint8_t {
  View,        ///< makes a wrapper of the view of what is wrapped
  InplaceView, ///< changes what its argument is a view of
  Mutation,    ///< calls the functional variant and hands the results to what is written
};
using FunctionalizationKernel = ItemKernel<FunctionalizationShape>;
std::vector<FunctionalizationKernel> planKernels(const FunctionalizationItem &Item);

/// A function that gets an entry for the key Functionalize.
struct FunctionalizationEntry {
  const NativeFunction *Function;
  /// Its CompositeImplicitAutograd kernel, if that is what is registered.
  const KernelEntry *Composite;
};
std::vector<FunctionalizationEntry> planEntries(const FunctionalizationItem &Item,
                                                const Dialect &D);
/// The weakest of the reasons for which a function gets none.
inline constexpr llvm::StringLiteral WritesNothing = "it is not a view and writes to no argument";
/// What becomes of one function of \p Item.
std::variant<FunctionalizationEntry, Nothing>
planEntry(const NativeFunction &F, const FunctionalizationItem &Item, const Dialect &D);

/// Whether \p F is made from `autogen`, for which PyTorch has no kernel but those made here.
bool isGenerated(const NativeFunction &F);

/// A kernel in CompositeViewCopyKernels.cpp, made of other variants.
enum class CompositeShape : uint8_t {
  ViewCopy,   ///< the view, cloned
  Functional, ///< what the written variant makes of clones
  Out,        ///< what the functional variant returns, copied
};
using CompositeKernel = ItemKernel<CompositeShape>;
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

//===-- Kernels -------------------------------------------------------------===//

/// A tensor argument in another form: taken out of its functional wrapper, or a meta tensor.
struct ConvertedTensor {
  std::string Arg;
  std::string As;    ///< "self_", "self_meta"
  std::string Type;  ///< of a variable that owns it
  std::string Plain; ///< the argument as a value of that type
};

/// The tensors of a kernel, and all its arguments with them.
struct ConvertedArguments {
  std::vector<ConvertedTensor> Tensors;
  std::vector<Binding> Bindings;
};

/// What the kernels of views and of functions that write have in common.
struct KernelPlan {
  FunctionalizationKernel For;
  Signature Own;
  ConvertedArguments Unwrapped, Meta;
};
KernelPlan planKernel(const FunctionalizationKernel &K, const Dialect &D);

enum class SyncInputs : uint8_t { No, Yes };
/// Statements that take tensors out of their wrappers.
void printUnwrapping(std::string &Out, const ConvertedArguments &From, SyncInputs Sync);
/// A line for each tensor that is turned into a meta tensor.
void printToMeta(std::string &Out, const ConvertedArguments &From);

void printViewKernel(std::string &Out, const KernelPlan &Plan, const Dialect &D,
                     FirstError &Failed);
void printMutationKernel(std::string &Out, const KernelPlan &Plan, const Dialect &D,
                         FirstError &Failed);

/// "add__Tensor": what a function's kernel is called.
std::string functionalizationName(const FunctionSchema &S);
/// "Type name(c10::DispatchKeySet dispatchKeySet, ...)"
std::string kernelDefn(const KernelPlan &Plan, const Dialect &D);
/// The type of variables for what is returned.
std::string valueType(ReturnCType Returns, const Dialect &D);

/// What is and-ed to a condition for running on meta tensors.
inline llvm::StringRef metaSwitch(const FunctionalizationTraits &Facts) {
  return Facts.HasMetaSwitch ? " && !disable_meta_reference()" : "";
}

/// What a call of \p S that returned \p Var gives: arguments by name, and values of its own.
struct ReturnedNames {
  std::vector<std::string> Arguments;
  std::vector<std::string> Fresh;
};
ReturnedNames returnedNames(const FunctionSchema &S, llvm::StringRef Var);

/// "return a;" or "return ::std::tuple<...>(a, b);"; "" without returns.
std::string returnStatement(llvm::ArrayRef<Return> Returns, llvm::ArrayRef<std::string> Names,
                            const Lowering &L);
/// The value of return \p Index of a call that returned \p Var.
std::string returnedValue(llvm::StringRef Var, size_t Index, size_t NumReturns);

//===-- Files ---------------------------------------------------------------===//

/// A line for each header of an item's functions.
void printIncludes(std::string &Out, const FunctionalizationItem &Item);

/// Reports that no code can be made for \p F.
void reportFunctionalization(const NativeFunction &F, llvm::StringRef Why, Findings &Diags);
/// The same if \p Failed says why; returns whether it does not.
bool succeeded(const FirstError &Failed, const NativeFunction &F, Findings &Diags);

} // namespace opsig

#endif
