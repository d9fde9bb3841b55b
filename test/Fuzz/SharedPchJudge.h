//===- SharedPchJudge.h - Does a source read the same with a prefix? -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source as it is, its flags => the prefix that it and another one like it get
// The source, edited => the facts read with that prefix, the facts read without => a difference
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TEST_FUZZ_PREFIXJUDGE_H
#define OPSIG_TEST_FUZZ_PREFIXJUDGE_H

#include "opsig/Frontend/Parse.h"
#include <map>
#include <optional>

namespace opsig {
struct SharedPch;
}

namespace opsig::fuzz {

/// Sources that include the same headers of others under the same flags share a prefix, so there
/// are few. All sources are below /mem/, and nothing else is.
class SharedPchJudge {
public:
  SharedPchJudge();
  ~SharedPchJudge();

  /// The prefix for \p Job with its text in \p Options; null where there is nothing to share.
  const SharedPch *sharedPchFor(const ParseJob &Job, ParseOptions Options);

  /// How the facts of \p Job differ with \p P; nothing where they are the same, or where \p P does
  /// not fit, as is found out in reading.
  static std::optional<std::string> difference(const SharedPch &P, const ParseJob &Job,
                                               ParseOptions Options);

private:
  struct Kept;
  std::unique_ptr<Kept> All;
};

} // namespace opsig::fuzz

#endif
