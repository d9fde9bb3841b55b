//===- Lsp.cpp - opsig lsp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// standard input => messages => (Editor/YamlServer.h) answers, findings => standard output
//
//===----------------------------------------------------------------------===//
#include "SchemaInput.h"
#include "Subcommands.h"
#include "check/ProgramDocs.h"
#include "lsp/ProjectReading.h"
#include "opsig/Editor/YamlServer.h"
#include "opsig/Lsp/Frame.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace cl = llvm::cl;

namespace opsig {

namespace {

/// Whether there is something to read already.
bool hasInput(int Stream) {
  pollfd Asked{Stream, POLLIN, 0};
  return poll(&Asked, 1, 0) > 0;
}

class LspCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "lsp"; }
  cl::SubCommand &parser() override { return Sub; }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  YamlServer::Setup setup() const;

  cl::SubCommand Sub{"lsp", "A language server for native_functions.yaml and YAMLs of backends"};
  SchemaOptions Schema{Sub};
  cl::opt<std::string> BuildDir{
      "p", cl::sub(Sub), cl::value_desc("BUILD"),
      cl::desc("The folder with compile_commands.json, for the kernels in C++; default: found from "
               "the files that are opened")};
  cl::opt<bool> Stdio{"stdio", cl::sub(Sub),
                      cl::desc("Talk over standard input and output, as it does anyway")};
};

YamlServer::Setup LspCommand::setup() const {
  YamlServer::Setup Setup;
  Setup.Schemas = Schema.settings();
  for (std::string *Path :
       {&Setup.Schemas.TorchRoot, &Setup.Schemas.NativeFunctions, &Setup.Schemas.Tags})
    if (!Path->empty())
      *Path = absolutePath(*Path);
  // The YAML of a backend that is open is the one that is meant.
  Setup.Schemas.Backends.clear();
  Setup.Version = OPSIG_VERSION;
  Setup.Docs = programDocs();
  return Setup;
}

int LspCommand::run(const std::vector<std::string> &) {
  YamlServer::Setup Setup = setup();
  // Its threads may run when this ends, and the program with it.
  auto *Project = new ProjectReading(Setup.Board, BuildDir.empty() ? "" : absolutePath(BuildDir),
                                     OPSIG_VERSION);
  Setup.Opened = [Project](llvm::StringRef Path) { Project->openedFile(Path); };
  YamlServer Server(std::move(Setup));
  FrameReader Frames;
  auto Send = [](const std::vector<std::string> &Bodies) {
    for (const std::string &Body : Bodies)
      llvm::outs() << framed(Body);
    llvm::outs().flush();
  };
  std::vector<char> Room(1 << 16);
  while (!Server.hasEnded()) {
    if (std::optional<std::string> Body = Frames.next()) {
      Send(Server.handle(*Body));
      continue;
    }
    if (!hasInput(STDIN_FILENO))
      Send(Server.settle());
    ssize_t Count = read(STDIN_FILENO, Room.data(), Room.size());
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      break; // the editor is gone
    Frames.add({Room.data(), size_t(Count)});
  }
  llvm::outs().flush();
  bool IsLost = llvm::outs().has_error();
  llvm::outs().clear_error();
  // Sources may be being read: nobody waits for that.
  std::_Exit(IsLost ? ExitUnusable : Server.status());
}

} // namespace

std::unique_ptr<Subcommand> makeLspCommand() { return std::make_unique<LspCommand>(); }

} // namespace opsig
