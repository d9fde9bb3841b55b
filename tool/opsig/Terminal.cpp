//===- Terminal.cpp - Text for people who read it in a terminal -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "check/ProgramDocs.h"
#include "opsig/Lsp/Message.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <sys/ioctl.h>
#include <unistd.h>

namespace opsig {

/// Longer lines are hard to read, shorter ones hold no option.
static constexpr unsigned Comfortable = 100, Least = 40;

/// 0 where standard output is no terminal. LLVM asks only the environment, where shells do not put
/// it.
static unsigned terminalColumns() {
  if (unsigned Columns = llvm::sys::Process::StandardOutColumns())
    return Columns;
  winsize Size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0 ? Size.ws_col : 0;
}

unsigned outputColumns() {
  unsigned Columns = terminalColumns();
  return Columns == 0 ? Comfortable : std::clamp(Columns, Least, Comfortable);
}

/// What the environment says: NO_COLOR goes before FORCE_COLOR and CLICOLOR_FORCE, whose 0 says
/// nothing.
static ColorWhen wishOfEnvironment() {
  using llvm::sys::Process;
  if (!Process::GetEnv("NO_COLOR").value_or("").empty())
    return ColorWhen::Never;
  for (const char *Name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
    if (std::string Wish = Process::GetEnv(Name).value_or(""); !Wish.empty() && Wish != "0")
      return ColorWhen::Always;
  return ColorWhen::Auto;
}

void useColors(ColorWhen When) {
  if (When == ColorWhen::Auto)
    When = wishOfEnvironment();
  if (When == ColorWhen::Auto)
    return;
  bool Colored = When == ColorWhen::Always;
  for (llvm::raw_fd_ostream *OS : {&llvm::outs(), &llvm::errs()})
    OS->enable_colors(Colored);
  llvm::WithColor::setAutoDetectFunction(Colored ? [](const llvm::raw_ostream &) { return true; }
                                                 : [](const llvm::raw_ostream &) { return false; });
}

/// Whether \p OS leads to a terminal that knows links. One that does not shows their text alone,
/// but for the console of Linux. The environment's FORCE_HYPERLINK has its say, as in other
/// programs.
static bool takesLinks(llvm::raw_ostream &OS) {
  using llvm::sys::Process;
  if (std::optional<std::string> Wish = Process::GetEnv("FORCE_HYPERLINK"))
    return *Wish != "0";
  std::optional<std::string> Terminal = Process::GetEnv("TERM");
  return OS.is_displayed() && Terminal && *Terminal != "dumb" && *Terminal != "linux";
}

/// The address of a file with the name of this machine, so that a terminal that shows another one
/// (by ssh) does not look for the file on its own.
static std::string withHost(std::string Address) {
  llvm::StringRef Rest = Address;
  char Host[256] = {};
  if (!Rest.consume_front("file:///") || gethostname(Host, sizeof(Host) - 1) != 0)
    return Address;
  return (llvm::Twine("file://") + Host + "/" + Rest).str();
}

std::string documentationHome() { return withHost(programDocs().Home); }

PrintOptions printOptions(llvm::raw_ostream &OS) {
  PrintOptions Options;
  // Without a terminal of its own, nothing but --color=always gives it any.
  Options.Colors =
      OS.colors_enabled() && (OS.has_colors() || llvm::WithColor(llvm::nulls()).colorsEnabled());
  if (Options.Colors && takesLinks(OS)) {
    Options.PageOf = [Docs = programDocs()](FindingId Id) { return withHost(Docs.page(Id)); };
    Options.AddressOf = [](llvm::StringRef File) {
      return withHost(uriOfPath(absolutePath(File.str())));
    };
  }
  llvm::SmallString<256> Here;
  if (!llvm::sys::fs::current_path(Here) && Here != "/")
    Options.Folder = std::string(Here);
  // Before the line its number stands, and behind a cut one a sign of that.
  constexpr unsigned Next = 14;
  if (OS.is_displayed())
    if (unsigned Columns = terminalColumns(); Columns > Next)
      Options.LongestLine = std::max(Columns - Next, Least);
  return Options;
}

TextStyle styleOf(llvm::raw_ostream &OS) {
  if (&OS != &llvm::outs())
    return TextStyle(printOptions(OS));
  static const TextStyle Output(printOptions(OS));
  return Output;
}

void printWrapped(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Indent, unsigned Columns,
                  unsigned At) {
  bool Begun = false; // whether the line has a word
  while (true) {
    Text = Text.ltrim();
    llvm::StringRef Word = Text.take_until([](char C) { return C == ' ' || C == '\n'; });
    if (Word.empty())
      break;
    Text = Text.drop_front(Word.size());
    if (Begun && At + 1 + Word.size() > Columns) {
      OS << '\n';
      At = 0;
      Begun = false;
    }
    if (Begun) {
      OS << ' ';
      ++At;
    } else if (At < Indent) {
      OS.indent(Indent - At);
      At = Indent;
    }
    OS << Word;
    At += Word.size();
    Begun = true;
  }
  OS << '\n';
}

/// Whether a line of Markdown is a piece of running text.
static bool isProse(llvm::StringRef Line) {
  return !Line.trim().empty() && !Line.starts_with("    ") && !Line.starts_with("#") &&
         !Line.starts_with("|");
}

namespace {

/// One byte each, so that words keep their width until the line is printed.
constexpr char CodeMark = '\x01', BoldMark = '\x02', PlainMark = '\x03';

/// `code`, **bold** and [links](x.md) of a paragraph as marks; links keep their text.
std::string withMarks(llvm::StringRef Text) {
  std::string Out;
  bool IsCode = false, IsBold = false;
  while (!Text.empty()) {
    if (Text.consume_front("`")) {
      IsCode = !IsCode;
      Out += IsCode ? CodeMark : PlainMark;
    } else if (!IsCode && Text.consume_front("**")) {
      IsBold = !IsBold;
      Out += IsBold ? BoldMark : PlainMark;
    } else if (size_t Close = Text.find("]("); !IsCode && Text.front() == '[' &&
                                               Close != llvm::StringRef::npos &&
                                               Text.find(')', Close) != llvm::StringRef::npos) {
      Out += withMarks(Text.slice(1, Close));
      Text = Text.drop_front(Text.find(')', Close) + 1);
    } else {
      Out += Text.front();
      Text = Text.drop_front();
    }
  }
  return Out;
}

void printMarks(llvm::raw_ostream &OS, llvm::StringRef Text) {
  for (char C : Text) {
    if (C == CodeMark)
      OS.changeColor(llvm::raw_ostream::CYAN);
    else if (C == BoldMark)
      OS.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
    else if (C == PlainMark)
      OS.resetColor();
    else
      OS << C;
  }
}

/// A heading, a fence or a line of code or of a table.
void printVerbatim(llvm::raw_ostream &OS, llvm::StringRef Line, bool IsCode, bool Colors) {
  if (!Colors) {
    OS << Line << '\n';
    return;
  }
  if (!IsCode && Line.starts_with("#")) {
    OS.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
    OS << Line.ltrim("# ");
    OS.resetColor();
  } else if (IsCode || Line.starts_with("    ")) {
    OS.changeColor(llvm::raw_ostream::CYAN);
    OS << (IsCode ? "    " : "") << Line;
    OS.resetColor();
  } else {
    printMarks(OS, withMarks(Line));
  }
  OS << '\n';
}

} // namespace

void printProse(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Indent, unsigned Columns) {
  if (!styleOf(OS).colors())
    return printWrapped(OS, Text, Indent, Columns);
  std::string Lines;
  llvm::raw_string_ostream Wrapped(Lines);
  printWrapped(Wrapped, withMarks(Text), Indent, Columns);
  printMarks(OS, Lines);
}

void printPage(llvm::raw_ostream &OS, llvm::StringRef Page, unsigned Columns) {
  bool Fenced = false, Colors = printOptions(OS).Colors;
  std::string Paragraph;
  auto Flush = [&] {
    if (Paragraph.empty())
      return;
    bool Item = llvm::StringRef(Paragraph).starts_with("- ");
    std::string Lines;
    llvm::raw_string_ostream Wrapped(Lines);
    if (Colors)
      Paragraph = withMarks(Paragraph);
    printWrapped(Wrapped, llvm::StringRef(Paragraph).drop_front(Item ? 2 : 0), Item ? 2 : 0,
                 Columns, Item ? 2 : 0);
    OS << (Item ? "- " : "");
    printMarks(OS, Lines);
    Paragraph.clear();
  };
  while (!Page.empty()) {
    auto [Line, Rest] = Page.split('\n');
    Page = Rest;
    bool Fence = Line.starts_with("```");
    if (Fenced || Fence || !isProse(Line)) {
      Flush();
      // Colors show where code begins and ends.
      if (!Fence || !Colors)
        printVerbatim(OS, Line, Fenced && !Fence, Colors);
      Fenced ^= Fence;
      continue;
    }
    if (Line.starts_with("- "))
      Flush();
    if (!Paragraph.empty())
      Paragraph += ' ';
    Paragraph += Paragraph.empty() ? Line : Line.ltrim();
  }
  Flush();
}

} // namespace opsig
