//===- StableIncludes.cpp - the headers that rewritten code needs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rewrite/StabilizeInternal.h"

#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "clang/Tooling/Inclusions/StandardLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace opsig;

namespace {

struct Directive {
  uint32_t Begin, End; ///< the line with its end
  unsigned Depth;      ///< how many conditions are open
  std::string Header;
};

/// `#ifndef NAME_H` over the whole file is none that code depends on.
bool isGuard(llvm::StringRef Rest, llvm::StringRef Name) {
  llvm::StringRef Line = Rest.ltrim().take_until([](char C) { return C == '\n'; });
  return Line.consume_front("#") && Line.ltrim().consume_front("define") &&
         Line.contains(Name.trim());
}

std::vector<Directive> includesOf(llvm::StringRef Text) {
  std::vector<Directive> Out;
  unsigned Depth = 0;
  uint32_t At = 0;
  std::vector<bool> Counts;
  while (At < Text.size()) {
    size_t End = Text.find('\n', At);
    End = End == llvm::StringRef::npos ? Text.size() : End + 1;
    llvm::StringRef Line = Text.slice(At, End).trim();
    if (Line.consume_front("#")) {
      Line = Line.ltrim();
      if (Line.consume_front("include")) {
        llvm::StringRef Name = Line.ltrim();
        llvm::StringRef Header =
            Name.drop_front().take_until([](char C) { return C == '>' || C == '"'; });
        Out.push_back({At, uint32_t(End), Depth, Header.str()});
      } else if (Line.starts_with("if")) {
        bool Guard = Line.consume_front("ifndef") && isGuard(Text.drop_front(End), Line);
        Counts.push_back(!Guard);
        Depth += !Guard;
      } else if (Line.starts_with("endif") && !Counts.empty()) {
        Depth -= Counts.back();
        Counts.pop_back();
      }
    }
    At = End;
  }
  return Out;
}

/// Project headers in quotes, the system's in brackets; those of PyTorch in front.
std::string linesFor(const std::set<std::string> &Headers, const llvm::StringSet<> &There) {
  std::string Torch, Other;
  for (const std::string &Header : Headers)
    if (!There.contains(Header))
      (llvm::StringRef(Header).contains('/') ? Torch : Other) += "#include <" + Header + ">\n";
  return Torch + Other;
}

/// Behind comments and header guard of a file that includes nothing.
uint32_t placeForFirst(llvm::StringRef Text) {
  clang::tooling::HeaderIncludes Includes("a.h", Text, clang::tooling::IncludeStyle());
  auto First = Includes.insert("a.h", /*IsAngled=*/true, clang::tooling::IncludeDirective::Include);
  return First ? First->getOffset() : 0;
}

} // namespace

std::string opsig::missingStandardHeader(llvm::StringRef Error, llvm::StringRef Behind) {
  using namespace clang::tooling::stdlib;
  // "no type named 'X' in namespace 'std'; did you mean ...": the name is the first thing quoted.
  // "implicit instantiation of undefined template 'std::atomic<int>'": it was only declared.
  auto [Before, Rest] = Error.split('\'');
  auto [Name, After] = Rest.split('\'');
  bool Undeclared = Before == "use of undeclared identifier " || Before == "unknown type name ";
  std::optional<Symbol> Known;
  if (Before.starts_with("no ") && After.starts_with(" in namespace 'std'"))
    Known = Symbol::named("std::", Name);
  else if (Before == "implicit instantiation of undefined template " && Name.consume_front("std::"))
    Known = Symbol::named("std::", Name.take_until([](char C) { return C == '<'; }));
  else if (Undeclared && Name == "std" && Behind.consume_front("std::"))
    Known = Symbol::named("std::",
                          Behind.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; }));
  else if (Undeclared)
    Known = Symbol::named("", Name, Lang::C);
  std::optional<Header> Where = Known ? Known->header() : std::nullopt;
  return Where ? Where->name().trim("<>").str() : "";
}

std::vector<TextOp> opsig::includeOps(llvm::StringRef Text, const IncludeWishes &Wishes,
                                      SourceId File, std::vector<Fix> &Additions) {
  std::vector<TextOp> Ops;
  std::vector<Directive> All = includesOf(Text);
  llvm::StringSet<> There;
  std::vector<const Directive *> Gone;
  unsigned Least = ~0u;
  for (const Directive &D : All) {
    bool Goes = llvm::any_of(
        Wishes.Unstable, [&](const Span &S) { return S.Offset >= D.Begin && S.Offset < D.End; });
    Least = std::min(Least, D.Depth);
    if (Goes)
      Gone.push_back(&D);
    else if (D.Depth == 0)
      There.insert(D.Header);
  }
  std::string Lines = linesFor(Wishes.Headers, There);
  auto Outermost = llvm::find_if(Gone, [&](const Directive *D) { return D->Depth == Least; });
  const Directive *Place = Outermost == Gone.end() ? nullptr : *Outermost;
  for (const Directive *D : Gone)
    Ops.push_back({D->Begin, D->End - D->Begin, D == Place ? Lines : std::string()});
  // Behind all that are there, or in front of all code.
  uint32_t Behind = All.empty() ? placeForFirst(Text) : 0;
  for (const Directive &D : All)
    if (D.Depth == Least)
      Behind = D.End;
  if (!Place && !Lines.empty()) {
    const Directive *First = All.empty() ? nullptr : &All.front();
    // In front of the last: a header that needs them may be among them.
    for (const Directive &D : All)
      if (D.Depth == Least && !llvm::StringRef(D.Header).empty())
        First = &D;
    Ops.push_back({First ? First->End : Behind, 0, Lines});
  }
  for (const StableHelper &Helper : Wishes.Helpers) {
    std::string New = "\n" + Helper.Text + "\n";
    Ops.push_back({Behind, 0, New});
    Additions.push_back({File, Behind, 0, New});
  }
  return Ops;
}
