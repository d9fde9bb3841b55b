//===- PyYamlScalarInternal.h - Scalars as PyYAML writes them ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => plain | 'single-quoted' | "double-quoted", as yaml.dump does in block style, in ASCII and
// without folding of long lines
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_PYYAMLSCALARINTERNAL_H
#define OPSIG_CODEGEN_PYYAMLSCALARINTERNAL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// Appends the string \p Text (UTF-8; what is not becomes U+FFFD). Further lines of a text with
/// line breaks are indented by \p Indent: two more than the collection that holds the scalar.
void appendPyYamlString(std::string &Out, llvm::StringRef Text, unsigned Indent);

/// A float: "1.0e-05", "0.5", ".inf".
std::string pyYamlFloat(double Value);

/// Appends a C++ default as Declarations.yaml has it: `true`, `false` and whatever Python's int()
/// or float() takes (in ASCII) as such a value, everything else as a string.
void appendPyYamlDefault(std::string &Out, llvm::StringRef Text, unsigned Indent);

} // namespace opsig

#endif
