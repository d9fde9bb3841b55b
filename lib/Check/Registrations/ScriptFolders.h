//===- ScriptFolders.h - Python files that are never run together -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_SCRIPTFOLDERS_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_SCRIPTFOLDERS_H

#include "opsig/Frontend/UnitFacts.h"

namespace opsig {

/// Two Python files of examples, or an example and a test, or two that read the command line when
/// they are imported: no process runs both. Tests of one
/// folder are run by one.
bool areOtherScripts(const UnitFacts &L, const UnitFacts &R);

} // namespace opsig

#endif
