//===- Cache.cpp - opsig cache ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// show | clear | dir => what was read before, and is kept (Frontend/ReadingCache.h)
//
//===----------------------------------------------------------------------===//
#include "SchemaInput.h"
#include "Subcommands.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

enum class CacheAction { Show, Clear, Dir };

std::string megabytes(uint64_t Bytes) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.1f MB", double(Bytes) / 1e6);
  return Text;
}

class CacheCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "cache"; }
  llvm::StringRef operands() const override { return "show|clear|dir"; }
  cl::SubCommand &parser() override { return Sub; }
  int run(const std::vector<std::string> &) override { return statusOf(act()); }

private:
  llvm::Expected<int> act() const;
  llvm::Expected<CacheAction> action() const;

  cl::SubCommand Sub{
      "cache", "Show or clear the cache of files that `opsig check` has read, or print its folder"};
  cl::opt<std::string> Action{cl::Positional, cl::sub(Sub), cl::desc("show|clear|dir")};
  cl::opt<std::string> Folder{
      "cache", cl::sub(Sub), cl::value_desc("DIR"),
      cl::desc("Use DIR as the cache folder; default: opsig/readings in the user's cache")};
};

llvm::Expected<CacheAction> CacheCommand::action() const {
  if (Action == "show" || Action.empty())
    return CacheAction::Show;
  if (Action == "clear")
    return CacheAction::Clear;
  if (Action == "dir")
    return CacheAction::Dir;
  return llvm::createStringError("invalid action '" + Action +
                                 "'; expected one of: show, clear, dir");
}

llvm::Expected<int> CacheCommand::act() const {
  llvm::Expected<CacheAction> Chosen = action();
  if (!Chosen)
    return Chosen.takeError();
  std::string Path = Folder.empty() ? defaultReadingCache() : absolutePath(Folder);
  if (Path.empty())
    return llvm::createStringError(
        "no cache folder, because the user has no home folder; pass --cache DIR");
  llvm::raw_ostream &OS = llvm::outs();
  if (*Chosen == CacheAction::Dir) {
    OS << safeLineStart(Path) << '\n';
    return ExitClean;
  }
  llvm::Expected<CacheContents> Contents =
      *Chosen == CacheAction::Clear ? clearCache(Path) : cacheContents(Path);
  if (!Contents)
    return Contents.takeError();
  CacheContents::Kind Total = Contents->total();
  std::string Sum = counted(Total.Files, "file") + ", " + megabytes(Total.Bytes);
  if (*Chosen == CacheAction::Clear) {
    OS << "removed " << Sum << " from " << safeText(Path) << '\n';
    return ExitClean;
  }
  OS << safeLineStart(Path) << ": " << Sum << '\n';
  for (const auto &[Name, Of] : Contents->Kinds)
    OS << "  " << llvm::left_justify(Name, 8) << llvm::right_justify(std::to_string(Of.Files), 8)
       << (Of.Files == 1 ? " file  " : " files ") << llvm::right_justify(megabytes(Of.Bytes), 12)
       << '\n';
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeCacheCommand() { return std::make_unique<CacheCommand>(); }

} // namespace opsig
