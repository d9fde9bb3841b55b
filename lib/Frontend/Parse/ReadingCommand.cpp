//===- ReadingCommand.cpp - a compile command that only reads ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/ReadingCommand.h"
#include "Parse/ReadingFlags.h"
#include "opsig/Frontend/OwnFlags.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"

#include "clang/Driver/ToolChain.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace opsig;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace opts = clang::options;

//===--- Files of options -------------------------------------------------------------------===//

static llvm::SmallString<256> pathFrom(StringRef Directory, StringRef Name) {
  llvm::SmallString<256> Path(Name);
  if (path::is_relative(Path) && !Directory.empty()) {
    Path = Directory;
    path::append(Path, Name);
  }
  return Path;
}

/// Whether a project may have its options there. What is elsewhere and not named as options may be
/// anything, and its words are shown where they are no flags.
static bool mayHoldOptions(StringRef Path) {
  static constexpr llvm::StringLiteral Extensions[] = {".rsp",  ".resp",  ".params",  ".opt",
                                                       ".opts", ".flags", ".options", ".args"};
  std::string Project = projectAround(".");
  return llvm::is_contained(Extensions, path::extension(realPath(Path))) ||
         (!Project.empty() && isInside(Path, Project));
}

std::optional<Words> OptionsFiles::read(StringRef Name, unsigned Depth) {
  if (Depth >= MaxOptionsDepth || NumRead >= MaxOptionsFiles)
    return std::nullopt;
  ++NumRead;
  llvm::SmallString<256> Path = pathFrom(Directory, Name);
  if (!Trusted && !mayHoldOptions(Path))
    return std::nullopt;
  auto Text = readWholeFile(Path, BytesLeft);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return std::nullopt;
  }
  BytesLeft -= (*Text)->getBufferSize();
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Found;
  llvm::cl::TokenizeGNUCommandLine((*Text)->getBuffer(), Saver, Found);
  return Words(Found.begin(), Found.end());
}

void OptionsFiles::expand(const Words &Given, unsigned Depth, Words &To) {
  for (const std::string &Word : Given) {
    StringRef Name = Word;
    std::optional<Words> Inside;
    if (Name.consume_front("@"))
      Inside = read(Name, Depth);
    if (Inside)
      expand(*Inside, Depth + 1, To);
    else
      To.push_back(Word);
  }
}

Words OptionsFiles::expand(const Words &Given) {
  Words To;
  expand(Given, 0, To);
  return To;
}

std::vector<std::string> opsig::ownFlags(llvm::ArrayRef<std::string> Given) {
  return OptionsFiles(".", /*Trusted=*/true).expand(Given);
}

//===--- What is left of a command ----------------------------------------------------------===//

namespace {

/// Chooses among the words of one command.
class Chooser {
public:
  Chooser(StringRef File, StringRef Directory) : File(File), Directory(Directory) {}

  /// \p Visible: the driver's options, or those of the compiler behind it.
  void choose(llvm::ArrayRef<std::string> Given, llvm::opt::Visibility Visible, unsigned Depth);
  /// False where \p Name is another file.
  bool takeInput(StringRef Name) {
    if (path::filename(Name) != path::filename(File))
      return false;
    Input = Name.str();
    return true;
  }
  TranslatedCommand finish(StringRef Program);

private:
  void take(const llvm::opt::Arg &A, llvm::ArrayRef<std::string> Written, unsigned Depth);
  void addLimit(const llvm::opt::Arg &A);
  void unwrap(const llvm::opt::Arg &A, unsigned Depth);
  void readWrapped(unsigned Depth);
  /// The text beside a precompiled header, unless it is included anyway.
  void addTextOf(StringRef Precompiled);
  void drop(llvm::ArrayRef<std::string> Written) {
    std::string Text;
    for (const std::string &Word : Written)
      Text += (Text.empty() ? "" : " ") + Word;
    Dropped.push_back(std::move(Text));
  }

