//===- ProgramDocs.h - The documentation that belongs to the program ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_PROGRAMDOCS_H
#define OPSIG_TOOL_PROGRAMDOCS_H

#include "opsig/Report/DocsLinks.h"

namespace opsig {

/// Where this program's documentation can be opened: its site, or the documents beside it.
DocsLinks programDocs();

} // namespace opsig

#endif
