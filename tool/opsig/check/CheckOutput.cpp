//===- CheckOutput.cpp - Where the findings of opsig check go ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "check/ProgramDocs.h"
#include "opsig/Edit/UnifiedDiff.h"
#include "opsig/Report/HtmlReport.h"
#include "opsig/Report/Sarif.h"
#include "opsig/Report/ServiceReports.h"
#include "opsig/Report/TextReports.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/random.h>

namespace fs = llvm::sys::fs;

namespace opsig {

namespace {

void printStatistics(llvm::raw_ostream &OS, llvm::ArrayRef<Finding> Hits, FindingFormat Format) {
  if (Format == FindingFormat::Json)
    printStatisticsJson(OS, Hits);
  else
    opsig::printStatistics(OS, Hits);
}

HtmlRun htmlRun(const RunReport &Run, const FindingOutput &Output) {
  std::string Here = absolutePath("."), Project = projectAround(Here);
  DocsLinks Docs = programDocs();
  // A page travels; a file of this machine does not.
  bool IsPublic = llvm::StringRef(Docs.Pages).starts_with("http");
  return {
      OPSIG_VERSION,      Run.Successful,
      Run.Notes,          [Docs, IsPublic](FindingId Id) { return IsPublic ? Docs.page(Id) : ""; },
      Output.UrlTemplate, Project.empty() ? Here : Project};
}

void print(llvm::raw_ostream &OS, const SiftedFindings &All, const RunReport &Run,
           const SourceFiles &Files, const FindingOutput &Output) {
  FindingFormat Format = Output.Format;
  llvm::ArrayRef<Finding> Hits = All.Reported.all();
  const ServiceRun Service{".", Run.Successful, Run.Notes};
  switch (Format) {
  case FindingFormat::Sarif:
    return printSarif(OS, All, Files,
                      {OPSIG_VERSION, ".", Run.Successful, Run.Notes, programDocs()});
  case FindingFormat::Html:
    return printHtml(OS, All, Files, htmlRun(Run, Output));
  case FindingFormat::GitHub:
    return printGitHub(OS, Hits, Files, Service);
  case FindingFormat::GitLab:
    return printGitLab(OS, Hits, Files, Service);
  case FindingFormat::JUnit:
    return printJUnit(OS, Hits, Files, Service);
  case FindingFormat::Concise:
    return printConcise(OS, Hits, Files, printOptions(OS));
  case FindingFormat::Grouped:
    return printGrouped(OS, Hits, Files, printOptions(OS));
  case FindingFormat::Json:
    for (const RunNote &N : Run.Notes)
      printJson(OS, N);
    for (const Finding &D : Hits)
      printJson(OS, D, Files);
    return;
  case FindingFormat::Text:
    for (const Finding &D : Hits)
      printText(OS, D, Files, printOptions(OS));
  }
}

} // namespace

/// Whether \p Path is a pipe or a device, which has no contents to be replaced.
static bool takesStream(llvm::StringRef Path) {
  fs::file_status Status;
  return !fs::status(Path, Status) && !fs::is_regular_file(Status) && !fs::is_directory(Status);
}

static llvm::Error writeStream(const FileText &To) {
  auto Failure = [&](std::error_code Why) {
    return llvm::createStringError(Why, "cannot write '" + To.Path + "': " + Why.message());
  };
  std::error_code Error;
  llvm::raw_fd_ostream OS(To.Path, Error);
  if (Error)
    return Failure(Error);
  OS << To.Text;
  OS.close();
  std::error_code Why = OS.error();
  OS.clear_error();
  return Why ? Failure(Why) : llvm::Error::success();
}

llvm::Error writeFiles(llvm::ArrayRef<FileText> Files) {
  OutputTree Tree;
  for (const FileText &File : Files) {
    if (llvm::Error Err = checkLinksBeforeWriting(File.Path))
      return Err;
    if (takesStream(File.Path))
      continue;
    // A folder that is not there is a misspelled one.
    if (llvm::StringRef Folder = llvm::sys::path::parent_path(File.Path);
        !Folder.empty() && !fs::is_directory(Folder))
      return llvm::createStringError("cannot write '" + File.Path + "': no folder '" + Folder +
                                     "'");
    Tree.add(File.Path, File.Text);
  }
  for (const FileText &File : Files)
    if (takesStream(File.Path))
      if (llvm::Error Err = writeStream(File))
        return Err;
  return Tree.commit().takeError();
}

llvm::Error writeFile(llvm::StringRef Path, llvm::function_ref<void(llvm::raw_ostream &)> Print) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Print(OS);
  return writeFiles(FileText{Path.str(), std::move(Text)});
}

llvm::Error printFindings(const SiftedFindings &All, const RunReport &Run, const SourceFiles &Files,
                          const FindingOutput &Output, llvm::raw_ostream &Words) {
  auto Print = [&](llvm::raw_ostream &OS) {
    if (Output.Statistics)
      printStatistics(OS, All.Reported.all(), Output.Format);
    else
      print(OS, All, Run, Files, Output);
  };
  if (!Output.File.empty())
    return writeFile(Output.File, Print);
  Print(Words);
  return llvm::Error::success();
}

/// Whether \p S is suppressed by a comment that names no check: "# noqa", "NOLINT".
static bool isBare(const SuppressedFinding &S, const SourceFiles &Files) {
  if (!S.Comment.isValid())
    return false;
  llvm::StringRef Text =
      Files.text(S.Comment.File).substr(Files.offsetOf(S.Comment), S.Comment.Length);
  return Text.find_first_of("(:") == llvm::StringRef::npos;
}

