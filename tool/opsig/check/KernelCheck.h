//===- KernelCheck.h - Kernels in files against loaded schemas --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// files x compile commands => UnitFacts* => lib/Check => findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_KERNELCHECK_H
#define OPSIG_TOOL_KERNELCHECK_H

#include "SchemaInput.h"
#include "opsig/Check/Project.h"
#include "opsig/Frontend/Facts.h"
#include "opsig/Frontend/UnitReader.h"
#include <map>

namespace opsig {

/// How files are compiled: with Flags if there are any, else as BuildDir's compile_commands.json
/// says if one is given, else as C++17.
struct CompileSettings {
  std::vector<std::string> Flags;
  std::string BuildDir;
  /// Files to read at a time; 0: one per processor.
  unsigned Threads = 0;
  /// The place in the settings that names BuildDir; "" if the command line does.
  std::string BuildFrom = {};

  bool givesFlags() const { return !Flags.empty() || !BuildDir.empty(); }
};

/// The folder that -p names, also by the compile_commands.json in it.
std::string buildFolder(llvm::StringRef Named);

/// Called with the source that was read (as the job names it), and the path and the text of each
/// file of the project that it has. Called by several threads.
using NoteRead = std::function<void(llvm::StringRef, llvm::StringRef, llvm::StringRef)>;

/// Called with the files that one source was read from, the system's included. Called by several
/// threads; not where texts or messages are looked into.
using NoteFiles = std::function<void(std::vector<std::string>)>;

/// Who is told what is read; each may be empty.
struct ReadNotes {
  NoteRead Text = {};
  NoteFiles Files = {};
};

/// Reads several files at a time, in the order of \p Jobs. Of \p Messages, where it is given, each
/// is filled for the job of its number.
std::vector<UnitFacts> parseFiles(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                                  unsigned Threads, const NoteRead &Note = {},
                                  std::vector<ClangMessages> *Messages = nullptr);

std::vector<UnitFacts> parseFiles(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                                  UnitReader &Reader, const ReadNotes &Notes = {},
                                  std::vector<ClangMessages> *Messages = nullptr);

/// What could be read.
struct ReadUnits {
  std::vector<UnitFacts> Units;
  /// Inputs of which nothing is in Units.
  unsigned Lost = 0;
  /// Of sources among them, in few words.
  std::vector<std::string> WhyLost = {};
  /// Flags that were not given to Clang, by how many files.
  std::map<std::string, unsigned> Dropped;
};

/// Reads \p Inputs, several at a time. Prints to standard error what cannot be read, and how far it
/// is where that is a terminal. Units are in the order of Inputs.
ReadUnits readKernels(llvm::ArrayRef<std::string> Inputs, const CompileCommands &Commands,
                      const ParseOptions &Options, UnitReader &Reader, SourceFiles &Files,
                      const ReadNotes &Notes = {});
ReadUnits readKernels(llvm::ArrayRef<std::string> Inputs, const CompileCommands &Commands,
                      const ParseOptions &Options, unsigned Threads, SourceFiles &Files);

/// What --facts-out wrote into \p FactsFiles, in their order. Prints to standard error which cannot
/// be used, and why.
ReadUnits joinFacts(llvm::ArrayRef<std::string> FactsFiles, const FactsStamp &Stamp);

/// Notes to standard error which flags of compile commands did not reach Clang.
void reportDropped(const std::map<std::string, unsigned> &Dropped);

/// Notes which have errors in function bodies: the first few of them, and how many more.
void reportBodyErrors(llvm::ArrayRef<UnitFacts> Units);

/// Why \p Units give a check nothing to do, if it is that they bind functions to Python by pybind11
/// alone; "" otherwise. \p Files have their texts.
std::string onlyPybind(llvm::ArrayRef<UnitFacts> Units, SourceFiles &Files);

/// Which files were read by a newer standard of C++ than their commands choose; "" for none.
std::string raisedStandard(llvm::ArrayRef<UnitFacts> Units);

/// Puts what is wrong with the kernels in the file \p Input, which is all there is, into
/// \p Schemas.Diags. Fails where it cannot be read.
llvm::Error checkKernels(const std::string &Input, const CompileSettings &Settings,
                         const SchemaSource &Source, LoadedSchemas &Schemas);

} // namespace opsig

#endif
