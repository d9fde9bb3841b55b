//===- RulePages.cpp - what the documentation says of a check ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/RulePages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

struct Page {
  StringLiteral Id;
  StringLiteral Text;
};

// Made by cmake/EmbedPages.cmake, in alphabetical order.
constexpr Page Pages[] = {
#include "RulePages.inc"
};

} // namespace

StringRef opsig::rulePage(FindingId Id) {
  StringRef Name = findingName(Id);
  const Page *Found = find_if(Pages, [&](const Page &P) { return P.Id == Name; });
  return Found == std::end(Pages) ? StringRef() : StringRef(Found->Text);
}

std::string opsig::firstParagraph(StringRef Page) {
  StringRef Rest = Page;
  // Behind the title and the heading "What it means".
  while (Rest.starts_with("#"))
    Rest = Rest.split('\n').second.ltrim("\n");
  std::string Line = Rest.take_front(Rest.find("\n\n")).trim().str();
  llvm::replace(Line, '\n', ' ');
  return Line;
}
