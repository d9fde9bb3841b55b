//===- FlowPrinting.cpp - flows as text -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/BodyFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

class FlowPrinter {
public:
  FlowPrinter(llvm::raw_ostream &OS, const FunctionFlow &F) : OS(OS), F(F) {}

  void print();

private:
  void printValue(FlowIndex Index);
  void printList(llvm::StringRef Open, const std::vector<FlowIndex> &Values,
                 llvm::StringRef Close) {
    OS << Open;
    llvm::interleaveComma(Values, OS, [&](FlowIndex Value) { printValue(Value); });
    OS << Close;
  }

  llvm::raw_ostream &OS;
  const FunctionFlow &F;
  /// What is being printed: a loop's variable may be made of itself.
  std::vector<FlowIndex> Open;
};

void FlowPrinter::printValue(FlowIndex Index) {
  if (llvm::is_contained(Open, Index)) {
    OS << "itself";
    return;
  }
  Open.push_back(Index);
  const FlowValue &Value = F.Values[Index];
  switch (Value.Is) {
  case FlowValue::None:
    OS << "none";
    break;
  case FlowValue::Parameter:
    OS << '#' << Value.Index + 1;
    break;
  case FlowValue::Result:
    OS << "result of call " << Value.Index;
    break;
  case FlowValue::Part:
    if (Value.Index == AnyPart)
      OS << "element of ";
    else
      OS << "part " << Value.Index << " of ";
    printValue(Value.From.front());
    break;
  case FlowValue::Tuple:
    printList("(", Value.From, ")");
    break;
  case FlowValue::OneOf:
    printList("one of {", Value.From, "}");
    break;
  case FlowValue::OrElse:
    printList("first of {", Value.From, "}");
    break;
  }
  Open.pop_back();
}

void FlowPrinter::print() {
  for (const FlowCall &Call : F.Calls) {
    OS << "call " << Call.Callee << '(';
    llvm::interleaveComma(Call.Args, OS, [&](const FlowArgument &A) {
      OS << A.Param << (A.Writable ? "!: " : ": ");
      printValue(A.Value);
    });
    OS << ')';
    if (Call.Flow != FlowCall::NoFlow)
      OS << " => flow " << Call.Flow;
    OS << '\n';
  }
  auto PrintAll = [&](llvm::StringRef Word, const auto &Items, auto ValueOf) {
    for (const auto &Item : Items) {
      OS << Word << ' ';
      printValue(ValueOf(Item));
      OS << '\n';
    }
  };
  PrintAll("write", F.Writes, [](const FlowWrite &W) { return W.Value; });
  PrintAll("return", F.Returns, [](const FlowReturn &R) { return R.Value; });
  PrintAll("escape", F.Escapes, [](FlowIndex Value) { return Value; });
  if (!F.Complete)
    OS << "incomplete\n";
  if (!F.Finishes)
    OS << "never finishes\n";
}

} // namespace

llvm::raw_ostream &opsig::operator<<(llvm::raw_ostream &OS, const FunctionFlow &F) {
  FlowPrinter(OS, F).print();
  return OS;
}
