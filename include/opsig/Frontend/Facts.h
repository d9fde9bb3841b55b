//===- Facts.h - Translation units in files ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts* => JSON text => (another process, perhaps another machine) UnitFacts*
//
// A build system reads each source by itself and joins the facts at the end. What is joined must
// fit together, so facts are good for one opsig, one set of schemas and the files as they were.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_FACTS_H
#define OPSIG_FRONTEND_FACTS_H

#include "opsig/Frontend/Parse.h"

namespace opsig {

/// What made facts: the version of opsig and, as a hash, what it looked for in the sources.
struct FactsStamp {
  std::string Opsig;
  std::string Options;
  /// Bodies were read. Facts that have them serve checks that do not ask for them, too.
  bool Bodies = false;
};
FactsStamp factsStamp(llvm::StringRef OpsigVersion, const ParseOptions &Options);

/// Prints \p Units, all of them parsed, one a line, with a hash of each file that they point into.
/// Files below the working directory are named relative to it, so that both can be moved. Fails
/// where a file cannot be read again.
llvm::Error writeFacts(llvm::raw_ostream &OS, llvm::ArrayRef<UnitFacts> Units,
                       const FactsStamp &Stamp);

/// Reads what writeFacts() printed. Fails, without the name of the file that \p Text comes from,
/// where it is something else, where its stamp says that \p Stamp asks for other facts, and where a
/// file that it points into is not as it was.
llvm::Expected<std::vector<UnitFacts>> readFacts(llvm::StringRef Text, const FactsStamp &Stamp);

} // namespace opsig

#endif
