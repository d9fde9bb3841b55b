//===- RegistrationPlanInternal.h - What a key of the in-tree build registers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function or group x BackendIndex => KeyFunction (structured or not) => wrapper, registration,
//   direct bindings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_REGISTRATIONPLANINTERNAL_H
#define OPSIG_CODEGEN_REGISTRATIONPLANINTERNAL_H

#include "Register/StructuredKernelInternal.h"
#include "opsig/Codegen/Aten.h"

namespace opsig {

/// The index of \p Key. For a key that no function lists, that of no key: even what is made for
/// every structured group is not made for it.
const BackendIndex &indexOrNone(const AtenInput &In, DispatchKey Key);

/// A function that has a wrapper under a key.
struct KeyFunction {
  const NativeFunction *Function;
  std::variant<Wrapper, StructuredKernel> By;

  /// The wrapper's signature.
  Signature signature(const BackendIndex &Index, const Dialect &D) const;
};
std::vector<KeyFunction> planKeyFunctions(const FunctionOrGroup &G, const BackendIndex &Index);

/// Why a function has none.
enum class Unregistered : uint8_t {
  ByHand,         ///< manual_kernel_registration
  NoKernel,       ///< nothing is listed for it that a wrapper could call
  Composite,      ///< likewise, but it has a kernel for many keys at once
  UnusedKey,      ///< no function lists the key
  LeftToBackends, ///< the out function of a structured group, under the key for all backends
};
Unregistered unregistered(const NativeFunction &F, NoWrapper Why);

/// What becomes of one member of \p G.
std::variant<Wrapper, StructuredKernel, Unregistered>
planKeyFunction(const NativeFunction &F, const FunctionOrGroup &G, const BackendIndex &Index);

/// Whether any function of \p G has a kernel listed, or \p G is structured and gets some under
/// \p Key all the same.
bool isRegistered(const FunctionOrGroup &G, const BackendIndex &Index, DispatchKey Key);

/// The namespace of the kernels of \p G: of the primary function's kernel, or PyTorch's own.
llvm::StringRef kernelNamespace(const FunctionOrGroup &G, const BackendIndex &Index);
llvm::StringRef rootName(const FunctionOrGroup &G);
/// The namespace of the operator: "aten".
llvm::StringRef operatorNamespace(const FunctionOrGroup &G);

/// Which list names the files of \p Key.
AtenList listOfKey(DispatchKey Key);

/// Where torchgen fills a hole with the list of a text's lines, an empty line is no element of it:
/// \p Text without its empty lines.
std::string withoutEmptyLines(llvm::StringRef Text);

//===-- Direct bindings: the functions of namespace at::cpu and the like ----===//

/// Declarations of all forms of \p F, a line each.
std::string directDeclarations(const NativeFunction &F, const Dialect &D);

/// Their definitions, which call the wrapper \p Own. Fails where arguments do not fit.
llvm::Expected<std::string> directDefinitions(const NativeFunction &F, const Signature &Own,
                                              const Dialect &D);

} // namespace opsig

#endif
