//===- ComparisonCache.cpp - files whose headers say what a shared one says ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "opsig/Frontend/Facts.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

static std::string hashOfTokens(const HeaderTokens &Of) {
  std::string All;
  raw_string_ostream OS(All);
  for (const auto &[File, Hashes] : Of) {
    OS << File.getDevice() << ' ' << File.getFile();
    for (uint64_t Hash : Hashes)
      OS << ' ' << Hash;
    OS << '\n';
  }
  return hashOf(All);
}

/// The file of \p Job as its command finds it.
static std::string pathOf(const ParseJob &Job) {
  SmallString<256> File(Job.File);
  if (!Job.Directory.empty())
    sys::path::make_absolute(Job.Directory, File);
  (void)sys::fs::make_absolute(File);
  return std::string(File);
}

std::string ComparisonCache::nameOf(const ParseJob &Job, const ParseOptions &Options,
                                    const HeaderTokens &Of, StringRef Text) const {
  // `#include "x.h"` begins in the folder of the file.
  std::string Path = pathOf(Job);
  StringRef Beside = sys::path::parent_path(Path);
  return "same-" + commandKey(Job, Opsig, States.paths())
                       .add(factsStamp(Opsig, Options).Options)
                       .add(States.paths().toKept(Beside))
                       .add(hashOfTokens(Of))
                       .add(Text)
                       .key();
}

bool ComparisonCache::hasSameTokens(const ParseJob &Job, const ParseOptions &Options,
                                    const HeaderTokens &Of) const {
  if (!Folder.isOpen() || !Options.Buffers.empty())
    return false;
  std::string Path = pathOf(Job);
  auto Text = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true);
  // Facts are of the text that the file had when this run first saw it.
  if (!Text || hashOf((*Text)->getBuffer()) != States.textHash(Path))
    return false;
  StringRef Read = textUpToIncludes((*Text)->getBuffer());
  std::unique_ptr<MemoryBuffer> Entry = Folder.get(nameOf(Job, Options, Of, Read));
  return Entry && FileTrace::holds(CacheFolder::textOf(*Entry), States, nullptr);
}

void ComparisonCache::keepSame(const ParseJob &Job, const ParseOptions &Options,
                               const HeaderTokens &Of, const ComparedFile &Compared) const {
  if (!Folder.isOpen() || !Options.Buffers.empty() || !Compared.Text || Compared.Trace.torn())
    return;
  std::string Lines;
  raw_string_ostream Out(Lines);
  Compared.Trace.write(Out, nullptr);
  Folder.put(nameOf(Job, Options, Of, *Compared.Text), Lines);
}
