//===- WrongFlags.cpp - reporting a wrong flag once for all files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Messages.h"
#include "check/WrongFlags.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
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
  std::string Why = "cannot read '" + Unit.MainFile + "': " + Unit.FirstError;
  return isFlagError(Unit.FirstError) ? Why + "; " + flagAdvice(Unit.FirstError) : Why;
}

static void reportOne(const UnitFacts &Unit, llvm::StringRef Why) {
  llvm::WithColor::note(llvm::errs(), safeLineStart(Unit.MainFile))
      << safeText(Why)
      << (Unit.MissingHeaders.empty()       ? ""
          : Unit.MissingHeaders.size() == 1 ? "; add its folder to the include path (-I)"
                                            : "; add their folders to the include path (-I)")
      << '\n';
}

static bool hasOnlyWrongFlags(const UnitFacts &Unit) {
  return isFlagError(Unit.FirstError) && Unit.MissingHeaders.empty() &&
         splitFlagErrors(Unit.FirstError).size() == Unit.NumErrors;
}

/// Each once, even if a file has it twice.
static void countEach(llvm::ArrayRef<llvm::StringRef> Errors,
                      llvm::MapVector<llvm::StringRef, unsigned> &Counts) {
  for (size_t I = 0; I < Errors.size(); ++I)
    if (!llvm::is_contained(Errors.take_front(I), Errors[I]))
      ++Counts[Errors[I]];
}

void reportIncomplete(llvm::ArrayRef<UnitFacts> Units, const CompileSettings &Compile,
                      const ProjectConfig &Project,
                      llvm::function_ref<bool(llvm::StringRef)> IsExplained) {
  llvm::MapVector<llvm::StringRef, unsigned> WrongFlags;
  for (const UnitFacts &Unit : Units)
    if (hasOnlyWrongFlags(Unit))
      countEach(splitFlagErrors(Unit.FirstError), WrongFlags);
    else if (std::string Why = incompleteParse(Unit); !Why.empty() && !IsExplained(Unit.MainFile))
      reportOne(Unit, Why);
  for (const auto &[Error, Count] : WrongFlags)
    reportNote(Error.str() + whereFlagsAre(Compile, Project) + "; " + flagAdvice(Error) + "; " +
               counted(Count, "file") + (Count == 1 ? " was" : " were") +
               " read without this flag");
}

} // namespace opsig
