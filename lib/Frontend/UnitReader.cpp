//===- UnitReader.cpp - many files => translation units ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "Parse/Bounds.h"
#include "Parse/HardFiles.h"
#include "Parse/Invocation.h"
#include "Parse/ParseInternal.h"
#include "Parse/SharedPchInternal.h"
#include "SharedPch/SharedPchPlan.h"

#include "opsig/Frontend/FlagErrors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <set>

using namespace opsig;
using namespace llvm;

using SharedPchRef = std::shared_ptr<const SharedPch>;

struct UnitReader::Impl {
  ReadingSettings Settings;
  CacheFolder Folder;
  FileStates States;
  FactsCache Facts;
  SharedPchCache SharedPchs;
  ComparisonCache Comparisons;
  std::atomic<unsigned> NumKept = 0, NumSharedPchs = 0, NumWithSharedPch = 0;
  std::mutex Mutex;
  /// A unit that was read with a shared precompiled header.
  struct SharedUnit {
    SharedReading How;
    /// Of the header; null where the unit is from the cache.
    std::shared_ptr<const HeaderTokens> Tokens = nullptr;
  };
  /// By file.
  std::map<std::string, SharedUnit> Unconfirmed;
  std::vector<ReadingStep> Steps;
  /// Of the keys of shared precompiled headers, from 1 on.
  std::map<std::string, unsigned> HeaderNumbers;
  /// What each file was read with, for its next reading; null: with nothing.
  std::map<std::string, SharedPchRef> Held;

  explicit Impl(ReadingSettings S)
      : Settings(std::move(S)), Folder(Settings.Cache, Settings.CacheIsReadOnly),
        States(MovablePaths::ofWorkingFolder()), Facts(Folder, States, Settings.Opsig),
        SharedPchs(Folder, States, Settings.Opsig), Comparisons(Folder, States, Settings.Opsig) {}

  /// Who is told of a reading; each may be empty.
  struct Notes {
    /// The texts of the project's files. A prefix holds none of these.
    NoteText Text = {};
    /// The names of all files that the unit was made of.
    function_ref<void(std::vector<std::string>)> Files = {};
    ClangMessages *Messages = nullptr;
  };
  bool isRereading() const { return Settings.Readings > 1; }
  void hold(const ParseJob &Job, SharedPchRef P);
  UnitFacts readPlain(const ParseJob &Job, const ParseOptions &Options, const Notes &Tell,
                      ReadingStep::Kind Is);
  void add(ReadingStep Step, StringRef HeaderKey = "");
  std::optional<UnitFacts> readWith(const SharedPchRef &P, const ParseJob &Job,
                                    const ParseOptions &Options, const Notes &Tell);
  void addUnconfirmed(const std::string &File, SharedUnit Of) {
    std::lock_guard Lock(Mutex);
    Unconfirmed[File] = std::move(Of);
  }
  bool tokensConfirm(const ParseJob &Job, const ParseOptions &Options, const SharedUnit &Of);
};

namespace {

/// Measures one step.
class StepTimer {
public:
  StepTimer(ReadingStep::Kind Is, StringRef File) : Step{Is, File.str()}, Began(readingSeconds()) {}
  ReadingStep end() {
    Step.Seconds = readingSeconds() - Began;
    return std::move(Step);
  }
  ReadingStep Step;

private:
  double Began;
};

/// Why it was read in part.
std::string whyPartial(const UnitFacts &Unit) {
  if (Unit.complete())
    return "";
  if (!Unit.MissingHeaders.empty())
    return "'" + Unit.MissingHeaders.front() + "' was not found";
  return withFlagAdvice(Unit.FirstError);
}

} // namespace

void UnitReader::Impl::add(ReadingStep Step, StringRef HeaderKey) {
  std::lock_guard Lock(Mutex);
  if (!HeaderKey.empty())
    Step.Header =
        HeaderNumbers.try_emplace(HeaderKey.str(), HeaderNumbers.size() + 1).first->second;
  Steps.push_back(std::move(Step));
}

void UnitReader::Impl::hold(const ParseJob &Job, SharedPchRef P) {
  std::lock_guard Lock(Mutex);
  if (isRereading())
    Held[Job.File] = std::move(P);
}

