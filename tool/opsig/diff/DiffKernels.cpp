//===- DiffKernels.cpp - What a diff says of kernels in files ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "diff/DiffReport.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/TextLayout.h"

namespace opsig {

std::string orphanText(const OrphanedKernel &K, const ReleaseDiff &Diff) {
  const NativeFunction *New = Diff.newOf(*K.Function);
  std::string Text =
      "'" + K.Kernel + "' is the kernel of '" + K.Function->Schema.Name.str() + "', which ";
  return Text + (New ? "is now called '" + New->Schema.Name.str() + "'" : "was removed");
}

std::string upgradeText(const UpgradeEdit &Edit) {
  std::string Text = "'" + Edit.From + "' is " + Edit.Since;
  if (Edit.IsAdvice)
    return Text + ": " + Edit.To;
  return Text + "; `opsig upgrade` " +
         (Edit.To.empty() ? "removes it" : "replaces it with '" + Edit.To + "'");
}

DiffSection makeKernelSection(const DiffOutcome &Outcome) {
  const UpgradeFindings &Kernels = *Outcome.Kernels;
  DiffSection Section{"Kernels in these files",
                      counted(Kernels.Compared, "operator") + " compared with both releases",
                      {}};
  const PrintOptions Options = printOptions(llvm::outs());
  auto Add = [&](Place At, const SourceFiles &Files, std::string Text) -> DiffItem & {
    std::string Where =
        At.isValid() ? (Options.shown(Files.name(At.File)) + ":" + llvm::Twine(At.Line)).str() : "";
    Section.Items.push_back({std::move(Where), std::move(Text), {}, {}, {}});
    return Section.Items.back();
  };
  for (const OrphanedKernel &K : Kernels.Orphaned)
    Add(K.At, *Outcome.OldFiles, orphanText(K, Outcome.Release));
  for (const UpgradeEdit &Edit : Outcome.Upgrades)
    Add(Edit.At, *Outcome.OldFiles, upgradeText(Edit));
  for (const Finding &D : Kernels.Changed.all()) {
    DiffItem &Item = Add(D.At, *Outcome.NewFiles, D.Message);
    if (!D.Hint.empty())
      Item.Pairs.push_back({"needed", "", D.Hint});
  }
  return Section;
}

void printKernelsText(llvm::raw_ostream &OS, const DiffOutcome &Outcome) {
  const UpgradeFindings &Kernels = *Outcome.Kernels;
  OS << '\n'
     << styleOf(OS).strong("Kernels in these files") << ": "
     << counted(Kernels.Compared, "operator") << " compared with both releases\n";
  const PrintOptions Options = printOptions(OS);
  const TextStyle Style(Options);
  auto Place = [&](const opsig::Place &At) {
    return Style.place(Outcome.OldFiles->name(At.File), At.Line, At.Column);
  };
  for (const OrphanedKernel &K : Kernels.Orphaned)
    OS << Place(K.At) << ": " << orphanText(K, Outcome.Release) << '\n';
  for (const UpgradeEdit &Edit : Outcome.Upgrades)
    OS << Place(Edit.At) << ": " << upgradeText(Edit) << '\n';
  for (const Finding &D : Kernels.Changed.all())
    printText(OS, D, *Outcome.NewFiles, Options);
}

} // namespace opsig
