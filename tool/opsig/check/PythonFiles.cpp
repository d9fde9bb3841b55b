//===- PythonFiles.cpp - Registrations in Python ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/PythonFiles.h"
#include "check/ShareFolder.h"
#include "opsig/Frontend/ChosenModules.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Frontend/PythonImports.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Frontend/RunTime.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/RunProgram.h"
#include "opsig/Workspace/FindPython.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <csignal>
#include <deque>
#include <map>
#include <set>

namespace opsig {

/// The last part of a dotted name.
static llvm::StringRef lastName(llvm::StringRef Dotted) {
  return Dotted.substr(Dotted.rfind('.') + 1);
}

/// PyTorch and one of \p Words, or a registrar with \p Behind its name.
static bool mentions(llvm::StringRef Text, llvm::ArrayRef<llvm::StringLiteral> Words,
                     llvm::ArrayRef<PythonRegistrar> Registrars, llvm::StringRef Behind) {
  auto Contains = [&](llvm::StringRef Word) { return Text.contains(Word); };
  return (Text.contains("torch") && llvm::any_of(Words, Contains)) ||
         llvm::any_of(Registrars, [&](const PythonRegistrar &R) {
           return Text.contains((lastName(R.Function) + Behind).str());
         });
}

/// Cheap, and true for all that matter: who uses torch.library names both, or takes its functions
/// from another module.
static bool mayRegister(llvm::StringRef Text, llvm::ArrayRef<PythonRegistrar> Registrars) {
  static constexpr llvm::StringLiteral Words[] = {"library",         "Library",   "register_fake",
                                                  "register_kernel", "custom_op", "triton_op",
                                                  "impl_abstract",   ".define(",  ".impl("};
  return mentions(Text, Words, Registrars, "");
}

/// True of a notebook that calls torch.library in some cell; most of those that write of libraries
/// do not.
static bool mayRegisterInCell(llvm::StringRef Text, llvm::ArrayRef<PythonRegistrar> Registrars) {
  static constexpr llvm::StringLiteral Words[] = {
      "torch.library", "torch import library", "register_fake(", "register_kernel(",
      "custom_op(",    "triton_op(",           "impl_abstract("};
  return mentions(Text, Words, Registrars, "(");
}

/// As the script has them.
static std::string registrarsAsJson(llvm::ArrayRef<PythonRegistrar> Registrars) {
  llvm::json::Array Out;
  for (const PythonRegistrar &R : Registrars) {
    llvm::json::Array Parameters(R.Parameters);
    if (Parameters.empty())
      Parameters = llvm::json::Array{R.Name, R.Kernel, R.MutatesArgs, R.Fake, R.Library, R.Key};
    Out.push_back(llvm::json::Object{{"function", R.Function},
                                     {"name", R.Name},
                                     {"kernel", R.Kernel},
                                     {"mutates_args", R.MutatesArgs},
                                     {"fake", R.Fake},
                                     {"library", R.Library},
                                     {"key", R.Key},
                                     {"parameters", std::move(Parameters)},
                                     {"namespace", R.Namespace},
                                     {"default_key", R.DefaultKey}});
  }
  return llvm::formatv("{0}", llvm::json::Value(std::move(Out)));
}

namespace {

/// Of Python code that is so large nobody reads it; a disk may have files without end.
constexpr uint64_t MostBytes = 4 << 20;
/// As much goes to one python3, so that not all texts are in memory.
constexpr size_t BatchBytes = 32 << 20;
/// CPU time for one file, and for all of them: some, less where C++ files were given up, and some
/// more by their size.
constexpr unsigned SecondsPerFile = 10, SecondsAtMost = 30, SecondsAtLeast = 3;
constexpr uint64_t BytesPerSecond = 256 << 10;

/// What the script is asked for.
enum class PythonMode {
  Facts,
  CompiledFacts, ///< of texts that Python would compile only
  Imports,       ///< nothing but "together" and "choices"
};

/// All that an answer depends on but for the text: python3, the scripts, and what they are told.
struct PythonProgram {
  ProgramRun Run;
  std::vector<std::string> Identity;
  std::string Problem; ///< why nothing can be read; "" where it can

