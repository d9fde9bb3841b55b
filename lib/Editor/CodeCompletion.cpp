//===- CodeCompletion.cpp - What may be written in a registration -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => tokens before the place => (which call of which block is it an argument of?) names
//
// The text may be half typed, so that no parse of it is at hand; tokens are enough here.
//
//===----------------------------------------------------------------------===//
#include "EditorInternal.h"
#include "SchemaCompletion.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::StringRef;

namespace opsig {

namespace {

struct Token {
  clang::tok::TokenKind Kind;
  size_t Begin, End;
};

/// Those that begin before \p At, comments left out. \p InComment: the place is in one.
std::vector<Token> tokensBefore(const std::string &Text, size_t At, bool &InComment) {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus20 = true;
  Options.LineComment = Options.RawStringLiterals = true;
  clang::Lexer Lexer(clang::SourceLocation(), Options, Text.data(), Text.data(),
                     Text.data() + Text.size());
  Lexer.SetCommentRetentionState(true);
  std::vector<Token> Out;
  InComment = false;
  clang::Token Tok;
  for (bool IsLast = false; !IsLast;) {
    IsLast = Lexer.LexFromRawLexer(Tok);
    // The last one ends where the text does.
    size_t End = Lexer.getBufferLocation() - Text.data(), Begin = End - Tok.getLength();
    if (Begin >= At || Tok.is(clang::tok::eof))
      break;
    if (Tok.is(clang::tok::comment))
      InComment = End > At || (End == At && Text[End - 1] != '/');
    else
      Out.push_back({Tok.getKind(), Begin, End});
  }
  return Out;
}

/// A string literal that holds the place, or that is not closed on its line.
struct OpenString {
  std::string Before; ///< its value up to the place, that of adjacent literals included
  size_t Begin = 0;   ///< of the literal's own contents
  size_t End = 0;     ///< their end: the quote, or the end of the line
  size_t First = 0;   ///< index of the first of adjacent literals
};

class Scanner {
public:
  Scanner(StringRef Text, size_t At) : Text(Text.str()), At(std::min(At, Text.size())) {
    Tokens = tokensBefore(this->Text, this->At, InComment);
  }

  bool inComment() const { return InComment; }
  std::optional<OpenString> openString() const;
  /// "def" or "impl" if the literal is the first argument of such a call of a library.
  StringRef calledWith(const OpenString &String) const;
  /// Offset of the macro that begins the nearest block before the place.
  std::optional<size_t> block() const;
  StringRef text() const { return Text; }

private:
  StringRef textOf(const Token &T) const { return StringRef(Text).slice(T.Begin, T.End); }
  bool isString(const Token &T) const {
    return clang::tok::isStringLiteral(T.Kind) ||
           (T.Kind == clang::tok::unknown && textOf(T).starts_with("\""));
  }
  /// What stands between the quotes.
  std::pair<size_t, size_t> contents(const Token &T) const;

