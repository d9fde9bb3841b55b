//===- NamespacesInternal.h - Opening and closing nested namespaces ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CODEGEN_NAMESPACESINTERNAL_H
#define OPSIG_CODEGEN_NAMESPACESINTERNAL_H

#include "llvm/ADT/StringExtras.h"
#include <string>

namespace opsig {

/// A line "namespace a {" for every level of "a::b", outermost first.
inline std::string openNamespaces(llvm::StringRef Path) {
  std::string Text;
  for (llvm::StringRef Name : llvm::split(Path, "::"))
    Text += ("namespace " + Name + " {\n").str();
  return Text;
}

/// A line "} // namespace b" for every level of "a::b", innermost first.
inline std::string closeNamespaces(llvm::StringRef Path) {
  std::string Text;
  for (llvm::StringRef Name : llvm::split(Path, "::"))
    Text = ("} // namespace " + Name + "\n").str() + Text;
  return Text;
}

/// The namespace of direct bindings for that of kernels: "at" for "at::native".
inline std::string withoutNative(llvm::StringRef Path) {
  std::string Result = Path.str();
  for (size_t At; (At = Result.find("::native")) != std::string::npos;)
    Result.erase(At, llvm::StringRef("::native").size());
  return Result;
}

} // namespace opsig

#endif
