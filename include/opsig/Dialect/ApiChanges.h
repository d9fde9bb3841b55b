//===- ApiChanges.h - C++ API that releases took away or replaced -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the table of ApiChanges.cpp => names, what stands for each today, since when
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_DIALECT_APICHANGES_H
#define OPSIG_DIALECT_APICHANGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VersionTuple.h"

namespace opsig {

struct ApiChange {
  enum Kind : uint8_t {
    Header, ///< From and To are as an #include names them; To is "" for a header without successor
    Name,   ///< a macro, function or type; To is a name
    Call,   ///< the same, with its arguments; To says "$1" for the first, "$*" for all,
            ///< "$2*" for all from the second on
    Chain,  ///< From is an expression: "at::globalContext().f()"
    Method, ///< of a class; To is the name of another, or a call without arguments. "": the call
            ///< goes with the dot before it
    Variable, ///< From is a type; variables that are declared `extern` with it go; of those that
              ///< are set to To, To stays
    Advice,   ///< nothing is edited; To says what to write
  } Is;
  /// A qualified name stands for those in `at`, `torch` and `c10` alike.
  llvm::StringRef From;
  llvm::StringRef To;
  /// The header that declares To; "" where every extension has it.
  llvm::StringRef Needs = "";
  /// The first releases that mark it as deprecated, and that lack it. Empty where no release does.
  /// With three numbers: the oldest release whose headers were seen so.
  llvm::VersionTuple Deprecated = {}, Gone = {};
  /// Where the change was made, or can be seen.
  llvm::StringRef Source = "";
  /// Why somebody has to look at the result; "" if it does the same for certain.
  llvm::StringRef Review = "";
  /// The oldest release that is known to have To. Empty: every release that has From.
  llvm::VersionTuple Offered = {};

  /// From without what qualifies it, or the last name of a chain.
  llvm::StringRef lastName() const;
  /// The namespace or class that is written before lastName(): "guts". "" without.
  llvm::StringRef scope() const;
};

/// Each From once.
llvm::ArrayRef<ApiChange> apiChanges();
/// Null if nothing is known of it.
const ApiChange *findApiChange(llvm::StringRef From);

/// Whether a namespace has the same names as `at`: another name of it, or one that imports it.
bool isTorchScope(llvm::StringRef Scope);

/// What a setup.py of an older PyTorch takes of torch.utils, and a newer one lacks.
struct BuildFileChange {
  llvm::StringRef Name;     ///< as the file writes it
  llvm::StringRef Argument; ///< a regular expression; "" where Name itself is gone
  llvm::StringRef To;       ///< the new argument, or what to do instead of Name
  llvm::VersionTuple Gone;
  llvm::StringRef Source;
};
llvm::ArrayRef<BuildFileChange> buildFileChanges();

/// The standard of C++ that the headers of \p Release need, as a year's last digits: 17.
unsigned requiredCppStandard(const llvm::VersionTuple &Release);

} // namespace opsig

#endif
