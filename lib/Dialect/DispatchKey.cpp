//===- DispatchKey.cpp - Names of dispatch keys -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Dialect/DispatchKey.h"
#include "llvm/ADT/StringSwitch.h"

namespace opsig {

static constexpr llvm::StringLiteral KeyNames[] = {
#define OPSIG_DISPATCH_KEY(Name) #Name,
#include "opsig/Dialect/DispatchKeys.def"
};

llvm::StringRef toString(DispatchKey Key) { return KeyNames[static_cast<unsigned>(Key)]; }

std::string toLower(DispatchKey Key) { return toString(Key).lower(); }

std::optional<DispatchKey> parseDispatchKey(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<DispatchKey>>(Name)
#define OPSIG_DISPATCH_KEY(Name) .Case(#Name, DispatchKey::Name)
#include "opsig/Dialect/DispatchKeys.def"
      .Case("CatchAll", DispatchKey::Undefined)
      .Default(std::nullopt);
}

bool isCompositeKey(DispatchKey Key) {
  return Key == DispatchKey::CompositeImplicitAutograd ||
         Key == DispatchKey::CompositeImplicitAutogradNestedTensor ||
         Key == DispatchKey::CompositeExplicitAutograd ||
         Key == DispatchKey::CompositeExplicitAutogradNonFunctional;
}

bool isCudaKey(DispatchKey Key) {
  switch (Key) {
  case DispatchKey::CUDA:
  case DispatchKey::QuantizedCUDA:
  case DispatchKey::SparseCUDA:
  case DispatchKey::SparseCsrCUDA:
  case DispatchKey::NestedTensorCUDA:
  case DispatchKey::AutogradCUDA:
    return true;
  default:
    return false;
  }
}

bool isXpuKey(DispatchKey Key) {
  switch (Key) {
  case DispatchKey::XPU:
  case DispatchKey::QuantizedXPU:
  case DispatchKey::SparseXPU:
  case DispatchKey::SparseCsrXPU:
  case DispatchKey::NestedTensorXPU:
  case DispatchKey::AutogradXPU:
    return true;
  default:
    return false;
  }
}

} // namespace opsig
