//===- RewriteTree.cpp - rewrites within rewrites ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts that a rewrite keeps stand in the order of the source, only what is between them
// is replaced, so that nothing else is touched; a part that moves is written out with its own
// changes.
//
//===----------------------------------------------------------------------===//
#include "Rewrite/StabilizeInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

std::vector<size_t> RewriteTree::settle() {
  llvm::stable_sort(Nodes, [](const Node &L, const Node &R) {
    return std::tuple(L.begin(), R.end()) < std::tuple(R.begin(), L.end());
  });
  std::vector<size_t> Wrong;
  std::vector<const Node *> Open;
  for (const Node &N : Nodes) {
    while (!Open.empty() && Open.back()->end() <= N.begin())
      Open.pop_back();
    if (Open.empty() || N.R->At.Length == 0) {
      Open.push_back(&N);
      continue;
    }
    bool Same = Open.back()->begin() == N.begin() && Open.back()->end() == N.end();
    if (Same || N.end() > Open.back()->end())
      Wrong.push_back(N.Owner);
    else
      Open.push_back(&N);
  }
  return Wrong;
}

void RewriteTree::put(uint32_t Begin, uint32_t End, std::string Text,
                      std::vector<TextOp> &Out) const {
  llvm::StringRef Old = Files.text(File).slice(Begin, End);
  if (Old == Text)
    return;
  Out.push_back({Begin, End - Begin, std::move(Text)});
}

std::string RewriteTree::render(uint32_t Begin, uint32_t End) {
  std::vector<TextOp> Ops;
  emit(Begin, End, Ops);
  llvm::StringRef Text = Files.text(File);
  std::string Out;
  uint32_t At = Begin;
  for (const TextOp &Op : Ops) {
    Out += Text.slice(At, Op.Offset);
    Out += Op.Text;
    At = Op.Offset + Op.Length;
  }
  Out += Text.slice(At, End);
  return Out;
}

void RewriteTree::emit(Node &N, std::vector<TextOp> &Out) {
  N.Active = true;
  uint32_t At = N.begin();
  std::string Pending;
  for (const StablePiece &Piece : N.R->With) {
    const Span &From = Piece.From;
    if (!From.isValid()) {
      Pending += Piece.Text;
    } else if (From.Offset >= At && From.end() <= N.end()) {
      put(At, From.Offset, std::move(Pending), Out);
      Pending.clear();
      emit(From.Offset, From.end(), Out);
      At = From.end();
    } else {
      Pending += render(From.Offset, From.end());
    }
  }
  put(At, N.end(), std::move(Pending), Out);
  N.Active = false;
}

void RewriteTree::emit(uint32_t Begin, uint32_t End, std::vector<TextOp> &Out) {
  uint32_t At = Begin;
  for (Node &N : Nodes) {
    bool Within = N.begin() >= At && N.end() <= End && !N.Active;
    // An insertion at the end belongs to what comes behind.
    if (!Within || (N.R->At.Length == 0 && N.begin() == End && End != Begin))
      continue;
    emit(N, Out);
    At = std::max(At, N.end());
  }
}

std::vector<TextOp> RewriteTree::ops() {
  std::vector<TextOp> Out;
  emit(0, Files.text(File).size() + 1, Out);
  return Out;
}

Replacements opsig::replacementsOf(llvm::StringRef Path, std::vector<TextOp> Ops) {
  llvm::stable_sort(Ops, [](const TextOp &L, const TextOp &R) { return L.Offset < R.Offset; });
  std::vector<TextOp> Joined;
  for (TextOp &Op : Ops) {
    if (!Joined.empty() && Joined.back().Offset + Joined.back().Length == Op.Offset) {
      Joined.back().Length += Op.Length;
      Joined.back().Text += Op.Text;
    } else if (Joined.empty() || Joined.back().Offset + Joined.back().Length < Op.Offset) {
      Joined.push_back(std::move(Op));
    }
  }
  Replacements Out;
  for (const TextOp &Op : Joined)
    llvm::cantFail(Out.add(Replacement(Path, Op.Offset, Op.Length, Op.Text)));
  return Out;
}