  std::string Text; // ends with a zero byte, as the lexer wants it
  size_t At;
  std::vector<Token> Tokens;
  bool InComment = false;
};

std::pair<size_t, size_t> Scanner::contents(const Token &T) const {
  StringRef All = textOf(T);
  size_t Quote = All.find('"');
  if (Quote == StringRef::npos)
    return {T.End, T.End};
  size_t Begin = T.Begin + Quote + 1, End = T.End;
  if (All.take_front(Quote).ends_with("R")) {
    size_t Open = All.find('(', Quote);
    if (Open == StringRef::npos)
      return {Begin, End};
    size_t Delimiter = Open - Quote - 1;
    size_t Close = All.rfind(')');
    return {T.Begin + Open + 1,
            Close == StringRef::npos || All.size() < Close + Delimiter + 2 ? End : T.Begin + Close};
  }
  bool IsClosed = All.size() > Quote + 1 && All.back() == '"';
  return {Begin, IsClosed ? End - 1 : End};
}

std::optional<OpenString> Scanner::openString() const {
  if (Tokens.empty() || !isString(Tokens.back()))
    return std::nullopt;
  auto [Begin, End] = contents(Tokens.back());
  if (At < Begin || At > End)
    return std::nullopt;
  OpenString Out;
  Out.Begin = Begin;
  Out.End = End;
  Out.First = Tokens.size() - 1;
  while (Out.First > 0 && isString(Tokens[Out.First - 1]))
    --Out.First;
  for (size_t I = Out.First; I + 1 < Tokens.size(); ++I) {
    auto [From, To] = contents(Tokens[I]);
    Out.Before += Text.substr(From, To - From);
  }
  Out.Before += Text.substr(Begin, At - Begin);
  return Out;
}

StringRef Scanner::calledWith(const OpenString &String) const {
  using namespace clang;
  size_t I = String.First;
  // m.def(torch::schema("...")) and macros that choose registrations.
  for (unsigned Depth = 0; Depth < 3; ++Depth) {
    if (I < 2 || Tokens[I - 1].Kind != tok::l_paren || Tokens[I - 2].Kind != tok::raw_identifier)
      return "";
    I -= 2;
    StringRef Name = textOf(Tokens[I]);
    bool IsMember =
        I > 0 && (Tokens[I - 1].Kind == tok::period || Tokens[I - 1].Kind == tok::arrow);
    if (IsMember)
      return Name == "def" || Name == "impl" ? Name : "";
    while (I >= 2 && Tokens[I - 1].Kind == tok::coloncolon &&
           Tokens[I - 2].Kind == tok::raw_identifier)
      I -= 2;
  }
  return "";
}

std::optional<size_t> Scanner::block() const {
  for (const Token &T : llvm::reverse(Tokens))
    if (T.Kind == clang::tok::raw_identifier && textOf(T).contains("TORCH_LIBRARY"))
      return T.Begin;
  return std::nullopt;
}

bool isImplMacro(StringRef Text, size_t Macro) {
  StringRef Name =
      Text.drop_front(Macro).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  return Name.contains("IMPL");
}

//===-- names --------------------------------------------------------------------===//

class Completer {
public:
  Completer(const CodeIndex &Index, const LoadedSchemas *Schemas)
      : Index(Index), Ops(Schemas ? Schemas->Ops.get() : nullptr),
        D(Ops ? Ops->D : allDialects().back()) {}