void reportSuppressed(const SiftedFindings &All, const SourceFiles &Files) {
  if (All.Suppressed.empty())
    return;
  llvm::errs() << "opsig: suppressed " << counted(All.Suppressed.size(), "finding");
  const std::pair<SuppressedBy, llvm::StringRef> Reasons[] = {
      {SuppressedBy::Comment, "by comments"},
      {SuppressedBy::Path, "by suppress-paths"},
      {SuppressedBy::Baseline, "by the baseline"}};
  llvm::StringRef Separator = ": ";
  for (auto [Why, Words] : Reasons)
    if (size_t Count = All.count(Why)) {
      llvm::errs() << Separator << Count << ' ' << Words;
      size_t NumBare = llvm::count_if(All.Suppressed, [&](const SuppressedFinding &S) {
        return S.Why == Why && isBare(S, Files);
      });
      if (NumBare)
        llvm::errs() << " (" << NumBare << " by a bare '# noqa' or 'NOLINT')";
      Separator = ", ";
    }
  llvm::errs() << '\n';
}

llvm::Expected<unsigned> rewriteFiles(OutputTree Tree, const ReadTexts &Read) {
  for (const OutputTree::File &File : Tree.files())
    if (File.Before && !Read.agree(absolutePath(File.Path), *File.Before))
      return llvm::createStringError(
          "'" + File.Path +
          "' was changed by another program during this run; no file was changed");
  Tree.addKnownNames(Read.paths());
  std::vector<std::string> Left;
  llvm::Expected<unsigned> Changed = Tree.commit(&Left);
  for (const std::string &What : Left)
    reportWarning(What);
  return Changed;
}

llvm::Expected<unsigned> rewriteFiles(llvm::ArrayRef<EditedFileText> Files, const ReadTexts &Read) {
  OutputTree Tree;
  for (const EditedFileText &File : Files)
    Tree.edit(File.Name, File.Before, File.Now);
  return rewriteFiles(std::move(Tree), Read);
}

llvm::Error finishOutput() {
  llvm::outs().flush();
  std::error_code Why = llvm::outs().error();
  if (!Why)
    return llvm::Error::success();
  llvm::outs().clear_error();
  return llvm::createStringError(Why, "cannot write to standard output: " + Why.message());
}

void printPatch(llvm::ArrayRef<EditedFileText> Files) {
  const PrintOptions Options = printOptions(llvm::outs());
  std::string Patch;
  llvm::raw_string_ostream OS(Patch);
  for (const EditedFileText &File : Files)
    printUnifiedDiff(OS, Options.shown(File.Name), File.Before, File.Changes);
  printPatch(std::move(Patch));
}

/// The first character of a line of a patch is not the file's.
static bool mayCommandLog(llvm::StringRef Patch) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Patch.split(Lines, '\n');
  return llvm::any_of(Lines, [](llvm::StringRef Line) {
    return looksLikeCommand(Line) || looksLikeCommand(Line.drop_front(!Line.empty()));
  });
}

/// What no line of a checkout can know; "" where the system has none.
static std::string secretWord() {
  uint64_t Bytes[2] = {};
  if (getrandom(Bytes, sizeof(Bytes), 0) != ssize_t(sizeof(Bytes)))
    return "";
  return llvm::formatv("opsig-{0:x-}{1:x-}", Bytes[0], Bytes[1]).str();
}

void printPatch(std::string Patch) {
  llvm::raw_ostream &OS = llvm::outs();
  // Nobody applies what a terminal shows.
  if (OS.is_displayed())
    Patch = safeText(Patch, LineEnds::Kept);
  bool IsRead = llvm::sys::Process::GetEnv("GITHUB_ACTIONS") == std::optional<std::string>("true");
  std::string Word = IsRead && mayCommandLog(Patch) ? secretWord() : "";
  if (!Word.empty())
    OS << "::stop-commands::" << Word << '\n';
  OS << Patch;
  if (!Word.empty())
    OS << "::" << Word << "::\n";
}

void reportFixed(const VerifiedFixes &Fixes, size_t Found, unsigned Changed, bool DryRun,
                 EditKind Kind) {
  llvm::raw_ostream &OS = llvm::errs();
  llvm::StringRef Done = Kind == EditKind::Fix ? (DryRun ? "can fix " : "fixed ")
                                               : (DryRun ? "can suppress " : "suppressed ");
  size_t Count = Fixes.Repaired + (Kind == EditKind::Suppress ? Fixes.Suppressed : 0);
  OS << "opsig: " << Done << Count << " of " << counted(Found, "finding") << " in "
     << counted(Changed, "file");
  if (Fixes.Refused)
    OS << "; " << Fixes.Refused << (Fixes.Refused == 1 ? " more has" : " more have")
       << " overlapping edits and can be fixed in another run";
  if (Fixes.TakenBack && Kind == EditKind::Fix)
    OS << "; " << counted(Fixes.TakenBack, "fix", "fixes") << " failed verification and "
       << (Fixes.TakenBack == 1 ? "was" : "were") << " not made";
  if (Fixes.TakenBack && Kind == EditKind::Suppress)
    OS << "; " << counted(Fixes.TakenBack, "comment") << " would change what the code means and "
       << (Fixes.TakenBack == 1 ? "was" : "were") << " not added";
  if (size_t New = Fixes.Remaining ? Fixes.Remaining->CameToLight : 0)
    OS << "; these edits " << (DryRun ? "would reveal " : "revealed ")
       << counted(New, "more finding");
  OS << (DryRun ? "; nothing was written\n" : "\n");
  if (Fixes.NotRead)
    OS << "opsig: " << counted(Fixes.NotRead, "file")
       << (Fixes.NotRead == 1
               ? " in compile_commands.json includes edited files but was not checked; to check it"
               : " in compile_commands.json include edited files but were not checked; to check "
                 "them")
       << ", use --all\n";
}

} // namespace opsig
