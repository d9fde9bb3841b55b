//===- SinceRun.cpp - One run of opsig diff --since, without its printing ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diff/SinceRun.h"
#include "opsig/Check/DefinedOperators.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Workspace/RevisionTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// The process works in another folder as long as this lives, so that relative names and flags mean
/// there what they mean in the working tree. Nothing else runs meanwhile but the reading itself.
class WorkingFolder {
public:
  static llvm::Expected<std::unique_ptr<WorkingFolder>> enter(llvm::StringRef Folder) {
    std::unique_ptr<WorkingFolder> Out(new WorkingFolder);
    std::error_code EC = fs::current_path(Out->Before);
    if (!EC)
      EC = fs::create_directories(Folder);
    if (!EC)
      EC = fs::set_current_path(Folder);
    if (EC) {
      Out->Before.clear();
      return llvm::createStringError(EC, "cannot create or enter the folder '" + Folder +
                                             "': " + EC.message());
    }
    return std::move(Out);
  }
  ~WorkingFolder() {
    if (!Before.empty())
      fs::set_current_path(Before);
  }

private:
  WorkingFolder() = default;
  llvm::SmallString<128> Before;
};

/// Reads a project as it is, or as it was.
class SideReader {
public:
  SideReader(const SinceRequest &Request, CheckOptions &Options, const ReadingOptions &Reading,
             CheckSetup Now)
      : Request(Request), Options(Options), Reading(Reading), Now(std::move(Now)) {}

  llvm::Expected<SinceSide> readRevision(const Git &Repository, const std::string &Revision);
  llvm::Expected<SinceSide> readWorkingTree();

private:
  CheckArguments argumentsIn(const RevisionTree &Tree) const;
  llvm::Expected<CheckSetup> setUpIn(const RevisionTree &Tree);
  llvm::Error read(CheckSetup &Setup, const RevisionTree *Tree, SinceSide &Out) const;

  const SinceRequest &Request;
  CheckOptions &Options;
  const ReadingOptions &Reading;
  CheckSetup Now;
};

/// The folder of the settings that count for \p Start: the nearest one that has .opsig.yaml, or
/// the top.
std::string projectRootIn(const RevisionTree &Tree, llvm::StringRef Start) {
  std::string At = absolutePath(Start);
  while (At.size() > Tree.folder().size() && !fs::exists(joinedPath(At, ".opsig.yaml")))
    At = path::parent_path(At).str();
  return At.size() > Tree.folder().size() ? At : Tree.folder();
}

/// Names that are relative mean the right file in the folder. Those of files that the revision does
/// not have yet are left out.
CheckArguments SideReader::argumentsIn(const RevisionTree &Tree) const {
  CheckArguments Out = Request.Arguments;
  Out.Inputs.clear();
  for (const std::string &Name : Request.Arguments.Inputs) {
    std::string There = path::is_absolute(Name) ? Tree.pathOf(Name) : Name;
    if (fs::exists(There) || isPathGlob(There))
      Out.Inputs.push_back(There);
  }
  Out.Root = projectRootIn(Tree, startFolder(Out.Inputs));
  return Out;
}

/// Every path of \p Word that the revision has is the revision's.
std::string wordIn(const RevisionTree &Tree, llvm::StringRef Word) {
  size_t At = Word.find('/');
  if (At == llvm::StringRef::npos)
    return Word.str();
  std::string There = Tree.pathOf(Word.substr(At));
  bool IsAbsolute = At == 0 || !llvm::isAlnum(Word[At - 1]) || Word.starts_with("-");
  return IsAbsolute && !There.empty() && fs::exists(There) ? (Word.take_front(At) + There).str()
                                                           : Word.str();
}

llvm::Expected<CheckSetup> SideReader::setUpIn(const RevisionTree &Tree) {
  // What a build makes is in no revision: it is read as it is now.
  if (Options.BuildDir.empty() && !Now.Settings.Compile.BuildDir.empty())
    Options.BuildDir.setValue(Now.Settings.Compile.BuildDir);
  SchemaSource Source = Now.Source;
  for (std::string &Backend : Source.Backends)
    if (std::string There = Tree.pathOf(Backend); !There.empty() && fs::exists(There))
      Backend = There;
  llvm::Expected<CheckSetup> Setup = setUpCheck(Source, Options, argumentsIn(Tree), llvm::nulls());
  if (Setup)
    Setup->Commands.adjustJobs([&Tree](ParseJob &Job) {
      for (std::string &Word : Job.Command)
        Word = wordIn(Tree, Word);
      Job.Directory = wordIn(Tree, Job.Directory);
    });
  return Setup;
}

ProjectOperators comparedOperators(DefinedOperators Defined, const Operators &Ops) {
  ProjectOperators Out;
  Grammar G = grammarOf(*Ops.D);
  ScriptRules Rules = scriptRulesOf(*Ops.D);
  for (DefinedOperator &Op : Defined.All) {
    ProjectOperator &To = Out.All.emplace_back();
    To.Name = Op.Namespace + "::" + Op.Name;
    To.At = Op.At;
    if (Op.Schema)
      To.Schema = parseComparedSchema(Op.Text, G, Rules);
  }
  Out.Open = std::move(Defined.Open);
  // A definition of an unknown namespace may be in any.
  Out.AnyOpen = Defined.AnyOpen || Out.Open.count("") != 0;
  return Out;
}

