//===- Restart.cpp - A run that had to end begins again -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Restart.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/ProgramPath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cstdlib>
#include <unistd.h>

using namespace opsig;
using llvm::StringRef;

static constexpr const char *Variable = "OPSIG_RESTARTED";

/// The first one tries those that may be at fault, the next one each file.
static constexpr unsigned MostRestarts = 6, TriesEachFile = 2;

/// Longer texts do not fit into a variable.
static constexpr size_t MostText = 100'000;

namespace {

struct Run {
  const char **Argv = nullptr;
  unsigned Restarts = 0;
  HardFiles Known;
};

Run &thisRun() {
  static Run The;
  return The;
}

/// Paths may have any bytes.
std::string textOf(unsigned Restarts, const HardFiles &Files) {
  llvm::json::Array Suspects, TooHard;
  for (const std::string &File : Files.Suspects)
    Suspects.push_back(llvm::toHex(File));
  for (const auto &[File, Why] : Files.TooHard)
    TooHard.push_back(llvm::json::Array{llvm::toHex(File), Why});
  llvm::json::Object All{{"restarts", Restarts},
                         {"suspects", std::move(Suspects)},
                         {"too-hard", std::move(TooHard)},
                         {"seconds", static_cast<int64_t>(Files.SecondsInVain)}};
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::json::Value(std::move(All));
  return Text;
}

std::string bytesOf(const llvm::json::Value &Hex) {
  std::string Bytes;
  llvm::tryGetFromHex(Hex.getAsString().value_or(""), Bytes);
  return Bytes;
}

void takeIn(const llvm::json::Object &All, Run &To) {
  To.Restarts = All.getInteger("restarts").value_or(0);
  To.Known.SecondsInVain = double(std::max<int64_t>(All.getInteger("seconds").value_or(0), 0));
  To.Known.AllAreSuspects = To.Restarts >= TriesEachFile;
  if (const llvm::json::Array *Suspects = All.getArray("suspects"))
    for (const llvm::json::Value &Each : *Suspects)
      To.Known.Suspects.push_back(bytesOf(Each));
  if (const llvm::json::Array *TooHard = All.getArray("too-hard"))
    for (const llvm::json::Value &Each : *TooHard)
      if (const llvm::json::Array *Pair = Each.getAsArray(); Pair && Pair->size() == 2)
        To.Known.TooHard.emplace_back(bytesOf((*Pair)[0]),
                                      (*Pair)[1].getAsString().value_or("").str());
}

} // namespace

void opsig::rememberRun(const char **Argv) {
  thisRun().Argv = Argv;
  const char *Text = std::getenv(Variable);
  if (!Text)
    return;
  if (auto Value = parseJson(Text); !Value)
    llvm::consumeError(Value.takeError());
  else if (const llvm::json::Object *All = Value->getAsObject())
    takeIn(*All, thisRun());
  unsetenv(Variable);
  knowHardFiles(thisRun().Known);
}

void opsig::startAgain(const HardFiles &Files) {
  Run &This = thisRun();
  std::string Program = programPath();
  bool IsServer = This.Argv[1] && StringRef(This.Argv[1]) == "lsp";
  if (This.Restarts >= MostRestarts || Program.empty() || IsServer)
    return;
  HardFiles All = This.Known;
  All.Suspects.insert(All.Suspects.end(), Files.Suspects.begin(), Files.Suspects.end());
  All.TooHard.insert(All.TooHard.end(), Files.TooHard.begin(), Files.TooHard.end());
  All.SecondsInVain = Files.SecondsInVain;
  std::string Text = textOf(This.Restarts + 1, All);
  // Files that were read are not lost because there is no time left.
  if (Text.size() > MostText) {
    llvm::erase_if(All.TooHard, [](const auto &Each) { return Each.second.empty(); });
    All.SecondsInVain = 0;
    Text = textOf(This.Restarts + 1, All);
  }
  if (Text.size() > MostText)
    Text = textOf(std::max(This.Restarts + 1, TriesEachFile), {{}, false, {}, All.SecondsInVain});
  // Other threads go with the old program; none of them has printed or written anything yet.
  if (setenv(Variable, Text.c_str(), /*overwrite=*/1) == 0)
    execv(Program.c_str(), const_cast<char *const *>(This.Argv));
}
