//===- FactsCache.cpp - facts of files that have not changed ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "Serialize/FactsInternal.h"
#include "opsig/Frontend/Facts.h"
#include "opsig/Support/JsonText.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace opsig;
using namespace llvm;

/// Of the form of the entries.
static constexpr StringLiteral Version = "2";

KeyMaker opsig::commandKey(const ParseJob &Job, StringRef Opsig) {
  KeyMaker Key;
  Key.add(Version).add(Opsig).add(clang::getClangFullVersion());
  SmallString<256> Directory(Job.Directory);
  if (Directory.empty())
    (void)sys::fs::current_path(Directory);
  Key.add(Directory).add(std::to_string(unsigned(Job.Language)));
  for (const std::string &Word : Job.Command)
    Key.add(Word == Job.File ? "" : Word);
  // What Clang's driver and preprocessor look at besides.
  for (const char *Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX",
                           "COMPILER_PATH", "LIBRARY_PATH", "CUDA_PATH", "HIP_PATH", "ROCM_PATH",
                           "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG", "HOME"}) {
    const char *Value = std::getenv(Name);
    Key.add(Value ? Value : "");
  }
  return Key;
}

std::string FactsCache::nameOf(const ParseJob &Job, const ParseOptions &Options) const {
  FactsStamp Stamp = factsStamp(Opsig, Options);
  SmallString<256> Working;
  (void)sys::fs::current_path(Working);
  SmallString<256> File(Job.File);
  // As the command finds it.
  if (!Job.Directory.empty())
    sys::path::make_absolute(Job.Directory, File);
  return "facts-" + commandKey(Job, Opsig)
                        .add(Stamp.Options)
                        .add(Stamp.Bodies ? "bodies" : "")
                        .add(Working)
                        .add(Job.File)
                        .add(States.textHash(File))
                        .key();
}

namespace {

/// "SIZE HOW\n", as many bytes of a trace, facts as JSON.
struct EntryParts {
  SharedReading How;
  StringRef Trace, Facts;

  static std::optional<EntryParts> of(StringRef Text) {
    size_t Size;
    unsigned How;
    if (Text.consumeInteger(10, Size) || !Text.consume_front(" ") || Text.consumeInteger(10, How) ||
        How > unsigned(SharedReading::ByReading) || !Text.consume_front("\n") || Size > Text.size())
      return std::nullopt;
    return EntryParts{SharedReading(How), Text.take_front(Size), Text.drop_front(Size)};
  }
  std::string text() const {
    return (Twine(Trace.size()) + " " + Twine(unsigned(How)) + "\n" + Trace + Facts).str();
  }
};

} // namespace

std::optional<KeptUnit> FactsCache::find(const ParseJob &Job, const ParseOptions &Options,
                                         bool WithFiles) const {
  if (!Folder.isOpen())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> Entry = Folder.get(nameOf(Job, Options));
  if (!Entry)
    return std::nullopt;
  std::optional<EntryParts> Parts = EntryParts::of(CacheFolder::textOf(*Entry));
  if (!Parts || !FileTrace::holds(Parts->Trace, States, Options.IsProjectFile))
    return std::nullopt;
  Expected<json::Value> Facts = parseJson(Parts->Facts);
  if (!Facts) {
    consumeError(Facts.takeError());
    return std::nullopt;
  }
  KeptUnit Kept;
  json::Object *O = Facts->getAsObject();
  const json::Value *Is = O ? O->get("unit") : nullptr;
  json::Value *Folders = O ? O->get("torch-folders") : nullptr;
  if (!Is || !unitFromJson(*Is, Kept.Unit) || !Folders ||
      !fromJson(*Folders, Kept.Unit.TorchFolders))
    return std::nullopt;
  Kept.How = Parts->How;
  if (WithFiles)
    Kept.Files = FileTrace::filesOf(Parts->Trace);
  return Kept;
}

void FactsCache::keep(const ParseJob &Job, const ParseOptions &Options, const KeptUnit &Kept,
                      const FileTrace &Trace) const {
  if (!Folder.isOpen() || !Kept.Unit.Parsed || Trace.torn())
    return;
  std::string Lines, Facts;
  raw_string_ostream Out(Lines);
  Trace.write(Out, Options.IsProjectFile);
  std::vector<std::string> Folders = Kept.Unit.TorchFolders;
  raw_string_ostream(Facts) << json::Value(
      json::Object{{"unit", unitToJson(Kept.Unit)}, {"torch-folders", toJson(Folders)}});
  Folder.put(nameOf(Job, Options), EntryParts{Kept.How, Lines, Facts}.text());
}

void FactsCache::confirm(const ParseJob &Job, const ParseOptions &Options) const {
  if (!Folder.isOpen())
    return;
  std::string Name = nameOf(Job, Options);
  std::unique_ptr<MemoryBuffer> Entry = Folder.get(Name);
  if (!Entry)
    return;
  std::optional<EntryParts> Parts = EntryParts::of(CacheFolder::textOf(*Entry));
  if (!Parts)
    return;
  Parts->How = SharedReading::Confirmed;
  Folder.put(Name, Parts->text());
}