UnitFacts UnitReader::Impl::readPlain(const ParseJob &Job, const ParseOptions &Options,
                                      const Notes &Tell, ReadingStep::Kind Is) {
  StepTimer Timer(Is, Job.File);
  FileTrace Trace(States);
  bool Expected = Folder.isOpen() || Tell.Files;
  ParseAids Aids;
  Aids.Trace = Expected ? &Trace : nullptr;
  Aids.Bodies = &Timer.Step.Bodies;
  Aids.Messages = Tell.Messages;
  UnitFacts Unit = parseKernels(Job, Options, Tell.Text, Aids);
  Timer.Step.Why = whyPartial(Unit);
  if (!isRereading())
    Facts.keep(Job, Options, {Unit, SharedReading::None}, Trace);
  if (Tell.Files)
    Tell.Files(Trace.files());
  add(Timer.end());
  return Unit;
}

std::optional<UnitFacts> UnitReader::Impl::readWith(const SharedPchRef &P, const ParseJob &Job,
                                                    const ParseOptions &Options,
                                                    const Notes &Tell) {
  StepTimer Timer(ReadingStep::Kind::WithHeader, Job.File);
  FileTrace Trace(States);
  auto Fits = std::make_unique<SharedPchFit>(*P);
  SharedPchFit &Fit = *Fits;
  std::string WhyUnread;
  ClangMessages Messages;
  if (Tell.Messages)
    Messages.Named = Tell.Messages->Named;
  ParseAids Aids{Tell.Messages ? &Messages : nullptr, &Trace, &Fit, &WhyUnread};
  Aids.Bodies = &Timer.Step.Bodies;
  UnitFacts Unit = parseKernels(Job, Options, Tell.Text, Aids);
  // Without the prefix it takes as long once more.
  if (!WhyUnread.empty()) {
    (void)Fits.release(); // as ParseState of Parse.cpp
    return Unit;
  }
  Timer.Step.Why = Fit.fits() ? whyPartial(Unit) : Fit.whyNot();
  if (!Fit.fits()) {
    SharedPchs.remember(Job, "");
    hold(Job, nullptr);
  }
  if (!Fit.fits() || !Unit.Parsed) {
    Timer.Step.Is = ReadingStep::Kind::Misfit;
    add(Timer.end(), P->Key);
    return std::nullopt;
  }
  Trace.add(P->Trace);
  if (Tell.Messages)
    *Tell.Messages = std::move(Messages);
  SharedReading How =
      Fit.isToldByTokens() && Unit.complete() ? SharedReading::ByTokens : SharedReading::ByReading;
  if (!isRereading())
    Facts.keep(Job, Options, {Unit, How}, Trace);
  if (Tell.Files)
    Tell.Files(Trace.files());
  ++NumWithSharedPch;
  add(Timer.end(), P->Key);
  addUnconfirmed(Job.File, {How, P->Tokens});
  return Unit;
}

bool UnitReader::Impl::tokensConfirm(const ParseJob &Job, const ParseOptions &Options,
                                     const SharedUnit &Of) {
  if (Of.How != SharedReading::ByTokens)
    return false;
  StepTimer Timer(ReadingStep::Kind::Compared, Job.File);
  auto Tokens = Of.Tokens ? Of.Tokens : SharedPchs.tokensFor(Job, Options);
  bool IsKept = Tokens && Comparisons.hasSameTokens(Job, Options, *Tokens);
  ComparedFile Compared(States);
  bool Same = IsKept || (Tokens && haveSameTokens(Job, Options, *Tokens, &Compared));
  if (IsKept)
    Timer.Step.Is = ReadingStep::Kind::ComparedBefore;
  else if (Same)
    Comparisons.keepSame(Job, Options, *Tokens, Compared);
  else
    Timer.Step.Why = "they differ";
  add(Timer.end());
  if (Same)
    Facts.confirm(Job, Options);
  return Same;
}

namespace {

/// One call of UnitReader::read().
class Session {
public:
  Session(UnitReader::Impl &Reader, ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
          const ReadingListeners &Listeners)
      : Reader(Reader), Jobs(Jobs), Options(Options), Listeners(Listeners), Units(Jobs.size()),
        Pool(hardware_concurrency(Reader.Settings.Threads)) {}

