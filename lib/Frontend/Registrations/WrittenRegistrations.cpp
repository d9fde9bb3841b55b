//===- WrittenRegistrations.cpp - Registrations as words of a text -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Frontend/WrittenRegistrations.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace clang;

namespace {

struct CodeToken {
  tok::TokenKind Is = tok::unknown;
  StringRef Text = "";
  bool StartsLine = false;
  uint32_t Offset = 0;

  bool is(StringRef Word) const { return Is == tok::raw_identifier && Text == Word; }
};

/// All tokens of a text, directives among them.
class RawCode {
public:
  explicit RawCode(StringRef Text)
      : Text(Text), Lex(SourceLocation(), Options, Text.begin(), Text.begin(), Text.end()) {}

  /// False at the end.
  bool next(CodeToken &Out) {
    Token T;
    Lex.LexFromRawLexer(T);
    if (T.is(tok::eof))
      return false;
    uint32_t End = Lex.getCurrentBufferOffset(), Begin = End - T.getLength();
    Out = {T.getKind(), Text.slice(Begin, End), T.isAtStartOfLine(), Begin};
    return true;
  }

private:
  static LangOptions options() {
    LangOptions Options;
    Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
    return Options;
  }

  StringRef Text;
  const LangOptions Options = options();
  Lexer Lex;
};

/// A condition that is open, as it is written.
struct OpenCondition {
  std::string Text;
  bool IsDead = false; ///< #if 0, or what comes behind #if 1
  bool IsElseDead = false;
};

/// Tokens of code, without directives and what is behind `#if 0`.
class CodeReader {
public:
  explicit CodeReader(StringRef Text) : Text(Text), Raw(Text) {}

  /// False at the end.
  bool next(CodeToken &Out);
  std::string condition() const { return Conditions.empty() ? "" : Conditions.back().Text; }

private:
  bool lex(CodeToken &Out);
  void readDirective();
  void begin(StringRef Word, StringRef Line);

