//===- DispatchDump.cpp - Dispatch tables that a running PyTorch printed ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Coverage/DispatchDump.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace llvm;

namespace opsig {

namespace {

/// "CPU: fallthrough registered at a.cpp:3 [kernel]", or
/// "CPU: registered at a.cpp:3 :: (Tensor _0) -> Tensor _0 [ boxed unboxed ]".
struct DumpLine {
  StringRef Key;
  bool IsFallthrough = false;
  /// A kernel that another one for the key has replaced.
  bool IsReplaced = false;
  StringRef Where; ///< "a.cpp:3"
  /// The rule in brackets; of a registration nothing.
  std::optional<ServedBy> By;
};

bool isKeyName(StringRef Text) {
  return !Text.empty() && all_of(Text, [](char C) { return isAlnum(C) || C == '_'; });
}

/// Of a table "[kernel]", of a registration "[ boxed unboxed ]".
std::optional<DumpLine> parseDumpLine(StringRef Text) {
  DumpLine Line;
  auto [Head, Rest] = Text.split(": ");
  Line.IsReplaced = Head.consume_back("(inactive)");
  Head = Head.rtrim();
  bool IsAlias = Head.consume_back("[alias]");
  Line.Key = Head;
  size_t Bracket = Rest.rfind('[');
  if (!isKeyName(Line.Key) || !Rest.ends_with("]") || Bracket == StringRef::npos)
    return std::nullopt;
  StringRef Words = Rest.drop_front(Bracket + 1).drop_back();
  Rest = Rest.take_front(Bracket).rtrim();
  Line.IsFallthrough = Rest.consume_front("fallthrough ");
  if (size_t Signature = Rest.find(" :: "); Words.starts_with(" ") && Words.ends_with(" ")) {
    Line.IsFallthrough |= Words.contains("fallthrough");
    Rest = Rest.take_front(Signature);
  } else {
    Line.By = parseServedBy(Words);
    if (!Line.By || IsAlias || Line.IsReplaced)
      return std::nullopt;
  }
  Rest.consume_front("registered at ");
  Line.Where = Rest;
  return Line;
}

bool isAboutOperator(StringRef Text) {
  return Text.starts_with("schema: ") || Text.starts_with("debug: ") ||
         Text.starts_with("alias analysis kind: ");
}

class DumpReader {
public:
  DumpReader(SourceId File, const SourceFiles &Files, CoverageInput &Input, Findings &Diags)
      : File(File), Files(Files), Input(Input), Diags(Diags), KeyNames(Input.Keys.names()) {
    for (const CoveredOperator &Op : Input.Operators)
      Seen.insert(Op.Name);
  }

  void read() {
    StringRef Rest = Files.text(File);
    size_t Length = Rest.size();
    bool Ended = Rest.empty() || Rest.ends_with("\n");
    while (!Rest.empty()) {
      size_t Offset = Length - Rest.size();
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      readLine(Line.rtrim("\r"), Offset, /*IsCut=*/!Ended && Rest.empty());
    }
    checkEnd();
    if (FirstUntold.isValid())
      Diags.report(finding::DumpLine, FirstUntold,
                   "{0} lines in total are not part of a dump; from here on, they are not reported "
                   "individually",
                   NumForeign);
    reportUnknownKeys();
  }

private:
  Place place(size_t Offset, size_t Length) const { return Files.placeAt(File, Offset, Length); }

  void readLine(StringRef Line, size_t Offset, bool IsCut) {
    EndsWithName = false;
    if (Line.empty())
      return;
    LastLine = place(Offset, Line.size());
    if (StringRef Name = Line; Name.consume_front("name: "))
      return beginOperator(Name.trim(), Offset + 6);
    std::optional<DumpLine> Parsed = parseDumpLine(Line);
    if (Current == None && (Parsed || isAboutOperator(Line)))
      return reportHeadless(Offset, Line.size());
    if (isAboutOperator(Line))
      return;
    if (Parsed)
      return Current == Ignored ? void() : addLine(*Parsed, Offset);
    // What is no dump at all may end as it likes.
    if (IsCut && NumForeign == 0)
      return reportCut("the dump ends in the middle of this line");
    reportForeign(Line, Offset);
  }

  /// Whoever gives another file does not want to be told of each line.
  void reportForeign(StringRef Line, size_t Offset) {
    constexpr unsigned ToldOneByOne = 10;
    if (++NumForeign <= ToldOneByOne)
      Diags.report(finding::DumpLine, place(Offset, Line.size()),
                   "expected a line of a dispatch table (\"KEY: registered at PLACE [RULE]\") or "
                   "of a dump of registrations but found '{0}'",
                   Line.take_front(80));
    if (NumForeign == ToldOneByOne + 1)
      FirstUntold = place(Offset, Line.size());
  }

  void reportHeadless(size_t Offset, size_t Length) {
    if (!std::exchange(HeadlessTold, true))
      Diags.report(finding::DumpLine, place(Offset, Length),
                   "expected \"name: NAMESPACE::OPERATOR\" before this line");
  }

  void reportCut(const char *Why) {
    if (!std::exchange(CutTold, true))
      Diags.report(finding::DumpTruncated, LastLine, "{0}; the rest is missing", Why);
  }

