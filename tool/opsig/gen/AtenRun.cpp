//===- AtenRun.cpp - Families of gen aten, side by side ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/AtenRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

namespace opsig {

namespace {

/// What one family made.
struct FamilyResult {
  std::vector<FileSpec> Files;
  Findings Diags;
  llvm::Error Err = llvm::Error::success();
};

/// About that; memory that is not written to costs nothing, and a buffer that grows is copied.
constexpr size_t LargestFile = 5 << 20;

/// Buffers that threads take and give back.
class BufferPool {
public:
  std::string take() {
    std::lock_guard Guard(Lock);
    if (!Free.empty())
      return Free.pop_back_val();
    std::string Buffer;
    Buffer.reserve(LargestFile);
    return Buffer;
  }
  void giveBack(std::string Buffer) {
    std::lock_guard Guard(Lock);
    Free.push_back(std::move(Buffer));
  }

private:
  std::mutex Lock;
  llvm::SmallVector<std::string> Free;
};

void runFamily(const AtenFamily &Family, const AtenInput &In, const AtenOutput &Output,
               BufferPool &Buffers, FamilyResult &Result) {
  auto Take = [&](const FileSpec &File, llvm::StringRef Text) {
    if (Output.Staged && !Result.Err && !Result.Diags.hasErrors()) {
      std::string Path = Output.Folders.pathOf(File);
      Result.Err = Output.Staged->stage(Path, Text);
      Output.TheStamp.recordOutput(Path, Text);
    }
    Result.Files.push_back(File);
  };
  std::string Buffer = Buffers.take();
  FileWriter Out = atenWriter(In, Take, Result.Diags, Buffer);
  Family.Generate(In, Out);
  Buffers.giveBack(std::move(Buffer));
}

} // namespace

llvm::Expected<std::vector<FileSpec>> stageFamilies(llvm::ArrayRef<AtenFamily> Families,
                                                    const AtenInput &In, const AtenOutput &Output,
                                                    unsigned Threads, Findings &Diags) {
  BufferPool Buffers;
  std::vector<FamilyResult> Results(Families.size());
  // The longest one last would leave the other threads without work.
  auto Order = llvm::to_vector(llvm::seq<size_t>(0, Families.size()));
  llvm::stable_sort(Order, [&](size_t A, size_t B) { return Families[A].Cost > Families[B].Cost; });
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Threads));
  for (size_t I : Order)
    Pool.async([&, I] { runFamily(Families[I], In, Output, Buffers, Results[I]); });
  Pool.wait();

  std::vector<FileSpec> All;
  llvm::Error Err = llvm::Error::success();
  for (FamilyResult &Result : Results) {
    Err = llvm::joinErrors(std::move(Err), std::move(Result.Err));
    llvm::move(Result.Files, std::back_inserter(All));
    for (const Finding &D : Result.Diags.all())
      Diags.append(D);
  }
  if (Err)
    return std::move(Err);
  return All;
}

} // namespace opsig