  StringRef Text;
  RawCode Raw;
  std::optional<CodeToken> Ahead;
  std::vector<OpenCondition> Conditions;
};

bool CodeReader::lex(CodeToken &Out) {
  if (Ahead) {
    Out = *std::exchange(Ahead, std::nullopt);
    return true;
  }
  return Raw.next(Out);
}

/// "#ifdef WITH_CUDA", in one line.
void CodeReader::begin(StringRef Word, StringRef Line) {
  StringRef Rest = Line.split(Word).second.trim();
  bool Never = Word == "if" && (Rest == "0" || Rest == "false");
  bool Always = Word == "if" && (Rest == "1" || Rest == "true");
  Conditions.push_back({Line.trim().str(), Never, Always});
}

/// Behind the '#'.
void CodeReader::readDirective() {
  CodeToken T;
  if (!lex(T))
    return;
  if (!T.StartsLine && T.Is == tok::raw_identifier) {
    StringRef Line = Text.drop_front(Text.take_front(T.Offset).rfind('#'));
    Line = Line.take_until([](char C) { return C == '\n' || C == '\r'; }).split("//").first;
    if (T.Text.starts_with("if")) {
      begin(T.Text, Line);
    } else if (T.Text.starts_with("el") && !Conditions.empty()) {
      OpenCondition &Open = Conditions.back();
      bool WasDead = Open.IsDead;
      Open.IsDead = Open.IsElseDead;
      Open.Text = WasDead && T.Text == "else" ? "" : "#else of " + Open.Text;
    } else if (T.Text == "endif" && !Conditions.empty()) {
      Conditions.pop_back();
    }
  } else if (T.StartsLine) {
    Ahead = T;
    return;
  }
  while (lex(T))
    if (T.StartsLine) {
      Ahead = T;
      return;
    }
}

bool CodeReader::next(CodeToken &Out) {
  while (lex(Out)) {
    if (Out.Is == tok::hash && Out.StartsLine)
      readDirective();
    else if (llvm::none_of(Conditions, [](const OpenCondition &C) { return C.IsDead; }))
      return true;
  }
  return false;
}

bool isLibraryMacro(StringRef Word) {
  Word.consume_front("STABLE_");
  return Word.consume_front("TORCH_LIBRARY") &&
         (Word.empty() || Word == "_FRAGMENT" || Word == "_IMPL");
}

/// What may begin a block: a library's macro, or one such as ACME_OPS.
bool isMacro(StringRef Word) {
  return Word.contains("LIBRARY") ||
         (Word.size() > 1 && llvm::none_of(Word, llvm::isLower) && !Word.starts_with("PYBIND11_"));
}

/// Follows `ACME_LIBRARY(acme, m) { m.def(`, a block by a macro of a project's own.
class OwnBlock {
public:
  void begin(WrittenRegistration Block) {
    Is = std::move(Block);
    Step = InHead;
    Parens = 1;
  }
  /// The block, once the call that fills it begins with \p T.
  std::optional<WrittenRegistration> follow(const CodeToken &T);

private:
  enum { Nowhere, InHead, BehindHead, InBody, BehindVariable, BehindDot, InDef } Step = Nowhere;
  WrittenRegistration Is;
  StringRef Variable;
  unsigned Parens = 0, Braces = 0;
};

std::optional<WrittenRegistration> OwnBlock::follow(const CodeToken &T) {
  if (Step == InDef) { // up to the first string
    if (T.Is == tok::l_paren || T.Is == tok::raw_identifier)
      return std::nullopt;
    bool HasSchema = T.Is == tok::string_literal && T.Text.contains("->");
    Step = HasSchema ? Nowhere : InBody;
    if (HasSchema)
      return std::move(Is);
  }
  switch (Step) {
  case Nowhere:
  case InDef:
    break;
  case InHead:
    Parens += T.Is == tok::l_paren;
    if (T.Is == tok::raw_identifier)
      Variable = T.Text;
    if (T.Is == tok::r_paren && --Parens == 0)
      Step = BehindHead;
    break;
  case BehindHead:
    Step = T.Is == tok::l_brace ? InBody : Nowhere;
    Braces = 1;
    break;
  case BehindDot:
    if (T.is("def") && Is.IsOtherMacro) {
      Step = InDef;
      break;
    }
    if (T.is("def") || T.is("impl")) {
      Step = Nowhere;
      return std::move(Is);
    }
    [[fallthrough]];
  case BehindVariable:
    Step = Step == BehindVariable && T.Is == tok::period ? BehindDot : InBody;
    [[fallthrough]];
  case InBody:
    Braces += T.Is == tok::l_brace;
    if (T.Is == tok::r_brace && --Braces == 0)
      Step = Nowhere;
    else if (T.is(Variable))
      Step = BehindVariable;
    break;
  }
  return std::nullopt;
}

} // namespace

