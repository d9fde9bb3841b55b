//===- CommandText.h - What a subcommand takes, for those who describe it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subcommand => CommandText => help and overview (HelpText.h), man pages (ManPage.h), completions
//   (Completion.h), and what is wrong with words before they are parsed (WordCheck.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_HELP_COMMANDTEXT_H
#define OPSIG_TOOL_HELP_COMMANDTEXT_H

#include "Subcommands.h"

namespace opsig {

struct ChoiceText {
  std::string Name, What;
};

struct OptionText {
  std::string Name;  ///< without dashes
  std::string Value; ///< "FILE"; empty: takes none
  std::string What;
  std::vector<ChoiceText> Choices; ///< the values that there are, if they are known
  bool Prefix = false;             ///< "-j4" is "-j 4"
  bool IsListed = true;            ///< not another spelling, nor for opsig's developers

  /// "--format=FORMAT", "-j N".
  std::string usage() const;
  /// "--format", "-j".
  std::string dashed() const;
  /// Values that are numbers are called so.
  bool isNumber() const { return Value == "N" || Value == "SECONDS" || Value == "MIB"; }
};

struct OptionGroup {
  llvm::StringRef Title;
  std::vector<const OptionText *> Options; ///< by name
};

struct CommandText {
  std::string Words;    ///< "gen aten"
  std::string Operands; ///< "FILE... [-- FLAGS]"
  std::string What;
  std::vector<OptionText> Options; ///< by name
  bool TakesOperands = true;

  const OptionText *find(llvm::StringRef Name) const;
  /// The options that are listed, by what they are about; no group is empty.
  std::vector<OptionGroup> groups() const;
};

CommandText describe(Subcommand &Command);
std::vector<CommandText> describe(llvm::ArrayRef<std::unique_ptr<Subcommand>> Commands);

} // namespace opsig

#endif