  PythonProgram(const PythonInputs &Inputs, PythonMode Mode);
};

/// As the script's first argument has it.
llvm::StringRef modeSuffix(PythonMode Mode) {
  switch (Mode) {
  case PythonMode::Facts:
    return "";
  case PythonMode::CompiledFacts:
    return " compile";
  case PythonMode::Imports:
    return " imports";
  }
  llvm_unreachable("covered switch");
}

/// What changes where the file does.
std::string identityOf(const std::string &File) {
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(File, Status))
    return File;
  return llvm::formatv("{0} {1} {2}", File, Status.getSize(),
                       Status.getLastModificationTime().time_since_epoch().count());
}

PythonProgram::PythonProgram(const PythonInputs &Inputs, PythonMode Mode) {
  std::string Folder = shareFolder() + "/python";
  std::string Script = Folder + "/torch_library.py";
  std::optional<std::string> Python = findPython(Inputs.Untrusted);
  if (!Python) {
    Problem = "python3 was not found";
    return;
  }
  if (!llvm::sys::fs::exists(Script)) {
    Problem = "'" + Script + "', which reads Python files, is missing";
    return;
  }
  Run.Path = *Python;
  // Nothing of the project, nor of the user's, is on its path, and nothing is written.
  Run.Arguments = {"-I",
                   "-S",
                   "-B",
                   "-W",
                   "ignore",
                   absolutePath(Script),
                   (std::to_string(SecondsPerFile) + modeSuffix(Mode)).str(),
                   registrarsAsJson(Inputs.Registrars)};
  Identity = Run.Arguments;
  Identity.push_back(identityOf(realPath(*Python)));
  std::error_code Why;
  std::set<std::string> Scripts;
  for (llvm::sys::fs::directory_iterator At(Folder, Why), End; At != End && !Why; At.increment(Why))
    if (isPython(At->path()))
      Scripts.insert(identityOf(At->path()));
  Identity.insert(Identity.end(), Scripts.begin(), Scripts.end());
}

/// A file to read, and the names of its functions that other files import.
struct PythonFile {
  std::string Name;
  std::string Offered = "";
  std::string Types = "";   ///< those that others register for schemas
  std::string Aliases = ""; ///< names of torch.library that others hand on to it

  /// As the script is told.
  std::string asked() const { return Offered + " " + Types + " " + Aliases; }
};

/// Reads files one after the other. One that ends python3, or takes too long, loses only itself.
class PythonReader {
public:
  PythonReader(const PythonInputs &Inputs, const CachePlace &Cache,
               const llvm::StringMap<std::string> *Now, PythonMode Mode)
      : Now(Now), Program(Inputs, Mode), Kept(Cache, "python", Program.Identity) {}

  /// In the order of \p Files.
  std::vector<PythonAnswer> read(std::vector<PythonFile> Files);

private:
  /// What the file has in its place: the text of an editor, an edited one, one that is known, or
  /// that on disk.
  std::string textOf(const std::string &Name) const;
  void findKept();
  /// Reads the next ones that nothing is known of, at least one.
  void readSome();
  void fillBatch();
  /// False where it is none.
  bool take(size_t File, llvm::StringRef Answer);
  void lose(size_t File, std::string Why) {
    Answers[File] =
        PythonAnswer{unreadPython(Files[File].Name, std::move(Why)), {}, {}, {}, {}, {}};
  }
  void loseRest(const std::string &Why);
  std::string whyEnded(const ProgramEnd &End) const;

