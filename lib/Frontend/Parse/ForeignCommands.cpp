//===- ForeignCommands.cpp - Commands of other compilers, for Clang ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/ForeignCommands.h"
#include "Parse/ReadingCommand.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace opts = clang::options;

//===--- Whose command it is ----------------------------------------------------------------===//

CommandStyle opsig::styleOf(const Words &Command) {
  static constexpr std::pair<llvm::StringLiteral, CommandStyle> Programs[] = {
      {"nvcc", CommandStyle::Nvcc},  {"hipcc", CommandStyle::Hipcc}, {"mcc", CommandStyle::Mcc},
      {"icpx", CommandStyle::Icpx},  {"icx", CommandStyle::Icpx},    {"dpcpp", CommandStyle::Icpx},
      {"mxcc", CommandStyle::Hipcc}, {"cucc", CommandStyle::Nvcc}};
  if (Command.empty())
    return CommandStyle::Clang;
  StringRef Name = path::filename(Command.front());
  for (const auto &[Program, Style] : Programs) {
    StringRef Rest = Name;
    // nvcc-12, nvcc_wrapper, nvcc.exe, but not icxyz.
    if (Rest.consume_front(Program) && (Rest.empty() || !llvm::isAlpha(Rest.front())))
      return Style;
  }
  return CommandStyle::Clang;
}

static SourceLanguage languageOfName(StringRef File) {
  return llvm::StringSwitch<SourceLanguage>(path::extension(File))
      .Cases({".cu", ".cuh"}, SourceLanguage::Cuda)
      .Case(".hip", SourceLanguage::Hip)
      .Cases({".mu", ".muh"}, SourceLanguage::Musa)
      .Default(SourceLanguage::Cpp);
}

CommandStyle opsig::usualStyle(StringRef File) {
  switch (languageOfName(File)) {
  case SourceLanguage::Cpp:
    return CommandStyle::Clang;
  case SourceLanguage::Cuda:
    return CommandStyle::Nvcc;
  case SourceLanguage::Hip:
    return CommandStyle::Hipcc;
  case SourceLanguage::Musa:
    return CommandStyle::Mcc;
  }
  return CommandStyle::Clang;
}

//===--- Flags ------------------------------------------------------------------------------===//

namespace {

/// Walks over one command, or a file of options that it names.
class Translator {
public:
  Translator(CommandStyle Style, StringRef Directory, TranslatedCommand &To)
      : Flags(foreignFlags(Style)), Files(Directory), To(To) {}

  void run(const Words &Given, unsigned Depth);

private:
  struct Found {
    const ForeignFlag *Flag = nullptr;
    /// Behind '='.
    std::optional<StringRef> Value;
  };
  Found find(StringRef Word) const;
  void apply(const ForeignFlag &Flag, StringRef Value, unsigned Depth);
  void addHostFlags(StringRef Value);
  void readOptionsFile(StringRef Name, unsigned Depth);

  std::vector<ForeignFlag> Flags;
  OptionsFiles Files;
  TranslatedCommand &To;
};

/// With one dash or two, as its length allows.
bool isNamed(StringRef Word, StringRef Name) {
  if (Name.empty() || !Word.consume_front("-"))
    return false;
  return Word == Name || (Name.size() > 1 && Word.consume_front("-") && Word == Name);
}

Translator::Found Translator::find(StringRef Word) const {
  for (const ForeignFlag &Flag : Flags) {
    if (isNamed(Word, Flag.Long) || isNamed(Word, Flag.Short))
      return {&Flag, std::nullopt};
    auto [Name, Value] = Word.split('=');
    if (Flag.Value != ForeignFlag::None && Name.size() != Word.size() &&
        (isNamed(Name, Flag.Long) || isNamed(Name, Flag.Short)))
      return {&Flag, Value};
  }
  return {};
}

/// nvcc takes off quotes that a shell has left, and separates by commas.
void Translator::addHostFlags(StringRef Value) {
  std::string Flag;
  auto End = [&] {
    if (!Flag.empty())
      To.Command.push_back(std::move(Flag));
    Flag.clear();
  };
  for (size_t I = 0; I < Value.size(); ++I) {
    if (Value[I] == '\\' && I + 1 < Value.size())
      Flag += Value[++I];
    else if (Value[I] == ',' || Value[I] == ' ')
      End();
    else if (Value[I] != '\'' && Value[I] != '"')
      Flag += Value[I];
  }
  End();
}

void Translator::readOptionsFile(StringRef Name, unsigned Depth) {
  // A file that names itself has no end, and one that does so twice grows with each level.
  if (std::optional<Words> Inside = Files.read(Name, Depth))
    run(*Inside, Depth + 1);
  else
    To.Dropped.push_back(("--options-file " + Name).str());
}

void Translator::apply(const ForeignFlag &Flag, StringRef Value, unsigned Depth) {
  switch (Flag.Means) {
  case ForeignFlag::Drop:
    return;
  case ForeignFlag::Host:
    return addHostFlags(Value);
  case ForeignFlag::OptionsFile:
    return readOptionsFile(Value, Depth);
  case ForeignFlag::Language:
    To.Command.insert(To.Command.end(), {"-x", Value == "cu" ? "cuda" : Value.str()});
    return;
  case ForeignFlag::Same:
    if (Flag.Value == ForeignFlag::None)
      To.Command.push_back(Flag.Clang.str());
    else if (Flag.Clang.ends_with("="))
      To.Command.push_back((Flag.Clang + Value).str());
    else
      To.Command.insert(To.Command.end(), {Flag.Clang.str(), Value.str()});
    return;
  }
}

void Translator::run(const Words &Given, unsigned Depth) {
  for (size_t I = 0; I < Given.size(); ++I) {
    StringRef Word = Given[I];
    if (Word == "--") {
      To.Command.insert(To.Command.end(), Given.begin() + I, Given.end());
      return;
    }
    Found F = find(Word);
    if (!F.Flag) {
      To.Command.push_back(Word.str());
      continue;
    }
    bool TakesNext = F.Flag->Value == ForeignFlag::Needed && !F.Value;
    if (TakesNext && I + 1 < Given.size())
      F.Value = Given[++I];
    bool LacksValue = F.Flag->Value == ForeignFlag::Needed && !F.Value;
    if (F.Flag->Means == ForeignFlag::Drop || LacksValue)
      To.Dropped.push_back(TakesNext && F.Value ? (Word + " " + *F.Value).str() : Word.str());
    if (!LacksValue)
      apply(*F.Flag, F.Value.value_or(""), Depth);
  }
}

} // namespace

