//===- AddSuppressions.cpp - Comments instead of fixes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SuppressInternal.h"
#include "opsig/Report/AddSuppressions.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

using LineOfFile = std::pair<SourceId, uint32_t>;

/// A comment line there would end a macro, or become part of it.
static bool continuesAbove(const LineOfFile &At, const SourceFiles &Files) {
  return At.second > 1 && Files.line(At.first, At.second - 1).rtrim("\r").ends_with("\\");
}

/// The line with the comment, in the line ends of the file.
static std::string commentLine(const LineOfFile &At, ArrayRef<StringRef> Checks, StringRef Reason,
                               const SourceFiles &Files) {
  StringRef Line = Files.line(At.first, At.second);
  StringRef Indent = Line.take_while([](char C) { return C == ' ' || C == '\t'; });
  std::string Text = (Indent + commentStart(Files.name(At.first)) + " opsig: allow(").str();
  Text += join(Checks, ", ") + ")";
  if (!Reason.empty())
    Text += ": " + safeText(Reason);
  bool HasReturn = Files.text(At.first).contains("\r\n");
  return Text + (HasReturn ? "\r\n" : "\n");
}

Findings opsig::withSuppressions(ArrayRef<Finding> Hits, StringRef Reason,
                                 const SourceFiles &Files) {
  std::map<LineOfFile, SetVector<StringRef>> Checks;
  for (const Finding &D : Hits)
    if (D.At.isValid())
      Checks[{D.At.File, D.At.Line}].insert(findingName(D.Id));
  Findings Out;
  for (Finding D : Hits) {
    D.Fixes.clear();
    D.Hint.clear();
    LineOfFile At{D.At.File, D.At.Line};
    if (auto It = Checks.find(At); It != Checks.end()) {
      if (!continuesAbove(At, Files))
        D.Fixes.push_back({D.At.File, uint32_t(Files.offsetOf({D.At.File, D.At.Line, 1})), 0,
                           commentLine(At, It->second.getArrayRef(), Reason, Files)});
      Checks.erase(It);
    }
    Out.append(std::move(D));
  }
  return Out;
}