  StringRef File, Directory;
  Words Kept, Processor, Dropped, Precompiled;
  bool IsOtherTarget = false;
  std::string Input;
  /// Of -Xclang and its kind, which have a word each; all for the compiler behind the driver, or
  /// none.
  Words Wrapped;
  bool ForCompiler = false;
};

bool isOptionOfDriver(const llvm::opt::Arg &A) {
  return A.getOption().hasVisibilityFlag(opts::ClangOption);
}

void Chooser::choose(llvm::ArrayRef<std::string> Given, llvm::opt::Visibility Visible,
                     unsigned Depth) {
  std::vector<const char *> Pointers;
  for (const std::string &Word : Given)
    Pointers.push_back(Word.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  llvm::opt::InputArgList Read =
      clang::getDriverOptTable().ParseArgs(Pointers, MissingIndex, MissingCount, Visible);
  // A flag at the end that lacks its value.
  size_t End = MissingCount ? std::min<size_t>(MissingIndex, Given.size()) : Given.size();
  std::vector<const llvm::opt::Arg *> All(Read.begin(), Read.end());
  for (size_t I = 0; I < All.size(); ++I) {
    size_t First = All[I]->getIndex();
    size_t Behind = I + 1 < All.size() ? All[I + 1]->getIndex() : End;
    if (First < Behind && Behind <= Given.size())
      take(*All[I], Given.slice(First, Behind - First), Depth);
  }
  if (End < Given.size())
    drop(Given.drop_front(End));
  readWrapped(Depth);
}

void Chooser::take(const llvm::opt::Arg &A, llvm::ArrayRef<std::string> Written, unsigned Depth) {
  if (A.getOption().matches(opts::OPT_INPUT)) {
    if (Depth > 0 || !takeInput(A.getValue()))
      drop(Written);
    return;
  }
  // The driver knows it no more than this does, and says so.
  if (A.getOption().matches(opts::OPT_UNKNOWN) && Depth == 0) {
    Kept.insert(Kept.end(), Written.begin(), Written.end());
    return;
  }
  FlagUse Use = useOf(A);
  // Flags of other wrappers end what one of them says.
  if (Use != FlagUse::Wrapper)
    readWrapped(Depth);
  switch (Use) {
  case FlagUse::Keep:
    if (!isOptionOfDriver(A))
      return drop(Written);
    Kept.insert(Kept.end(), Written.begin(), Written.end());
    return;
  case FlagUse::Processor:
    if (!isOptionOfDriver(A))
      return drop(Written);
    Processor.insert(Processor.end(), Written.begin(), Written.end());
    return;
  case FlagUse::OtherTarget:
    IsOtherTarget = true;
    return drop(Written);
  case FlagUse::Limit:
    return addLimit(A);
  case FlagUse::Wrapper:
    return unwrap(A, Depth);
  case FlagUse::Macro:
    Kept.push_back(macroOf(A).str());
    return drop(Written);
  case FlagUse::Pch:
    Precompiled.push_back(A.getValue());
    return drop(Written);
  case FlagUse::Drop:
    return drop(Written);
  case FlagUse::Irrelevant:
    return;
  }
}

void Chooser::addLimit(const llvm::opt::Arg &A) {
  unsigned Value, Largest = largestLimit(A);
  if (StringRef(A.getValue()).getAsInteger(10, Value) || Value > Largest)
    Value = Largest;
  Kept.push_back(A.getSpelling().str() + std::to_string(Value));
}

void Chooser::unwrap(const llvm::opt::Arg &A, unsigned Depth) {
  bool IsForCompiler = A.getOption().matches(opts::OPT_Xclang);
  if (IsForCompiler != ForCompiler)
    readWrapped(Depth);
  ForCompiler = IsForCompiler;
  Wrapped.insert(Wrapped.end(), A.getValues().begin(), A.getValues().end());
}

/// Values of flags have a wrapper of their own: `-Xclang -include -Xclang a.h`.
void Chooser::readWrapped(unsigned Depth) {
  if (Wrapped.empty())
    return;
  Words Given = std::move(Wrapped);
  Wrapped.clear();
  if (Depth >= MaxOptionsDepth)
    return drop(Given);
  choose(Given, llvm::opt::Visibility(ForCompiler ? opts::CC1Option : opts::ClangOption),
         Depth + 1);
}

void Chooser::addTextOf(StringRef Name) {
  StringRef Text = Name;
  if (!Text.consume_back(".pch") && !Text.consume_back(".gch"))
    return;
  llvm::SmallString<256> Path = pathFrom(Directory, Text);
  if (!llvm::is_contained(Kept, Text) && llvm::sys::fs::is_regular_file(Path))
    Kept.insert(Kept.end(), {"-include", Text.str()});
}

/// What the program is called decides how Clang's driver reads the words, and its folder where the
/// headers of that compiler are. Nothing is run there, and its configuration is not read.
std::string programFor(StringRef Program) {
  StringRef Name = path::filename(Program);
  auto Parts = clang::driver::ToolChain::getTargetAndModeFromProgramName(Name);
  StringRef Mode = Parts.DriverMode ? Parts.DriverMode : "";
  bool IsUsual = Mode.empty() || Mode == "--driver-mode=g++" || Mode == "--driver-mode=gcc";
  llvm::SmallString<128> Path(path::is_absolute(Program) ? path::parent_path(Program) : "");
  path::append(Path, IsUsual && !Name.empty() ? Name : "clang++");
  return std::string(Path);
}

TranslatedCommand Chooser::finish(StringRef Program) {
  for (const std::string &Name : Precompiled)
    addTextOf(Name);
  // What Clang cannot be told of one target it takes for an error of another.
  llvm::append_range(IsOtherTarget ? Dropped : Kept, Processor);
  TranslatedCommand To;
  To.Command = {programFor(Program)};
  llvm::append_range(To.Command, Kept);
  if (Input.empty())
    Input = File.str();
  // The driver hands it on without the dashes in front.
  To.Command.insert(To.Command.end(), {"--", (Input[0] == '-' ? "./" : "") + Input});
  To.Dropped = std::move(Dropped);
  return To;
}

} // namespace

TranslatedCommand opsig::forReading(const Words &Command, StringRef File, StringRef Directory) {
  Chooser Choice(File, Directory);
  llvm::ArrayRef<std::string> Given = Command;
  if (!Given.empty())
    Given = Given.drop_front();
  auto Flags = Given.take_until([](StringRef Word) { return Word == "--"; });
  // A file whose name is a flag's, too.
  if (File.starts_with("-") && !Flags.empty() && Flags.back() == File && Choice.takeInput(File))
    Choice.choose(Flags.drop_back(), llvm::opt::Visibility(opts::ClangOption), 0);
  else
    Choice.choose(Flags, llvm::opt::Visibility(opts::ClangOption), 0);
  for (const std::string &Behind : Given.drop_front(Flags.size()))
    Choice.takeInput(Behind);
  return Choice.finish(Command.empty() ? "" : Command.front());
}

Words opsig::readingCommand(const Words &Command, StringRef File, StringRef Directory) {
  Words To = forReading(OptionsFiles(Directory).expand(Command), File, Directory).Command;
  // Beside the compiler, and in the user's folders.
  To.insert(To.begin() + 1, "--no-default-config");
  return To;
}
