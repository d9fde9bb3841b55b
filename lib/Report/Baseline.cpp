//===- Baseline.cpp - findings that are known already -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/Baseline.h"
#include "opsig/Report/Selection.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace opsig;
using namespace llvm;

/// Of the format of the file.
static constexpr int64_t BaselineVersion = 1;

static std::string hash(StringRef Text) { return utohexstr(xxh3_64bits(Text), true, 16); }

FindingKey opsig::findingKey(const Finding &D, const SourceFiles &Files, StringRef Folder) {
  FindingKey Key;
  Key.Check = checkName(D.Id);
  Key.Message = utf8(D.Message);
  if (D.At.File == SourceId::None)
    return Key;
  Key.File = utf8(pathBelow(Files.name(D.At.File), Folder));
  if (D.At.isValid()) {
    std::string Words;
    for (char C : Files.line(D.At.File, D.At.Line))
      if (!isSpace(C))
        Words += C;
    Key.Line = hash(Words);
  }
  return Key;
}

std::string opsig::fingerprint(const FindingKey &Key) {
  // Zero bytes, so that nothing can move from one part to the next.
  return hash(StringRef(Key.File + '\0' + Key.Check + '\0' + Key.Message + '\0' + Key.Line));
}

static Expected<FindingKey> readKey(const json::Value &Entry, size_t Index) {
  const json::Object *O = Entry.getAsObject();
  FindingKey Key;
  if (O)
    for (auto [Name, To] : {std::pair("check", &Key.Check),
                            {"file", &Key.File},
                            {"line", &Key.Line},
                            {"message", &Key.Message}}) {
      std::optional<StringRef> Text = O->getString(Name);
      if (!Text)
        return createStringError("finding %zu has no '%s'", Index + 1, Name);
      *To = Text->str();
    }
  else
    return createStringError("finding %zu is not an object", Index + 1);
  return Key;
}

/// Without LLVM's form of a place, "[1:2, byte=2]: ".
static Error notJson(Error Why) {
  return handleErrors(std::move(Why), [](const json::ParseError &E) -> Error {
    const std::string Text = E.message();
    const StringRef Place = StringRef(Text).split(", byte=").first.ltrim('[');
    auto [Line, Column] = Place.split(':');
    return createStringError("it is not JSON (line " + Line + ", column " + Column + ")");
  });
}

Expected<Baseline> Baseline::read(StringRef Text, StringRef Folder) {
  Expected<json::Value> Root = parseJson(Text);
  if (!Root)
    return notJson(Root.takeError());
  const json::Object *O = Root->getAsObject();
  std::optional<int64_t> Version = O ? O->getInteger("opsig-baseline") : std::nullopt;
  const json::Array *List = O ? O->getArray("findings") : nullptr;
  if (!Version || !List)
    return createStringError("it is not an opsig baseline");
  if (*Version != BaselineVersion)
    return createStringError("it has format %d, but this opsig reads format %d", int(*Version),
                             int(BaselineVersion));
  Baseline B;
  B.Folder = Folder.str();
  for (size_t I = 0; I < List->size(); ++I) {
    Expected<FindingKey> Key = readKey((*List)[I], I);
    if (!Key)
      return Key.takeError();
    ++B.Counts[std::move(*Key)];
  }
  return B;
}

bool Baseline::take(const Finding &D, const SourceFiles &Files) {
  auto It = Counts.find(findingKey(D, Files, Folder));
  if (It == Counts.end() || !It->second)
    return false;
  --It->second;
  return true;
}

size_t Baseline::left() const {
  size_t Sum = 0;
  for (const auto &[Key, Count] : Counts)
    Sum += Count;
  return Sum;
}

void opsig::writeBaseline(raw_ostream &OS, ArrayRef<Finding> Hits, const SourceFiles &Files,
                          StringRef Folder) {
  std::vector<FindingKey> Keys;
  for (const Finding &D : Hits)
    Keys.push_back(findingKey(D, Files, Folder));
  llvm::sort(Keys);
  OS << "{\"opsig-baseline\": " << BaselineVersion << ", \"findings\": [";
  StringRef Separator = "\n";
  for (const FindingKey &Key : Keys) {
    OS << Separator
       << json::Value(json::Object{{"check", Key.Check},
                                   {"file", Key.File},
                                   {"line", Key.Line},
                                   {"message", Key.Message}});
    Separator = ",\n";
  }
  OS << "\n]}\n";
}
