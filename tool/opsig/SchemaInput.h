//===- SchemaInput.h - The SCHEMA OPTIONS, the same in every subcommand -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options + environment + .opsig.yaml => SchemaSource (paths, version) => LoadedSchemas
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SCHEMAINPUT_H
#define OPSIG_TOOL_SCHEMAINPUT_H

#include "opsig/Operators/Operators.h"
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
};

/// Where the schemas of a run come from, before anything is read.
struct SchemaSource {
  std::string NativeFunctions;
  std::string Tags;
  /// PyTorch's own templates; empty where only --schemas was given.
  std::string Templates;
  std::vector<std::string> Backends;
  /// Kernels of these keys are checked and then dropped.
  std::vector<DispatchKey> DroppedKeys;
  const Dialect *D = nullptr;
};

/// Decides where schemas and version come from. \p StartDir is where the search for .opsig.yaml
/// begins (upwards). Notes for the user (e.g. a version newer than all known ones) are printed to
/// \p Log. Errors name what was looked for and where.
/// \p AtenDir, if given, is a folder like a source tree's aten/src/ATen; schemas, tags and
/// templates are its own, and the version is that of the tree it is in, if that says one.
llvm::Expected<SchemaSource> findSchemas(const SchemaOptions &Options, llvm::StringRef StartDir,
                                         llvm::raw_ostream &Log, llvm::StringRef AtenDir = "");

/// All that a subcommand works on. Diags holds what is wrong with the YAML files.
struct LoadedSchemas {
  SourceFiles Files;
  Diagnostics Diags;
  std::unique_ptr<Operators> Ops;
  std::vector<ExternalBackend> Backends;
  bool usable() const { return Ops && !Diags.hasErrors(); }
};

/// Reads all files of \p Source. Fails only where one cannot be read; wrong contents are in Diags.
llvm::Expected<std::unique_ptr<LoadedSchemas>> loadSchemas(const SchemaSource &Source);

enum class OutputFormat { Text, Json };

/// Prints every diagnostic, sorted, in the given format.
void printDiagnostics(llvm::raw_ostream &OS, Diagnostics &Diags, const SourceFiles &Files,
                      OutputFormat Format);

/// findSchemas, loadSchemas, and printing of what is wrong; null means exit status 2.
std::unique_ptr<LoadedSchemas> loadOrComplain(const SchemaOptions &Options,
                                              llvm::StringRef StartDir, SchemaSource &Source,
                                              OutputFormat Format = OutputFormat::Text);
/// The same for a source that is found already.
std::unique_ptr<LoadedSchemas> loadOrComplain(const SchemaSource &Source,
                                              OutputFormat Format = OutputFormat::Text);

/// "opsig: error: ..." to standard error.
void complain(llvm::Error Err);

} // namespace opsig

#endif