  const llvm::StringMap<std::string> *Now;
  PythonProgram Program;
  KeptAnswers Kept;
  std::vector<PythonFile> Files;
  std::vector<std::optional<PythonAnswer>> Answers; ///< of Files
  std::deque<size_t> Left;                          ///< those without one
  std::vector<std::pair<size_t, std::string>> Batch;
  /// Beside what files of their size take; the same for all rounds.
  double Spare = std::max<double>(secondsInVain(SecondsAtMost), SecondsAtLeast);
  double SecondsLeft = 0;
};

std::string PythonReader::textOf(const std::string &Name) const {
  if (Now)
    if (auto Edited = Now->find(Name); Edited != Now->end())
      return Edited->second;
  auto Text = readWholeFile(Name);
  if (Text)
    return (*Text)->getBuffer().str();
  llvm::consumeError(Text.takeError()); // it was there a moment ago
  return "";
}

bool PythonReader::take(size_t File, llvm::StringRef Answer) {
  llvm::Expected<PythonAnswer> Read = readPythonAnswer(Answer, Files[File].Name);
  if (Read)
    Answers[File] = std::move(*Read);
  else
    lose(File, llvm::toString(Read.takeError()));
  return Answers[File]->Unit.FirstError.empty();
}

void PythonReader::findKept() {
  uint64_t Bytes = 0;
  for (size_t I = 0; I != Files.size(); ++I) {
    std::string Text = textOf(Files[I].Name);
    if (std::optional<std::string> Known = Kept.find({Files[I].asked(), Text}))
      Answers[I] = pythonAnswerFromBytes(*Known, Files[I].Name);
    if (Answers[I])
      continue;
    Bytes += Text.size();
    Left.push_back(I);
  }
  SecondsLeft = Spare + double(Bytes / BytesPerSecond);
}

void PythonReader::fillBatch() {
  Batch.clear();
  std::string &Input = Program.Run.Input;
  Input.clear();
  while (Batch.size() < Left.size() && Input.size() < BatchBytes) {
    size_t File = Left[Batch.size()];
    Batch.push_back({File, textOf(Files[File].Name)});
    const std::string &Text = Batch.back().second;
    Input += llvm::formatv("{0} {1}\n", Text.size(), Files[File].asked());
    Input += Text;
  }
}

std::string PythonReader::whyEnded(const ProgramEnd &End) const {
  if (End.Is == ProgramEnd::Signalled && End.Status == SIGPROF)
    return llvm::formatv("reading it took more than {0} s", SecondsPerFile);
  return "python3 " + End.why(Program.Run.Limits) + " while reading it";
}

void PythonReader::loseRest(const std::string &Why) {
  for (size_t File : Left)
    lose(File, Why);
  Left.clear();
}

void PythonReader::readSome() {
  fillBatch();
  Program.Run.Limits.CpuSeconds = unsigned(SecondsLeft) + 1;
  Program.Run.Limits.Seconds = 10 * Program.Run.Limits.CpuSeconds;
  llvm::Expected<ProgramEnd> End = runProgram(Program.Run);
  if (!End)
    return loseRest(llvm::toString(End.takeError()));
  SecondsLeft -= End->CpuSeconds;
  std::vector<llvm::StringRef> Read = pythonAnswers(End->Output);
  if (Read.size() > Batch.size())
    return loseRest("torch_library.py and opsig have different versions");
  for (size_t I = 0; I != Read.size(); ++I) {
    const auto &[File, Text] = Batch[I];
    if (take(File, Read[I]))
      Kept.keep({Files[File].asked(), Text}, pythonAnswerToBytes(*Answers[File]));
    Left.pop_front();
  }
  if (Read.size() < Batch.size()) {
    lose(Left.front(), whyEnded(*End));
    Left.pop_front();
  }
  if (SecondsLeft <= 0)
    loseRest("the time limit for Python files was reached");
}

std::vector<PythonAnswer> PythonReader::read(std::vector<PythonFile> Which) {
  Files = std::move(Which);
  Answers.assign(Files.size(), std::nullopt);
  findKept();
  if (!Program.Problem.empty())
    loseRest(Program.Problem);
  while (!Left.empty())
    readSome();
  Spare = std::clamp(SecondsLeft, 1.0, Spare);
  std::vector<PythonAnswer> Out;
  for (std::optional<PythonAnswer> &Answer : Answers)
    Out.push_back(std::move(*Answer));
  return Out;
}

/// Reads files, and then those again, or besides, that others import functions of.
class PythonProject {
public:
  PythonProject(const PythonInputs &Inputs, const CachePlace &Cache,
                const llvm::StringMap<std::string> &Texts)
      : Modules(std::vector<llvm::StringRef>(Inputs.begin(), Inputs.end())),
        Reader(Inputs, Cache, &Texts, PythonMode::Facts) {}

