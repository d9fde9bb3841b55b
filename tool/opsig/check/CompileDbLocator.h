//===- CompileDbLocator.h - Compile commands, named or not -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILE arguments => the project's root => the build folder below it that lists most of them
// settings => compile commands
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_FINDBUILD_H
#define OPSIG_TOOL_FINDBUILD_H

#include "check/KernelCheck.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace opsig {

/// The folder with compile_commands.json, of the root itself, build, build-*, out and cmake-build-*
/// in it, which lists most of what \p Arguments stand for; without arguments all that is listed.
/// "" where none lists any. Tells \p Log which it is, and which cannot be used.
std::string findBuild(llvm::ArrayRef<std::string> Arguments, llvm::raw_ostream &Log);

/// Fails where BuildDir has no compile commands.
llvm::Expected<CompileCommands> compileCommands(const CompileSettings &Settings);

} // namespace opsig

#endif
