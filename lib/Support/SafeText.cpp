//===- SafeText.cpp - Text of others, safe to print --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace opsig {
namespace {

/// What a text begins with: a character, or a byte that is none.
struct Piece {
  StringRef Bytes;
  UTF32 Code = 0; ///< of a character
  bool IsCharacter = false;
};

Piece firstPiece(StringRef Text) {
  unsigned char Lead = Text.front();
  if (Lead < 0x80)
    return {Text.take_front(1), Lead, true};
  size_t Size = getNumBytesForUTF8(Lead);
  auto *Source = reinterpret_cast<const UTF8 *>(Text.begin());
  Piece Out{Text.take_front(1)};
  if (Size > Text.size() || !isLegalUTF8Sequence(Source, Source + Size))
    return Out;
  const UTF8 *At = Source;
  UTF32 *To = &Out.Code;
  Out.IsCharacter =
      ConvertUTF8toUTF32(&At, Source + Size, &To, &Out.Code + 1, strictConversion) == conversionOK;
  if (Out.IsCharacter)
    Out.Bytes = Text.take_front(Size);
  return Out;
}

/// What is no character, which XML does not take, and what is one and has no width.
bool isInvisible(UTF32 C) {
  return (C & 0xfffe) == 0xfffe || C == 0xad || C == 0x180e || C == 0x200b ||
         (C >= 0x2060 && C <= 0x206f);
}

/// Controls of a terminal, of lines, and of the direction in which text is read.
bool isControl(UTF32 C) {
  return C < 0x20 || (C >= 0x7f && C < 0xa0) || C == 0x61c || C == 0x200e || C == 0x200f ||
         (C >= 0x2028 && C <= 0x202e) || (C >= 0x2066 && C <= 0x2069) || C == 0xfeff ||
         (C >= 0xfff9 && C <= 0xfffb) || (C >= 0xe0000 && C <= 0xe007f) || isInvisible(C);
}

bool isSafe(const Piece &P) { return P.IsCharacter && !isControl(P.Code); }

/// Most texts, at a glance.
bool isPlain(StringRef Text) {
  return all_of(Text, [](unsigned char C) { return C >= 0x20 && C < 0x7f && C != '#'; });
}

std::string escaped(const Piece &P) {
  if (P.IsCharacter && P.Code == '\n')
    return "\\n";
  if (P.IsCharacter && P.Code == '\t')
    return "\\t";
  if (P.IsCharacter && P.Code == '\r')
    return "\\r";
  if (P.IsCharacter && P.Code >= 0x80)
    return formatv(P.Code > 0xffff ? "\\U{0:x-8}" : "\\u{0:x-4}", uint32_t(P.Code)).str();
  return formatv("\\x{0:x-2}", unsigned(static_cast<unsigned char>(P.Bytes.front()))).str();
}

/// How long a command of a log service is that stands anywhere in a line: "##[", "##vso[". 0: none
/// begins here.
size_t commandSize(StringRef Text) {
  StringRef Rest = Text;
  if (!Rest.consume_front("##"))
    return 0;
  Rest = Rest.drop_while([](char C) { return isAlpha(C) || C == '-'; });
  return Rest.starts_with("[") ? Text.size() - Rest.size() + 1 : 0;
}

/// Whether a line that begins with \p Text is a command of GitHub's. "::std::optional" is none.
bool isLineCommand(StringRef Text) {
  static constexpr StringLiteral Names[] = {
      "error",          "warning",    "notice",        "debug",
      "group",          "endgroup",   "add-mask",      "add-matcher",
      "add-path",       "echo",       "save-state",    "set-env",
      "remove-matcher", "set-output", "stop-commands", "internal-set-repo-path"};
  if (!Text.consume_front("::"))
    return false;
  StringRef Name = Text.take_while([](char C) { return isAlnum(C) || C == '-' || C == '_'; });
  return any_of(Names, [&](StringRef Known) { return Name.equals_insensitive(Known); });
}

/// Calls \p Use with each piece of \p Text, and whether it may stand there as it is.
void eachPiece(StringRef Text, function_ref<void(const Piece &, bool)> Use) {
  size_t OpensCommand = StringRef::npos; // what is left of the text at a bracket
  while (!Text.empty()) {
    if (size_t Size = commandSize(Text))
      OpensCommand = Text.size() - Size + 1;
    Piece P = firstPiece(Text);
    Use(P, isSafe(P) && Text.size() != OpensCommand);
    Text = Text.drop_front(P.Bytes.size());
  }
}

} // namespace

