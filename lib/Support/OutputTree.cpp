//===- OutputTree.cpp - Files to be written, all of them or none -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/OutputTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace opsig {

void OutputTree::add(StringRef Path, std::string Text) {
  assert(none_of(Files, [&](const File &F) { return F.Path == Path; }) && "planned twice");
  Files.push_back({Path.str(), std::move(Text)});
}

namespace {

Error cannotWrite(StringRef Path, std::error_code EC) {
  return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
}

bool hasContents(StringRef Path, StringRef Text) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Old =
      MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Old && (*Old)->getBuffer() == Text;
}

/// What is to be replaced when \p Path is written: the file a link leads to, not the link.
std::string targetOf(StringRef Path) {
  SmallString<128> Real;
  return fs::is_symlink_file(Path) && !fs::real_path(Path, Real) ? Real.str().str() : Path.str();
}

/// A text under a temporary name beside the file it will replace.
struct Pending {
  std::string Temp;
  std::string Path;
  std::string Target;
};

/// Removes what was not put in its place, also when a signal ends the program.
class PendingFiles {
public:
  PendingFiles() = default;
  PendingFiles(const PendingFiles &) = delete;
  PendingFiles &operator=(const PendingFiles &) = delete;
  ~PendingFiles() {
    for (const Pending &P : ArrayRef(All).drop_front(NumKept)) {
      fs::remove(P.Temp);
      sys::DontRemoveFileOnSignal(P.Temp);
    }
  }

  Error write(StringRef Path, StringRef Text);
  /// Puts all files in their places, in the order in which they were written.
  Error keep();

private:
  std::vector<Pending> All;
  size_t NumKept = 0;
};

Error PendingFiles::write(StringRef Path, StringRef Text) {
  std::string Target = targetOf(Path);
  // A mere file name has no folder that could be missing.
  if (StringRef Folder = sys::path::parent_path(Target); !Folder.empty())
    if (std::error_code EC = fs::create_directories(Folder))
      return cannotWrite(Path, EC);
  fs::file_status Old;
  bool Exists = !fs::status(Target, Old) && fs::exists(Old);
  // Found out now, while no target has changed.
  if (fs::is_directory(Old))
    return cannotWrite(Path, make_error_code(std::errc::is_a_directory));

  int FD;
  SmallString<128> Temp;
  if (std::error_code EC = fs::createUniqueFile(Target + ".%%%%%%%%.tmp", FD, Temp))
    return cannotWrite(Path, EC);
  All.push_back({Temp.str().str(), Path.str(), Target});
  sys::RemoveFileOnSignal(Temp);

  std::error_code EC = Exists ? fs::setPermissions(FD, Old.permissions()) : std::error_code();
  raw_fd_ostream OS(FD, /*shouldClose=*/true);
  OS << Text;
  OS.close();
  if (OS.has_error())
    EC = OS.error();
  OS.clear_error(); // Otherwise its destructor ends the program.
  return EC ? cannotWrite(Path, EC) : Error::success();
}

Error PendingFiles::keep() {
  for (; NumKept != All.size(); ++NumKept) {
    const Pending &P = All[NumKept];
    if (std::error_code EC = fs::rename(P.Temp, P.Target))
      return cannotWrite(P.Path, EC);
    sys::DontRemoveFileOnSignal(P.Temp);
  }
  return Error::success();
}

} // namespace

Expected<unsigned> OutputTree::commit() const {
  PendingFiles Changed;
  unsigned NumChanged = 0;
  for (const File &F : Files) {
    if (hasContents(F.Path, F.Text))
      continue;
    if (Error E = Changed.write(F.Path, F.Text))
      return E;
    ++NumChanged;
  }
  if (Error E = Changed.keep())
    return E;
  return NumChanged;
}

} // namespace opsig
