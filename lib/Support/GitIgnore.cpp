//===- GitIgnore.cpp - What .gitignore files name ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/GitIgnore.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

/// "a" of "a  "; a blank behind a backslash is part of the name.
static StringRef withoutBlanks(StringRef Line) {
  Line.consume_back("\r");
  while (Line.ends_with(" ") && !Line.ends_with("\\ "))
    Line = Line.drop_back();
  return Line;
}

void GitIgnore::add(StringRef Folder, StringRef Text) {
  for (StringRef Line : split(Text, '\n')) {
    Line = withoutBlanks(Line);
    if (Line.empty() || Line.starts_with("#"))
      continue;
    Rule R;
    R.Folder = Folder.str();
    R.Negated = Line.consume_front("!");
    if (Line.starts_with("\\#") || Line.starts_with("\\!"))
      Line = Line.drop_front();
    if (Line.contains('\\')) {
      if (!R.Negated)
        continue;
      Line = "*"; // it may be meant for anything
    }
    R.FolderOnly = Line.consume_back("/");
    R.Anchored = Line.contains('/');
    Line.consume_front("/");
    R.Glob = Line.str();
    // What is in the folder, not the folder.
    if (Line.ends_with("/**"))
      R.Glob += "/*";
    if (!Line.empty())
      Rules.push_back(std::move(R));
  }
}

bool GitIgnore::matches(const Rule &R, StringRef Path, bool IsFolder) {
  if (R.FolderOnly && !IsFolder)
    return false;
  if (R.Folder != "/" && !Path.consume_front(R.Folder))
    return false;
  if (!Path.consume_front("/"))
    return false;
  return pathGlobMatches(R.Glob, R.Anchored ? Path : Path.substr(Path.rfind('/') + 1));
}

bool GitIgnore::ignores(StringRef Path, bool IsFolder) const {
  for (const Rule &R : reverse(Rules))
    if (matches(R, Path, IsFolder))
      return !R.Negated;
  return false;
}
