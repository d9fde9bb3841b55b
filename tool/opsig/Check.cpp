//===- Check.cpp - opsig check ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs => (KernelCheck.h) findings => printed | --fix applied
//
//===----------------------------------------------------------------------===//
#include "KernelCheck.h"
#include "Subcommands.h"
#include "opsig/Rewrite/Apply.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

class CheckCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "check"; }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  int print(LoadedSchemas &Schemas) const;
  int fixAll(LoadedSchemas &Schemas) const;

  cl::SubCommand Sub{"check", "Compare kernels with schemas; without FILE: check the YAML alone"};
  SchemaOptions Schema{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<std::string> BuildDir{"p", cl::sub(Sub), cl::value_desc("BUILD"),
                                cl::desc("Folder with compile_commands.json")};
  cl::opt<bool> FixFiles{"fix", cl::sub(Sub), cl::desc("Mend the files; all of them or none")};
  cl::opt<OutputFormat> Format{
      "format", cl::sub(Sub), cl::desc("How findings are printed"), cl::init(OutputFormat::Text),
      cl::values(clEnumValN(OutputFormat::Text, "text", "In Clang's style"),
                 clEnumValN(OutputFormat::Json, "json", "One JSON object a line"))};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Print findings there instead of to standard output")};
  cl::opt<unsigned> Threads{
      "j",        cl::sub(Sub), cl::value_desc("N"),
      cl::Prefix, cl::init(0),  cl::desc("Files to read at a time; default: one per processor")};
};

int CheckCommand::print(LoadedSchemas &Schemas) const {
  if (Output.empty()) {
    printDiagnostics(llvm::outs(), Schemas.Diags, Schemas.Files, Format);
    return ExitClean;
  }
  std::error_code Error;
  llvm::raw_fd_ostream OS(Output, Error);
  if (Error) {
    complain(llvm::createStringError(Error, "cannot write '" + Output + "': " + Error.message()));
    return ExitUnusable;
  }
  printDiagnostics(OS, Schemas.Diags, Schemas.Files, Format);
  return ExitClean;
}

/// Exit status: whether something is left that was not mended.
int CheckCommand::fixAll(LoadedSchemas &Schemas) const {
  AppliedFixes Applied = applyFixes(Schemas.Diags.all(), Schemas.Files);
  llvm::Expected<unsigned> Changed = Applied.Files.commit();
  if (!Changed) {
    complain(Changed.takeError());
    return ExitUnusable;
  }
  size_t Findings = Schemas.Diags.size();
  llvm::errs() << "opsig: fixed " << Applied.Applied.size() << " of " << Findings << " finding"
               << (Findings == 1 ? "" : "s") << " in " << *Changed << " file"
               << (*Changed == 1 ? "" : "s");
  if (!Applied.Refused.empty())
    llvm::errs() << "; " << Applied.Refused.size()
                 << " more can be fixed in another run, their edits overlap others";
  llvm::errs() << '\n';
  return Applied.Applied.size() == Findings ? ExitClean : ExitFindings;
}

int CheckCommand::run(const std::vector<std::string> &AfterDashes) {
  SchemaSource Source;
  std::string StartDir = Inputs.empty() ? "." : path::parent_path(Inputs.front()).str();
  std::unique_ptr<LoadedSchemas> Schemas =
      loadOrComplain(Schema, StartDir.empty() ? "." : StartDir, Source, Format);
  if (!Schemas)
    return ExitUnusable;
  if (!Inputs.empty())
    if (llvm::Error Err =
            checkKernels(Inputs, {AfterDashes, BuildDir, Threads}, Source, *Schemas)) {
      complain(std::move(Err));
      return ExitUnusable;
    }
  if (int Status = print(*Schemas))
    return Status;
  if (Schemas->Diags.empty())
    return ExitClean;
  return FixFiles ? fixAll(*Schemas) : ExitFindings;
}

} // namespace

std::unique_ptr<Subcommand> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

} // namespace opsig
