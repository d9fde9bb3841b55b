//===- SplitSchema.cpp - Text => name, arguments, returns ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ForeignSyntax.h"
#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"

namespace opsig::schema {

namespace {

constexpr llvm::StringLiteral Arrow = ") -> ";

/// Finds what can be found when ") -> " is not in the text, and says what is wrong.
void recoverFrame(Context &C, llvm::StringRef AfterOpen, llvm::StringRef Open, Frame &F) {
  size_t Close = AfterOpen.rfind(')');
  size_t Dash = llvm::StringRef::npos;
  // The last arrow behind a ')' was meant to be the one before the returns.
  for (size_t At = AfterOpen.find(')'); At != llvm::StringRef::npos;
       At = AfterOpen.find(')', At + 1))
    if (AfterOpen.drop_front(At + 1).ltrim(" \t").starts_with("->")) {
      Close = At;
      Dash = AfterOpen.find("->", At);
    }
  if (Close == llvm::StringRef::npos) {
    C.error(finding::SchemaArgumentsUnclosed, Open, "expected ')' after the arguments");
    return;
  }
  F.Args = AfterOpen.take_front(Close);
  F.HasArgs = true;
  llvm::StringRef Rest = AfterOpen.drop_front(Close + 1);
  if (Dash != llvm::StringRef::npos) {
    size_t End = Dash + 2;
    while (End != AfterOpen.size() && (AfterOpen[End] == ' ' || AfterOpen[End] == '\t'))
      ++End;
    C.error(finding::SchemaArrow, AfterOpen.slice(Close, End),
            "expected one space before and after '->', for example ') -> Tensor'");
    F.Returns = AfterOpen.drop_front(End);
    F.HasReturns = !F.Returns.empty();
    return;
  }
  if (Rest.contains("->")) {
    C.error(finding::SchemaArgumentsUnclosed, Open, "expected ')' before '->'");
    F.HasArgs = false;
    return;
  }
  std::optional<Explanation> Why = ForeignSyntax(C.G, Language::Native).explainArrow(Rest);
  C.error(finding::SchemaArrow, Why ? Why->At : Rest, "{0}",
          Why ? Why->Message : "expected ' -> ' and the return types after the arguments");
}

} // namespace

std::optional<Frame> splitSchema(Context &C) {
  llvm::StringRef Text = C.Text;
  if (Text.trim(" \t\r\n").empty()) {
    C.error(finding::SchemaEmpty, Text, "the schema is empty; expected '{0}'",
            "name.overload(Tensor self) -> Tensor");
    return std::nullopt;
  }
  if (size_t Break = Text.find('\n'); Break != llvm::StringRef::npos) {
    C.error(finding::SchemaLineBreak, Text.substr(Break, 1),
            "a schema cannot contain a line break");
    return std::nullopt;
  }
  Frame F;
  size_t Open = Text.find('(');
  F.Name = Text.take_front(Open);
  if (Open == llvm::StringRef::npos) {
    llvm::StringRef Name = Text.take_until([](char Ch) { return Ch == ' ' || Ch == ')'; });
    F.Name = Name;
    C.error(finding::SchemaArgumentsMissing, Text.drop_front(Name.size()),
            "expected '(' and the arguments after '{0}'; write '()' for no arguments",
            quoted(Name));
    return F;
  }
  llvm::StringRef AfterOpen = Text.drop_front(Open + 1);
  size_t Close = AfterOpen.rfind(Arrow);
  if (Close == llvm::StringRef::npos) {
    recoverFrame(C, AfterOpen, Text.substr(Open, 1), F);
    return F;
  }
  F.Args = AfterOpen.take_front(Close);
  F.Returns = AfterOpen.drop_front(Close + Arrow.size());
  F.HasArgs = F.HasReturns = true;
  if (size_t Earlier = F.Args.find(Arrow); Earlier != llvm::StringRef::npos)
    F.EarlierArrow = F.Args.substr(Earlier, Arrow.size());
  return F;
}

} // namespace opsig::schema
