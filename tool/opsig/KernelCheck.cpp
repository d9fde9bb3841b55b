//===- KernelCheck.cpp - Kernels in files against loaded schemas ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelCheck.h"
#include "opsig/Check/Project.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// Where the installed PyTorch that gives the schemas has its headers; "" if it has none there.
std::string torchHeaders(const SchemaSource &Source) {
  if (Source.Templates.empty())
    return "";
  // ROOT/torchgen/packaged/ATen/templates
  llvm::StringRef Root = Source.Templates;
  for (int I = 0; I < 4; ++I)
    Root = path::parent_path(Root);
  llvm::SmallString<128> Headers(Root);
  path::append(Headers, "torch", "include");
  return fs::is_directory(Headers) ? std::string(Headers) : "";
}

llvm::Expected<CompileCommands> compileCommands(const CompileSettings &Settings,
                                                const SchemaSource &Source) {
  if (!Settings.Flags.empty())
    return CompileCommands::fixed(Settings.Flags);
  if (!Settings.BuildDir.empty())
    return CompileCommands::load(Settings.BuildDir);
  std::vector<std::string> Flags = {"-std=c++17"};
  if (std::string Headers = torchHeaders(Source); !Headers.empty())
    Flags.insert(Flags.end(), {"-isystem", Headers});
  return CompileCommands::fixed(Flags);
}

} // namespace

llvm::Error checkKernels(llvm::ArrayRef<std::string> Inputs, const CompileSettings &Settings,
                         const SchemaSource &Source, LoadedSchemas &Schemas) {
  llvm::Expected<CompileCommands> Commands = compileCommands(Settings, Source);
  if (!Commands)
    return Commands.takeError();

  ProjectChecker Checker(*Schemas.Ops, Schemas.Backends);
  std::vector<ParseJob> Jobs;
  for (const std::string &File : Inputs) {
    if (llvm::Expected<FileId> Id = Schemas.Files.open(File); !Id)
      return Id.takeError();
    Jobs.push_back(Commands->job(File));
  }
  std::vector<TranslationUnit> Units = parseAll(Jobs, Checker.parseOptions(), Settings.Threads);
  for (const TranslationUnit &Unit : Units) {
    if (!Unit.Parsed)
      return llvm::createStringError("cannot read '" + Unit.MainFile + "': " + Unit.FirstError);
    if (std::string Why = incompleteParse(Unit); !Why.empty())
      llvm::WithColor::note(llvm::errs(), Unit.MainFile) << Why << '\n';
  }

  Checker.check(Units, Extent::Project, Schemas.Files, Schemas.Diags);
  return llvm::Error::success();
}

} // namespace opsig
