//===- TorchIncludeDirs.h - The PyTorch that code is compiled with ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile commands => TorchHeaders; what they lack <= the torch root's include folders
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CODEHEADERS_H
#define OPSIG_TOOL_CODEHEADERS_H

#include "check/KernelCheck.h"
#include <map>

namespace opsig {

/// Finds the headers of PyTorch that compile commands find. Commands that differ only in the file
/// are looked at once.
class TorchIncludeDirs {
public:
  const std::optional<TorchHeaders> &of(const ParseJob &Job);
  /// Whether the flags name a folder with such headers. The compiler's own folders may have some,
  /// too.
  bool areOfFlags(const ParseJob &Job);
  /// Those that most of \p Files are compiled with, the first of several; none if no file has any.
  std::optional<TorchHeaders> ofMost(llvm::ArrayRef<std::string> Files,
                                     const CompileCommands &Commands);

private:
  std::map<std::vector<std::string>, std::optional<TorchHeaders>> Known;
};

/// In front, because the file may stand behind "--", and so that what stands in \p Job has the last
/// word. Nothing where the job has no command.
void addFlags(ParseJob &Job, llvm::ArrayRef<std::string> Flags);

/// Compiles \p Job with the headers of another PyTorch, in place of those that its flags name.
void replaceTorchHeaders(ParseJob &Job, llvm::ArrayRef<std::string> Folders);

/// Has every job of \p Commands find headers of PyTorch, those for its C++ API among them: where
/// the flags find none, the folders of the torch root are searched last, and first where nobody
/// gave flags, or where --torch-root names another release than the system's folders have. Where
/// the flags name no standard of C++, it is that which the headers need.
void addTorchHeaders(CompileCommands &Commands, const CompileSettings &Settings,
                     const SchemaSource &Source);

/// A warning for each PyTorch whose headers \p Units include though it is of another release than
/// the schemas.
std::vector<std::string> foreignHeaders(llvm::ArrayRef<UnitFacts> Units,
                                        const SchemaSource &Source);
/// Says them on standard error.
void reportForeignHeaders(llvm::ArrayRef<UnitFacts> Units, const SchemaSource &Source);

} // namespace opsig

#endif
