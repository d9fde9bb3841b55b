//===- FilePlacing.cpp - Parts take the places of files, and give them back --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file and its part change places in one step, so that nothing that stood there is gone before it
// was looked at. Where a file system cannot do that, the old file keeps a second name meanwhile.
//
//===----------------------------------------------------------------------===//
#include "StagingInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace opsig;
using namespace opsig::staging;
namespace fs = llvm::sys::fs;

static std::error_code renameAs(const std::string &From, const std::string &To, unsigned Flags) {
  bool Done = ::renameat2(AT_FDCWD, From.c_str(), AT_FDCWD, To.c_str(), Flags) == 0;
  return Done ? std::error_code() : lastError();
}

static bool cannotDoThat(std::error_code EC) {
  return EC == std::errc::invalid_argument || EC == std::errc::function_not_supported ||
         EC == std::errc::operation_not_supported;
}

static bool isFolder(const std::string &Path) {
  struct stat Status;
  return ::lstat(Path.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode);
}

static bool isThere(const std::string &Path) {
  struct stat Status;
  return ::lstat(Path.c_str(), &Status) == 0;
}

/// Moves \p From to \p To if nothing stands there.
static std::error_code moveTo(const std::string &From, const std::string &To) {
  std::error_code EC = renameAs(From, To, RENAME_NOREPLACE);
  if (!cannotDoThat(EC))
    return EC;
  return isThere(To) ? std::make_error_code(std::errc::file_exists) : fs::rename(From, To);
}

std::error_code FilePlacing::placeNew(const Part &P, bool &Placed) {
  std::error_code EC = moveTo(P.Name, P.Target);
  Placed = !EC;
  if (Placed)
    Steps.push_back({How::Moved, P, ""});
  return EC == std::errc::file_exists ? std::error_code() : EC;
}

/// To the kernel both orders are the same, but not to editors that watch files: it tells them of
/// two moves, and a target that comes first and goes then counts as one that was never there. So
/// they would go on to show the old text.
static std::error_code exchangeNames(const Part &P) {
  return renameAs(P.Target, P.Name, RENAME_EXCHANGE);
}

Error FilePlacing::exchange(const Part &P, bool &Placed) {
  std::error_code EC = exchangeNames(P);
  Placed = !EC;
  if (cannotDoThat(EC))
    return Error::success();
  if (EC)
    return P.Edit && EC == std::errc::no_such_file_or_directory ? changedMeanwhile(P.Path)
                                                                : cannotWrite(P.Path, EC);
  Steps.push_back({How::Exchanged, P, ""});
  if (isFolder(P.Name))
    return cannotWrite(P.Path, make_error_code(std::errc::is_a_directory));
  if (P.Edit && !stillHolds(P.Name, P.Edit->Before))
    return changedMeanwhile(P.Path);
  return Error::success();
}

/// For file systems that cannot exchange.
Error FilePlacing::replace(const Part &P) {
  if (isFolder(P.Target))
    return cannotWrite(P.Path, make_error_code(std::errc::is_a_directory));
  std::string Kept = P.In->keptPath(P.Target);
  if (::link(P.Target.c_str(), Kept.c_str()) != 0)
    if (std::error_code EC = fs::copy_file(P.Target, Kept))
      return cannotWrite(P.Path, EC);
  if (P.Edit && !stillHolds(P.Target, P.Edit->Before))
    return changedMeanwhile(P.Path);
  if (::rename(P.Name.c_str(), P.Target.c_str()) != 0)
    return cannotWrite(P.Path, lastError());
  Steps.push_back({How::Replaced, P, Kept});
  // Whoever had it open may have written last.
  if (P.Edit && !stillHolds(Kept, P.Edit->Before))
    return changedMeanwhile(P.Path);
  return Error::success();
}

Error FilePlacing::place(const Part &P) {
  bool Placed = false;
  if (!P.Edit)
    if (std::error_code EC = placeNew(P, Placed))
      return cannotWrite(P.Path, EC);
  if (!Placed)
    if (Error E = exchange(P, Placed))
      return E;
  return Placed ? Error::success() : replace(P);
}

Error FilePlacing::placeTree(const std::string &From, const std::string &To, StagingFolder *In) {
  Part Tree{From, To, To, In, nullptr};
  bool Placed = false;
  if (std::error_code EC = placeNew(Tree, Placed))
    return cannotWrite(To, EC);
  if (Placed)
    return Error::success();
  if (!isFolder(To))
    return cannotWrite(To, std::make_error_code(std::errc::not_a_directory));
  std::error_code EC;
  for (fs::directory_iterator It(From, EC), End; !EC && It != End; It.increment(EC)) {
    std::string Target = To + "/" + sys::path::filename(It->path()).str();
    Error E = It->type() == fs::file_type::directory_file
                  ? placeTree(It->path(), Target, In)
                  : place({It->path(), Target, Target, In, nullptr});
    if (E)
      return E;
  }
  return EC ? cannotWrite(To, EC) : Error::success();
}

std::error_code FilePlacing::revert(const Step &S) {
  const Part &P = S.Of;
  switch (S.Is) {
  case How::Moved:
    return moveTo(P.Target, P.Name);
  case How::Exchanged: {
    if (std::error_code EC = exchangeNames(P))
      return EC;
    // Somebody saved over the new text: that is what shall stay.
    if (P.Edit && !stillHolds(P.Name, P.Edit->Text))
      return exchangeNames(P);
    return {};
  }
  case How::Replaced:
    if (P.Edit && !stillHolds(P.Target, P.Edit->Text))
      return {};
    return fs::rename(S.Kept, P.Target);
  }
  llvm_unreachable("all ways are above");
}

std::vector<std::string> FilePlacing::revert() {
  std::vector<std::string> Failed;
  for (const Step &S : reverse(Steps))
    if (std::error_code EC = revert(S)) {
      if (S.Of.In)
        S.Of.In->keep();
      const std::string &Old = S.Is == How::Replaced ? S.Kept : S.Of.Name;
      Failed.push_back(
          "'" + S.Of.Path +
          "' already has its new content, and its old content could not be restored: " +
          EC.message() + (S.Is == How::Moved ? "" : "; the old content is in '" + Old + "'"));
    }
  Steps.clear();
  return Failed;
}