std::vector<WrittenRegistration> opsig::writtenRegistrations(StringRef Text) {
  std::vector<WrittenRegistration> Out;
  // Most files have none.
  if (!Text.contains("LIBRARY") && !(Text.contains("def(") && Text.contains("->")))
    return Out;
  CodeReader Code(Text);
  OwnBlock Own;
  CodeToken Before, T;
  std::vector<bool> Braces; ///< of each open one whether it is that of a namespace
  bool OfNamespace = false;
  for (; Code.next(T); Before = T) {
    if (std::optional<WrittenRegistration> Block = Own.follow(T))
      Out.push_back(std::move(*Block));
    if (T.Is == tok::l_paren && Before.Is == tok::raw_identifier && isMacro(Before.Text)) {
      WrittenRegistration Block{Before.Text.str(), Before.Offset, Code.condition(),
                                llvm::is_contained(Braces, false),
                                !Before.Text.contains("LIBRARY")};
      if (isLibraryMacro(Before.Text))
        Out.push_back(std::move(Block));
      else if (!Block.IsOtherMacro || !Block.InFunction)
        Own.begin(std::move(Block));
    }
    OfNamespace |= T.is("namespace") || T.is("extern");
    if (T.Is == tok::l_brace)
      Braces.push_back(OfNamespace);
    if (T.Is == tok::r_brace && !Braces.empty())
      Braces.pop_back();
    if (T.Is == tok::l_brace || T.Is == tok::r_brace || T.Is == tok::semi)
      OfNamespace = false;
  }
  return Out;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

namespace {

/// What may stand between the parameters of a function and its body.
bool isBeforeBody(const CodeToken &T) {
  return T.Is == tok::l_brace || T.Is == tok::arrow || T.is("noexcept") || T.is("const") ||
         T.is("try");
}

/// Such as DEFINE_KERNEL(name), which may make anything of it; TORCH_FN(name) takes its address.
bool isMakingMacro(const CodeToken &T) {
  return T.Is == tok::raw_identifier && llvm::none_of(T.Text, llvm::isLower) && !T.is("TORCH_FN") &&
         !T.is("TORCH_BOX") && T.Text.size() > 1;
}

/// Looks for a definition of one name.
class DefinitionSearch {
public:
  DefinitionSearch(StringRef Text, StringRef Name) : Name(Name) {
    RawCode Raw(Text);
    for (CodeToken T; Raw.next(T);)
      Code.push_back(T);
  }

  bool run() {
    for (size_t I = 0; I < Code.size(); ++I)
      if (mayDefineAt(I))
        return true;
    return false;
  }

private:
  const CodeToken &at(size_t I) const { return I < Code.size() ? Code[I] : None; }
  bool mayDefineAt(size_t I);
  bool hasBody(size_t Open) const;

  StringRef Name;
  std::vector<CodeToken> Code;
  const CodeToken None;
  std::vector<bool> Making; ///< of each open parenthesis whether a macro stands before it
  bool InDirective = false;
};

/// A body follows the parentheses that number \p Open begins.
bool DefinitionSearch::hasBody(size_t Open) const {
  size_t Depth = 0, End = Open;
  for (; End < Code.size(); ++End) {
    Depth += at(End).Is == tok::l_paren;
    if (at(End).Is == tok::r_paren && --Depth == 0)
      break;
  }
  return End >= Code.size() || isBeforeBody(at(End + 1));
}

bool DefinitionSearch::mayDefineAt(size_t I) {
  const CodeToken &T = at(I);
  if (T.StartsLine)
    InDirective = T.Is == tok::hash;
  if (T.Is == tok::l_paren)
    Making.push_back(I > 0 && isMakingMacro(at(I - 1)));
  if (T.Is == tok::r_paren && !Making.empty())
    Making.pop_back();
  if (!T.is(Name))
    return false;
  return InDirective || (!Making.empty() && Making.back()) ||
         (at(I + 1).Is == tok::l_paren && hasBody(I + 1));
}

} // namespace

bool opsig::mayDefine(StringRef Text, StringRef Name) {
  return Text.contains(Name) && DefinitionSearch(Text, Name).run();
}

//===----------------------------------------------------------------------===//
// Python
//===----------------------------------------------------------------------===//

namespace {

/// Words and brackets of Python code; comments and strings are passed over.
class PythonReader {
public:
  explicit PythonReader(StringRef Text)
      : Text(Text), LineEnd(std::min(Text.find('\n'), Text.size())) {}

  /// A dotted name, or one character; "" at the end.
  StringRef next();
  uint32_t offset(StringRef Word) const { return Word.data() - Text.data(); }
  /// The word begins a line of its own, so many blanks from its beginning.
  std::optional<unsigned> indentOf(StringRef Word);

private:
  void skipString();

  StringRef Text;
  size_t LineBegin = 0, LineEnd; ///< of the word that was asked about last
  size_t At = 0;
};

bool isNameChar(char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; }

void PythonReader::skipString() {
  StringRef Rest = Text.drop_front(At), Quote = Rest.take_front(1);
  bool IsLong = Rest.substr(1).starts_with(Quote) && Rest.substr(2).starts_with(Quote);
  if (IsLong)
    Quote = Rest.take_front(3);
  for (At += Quote.size(); At < Text.size(); ++At) {
    if (Text[At] == '\\')
      ++At;
    else if (Text.drop_front(At).starts_with(Quote))
      break;
    else if (Text[At] == '\n' && !IsLong)
      return;
  }
  At = std::min(At + Quote.size(), Text.size());
}

StringRef PythonReader::next() {
  while (At < Text.size()) {
    char C = Text[At];
    if (C == '#') {
      At = std::min(Text.find('\n', At), Text.size());
    } else if (C == '"' || C == '\'') {
      skipString();
    } else if (llvm::isSpace(C) || C == '\\') {
      ++At;
    } else {
      StringRef Word = Text.drop_front(At).take_while(isNameChar);
      if (Word.empty())
        Word = Text.substr(At, 1);
      At += Word.size();
      return Word;
    }
  }
  return "";
}

std::optional<unsigned> PythonReader::indentOf(StringRef Word) {
  if (Word.empty()) // the end, which is no place in the text
    return std::nullopt;
  size_t Offset = offset(Word);
  // Words come in order, so that each line is looked for once, however long it is.
  while (LineEnd < Offset) {
    LineBegin = LineEnd + 1;
    LineEnd = std::min(Text.find('\n', LineBegin), Text.size());
  }
  StringRef Blanks = Text.slice(LineBegin, Offset);
  if (!Blanks.trim(" \t").empty())
    return std::nullopt;
  return Blanks.size();
}

/// The functions of torch.library that make something.
bool isLibraryWord(StringRef Word) {
  static constexpr StringRef Known[] = {
      "Library",       "define",        "impl",          "custom_op",         "triton_op",
      "register_fake", "impl_abstract", "register_vmap", "register_autograd", "register_kernel"};
  return llvm::is_contained(Known, Word);
}

/// Which names of a file stand for torch.library and what is in it.
struct LibraryNames {
  std::vector<StringRef> Modules = {"torch.library"};
  std::vector<StringRef> Words; ///< imported by name

  std::string meant(StringRef Dotted) const {
    if (llvm::is_contained(Words, Dotted))
      return ("torch.library." + Dotted).str();
    auto [Module, Word] = Dotted.rsplit('.');
    return llvm::is_contained(Modules, Module) && isLibraryWord(Word)
               ? ("torch.library." + Word).str()
               : "";
  }
};

/// Behind `from`: what the line imports of torch.library.
void readImport(PythonReader &Code, StringRef &Word, LibraryNames &Names) {
  StringRef Module = Code.next();
  Word = Code.next();
  if (Word != "import" || (Module != "torch" && Module != "torch.library"))
    return;
  while (true) {
    Word = Code.next();
    bool BeginsLine = Word.empty() || Code.indentOf(Word) == 0;
    if (BeginsLine || !(isNameChar(Word.front()) || Word == "," || Word == "("))
      return;
    if (Module == "torch" && Word == "library")
      Names.Modules.push_back(Word);
    else if (Module == "torch.library" && isLibraryWord(Word))
      Names.Words.push_back(Word);
  }
}

} // namespace

std::vector<WrittenRegistration> opsig::writtenPythonRegistrations(StringRef Text) {
  std::vector<WrittenRegistration> Out;
  if (!Text.contains("torch") || !Text.contains("library"))
    return Out;
  LibraryNames Names;
  PythonReader Code(Text);
  std::vector<unsigned> Functions; ///< how far each open one is indented
  int Brackets = 0;
  StringRef Before, Word = Code.next();
  while (!Word.empty()) {
    std::optional<unsigned> Indent = Code.indentOf(Word);
    if (Indent && Brackets == 0)
      while (!Functions.empty() && Functions.back() >= *Indent)
        Functions.pop_back();
    if (Word == "from" && Indent) {
      readImport(Code, Word, Names);
      Before = "";
      continue;
    }
    if (Word == "def")
      Functions.push_back(Indent.value_or(Code.indentOf(Before).value_or(0)));
    if (Word == "(" && !Before.empty())
      if (std::string Meant = Names.meant(Before); !Meant.empty())
        Out.push_back({std::move(Meant), Code.offset(Before), "", !Functions.empty()});
    Brackets += Word == "(" || Word == "[" || Word == "{";
    // What an import opened was passed over.
    if (Brackets > 0)
      Brackets -= Word == ")" || Word == "]" || Word == "}";
    Before = Word;
    Word = Code.next();
  }
  return Out;
}
