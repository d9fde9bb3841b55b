//===- CodeFiles.h - What a file holds, by its extension ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// path => CodeFile
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_CODEFILES_H
#define OPSIG_SUPPORT_CODEFILES_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

enum class CodeFile : uint8_t {
  None,
  Cpp,       ///< a source of C++
  Gpu,       ///< a source of CUDA, HIP or MUSA
  OtherC,    ///< a source of C or Objective-C
  Header,    ///< of C++
  GpuHeader, ///< of CUDA, HIP or MUSA; compilers are also given such a file as a source
  Part,      ///< a text that other files include: ".inc", ".def", ".impl"
  Module,    ///< an interface of a C++ module
  Template,  ///< a template of one of these, configured by a build
  Python,
};

/// By the extension as it is spelled: ".C" is C++, ".c" is not.
CodeFile codeFile(llvm::StringRef Path);

} // namespace opsig

#endif