  std::vector<UnitFacts> run();

private:
  /// Files that share a prefix, which is in the cache or can be made.
  struct Group {
    std::vector<size_t> Files; ///< numbers of jobs
    std::string Key;
    std::optional<SharedPchGroup> Plan;
    /// Of Plan's others, in that order.
    std::vector<Group> Others = {};
    /// Where it is there already.
    SharedPchRef Made = nullptr;
  };

  void each(ArrayRef<size_t> Numbers, function_ref<void(size_t)> Do);
  std::vector<size_t> withoutKept();
  std::vector<size_t> groupAsBefore(ArrayRef<size_t> Missing);
  std::vector<size_t> groupHeld(ArrayRef<size_t> Missing);
  bool canShare(const ParseJob &Job) const;
  size_t leastFiles() const { return Reader.isRereading() ? 1 : 2; }
  void groupAnew(ArrayRef<size_t> Missing);
  std::optional<ScannedIncludes> scan(size_t I);
  void planFor(ArrayRef<size_t> Same, ArrayRef<std::optional<ScannedIncludes>> Scans);
  Group groupOf(SharedPchGroup Plan, ArrayRef<size_t> Numbers) const;
  void takeFromAlone(const Group &G);
  SharedPchRef sharedPchOf(const Group &G);
  void readGroup(const Group &G);
  void readFiles(ArrayRef<size_t> Files, const SharedPchRef &P);
  void readPlain(size_t I);
  void done(size_t I);
  /// Calls \p Read with what tells of job \p I.
  template <typename T> auto telling(size_t I, T Read) {
    auto Files = [&](std::vector<std::string> Names) { Listeners.Files(I, std::move(Names)); };
    UnitReader::Impl::Notes Tell;
    if (Listeners.Note)
      Tell.Text = Listeners.Note(I);
    if (Listeners.Files)
      Tell.Files = Files;
    if (Listeners.Messages)
      Tell.Messages = Listeners.Messages(I);
    return Read(Tell);
  }

