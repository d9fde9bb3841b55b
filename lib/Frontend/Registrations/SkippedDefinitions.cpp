//===- SkippedDefinitions.cpp - functions where a condition is off ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes are followed by their braces. What stands in branches of one `#if` begins in the same
// scope, however many braces another branch opens.
//
//===----------------------------------------------------------------------===//
#include "Registrations/SkippedText.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

using Tokens = ArrayRef<RawToken>;

/// What a brace opens.
struct OpenScope {
  std::string Name;         ///< "a::b" of a namespace or class, "" for one without
  bool Declarations = true; ///< no body, no initialiser
};

bool isName(const RawToken &T) { return T.Is == tok::raw_identifier; }

/// "A::f" that ends in front of number \p End of \p Words.
std::string nameBefore(Tokens Words, size_t End) {
  std::string Name = Words[End - 1].Text.str();
  size_t I = End - 1;
  while (I >= 2 && Words[I - 1].Is == tok::coloncolon && isName(Words[I - 2])) {
    Name = (Words[I - 2].Text + "::" + Name).str();
    I -= 2;
  }
  return Name;
}

/// Where the parameters of the function begin that \p Words declare; nothing if they declare none.
std::optional<size_t> parametersOf(Tokens Words) {
  static constexpr llvm::StringLiteral NoNames[] = {"decltype",   "__attribute__", "alignas",
                                                    "__declspec", "noexcept",      "explicit"};
  for (size_t I = 1; I < Words.size(); ++I) {
    if (Words[I].Is == tok::equal)
      return std::nullopt;
    if (Words[I].Is == tok::l_paren && isName(Words[I - 1]) &&
        !llvm::is_contained(NoNames, Words[I - 1].Text))
      return I;
  }
  return std::nullopt;
}

/// What the brace behind \p Words opens.
OpenScope scopeAfter(Tokens Words) {
  auto IsNamespace = [](const RawToken &T) { return T.is("namespace"); };
  if (auto *At = llvm::find_if(Words, IsNamespace); At != Words.end()) {
    Tokens Rest = Words.drop_front(At - Words.begin() + 1);
    return {Rest.empty() || !isName(Rest.back()) ? "" : nameBefore(Rest, Rest.size()), true};
  }
  if (!Words.empty() && Words.front().is("extern"))
    return {};
  if (parametersOf(Words))
    return {"", false};
  std::optional<size_t> Class;
  for (size_t I = 0; I < Words.size(); ++I)
    if (Words[I].is("class") || Words[I].is("struct"))
      Class = I;
  if (!Class)
    return {"", false};
  StringRef Name;
  for (const RawToken &T : Words.drop_front(*Class + 1)) {
    if (T.Is == tok::colon)
      break;
    if (isName(T) && !T.is("final"))
      Name = T.Text;
  }
  return {Name.str(), true};
}

class DefinitionReader {
public:
  DefinitionReader(const RawFile &Main, ArrayRef<SkippedLines> Skipped)
      : Code(Main.Code), Conditionals(Main.Conditionals), Skipped(Skipped) {}

  std::vector<SkippedDefinition> run();

private:
  void follow(const RawDirective &D);
  void open(Tokens Words);
  bool inDeclarations() const { return Scopes.empty() || Scopes.back().Declarations; }

  Tokens Code;
  ArrayRef<RawDirective> Conditionals;
  ArrayRef<SkippedLines> Skipped;
  std::vector<OpenScope> Scopes;
  std::vector<std::vector<OpenScope>> AtIf;
  std::vector<SkippedDefinition> Out;
};

void DefinitionReader::follow(const RawDirective &D) {
  StringRef Word = D.Words.front().Text;
  if (Word.starts_with("if"))
    AtIf.push_back(Scopes);
  else if (AtIf.empty())
    return;
  else if (Word == "endif")
    AtIf.pop_back();
  else
    Scopes = AtIf.back();
}

void DefinitionReader::open(Tokens Words) {
  if (std::optional<size_t> Params = inDeclarations() ? parametersOf(Words) : std::nullopt) {
    const RawToken &Name = Words[*Params - 1];
    if (llvm::any_of(Skipped, [&](const SkippedLines &S) { return S.hold(Name.Offset); })) {
      std::string Qualified;
      for (const OpenScope &S : Scopes)
        if (!S.Name.empty())
          Qualified += S.Name + "::";
      Out.push_back(
          {Qualified + nameBefore(Words, *Params), {0, Name.Offset, uint32_t(Name.Text.size())}});
    }
  }
  Scopes.push_back(inDeclarations() ? scopeAfter(Words) : OpenScope{"", false});
}

std::vector<SkippedDefinition> DefinitionReader::run() {
  size_t Statement = 0;
  const RawDirective *Next = Conditionals.begin();
  for (size_t I = 0; I < Code.size(); ++I) {
    for (; Next != Conditionals.end() && Next->Hash < Code[I].Offset; ++Next) {
      follow(*Next);
      Statement = I;
    }
    if (Code[I].Is == tok::l_brace)
      open(Code.slice(Statement, I - Statement));
    else if (Code[I].Is == tok::r_brace && !Scopes.empty())
      Scopes.pop_back();
    if (Code[I].Is == tok::l_brace || Code[I].Is == tok::r_brace || Code[I].Is == tok::semi)
      Statement = I + 1;
  }
  llvm::stable_sort(
      Out, [](const SkippedDefinition &L, const SkippedDefinition &R) { return L.Name < R.Name; });
  return std::move(Out);
}

} // namespace

std::vector<SkippedDefinition> opsig::skippedDefinitions(const RawFile &Main,
                                                         ArrayRef<SkippedLines> Skipped) {
  return DefinitionReader(Main, Skipped).run();
}
