//===- CppSpelling.h - Canonical spellings taken apart ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "std::vector<at::Tensor> const&" (see Kernel/TypeNames.h) => CppSpelling
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_CPPSPELLING_H
#define OPSIG_LIB_CHECK_CPPSPELLING_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

struct CppSpelling {
  enum Reference : uint8_t { Value, LValue, RValue };
  std::string Name; ///< "std::vector", "long", "3"; without inline namespaces of std
  std::vector<CppSpelling> Args;
  bool Const = false;
  unsigned Pointers = 0; ///< "*" behind it, const or not
  Reference Ref = Value;

  bool is(llvm::StringRef Plain) const { return Args.empty() && Pointers == 0 && Name == Plain; }
  bool isTemplate(llvm::StringRef Template, size_t NumArgs = 1) const {
    return Pointers == 0 && Args.size() == NumArgs && Name == Template;
  }
  /// Without reference and const.
  CppSpelling decayed() const;
  std::string str() const;
  friend bool operator==(const CppSpelling &, const CppSpelling &) = default;
};

/// Nothing for spellings of functions, members and whatever else is not of the simple form.
std::optional<CppSpelling> parseCppSpelling(llvm::StringRef Text);

} // namespace opsig

#endif
