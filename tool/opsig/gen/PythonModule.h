//===- PythonModule.h - opsig gen python --module ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_PYTHONMODULE_H
#define OPSIG_TOOL_PYTHONMODULE_H

#include "SchemaInput.h"

namespace opsig {

/// The options with which `gen python` makes an extension module of chosen operators.
class PythonModuleOptions {
public:
  explicit PythonModuleOptions(llvm::cl::SubCommand &Sub);

  /// Joins `--ops @FILE` to one word: llvm::cl would put the file's words in its place.
  static void adaptWords(std::vector<std::string> &Words);

  /// Whether a module is asked for at all.
  bool given() const { return Name.getNumOccurrences() || Ops.getNumOccurrences(); }
  /// Writes NAME.cpp and NAME.pyi to the only one of \p Positional, the output folder; returns the
  /// exit status. The operators of --schemas are called through the dispatcher, all of them without
  /// --ops.
  int run(const SchemaOptions &Schemas, llvm::ArrayRef<std::string> Positional) const;

private:
  llvm::Error check(const SchemaOptions &Schemas, llvm::ArrayRef<std::string> Positional) const;
  llvm::Expected<SourceId> openList(SourceFiles &Files) const;

  llvm::cl::opt<std::string> Name;
  llvm::cl::opt<std::string> Ops;
};

} // namespace opsig

#endif
