//===- CommandFuzzer.cpp - Any words as a command of another compiler -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bytes => compiler, source; then a word a line => command; behind form feeds => files that it
// names
//
// Whatever the words are: each of them reaches Clang, in the form that the table of the compiler
// says, or is told as dropped, in order. What Clang is told is no other compiler's command any
// more, and translating it again changes nothing. Files that name each other have an end.
//
//===----------------------------------------------------------------------===//

#include "Parse/ForeignCommands.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <map>

using namespace opsig;
using llvm::ArrayRef;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Ends the program also where assertions are off.
void require(bool Holds) {
  if (!Holds)
    abort();
}

//===--- The files that a command names -----------------------------------------------------===//

/// A folder of this process, gone with it.
class Folder {
public:
  Folder() { require(!fs::createUniqueDirectory("opsig-command-fuzzer", Path)); }
  ~Folder() { (void)fs::remove_directories(Path); }
  static Folder &folder() {
    static Folder The;
    return The;
  }

  StringRef dir() const { return Path; }
  /// Most inputs have the files of the one before.
  void put(StringRef Name, StringRef Text) {
    auto [Known, New] = Texts.try_emplace(Name.str());
    if (!New && Known->second == Text)
      return;
    Known->second = Text.str();
    llvm::SmallString<128> File(Path);
    path::append(File, Name);
    std::error_code Error;
    llvm::raw_fd_ostream OS(File, Error);
    OS << Text;
  }
  /// The text of what \p Name is from within the folder; none where it is not one of the files.
  std::optional<StringRef> text(StringRef Name) const {
    auto Known = Texts.find(Name.str());
    return Known == Texts.end() ? std::nullopt : std::optional<StringRef>(Known->second);
  }

private:
  llvm::SmallString<128> Path;
  std::map<std::string, std::string> Texts;
};

constexpr llvm::StringLiteral FileNames[] = {"a.rsp", "b.rsp"};

//===--- Every word is accounted for --------------------------------------------------------===//

/// Goes through a command by the manual's rules, and strikes off what has become of each word.
class Account {
public:
  Account(CommandStyle Style, const TranslatedCommand &Of)
      : Flags(foreignFlags(Style)), Kept(ArrayRef(Of.Command)), Dropped(Of.Dropped) {}

  /// Whether \p First and what is made of \p Command is all that there is.
  bool accepts(const Words &First, const Words &Command) {
    for (const std::string &Word : First)
      keep(Word);
    strike(Words(Command.begin() + 1, Command.end()), 0);
    return Good && Kept.empty() && Dropped.empty();
  }

private:
  struct Meaning {
    const ForeignFlag *Flag = nullptr;
    std::optional<StringRef> Value;
  };
  Meaning meaningOf(StringRef Word) const;
  void next(ArrayRef<std::string> &Of, const std::string &Word) {
    Good &= !Of.empty() && Of.front() == Word;
    if (Good)
      Of = Of.drop_front();
  }
  void keep(const llvm::Twine &Word) { next(Kept, Word.str()); }
  void drop(const llvm::Twine &Words) { next(Dropped, Words.str()); }
  void strike(const Words &Given, unsigned Depth);
  void strikeHostFlags(StringRef Value);
  void strikeFile(StringRef Name, unsigned Depth);

  std::vector<ForeignFlag> Flags;
  ArrayRef<std::string> Kept, Dropped;
  unsigned NumFiles = 0;
  bool Good = true;
};

Account::Meaning Account::meaningOf(StringRef Word) const {
  size_t Dashes = std::min(Word.find_first_not_of('-'), Word.size());
  if (Dashes == 0 || Dashes > 2)
    return {};
  StringRef Whole = Word.drop_front(Dashes);
  auto Is = [&](StringRef Text, StringRef Name) {
    return !Name.empty() && Text == Name && (Dashes == 1 || Name.size() > 1);
  };
  size_t Equal = Whole.find('=');
  for (const ForeignFlag &Flag : Flags) {
    if (Is(Whole, Flag.Long) || Is(Whole, Flag.Short))
      return {&Flag, std::nullopt};
    if (Equal == StringRef::npos || Flag.Value == ForeignFlag::None)
      continue;
    StringRef Name = Whole.take_front(Equal);
    if (Is(Name, Flag.Long) || Is(Name, Flag.Short))
      return {&Flag, Whole.drop_front(Equal + 1)};
  }
  return {};
}

