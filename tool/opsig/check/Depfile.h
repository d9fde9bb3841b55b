//===- Depfile.h - What a run was made of, for a build system ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// an output, the files that it was made of => the rule that Make and Ninja read
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CHECK_DEPFILE_H
#define OPSIG_TOOL_CHECK_DEPFILE_H

#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace opsig {

/// Collects names of files. Thread-safe.
class InputLog {
public:
  void add(std::vector<std::string> Files) {
    std::lock_guard Lock(Mutex);
    All.insert(std::make_move_iterator(Files.begin()), std::make_move_iterator(Files.end()));
  }
  /// Once nobody adds any more.
  const std::set<std::string> &files() const { return All; }

private:
  std::mutex Mutex;
  std::set<std::string> All;
};

/// As compilers write it for -MD. What a line cannot hold is left out: names with line ends.
void writeDepfile(llvm::raw_ostream &OS, llvm::StringRef Output,
                  const std::set<std::string> &Inputs);

} // namespace opsig

#endif
