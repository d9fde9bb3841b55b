//===- TemplateFolder.h - Template files of PyTorch -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_TEMPLATEFOLDER_H
#define OPSIG_TOOL_TEMPLATEFOLDER_H

#include "opsig/Codegen/TemplateSet.h"

namespace opsig {

/// Adds the file \p Path under its name without folder. Fails where it cannot be read.
llvm::Error addTemplate(llvm::StringRef Path, TemplateSet &Templates, SourceFiles &Files);

/// The files of the folder, in alphabetical order.
llvm::Expected<std::vector<std::string>> templateFiles(llvm::StringRef Dir);

/// Adds all of them.
llvm::Error addTemplateFolder(llvm::StringRef Dir, TemplateSet &Templates, SourceFiles &Files);

} // namespace opsig

#endif
