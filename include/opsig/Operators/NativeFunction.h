//===- NativeFunction.h - One operator of native_functions.yaml -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_OPERATORS_NATIVEFUNCTION_H
#define OPSIG_OPERATORS_NATIVEFUNCTION_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Schema/FunctionSchema.h"
#include "opsig/Support/SourceText.h"

namespace opsig {

enum class DeviceCheck : uint8_t { ExactSame, NoCheck };

/// Keys of `ufunc_inner_loop:`, in the order torchgen declares them.
enum class UfuncKey : uint8_t {
  CUDAFunctor,
  CUDAFunctorOnOther,
  CUDAFunctorOnSelf,
  CPUScalar,
  CPUVector,
  ScalarOnly,
  Generic,
};
llvm::StringRef toString(UfuncKey Key);
std::optional<UfuncKey> parseUfuncKey(llvm::StringRef Name);

/// "add (AllAndComplex, BFloat16)": a loop's name and the scalar types it serves, classes expanded,
/// each once, in the order of first mention.
struct UfuncInnerLoop {
  UfuncKey Key;
  std::string Name;
  std::vector<std::string> Dtypes;
};

/// `precomputed:`: arguments of the structured impl that replace schema arguments, or are added.
struct Precompute {
  struct Replacement {
    std::string Source;
    std::vector<Argument> By;
  };
  std::vector<Replacement> Replace; ///< in written order
  std::vector<Argument> Add;

  const Replacement *replacementOf(llvm::StringRef ArgumentName) const;
};

/// A kernel that a dispatch table names.
struct KernelEntry {
  DispatchKey Key;
  std::string Kernel;       ///< "add_out"
  std::string CppNamespace; ///< "at::native"
  bool Structured = false;
  /// Of a structured one: its class has a meta function of its own.
  bool DefinesMeta = false;
  Place At; ///< where the YAML names it; invalid for implied entries

  /// "_symint" occurs in the kernel's name.
  bool supportsSymInt() const;
};

/// How an op takes part in views.
enum class ViewKind : uint8_t { Aliasing, AliasingInplace, NonAliasing };

struct NativeFunction {
  std::string Namespace = "aten";
  FunctionSchema Schema;

  bool UseConstRefForMutableTensors = false;
  bool DeviceGuard = true;
  DeviceCheck Check = DeviceCheck::ExactSame;
  std::string PythonModule;     ///< "" without
  std::string CategoryOverride; ///< "" without
  bool IsFunctionVariant = true;
  bool IsMethodVariant = false;
  bool ManualKernelRegistration = false;
  bool ManualCppBinding = false;
  std::vector<OperatorName> Autogen;
  std::vector<UfuncInnerLoop> UfuncInnerLoops; ///< in written order
  bool Structured = false;
  std::optional<OperatorName> StructuredDelegate;
  std::string StructuredInherits; ///< "" without
  std::optional<Precompute> Precomputed;
  std::vector<std::string> CppNoDefaultArgs;
  bool IsAbstract = false;
  /// The op's own dispatch table after all implied entries, in written order; keys that were
  /// dropped (Dialect: DroppedByDefault) are not in it.
  std::vector<KernelEntry> Dispatch;
  std::vector<std::string> Tags; ///< sorted, each once
  /// Made by autogen from another entry.
  bool Generated = false;

  /// Where the entry's schema text stands in the YAML (for a generated op: its source's).
  LocatedText SchemaText;
  /// SchemaText is what Schema.str() makes, letter by letter.
  bool SchemaAsWritten = false;
  /// Schema.str(), without making it where it stands in the YAML.
  std::string schemaText() const { return SchemaAsWritten ? SchemaText.Text.str() : Schema.str(); }
  /// Line of the entry.
  Place Entry;

  /// For users: "add.Tensor", but "npu::copy" where the namespace is not aten.
  std::string shownName() const;
  llvm::StringRef rootName() const { return Schema.Name.Name.Base; }
  SchemaKind kind() const { return Kind; }
  /// Cached when the function is built: Schema.kind().
  SchemaKind Kind = SchemaKind::Functional;

  bool hasTag(llvm::StringRef Tag) const;
  const KernelEntry *kernel(DispatchKey Key) const;
  bool hasKernel(DispatchKey Key) const { return kernel(Key) != nullptr; }
  /// CompositeImplicitAutograd, CompositeExplicitAutograd or its NonFunctional form.
  bool hasCompositeKernel() const;
  bool partOfStructuredGroup() const { return Structured || StructuredDelegate.has_value(); }
  /// SymInt among arguments (and returns, where the dialect counts them).
  bool hasSymInt(const Dialect &D) const;
  bool isViewOp(const Dialect &D) const;
  ViewKind viewKind(const Dialect &D) const;
};

/// "out" or "inplace": the tag that a function gets for its kind; "" for others, and where the
/// release gives none.
llvm::StringRef kindTag(const FunctionSchema &S, const Dialect &D);

} // namespace opsig

#endif
