//===- AtenKeys.h - The dispatch keys of a run of gen aten ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --mps, --xpu, --mtia, --backend-whitelist, --static-dispatch-backend x Dialect => AtenKeys
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_ATENKEYS_H
#define OPSIG_TOOL_ATENKEYS_H

#include "opsig/Operators/Operators.h"
#include "llvm/Support/Error.h"

namespace opsig {

/// What the command line says about keys.
struct AtenKeyRequest {
  bool Mps = false;
  bool Xpu = false;
  bool Mtia = false;
  bool UpdateAotiShims = false;
  /// Empty: every key.
  std::vector<std::string> BackendWhitelist;
  std::vector<std::string> StaticDispatch;
};

struct AtenKeys {
  /// Kernels of these keys are checked and dropped.
  std::vector<DispatchKey> Dropped;
  /// The three below are those of AtenInput.
  std::vector<DispatchKey> Registered;
  std::vector<DispatchKey> WithFunctions;
  std::vector<DispatchKey> StaticDispatch;
};

/// Fails on a name that is no dispatch key, and on an option for a device that the release always
/// has, or never.
llvm::Expected<AtenKeys> chooseAtenKeys(const AtenKeyRequest &Request, const Dialect &D);

/// Fails on a key of --static-dispatch-backend that no operator has a kernel for.
llvm::Error checkStaticDispatch(llvm::ArrayRef<DispatchKey> Keys, const Operators &Ops);

} // namespace opsig

#endif
