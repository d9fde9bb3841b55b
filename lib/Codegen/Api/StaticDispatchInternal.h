//===- StaticDispatchInternal.h - Calls that bypass the dispatcher ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// keys of --static_dispatch_backend x function => body of at::_ops::NAME::call, headers it needs
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_STATICDISPATCHINTERNAL_H
#define OPSIG_CODEGEN_STATICDISPATCHINTERNAL_H

#include "Api/OperatorApiInternal.h"

namespace opsig {

class StaticDispatch {
public:
  /// \p Keys as given. A key that no function lists counts as Undefined.
  StaticDispatch(llvm::ArrayRef<DispatchKey> Keys, const Operators &Ops);

  /// Whether any key was given.
  explicit operator bool() const { return !Backends.empty(); }

  /// The body that takes the place of the dispatcher's call; nothing without keys. What cannot be
  /// called is reported to \p Diags.
  StaticCall callBody(const OperatorApi &Api, Findings &Diags) const;

  /// The `_dispatch.h` headers for ops/NAME.h, one per line; "" without any.
  std::string operatorIncludes(const NativeFunction &F) const;

  /// <Key>Functions.h of the keys and of what they fall back to.
  std::vector<std::string> functionsIncludes() const;

  struct Backend {
    DispatchKey Key;
    const BackendIndex *Index; ///< null for a key that no function lists
    bool Structured;           ///< structured kernels are generated for the key

    const KernelEntry *kernel(const NativeFunction &F) const {
      return Index ? Index->kernel(F) : nullptr;
    }
    bool serves(const NativeFunction &F) const {
      return kernel(F) || (F.StructuredDelegate && Structured);
    }
  };

  /// What takes the place of the dispatcher's call of a function.
  struct Plan {
    enum class Shape : uint8_t {
      Nothing,     ///< registered by hand: the body is empty
      Backend,     ///< one of the keys serves it
      Choice,      ///< several do: the arguments decide, and else Fallback is called
      Fallback,    ///< none does: a composite kernel is called
      Unsupported, ///< there is no such kernel, either: an error at run time
    } Is;
    llvm::SmallVector<const Backend *, 2> Serving;
    std::optional<DispatchKey> Fallback; ///< the composite key with a kernel
  };
  Plan plan(const NativeFunction &F) const;

private:
  std::string backendCall(const Backend &B, const NativeFunction &F, llvm::StringRef Call) const;
  std::string fallbackCall(std::optional<DispatchKey> Fallback, llvm::StringRef Name,
                           llvm::StringRef Call) const;

  llvm::SmallVector<Backend, 2> Backends;
};

} // namespace opsig

#endif
