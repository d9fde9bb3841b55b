//===- FileShow.h - opsig show ns::op FILE... ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// name, FILEs => units => OperatorSites => printed
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_FILESHOW_H
#define OPSIG_TOOL_FILESHOW_H

#include "SchemaInput.h"
#include "Subcommands.h"
#include <memory>

namespace opsig {

/// The options that say how files are read, and what is done with them.
class FileShow {
public:
  explicit FileShow(llvm::cl::SubCommand &Sub);
  ~FileShow();

  Subcommand::Choices choices();
  /// \p Words are the name and the files, \p Flags what is behind "--".
  llvm::Expected<int>
  show(llvm::ArrayRef<std::string> Words, const std::vector<std::string> &Flags,
       const SchemaOptions &Schemas, OutputFormat Format,
       llvm::function_ref<int(llvm::function_ref<void(llvm::raw_ostream &)>)> Print);

private:
  struct Impl;
  std::unique_ptr<Impl> TheImpl;
};

} // namespace opsig

#endif