  void read(std::vector<PythonFile> Files);
  std::vector<UnitFacts> takeUnits();

private:
  /// The files of which more is wanted than is known.
  std::vector<PythonFile> wanted();
  /// The files that may have \p Types in their schemas.
  std::set<std::string> usersOf(const std::set<std::string> &Types);

  PythonModules Modules;
  PythonReader Reader;
  std::map<std::string, PythonAnswer> Answers;
  std::map<std::string, std::set<std::string>> Offered; ///< names, by file
  std::set<std::string> Types;
  std::map<std::string, std::set<std::string>> Aliases; ///< by the file that imports them
};

void PythonProject::read(std::vector<PythonFile> Files) {
  // What a module imports itself may be handed on, but not for ever.
  constexpr unsigned MostRounds = 8;
  for (unsigned Round = 0; !Files.empty() && Round < MostRounds; ++Round) {
    std::vector<PythonAnswer> Read = Reader.read(Files);
    for (size_t I = 0; I != Files.size(); ++I)
      Answers[Files[I].Name] = std::move(Read[I]);
    Files = wanted();
  }
}

std::vector<PythonFile> PythonProject::wanted() {
  std::set<std::string> Grown;
  for (const auto &[Name, Answer] : Answers)
    for (const std::string &Import : Answer.Imports)
      if (std::optional<PythonImport> Found = Modules.find(Name, Import)) {
        std::string File = Modules.files()[Found->File].str();
        if (Offered[File].insert(Found->Name).second)
          Grown.insert(File);
        auto Known = Answers.find(File);
        if (Known == Answers.end())
          continue;
        for (const std::string &Alias : Known->second.Aliases)
          if (llvm::StringRef(Alias).split('=').first == Found->Name &&
              Aliases[Name].insert(Alias).second)
            Grown.insert(Name);
      }
  std::set<std::string> NewTypes;
  for (const auto &[Name, Answer] : Answers)
    for (const std::string &Type : Answer.Types)
      if (Types.insert(Type).second)
        NewTypes.insert(Type);
  Grown.merge(usersOf(NewTypes));
  // What could not be read cannot be read for more either.
  std::erase_if(Grown, [&](const std::string &File) {
    auto Known = Answers.find(File);
    return Known != Answers.end() && !Known->second.Unit.FirstError.empty();
  });
  std::vector<PythonFile> Out;
  for (const std::string &File : Grown)
    if (uint64_t Size = 0; !llvm::sys::fs::file_size(File, Size) && Size <= MostBytes)
      Out.push_back({File, llvm::join(Offered[File], ","), llvm::join(Types, ","),
                     llvm::join(Aliases[File], ",")});
  return Out;
}

std::set<std::string> PythonProject::usersOf(const std::set<std::string> &Types) {
  std::set<std::string> Out;
  for (const auto &[Name, Answer] : Answers)
    for (const RegistrationBlock &Block : Answer.Unit.Registrations)
      for (const RegistrationEntry &Entry : Block.Entries)
        if (llvm::any_of(Types, [&](const std::string &Type) {
              return llvm::StringRef(Entry.Text.Value).contains(Type);
            }))
          Out.insert(Name);
  return Out;
}

std::vector<UnitFacts> PythonProject::takeUnits() {
  std::vector<UnitFacts> Out;
  for (auto &[Name, Answer] : Answers)
    Out.push_back(std::move(Answer.Unit));
  return Out;
}

} // namespace

//===-- modules that are loaded one or the other -----------------------------------===//

/// What an entry registers: "impl ns::f CUDA".
static std::string registeredBy(const RegistrationBlock &Block, const RegistrationEntry &E) {
  llvm::StringRef Name = llvm::StringRef(E.Text.Value).split('(').first;
  std::string Whole = Name.contains("::") ? Name.str() : (Block.Namespace + "::" + Name).str();
  if (E.Is == RegistrationEntry::Def)
    return "def " + Whole;
  return "impl " + Whole + " " + (E.Key.empty() ? Block.Key : E.Key);
}

/// The registrations that stand for this in \p Unit may never run.
static void makeConditional(UnitFacts &Unit, const std::set<std::string> &Registered) {
  for (RegistrationBlock &Block : Unit.Registrations)
    for (RegistrationEntry &E : Block.Entries) {
      if (!E.TextKnown || !Registered.count(registeredBy(Block, E)))
        continue;
      E.Conditional = true;
      if (Unit.Python)
        for (LibraryUse &Use : Unit.Python->Uses)
          Use.Conditional |= Use.At.Offset == E.At.Offset;
    }
}

