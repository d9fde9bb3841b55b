//===- TextLayout.cpp - Emphasis and columns of text for people --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/TextLayout.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/Locale.h"
#include <algorithm>

namespace opsig {

std::string TextStyle::marked(llvm::StringRef Codes, llvm::StringRef Text) const {
  if (!Options.Colors || Text.empty())
    return Text.str();
  return ("\x1b[" + Codes + "m" + Text + "\x1b[0m").str();
}

std::string TextStyle::strong(llvm::StringRef Text) const { return marked("1", Text); }
std::string TextStyle::code(llvm::StringRef Text) const { return marked("36", Text); }
std::string TextStyle::warning(llvm::StringRef Text) const { return marked("35", Text); }

std::string TextStyle::removed(llvm::StringRef Text, bool Changed) const {
  return marked(Changed ? "1;4;31" : "31", Text);
}

std::string TextStyle::added(llvm::StringRef Text, bool Changed) const {
  return marked(Changed ? "1;4;32" : "32", Text);
}

std::string TextStyle::place(llvm::StringRef File, unsigned Line, unsigned Column) const {
  std::string Text = safeLineStart(Options.shown(File));
  if (Line)
    Text += ":" + std::to_string(Line);
  if (Line && Column)
    Text += ":" + std::to_string(Column);
  return linkedText(address(File), Text);
}

std::string TextStyle::address(llvm::StringRef File) const {
  return Options.AddressOf ? Options.AddressOf(File) : "";
}

std::string TextStyle::check(FindingId Id) const {
  return linkedText(Options.PageOf ? Options.PageOf(Id) : "", ("opsig-" + findingName(Id)).str());
}

std::string linkedText(llvm::StringRef Address, llvm::StringRef Text) {
  if (Address.empty())
    return Text.str();
  return ("\x1b]8;;" + Address + "\x1b\\" + Text + "\x1b]8;;\x1b\\").str();
}

size_t cutPlace(llvm::StringRef Text, size_t At) {
  At = std::min(At, Text.size());
  while (At > 0 && At < Text.size() && (static_cast<unsigned char>(Text[At]) & 0xC0) == 0x80)
    --At;
  return At;
}

size_t columnsOf(llvm::StringRef Text) {
  std::string Shown;
  while (!Text.empty()) {
    if (Text.consume_front("\x1b[")) {
      Text = Text.drop_front(std::min(Text.find('m'), Text.size() - 1) + 1);
    } else if (Text.consume_front("\x1b]8;;")) {
      size_t End = Text.find("\x1b\\");
      Text = End == llvm::StringRef::npos ? "" : Text.drop_front(End + 2);
    } else {
      Shown += Text.front();
      Text = Text.drop_front();
    }
  }
  int Columns = llvm::sys::locale::columnWidth(Shown);
  return Columns < 0 ? Shown.size() : Columns;
}

void TextTable::print(llvm::raw_ostream &OS, unsigned Indent) const {
  std::vector<size_t> Widths(Columns.size(), 0);
  for (const std::vector<std::string> &Cells : Rows)
    for (size_t I = 0; I != Cells.size(); ++I)
      Widths[I] = std::max(Widths[I], columnsOf(Cells[I]));
  for (const std::vector<std::string> &Cells : Rows) {
    std::string Line(Indent, ' ');
    for (size_t I = 0; I != Cells.size(); ++I) {
      std::string Fill(Widths[I] - columnsOf(Cells[I]), ' ');
      Line += Columns[I] == 'r' ? Fill + Cells[I] : Cells[I] + Fill;
      Line += "  ";
    }
    OS << llvm::StringRef(Line).rtrim(' ') << '\n';
  }
}

std::string percentOf(size_t Part, size_t Of) {
  if (Of == 0)
    return "";
  size_t Percent = (Part * 200 + Of) / (Of * 2);
  if (Part != 0 && Percent == 0)
    return "<1%";
  if (Part != Of && Percent == 100)
    return ">99%";
  return std::to_string(Percent) + "%";
}

} // namespace opsig
