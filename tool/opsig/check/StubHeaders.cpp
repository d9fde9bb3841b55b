//===- StubHeaders.cpp - Headers of toolkits that are not installed ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ShareFolder.h"
#include "check/StubHeaders.h"
#include "check/TorchIncludeDirs.h"
#include "llvm/Support/FileSystem.h"

namespace opsig {

/// What the compiler of \p Language includes before a source, below the folder; "" if nothing.
static llvm::StringRef preludeOf(SourceLanguage Language) {
  switch (Language) {
  case SourceLanguage::Cpp:
    return "";
  case SourceLanguage::Cuda:
    return "/cuda/cuda_prelude.h";
  case SourceLanguage::Hip:
    return "/hip/hip_prelude.h";
  case SourceLanguage::Musa:
    return "/musa/musa_prelude.h";
  }
  return "";
}

void addStubHeaders(CompileCommands &Commands) {
  warnOfIncompleteInstallation();
  std::string Folder = shareFolder() + "/stand-ins";
  if (!llvm::sys::fs::is_directory(Folder))
    return;
  Commands.adjustJobs([Folder](ParseJob &Job) {
    std::vector<std::string> Flags;
    for (llvm::StringRef Part : {"torch", "kernel-builder", "openmp", "cuda", "hip", "musa"})
      Flags.insert(Flags.end(), {"-idirafter", Folder + "/" + Part.str()});
    if (llvm::StringRef Prelude = preludeOf(Job.Language); !Prelude.empty())
      Flags.insert(Flags.end(), {"-include", Folder + Prelude.str()});
    addFlags(Job, Flags);
  });
}

} // namespace opsig
