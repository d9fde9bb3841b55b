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
static constexpr StringLiteral Version = "1";

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

std::optional<KeptUnit> FactsCache::find(const ParseJob &Job, const ParseOptions &Options,
                                         bool WithFiles) const {
  if (!Folder.isOpen())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> Entry = Folder.get(nameOf(Job, Options));
  if (!Entry)
    return std::nullopt;
  StringRef Text = CacheFolder::textOf(*Entry);
  size_t TraceSize;
  if (Text.consumeInteger(10, TraceSize) || !Text.consume_front("\n") || TraceSize > Text.size() ||
      !FileTrace::holds(Text.take_front(TraceSize), States, Options.IsProjectFile))
    return std::nullopt;
  Expected<json::Value> Facts = parseJson(Text.drop_front(TraceSize));
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
  Kept.WithSharedPch = O->getBoolean("prefixed").value_or(true);
  if (WithFiles)
    Kept.Files = FileTrace::filesOf(Text.take_front(TraceSize));
  return Kept;
}

void FactsCache::keep(const ParseJob &Job, const ParseOptions &Options, const KeptUnit &Kept,
                      const FileTrace &Trace) const {
  if (!Folder.isOpen() || !Kept.Unit.Parsed || Trace.torn())
    return;
  std::string Lines;
  raw_string_ostream Out(Lines);
  Trace.write(Out, Options.IsProjectFile);
  std::string Text = std::to_string(Lines.size()) + "\n" + Lines;
  std::vector<std::string> Folders = Kept.Unit.TorchFolders;
  raw_string_ostream(Text) << json::Value(json::Object{{"unit", unitToJson(Kept.Unit)},
                                                       {"torch-folders", toJson(Folders)},
                                                       {"prefixed", Kept.WithSharedPch}});
  Folder.put(nameOf(Job, Options), Text);
}
