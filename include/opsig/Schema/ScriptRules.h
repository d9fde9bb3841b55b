//===- ScriptRules.h - How a libtorch reads schema strings --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SCHEMA_SCRIPTRULES_H
#define OPSIG_SCHEMA_SCRIPTRULES_H

#include <string>
#include <vector>

namespace opsig {

/// What libtorch's own headers say of strings that not all releases read alike.
struct ScriptRules {
  /// Lower case names that are no types stand for any type, also where no kernel is at hand to say
  /// which one; otherwise only in PyTorch's own namespaces.
  bool TypeVariables = true;
  /// Await(T) is a type.
  bool Awaits = false;
  /// What a ScalarType's default may be called, beside the few words that always were taken.
  std::vector<std::string> ScalarTypes;
  /// Names of devices, in lower case; none: any that a release has had.
  std::vector<std::string> DeviceTypes;
  friend bool operator==(const ScriptRules &, const ScriptRules &) = default;
};

} // namespace opsig

#endif
