//===- SetupSources.cpp - What the extensions of a setup.py are built from --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/SetupSources.h"
#include "check/ShareFolder.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/RunProgram.h"
#include "opsig/Workspace/FindPython.h"
#include "llvm/Support/JSON.h"

namespace opsig {

/// What the script prints; "" where it does not run.
static std::string answerOf(llvm::StringRef Folder, std::string Text,
                            llvm::ArrayRef<std::string> Untrusted) {
  std::optional<std::string> Python = findPython(Untrusted);
  if (!Python)
    return "";
  ProgramRun Run;
  Run.Path = *Python;
  // Nothing of the project, nor of the user's, is on its path, and nothing is written.
  Run.Arguments = {"-I",        "-S",     "-B",
                   "-W",        "ignore", absolutePath(shareFolder() + "/python/setup_sources.py"),
                   Folder.str()};
  Run.Input = std::move(Text);
  Run.Limits.CpuSeconds = 5;
  llvm::Expected<ProgramEnd> End = runProgram(Run);
  if (End && End->succeeded())
    return End->Output;
  if (!End)
    llvm::consumeError(End.takeError());
  return "";
}

std::vector<std::vector<std::string>> setupSources(llvm::StringRef Folder,
                                                   llvm::ArrayRef<std::string> Untrusted) {
  auto Text = readWholeFile((Folder + "/setup.py").str());
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return {};
  }
  llvm::Expected<llvm::json::Value> Answer =
      llvm::json::parse(answerOf(Folder, (*Text)->getBuffer().str(), Untrusted));
  std::vector<std::vector<std::string>> Out;
  llvm::json::Path::Root Root;
  if (!Answer)
    llvm::consumeError(Answer.takeError());
  else if (!llvm::json::fromJSON(*Answer, Out, Root))
    Out.clear();
  return Out;
}

} // namespace opsig
