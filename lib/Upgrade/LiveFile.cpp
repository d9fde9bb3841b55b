//===- LiveFile.cpp - what stands around a token ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool LiveFile::isLive(uint32_t Offset) const {
  return none_of(Unread, [&](const Span &S) { return Offset >= S.Offset && Offset < S.end(); });
}

std::optional<size_t> LiveFile::wordAt(uint32_t Offset) const {
  auto It = partition_point(Tokens, [&](const SourceToken &T) { return T.Offset < Offset; });
  if (It == Tokens.end() || It->Offset != Offset || It->Is != SourceToken::Word)
    return std::nullopt;
  return size_t(It - Tokens.begin());
}

size_t LiveFile::qualifiedBegin(size_t Token) const {
  while (before(Token) == "::") {
    --Token;
    // `return ::at::f()` has a keyword before.
    if (Token == 0 || Tokens[Token - 1].Is != SourceToken::Word ||
        Tokens[Token - 1].end() != Tokens[Token].Offset)
      break;
    --Token;
  }
  return Token;
}

/// Whether the brace that \p Token opens is of a namespace, or of `extern "C"`.
static bool opensNamespace(const LiveFile &File, size_t Token) {
  if (File.before(Token, 2) == "extern")
    return true;
  for (size_t I = Token; I > 0; --I) {
    const SourceToken &T = File.Tokens[I - 1];
    if (T.Text == "namespace")
      return true;
    if (T.Is != SourceToken::Word && T.Text != "::")
      return false;
  }
  return false;
}

bool LiveFile::isInBody(size_t Token) const {
  SmallVector<bool> Open;
  for (size_t I = 0; I < Token; ++I) {
    if (Tokens[I].Text == "{")
      Open.push_back(!opensNamespace(*this, I));
    else if (Tokens[I].Text == "}" && !Open.empty())
      Open.pop_back();
  }
  return is_contained(Open, true);
}

StringRef opsig::calleeAround(const LiveFile &File, uint32_t Offset) {
  unsigned Depth = 0;
  size_t I = 0;
  while (I < File.Tokens.size() && File.Tokens[I].Offset < Offset)
    ++I;
  for (; I > 0; --I) {
    StringRef Text = File.Tokens[I - 1].Text;
    if (Text == ")" || Text == "]" || Text == "}")
      ++Depth;
    else if ((Text == "(" || Text == "[" || Text == "{") && Depth-- == 0)
      return Text == "(" && I > 1 ? File.Tokens[I - 2].Text : "";
    else if (Text == ";" && Depth == 0)
      return "";
  }
  return "";
}