/// However they are divided: no letter of them is lost, but for separators and quotes.
void Account::strikeHostFlags(StringRef Value) {
  std::string Letters;
  for (size_t I = 0; I < Value.size(); ++I) {
    if (Value[I] == '\\' && I + 1 < Value.size())
      Letters += Value[++I];
    else if (!StringRef(", '\"").contains(Value[I]))
      Letters += Value[I];
  }
  for (StringRef Rest = Letters; Good && !Rest.empty();) {
    Good = !Kept.empty() && !Kept.front().empty() && Rest.consume_front(Kept.front());
    if (Good)
      Kept = Kept.drop_front();
  }
}

void Account::strikeFile(StringRef Name, unsigned Depth) {
  bool Reads = Depth < MaxOptionsDepth && NumFiles < MaxOptionsFiles;
  NumFiles += Reads;
  std::optional<StringRef> Text = Folder::folder().text(Name);
  if (!Reads || !Text)
    return drop("--options-file " + Name);
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Inside;
  llvm::cl::TokenizeGNUCommandLine(*Text, Saver, Inside);
  strike(Words(Inside.begin(), Inside.end()), Depth + 1);
}

void Account::strike(const Words &Given, unsigned Depth) {
  for (size_t I = 0; I < Given.size(); ++I) {
    StringRef Word = Given[I];
    if (Word == "--") {
      for (; I < Given.size(); ++I)
        keep(Given[I]);
      return;
    }
    auto [Flag, Value] = meaningOf(Word);
    if (!Flag) {
      keep(Word);
      continue;
    }
    std::string Written = Word.str();
    if (Flag->Value == ForeignFlag::Needed && !Value && I + 1 < Given.size()) {
      Value = Given[++I];
      Written += " " + Value->str();
    }
    if (Flag->Means == ForeignFlag::Drop || (Flag->Value == ForeignFlag::Needed && !Value)) {
      drop(Written);
    } else if (Flag->Means == ForeignFlag::Host) {
      strikeHostFlags(*Value);
    } else if (Flag->Means == ForeignFlag::OptionsFile) {
      strikeFile(*Value, Depth);
    } else if (Flag->Means == ForeignFlag::Language) {
      keep("-x");
      keep(*Value == "cu" ? "cuda" : *Value);
    } else if (Flag->Value == ForeignFlag::None) {
      keep(Flag->Clang);
    } else if (Flag->Clang.ends_with("=")) {
      keep(Flag->Clang + *Value);
    } else {
      keep(Flag->Clang);
      keep(*Value);
    }
  }
}

//===--- The steps of a translation ---------------------------------------------------------===//

TranslatedCommand translateAll(const Words &Command, CommandStyle Style) {
  TranslatedCommand To = translate(Command, Style, Folder::folder().dir());
  require(!To.Command.empty() && styleOf(To.Command) == CommandStyle::Clang);
  TranslatedCommand Again = translate(To.Command, styleOf(To.Command), Folder::folder().dir());
  require(Again.Command == To.Command && Again.Dropped.empty());

  // hipcc takes every source for one of its language, where the command has no word about it.
  Account Plain(Style, To), Hip(Style, To);
  bool Accounted = Plain.accepts({"clang++"}, Command);
  if (!Accounted && Style == CommandStyle::Hipcc)
    Accounted = Hip.accepts({"clang++", "-x", "hip"}, Command);
  require(Accounted);
  require(Style != CommandStyle::Hipcc ||
          llvm::any_of(To.Command, [](StringRef Word) { return Word.starts_with("-x"); }));
  return To;
}