std::string safeText(StringRef Text, LineEnds Ends) {
  if (isPlain(Text))
    return Text.str();
  std::string Out;
  eachPiece(Text, [&](const Piece &P, bool Safe) {
    bool IsKept = Ends == LineEnds::Kept && (P.Bytes == "\n" || P.Bytes == "\t");
    Out += Safe || IsKept ? P.Bytes.str() : escaped(P);
  });
  return Out;
}

std::string safeLineStart(StringRef Text) {
  std::string Out = safeText(Text);
  StringRef Rest = StringRef(Out).ltrim();
  if (isLineCommand(Rest))
    Out.replace(Out.size() - Rest.size(), 1, "\\x3a");
  return Out;
}

std::string safeJson(StringRef Json) {
  std::string Out;
  eachPiece(Json, [&](const Piece &P, bool Safe) {
    // Line ends and blanks stand between values as well; within them JSON itself escapes controls.
    if (Safe || P.Code == '\n' || P.Code == '\t' || !P.IsCharacter)
      Out += P.Bytes;
    else if (P.Code <= 0xffff)
      Out += formatv("\\u{0:x-4}", uint32_t(P.Code)).str();
    else
      Out += formatv("\\u{0:x-4}\\u{1:x-4}", 0xd7c0 + uint32_t(P.Code >> 10),
                     0xdc00 + uint32_t(P.Code & 0x3ff))
                 .str();
  });
  return Out;
}

std::string safeColumns(StringRef Line) {
  std::string Out;
  eachPiece(Line, [&](const Piece &P, bool Safe) {
    if (P.Bytes == "\t")
      Out += ' ';
    else
      Out += Safe ? P.Bytes.str() : std::string(P.Bytes.size(), '?');
  });
  return Out;
}

bool looksLikeCommand(StringRef Line) {
  if (isLineCommand(Line.ltrim()))
    return true;
  for (size_t At = Line.find("##"); At != StringRef::npos; At = Line.find("##", At + 1))
    if (commandSize(Line.drop_front(At)))
      return true;
  return false;
}

std::string markdownText(StringRef Text) {
  std::string Out;
  for (char C : safeText(Text)) {
    if (C == '<')
      Out += "&lt;";
    else if (C == '>')
      Out += "&gt;";
    else if (C == '&')
      Out += "&amp;";
    else if (C == '@')
      Out += "&#64;"; // names somebody on many services
    else if (StringRef("\\`*[]|").contains(C))
      (Out += '\\') += C;
    else
      Out += C;
  }
  return Out;
}

std::string markdownCode(StringRef Text) {
  std::string Safe = safeText(Text);
  size_t Longest = 0, Run = 0;
  for (char C : Safe) {
    Run = C == '`' ? Run + 1 : 0;
    Longest = std::max(Longest, Run);
  }
  std::string Ticks(Longest + 1, '`');
  // A blank keeps ticks of the text apart from those around it.
  bool Touches = StringRef(Safe).starts_with("`") || StringRef(Safe).ends_with("`");
  std::string Out = Ticks + (Touches ? " " : "");
  for (char C : Safe) // a bar ends a cell of a table even inside of code
    Out += C == '|' ? std::string("\\|") : std::string(1, C);
  return Out + (Touches ? " " : "") + Ticks;
}

std::string patchName(StringRef Path) {
  bool IsQuoted = false;
  std::string Quoted = "\"";
  for (StringRef Rest = Path; !Rest.empty();) {
    Piece P = firstPiece(Rest);
    Rest = Rest.drop_front(P.Bytes.size());
    bool IsSpecial = P.Bytes == "\"" || P.Bytes == "\\";
    if (isSafe(P) && !IsSpecial) {
      Quoted += P.Bytes;
      continue;
    }
    IsQuoted = true;
    for (char C : P.Bytes)
      Quoted += IsSpecial ? std::string("\\") + C
                          : formatv("\\{0}{1}{2}", (C >> 6) & 3, (C >> 3) & 7, C & 7).str();
  }
  if (IsQuoted)
    return Quoted + '"';
  // Behind a blank a date could follow; the tab says that it does not.
  return Path.contains(' ') ? (Path + "\t").str() : Path.str();
}

} // namespace opsig
