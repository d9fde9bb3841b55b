//===- CommandText.cpp - What a subcommand takes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/CommandText.h"
#include "help/HelpTables.h"
#include "llvm/ADT/STLExtras.h"

namespace cl = llvm::cl;

namespace opsig {

std::string OptionText::dashed() const { return (Name.size() == 1 ? "-" : "--") + Name; }

std::string OptionText::usage() const {
  if (Value.empty())
    return dashed();
  return dashed() + (Name.size() == 1 ? " " : "=") + Value;
}

const OptionText *CommandText::find(llvm::StringRef Name) const {
  auto At = llvm::find_if(Options, [&](const OptionText &O) { return O.Name == Name; });
  return At == Options.end() ? nullptr : &*At;
}

std::vector<OptionGroup> CommandText::groups() const {
  std::vector<OptionGroup> Out;
  for (llvm::StringRef Title : optionGroups()) {
    OptionGroup Group{Title, {}};
    for (const OptionText &Option : Options)
      if (Option.IsListed && optionGroup(Option.Name) == Title)
        Group.Options.push_back(&Option);
    if (!Group.Options.empty())
      Out.push_back(std::move(Group));
  }
  return Out;
}

static std::vector<ChoiceText> choicesOf(const cl::generic_parser_base &Parser) {
  std::vector<ChoiceText> Choices;
  for (unsigned I = 0; I != Parser.getNumOptions(); ++I)
    Choices.push_back({Parser.getOption(I).str(), Parser.getDescription(I).str()});
  return Choices;
}

static OptionText describe(const cl::Option &O, Subcommand &Command) {
  OptionText Text;
  Text.Name = O.ArgStr.str();
  Text.What = O.HelpStr.str();
  Text.IsListed = O.getOptionHiddenFlag() == cl::NotHidden && !O.HelpStr.empty();
  Text.Prefix = O.getFormattingFlag() == cl::Prefix;
  for (const auto &[Name, Parser] : Command.allChoices())
    if (Name == O.ArgStr)
      Text.Choices = choicesOf(*Parser);
  if (!Text.Choices.empty())
    Text.Value = llvm::StringRef(Text.Name).upper();
  else if (O.getValueExpectedFlag() == cl::ValueRequired)
    Text.Value = O.ValueStr.empty() ? "VALUE" : O.ValueStr.str();
  return Text;
}

CommandText describe(Subcommand &Command) {
  cl::SubCommand &Parser = Command.parser();
  CommandText Text{
      Command.words().str(), Command.operands().str(), Parser.getDescription().str(), {}};
  Text.TakesOperands =
      !Parser.PositionalOpts.empty() || !Parser.SinkOpts.empty() || Parser.ConsumeAfterOpt;
  for (const auto &[Name, O] : Parser.OptionsMap)
    // LLVM's own options, such as --help-list, are in another category.
    if (llvm::is_contained(O->Categories, &cl::getGeneralCategory()))
      Text.Options.push_back(describe(*O, Command));
  llvm::sort(Text.Options,
             [](const OptionText &L, const OptionText &R) { return L.Name < R.Name; });
  return Text;
}

std::vector<CommandText> describe(llvm::ArrayRef<std::unique_ptr<Subcommand>> Commands) {
  std::vector<CommandText> Texts;
  for (const auto &Command : Commands)
    Texts.push_back(describe(*Command));
  return Texts;
}

} // namespace opsig
