//===- Printer.cpp - Code templates that read like what they print ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/Printer.h"
#include <cstring>

using namespace llvm;

namespace opsig {

/// The first line of \p Text, with what ends it.
static StringRef firstLine(StringRef Text) {
  size_t End = Text.find('\n');
  return End == StringRef::npos ? Text : Text.take_front(End + 1);
}

void indentLines(std::string &Out, size_t Begin, StringRef Indent, bool IndentBlank) {
  auto IsIndented = [&](StringRef Line) { return IndentBlank || Line.front() != '\n'; };
  size_t Room = 0, Size = Out.size() - Begin;
  for (StringRef Rest = StringRef(Out).substr(Begin); !Rest.empty();) {
    StringRef Line = firstLine(Rest);
    Room += IsIndented(Line) ? Indent.size() : 0;
    Rest = Rest.drop_front(Line.size());
  }
  // All goes to the end, and line by line back: what is written stays behind what is read.
  Out.resize(Out.size() + Room);
  char *To = Out.data() + Begin;
  std::memmove(To + Room, To, Size);
  for (StringRef Rest(To + Room, Size); !Rest.empty();) {
    StringRef Line = firstLine(Rest);
    if (IsIndented(Line))
      To = std::copy(Indent.begin(), Indent.end(), To);
    std::memmove(To, Line.data(), Line.size());
    To += Line.size();
    Rest = Rest.drop_front(Line.size());
  }
}

size_t HoleView::knownSize() const {
  if (Is == Kind::Text)
    return Size;
  size_t Sum = 0;
  if (Is == Kind::List)
    for (const std::string &Item : list())
      Sum += Item.size() + 2; // a comma, or the end of a line
  return Sum;
}

static auto items(ArrayRef<std::string> List) {
  return each(std::move(List), [](StringRef Item) { return Item; });
}

void HoleView::printInLine(std::string &Out) const {
  switch (Is) {
  case Kind::Text:
    Out.append(static_cast<const char *>(Data), Size);
    return;
  case Kind::List:
    return items(list()).print(Out, /*AsLines=*/false);
  case Kind::Function:
  case Kind::Items:
    Call(Data, Out, /*AsLines=*/false);
    return;
  case Kind::Flag:
  case Kind::NoItems:
    return;
  }
}

void HoleView::printLines(std::string &Out) const {
  if (Is == Kind::List)
    return items(list()).print(Out, /*AsLines=*/true);
  if (Is == Kind::Items)
    return Call(Data, Out, /*AsLines=*/true);
  size_t Begin = Out.size();
  printInLine(Out);
  endLine(Out, Begin);
}

void printer::printBlock(std::string &Out, StringRef Indent, const HoleView &Value, const Step &S) {
  size_t Begin = Out.size();
  Value.printLines(Out);
  if (!Indent.empty())
    indentLines(Out, Begin, Indent, S.IndentBlank);
}

void printer::run(std::string &Out, std::string_view Text, ArrayRef<Step> Steps,
                  const uint8_t *ValueOf, ArrayRef<HoleView> Values, BlockPrinter *Block) {
  if (Out.empty()) {
    size_t Size = Text.size();
    for (const HoleView &Value : Values)
      Size += Value.knownSize();
    Out.reserve(Size);
  }
  for (size_t I = 0; I < Steps.size();) {
    const Step &S = Steps[I];
    Out.append(Text, S.Begin, S.End - S.Begin);
    const HoleView &Value = Values[ValueOf[I++]];
    switch (S.Then) {
    case Step::Do::Nothing:
      break;
    case Step::Do::Fill:
      if (S.CommaBefore && Value.isList() && !Value.isEmpty())
        Out += ", ";
      Value.printInLine(Out);
      if (S.CommaAfter && Value.isList() && !Value.isEmpty())
        Out += ", ";
      break;
    case Step::Do::Block:
      Block(Out, StringRef(Text).substr(S.End, S.Indent), Value, S);
      break;
    case Step::Do::If:
      I = Value.isEmpty() ? S.Next : I;
      break;
    case Step::Do::Jump:
      I = S.Next;
      break;
    }
  }
}

} // namespace opsig
