//===- PureVirtuals.cpp - what a class does not override ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool opsig::saysAbstract(StringRef Message) {
  return Message.contains("abstract class") && Message.contains('\'');
}

/// The first token of the declaration that has \p Name.
static size_t beginOfDeclaration(ArrayRef<SourceToken> Tokens, size_t Name) {
  size_t Begin = Name;
  while (Begin > 0 && !is_contained({";", "{", "}"}, Tokens[Begin - 1].Text) &&
         !(Tokens[Begin - 1].Text == ":" && Begin > 1 &&
           is_contained({"public", "protected", "private"}, Tokens[Begin - 2].Text)))
    --Begin;
  return Begin;
}

std::string opsig::overrideOf(StringRef Header, uint32_t Offset) {
  std::vector<SourceToken> Tokens = tokensOf(Header);
  auto At = find_if(Tokens, [&](const SourceToken &T) { return T.Offset == Offset; });
  if (At == Tokens.end())
    return "";
  size_t Name = size_t(At - Tokens.begin());
  std::string Out;
  uint32_t Last = 0;
  for (size_t I = beginOfDeclaration(Tokens, Name); I < Tokens.size(); ++I) {
    const SourceToken &Tok = Tokens[I];
    if (Tok.Text == "virtual")
      continue;
    // A directive, or a method that has a body.
    if (is_contained({"#", ";", "{"}, Tok.Text))
      return "";
    if (Tok.Text == "=" && I > Name && I + 1 < Tokens.size() && Tokens[I + 1].Text == "0")
      return Out + " override";
    if (!Out.empty() && Tok.Offset > Last && !StringRef(Out).ends_with("("))
      Out += ' ';
    Out += Tok.Text;
    Last = Tok.end();
  }
  return "";
}
