//===- WithoutZ3.cpp - Clang's analyzer without Z3 --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's LLVM can ask Z3 to confirm what the analyzer reports, for those who turn that on. Z3 is
// no part of programs for any Linux; in them this stands for the functions that lead to it.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SMTAPI.h"

llvm::SMTSolverRef llvm::CreateZ3Solver() {
  llvm::report_fatal_error(
      "this program is built without Z3: leave out -analyzer-config crosscheck-with-z3=true",
      /*gen_crash_diag=*/false);
}

// Nobody has a solver to print.
LLVM_DUMP_METHOD void llvm::SMTSolver::dump() const {}
