//===- Default.cpp - Default values in C++ ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Signature/Signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace opsig {

namespace {

/// 'it\'s "x"' => "it's \"x\"", without the outer quotes on either side.
std::string requote(llvm::StringRef Inner) {
  std::string Text;
  for (size_t I = 0; I < Inner.size(); ++I) {
    // A backslash at the very end can only stand before the closing quote.
    if (Inner[I] == '\\' && (I + 1 == Inner.size() || Inner[I + 1] == '\'')) {
      Text += '\'';
      ++I;
    } else if (Inner[I] == '\\') {
      Text += Inner.substr(I, 2);
      ++I;
    } else {
      if (Inner[I] == '"')
        Text += '\\';
      Text += Inner[I];
    }
  }
  return Text;
}

bool isQuoted(llvm::StringRef Text) {
  return Text.size() >= 2 && Text.starts_with("'") && Text.ends_with("'");
}

bool isDigits(llvm::StringRef Text) { return !Text.empty() && llvm::all_of(Text, llvm::isDigit); }

std::string wordText(llvm::StringRef Word, const Dialect &D) {
  return llvm::StringSwitch<llvm::StringRef>(Word)
      .Case("False", "false")
      .Case("True", "true")
      .Case("None", D.Spelling.Nullopt)
      .Case("Mean", "at::Reduction::Mean")
      .Case("[]", "{}")
      .Case("contiguous_format", D.Spelling.ContiguousFormat)
      .Case("long", "at::kLong")
      .Default(Word)
      .str();
}

} // namespace

std::string defaultText(llvm::StringRef Default, const Type &T, const Dialect &D, bool SymInt) {
  if (T.isOptional()) {
    if (Default == "None")
      return T.elem().is(BaseTy::Tensor) ? "{}" : D.Spelling.Nullopt.str();
    return defaultText(Default, T.elem(), D, SymInt);
  }
  if (T.is(BaseTy::Str) && isQuoted(Default))
    return '"' + requote(Default.drop_front().drop_back()) + '"';
  if (T.isList()) {
    if (Default.starts_with("[") && Default.ends_with("]"))
      return ("{" + Default.drop_front().drop_back() + "}").str();
    if (SymInt && D.Spelling.WrapsSymIntListDefault && T.elem().is(BaseTy::SymInt) &&
        isDigits(Default))
      return ("c10::SymInt(" + Default + ")").str();
  }
  return wordText(Default, D);
}

} // namespace opsig
