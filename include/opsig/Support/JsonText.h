//===- JsonText.h - JSON that others wrote => values -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => json::Value | what is wrong with it, also where it is nested too deeply to be read
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_JSONTEXT_H
#define OPSIG_SUPPORT_JSONTEXT_H

#include "llvm/Support/JSON.h"

namespace opsig {

/// The deepest nesting of brackets that is parsed.
constexpr unsigned MostJsonDepth = 100;

/// Fails if brackets in \p Text are nested deeper than in any file of opsig or of a build, because
/// LLVM's parsers are recursive.
llvm::Error checkJsonDepth(llvm::StringRef Text);

llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

/// Prints \p Value, or what \p Print writes, as one line in which everything that is not plain text
/// is escaped (SafeText.h).
void printJsonLine(llvm::raw_ostream &OS, const llvm::json::Value &Value);
void printJsonLine(llvm::raw_ostream &OS, llvm::function_ref<void(llvm::json::OStream &)> Print);

/// \p Text as valid UTF-8 for JSON and HTML; the bytes of a file may be anything.
std::string utf8(llvm::StringRef Text);

/// Finding::Op with its namespace, "aten::add.out"; without one if it is unknown.
std::string qualifiedOperator(llvm::StringRef Op);

} // namespace opsig

#endif
