//===- KernelParam.h - Where declarations and their parts stand --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_KERNELPARAM_H
#define OPSIG_FRONTEND_KERNELPARAM_H

#include "opsig/Frontend/CppType.h"
#include <string>

namespace opsig {

/// One parameter. An unnamed one has an empty Name and an empty NameAt at its end.
struct KernelParam {
  std::string Name;
  std::string TypeText; ///< as written, in one line
  CppType Canonical;    ///< as Clang sees it
  Span Whole;           ///< with the default argument
  /// From the first word of the type to the last before the name. Invalid where the name stands
  /// inside its type (`int x[2]`).
  Span Type;
  Span NameAt;
  Span Default; ///< the default argument, without "="
  /// What the default argument comes to, however it is written: "3", "0.5", "none" for an empty
  /// optional, "{0, 1}", "\"mean\"", "MemoryFormat::Contiguous"; "" where there is none or that
  /// cannot be told.
  std::string DefaultValue;
  /// Where something behind the list first mentions it: the body, a lambda in it, what is returned.
  Span Use;
};

} // namespace opsig

#endif
