//===- ChosenModules.cpp - Python files that are loaded in some cases only ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package may import one module or another: `if torch.version.cuda: from .cuda import *`. Its
// text is only looked at line by line, because such packages need not use torch.library themselves.
//
//===----------------------------------------------------------------------===//
#include "opsig/Frontend/ChosenModules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

/// What stands in a block: an indented line, or what follows `if x:` in the same line.
static StringRef statementInBlock(StringRef Line) {
  StringRef Text = Line.ltrim(" \t");
  if (Text.size() != Line.size())
    return Text;
  static constexpr StringLiteral Heads[] = {"if ", "elif ", "else", "try", "except"};
  if (none_of(Heads, [&](StringRef Head) { return Text.starts_with(Head); }))
    return "";
  return Text.substr(Text.rfind(':')).ltrim(": \t");
}

/// The next name of a list, without `as` and what follows it.
static StringRef nextName(StringRef &List) {
  StringRef Item;
  std::tie(Item, List) = List.split(',');
  return Item.trim(" \t()\\").take_until(
      [](char C) { return !isAlnum(C) && C != '_' && C != '.'; });
}

std::vector<std::string> opsig::importsInBlocks(StringRef Text) {
  std::vector<std::string> Out;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    StringRef Statement = statementInBlock(Line.rtrim()).split('#').first;
    std::string Module;
    if (Statement.consume_front("from ")) {
      auto [From, Names] = Statement.split(" import ");
      Module = From.trim().str();
      Out.push_back(Module);
      Statement = Names;
      if (!StringRef(Module).ends_with("."))
        Module += '.';
    } else if (!Statement.consume_front("import ")) {
      continue;
    }
    while (!Statement.empty())
      if (StringRef Name = nextName(Statement); !Name.empty())
        Out.push_back(Module + Name.str());
  }
  return Out;
}

std::map<std::string, std::string>
opsig::chosenModules(const PythonModules &Modules,
                     function_ref<std::string(StringRef File)> TextOf) {
  std::map<std::string, std::string> Out;
  for (StringRef From : Modules.files())
    for (const std::string &Dotted : importsInBlocks(TextOf(From))) {
      // The file of which a name would be imported.
      std::optional<PythonImport> Found = Modules.find(From, Dotted + ".x");
      if (!Found || Found->Name != "x" || Modules.files()[Found->File] == From)
        continue;
      StringRef File = Modules.files()[Found->File];
      Out[File.str()] = File.str();
      if (sys::path::filename(File) != "__init__.py")
        continue;
      // All of the package, unless one of its own files imports it.
      StringRef Folder = File.drop_back(sys::path::filename(File).size());
      if (From.starts_with(Folder))
        continue;
      for (StringRef Inner : Modules.files())
        if (Inner.starts_with(Folder))
          Out.insert({Inner.str(), File.str()});
    }
  return Out;
}
