//===- PythonFiles.cpp - Registrations in Python ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/PythonFiles.h"
#include "check/ShareFolder.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/RunProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <csignal>

namespace opsig {

/// The last part of a dotted name.
static llvm::StringRef lastName(llvm::StringRef Dotted) {
  return Dotted.substr(Dotted.rfind('.') + 1);
}

/// Cheap, and true for all that matter: who uses torch.library names both.
static bool mayRegister(llvm::StringRef Text, llvm::ArrayRef<PythonRegistrar> Registrars) {
  return (Text.contains("torch") && (Text.contains("library") || Text.contains("Library"))) ||
         llvm::any_of(Registrars, [&](const PythonRegistrar &R) {
           return Text.contains(lastName(R.Function));
         });
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
/// CPU time for one file, and for all of them: some, and some more by their size.
constexpr unsigned SecondsPerFile = 10, SecondsAtLeast = 30;
constexpr uint64_t BytesPerSecond = 256 << 10;

/// Reads files one after the other. One that ends python3, or takes too long, loses only itself.
class PythonReader {
public:
  PythonReader(const PythonInputs &Inputs, std::vector<std::string> Files, uint64_t Bytes)
      : Inputs(Inputs), Files(std::move(Files)),
        SecondsLeft(SecondsAtLeast + Bytes / BytesPerSecond) {}

  /// Texts that files have in the place of their own; all are compiled, and none is run.
  void replace(const llvm::StringMap<std::string> &Texts) { Now = &Texts; }

  std::vector<UnitFacts> read();

private:
  /// Why none can be read; "" where they can.
  std::string findPython();
  /// Reads the next ones, at least one.
  void readSome();
  llvm::ArrayRef<std::string> fillBatch();
  void loseNext(std::string Why) {
    Units.push_back(unreadPython(Files[Units.size()], std::move(Why)));
  }
  void loseRest(const std::string &Why) {
    while (Units.size() < Files.size())
      loseNext(Why);
  }
  std::string whyEnded(const ProgramEnd &End) const;

  const PythonInputs &Inputs;
  std::vector<std::string> Files;
  std::vector<UnitFacts> Units; ///< of the first Files
  const llvm::StringMap<std::string> *Now = nullptr;
  ProgramRun Run;
  double SecondsLeft;
};

std::string PythonReader::findPython() {
  std::string Script = shareFolder() + "/python/torch_library.py";
  std::optional<std::string> Python = findProgram("python3", Inputs.Untrusted);
  if (!Python)
    return "there is no python3 to read it with";
  if (!llvm::sys::fs::exists(Script))
    return "'" + Script + "' is not there to read it with";
  Run.Path = *Python;
  // Nothing of the project, nor of the user's, is on its path, and nothing is written.
  Run.Arguments = {"-I",
                   "-S",
                   "-B",
                   "-W",
                   "ignore",
                   absolutePath(Script),
                   std::to_string(SecondsPerFile) + (Now ? " compile" : ""),
                   registrarsAsJson(Inputs.Registrars)};
  return "";
}

llvm::ArrayRef<std::string> PythonReader::fillBatch() {
  llvm::ArrayRef<std::string> Left = llvm::ArrayRef(Files).drop_front(Units.size());
  size_t Count = 0;
  Run.Input.clear();
  while (Count < Left.size() && Run.Input.size() < BatchBytes) {
    llvm::StringRef Name = Left[Count++];
    auto Edited = Now ? Now->find(Name) : llvm::StringMap<std::string>::const_iterator();
    if (Now && Edited != Now->end()) {
      Run.Input += (llvm::Twine(Edited->second.size()) + "\n" + Edited->second).str();
      continue;
    }
    auto Text = readWholeFile(Name);
    llvm::StringRef Bytes = Text ? (*Text)->getBuffer() : "";
    if (!Text) // it was there a moment ago
      llvm::consumeError(Text.takeError());
    Run.Input += (llvm::Twine(Bytes.size()) + "\n" + Bytes).str();
  }
  return Left.take_front(Count);
}

std::string PythonReader::whyEnded(const ProgramEnd &End) const {
  if (End.Is == ProgramEnd::Signalled && End.Status == SIGPROF)
    return llvm::formatv("reading it takes more than {0} s", SecondsPerFile);
  return "python3 " + End.why(Run.Limits) + " over it";
}

void PythonReader::readSome() {
  llvm::ArrayRef<std::string> Batch = fillBatch();
  Run.Limits.CpuSeconds = unsigned(SecondsLeft) + 1;
  Run.Limits.Seconds = 10 * Run.Limits.CpuSeconds;
  llvm::Expected<ProgramEnd> End = runProgram(Run);
  if (!End)
    return loseRest(llvm::toString(End.takeError()));
  SecondsLeft -= End->CpuSeconds;
  llvm::Expected<std::vector<UnitFacts>> Read = readPythonRegistrations(End->Output, Batch);
  if (!Read)
    return loseRest(llvm::toString(Read.takeError()));
  size_t Count = Read->size();
  llvm::move(*Read, std::back_inserter(Units));
  if (Count < Batch.size())
    loseNext(whyEnded(*End));
  if (SecondsLeft <= 0)
    loseRest("those before it take too much time");
}

std::vector<UnitFacts> PythonReader::read() {
  if (Files.empty())
    return {};
  if (std::string Why = findPython(); !Why.empty())
    loseRest(Why);
  while (Units.size() < Files.size())
    readSome();
  return std::move(Units);
}

} // namespace

PythonUnits readPython(const PythonInputs &Inputs, const ScriptRules &Rules) {
  PythonUnits Out;
  std::vector<std::string> Using;
  uint64_t Bytes = 0;
  for (const std::string &File : Inputs) {
    uint64_t Size = 0;
    if (!llvm::sys::fs::file_size(File, Size) && Size > MostBytes && !isEndless(File)) {
      Out.Units.push_back(
          unreadPython(File, llvm::formatv("it is larger than {0} MiB", MostBytes >> 20)));
      continue;
    }
    auto Text = readWholeFile(File);
    if (!Text) {
      Out.Problems.push_back(llvm::toString(Text.takeError()));
      continue;
    }
    if (!mayRegister((*Text)->getBuffer(), Inputs.Registrars))
      continue;
    Bytes += (*Text)->getBufferSize();
    Using.push_back(File);
  }
  llvm::move(PythonReader(Inputs, std::move(Using), Bytes).read(), std::back_inserter(Out.Units));
  // Many mention libraries of another kind.
  llvm::erase_if(Out.Units, [](const UnitFacts &Unit) {
    llvm::StringRef Facts = Unit.Python;
    bool HasMore = Facts.contains("\"libraries\":[{") || Facts.contains("\"classes\":[{");
    return Unit.complete() && Unit.Registrations.empty() && !HasMore;
  });
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
  return std::move(rereadPython(Inputs, {File}, Now).front());
}

std::vector<UnitFacts> rereadPython(const PythonInputs &Inputs, std::vector<std::string> Files,
                                    const llvm::StringMap<std::string> &Now) {
  uint64_t Bytes = 0;
  for (const auto &Text : Now)
    Bytes += Text.second.size();
  PythonReader Reader(Inputs, std::move(Files), Bytes);
  Reader.replace(Now);
  return Reader.read();
}

} // namespace opsig