TranslatedCommand opsig::translate(const Words &Command, CommandStyle Style, StringRef Directory) {
  TranslatedCommand To;
  if (Style == CommandStyle::Clang || Command.empty())
    return {Command, {}};
  // Clang's driver takes what it is called for what it is.
  To.Command.push_back("clang++");
  Translator(Style, Directory, To).run(Words(Command.begin() + 1, Command.end()), 0);
  // hipcc and mcc take every source for one of their language.
  bool SaysLanguage =
      llvm::any_of(To.Command, [](StringRef Word) { return Word.starts_with("-x"); });
  if (Style == CommandStyle::Hipcc && !SaysLanguage)
    To.Command.insert(To.Command.begin() + 1, {"-x", "hip"});
  return To;
}

TranslatedCommand opsig::withoutUnknown(const Words &Command, StringRef File) {
  TranslatedCommand To;
  auto Dashes = llvm::find(Command, "--");
  std::vector<const char *> Given;
  for (auto It = Command.begin(); It != Dashes; ++It)
    if (It != Command.begin())
      Given.push_back(It->c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  llvm::opt::InputArgList Read = clang::getDriverOptTable().ParseArgs(
      Given, MissingIndex, MissingCount, llvm::opt::Visibility(opts::ClangOption));
  std::vector<bool> Gone(Given.size());
  for (const llvm::opt::Arg *A : Read) {
    bool Unknown = A->getOption().matches(opts::OPT_UNKNOWN);
    bool Stray = A->getOption().matches(opts::OPT_INPUT) &&
                 path::filename(A->getValue()) != path::filename(File);
    if (Unknown || Stray)
      Gone[A->getIndex()] = true;
  }
  // A flag at the end that lacks its value.
  if (MissingCount)
    std::fill(Gone.begin() + std::min<size_t>(MissingIndex, Gone.size()), Gone.end(), true);
  To.Command.push_back(Command.empty() ? "clang++" : Command.front());
  for (size_t I = 0; I < Given.size(); ++I)
    (Gone[I] ? To.Dropped : To.Command).push_back(Given[I]);
  To.Command.insert(To.Command.end(), Dashes, Command.end());
  return To;
}

//===--- Languages --------------------------------------------------------------------------===//

SourceLanguage opsig::languageOf(const Words &Command, StringRef File) {
  // Clang has no name for it, nor has what guesses commands of unlisted files.
  SourceLanguage OfName = languageOfName(File);
  if (OfName == SourceLanguage::Musa)
    return OfName;
  StringRef Said;
  for (size_t I = 1; I < Command.size() && Command[I] != "--"; ++I) {
    StringRef Word = Command[I];
    if (Word == "-x" && I + 1 < Command.size())
      Said = Command[I + 1];
    else if (Word.consume_front("-x") || Word.consume_front("--language="))
      Said = Word;
  }
  if (Said.empty() || Said == "none")
    return OfName;
  return llvm::StringSwitch<SourceLanguage>(Said)
      .Cases({"cu", "cuda"}, SourceLanguage::Cuda)
      .Case("hip", SourceLanguage::Hip)
      .Case("musa", SourceLanguage::Musa)
      .Default(SourceLanguage::Cpp);
}

/// Chooses another pass, or looks for a toolkit.
static bool isAboutDevices(StringRef Word) {
  static constexpr llvm::StringLiteral Whole[] = {"--cuda-device-only",
                                                  "--cuda-compile-host-device",
                                                  "--cuda-host-only",
                                                  "--offload-device-only",
                                                  "--offload-host-only",
                                                  "--offload-host-device",
                                                  "-fgpu-rdc",
                                                  "-fcuda-rdc",
                                                  "--offload-new-driver",
                                                  "-fsycl"};
  static constexpr llvm::StringLiteral Beginnings[] = {
      "--cuda-gpu-arch=",   "--no-cuda-gpu-arch=", "--offload-arch=",
      "--no-offload-arch=", "--offload=",          "--offload-targets="};
  return llvm::is_contained(Whole, Word) ||
         llvm::any_of(Beginnings, [&](StringRef B) { return Word.starts_with(B); });
}

Words opsig::forHost(const Words &Command, SourceLanguage Language) {
  if (Language == SourceLanguage::Cpp || Command.empty())
    return Command;
  // Kernels are read as CUDA whatever the vendor calls it: the qualifiers and <<<>>> are the same,
  // and what is different is in headers.
  Words To = {Command.front(), "-xcuda", "--cuda-host-only", "-nocudainc", "-nocudalib"};
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Word = Command[I];
    if (Word == "--") {
      To.insert(To.end(), Command.begin() + I, Command.end());
      break;
    }
    if (Word == "-x")
      ++I;
    else if (!Word.starts_with("-x") && !Word.starts_with("--language=") && !isAboutDevices(Word))
      To.push_back(Command[I]);
  }
  return To;
}