/// What is registered in several of \p Units, with those.
static std::map<std::string, std::vector<UnitFacts *>> sharedBy(std::vector<UnitFacts> &Units) {
  std::map<std::string, std::vector<UnitFacts *>> Out;
  for (UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      for (const RegistrationEntry &E : Block.Entries)
        if (E.TextKnown && !E.Conditional) {
          std::vector<UnitFacts *> &Known = Out[registeredBy(Block, E)];
          if (Known.empty() || Known.back() != &Unit)
            Known.push_back(&Unit);
        }
  std::erase_if(Out, [](const auto &One) { return One.second.size() < 2; });
  return Out;
}

/// The text of \p File; one of \p Known, or that on disk. None where it cannot be read, which is
/// said where it is read for its facts.
static std::optional<std::string> textOf(const std::string &File,
                                         const llvm::StringMap<std::string> &Known) {
  if (auto Text = Known.find(File); Text != Known.end())
    return Text->second;
  uint64_t Size = 0;
  if (llvm::sys::fs::file_size(File, Size) || Size > MostBytes)
    return std::nullopt;
  auto Text = readWholeFile(File);
  if (Text)
    return (*Text)->getBuffer().str();
  llvm::consumeError(Text.takeError());
  return std::nullopt;
}

/// What each file imports that may import one of those whose modules' names have \p Words.
static ChosenModules importsOf(const PythonModules &Modules, const PythonInputs &Inputs,
                               const CachePlace &Cache, const llvm::StringMap<std::string> &Known,
                               const std::set<std::string> &Words) {
  std::vector<PythonFile> Files;
  llvm::StringMap<std::string> Importing;
  for (const std::string &File : Inputs) {
    std::optional<std::string> Text = isPython(File) ? textOf(File, Known) : std::nullopt;
    if (!Text || !llvm::StringRef(*Text).contains("import") ||
        llvm::none_of(
            Words, [&](const std::string &Word) { return llvm::StringRef(*Text).contains(Word); }))
      continue;
    Files.push_back({File});
    Importing[File] = std::move(*Text);
  }
  ChosenModules Out(Modules);
  std::vector<PythonAnswer> Answers =
      PythonReader(Inputs, Cache, &Importing, PythonMode::Imports).read(Files);
  for (auto [File, Answer] : llvm::zip(Files, Answers))
    Out.add(File.Name, Answer);
  return Out;
}

/// The words of a module's name by which others import it: its own, or those of its packages.
static std::set<std::string> moduleWords(llvm::StringRef File) {
  constexpr unsigned MostPackages = 4;
  std::set<std::string> Out;
  llvm::SmallVector<llvm::StringRef> Parts(llvm::split(File, '/'));
  for (llvm::StringRef Part : llvm::reverse(Parts)) {
    Out.insert(Part.take_until([](char C) { return C == '.'; }).str());
    if (Out.size() > MostPackages)
      break;
  }
  Out.erase("");
  Out.erase("__init__");
  return Out;
}

/// A process loads the module for CUDA or the one for HIP: what both register is no second one.
static void findChosen(std::vector<UnitFacts> &Units, const PythonInputs &Inputs,
                       const CachePlace &Cache, const llvm::StringMap<std::string> &Texts) {
  std::map<std::string, std::vector<UnitFacts *>> Shared = sharedBy(Units);
  std::set<std::string> Words;
  for (const auto &[What, In] : Shared)
    for (const UnitFacts *Unit : In)
      Words.merge(moduleWords(Unit->MainFile));
  if (Words.empty())
    return;
  PythonModules Modules(std::vector<llvm::StringRef>(Inputs.begin(), Inputs.end()));
  ChosenModules Chosen = importsOf(Modules, Inputs, Cache, Texts, Words);
  for (const auto &[What, In] : Shared)
    for (UnitFacts *Unit : In)
      if (llvm::any_of(In, [&](const UnitFacts *Other) {
            return Other != Unit && Chosen.areAlternatives(Unit->MainFile, Other->MainFile);
          }))
        makeConditional(*Unit, {What});
}

/// \p Now was read of another text than \p Before.
static void keepChosen(const UnitFacts &Before, UnitFacts &Now) {
  std::set<std::string> Registered;
  for (const RegistrationBlock &Block : Before.Registrations)
    for (const RegistrationEntry &E : Block.Entries)
      if (E.Conditional && E.TextKnown)
        Registered.insert(registeredBy(Block, E));
  makeConditional(Now, Registered);
}

PythonUnits readPython(const PythonInputs &Inputs, const ScriptRules &Rules,
                       const CachePlace &Cache) {
  PythonUnits Out;
  std::vector<PythonFile> Using;
  llvm::StringMap<std::string> Texts;
  size_t KeptBytes = 0;
  for (const std::string &File : Inputs) {
    uint64_t Size = 0;
    if (!llvm::sys::fs::file_size(File, Size) && Size > MostBytes && !isEndless(File)) {
      Out.Units.push_back(
          unreadPython(File, llvm::formatv("the file is larger than {0} MiB", MostBytes >> 20)));
      continue;
    }
    auto Text = readWholeFile(File);
    if (!Text) {
      Out.Problems.push_back(llvm::toString(Text.takeError()));
      continue;
    }
    if (isNotebook(File)) {
      if (mayRegisterInCell((*Text)->getBuffer(), Inputs.Registrars))
        Out.Units.push_back(unreadPython(File, "opsig does not read notebooks"));
      continue;
    }
    if (mayRegister((*Text)->getBuffer(), Inputs.Registrars)) {
      Using.push_back({File});
      // Those of a usual project need not be read again.
      if ((KeptBytes += (*Text)->getBufferSize()) < BatchBytes)
        Texts[File] = (*Text)->getBuffer().str();
    }
  }
  if (!Using.empty()) {
    PythonProject Project(Inputs, Cache, Texts);
    Project.read(std::move(Using));
    llvm::move(Project.takeUnits(), std::back_inserter(Out.Units));
  }
  // Many mention libraries of another kind.
  llvm::erase_if(Out.Units, [](const UnitFacts &Unit) {
    const PythonFacts *Facts = Unit.Python.get();
    bool HasMore =
        Facts && !(Facts->Libraries.empty() && Facts->Classes.empty() && Facts->Offers.empty());
    return Unit.complete() && Unit.Registrations.empty() && !HasMore;
  });
  findChosen(Out.Units, Inputs, Cache, Texts);
  for (UnitFacts &Unit : Out.Units)
    Unit.Names.Strings = Rules;
  return Out;
}

std::optional<UnitFacts> readPythonText(const PythonInputs &Inputs, const std::string &File,
                                        const std::string &Text) {
  if (Text.size() > MostBytes || !mayRegister(Text, Inputs.Registrars))
    return std::nullopt;
  llvm::StringMap<std::string> Now;
  Now[File] = Text;
  return std::move(
      PythonReader(Inputs, {}, &Now, PythonMode::CompiledFacts).read({{File}}).front().Unit);
}

/// The names of its functions that other files import.
static std::string offeredBy(const UnitFacts &Unit) {
  std::vector<llvm::StringRef> Names;
  if (Unit.Python)
    for (const PythonOffer &Offer : Unit.Python->Offers)
      Names.push_back(Offer.Name);
  return llvm::join(Names, ",");
}

std::vector<UnitFacts> rereadPython(const PythonInputs &Inputs,
                                    llvm::ArrayRef<const UnitFacts *> Units,
                                    const llvm::StringMap<std::string> &Now) {
  std::vector<PythonFile> Files;
  for (const UnitFacts *Unit : Units)
    Files.push_back({Unit->MainFile, offeredBy(*Unit)});
  std::vector<UnitFacts> Out;
  for (PythonAnswer &Answer :
       PythonReader(Inputs, {}, &Now, PythonMode::CompiledFacts).read(std::move(Files))) {
    keepChosen(*Units[Out.size()], Answer.Unit);
    Out.push_back(std::move(Answer.Unit));
  }
  return Out;
}

} // namespace opsig