  Completions namespaces() const;
  Completions keys() const;
  Completions implNames(StringRef Namespace, StringRef Key, StringRef Typed) const;
  Completions defNames(StringRef Namespace) const;
  Completions schema(StringRef Namespace, StringRef Before) const;

private:
  const CodeIndex &Index;
  const Operators *Ops;
  const Dialect *D;
};

Completions Completer::namespaces() const {
  Completions Out;
  std::set<std::string> Names;
  for (const SourceFactsPtr &From : Index.sources())
    for (const RegistrationBlock &Block : From->Unit.Registrations)
      if (!Block.Namespace.empty() && Block.Namespace != "aten" &&
          !StringRef(Block.Namespace).contains("TORCH_EXTENSION_NAME"))
        Names.insert(Block.Namespace);
  for (const std::string &Name : Names)
    Out.Items.push_back({Completion::Namespace, Name});
  Out.Items.push_back({Completion::Namespace, "aten", "PyTorch's own operators"});
  Out.Items.push_back({Completion::Namespace, "TORCH_EXTENSION_NAME", "the extension's name"});
  return Out;
}

Completions Completer::keys() const {
  Completions Out;
  llvm::StringSet<> Seen;
  auto Add = [&](StringRef Name, StringRef Detail) {
    if (Seen.insert(Name).second)
      Out.Items.push_back({Completion::Key, Name.str(), Detail.str()});
  };
  for (const EntryRef &E : Index.entries())
    if (!E.key().empty())
      Add(E.key(), "used by this project");
  for (DispatchKey Key : D->Keys.Dispatch)
    Add(toString(Key), "");
  for (unsigned Key = 0; Key < NumDispatchKeys; ++Key)
    if (Key != unsigned(DispatchKey::Undefined) &&
        !llvm::is_contained(D->Keys.Unknown, DispatchKey(Key)))
      Add(toString(DispatchKey(Key)), "");
  return Out;
}

Completions Completer::implNames(StringRef Namespace, StringRef Key, StringRef Typed) const {
  Completions Out;
  auto [Written, Rest] = Typed.rsplit("::");
  bool IsQualified = Typed.contains("::");
  StringRef Of = IsQualified ? Written : Namespace;
  std::string Before = IsQualified ? Written.str() + "::" : "";
  std::vector<Completion> Later;
  for (const RegisteredOp *Op : Index.ops()) {
    auto [In, Own] = StringRef(Op->Name).split("::");
    if (In != Of || Op->Defs.empty())
      continue;
    bool HasOne = llvm::any_of(Op->Kernels, [&](auto *E) { return E->key() == Key; });
    Completion Item{Completion::Operator, Before + Own.str(),
                    HasOne ? "has a kernel for this key" : Op->Defs.front()->Entry->Text.Value};
    (HasOne ? Later : Out.Items).push_back(std::move(Item));
  }
  Out.Items.insert(Out.Items.end(), Later.begin(), Later.end());
  if (Of == "aten" && Ops)
    for (const NativeFunction &F : Ops->Functions)
      Out.Items.push_back({Completion::Operator, Before + F.Schema.Name.str(), F.Schema.str()});
  return Out;
}

/// Operators that have kernels, and functions that may be meant for one.
Completions Completer::defNames(StringRef Namespace) const {
  Completions Out;
  for (const RegisteredOp *Op : Index.ops()) {
    auto [In, Own] = StringRef(Op->Name).split("::");
    if (In == Namespace && Op->Defs.empty())
      Out.Items.push_back({Completion::Operator, Own.str(), "has kernels but no definition"});
  }
  for (const SourceFactsPtr &From : Index.sources())
    for (const RegisteredKernel &Unused : From->Unit.Unused)
      Out.Items.push_back({Completion::Operator, Unused.Decl.Name, "an unused function"});
  return Out;
}

Completions Completer::schema(StringRef Namespace, StringRef Before) const {
  SchemaContext Context{Ops, grammarOf(*D), {}};
  StringRef Name = Before.split('(').first.trim();
  std::string Op = Name.contains("::") ? Name.str() : (Namespace + "::" + Name).str();
  for (const EntryRef *E : Index.kernelsOf(Op))
    if (E->Entry->Kernel.hasSignature() && Context.Params.empty())
      for (const KernelParam &P : E->Entry->Kernel.Decl.Params)
        Context.Params.push_back(P.Name);
  return completeSchema(Before, Context);
}

/// In the parentheses of a block's macro.
std::optional<Completions> completeBlock(const Completer &Of, StringRef Text, size_t Macro,
                                         size_t At) {
  std::vector<BlockArgument> Arguments = blockArguments(Text, Macro);
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const BlockArgument &A = Arguments[I];
    if (At < A.Begin || At > A.End)
      continue;
    if (I > 1 || (I == 1 && !isImplMacro(Text, Macro)))
      return std::nullopt;
    Completions Out = I == 0 ? Of.namespaces() : Of.keys();
    bool IsWithin = At >= A.Offset && At <= A.Offset + A.Name.size();
    Out.Begin = IsWithin ? A.Offset : At;
    Out.End = IsWithin ? A.Offset + A.Name.size() : At;
    keepBeginning(Out, Text.slice(Out.Begin, At));
    return Out;
  }
  return std::nullopt;
}

} // namespace

std::optional<Completions> completeCode(const CodeIndex &Index, StringRef Text, size_t At,
                                        const LoadedSchemas *Schemas) {
  At = std::min(At, Text.size());
  Scanner Of(Text, At);
  std::optional<size_t> Macro = Of.block();
  if (Of.inComment())
    return std::nullopt;
  Completer Names(Index, Schemas);
  std::optional<OpenString> String = Of.openString();
  if (!String)
    return Macro ? completeBlock(Names, Of.text(), *Macro, At) : std::nullopt;
  StringRef Call = Of.calledWith(*String);
  if (Call.empty())
    return std::nullopt;
  std::vector<BlockArgument> Block;
  if (Macro)
    Block = blockArguments(Of.text(), *Macro);
  StringRef Namespace = Block.empty() ? StringRef() : Block[0].Name;
  StringRef Key = Macro && Block.size() > 1 && isImplMacro(Of.text(), *Macro) ? Block[1].Name : "";
  StringRef Before = String->Before;
  if (Call == "def" && Before.contains('(')) {
    Completions Out = Names.schema(Namespace, Before);
    size_t Word = Before.size() - Out.Begin;
    Out.Begin = At - std::min(Word, At - String->Begin);
    Out.End = At;
    return Out;
  }
  Completions Out =
      Call == "def" ? Names.defNames(Namespace) : Names.implNames(Namespace, Key, Before);
  keepBeginning(Out, Before);
  StringRef Behind = Of.text().slice(At, String->End);
  size_t Rest = Behind.find_if([](char C) { return !llvm::isAlnum(C) && C != '_' && C != '.'; });
  Out.Begin = String->Begin;
  Out.End = At + std::min(Rest, Behind.size());
  return Out;
}

} // namespace opsig
