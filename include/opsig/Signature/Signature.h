//===- Signature.h - The C++ signatures that a schema demands ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeFunction x Dialect => Signature per calling convention => declaration text | translate |
// compare
//
// One source file per convention: Cpp.cpp, Dispatcher.cpp, Native.cpp, Structured.cpp. All
// functions are pure; what torchgen keeps in thread-local flags is the Lowering argument here.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_SIGNATURE_H
#define OPSIG_SIGNATURE_SIGNATURE_H

#include "opsig/Operators/Operators.h"
#include "opsig/Signature/CType.h"

namespace opsig {

/// How argument types are lowered, besides the convention: flags of the function (in a group: of
/// its out function; in a view group: of the view) on whose behalf code is made.
struct Lowering {
  const Dialect *D;
  /// Mutable tensors are taken by const reference.
  bool ConstRefForMutableTensors = false;
  /// TensorList is lowered to ITensorListRef.
  bool IListRefForTensorLists = false;

  static Lowering of(const NativeFunction &F, const Dialect &D);
  static Lowering of(const NativeFunctionsGroup &G, const Dialect &D) { return of(*G.Out, D); }
};

/// How every function's arguments are lowered: as its group says, where it has one.
class Lowerings {
public:
  /// \p Ops must outlive this.
  explicit Lowerings(const Operators &Ops);
  Lowering of(const NativeFunction &F) const;

private:
  const Dialect &D;
  llvm::DenseMap<const NativeFunction *, Lowering> ByFunction;
};

/// One parameter of a C++ signature.
struct Binding {
  std::string Name;
  NamedCType Type;
  std::optional<std::string> Default; ///< C++ text
  /// The schema argument it stands for (of a precomputed parameter: the argument in the
  /// Precompute); null for packed `options`. Not owned: the function or group must live on.
  const Argument *Arg = nullptr;

  std::string decl(const Dialect &D) const; ///< "int64_t dim=0"
  std::string defn(const Dialect &D) const; ///< "int64_t dim"
};

/// A C++ function signature: what it is called by default, takes and returns.
struct Signature {
  std::string Name;
  std::vector<Binding> Params;
  ReturnCType Returns;

  /// "at::Tensor add(const at::Tensor & self, const at::Scalar & alpha=1)", under \p As if given.
  std::string decl(const Dialect &D, llvm::StringRef As = {}) const;
  /// The same without defaults.
  std::string defn(const Dialect &D, llvm::StringRef As = {}) const;
  /// The same at the end of \p Out; \p First stands in front of the parameters.
  void appendDecl(std::string &Out, const Dialect &D, llvm::StringRef As = {},
                  llvm::StringRef First = {}) const;
  void appendDefn(std::string &Out, const Dialect &D, llvm::StringRef As = {},
                  llvm::StringRef First = {}) const;
  std::string type(const Dialect &D) const;    ///< "at::Tensor (const at::Tensor &)"
  std::string ptrType(const Dialect &D) const; ///< "at::Tensor (*)(const at::Tensor &)"
};

//===-- what the conventions share ------------------------------------------===//

/// Why there is no C++ signature for \p S, e.g. "type 'GraphModule' of argument 'm' has no C++
/// type"; nothing if there is one. Lowering is total all the same: where this gives a reason, types
/// come out as CppBase::Unlowerable or as something that torchgen would refuse.
std::optional<std::string> whyNotLowerable(const FunctionSchema &S, const Dialect &D);

/// Reports every function and structured group that has no C++ signatures. What follows may assume
/// that there is none.
void checkLowerable(const Operators &Ops, Findings &Diags);
/// The same for one function.
bool isLowerable(const NativeFunction &F, const Dialect &D, Findings &Diags);

/// The C++ text of a schema default: "at::Reduction::Mean" of `Mean`, "{0,1}" of `[0,1]`.
std::string defaultText(llvm::StringRef Default, const Type &T, const Dialect &D, bool SymInt);

/// The returns in every convention but structured.
ReturnCType returnsType(llvm::ArrayRef<Return> Returns, const Lowering &L, bool SymInt);

/// The type of an argument in the cpp and dispatcher, native and structured conventions.
CType cppType(const Argument &A, const Lowering &L, bool SymInt);
CType nativeType(const Argument &A, const Lowering &L, bool SymInt);
CType structuredType(const Argument &A);

//===-- cpp: the public API (at::add, Tensor::add) -------------------------===//

struct CppForm {
  bool Method = false;   ///< without self
  bool Faithful = false; ///< schema order, no defaults, tensor options unpacked
  bool SymInt = false;
  bool FallbackBinding = false; ///< name prefixed with __dispatch_
};
Signature cppSignature(const NativeFunction &F, CppForm Form, const Lowering &L);
/// "add", "add_out", "add_symint_outf".
std::string cppName(const FunctionSchema &S, bool Faithful = false, bool SymInt = false);

/// The forms of a function in torchgen's order: plain; faithful (with tensor options or out
/// arguments); symint; faithful symint (with SymInt). Plain always exists.
struct CppSignatures {
  Signature Plain;
  std::optional<Signature> Faithful, SymInt, SymIntFaithful;
  const Signature &mostFaithful() const { return Faithful ? *Faithful : Plain; }
  llvm::SmallVector<const Signature *, 4> all(bool WithSymInt = true) const;
};
/// Of \p Form only Method and FallbackBinding count.
CppSignatures cppSignatures(const NativeFunction &F, CppForm Form, const Lowering &L);

/// Per return of an out/inplace/other function the name its value has inside a wrapper.
std::vector<std::string> returnNames(const NativeFunction &F, llvm::StringRef Fallback = "result");

//===-- dispatcher: what is registered --------------------------------------===//

Signature dispatcherSignature(const FunctionSchema &S, const Lowering &L, bool SymInt = true,
                              llvm::StringRef Prefix = {});

//===-- native: kernels in at::native ---------------------------------------===//

Signature nativeSignature(const FunctionSchema &S, const Lowering &L, bool SymInt,
                          llvm::StringRef Prefix = {});
/// The name a native signature has by itself: "add_out_Scalar".
std::string nativeName(const FunctionSchema &S);

/// What a kernel that an index lists must look like: dispatcher convention for external backends,
/// native for the others; symint by the kernel's name.
Signature kernelSignature(const NativeFunction &F, const BackendIndex &Index, const Lowering &L,
                          llvm::StringRef Prefix = {});

//===-- structured: meta and impl functions ---------------------------------===//

/// Parameters of the meta function (name "meta", returns void) and of the impl function ("impl").
Signature structuredMeta(const NativeFunctionsGroup &G, const Dialect &D);
Signature structuredImpl(const NativeFunctionsGroup &G, const Dialect &D);
/// "add_Tensor" of add.Tensor: what the meta class is called after.
std::string structuredMetaName(const NativeFunctionsGroup &G);

} // namespace opsig

#endif
