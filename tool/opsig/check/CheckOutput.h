//===- CheckOutput.h - Where the findings of opsig check go -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_CHECKOUTPUT_H
#define OPSIG_TOOL_CHECKOUTPUT_H

#include "SchemaInput.h"
#include "check/FixVerifier.h"
#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/OutputTree.h"
#include "opsig/Support/ReadTexts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// Calls \p Print with a stream whose text becomes the contents of \p Path, whole or not at all.
llvm::Error writeFile(llvm::StringRef Path, llvm::function_ref<void(llvm::raw_ostream &)> Print);

/// How findings are printed.
enum class FindingFormat { Text, Concise, Grouped, Json, Sarif, Html, GitHub, GitLab, JUnit };

/// Whether people read it as it is printed, so that notes may stand beside it.
constexpr bool isText(FindingFormat Format) {
  return Format == FindingFormat::Text || Format == FindingFormat::Concise ||
         Format == FindingFormat::Grouped;
}

/// How reports are printed.
enum class ReportFormat { Text, Json, Markdown };

struct FileText {
  std::string Path, Text;
};
/// The same for several files: all of them or none, but for pipes and devices.
llvm::Error writeFiles(llvm::ArrayRef<FileText> Files);

struct FindingOutput {
  FindingFormat Format = FindingFormat::Text;
  std::string File = {};        ///< "": standard output
  bool Statistics = false;      ///< counts by check instead of findings
  std::string UrlTemplate = {}; ///< of a page (HtmlRun)
};

/// What is said of a run beside its findings.
struct RunReport {
  std::vector<RunNote> Notes;
  bool Successful = true; ///< all input could be read
};

/// Prints \p All to the file of \p Output, or else to \p Words. Formats for people leave out the
/// notes of \p Run.
llvm::Error printFindings(const SiftedFindings &All, const RunReport &Run, const SourceFiles &Files,
                          const FindingOutput &Output, llvm::raw_ostream &Words = llvm::outs());

/// "opsig: suppressed 3 findings: 2 by comments, 1 by the baseline" to standard error; nothing
/// where there are none.
void reportSuppressed(const SiftedFindings &All, const SourceFiles &Files);

/// Writes new texts of files that are there; returns how many changed. Fails, and changes no file,
/// if one of them cannot be written, is write-protected, or is not what \p Read has of it.
llvm::Expected<unsigned> rewriteFiles(OutputTree Tree, const ReadTexts &Read);
llvm::Expected<unsigned> rewriteFiles(llvm::ArrayRef<EditedFileText> Files, const ReadTexts &Read);

/// Prints to standard output what was changed, as git apply -p0 reads it.
void printPatch(llvm::ArrayRef<EditedFileText> Files);

/// Prints \p Patch to standard output. Where GitHub reads that, no line of a file becomes a
/// command.
void printPatch(std::string Patch);

/// What edits are for.
enum class EditKind { Fix, Suppress };

/// Says on standard error how many of \p Found findings are fixed or suppressed in \p Changed
/// files, and what became of the others.
void reportFixed(const VerifiedFixes &Fixes, size_t Found, unsigned Changed, bool DryRun,
                 EditKind Kind = EditKind::Fix);

/// What was printed to standard output has arrived there. Fails with "cannot write to standard
/// output: reason", once.
llvm::Error finishOutput();

} // namespace opsig

#endif
