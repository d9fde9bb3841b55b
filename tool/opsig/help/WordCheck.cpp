//===- WordCheck.cpp - What is wrong with the words of a command line -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/WordCheck.h"
#include "opsig/Support/Finding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace opsig {

namespace {

class WordChecker {
public:
  explicit WordChecker(const CommandText &Command) : Command(Command) {}

  /// Looks at \p Words[I], and returns how many words belong to it.
  size_t look(llvm::ArrayRef<std::string> Words, size_t I);
  std::vector<std::string> Wrong;

private:
  const OptionText *find(llvm::StringRef Name) const;
  void refuse(llvm::StringRef Word, llvm::StringRef Name);
  void checkValue(const OptionText &Option, llvm::StringRef Value);

  const CommandText &Command;
};

/// "j4" is an option j that may be followed by its value.
const OptionText *WordChecker::find(llvm::StringRef Name) const {
  if (const OptionText *Option = Command.find(Name))
    return Option;
  const OptionText *Short = Command.find(Name.take_front());
  return Short && Short->Prefix ? Short : nullptr;
}

/// Options of subcommands that others call by another name.
static llvm::StringRef otherName(llvm::StringRef Name) {
  return llvm::StringSwitch<llvm::StringRef>(Name)
      .Case("output-dir", "install-dir")
      .Case("output_dir", "install-dir")
      .Case("install-dir", "output_dir")
      .Case("install_dir", "output_dir")
      .Default("");
}

/// What a word of other tools is here: "--json" is --format=json, "-v" --verbose, "--torch-version"
/// --torch, "--dump" --dispatch-dump; "" for none.
static std::string meantOption(llvm::StringRef Name, const CommandText &Command) {
  std::vector<std::string> Meant;
  for (const OptionText &Option : Command.Options) {
    if (!Option.IsListed)
      continue;
    llvm::StringRef Known = Option.Name;
    for (const ChoiceText &Choice : Option.Choices)
      if (Choice.Name == Name)
        Meant.push_back(Option.dashed() + "=" + Name.str());
    bool IsLonger = Known.size() > 2 && Name.starts_with(Option.Name + "-");
    bool IsTail = Name.size() > 1 && Known.ends_with(("-" + Name).str());
    if (IsLonger || IsTail || Known == otherName(Name) ||
        (Known.size() > Name.size() && Known.starts_with(Name)))
      Meant.push_back(Option.dashed());
  }
  constexpr size_t Most = 3;
  return Meant.empty() || Meant.size() > Most
             ? ""
             : "; did you mean '" + llvm::join(Meant, "' or '") + "'?";
}

/// "-Iinclude", "-DNAME", "-std=c++17": nothing that could be a misspelt option of opsig.
static bool isCompilerFlag(llvm::StringRef Word) {
  if (Word.starts_with("--"))
    return false;
  for (llvm::StringRef Start : {"-I", "-D", "-U", "-L", "-W", "-O", "-std", "-isystem", "-include",
                                "-f", "-m", "-x", "-g", "-l"})
    if (Word.starts_with(Start) && (Word.size() > Start.size() || Start.size() > 2))
      return true;
  return false;
}

void WordChecker::refuse(llvm::StringRef Word, llvm::StringRef Name) {
  std::string Unknown = "unknown option '" + Word.str() + "'";
  if (isCompilerFlag(Word) && llvm::StringRef(Command.Operands).contains("-- FLAGS"))
    return Wrong.push_back(Unknown + "; compiler flags go after '--'");
  if (std::string Meant = meantOption(Name, Command); !Meant.empty())
    return Wrong.push_back(Unknown + Meant);
  std::vector<std::string> Known;
  for (const OptionText &Option : Command.Options)
    if (Option.IsListed)
      Known.push_back(Option.dashed());
  std::string Meant =
      didYouMean("--" + Name.str(), std::vector<llvm::StringRef>(Known.begin(), Known.end()));
  // `help` is also the command of a line that begins with an option.
  if (Meant.empty() && Command.Words == "help")
    Meant = "; options go after the subcommand: opsig check " + Word.str();
  Wrong.push_back(Unknown + Meant);
}

void WordChecker::checkValue(const OptionText &Option, llvm::StringRef Value) {
  unsigned Number;
  if (Option.isNumber() && Value.getAsInteger(0, Number))
    Wrong.push_back(Option.dashed() + ": invalid value '" + Value.str() + "'; expected a number");
  if (Option.Value.empty() && Option.Choices.empty() &&
      !llvm::is_contained({"", "0", "1", "true", "false"}, Value.lower()))
    Wrong.push_back(Option.dashed() + " takes no value; remove '=" + Value.str() + "'");
  std::vector<llvm::StringRef> Names;
  for (const ChoiceText &Choice : Option.Choices)
    Names.push_back(Choice.Name);
  if (Names.empty() || llvm::is_contained(Names, Value))
    return;
  // Of three letters too many words are near: 'ksh' is no 'zsh'.
  std::string Meant = Value.size() > 3 ? didYouMean(Value, Names) : "";
  std::string All = "expected one of: " + llvm::join(Names, ", ");
  Wrong.push_back(Option.dashed() + ": invalid value '" + Value.str() + "'" +
                  (Meant.empty() ? "; " + All : Meant + " (" + All + ")"));
}

size_t WordChecker::look(llvm::ArrayRef<std::string> Words, size_t I) {
  llvm::StringRef Word = Words[I];
  if (Word.size() < 2 || Word[0] != '-') {
    if (!Command.TakesOperands && !Word.starts_with("@")) // a file of options
      Wrong.push_back(
          "unexpected argument '" + Word.str() + "'; '" + Command.Words + "' accepts only options" +
          (llvm::StringRef(Command.Operands).starts_with("--") ? ": " + Command.Operands : ""));
    return 1;
  }
  auto [Name, Value] = Word.drop_front(Word.starts_with("--") ? 2 : 1).split('=');
  const OptionText *Option = Word.starts_with("--") ? Command.find(Name) : find(Name);
  if (!Option) {
    refuse(Word.split('=').first, Name);
    return 1;
  }
  bool HasValue = Word.contains('=') || Option->Name != Name;
  if (Option->Value.empty() || HasValue) {
    if (HasValue)
      checkValue(*Option, Option->Name == Name ? Value : Name.drop_front());
    return 1;
  }
  if (I + 1 == Words.size()) {
    Wrong.push_back(Option->dashed() + " needs a value: " + Option->usage());
    return 1;
  }
  checkValue(*Option, Words[I + 1]);
  return 2;
}

} // namespace

std::vector<std::string> wrongOptions(llvm::ArrayRef<std::string> Words,
                                      const CommandText &Command) {
  WordChecker Checker(Command);
  for (size_t I = 0; I < Words.size();)
    I += Checker.look(Words, I);
  return std::move(Checker.Wrong);
}

} // namespace opsig
