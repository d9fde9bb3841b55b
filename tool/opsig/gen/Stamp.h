//===- Stamp.h - Runs of a generator that have nothing to do ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// program x command line x release x files that are read => what the run is
//   => is FILE the stamp of such a run, and is every file that it names as that run left it?
//   x texts that are written => the text of the stamp, which is committed with them
//
// A stamp says "this program makes these files of those", and names all of them with a hash of
// their bytes; times say nothing. What it says stays true whatever is changed later, so that an old
// stamp can be kept, but never misleads.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_STAMP_H
#define OPSIG_TOOL_STAMP_H

#include "SchemaInput.h"
#include "opsig/Support/OutputTree.h"
#include <map>
#include <mutex>

namespace opsig {

class StagedFiles;

/// A run that is to leave a stamp.
struct StampRequest {
  std::string File;
  /// All words of the command line.
  std::vector<std::string> Words;
  /// What the run looks up elsewhere, e.g. in the names of folders.
  std::vector<std::string> Lookups = {};
  /// All files that the run reads, whether they are there or not.
  std::vector<std::string> Inputs;
  std::vector<std::string> OutputFolders;
};

class Stamp {
public:
  /// Of a run without `--stamp`: every question is answered with no.
  Stamp() = default;
  /// Fails where the stamp cannot be told from inputs and outputs, or the command line is in a file.
  static llvm::Expected<std::unique_ptr<Stamp>> of(StampRequest Request);

  /// Whether the files are what the run would write. Whatever is not a stamp of this very run is
  /// none; nobody is told why.
  bool isUpToDate() const;
  bool isExpected() const { return !Head.empty(); }
  /// The run writes \p Text to \p Path. Thread-safe.
  void recordOutput(llvm::StringRef Path, llvm::StringRef Text);
  /// Stages the stamp beside the outputs that were noted. Nothing where an input has changed since
  /// of(): which of its texts was read cannot be told.
  llvm::Error stage(StagedFiles &Staged) const;
  /// Removes from the output folders what dead runs left there, as every run does that writes.
  void cleanFolders() const;

private:
  std::string text() const;

  StampRequest Request;
  /// How the stamp begins: all but its outputs.
  std::string Head;
  std::mutex Lock;
  std::map<std::string, uint64_t> Outputs;
};

/// `--stamp FILE`.
class StampOption {
public:
  explicit StampOption(llvm::cl::SubCommand &Sub);
  bool given() const { return File.getNumOccurrences() != 0; }
  std::string file() const { return File; }
  /// Whether the run is done with \p Of; with `--verbose` that is said.
  bool spares(const Stamp &Of, const SchemaOptions &Schemas) const;

private:
  llvm::cl::opt<std::string> File;
};

/// Stages the stamp of a run that said nothing of \p Loaded; of others that there is none is said,
/// since what they tell would not be told again.
llvm::Error stageStamp(const Stamp &Of, StagedFiles &Staged, const LoadedSchemas &Loaded);

/// Writes all files of \p Tree and their stamp.
llvm::Error commitStamped(const OutputTree &Tree, Stamp &Of, const LoadedSchemas &Loaded);

/// What is read to find the schemas of \p Source and to load them.
std::vector<std::string> schemaInputs(const SchemaSource &Source);
/// What findSchemas() decided, in words.
std::vector<std::string> schemaLookups(const SchemaSource &Source);

} // namespace opsig

#endif
