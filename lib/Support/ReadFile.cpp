//===- ReadFile.cpp - A file on disk => its text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/Finding.h"
#include "opsig/Support/LinkGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace fs = llvm::sys::fs;

bool opsig::isEndless(StringRef Path) {
  fs::file_status Status;
  return !fs::status(Path, Status) && !fs::is_regular_file(Status) && !fs::is_directory(Status);
}

/// "; did you mean 'F'?" for a file that does not exist but resembles F in the same folder. Only
/// for relative paths in the working folder, links resolved: a checkout that makes opsig look for a
/// file must not learn names from elsewhere.
static std::string meantFile(StringRef Path) {
  StringRef Name = sys::path::filename(Path), Parent = sys::path::parent_path(Path);
  StringRef Folder = Parent.empty() ? "." : Parent;
  if (sys::path::is_absolute(Path) || !opsig::isInside(Folder, "."))
    return "";
  std::vector<std::string> Names;
  std::error_code Error;
  for (fs::directory_iterator I(Folder, Error), End; !Error && I != End; I.increment(Error))
    Names.push_back(sys::path::filename(I->path()).str());
  llvm::sort(Names);
  std::optional<std::string> Meant =
      opsig::nearest(Name, std::vector<StringRef>(Names.begin(), Names.end()));
  return Meant ? "; did you mean '" + Path.drop_back(Name.size()).str() + *Meant + "'?" : "";
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
    return CannotRead(Buffer.getError().message() + (fs::exists(Path) ? "" : meantFile(Path)));
  return std::move(*Buffer);
}
