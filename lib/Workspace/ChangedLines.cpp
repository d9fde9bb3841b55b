//===- ChangedLines.cpp - What has changed since a revision ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/ChangedLines.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Workspace/Git.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// "b/src/a.cpp", or in quotes with escapes, "" for /dev/null.
static std::string fileName(llvm::StringRef Text) {
  // Behind a name with blanks git puts a tab.
  Text.consume_back("\t");
  std::string Name;
  if (Text.consume_front("\"") && Text.consume_back("\"")) {
    for (size_t I = 0; I < Text.size(); ++I) {
      if (Text[I] != '\\' || I + 1 == Text.size()) {
        Name += Text[I];
        continue;
      }
      unsigned Octal;
      if (I + 3 < Text.size() && !Text.substr(I + 1, 3).getAsInteger(8, Octal)) {
        Name += char(Octal);
        I += 3;
        continue;
      }
      char C = Text[++I];
      Name += C == 'n' ? '\n' : C == 't' ? '\t' : C;
    }
  } else {
    Name = Text.str();
  }
  llvm::StringRef Rest = Name;
  return Rest.consume_front("b/") ? Rest.str() : "";
}

void ChangedLines::addFile(llvm::StringRef Name, std::vector<Range> Ranges) {
  llvm::StringRef Extension = path::extension(Name);
  HasYaml |= Extension == ".yaml" || Extension == ".yml";
  fs::UniqueID Id;
  if (!fs::getUniqueID(joinedPath(Root, Name), Id))
    llvm::append_range(Lines[Id], Ranges);
}

llvm::Expected<ChangedLines> ChangedLines::ofDiff(llvm::StringRef Diff, std::string Root) {
  ChangedLines Out;
  Out.Root = std::move(Root);
  std::string Name;
  std::vector<Range> Ranges;
  unsigned Removed = 0, Added = 0;
  auto End = [&] {
    if (!Name.empty())
      Out.addFile(Name, std::move(Ranges));
    Name.clear();
    Ranges.clear();
  };
  for (llvm::StringRef Line : llvm::split(Diff, '\n')) {
    // Lines of files may look like anything.
    if (Removed != 0 && Line.starts_with("-")) {
      --Removed;
    } else if (Added != 0 && Line.starts_with("+")) {
      --Added;
    } else if (Line.starts_with("diff ")) {
      End();
    } else if (Line.consume_front("+++ ")) {
      Name = fileName(Line);
      Out.HasRemoved |= Name.empty();
    } else if (Line.consume_front("@@ -")) {
      auto Number = [&](char Before, unsigned &Count) {
        unsigned First = 0;
        Count = 1;
        bool Bad = (Before && !Line.consume_front(llvm::StringRef(&Before, 1))) ||
                   Line.consumeInteger(10, First) ||
                   (Line.consume_front(",") && Line.consumeInteger(10, Count));
        return Bad ? ~0u : First;
      };
      unsigned Old = Number(0, Removed);
      Line = Line.ltrim();
      unsigned New = Number('+', Added);
      if (Old == ~0u || New == ~0u)
        return llvm::createStringError("--since: opsig cannot read git's diff");
      if (Added != 0)
        Ranges.push_back({New, New + Added - 1});
    }
  }
  End();
  return Out;
}

llvm::Expected<ChangedLines> ChangedLines::since(llvm::StringRef Revision, llvm::StringRef Folder,
                                                 llvm::ArrayRef<std::string> Untrusted) {
  if (Revision.empty() || Revision.starts_with("-"))
    return llvm::createStringError("--since: '" + Revision + "' is not a revision");
  llvm::Expected<Git> Repository = Git::of(Folder, Untrusted);
  if (!Repository)
    return Repository.takeError();
  llvm::Expected<std::string> Diff = Repository->run(
      {"diff", "--unified=0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff",
       "--no-textconv", "--no-renames", "--no-relative", "-O/dev/null", "--src-prefix=a/",
       "--dst-prefix=b/", "--ignore-submodules", Revision, "--"});
  if (!Diff)
    return Diff.takeError();
  llvm::Expected<ChangedLines> Out = ofDiff(*Diff, Repository->root());
  if (!Out)
    return Out;
  llvm::Expected<std::string> New =
      Repository->run({"ls-files", "--others", "--exclude-standard", "-z"});
  if (!New)
    return New.takeError();
  for (llvm::StringRef Name : llvm::split(*New, '\0'))
    if (!Name.empty())
      Out->addFile(Name, {{1, ~0u}});
  return Out;
}

std::set<fs::UniqueID> ChangedLines::files() const {
  std::set<fs::UniqueID> Files;
  for (const auto &[Id, Ranges] : Lines)
    Files.insert(Id);
  return Files;
}

bool ChangedLines::contain(llvm::StringRef File, unsigned Line) const {
  fs::UniqueID Id;
  if (fs::getUniqueID(File, Id))
    return false;
  auto It = Lines.find(Id);
  return It != Lines.end() &&
         llvm::any_of(It->second, [&](Range R) { return R.first <= Line && Line <= R.second; });
}

} // namespace opsig
