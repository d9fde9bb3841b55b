//===- AtenRun.cpp - Families of gen aten, side by side ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/AtenRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/ThreadPool.h"

namespace opsig {

namespace {

/// What one family made.
struct FamilyResult {
  AtenFiles Files;
  Diagnostics Diags;
  llvm::Error Err = llvm::Error::success();
};

void runFamily(const AtenFamily &Family, const AtenInput &In, const AtenOutput &Output,
               FamilyResult &Result) {
  auto Take = [&](AtenFile File) {
    std::string Text = std::move(File.Text);
    if (Output.Staged && !Result.Err && !Result.Diags.hasErrors()) {
      std::string Path = Output.Folders.pathOf(File);
      Result.Err = Output.Staged->stage(Path, Text);
      Output.TheStamp.noteOutput(Path, Text);
    }
    Result.Files.push_back(std::move(File));
  };
  Family.Generate(In, Take, Result.Diags);
}

} // namespace

llvm::Expected<AtenFiles> stageFamilies(llvm::ArrayRef<AtenFamily> Families, const AtenInput &In,
                                        const AtenOutput &Output, unsigned Threads,
                                        Diagnostics &Diags) {
  std::vector<FamilyResult> Results(Families.size());
  // The longest one last would leave the other threads without work.
  auto Order = llvm::to_vector(llvm::seq<size_t>(0, Families.size()));
  llvm::stable_sort(Order, [&](size_t A, size_t B) { return Families[A].Cost > Families[B].Cost; });
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Threads));
  for (size_t I : Order)
    Pool.async([&, I] { runFamily(Families[I], In, Output, Results[I]); });
  Pool.wait();

  AtenFiles All;
  llvm::Error Err = llvm::Error::success();
  for (FamilyResult &Result : Results) {
    Err = llvm::joinErrors(std::move(Err), std::move(Result.Err));
    llvm::move(Result.Files, std::back_inserter(All));
    for (const Diagnostic &D : Result.Diags.all())
      Diags.append(D);
  }
  if (Err)
    return std::move(Err);
  return All;
}

} // namespace opsig
