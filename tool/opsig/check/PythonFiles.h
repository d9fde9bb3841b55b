//===- PythonFiles.h - Registrations in Python ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .py files => those that use torch.library, or what the project has for it => python3 with
// torch_library.py => UnitFacts*
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_PYTHONFILES_H
#define OPSIG_TOOL_PYTHONFILES_H

#include "opsig/Frontend/PythonRegistrations.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Workspace/InputFiles.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {

struct PythonUnits {
  std::vector<UnitFacts> Units;
  /// "cannot read 'a.py': reason": one for each file that could not be opened.
  std::vector<std::string> Problems;
};

/// Units of those of \p Inputs that define or register operators, or may do so. Nothing of them is
/// run or imported. Where there is no python3, or it cannot read one, the unit of that file says
/// so. Strings are read by \p Rules.
/// Files whose functions others import are among them. What was read is kept in \p Cache.
PythonUnits readPython(const PythonInputs &Inputs, const ScriptRules &Rules,
                       const CachePlace &Cache = {});

/// The unit of \p Text, which \p File has in an editor; nothing if it cannot register anything.
std::optional<UnitFacts> readPythonText(const PythonInputs &Inputs, const std::string &File,
                                        const std::string &Text);

/// \p Units with the texts \p Now in the place of those on disk, by the names of files. A text that
/// Python would not compile is one that cannot be read.
std::vector<UnitFacts> rereadPython(const PythonInputs &Inputs,
                                    llvm::ArrayRef<const UnitFacts *> Units,
                                    const llvm::StringMap<std::string> &Now);

} // namespace opsig

#endif
