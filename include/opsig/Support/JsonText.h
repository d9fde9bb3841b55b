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

/// So many brackets inside of each other are read.
constexpr unsigned MostJsonDepth = 100;

/// Fails where \p Text opens more brackets inside of each other than any file of opsig's, or of a
/// build's, has: LLVM's parsers use as much stack.
llvm::Error checkJsonDepth(llvm::StringRef Text);

llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

/// Prints \p Value, or what \p Print writes, as one line in which everything that is not plain text
/// is escaped (SafeText.h).
void printJsonLine(llvm::raw_ostream &OS, const llvm::json::Value &Value);
void printJsonLine(llvm::raw_ostream &OS, llvm::function_ref<void(llvm::json::OStream &)> Print);

/// \p Text as it may stand in JSON and HTML, which are UTF-8: a file's bytes need not be.
std::string utf8(llvm::StringRef Text);

/// Finding::Op with its namespace, "aten::add.out"; without where that is not known.
std::string qualifiedOperator(llvm::StringRef Op);

} // namespace opsig

#endif
