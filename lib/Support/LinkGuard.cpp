//===- LinkGuard.cpp - Links that lead out of a project -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/CodeFiles.h"
#include "opsig/Support/SettingsSign.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// As far as \p Path is there; what is missing stays as it is written.
static std::string resolved(StringRef Path) {
  SmallString<256> Real;
  if (!fs::real_path(Path, Real))
    return std::string(Real);
  StringRef Above = path::parent_path(Path);
  if (Above.empty() || Above == Path)
    return Path.str();
  Real = resolved(Above);
  path::append(Real, path::filename(Path));
  return std::string(Real);
}

static bool isBelow(StringRef Path, StringRef Folder) {
  return Path == Folder || Folder == "/" ||
         (Path.starts_with(Folder) && Path.drop_front(Folder.size()).starts_with("/"));
}

bool isInside(StringRef Path, StringRef Folder) {
  return isBelow(resolved(Path), resolved(Folder));
}

static std::string home() {
  SmallString<256> Home;
  return path::home_directory(Home) ? resolved(Home) : "";
}

std::string projectAround(StringRef Folder) {
  std::string Real = resolved(Folder), Home = home();
  auto MayBe = [&](StringRef At) { return At != Home && At != "/" && !At.empty(); };
  for (StringRef At = Real; MayBe(At); At = path::parent_path(At))
    if (fs::exists(At + "/.git"))
      return At.str();
  for (StringRef At = Real; MayBe(At); At = path::parent_path(At))
    if (holdsSettings(At))
      return At.str();
  SmallString<256> Here;
  if (fs::current_path(Here))
    return "";
  std::string Working = resolved(Here);
  return MayBe(Working) && isBelow(Real, Working) ? Working : "";
}

bool isNamedAsCode(StringRef Path) { return codeFile(Path.lower()) != CodeFile::None; }

bool linksToForeignText(StringRef Path) {
  SmallString<256> Whole(Path), Real;
  if (fs::make_absolute(Whole) || fs::real_path(Whole, Real) || isNamedAsCode(Real))
    return false;
  // Where folders on the way are links, the folder that the name leads to counts.
  StringRef Holder = path::parent_path(Whole);
  std::string Project = projectAround(Holder);
  return !isBelow(Real, Project.empty() ? resolved(Holder) : Project);
}

static Error leadsOut(StringRef Path, StringRef Link, StringRef Target) {
  return createStringError(
      "cannot write '" + Path + "': '" + Link + "' is a link to '" + Target +
      "', which is outside the project; to write to the target, pass its path");
}

Error checkLinksBeforeWriting(StringRef Path) {
  SmallString<256> Whole(Path);
  if (fs::make_absolute(Whole))
    return Error::success();
  // Each folder on the way, and the file.
  for (size_t End = Whole.str().find('/', 1);; End = Whole.str().find('/', End + 1)) {
    StringRef At = Whole.str().take_front(End);
    bool IsLast = End == StringRef::npos;
    if (fs::is_symlink_file(At) && fs::exists(At)) {
      StringRef Holder = path::parent_path(At);
      std::string Project = projectAround(Holder), Target = resolved(At);
      // The system's own, such as /dev/stdout, are trusted.
      bool IsOfSystem = isBelow(resolved(Holder), "/dev") || isBelow(resolved(Holder), "/proc");
      if (Project.empty() && IsLast && !IsOfSystem)
        Project = resolved(Holder);
      if (!Project.empty() && !isBelow(Target, Project))
        return leadsOut(Path, At, Target);
    }
    if (IsLast)
      return Error::success();
  }
}

} // namespace opsig
