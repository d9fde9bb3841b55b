//===- HeaderNames.cpp - what PyTorch's headers declare -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"
#include "opsig/Upgrade/HeaderNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

/// The name that a line declares, as most lines of headers do; "" if it is none of these.
static StringRef declaredName(StringRef Line) {
  Line = Line.trim();
  auto Word = [](StringRef Text) {
    return Text.ltrim().take_while([](char C) { return isAlnum(C) || C == '_'; });
  };
  if (Line.consume_front("#")) {
    Line = Line.ltrim();
    return Line.consume_front("define ") ? Word(Line) : "";
  }
  for (StringRef Start : {"class ", "struct ", "enum class ", "using "})
    if (Line.consume_front(Start)) {
      // Macros of visibility stand before the name.
      for (StringRef Name = Word(Line); Name.ends_with("_API"); Name = Word(Line))
        Line = Line.ltrim().drop_front(Name.size());
      return Word(Line);
    }
  // A function that is no member has its type before, and no indentation.
  size_t Open = Line.find('(');
  if (Open == StringRef::npos || Line.starts_with("//") || Line.starts_with("*"))
    return "";
  StringRef Before = Line.take_front(Open);
  size_t Name = Before.find_last_of(" *&");
  if (Name == StringRef::npos || Before.contains("return") || Before.contains("="))
    return "";
  Before = Before.drop_front(Name + 1);
  return Word(Before) == Before ? Before : "";
}

void HeaderNames::read(StringRef Path, StringRef Name) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return;
  SmallVector<StringRef> Lines;
  (*Text)->getBuffer().split(Lines, '\n');
  for (StringRef Line : Lines) {
    StringRef Declared = declaredName(Line);
    if (Declared.size() < 3)
      continue;
    std::string &Header = Headers[Declared];
    if (Header.empty() ||
        std::pair(Name.size(), Name) < std::pair(Header.size(), StringRef(Header)))
      Header = Name.str();
  }
}

HeaderNames::HeaderNames(StringRef Folder) {
  for (StringRef Part : {"ATen", "c10", "torch"}) {
    std::error_code Failed;
    SmallString<256> Top(Folder);
    sys::path::append(Top, Part);
    for (sys::fs::recursive_directory_iterator I(Top, Failed), End; I != End && !Failed;
         I.increment(Failed)) {
      StringRef Path = I->path();
      // Generated files say the same of each operator.
      if (sys::path::filename(Path) == "ops")
        I.no_push();
      if (is_contained({".h", ".cuh", ".hpp"}, sys::path::extension(Path)))
        read(Path, Path.drop_front(Folder.size()).ltrim("/"));
    }
  }
}

std::string HeaderNames::about(StringRef Message) const {
  StringRef Name = Message.split('\'').second.split('\'').first;
  Name = Name.substr(Name.rfind(':') + 1);
  if (Name.empty() || Headers.empty())
    return "";
  auto Known = Headers.find(Name);
  if (Known == Headers.end()) {
    // Longer names may differ in more letters.
    unsigned Best = unsigned(Name.size()) / 5 + 1;
    for (auto It = Headers.begin(); It != Headers.end(); ++It) {
      unsigned Distance = Name.edit_distance(It->getKey(), true, Best);
      bool IsFirst = Known == Headers.end() || It->getKey() < Known->getKey();
      if (Distance < Best || (Distance == Best && Known != Headers.end() && IsFirst)) {
        Best = Distance;
        Known = It;
      }
    }
  }
  if (Known == Headers.end())
    return "";
  return ("'" + Known->getKey() + "' is declared in '" + Known->getValue() + "'").str();
}
