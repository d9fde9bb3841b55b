//===- Subcommands.h - The subcommands of opsig -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each subcommand owns its options (an object made before the command line is parsed) and returns
// an exit status: 0 nothing wrong, 1 findings, 2 unusable arguments or input that could not be
// read.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SUBCOMMANDS_H
#define OPSIG_TOOL_SUBCOMMANDS_H

#include "llvm/Support/CommandLine.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opsig {

enum ExitStatus { ExitClean = 0, ExitFindings = 1, ExitUnusable = 2 };

enum class ColorWhen { Auto, Always, Never };

class Subcommand {
public:
  virtual ~Subcommand() = default;
  /// Gives it the options that every subcommand has.
  void addCommonOptions();
  ColorWhen colorWhen() const { return *Color; }
  /// How it stands on the command line: "show", "gen backend".
  virtual llvm::StringRef words() const = 0;
  /// What stands behind the options: "FILE... [-- FLAGS]".
  virtual llvm::StringRef operands() const { return ""; }
  /// Its options, for llvm::cl.
  virtual llvm::cl::SubCommand &parser() = 0;
  /// Names of options with those that know their values.
  using Choices = std::vector<std::pair<llvm::StringRef, const llvm::cl::generic_parser_base *>>;
  virtual Choices choices() { return {}; }
  Choices allChoices();
  /// Rewrites arguments that llvm::cl does not know how to read; \p Words starts with the program's
  /// name and the subcommand's.
  virtual void adaptWords(std::vector<std::string> &Words) const {}
  /// Gets its words as they are parsed.
  void recordWords(std::vector<std::string> Words) { CommandLine = std::move(Words); }
  /// \p AfterDashes: the arguments behind "--".
  virtual int run(const std::vector<std::string> &AfterDashes) = 0;

protected:
  /// From the subcommand's own name on.
  const std::vector<std::string> &commandLine() const { return CommandLine; }

private:
  std::vector<std::string> CommandLine;
  /// There when the options of its own are.
  std::optional<llvm::cl::opt<ColorWhen>> Color;
};

std::unique_ptr<Subcommand> makeShowCommand();
std::unique_ptr<Subcommand> makeCheckCommand();
std::unique_ptr<Subcommand> makeSyncCommand();
std::unique_ptr<Subcommand> makeDiffCommand();
std::unique_ptr<Subcommand> makeGenAtenCommand();
std::unique_ptr<Subcommand> makeGenBackendCommand();
std::unique_ptr<Subcommand> makeGenPythonCommand();
std::unique_ptr<Subcommand> makeGenStubsCommand();
std::unique_ptr<Subcommand> makeExplainCommand();
std::unique_ptr<Subcommand> makeCoverageCommand();
std::unique_ptr<Subcommand> makeStabilizeCommand();
std::unique_ptr<Subcommand> makeUpgradeCommand();
std::unique_ptr<Subcommand> makeConfigCommand();
std::unique_ptr<Subcommand> makeCacheCommand();
std::unique_ptr<Subcommand> makeLspCommand();
/// Of all that are in \p Commands when it runs.
std::unique_ptr<Subcommand>
makeHelpCommand(const std::vector<std::unique_ptr<Subcommand>> &Commands);

} // namespace opsig

#endif
