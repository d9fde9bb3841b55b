//===- Completion.cpp - opsig's words in a shell ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/Completion.h"
#include "opsig/Support/Finding.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

namespace {

//===-- The scripts ---------------------------------------------------------===//

// Bash makes three words of "--format=json"; all else is asked for as "COMMAND OPTION".
constexpr Template BashText = R"(
# Completes opsig's command line in bash.
_opsig() {
  local cur=${open}COMP_WORDS[COMP_CWORD]} command=${open}COMP_WORDS[1]} option words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands}' -- "$cur"))
    return
  fi
  if [ "$command" = gen ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      COMPREPLY=($(compgen -W '${generators}' -- "$cur"))
      return
    fi
    command="gen ${open}COMP_WORDS[2]}"
  fi
  option=${open}COMP_WORDS[COMP_CWORD - 1]}
  if [ "$cur" = = ]; then
    cur=
  elif [ "$option" = = ]; then
    option=${open}COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$command $option" in
  ${values}
  esac
  case "$command" in
  ${options}
  esac
  case "$command $cur" in
  *' -'*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  'explain '*) COMPREPLY=($(compgen -W '${checks} ${ids}' -- "$cur")) ;;
  'help '*) COMPREPLY=($(compgen -W '${commands}' -- "$cur")) ;;
  'show '*) COMPREPLY=($(compgen -W ${operators} -- "$cur")) ;;
  *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _opsig opsig
)";
constexpr Template BashValueText = "'${command} ${option}') COMPREPLY=($(compgen ${values} -- "
                                   "\"$cur\")); return ;;";
constexpr Template BashFreeText = "'${command} ${option}') return ;;";
constexpr Template BashOptionsText = "'${command}') words='${options}' ;;";

constexpr Template ZshText = R"(
#compdef opsig
# Completes opsig's command line in zsh.
_opsig() {
  local -a commands generators
  commands=(
    ${commands}
  )
  generators=(
    ${generators}
  )
  if (( CURRENT == 2 )); then
    _describe subcommand commands
    return
  fi
  local command=$words[2]
  if [[ $command == gen ]]; then
    if (( CURRENT == 3 )); then
      _describe generator generators
      return
    fi
    command="gen $words[3]"
    shift words
    (( CURRENT-- ))
  fi
  shift words
  (( CURRENT-- ))
  case $command in
  ${cases}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _opsig "$@"
else
  compdef _opsig opsig
fi
)";
constexpr Template ZshCaseText = R"(
'${command}')
  _arguments \
    ${options}
    ${rest}
  ;;
)";

constexpr Template FishText = R"(
# Completes opsig's command line in fish.
${lines}
)";

//===-- What an option's value may be ---------------------------------------===//

enum class ValueKind { None, Choice, File, Folder, Root, Checks, Free };

ValueKind valueKind(const OptionText &Option) {
  if (Option.Value.empty())
    return ValueKind::None;
  if (!Option.Choices.empty())
    return ValueKind::Choice;
  if (Option.Value == "FILE")
    return ValueKind::File;
  if (Option.Name == "torch-root")
    return ValueKind::Root;
  if (Option.Value == "GLOBS")
    return ValueKind::Checks;
  return Option.Value == "DIR" || Option.Value == "BUILD" ? ValueKind::Folder : ValueKind::Free;
}

std::string choices(const OptionText &Option) {
  return llvm::join(
      llvm::map_range(Option.Choices, [](const ChoiceText &C) { return llvm::StringRef(C.Name); }),
      " ");
}

/// The options to offer; one that is spelled in two ways is offered in one.
std::vector<const OptionText *> listed(const CommandText &Command) {
  std::vector<const OptionText *> Options;
  for (const OptionText &Option : Command.Options)
    if (Option.IsListed)
      Options.push_back(&Option);
  return Options;
}

/// All checks, each with \p Prefix before it: people type them with "opsig-" and without.
std::string checks(llvm::StringRef Prefix) {
  std::vector<std::string> Names;
  for (const FindingGroup &Group : findingGroups())
    for (FindingId Id : Group.Ids)
      Names.push_back((Prefix + findingName(Id)).str());
  return llvm::join(Names, " ");
}

constexpr llvm::StringLiteral CheckPrefix = "opsig-";

std::string checksAndIds() { return checks(CheckPrefix) + " " + checks(""); }

/// What a shell runs for words that are known only then.
constexpr llvm::StringLiteral Operators = "opsig help --words-of operators 2>/dev/null";
constexpr llvm::StringLiteral Roots = "opsig help --words-of roots 2>/dev/null";