llvm::Error SideReader::read(CheckSetup &Setup, const RevisionTree *Tree, SinceSide &Out) const {
  SchemasOfRun Loaded = loadOrComplain(Setup.Source, OutputFormat::Text, Request.Verbose);
  if (!Loaded)
    return llvm::createStringError("the schemas for " + Out.Name + " cannot be used");
  Out.Schemas.reset(Loaded.release());
  Out.Files = std::make_unique<SourceFiles>(&Out.Schemas->Files);
  ReadingSettings Settings =
      Reading.settings(Setup.Settings.Compile.Threads, /*WithPrefixes=*/true);
  // The folder has another name each time.
  if (Tree)
    Settings.Cache.clear();
  ProjectUnits Read = readProject(Setup, *Out.Schemas, Reading, std::move(Settings), *Out.Files);
  Out.Lost = Read.Lost;
  DefinedOperators Defined =
      definedOperators(Read.Units, Out.Schemas->Backends, *Out.Schemas->Ops, *Out.Files);
  if (Defined.Unread)
    reportNote(counted(Defined.Unread, "definition") + " in " + Out.Name +
               (Defined.Unread == 1 ? " could not be read, so its operator is not compared"
                                    : " could not be read, so their operators are not compared"));
  for (const std::string &Name : Defined.Ambiguous)
    reportWarning("'" + Name + "' is defined with different schemas in " + Out.Name +
                  "; the first one is compared");
  Out.Ops = comparedOperators(std::move(Defined), *Out.Schemas->Ops);
  Out.Ops.AnyOpen |= Out.Lost;
  return llvm::Error::success();
}

llvm::Expected<SinceSide> SideReader::readWorkingTree() {
  SinceSide Out;
  Out.Name = "the working tree";
  if (llvm::Error Err = read(Now, nullptr, Out))
    return std::move(Err);
  return std::move(Out);
}

llvm::Expected<SinceSide> SideReader::readRevision(const Git &Repository,
                                                   const std::string &Revision) {
  llvm::Expected<std::unique_ptr<RevisionTree>> Tree = RevisionTree::make(Repository, Revision);
  if (!Tree)
    return Tree.takeError();
  SinceSide Out;
  Out.Name = Revision;
  Out.Commit = (*Tree)->commit();
  std::string Here = (*Tree)->pathOf(".");
  auto There = WorkingFolder::enter(Here.empty() ? (*Tree)->folder() : Here);
  if (!There)
    return There.takeError();
  llvm::Expected<CheckSetup> Setup = setUpIn(**Tree);
  if (!Setup)
    return Setup.takeError();
  // A revision without any of the files has no operators.
  if (Setup->Inputs.Names.empty())
    Setup->Inputs.Problems.clear();
  if (llvm::Error Err = read(*Setup, Tree->get(), Out))
    return std::move(Err);
  if (std::vector<std::string> Left = (*Tree)->leftOut(); Out.Lost && !Left.empty())
    reportNote("in " + Revision + ", opsig did not read " + llvm::join(Left, " and "));
  return std::move(Out);
}

llvm::Error outsideError(llvm::StringRef Name, const Git &Repository) {
  return llvm::createStringError("'" + Name + "' is not in the repository '" + Repository.root() +
                                 "', so it has no older revision");
}

llvm::Error checkInside(llvm::ArrayRef<std::string> Names, const Git &Repository) {
  for (const std::string &Name : Names) {
    std::string Real = realPath(Name);
    if (Real != Repository.root() && !llvm::StringRef(Real).starts_with(Repository.root() + "/"))
      return outsideError(Name, Repository);
  }
  return llvm::Error::success();
}

struct RevisionPair {
  std::string Old;
  std::optional<std::string> New; ///< without, the working tree
};

/// "A", "A..B"; where one of both is missing, it is HEAD, as git has it.
llvm::Expected<RevisionPair> revisionPair(llvm::StringRef Text) {
  if (Text.contains("..."))
    return llvm::createStringError("--since: '" + Text +
                                   "' is not supported; expected REV or REV..REV");
  auto [Old, New] = Text.split("..");
  auto OrHead = [](llvm::StringRef Revision) {
    return Revision.empty() ? std::string("HEAD") : Revision.str();
  };
  if (!Text.contains(".."))
    return RevisionPair{Text.str(), std::nullopt};
  return RevisionPair{OrHead(Old), OrHead(New)};
}

} // namespace

std::string SinceSide::shown() const {
  return Commit.empty() || llvm::StringRef(Commit).starts_with(Name)
             ? Name
             : Name + " (" + Commit.substr(0, 8) + ")";
}

llvm::Expected<std::unique_ptr<SinceOutcome>> runSince(const SinceRequest &Request,
                                                       const SchemaOptions &Schema,
                                                       CheckOptions &Options,
                                                       const ReadingOptions &Reading) {
  llvm::Expected<RevisionPair> Pair = revisionPair(Request.Revisions);
  if (!Pair)
    return Pair.takeError();
  llvm::Expected<CheckSetup> Now = setUpCheck(Schema, Options, Request.Arguments, llvm::errs());
  if (!Now)
    return Now.takeError();
  llvm::Expected<Git> Repository =
      Git::of(startFolder(Request.Arguments.Inputs), Now->Project->checkout());
  if (!Repository)
    return Repository.takeError();
  if (llvm::Error Err = checkInside(Request.Arguments.Inputs, *Repository))
    return std::move(Err);
  SideReader Reader(Request, Options, Reading, std::move(*Now));
  llvm::Expected<SinceSide> Old = Reader.readRevision(*Repository, Pair->Old);
  if (!Old)
    return Old.takeError();
  llvm::Expected<SinceSide> New =
      Pair->New ? Reader.readRevision(*Repository, *Pair->New) : Reader.readWorkingTree();
  if (!New)
    return New.takeError();
  auto Out = std::make_unique<SinceOutcome>(SinceOutcome{std::move(*Old), std::move(*New), {}});
  Out->Diff = compareProjects(Out->Old.Ops, Out->New.Ops);
  return std::move(Out);
}

} // namespace opsig
