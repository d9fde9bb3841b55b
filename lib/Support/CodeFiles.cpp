//===- CodeFiles.cpp - What a file holds, by its extension --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/CodeFiles.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

namespace opsig {

CodeFile codeFile(llvm::StringRef Path) {
  return llvm::StringSwitch<CodeFile>(llvm::sys::path::extension(Path))
      .Cases({".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"}, CodeFile::Cpp)
      .Cases({".cu", ".hip", ".mu"}, CodeFile::Gpu)
      .Cases({".c", ".m", ".mm"}, CodeFile::OtherC)
      .Cases({".h", ".hh", ".hpp", ".hxx", ".h++"}, CodeFile::Header)
      .Case(".cuh", CodeFile::GpuHeader)
      .Cases({".inc", ".inl", ".ipp", ".tcc", ".tpp", ".txx", ".def", ".impl"}, CodeFile::Part)
      .Cases({".ixx", ".cppm"}, CodeFile::Module)
      .Case(".in", CodeFile::Template)
      .Cases({".py", ".pyi"}, CodeFile::Python)
      .Default(CodeFile::None);
}

} // namespace opsig
