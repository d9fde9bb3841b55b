//===- Since.cpp - What has changed since a revision ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Git.h"
#include "check/Includers.h"
#include "check/Since.h"
#include "opsig/Support/PathGlob.h"
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
  llvm::SmallString<256> Path(Root);
  path::append(Path, Name);
  fs::UniqueID Id;
  if (!fs::getUniqueID(Path, Id))
    llvm::append_range(Lines[Id], Ranges);
}

llvm::Error ChangedLines::readDiff(llvm::StringRef Diff) {
  std::string Name;
  std::vector<Range> Ranges;
  unsigned Removed = 0, Added = 0;
  auto End = [&] {
    if (!Name.empty())
      addFile(Name, std::move(Ranges));
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
      HasRemoved |= Name.empty();
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
        return llvm::createStringError("--since: git's diff cannot be read");
      if (Added != 0)
        Ranges.push_back({New, New + Added - 1});
    }
  }
  End();
  return llvm::Error::success();
}

llvm::Expected<ChangedLines> ChangedLines::since(llvm::StringRef Revision, llvm::StringRef Folder,
                                                 llvm::ArrayRef<std::string> Untrusted) {
  ChangedLines Out;
  if (Revision.empty() || Revision.starts_with("-"))
    return llvm::createStringError("--since: '" + Revision + "' is no revision");
  llvm::Expected<Git> Repository = Git::of(Folder, Untrusted);
  if (!Repository)
    return Repository.takeError();
  Out.Root = Repository->root();
  llvm::Expected<std::string> Diff = Repository->run(
      {"diff", "--unified=0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff",
       "--no-textconv", "--no-renames", "--no-relative", "-O/dev/null", "--src-prefix=a/",
       "--dst-prefix=b/", "--ignore-submodules", Revision, "--"});
  if (!Diff)
    return Diff.takeError();
  if (llvm::Error Err = Out.readDiff(*Diff))
    return std::move(Err);
  llvm::Expected<std::string> New =
      Repository->run({"ls-files", "--others", "--exclude-standard", "-z"});
  if (!New)
    return New.takeError();
  for (llvm::StringRef Name : llvm::split(*New, '\0'))
    if (!Name.empty())
      Out.addFile(Name, {{1, ~0u}});
  return Out;
}

bool ChangedLines::concernNone(const CheckSetup &Setup) const {
  if (HasYaml || HasRemoved)
    return false;
  std::set<fs::UniqueID> Files;
  for (const auto &[Id, Ranges] : Lines)
    Files.insert(Id);
  if (Files.empty())
    return true;
  for (const std::string &Name : Setup.Inputs.Python)
    if (fs::UniqueID Id; !fs::getUniqueID(Name, Id) && Files.count(Id))
      return false;
  return !reachAny(Files, Setup.Inputs.Files, Setup, [&](llvm::StringRef Path) {
    return Setup.Project->contain(Path) || absolutePath(Path).starts_with(Root + "/");
  });
}

bool ChangedLines::contain(const Place &At, const SourceFiles &Files) const {
  fs::UniqueID Id;
  if (!At.isValid() || fs::getUniqueID(Files.name(At.File), Id))
    return false;
  auto It = Lines.find(Id);
  return It != Lines.end() && llvm::any_of(It->second, [&](Range R) {
           return R.first <= At.Line && At.Line <= R.second;
         });
}

void ChangedLines::filter(SiftedFindings &Found, const SourceFiles &Files) const {
  Findings Left;
  for (const Finding &D : Found.Reported.all())
    if (contain(D.At, Files) ||
        llvm::any_of(D.Notes, [&](const Note &N) { return contain(N.At, Files); }))
      Left.append(D);
  Found.Reported = std::move(Left);
}

} // namespace opsig
