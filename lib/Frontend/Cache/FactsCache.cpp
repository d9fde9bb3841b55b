//===- FactsCache.cpp - facts of files that have not changed ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "Serialize/FactsInternal.h"
#include "opsig/Frontend/Facts.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace opsig;
using namespace llvm;

/// Of the form of the entries.
static constexpr StringLiteral Version = "4";

KeyMaker opsig::commandKey(const ParseJob &Job, StringRef Opsig, const MovablePaths &Paths) {
  KeyMaker Key;
  Key.add(Version).add(Opsig).add(clang::getClangFullVersion());
  SmallString<256> Directory(Job.Directory);
  if (Directory.empty())
    (void)sys::fs::current_path(Directory);
  Key.add(Paths.toKept(Directory)).add(std::to_string(unsigned(Job.Language)));
  for (const std::string &Word : Job.Command)
    Key.add(Word == Job.File ? "" : Paths.wordToKept(Word));
  // What Clang's driver and preprocessor look at besides.
  for (const char *Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX",
                           "COMPILER_PATH", "LIBRARY_PATH", "CUDA_PATH", "HIP_PATH", "ROCM_PATH",
                           "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG", "HOME"}) {
    const char *Value = std::getenv(Name);
    Key.add(Value ? Paths.wordToKept(Value) : "");
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
  return "facts-" + commandKey(Job, Opsig, States.paths())
                        .add(Stamp.Options)
                        .add(Stamp.Bodies ? "bodies" : "")
                        .add(States.paths().toKept(Working))
                        .add(States.paths().toKept(Job.File))
                        .add(States.textHash(File))
                        .key();
}

namespace {

/// "SIZE HOW FOLDER\n", as many bytes of a trace, facts.
struct EntryParts {
  SharedReading How;
  /// The hash of the only working folder that it is good for; "-": for any.
  StringRef Folder;
  StringRef Trace, Facts;

  static std::optional<EntryParts> of(StringRef Text) {
    size_t Size;
    unsigned How;
    if (Text.consumeInteger(10, Size) || !Text.consume_front(" ") || Text.consumeInteger(10, How) ||
        How > unsigned(SharedReading::ByReading) || !Text.consume_front(" "))
      return std::nullopt;
    auto [Folder, Rest] = Text.split('\n');
    if (Size > Rest.size())
      return std::nullopt;
    return EntryParts{SharedReading(How), Folder, Rest.take_front(Size), Rest.drop_front(Size)};
  }
  bool isFor(const MovablePaths &Paths) const {
    return Folder == "-" || Folder == hashOf(Paths.folder());
  }
  std::string text() const {
    return (Twine(Trace.size()) + " " + Twine(unsigned(How)) + " " + Folder + "\n" + Trace + Facts)
        .str();
  }
};

/// Gives each text of \p Unit that begins with a path to \p Change.
void changePaths(UnitFacts &Unit, function_ref<std::string(StringRef)> Change) {
  for (std::string *One : {&Unit.MainFile, &Unit.FirstError})
    *One = Change(*One);
  for (std::vector<std::string> *Several : {&Unit.Files, &Unit.TorchFolders})
    for (std::string &One : *Several)
      One = Change(One);
  for (UnitFacts &Branch : Unit.OtherBranches)
    changePaths(Branch, Change);
}

} // namespace

std::optional<KeptUnit> FactsCache::find(const ParseJob &Job, const ParseOptions &Options,
                                         bool WithFiles) const {
  if (!Folder.isOpen())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> Entry = Folder.get(nameOf(Job, Options));
  if (!Entry)
    return std::nullopt;
  std::optional<EntryParts> Parts = EntryParts::of(CacheFolder::textOf(*Entry));
  if (!Parts || !Parts->isFor(States.paths()) ||
      !FileTrace::holds(Parts->Trace, States, Options.IsProjectFile))
    return std::nullopt;
  KeptUnit Kept;
  if (!unitFromBytes(Parts->Facts, Kept.Unit))
    return std::nullopt;
  changePaths(Kept.Unit, [&](StringRef Path) { return States.paths().fromKept(Path); });
  Kept.How = Parts->How;
  if (WithFiles)
    Kept.Files = FileTrace::filesOf(Parts->Trace, States);
  return Kept;
}

void FactsCache::keep(const ParseJob &Job, const ParseOptions &Options, const KeptUnit &Kept,
                      const FileTrace &Trace) const {
  if (!Folder.isOpen() || !Kept.Unit.Parsed || Trace.torn())
    return;
  std::string Lines;
  raw_string_ostream Out(Lines);
  Trace.write(Out, Options.IsProjectFile);
  UnitFacts Moved = Kept.Unit;
  changePaths(Moved, [&](StringRef Path) { return States.paths().toKept(Path); });
  std::string Facts = unitToBytes(Moved);
  // A literal of the code, or what __FILE__ was.
  std::string Bound = States.paths().areIn(Facts) ? hashOf(States.paths().folder()) : "-";
  Folder.put(nameOf(Job, Options), EntryParts{Kept.How, Bound, Lines, Facts}.text());
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
