//===- PathGlob.cpp - Patterns of file names --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace opsig {
namespace {

using Components = SmallVector<StringRef, 16>;

/// "./a//b/" and "a/b" have the same components; that of "/a" begin with an empty one.
Components componentsOf(StringRef Path) {
  Components Parts;
  if (Path.starts_with("/"))
    Parts.push_back("");
  for (StringRef Part : split(Path, '/'))
    if (!Part.empty() && Part != ".")
      Parts.push_back(Part);
  return Parts;
}

bool matchesOne(StringRef Glob, StringRef Name) {
  if (Glob == Name)
    return true;
  Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
  if (Pattern)
    return Pattern->match(Name);
  // An unclosed bracket stands for itself.
  consumeError(Pattern.takeError());
  return false;
}

/// Where a part does not match, only the last "**" in front of it takes a folder more: that an
/// earlier one took more helps nobody.
bool matches(ArrayRef<StringRef> Glob, ArrayRef<StringRef> Path, bool AlsoBelow) {
  size_t At = 0, In = 0, BehindLast = 0, Taken = 0;
  while (At < Glob.size() || (In < Path.size() && !AlsoBelow)) {
    if (At < Glob.size() && Glob[At] == "**") {
      BehindLast = ++At;
      Taken = In;
    } else if (At < Glob.size() && In < Path.size() && matchesOne(Glob[At], Path[In])) {
      ++At;
      ++In;
    } else if (BehindLast != 0 && Taken < Path.size()) {
      At = BehindLast;
      In = ++Taken;
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

bool isPathGlob(StringRef Text) { return Text.find_first_of("*?[") != StringRef::npos; }

bool pathGlobMatches(StringRef Glob, StringRef Path) {
  return matches(componentsOf(Glob), componentsOf(Path), /*AlsoBelow=*/false);
}

bool pathGlobCovers(StringRef Glob, StringRef Path) {
  return matches(componentsOf(Glob), componentsOf(Path), /*AlsoBelow=*/true);
}

std::string joinedPath(StringRef Folder, StringRef Tail) {
  SmallString<256> Out(Folder);
  sys::path::append(Out, Tail);
  return std::string(Out);
}

std::string absolutePath(StringRef Path) {
  SmallString<256> Out(Path);
  // Fails only where there is no working directory; then the path stays as it is.
  (void)sys::fs::make_absolute(Out);
  sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return std::string(Out);
}

std::string uriEncoded(StringRef Path, StringRef Plain) {
  std::string Out;
  for (char C : Path)
    if (isAlnum(C) || StringRef("/-._~").contains(C) || Plain.contains(C))
      Out += C;
    else
      Out += "%" + toHex(StringRef(&C, 1));
  return Out;
}

std::string realPath(StringRef Path) {
  SmallString<256> Real;
  return sys::fs::real_path(Path, Real) ? absolutePath(Path) : std::string(Real);
}

std::string pathBelow(StringRef Path, StringRef Folder) {
  std::string Absolute = absolutePath(Path), Above = absolutePath(Folder);
  StringRef Rest = Absolute;
  if (Above != "/" && Rest.consume_front(Above) && Rest.consume_front("/"))
    return Rest.str();
  return Absolute;
}

} // namespace opsig
