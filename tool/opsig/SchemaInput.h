//===- SchemaInput.h - The SCHEMA OPTIONS, the same in every subcommand -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options => SchemaSettings => (Workspace/Schemas.h) SchemaSource => LoadedSchemas
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SCHEMAINPUT_H
#define OPSIG_TOOL_SCHEMAINPUT_H

#include "Messages.h"
#include "opsig/Support/RunNote.h"
#include "opsig/Workspace/Schemas.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/CommandLine.h"

namespace opsig {

/// --torch-root, --torch, --schemas, --tags, --backend.
class SchemaOptions {
public:
  explicit SchemaOptions(llvm::cl::SubCommand &Sub);

  llvm::cl::opt<std::string> TorchRoot;
  llvm::cl::opt<std::string> Torch;
  llvm::cl::opt<std::string> Schemas;
  llvm::cl::opt<std::string> Tags;
  llvm::cl::list<std::string> Backends;
  llvm::cl::opt<bool> Verbose;

  SchemaSettings settings() const;
};

/// Prints what a user should know about the choice of \p Source.
void reportAbout(const SchemaSource &Source, llvm::raw_ostream &Log);

/// findSchemas (Workspace/Schemas.h); what is wrong in .opsig.yaml is printed to standard error,
/// notes and warnings for the user to \p Log.
llvm::Expected<SchemaSource> findSchemas(const SchemaOptions &Options, llvm::StringRef StartDir,
                                         llvm::raw_ostream &Log, llvm::StringRef AtenDir = "");

enum class OutputFormat { Text, Json };

/// The notes and warnings of \p Source, and the warnings of \p Loaded.
std::vector<RunNote> runNotes(const SchemaSource &Source, const LoadedSchemas &Loaded);

/// Prints every finding, sorted, in the given format.
void printDiagnostics(llvm::raw_ostream &OS, Findings &Diags, const SourceFiles &Files,
                      OutputFormat Format);

/// Warns of what is wrong in an installed PyTorch; with \p Verbose of each error.
void reportOfPyTorch(LoadedSchemas &Loaded, bool Verbose);

/// Schemas that a run keeps to its end: giving them back piece by piece takes longer than many a
/// thing that is done with them.
struct KeepToTheEnd {
  KeepToTheEnd() = default;
  KeepToTheEnd(std::default_delete<LoadedSchemas>) {}
  void operator()(const LoadedSchemas *Schemas) const { llvm::BuryPointer(Schemas); }
};
using SchemasOfRun = std::unique_ptr<LoadedSchemas, KeepToTheEnd>;

/// loadSchemas, and printing of what is wrong; null means exit status 2. For what a run reads once.
SchemasOfRun loadOrComplain(const SchemaSource &Source, OutputFormat Format = OutputFormat::Text,
                            bool Verbose = false);

/// The operators of \p Source that may be of a family of \p Names (see operatorFamily()), if it is
/// an installed PyTorch and nothing is wrong with them. Null: only all of it will do. With \p
/// Verbose all errors are to be printed, whatever entry they are in.
SchemasOfRun loadFamilies(SchemaSource Source, llvm::ArrayRef<llvm::StringRef> Names, bool Verbose);

/// The same for generators, which print from entries with errors only where the release was not
/// measured, and never from nothing.
SchemasOfRun loadForGenerator(SchemaSource &Source, bool Verbose);

/// What a subcommand exits with: \p Status, or after a complaint the one for unusable input.
int statusOf(llvm::Expected<int> Status);

} // namespace opsig

#endif