  UnitReader::Impl &Reader;
  ArrayRef<ParseJob> Jobs;
  const ParseOptions &Options;
  const ReadingListeners &Listeners;
  std::vector<UnitFacts> Units;
  std::vector<Group> Groups;
  std::set<size_t> Alone;
  DefaultThreadPool Pool;
  std::atomic<unsigned> NumHardScans = 0;
  std::vector<size_t> Again; ///< those that took long
};

void Session::each(ArrayRef<size_t> Numbers, function_ref<void(size_t)> Do) {
  for (size_t I : Numbers)
    Pool.async([=] { Do(I); });
  Pool.wait();
}

std::vector<size_t> Session::withoutKept() {
  std::vector<size_t> All(Jobs.size());
  std::vector<char> Kept(Jobs.size());
  std::iota(All.begin(), All.end(), 0);
  if (Listeners.Note || Reader.isRereading()) // facts have no texts
    return All;
  each(All, [&](size_t I) {
    StepTimer Timer(ReadingStep::Kind::Kept, Jobs[I].File);
    std::optional<KeptUnit> Found = Reader.Facts.find(Jobs[I], Options, bool(Listeners.Files));
    if (!Found || (Found->How != SharedReading::None && !Reader.Settings.SharedPchs))
      return;
    ++Reader.NumKept;
    Reader.add(Timer.end());
    Kept[I] = true;
    Units[I] = std::move(Found->Unit);
    if (Listeners.Files)
      Listeners.Files(I, std::move(Found->Files));
    if (Found->How == SharedReading::ByTokens || Found->How == SharedReading::ByReading)
      Reader.addUnconfirmed(Jobs[I].File, {Found->How});
    done(I);
  });
  erase_if(All, [&](size_t I) { return Kept[I]; });
  return All;
}

/// A file that was read with a prefix is read with it again. Gives the others.
std::vector<size_t> Session::groupAsBefore(ArrayRef<size_t> Missing) {
  std::vector<size_t> Rest;
  MapVector<StringRef, std::vector<size_t>> ByKey;
  std::vector<std::optional<std::string>> Keys(Jobs.size());
  for (size_t I : Missing) {
    Keys[I] = Reader.SharedPchs.recall(Jobs[I]);
    if (!Keys[I])
      Rest.push_back(I);
    else if (Keys[I]->empty())
      Alone.insert(I);
    else
      ByKey[*Keys[I]].push_back(I);
  }
  for (auto &[Key, Files] : ByKey)
    if (Reader.SharedPchs.has(Key, Options))
      Groups.push_back({std::move(Files), Key.str(), std::nullopt});
    else
      append_range(Rest, Files);
  llvm::sort(Rest);
  return Rest;
}

/// The same of what is still in memory.
std::vector<size_t> Session::groupHeld(ArrayRef<size_t> Missing) {
  std::vector<size_t> Rest;
  MapVector<const SharedPch *, std::vector<size_t>> ByHeader;
  for (size_t I : Missing) {
    auto Known = Reader.Held.find(Jobs[I].File);
    if (Known == Reader.Held.end())
      Rest.push_back(I);
    else if (Known->second)
      ByHeader[Known->second.get()].push_back(I);
  }
  for (auto &[Made, Files] : ByHeader) {
    SharedPchRef Held = Reader.Held[Jobs[Files.front()].File];
    Groups.push_back({std::move(Files), Made->Key, std::nullopt, {}, std::move(Held)});
  }
  return Rest;
}

/// The time of scans is not counted, so that readings have it: after several that are given up
/// there are no more, and files are read by themselves.
std::optional<ScannedIncludes> Session::scan(size_t I) {
  constexpr unsigned Most = 3;
  if (NumHardScans >= Most)
    return std::nullopt;
  std::string WhyUnread;
  std::optional<ScannedIncludes> Scan = scanIncludes(Jobs[I], Options, &WhyUnread);
  if (!WhyUnread.empty())
    ++NumHardScans;
  return Scan;
}

void Session::planFor(ArrayRef<size_t> Same, ArrayRef<std::optional<ScannedIncludes>> Scans) {
  std::vector<ScannedIncludes> Of;
  std::vector<size_t> Numbers;
  for (size_t I : Same)
    if (Scans[I]) {
      Of.push_back(*Scans[I]);
      Numbers.push_back(I);
    }
  if (Numbers.size() < leastFiles())
    return;
  StepTimer Timer(ReadingStep::Kind::Planned, Jobs[Numbers.front()].File);
  std::optional<IncludeGraph> Graph = includeGraph(Jobs[Numbers.front()], Options, allIncludes(Of));
  if (!Graph)
    return;
  SharedPchLimits Limits;
  Limits.Readings = Reader.Settings.Readings;
  for (SharedPchGroup &Plan : planSharedPchs(Of, *Graph, Options.IsProjectFile, Limits)) {
    Group G = groupOf(std::move(Plan), Numbers);
    std::lock_guard Lock(Reader.Mutex);
    Groups.push_back(std::move(G));
  }
  Reader.add(Timer.end());
}

/// \p Numbers are the jobs of the scans.
Session::Group Session::groupOf(SharedPchGroup Plan, ArrayRef<size_t> Numbers) const {
  Group G;
  for (size_t File : Plan.Files)
    G.Files.push_back(Numbers[File]);
  KeyMaker Key = commandKey(Jobs[Numbers.front()], Reader.Settings.Opsig, Reader.States.paths());
  for (const LeadingMacro &Macro : Plan.Macros)
    Key.add(Macro.Text);
  for (const IncludeSpelling &Header : Plan.Headers)
    Key.add(Header.directive());
  for (const SharedPchGroup &Other : Plan.Others) {
    Key.add("or");
    for (const LeadingMacro &Macro : Plan.moreOf(Other))
      Key.add(Macro.Text);
    G.Others.push_back(groupOf(Other, Numbers));
  }
  G.Key = Key.key();
  G.Plan = std::move(Plan);
  return G;
}

/// A header that the command includes by itself is made part of a precompiled header only where
/// that is used often.
bool Session::canShare(const ParseJob &Job) const {
  for (size_t I = 1; I < Job.Command.size(); ++I)
    if (Job.Command[I - 1] == "-include" &&
        (!Reader.isRereading() || Options.IsProjectFile(Job.Command[I])))
      return false;
  return true;
}

void Session::groupAnew(ArrayRef<size_t> Missing) {
  if (Missing.size() < leastFiles())
    return;
  std::vector<std::optional<ScannedIncludes>> Scans(Jobs.size());
  std::map<std::string, std::vector<size_t>> ByCommand;
  for (size_t I : Missing)
    if (canShare(Jobs[I]))
      ByCommand[commandKey(Jobs[I], "", MovablePaths()).key()].push_back(I);
  for (auto &[Key, Same] : ByCommand)
    if (Same.size() >= leastFiles())
      for (size_t I : Same)
        Pool.async([&, I] { Scans[I] = scan(I); });
  Pool.wait();
  for (auto &[Key, Same] : ByCommand)
    Pool.async([&Scans, Files = ArrayRef(Same), this] { planFor(Files, Scans); });
  Pool.wait();
}

SharedPchRef Session::sharedPchOf(const Group &G) {
  if (G.Made)
    return G.Made;
  StepTimer Timer(ReadingStep::Kind::HeaderKept, Jobs[G.Files.front()].File);
  auto Tell = make_scope_exit([&] { Reader.add(Timer.end(), G.Key); });
  if (std::optional<SharedPch> Kept = Reader.SharedPchs.find(G.Key, Options))
    return std::make_shared<const SharedPch>(std::move(*Kept));
  if (!G.Plan || G.Plan->Headers.empty()) {
    Tell.release();
    return nullptr;
  }
  Timer.Step.Is = ReadingStep::Kind::HeaderMade;
  SharedPchText Text{G.Plan->Macros, G.Plan->Headers};
  for (const SharedPchGroup &Other : G.Plan->Others)
    Text.MaybeHarmless.push_back(G.Plan->moreOf(Other));
  std::optional<SharedPch> Made =
      makeSharedPch(Jobs[G.Files.front()], Options, Text, Reader.States);
  if (!Made || any_of(Made->Headers.Files, [&](const IncludeGraph::File &File) {
        return Options.IsProjectFile(File.Name);
      })) {
    Timer.Step.Why = "the headers do not compile on their own";
    return nullptr;
  }
  Made->Key = G.Key;
  ++Reader.NumSharedPchs;
  Reader.SharedPchs.keep(*Made);
  return std::make_shared<const SharedPch>(std::move(*Made));
}

void Session::readPlain(size_t I) {
  Units[I] = telling(I, [&](auto &Tell) {
    return Reader.readPlain(Jobs[I], Options, Tell, ReadingStep::Kind::Alone);
  });
  done(I);
}

void Session::done(size_t I) {
  if (ReadingWatch::wasCutShort(Jobs[I])) {
    std::lock_guard Lock(Reader.Mutex);
    return Again.push_back(I);
  }
  if (Listeners.Done)
    Listeners.Done(I);
}

/// The prefix is gone with the last of its files, unless they are read again.
void Session::readGroup(const Group &G) {
  SharedPchRef P = sharedPchOf(G);
  readFiles(G.Files, P);
  for (size_t I = 0; I < G.Others.size(); ++I)
    if (P && is_contained(P->Harmless, G.Plan->moreOf(G.Plan->Others[I])))
      readFiles(G.Others[I].Files, P);
    else
      readGroup(G.Others[I]);
}

void Session::readFiles(ArrayRef<size_t> Files, const SharedPchRef &P) {
  for (size_t I : Files) {
    if (P)
      Reader.SharedPchs.remember(Jobs[I], P->Key);
    Reader.hold(Jobs[I], P);
    Pool.async([this, I, P] {
      std::optional<UnitFacts> Unit;
      if (P)
        Unit = telling(I, [&](auto &Tell) { return Reader.readWith(P, Jobs[I], Options, Tell); });
      if (!Unit)
        return readPlain(I);
      Units[I] = std::move(*Unit);
      done(I);
    });
  }
}

void Session::takeFromAlone(const Group &G) {
  for (size_t I : G.Files)
    Alone.erase(I);
  for_each(G.Others, [&](const Group &Other) { takeFromAlone(Other); });
}

std::vector<UnitFacts> Session::run() {
  std::vector<size_t> Missing = withoutKept();
  // They come last: what they use up is not there for the others.
  HardFileTrials Trials(Jobs, Options);
  std::vector<size_t> Hard;
  copy_if(Trials.hard(), std::back_inserter(Hard),
          [&](size_t I) { return is_contained(Missing, I); });
  erase_if(Missing, [&](size_t I) { return is_contained(Hard, I); });
  Trials.start();
  ReadingWatch::takeTurns(Missing.size() > 1);
  if (Reader.Settings.SharedPchs && Options.IsProjectFile)
    groupAnew(Reader.isRereading() ? groupHeld(Missing) : groupAsBefore(Missing));
  Alone.insert(Missing.begin(), Missing.end());
  for_each(Groups, [&](const Group &G) { takeFromAlone(G); });
  // As many prefixes at a time as there are threads.
  for (size_t First = 0; First < Groups.size(); First += Pool.getMaxConcurrency()) {
    size_t Last = std::min<size_t>(First + Pool.getMaxConcurrency(), Groups.size());
    for (size_t I = First; I < Last; ++I)
      Pool.async([this, I] { readGroup(Groups[I]); });
    Pool.wait();
  }
  for (size_t I : Alone)
    Pool.async([this, I] { readPlain(I); });
  Pool.wait();
  ReadingWatch::takeTurns(false);
  each(std::exchange(Again, {}), [&](size_t I) { readPlain(I); });
  Trials.run();
  each(Hard, [&](size_t I) { readPlain(I); });
  return std::move(Units);
}

} // namespace

