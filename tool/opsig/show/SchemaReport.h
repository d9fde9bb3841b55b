//===- SchemaReport.h - What `opsig show` says of a schema of one's own ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema text x Dialect => errors with carets | SchemaReport: the functions that serve and call the
//   operator in C++ and Python => JSON line | text for people
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SCHEMAREPORT_H
#define OPSIG_TOOL_SCHEMAREPORT_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Schema/Parse.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// What the release in use has.
struct ShownRelease {
  const Dialect &D;
  std::string Name;       ///< as the torch root has it
  bool HasStable = true;  ///< the headers of the stable ABI
  bool HasSymbols = true; ///< torch.SymInt and its like
};

/// A declaration, or why there is none.
struct ShownForm {
  llvm::StringRef Id;    ///< in JSON
  llvm::StringRef Label; ///< for people
  std::string Text;
  std::string Why;
};

struct SchemaReport {
  std::string Name;   ///< "ns::f.out"
  std::string Schema; ///< with the namespace
  std::vector<ShownForm> Cpp, Python;
  unsigned Gradients = 0; ///< that a formula in Python returns
};

/// The schema in \p Text; what is wrong with it is printed to \p Log, with carets. None where
/// PyTorch does not take it.
std::optional<FunctionSchema> readShownSchema(llvm::StringRef Text, const Dialect &D,
                                              llvm::raw_ostream &Log);

/// A schema without a namespace is shown in the namespace "ns".
SchemaReport schemaReport(FunctionSchema S, const ShownRelease &In);

void printJson(llvm::raw_ostream &OS, const SchemaReport &Report);
void printText(llvm::raw_ostream &OS, const SchemaReport &Report);

} // namespace opsig

#endif
