//===- BuildVariants.cpp - Files that are never in one program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/BuildVariants.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

using namespace opsig;

/// Below, or the folder itself.
static bool isWithin(llvm::StringRef Path, llvm::StringRef Folder) {
  return Path.consume_front(Folder) && (Path.empty() || Path.front() == '/');
}

void BuildVariants::addVariants(llvm::ArrayRef<std::string> Names) {
  for (const std::string &Name : Names)
    Variants.push_back(llvm::StringRef(absolutePath(Name)).rtrim('/').str());
}

void BuildVariants::addTargets(llvm::StringRef File, llvm::ArrayRef<std::string> Targets) {
  if (!Targets.empty())
    TargetsOf[absolutePath(File)].insert(Targets.begin(), Targets.end());
}

void BuildVariants::addBuild(llvm::ArrayRef<std::string> Files) {
  auto &Built = Builds.emplace_back();
  for (const std::string &File : Files)
    Built.insert(absolutePath(File));
}

bool BuildVariants::areBuilt(llvm::StringRef L, llvm::StringRef R) const {
  std::string Left = absolutePath(L), Right = absolutePath(R);
  return llvm::any_of(
      Builds, [&](const auto &Built) { return Built.count(Left) != 0 && Built.count(Right) != 0; });
}

void BuildVariants::addExclusive(llvm::StringRef L, llvm::StringRef R) {
  std::string Left = absolutePath(L), Right = absolutePath(R);
  Excluding.insert({Left, Right});
  Excluding.insert({Right, Left});
}

llvm::StringRef BuildVariants::variantOf(llvm::StringRef Absolute) const {
  llvm::StringRef Nearest;
  for (const std::string &Name : Variants)
    if ((isWithin(Absolute, Name) || (isPathGlob(Name) && pathGlobCovers(Name, Absolute))) &&
        Name.size() > Nearest.size())
      Nearest = Name;
  return Nearest;
}

Exclusivity BuildVariants::between(llvm::StringRef L, llvm::StringRef R) const {
  if (empty() || L == R)
    return Exclusivity::No;
  std::string Left = absolutePath(L), Right = absolutePath(R);
  if (Excluding.count({Left, Right}))
    return Exclusivity::Never;
  llvm::StringRef LeftVariant = variantOf(Left), RightVariant = variantOf(Right);
  if (!LeftVariant.empty() && !RightVariant.empty() && LeftVariant != RightVariant)
    return Exclusivity::Never;
  auto LeftTargets = TargetsOf.find(Left), RightTargets = TargetsOf.find(Right);
  if (LeftTargets == TargetsOf.end() || RightTargets == TargetsOf.end())
    return Exclusivity::No;
  bool Shared = llvm::any_of(LeftTargets->second, [&](const std::string &Target) {
    return RightTargets->second.count(Target) != 0;
  });
  return Shared ? Exclusivity::No : Exclusivity::Targets;
}

std::string opsig::targetOfObject(llvm::StringRef Object, llvm::StringRef Directory) {
  llvm::SmallString<256> Path(Object);
  if (path::is_relative(Path)) {
    Path = Directory;
    path::append(Path, Object);
  }
  llvm::StringRef Whole = Path;
  // CMake: CMakeFiles/<target>.dir/a.cpp.o
  size_t Files = Whole.find("CMakeFiles/");
  size_t End = Files == llvm::StringRef::npos ? Files : Whole.find(".dir/", Files);
  return End == llvm::StringRef::npos ? "" : absolutePath(Whole.take_front(End));
}