UnitReader::UnitReader(ReadingSettings Settings)
    : TheImpl(std::make_unique<Impl>(std::move(Settings))) {}

UnitReader::~UnitReader() { TheImpl->Folder.prune(); }

const std::string &UnitReader::cacheProblem() const { return TheImpl->Folder.problem(); }
unsigned UnitReader::numKept() const { return TheImpl->NumKept; }
unsigned UnitReader::numSharedPchs() const { return TheImpl->NumSharedPchs; }
unsigned UnitReader::numWithSharedPch() const { return TheImpl->NumWithSharedPch; }

std::vector<ReadingStep> UnitReader::steps() const {
  std::lock_guard Lock(TheImpl->Mutex);
  return TheImpl->Steps;
}

bool UnitReader::isUnconfirmed(StringRef File) const {
  return TheImpl->Unconfirmed.count(File.str());
}

std::vector<std::optional<UnitFacts>> UnitReader::confirm(ArrayRef<ParseJob> Jobs,
                                                          const ParseOptions &Options) {
  HardFileTrials(Jobs, Options).run();
  std::vector<std::optional<UnitFacts>> Units(Jobs.size());
  DefaultThreadPool Pool(hardware_concurrency(TheImpl->Settings.Threads));
  for (size_t I = 0; I < Jobs.size(); ++I) {
    Impl::SharedUnit Of = std::move(TheImpl->Unconfirmed[Jobs[I].File]);
    TheImpl->Unconfirmed.erase(Jobs[I].File);
    Pool.async([&, I, Of] {
      if (!TheImpl->tokensConfirm(Jobs[I], Options, Of))
        Units[I] = TheImpl->readPlain(Jobs[I], Options, {}, ReadingStep::Kind::Confirmed);
    });
  }
  Pool.wait();
  return Units;
}

std::vector<UnitFacts> UnitReader::read(ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                                        const ReadingListeners &Listeners) {
  if (TheImpl->isRereading() || (Options.Buffers.empty() && !Listeners.Messages))
    return Session(*TheImpl, Jobs, Options, Listeners).run();
  HardFileTrials(Jobs, Options).run();
  std::vector<UnitFacts> Units(Jobs.size());
  DefaultThreadPool Pool(hardware_concurrency(TheImpl->Settings.Threads));
  for (size_t I = 0; I < Jobs.size(); ++I)
    Pool.async([&, I] {
      Units[I] = parseKernels(Jobs[I], Options, Listeners.Note ? Listeners.Note(I) : NoteText(),
                              Listeners.Messages ? Listeners.Messages(I) : nullptr);
      if (Listeners.Done)
        Listeners.Done(I);
    });
  Pool.wait();
  return Units;
}