/// \p Command's output as one word of bash.
std::string outputOf(llvm::StringRef Command) { return ("\"$(" + Command + ")\"").str(); }

/// "check", "gen", once each; and "aten" of "gen aten".
struct FirstWords {
  std::vector<const CommandText *> Plain, Generators;

  explicit FirstWords(llvm::ArrayRef<CommandText> Commands) {
    for (const CommandText &Command : Commands)
      (llvm::StringRef(Command.Words).contains(' ') ? Generators : Plain).push_back(&Command);
  }
  static llvm::StringRef generator(const CommandText &Command) {
    return llvm::StringRef(Command.Words).split(' ').second;
  }
};

constexpr llvm::StringLiteral GenWhat = "Write the files that PyTorch's generators write";

/// \p Text between single quotes of a shell.
std::string quoted(llvm::StringRef Text) {
  std::string Out = "'";
  for (char C : Text)
    C == '\'' ? Out += "'\\''" : Out += C;
  return Out + "'";
}

//===-- bash ----------------------------------------------------------------===//

std::string bashValue(const CommandText &Command, const OptionText &Option) {
  auto Case = [&](const std::string &Values) {
    return printed<BashValueText>("command"_hole = Command.Words, "option"_hole = Option.dashed(),
                                  "values"_hole = Values);
  };
  switch (valueKind(Option)) {
  case ValueKind::None:
    return "";
  case ValueKind::Choice:
    return Case("-W " + quoted(choices(Option)));
  case ValueKind::File:
    return Case("-f");
  case ValueKind::Folder:
    return Case("-d");
  case ValueKind::Root:
    return Case("-d -W " + outputOf(Roots));
  case ValueKind::Checks:
    return Case("-W " + quoted(checksAndIds()));
  case ValueKind::Free:
    return printed<BashFreeText>("command"_hole = Command.Words, "option"_hole = Option.dashed());
  }
  llvm_unreachable("closed kind");
}

std::string bash(llvm::ArrayRef<CommandText> Commands) {
  FirstWords First(Commands);
  std::vector<std::string> Plain, Generators, Values, Options;
  for (const CommandText *Command : First.Plain)
    Plain.push_back(Command->Words);
  Plain.push_back("gen");
  for (const CommandText *Command : First.Generators)
    Generators.push_back(FirstWords::generator(*Command).str());
  for (const CommandText &Command : Commands) {
    std::vector<std::string> Names;
    for (const OptionText *Option : listed(Command)) {
      Names.push_back(Option->dashed());
      if (std::string Value = bashValue(Command, *Option); !Value.empty())
        Values.push_back(std::move(Value));
    }
    Options.push_back(printed<BashOptionsText>("command"_hole = Command.Words,
                                               "options"_hole = llvm::join(Names, " ")));
  }
  return printed<BashText>("open"_hole = "${", "commands"_hole = llvm::join(Plain, " "),
                           "generators"_hole = llvm::join(Generators, " "), "values"_hole = Values,
                           "options"_hole = Options, "checks"_hole = checks(CheckPrefix),
                           "ids"_hole = checks(""), "operators"_hole = outputOf(Operators));
}

//===-- zsh -----------------------------------------------------------------===//

/// Brackets, colons and backslashes mean something in its specifications.
std::string zshEscaped(llvm::StringRef Text) {
  std::string Out;
  for (char C : Text) {
    if (llvm::StringRef("[]:\\").contains(C))
      Out += '\\';
    Out += C;
  }
  return Out;
}

std::string zshOption(const OptionText &Option) {
  std::string Spec = "*" + Option.dashed();
  ValueKind Kind = valueKind(Option);
  if (Kind != ValueKind::None && Option.Name.size() > 1)
    Spec += "=";
  Spec += "[" + zshEscaped(Option.What) + "]";
  if (Kind != ValueKind::None)
    Spec += ":" + zshEscaped(Option.Value) + ":";
  if (Kind == ValueKind::Choice)
    Spec += "(" + choices(Option) + ")";
  if (Kind == ValueKind::File)
    Spec += "_files";
  if (Kind == ValueKind::Folder)
    Spec += "_files -/";
  if (Kind == ValueKind::Root)
    Spec += "{compadd -- ${(f)" + outputOf(Roots) + "}; _files -/}";
  if (Kind == ValueKind::Checks)
    Spec += "(" + checksAndIds() + ")";
  return quoted(Spec) + " \\";
}

