//===- ProgramPath.cpp - Where the running program lies ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/ProgramPath.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#ifdef __linux__
#include <sys/auxv.h>
#endif

namespace opsig {

std::string programPath() {
  static int Here;
  std::string Path = llvm::sys::fs::getMainExecutable(nullptr, &Here);
#ifdef __linux__
  // In a container or chroot without /proc the kernel still tells what it was asked to execute.
  if (Path.empty())
    if (auto *Executed = reinterpret_cast<const char *>(::getauxval(AT_EXECFN))) {
      llvm::SmallString<256> Real;
      if (!llvm::sys::fs::real_path(Executed, Real))
        Path = std::string(Real);
    }
#endif
  return Path;
}

} // namespace opsig