  void beginOperator(StringRef Name, size_t Offset) {
    EndsWithName = true;
    if (!Name.contains("::")) {
      Diags.report(finding::DumpLine, place(Offset, Name.size()),
                   "operator '{0}' has no namespace; expected 'NAMESPACE::OPERATOR'", Name);
      Current = Ignored;
    } else if (!Seen.insert(Name).second) {
      Diags.report(finding::DumpLine, place(Offset, Name.size()),
                   "operator '{0}' occurs twice; the first occurrence is used", Name);
      Current = Ignored;
    } else {
      Input.Operators.push_back({Name.str(), {}});
      Current = Reading;
    }
  }

  void addLine(const DumpLine &Line, size_t Offset) {
    if (Line.IsReplaced)
      return;
    std::optional<KeyId> Key = Input.Keys.find(Line.Key);
    if (!Key || (Line.By && Input.Keys.isAlias(*Key))) {
      ++UnknownKeys.try_emplace(Line.Key, place(Offset, Line.Key.size()), 0).first->second.second;
      return;
    }
    CoveredOperator &Op = Input.Operators.back();
    KernelId Kernel = kernel(Line, *Key);
    if (!Line.By)
      return Op.Kernels.set(*Key, Kernel);
    Op.Table.resize(Input.Keys.slots().size());
    Op.Table[*Key] = {ruleOf(*Line.By, *Key, Line), Kernel};
    if (*Line.By == ServedBy::Fallback)
      FallbackKeys.insert(*Key);
  }

  /// The words of a table are the same for both explicit composite keys; the file that a kernel is
  /// registered in tells which it is.
  static ServedBy ruleOf(ServedBy By, KeyId Key, const DumpLine &Line) {
    if (By != ServedBy::NonFunctional)
      return By;
    return Line.Where.contains("NonFunctional") ? By : ServedBy::Explicit;
  }

  KernelId kernel(const DumpLine &Line, KeyId Key) {
    Service Is = Service::Library;
    if (Line.IsFallthrough)
      Is = Service::Fallthrough;
    else if (isAutograd(Key))
      Is = Service::Autograd;
    auto [It, IsNew] = Known.try_emplace((Twine(unsigned(Is)) + Line.Where).str(), NoKernel);
    if (!IsNew)
      return It->second;
    CoveredKernel New{Is, "", Line.Where.str()};
    auto [Path, Number] = Line.Where.rsplit(':');
    if (!Number.empty() && !Number.getAsInteger(10, New.Line))
      New.File = Path.str();
    return It->second = Input.add(std::move(New));
  }

  bool isAutograd(KeyId Key) const {
    if (Input.Keys.isAlias(Key))
      return Key == Input.Keys.alias(AliasKey::Autograd);
    SlotRole Role = Input.Keys.slots()[Key].Role;
    return Role == SlotRole::Autograd || Role == SlotRole::AutogradOther ||
           Role == SlotRole::AutogradNestedTensor;
  }

  /// A key with a fallback has an entry in every table.
  void checkEnd() {
    if (CutTold || Current != Reading)
      return;
    const CoveredOperator &Last = Input.Operators.back();
    if (EndsWithName)
      return reportCut("the dump ends after this operator's name");
    if (!Last.Table.empty() &&
        any_of(FallbackKeys, [&](KeyId Key) { return Last.Table[Key].By == ServedBy::Nothing; }))
      reportCut("the dump ends in the middle of this operator's table");
  }

  void reportUnknownKeys() {
    std::vector<std::pair<StringRef, std::pair<Place, unsigned>>> Sorted;
    for (const auto &Entry : UnknownKeys)
      Sorted.push_back({Entry.getKey(), Entry.getValue()});
    sort(Sorted,
         [](const auto &L, const auto &R) { return L.second.first.Line < R.second.first.Line; });
    for (const auto &[Key, Found] : Sorted)
      Diags.report(finding::DumpKeyUnknown, Found.first,
                   "'{0}' is not a dispatch key of this PyTorch release; {1} use{2} it{3}", Key,
                   counted(Found.second, "operator"), Found.second == 1 ? "s" : "",
                   didYouMean(Key, KeyNames));
  }

  SourceId File;
  const SourceFiles &Files;
  CoverageInput &Input;
  Findings &Diags;
  std::vector<StringRef> KeyNames;
  enum { None, Ignored, Reading } Current = None;
  StringSet<> Seen;
  std::set<KeyId> FallbackKeys;
  StringMap<std::pair<Place, unsigned>> UnknownKeys;
  StringMap<KernelId> Known;
  Place LastLine, FirstUntold;
  unsigned NumForeign = 0;
  bool HeadlessTold = false, CutTold = false, EndsWithName = false;
};

} // namespace

void readDispatchDump(SourceId File, const SourceFiles &Files, CoverageInput &Input,
                      Findings &Diags) {
  DumpReader(File, Files, Input, Diags).read();
}

Place placeInDump(StringRef Operator, SourceId File, const SourceFiles &Files) {
  StringRef Text = Files.text(File);
  std::string Line = ("name: " + Operator).str();
  for (size_t At = Text.find(Line); At != StringRef::npos; At = Text.find(Line, At + 1)) {
    StringRef Rest = Text.drop_front(At + Line.size());
    if ((At == 0 || Text[At - 1] == '\n') && (Rest.empty() || isSpace(Rest.front())))
      return Files.placeAt(File, At + 6, Operator.size());
  }
  return Files.placeAt(File, 0);
}

} // namespace opsig
