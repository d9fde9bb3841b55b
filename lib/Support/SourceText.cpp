//===- SourceText.cpp - The text that diagnostics point into ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/SourceText.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <mutex>

namespace opsig {

struct SourceFiles::Entry {
  std::string Name;
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  /// Offsets at which lines begin; made when first asked for, in whatever thread.
  std::vector<uint32_t> LineStarts;
  std::once_flag LinesFound;

  Entry(std::string Name, std::unique_ptr<llvm::MemoryBuffer> Buffer)
      : Name(std::move(Name)), Buffer(std::move(Buffer)) {}

  llvm::StringRef text() const { return Buffer ? Buffer->getBuffer() : llvm::StringRef(); }

  const std::vector<uint32_t> &lineStarts() {
    std::call_once(LinesFound, [this] {
      LineStarts.push_back(0);
      llvm::StringRef Text = text();
      for (size_t At = Text.find('\n'); At != llvm::StringRef::npos; At = Text.find('\n', At + 1))
        LineStarts.push_back(At + 1);
    });
    return LineStarts;
  }
};

// Entry 0 is SourceId::None.
SourceFiles::SourceFiles() { Entries.push_back(std::make_unique<Entry>("", nullptr)); }
SourceFiles::SourceFiles(const SourceFiles *Base)
    : Base(Base), FirstOwn(static_cast<uint32_t>(Base->nextId())) {}
SourceFiles::~SourceFiles() = default;

SourceFiles::Entry &SourceFiles::entry(SourceId File) const {
  uint32_t Id = static_cast<uint32_t>(File);
  return Id < FirstOwn ? Base->entry(File) : *Entries[Id - FirstOwn];
}

llvm::Expected<SourceId> SourceFiles::open(llvm::StringRef Path) {
  if (SourceId Known = find(Path); Known != SourceId::None)
    return Known;
  auto Buffer = readWholeFile(Path);
  if (!Buffer)
    return Buffer.takeError();
  SourceId Id = nextId();
  Entries.push_back(std::make_unique<Entry>(Path.str(), std::move(*Buffer)));
  Ids[Path] = Id;
  return Id;
}

SourceId SourceFiles::add(llvm::StringRef Name, std::string Text) {
  if (SourceId Known = find(Name); Known != SourceId::None)
    return Known;
  SourceId Id = nextId();
  Entries.push_back(
      std::make_unique<Entry>(Name.str(), llvm::MemoryBuffer::getMemBufferCopy(Text, Name)));
  Ids[Name] = Id;
  return Id;
}

SourceId SourceFiles::find(llvm::StringRef Name) const {
  auto It = Ids.find(Name);
  if (It != Ids.end())
    return It->second;
  return Base ? Base->find(Name) : SourceId::None;
}

llvm::StringRef SourceFiles::name(SourceId File) const { return entry(File).Name; }
llvm::StringRef SourceFiles::text(SourceId File) const { return entry(File).text(); }

llvm::StringRef SourceFiles::line(SourceId File, uint32_t Line) const {
  Entry &E = entry(File);
  const std::vector<uint32_t> &Starts = E.lineStarts();
  if (Line == 0 || Line > Starts.size())
    return {};
  llvm::StringRef Rest = E.text().drop_front(Starts[Line - 1]);
  return Rest.take_until([](char C) { return C == '\n'; }).rtrim('\r');
}

Place SourceFiles::placeAt(SourceId File, size_t Offset, uint32_t Length) const {
  const std::vector<uint32_t> &Starts = entry(File).lineStarts();
  auto After = std::upper_bound(Starts.begin(), Starts.end(), Offset);
  uint32_t Line = After - Starts.begin();
  return {File, Line, static_cast<uint32_t>(Offset - Starts[Line - 1] + 1), Length};
}

size_t SourceFiles::offsetOf(const Place &At) const {
  const std::vector<uint32_t> &Starts = entry(At.File).lineStarts();
  if (At.Line == 0 || At.Line > Starts.size())
    return 0;
  return Starts[At.Line - 1] + (At.Column ? At.Column - 1 : 0);
}

Place LocatedText::at(size_t Offset, size_t Length) const {
  if (!Verbatim)
    return At;
  Place Inner = At;
  Inner.Column += Offset;
  Inner.Length = Length;
  return Inner;
}

} // namespace opsig
