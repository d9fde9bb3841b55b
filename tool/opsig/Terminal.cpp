//===- Terminal.cpp - Text for people who read it in a terminal -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "llvm/Support/Process.h"

namespace opsig {

/// Longer lines are hard to read, shorter ones hold no option.
static constexpr unsigned Comfortable = 100, Least = 40;

unsigned outputColumns() {
  unsigned Columns = llvm::sys::Process::StandardOutColumns();
  return Columns == 0 ? Comfortable : std::clamp(Columns, Least, Comfortable);
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

} // namespace opsig
