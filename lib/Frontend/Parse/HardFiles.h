//===- HardFiles.h - Files that a run may not survive -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a reading has taken before it is given up stays taken, and who took it is not always
// certain. A run that has to end because of that is started again and knows the files that may be
// at fault (HardFiles of opsig/Frontend/Parse.h). Each of those is then read by a child of the
// process first, which takes its memory along when it ends: what the child cannot read alone is at
// fault, and is not read again.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_HARDFILES_H
#define OPSIG_LIB_FRONTEND_PARSE_HARDFILES_H

#include "opsig/Frontend/Parse.h"

namespace opsig {

/// What HardFiles calls the file of \p Job.
std::string hardFilePath(const ParseJob &Job);

/// Reads those of \p Jobs that may be at fault, each by a child of its own, one after the other. To
/// be called where no thread of this process reads.
void tryHardFiles(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options);

/// Why the file of \p Job cannot be read, as is known by now; "" where it is not.
std::string whyTooHard(const ParseJob &Job);

/// Whether the run before this one has read it.
bool wasReadBefore(const ParseJob &Job);

} // namespace opsig

#endif