std::string zshRest(const CommandText &Command) {
  if (Command.Words == "explain")
    return quoted("*:check:(" + checksAndIds() + ")");
  if (Command.Words == "help")
    return quoted("1:subcommand:($commands gen)");
  return Command.Words == "show" ? quoted("*:operator:($(" + Operators.str() + "))")
                                 : "'*:file:_files'";
}

std::string zshWord(llvm::StringRef Word, llvm::StringRef What) {
  return quoted(zshEscaped(Word) + ":" + zshEscaped(What));
}

std::string zsh(llvm::ArrayRef<CommandText> Commands) {
  FirstWords First(Commands);
  std::vector<std::string> Plain, Generators, Cases;
  for (const CommandText *Command : First.Plain)
    Plain.push_back(zshWord(Command->Words, Command->What));
  Plain.push_back(zshWord("gen", GenWhat));
  for (const CommandText *Command : First.Generators)
    Generators.push_back(zshWord(FirstWords::generator(*Command), Command->What));
  for (const CommandText &Command : Commands) {
    std::vector<std::string> Options;
    for (const OptionText *Option : listed(Command))
      Options.push_back(zshOption(*Option));
    Cases.push_back(printed<ZshCaseText>("command"_hole = Command.Words, "options"_hole = Options,
                                         "rest"_hole = zshRest(Command)));
  }
  return printed<ZshText>("commands"_hole = Plain, "generators"_hole = Generators,
                          "cases"_hole = Cases);
}

//===-- fish ----------------------------------------------------------------===//

std::string fishLine(llvm::StringRef When, llvm::StringRef Words, llvm::StringRef What) {
  return ("complete -c opsig -n " + quoted(When) + " " + Words + " -d " + quoted(What)).str();
}

std::string fishOption(const OptionText &Option) {
  std::string Words = (Option.Name.size() == 1 ? "-s " : "-l ") + Option.Name;
  switch (valueKind(Option)) {
  case ValueKind::None:
    return Words;
  case ValueKind::Choice:
    return Words + " -x -a " + quoted(choices(Option));
  case ValueKind::File:
    return Words + " -r -F";
  case ValueKind::Folder:
    return Words + " -x -a '(__fish_complete_directories)'";
  case ValueKind::Root:
    return Words + " -x -a " + quoted("(" + Roots.str() + "; __fish_complete_directories)");
  case ValueKind::Checks:
    return Words + " -x -a " + quoted(checksAndIds());
  case ValueKind::Free:
    return Words + " -x";
  }
  llvm_unreachable("closed kind");
}

std::string fish(llvm::ArrayRef<CommandText> Commands) {
  FirstWords First(Commands);
  std::vector<std::string> Lines, Generators;
  for (const CommandText *Command : First.Generators)
    Generators.push_back(FirstWords::generator(*Command).str());
  std::string OnlyGen = "__fish_seen_subcommand_from gen; and not __fish_seen_subcommand_from " +
                        llvm::join(Generators, " ");
  for (const CommandText *Command : First.Plain)
    Lines.push_back(fishLine("__fish_use_subcommand", "-x -a " + Command->Words, Command->What));
  Lines.push_back(fishLine("__fish_use_subcommand", "-x -a gen", GenWhat));
  for (const CommandText *Command : First.Generators)
    Lines.push_back(
        fishLine(OnlyGen, ("-x -a " + FirstWords::generator(*Command)).str(), Command->What));
  for (const CommandText &Command : Commands) {
    std::string Last = llvm::StringRef(Command.Words).rsplit(' ').second.str();
    std::string When = "__fish_seen_subcommand_from " + (Last.empty() ? Command.Words : Last);
    for (const OptionText *Option : listed(Command))
      Lines.push_back(fishLine(When, fishOption(*Option), Option->What));
    if (Command.Words == "explain")
      Lines.push_back(fishLine(When, "-x -a " + quoted(checksAndIds()), "A check"));
    if (Command.Words == "help")
      for (const CommandText *Other : First.Plain)
        Lines.push_back(fishLine(When, "-x -a " + Other->Words, Other->What));
    if (Command.Words == "show")
      Lines.push_back(
          fishLine(When, "-f -a " + quoted("(" + Operators.str() + ")"), "An operator"));
  }
  return printed<FishText>("lines"_hole = Lines);
}

} // namespace

void printCompletion(llvm::raw_ostream &OS, Shell For, llvm::ArrayRef<CommandText> Commands) {
  switch (For) {
  case Shell::Bash:
    OS << bash(Commands);
    break;
  case Shell::Zsh:
    OS << zsh(Commands);
    break;
  case Shell::Fish:
    OS << fish(Commands);
    break;
  }
}

} // namespace opsig
