//===- StabilizeInternal.h - The steps from changes to replacements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StablePlan => edits of one tree of files => texts
#ifndef OPSIG_LIB_STABLEABI_REWRITE_STABILIZEINTERNAL_H
#define OPSIG_LIB_STABLEABI_REWRITE_STABILIZEINTERNAL_H

#include "opsig/StableAbi/Stabilize.h"

namespace opsig {

/// A replacement before it is joined with its neighbours.
struct TextOp {
  uint32_t Offset = 0, Length = 0;
  std::string Text;
};

/// Rewrites of one file, each within another or beside it.
class RewriteTree {
public:
  RewriteTree(const SourceFiles &Files, SourceId File) : Files(Files), File(File) {}

  void add(size_t Owner, const StableRewrite &R) { Nodes.push_back({Owner, &R}); }
  /// Owners of rewrites that lie across others, or in the same place.
  std::vector<size_t> settle();
  /// In the order of the file.
  std::vector<TextOp> ops();

private:
  struct Node {
    size_t Owner;
    const StableRewrite *R;
    bool Active = false;
    uint32_t begin() const { return R->At.Offset; }
    uint32_t end() const { return R->At.end(); }
  };

  void emit(uint32_t Begin, uint32_t End, std::vector<TextOp> &Out);
  void emit(Node &N, std::vector<TextOp> &Out);
  std::string render(uint32_t Begin, uint32_t End);
  void put(uint32_t Begin, uint32_t End, std::string Text, std::vector<TextOp> &Out) const;

  const SourceFiles &Files;
  SourceId File;
  std::vector<Node> Nodes;
};

/// Joins neighbours; what changes nothing is left out.
clang::tooling::Replacements replacementsOf(llvm::StringRef Path, std::vector<TextOp> Ops);

/// What is known of a file's includes.
struct IncludeWishes {
  std::set<std::string> Headers;
  std::vector<StableHelper> Helpers;
  std::vector<Span> Unstable; ///< directives that go
};

/// Replaces directives, and adds those that are missing and the helpers. \p Additions get what is
/// new code.
std::vector<TextOp> includeOps(llvm::StringRef Text, const IncludeWishes &Wishes, SourceId File,
                               std::vector<Fix> &Additions);

} // namespace opsig

#endif
