//===- Lsp.cpp - opsig lsp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// standard input => messages => (Editor/LanguageServer.h) answers, findings => standard output
//
//===----------------------------------------------------------------------===//
#include "SchemaInput.h"
#include "Subcommands.h"
#include "check/ProgramDocs.h"
#include "check/PythonFiles.h"
#include "lsp/ProjectReading.h"
#include "opsig/Editor/LanguageServer.h"
#include "opsig/Frontend/RunMemory.h"
#include "opsig/Frontend/RunTime.h"
#include "opsig/Lsp/Frame.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Workspace/ProjectFiles.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace cl = llvm::cl;

namespace opsig {

namespace {

/// Wakes the thread that waits for messages, from any other one.
class Bell {
public:
  Bell() {
    if (pipe2(Ends, O_CLOEXEC | O_NONBLOCK) != 0)
      Ends[0] = Ends[1] = -1;
  }
  void ring() const {
    // A pipe that is full has rung already.
    [[maybe_unused]] ssize_t Count = write(Ends[1], "", 1);
  }
  /// Waits for input on \p Stream or the bell, at most \p Milliseconds (-1: without end). True if
  /// there is input.
  bool wait(int Stream, int Milliseconds) {
    pollfd Asked[] = {{Stream, POLLIN, 0}, {Ends[0], POLLIN, 0}};
    poll(Asked, 2, Milliseconds);
    return Asked[0].revents != 0;
  }
  /// Whether it has rung since the last call.
  bool hasRung() {
    char Room[64];
    bool Any = false;
    while (read(Ends[0], Room, sizeof(Room)) > 0)
      Any = true;
    return Any;
  }

private:
  int Ends[2];
};

class LspCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "lsp"; }
  cl::SubCommand &parser() override { return Sub; }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  LanguageServer::Setup setup() const;

  cl::SubCommand Sub{
      "lsp",
      "Run a language server for native_functions.yaml, backend YAML files, and Python files"};
  SchemaOptions Schema{Sub};
  cl::opt<std::string> BuildDir{"p", cl::sub(Sub), cl::value_desc("BUILD"),
                                cl::desc("Read compile_commands.json from this folder, for kernels "
                                         "in C++; default: search the opened files' folders and "
                                         "their parents")};
  cl::opt<bool> Stdio{"stdio", cl::sub(Sub),
                      cl::desc("Use standard input and output (always the case)")};
};

LanguageServer::Setup LspCommand::setup() const {
  LanguageServer::Setup Setup;
  Setup.Schemas = Schema.settings();
  for (std::string *Path :
       {&Setup.Schemas.TorchRoot, &Setup.Schemas.NativeFunctions, &Setup.Schemas.Tags})
    if (!Path->empty())
      *Path = absolutePath(*Path);
  // The YAML of a backend that is open is the one that is meant.
  Setup.Schemas.Backends.clear();
  Setup.Version = OPSIG_VERSION;
  Setup.ReadPython = [](llvm::StringRef Path, const std::string &Text,
                        const ProjectConfig &Config) {
    PythonInputs Inputs{{Path.str()}, Config.PythonRegistrars};
    Inputs.Untrusted = ProjectFiles({Path.str()}, "").checkout();
    return readPythonText(Inputs, Path.str(), Text);
  };
  Setup.Docs = programDocs();
  return Setup;
}

int LspCommand::run(const std::vector<std::string> &) {
  // Most of what it has is what it knows of the project, and stays. What it reads it reads for
  // days.
  boundRunMemory(0);
  boundRunTime(0);
  LanguageServer::Setup Setup = setup();
  // Its threads may run when this ends, and the program with it.
  auto *Rings = new Bell;
  auto *Project = new ProjectReading(
      {Setup.Board, BuildDir.empty() ? "" : absolutePath(BuildDir), OPSIG_VERSION, Setup.Schemas,
       [](const PythonInputs &Inputs) { return readPython(Inputs, {}).Units; },
       [Rings] { Rings->ring(); }});
  Setup.Opened = [Project](llvm::StringRef Path) { Project->openedFile(Path); };
  LanguageServer Server(std::move(Setup));
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
    if (Rings->hasRung())
      Server.boardHasChanged();
    if (!Rings->wait(STDIN_FILENO, 0))
      Send(Server.settle());
    if (!Rings->wait(STDIN_FILENO, -1))
      continue;
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