/// \p Part, in order, among \p Whole.
bool isWithin(const Words &Part, const Words &Whole) {
  auto Next = Part.begin();
  for (const std::string &Word : Whole)
    if (Next != Part.end() && *Next == Word)
      ++Next;
  return Next == Part.end();
}

Words dropUnknown(const Words &Command, StringRef File) {
  TranslatedCommand To = withoutUnknown(Command, File);
  require(To.Command.size() + To.Dropped.size() == Command.size());
  require(isWithin(To.Command, Command) && isWithin(To.Dropped, Command));
  Words AtomicGroup = To.Command, Before = Command;
  llvm::append_range(AtomicGroup, To.Dropped);
  llvm::sort(AtomicGroup);
  llvm::sort(Before);
  require(AtomicGroup == Before);
  TranslatedCommand Again = withoutUnknown(To.Command, File);
  require(Again.Command == To.Command && Again.Dropped.empty());
  return To.Command;
}

void chooseHost(const Words &Command, StringRef File) {
  SourceLanguage Language = languageOf(Command, File);
  Words Host = forHost(Command, Language);
  if (Language == SourceLanguage::Cpp)
    return require(Host == Command);
  require(Host.size() >= 5 && Host[0] == Command[0] &&
          isWithin({Host.begin() + 5, Host.end()}, Command));
  SourceLanguage Now = languageOf(Host, File);
  require(Now == SourceLanguage::Cuda || Now == SourceLanguage::Musa);
  // Two of its own words are also the user's.
  Words Twice = forHost(Host, Now);
  require(Twice.size() == Host.size() + 2 && isWithin(Host, Twice));
}

/// As a build has it: with response files, for a source that is listed and one that is not.
void loadDatabase(const Words &Command, StringRef File) {
  StringRef Dir = Folder::folder().dir();
  llvm::json::Array Arguments;
  for (const std::string &Word : Command)
    Arguments.push_back(llvm::json::fixUTF8(Word));
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::json::Value(llvm::json::Array{
      llvm::json::Object{{"directory", Dir}, {"file", File}, {"arguments", std::move(Arguments)}}});
  Folder::folder().put("compile_commands.json", Text);
  llvm::Expected<CompileCommands> Commands = CompileCommands::load(Dir);
  if (!Commands)
    return llvm::consumeError(Commands.takeError());
  for (StringRef Name : {File, StringRef("other.cu")}) {
    llvm::SmallString<128> Path(Dir);
    path::append(Path, Name);
    ParseJob Job = Commands->job(Path);
    require(Job.File == Path && !Job.Command.empty());
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static constexpr std::pair<llvm::StringLiteral, CommandStyle> Compilers[] = {
      {"/usr/local/cuda/bin/nvcc", CommandStyle::Nvcc},
      {"hipcc", CommandStyle::Hipcc},
      {"mcc", CommandStyle::Mcc},
      {"icpx", CommandStyle::Icpx}};
  static constexpr llvm::StringLiteral Sources[] = {"k.cu", "k.cpp", "k.hip", "k.mu"};
  if (Size < 2)
    return 0;
  auto [Compiler, Style] = Compilers[Data[0] % std::size(Compilers)];
  StringRef File = Sources[Data[1] % std::size(Sources)];
  StringRef Text(reinterpret_cast<const char *>(Data) + 2, Size - 2);
  // Commands are C strings somewhere on their way.
  if (Text.contains('\0'))
    return 0;

  llvm::SmallVector<StringRef> Parts, Lines;
  Text.split(Parts, '\f', std::size(FileNames));
  for (size_t I = 0; I < std::size(FileNames); ++I)
    Folder::folder().put(FileNames[I], I + 1 < Parts.size() ? Parts[I + 1] : "");
  Parts.front().split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  Words Command = {Compiler.str()};
  for (StringRef Line : Lines)
    Command.push_back(Line.str());
  require(styleOf(Command) == Style);

  TranslatedCommand Translated = translateAll(Command, Style);
  chooseHost(dropUnknown(Translated.Command, File), File);
  loadDatabase(Command, File);
  return 0;
}
