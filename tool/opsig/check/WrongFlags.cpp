//===- WrongFlags.cpp - reporting a wrong flag once for all files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Messages.h"
#include "check/WrongFlags.h"
#include "opsig/Check/IncompleteUnits.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/WithColor.h"

namespace opsig {

/// Where a wrong flag of \p Compile is to be corrected: " (after '--')"; "" where no flags are
/// given.
static std::string whereFlagsAre(const CompileSettings &Compile, const ProjectConfig &Project) {
  if (!Compile.Flags.empty())
    return " (" + (Compile.Flags == Project.Flags ? Project.placeOf("flags") : "after '--'") + ")";
  return Compile.BuildDir.empty()
             ? ""
             : " (" + pathBelow(Compile.BuildDir + "/compile_commands.json", ".") + ")";
}

std::string whyUnread(const UnitFacts &Unit) {
  return "cannot read '" + Unit.MainFile + "': " + withFlagAdvice(Unit.FirstError);
}

static void reportOne(const UnitFacts &Unit, llvm::StringRef Why) {
  llvm::WithColor::note(llvm::errs(), safeLineStart(Unit.MainFile))
      << safeText(Why)
      << (Unit.MissingHeaders.empty()       ? ""
          : Unit.MissingHeaders.size() == 1 ? "; add its folder to the include path (-I)"
                                            : "; add their folders to the include path (-I)")
      << '\n';
}

void reportIncomplete(llvm::ArrayRef<UnitFacts> Units, const CompileSettings &Compile,
                      const ProjectConfig &Project,
                      llvm::function_ref<bool(llvm::StringRef)> IsExplained) {
  IncompleteUnits Incomplete = incompleteUnits(Units, IsExplained);
  for (const IncompleteUnits::File &File : Incomplete.Files)
    reportOne(*File.Unit, File.Why);
  for (const WrongFlag &Flag : Incomplete.Flags)
    reportNote(Flag.Error + whereFlagsAre(Compile, Project) + "; " + flagAdvice(Flag.Error) + "; " +
               counted(Flag.NumFiles, "file") + (Flag.NumFiles == 1 ? " was" : " were") +
               " read without this flag");
}

} // namespace opsig
