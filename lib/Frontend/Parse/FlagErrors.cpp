//===- FlagErrors.cpp - errors that are about flags, not about a text --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/FlagErrors.h"

#include "clang/Basic/LangStandard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

bool opsig::isFlagError(StringRef Message) {
  // As Clang's driver begins them, which has no place in a file to name.
  static constexpr StringLiteral Beginnings[] = {
      "invalid value '",       "invalid argument '",      "invalid integral value '",
      "invalid arch name '",   "invalid target ABI '",    "unknown argument: '",
      "unknown argument '",    "unknown target ",         "unknown type ",
      "unsupported argument ", "unsupported option '",    "argument to '",
      "argument unused ",      "language not recognized", "cannot specify "};
  return any_of(Beginnings, [&](StringRef Begin) { return Message.starts_with(Begin); });
}

/// Clang's messages are single lines.
static constexpr char Between = '\n';

FirstErrors opsig::splitFirstErrors(StringRef First) {
  FirstErrors Out;
  while (isFlagError(First)) {
    auto [Flag, Rest] = First.split(Between);
    Out.Flags.push_back(Flag);
    First = Rest;
  }
  Out.Text = First;
  return Out;
}

std::string opsig::joinFirstErrors(StringRef First, StringRef Next) {
  FirstErrors Errors = splitFirstErrors(First);
  if (isFlagError(Next))
    Errors.Flags.push_back(Next);
  else
    Errors.Text = Next;
  if (!Errors.Text.empty())
    Errors.Flags.push_back(Errors.Text);
  return join(Errors.Flags, StringRef(&Between, 1));
}

/// Those of C++ that PyTorch's headers may need, by their usual names.
static std::string cppStandards() {
  SmallVector<std::string, 8> Names;
  for (unsigned Kind = 0; Kind < clang::LangStandard::lang_unspecified; ++Kind) {
    const auto &Is = clang::LangStandard::getLangStandardForKind(clang::LangStandard::Kind(Kind));
    if (Is.getLanguage() == clang::Language::CXX && Is.isCPlusPlus17() && !Is.isGNUMode())
      Names.push_back("'" + std::string(Is.getName()) + "'");
  }
  if (Names.empty())
    return "";
  std::string Last = Names.pop_back_val();
  return Names.empty() ? Last : join(Names, ", ") + " or " + Last;
}

std::string opsig::flagAdvice(StringRef Message) {
  bool IsStandard = Message.contains("-std=") || Message.contains("--std");
  if (std::string Known = IsStandard ? cppStandards() : ""; !Known.empty())
    return "expected " + Known;
  if (Message.starts_with("unknown argument: '--"))
    return "opsig's own options go before '--'";
  if (Message.starts_with("language not recognized"))
    return "expected 'c++' or 'cuda' after '-x'";
  if (Message.starts_with("argument to '"))
    return "write its value after the flag";
  return "remove or correct this flag";
}

std::string opsig::withFlagAdvice(StringRef First) {
  FirstErrors Errors = splitFirstErrors(First);
  std::string Out;
  for (StringRef Flag : Errors.Flags)
    Out += (Out.empty() ? "" : "; ") + (Flag + "; ").str() + flagAdvice(Flag);
  if (!Out.empty() && !Errors.Text.empty())
    Out += "; ";
  return Out + Errors.Text.str();
}
