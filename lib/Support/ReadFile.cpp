//===- ReadFile.cpp - A file on disk => its text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/ReadFile.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
namespace fs = llvm::sys::fs;

bool opsig::isEndless(StringRef Path) {
  fs::file_status Status;
  return !fs::status(Path, Status) && !fs::is_regular_file(Status) && !fs::is_directory(Status);
}

Expected<std::unique_ptr<MemoryBuffer>> opsig::readWholeFile(StringRef Path, uint64_t Largest) {
  auto CannotRead = [&](const Twine &Why) {
    return createStringError("cannot read '" + Path + "': " + Why);
  };
  if (isEndless(Path))
    return CannotRead("it is a pipe or a device, not a regular file");
  uint64_t Size = 0;
  if (!fs::file_size(Path, Size) && Size > Largest)
    return CannotRead("its size of " + Twine(Size) + " bytes exceeds the limit of " +
                      Twine(Largest));
  // A file that is mapped and then gets shorter ends the process where its text is read.
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/true,
                                      /*IsVolatile=*/true);
  if (!Buffer)
    return CannotRead(Buffer.getError().message());
  return std::move(*Buffer);
}
