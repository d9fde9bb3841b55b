//===- TypeHints.cpp - What an unknown type was meant to be ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ForeignSyntax.h"
#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig::schema {

namespace {

/// Types that TorchScript schemas have beyond those of native functions.
constexpr llvm::StringLiteral TorchScript[] = {
    "None",         "NoneType", "complex",     "number", "t",      "Any",
    "AnyClassType", "Dict",     "AnyEnumType", "RRef",   "Future", "Await",
    "Tuple",        "Capsule",  "Optional",    "Union",  "Enum",
};

} // namespace

void reportUnknownType(Context &C, llvm::StringRef Text) {
  if (Text.starts_with("(")) {
    C.error(finding::TypeTorchScriptOnly, Text,
            "native functions cannot take or return the tuple '{0}'", quoted(Text));
    return;
  }
  if (std::optional<Explanation> E = ForeignSyntax(C.G, Language::Native).explainType(Text)) {
    C.error(finding::TypeUnknown, Text, "{0}", E->Message);
    return;
  }
  llvm::StringRef Head = Text.take_while([](char Ch) { return llvm::isAlnum(Ch) || Ch == '_'; });
  if (llvm::is_contained(TorchScript, Head) &&
      (Head.size() == Text.size() || Text[Head.size()] == '(' || Text[Head.size()] == '[')) {
    C.error(finding::TypeTorchScriptOnly, Text,
            "'{0}' is a TorchScript type; native functions cannot take or return it", quoted(Text));
    return;
  }
  if (size_t Bracket = Text.find_first_of("[]<>()"); Bracket != llvm::StringRef::npos) {
    C.error(finding::TypeBracket, Text.drop_front(Bracket),
            "unexpected '{0}' after a type; only '?', '[]' and '[N]' can follow",
            quoted(Text.drop_front(Bracket)));
    return;
  }
  llvm::SmallVector<llvm::StringRef, 32> Known;
  for (unsigned I = 0; I != unsigned(BaseTy::CustomClass); ++I)
    if (C.G.allows(BaseTy(I)))
      Known.push_back(toString(BaseTy(I)));
  // A long text is no misspelling, and comparing it would take its time.
  std::string Near = Text.size() <= 32 ? didYouMean(Text, Known) : "";
  C.error(finding::TypeUnknown, Text, "unknown type '{0}'{1}", quoted(Text), Near);
}

std::string quoted(llvm::StringRef Text) {
  constexpr size_t Longest = 80;
  llvm::StringRef Shown = Text.take_front(cutPlace(Text, Longest));
  bool IsUtf8 = llvm::json::isUTF8(Shown);
  std::string S;
  for (char Ch : Shown) {
    unsigned char Byte = Ch;
    if (Byte < 0x20 || Byte == 0x7F || (Byte >= 0x80 && !IsUtf8))
      S += "\\x" + llvm::utohexstr(Byte, /*LowerCase=*/false, /*Width=*/2);
    else
      S += Ch;
  }
  if (Shown.size() < Text.size())
    S += "...";
  return S;
}

std::string characterName(llvm::StringRef Character) {
  if (Character == " ")
    return "a space";
  if (Character == "\t")
    return "a tab";
  return "'" + quoted(Character) + "'";
}

llvm::StringRef firstNonIdentifier(llvm::StringRef Text, bool MayBeginWithDigit) {
  for (size_t I = 0; I != Text.size(); ++I) {
    char Ch = Text[I];
    if (llvm::isAlpha(Ch) || Ch == '_' || (llvm::isDigit(Ch) && (I != 0 || MayBeginWithDigit)))
      continue;
    // The bytes that go on with a UTF-8 character belong to it.
    size_t End = I + 1;
    while (End != Text.size() && (static_cast<unsigned char>(Text[End]) & 0xC0) == 0x80 &&
           static_cast<unsigned char>(Ch) >= 0xC0)
      ++End;
    return Text.slice(I, End);
  }
  return {};
}

} // namespace opsig::schema
