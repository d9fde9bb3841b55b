//===- Parse.h - C++ source => kernels --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file + compile command => Clang AST (function bodies skipped, or those of headers)
//   => UnitFacts
//
// Input with errors is normal: missing headers are skipped and listed, and types that need them are
// unknown.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PARSE_H
#define OPSIG_FRONTEND_PARSE_H

#include "opsig/Frontend/UnitFacts.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>

namespace opsig {

/// The language of a source. Of GPU sources, the host side is read.
enum class SourceLanguage : uint8_t { Cpp, Cuda, Hip, Musa };

/// Limits for reading one file; 0: no limit. Settings of a project cannot change them.
struct ReadingBounds {
  unsigned Seconds = 30; ///< of one processor
  unsigned Mebibytes = 1024;
};

/// A file and how it is compiled.
struct ParseJob {
  std::string File;
  /// The working directory of the command; empty: the current directory.
  std::string Directory;
  /// Compiler, flags, file.
  std::vector<std::string> Command;
  SourceLanguage Language = SourceLanguage::Cpp;
  /// Read on a thread that cannot start programs or write files (opsig/Support/Sandbox.h).
  bool Sandboxed = true;
  /// Flags of the build's command that Clang does not receive, in order.
  std::vector<std::string> Dropped;
  ReadingBounds Bounds = {};
};

/// A file that exists only in memory.
struct VirtualFile {
  std::string Name;
  std::string Text;
};

struct ParseOptions {
  /// Classes and namespaces whose functions are collected, qualified, without inline namespaces.
  std::vector<std::string> Scopes;
  /// Headers to use for includes of their file name that no include path resolves.
  std::vector<VirtualFile> FallbackHeaders;
  /// Texts that replace files on disk, by path.
  std::vector<VirtualFile> Buffers;
  /// Whether the file of this path is one of the project: findings and edits are about such files
  /// alone. System headers never are; where nothing is given, all others. Called by several
  /// threads.
  std::function<bool(llvm::StringRef)> IsProjectFile;
  /// Whether to fill UnitFacts::Flows; this reads bodies of the main file.
  bool Bodies = false;
  /// Whether to fill UnitFacts::Uses; this reads all bodies of the project.
  bool Uses = false;
};

/// Reads one file. Never fails: see UnitFacts::Parsed. Safe to call from several threads.
UnitFacts parseKernels(const ParseJob &Job, const ParseOptions &Options);

/// The folders in which the command looks for headers, absolute, in that order: those of its flags
/// and of the system. None where the command cannot be used.
std::vector<std::string> includeFolders(const ParseJob &Job);

/// Of \p Command, which runs in \p Directory, what decides how \p File is read, for any user of
/// Clang's driver: nothing of it makes the driver or the compiler run, load or write anything.
std::vector<std::string> readingCommand(const std::vector<std::string> &Command,
                                        llvm::StringRef File, llvm::StringRef Directory);

/// What a run knows of files from a run before it, which had to end because of them. All paths are
/// absolute.
struct HardFiles {
  /// One of them, or all together, took too much memory.
  std::vector<std::string> Suspects;
  bool AllAreSuspects = false; ///< whichever files there are
  /// Files that cannot be read, for sure, and why: "took more than 50 s".
  std::vector<std::pair<std::string, std::string>> TooHard;
  /// That it has used up (opsig/Frontend/RunTime.h).
  double SecondsInVain = 0;
};

/// To be called before anything is read. UnitReader then reads suspects by a child of the process
/// before it reads them itself.
void knowHardFiles(const HardFiles &Files);

/// Calls \p End where a reading goes so far beyond its bounds that it does not come back by itself,
/// from another thread. \p End gets what a next run should know, a file and what it "took", and is
/// not expected to return.
void endHangingReadings(
    std::function<void(const HardFiles &Files, llvm::StringRef File, llvm::StringRef Why)> End);

/// A source of compile commands.
class CompileCommands {
public:
  /// compile_commands.json in \p BuildDir. A file that is not listed there gets the command of the
  /// one that resembles it most. Commands of nvcc, hipcc, mcc and icpx are translated. Fails with
  /// Clang's own message.
  static llvm::Expected<CompileCommands> load(llvm::StringRef BuildDir);
  /// The same flags for every file.
  static CompileCommands fixed(llvm::ArrayRef<std::string> Flags);

  CompileCommands(CompileCommands &&);
  CompileCommands &operator=(CompileCommands &&);
  ~CompileCommands();

  /// The first command for \p File, which gets the flags that a check needs in addition.
  ParseJob job(llvm::StringRef File) const;

  /// Where a build writes what it makes of \p File, absolute or relative to the folder besides: one
  /// for each command that says so. None where all files have the same flags.
  struct Output {
    std::string Object, Directory;
  };
  std::vector<Output> outputs(llvm::StringRef File) const;

  /// Lets \p Adjust change every job, after those that were given before.
  void adjustJobs(std::function<void(ParseJob &)> Adjust);

  /// The files that compile_commands.json lists, absolute, each once, in alphabetical order. None
  /// where all files have the same flags.
  std::vector<std::string> files() const;

private:
  struct Impl;
  explicit CompileCommands(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> TheImpl;
};

} // namespace opsig

#endif
