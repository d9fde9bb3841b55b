//===- Format.cpp - edits => texts in the style of the project ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/Format.h"
#include "opsig/Support/ReadFile.h"

#include "clang/Format/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace opsig;
using namespace llvm;
using clang::format::FormatStyle;
using clang::tooling::Range;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

constexpr unsigned UsualColumns = 80, LongestColumns = 120;

/// The fewest blanks that a line of \p Text begins with, if any does, but not more than eight.
unsigned indentWidthOf(StringRef Text) {
  unsigned Width = 0;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    size_t Blanks = Line.size() - Line.ltrim(' ').size();
    StringRef Rest = Line.ltrim(' ').rtrim();
    // Comments and access specifiers follow rules of their own.
    if (Blanks >= 2 && Blanks <= 8 && !Rest.empty() && !Rest.starts_with("*") &&
        !Rest.ends_with(":") && (Width == 0 || Blanks < Width))
      Width = Blanks;
  }
  return Width;
}

unsigned longestLineOf(StringRef Text) {
  size_t Longest = 0;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    Longest = std::max(Longest, Line.rtrim().size());
  return Longest;
}

struct ProjectStyle {
  FormatStyle Style;
  bool Configured = false; ///< by a .clang-format
};

/// A .clang-format is a few hundred lines without much nesting. What is more is not read: the
/// reader of YAML takes a frame of the stack for each level.
bool isReadable(const MemoryBuffer &Settings) {
  constexpr size_t LongestText = 1 << 20, DeepestLevel = 64;
  StringRef Text = Settings.getBuffer();
  size_t Level = 0;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    // "- - - a" opens a level for each sign, and a line that is indented deeply stands below many.
    size_t Blanks = Line.size() - Line.ltrim(" -?:\t").size();
    for (char C : Line)
      Level += C == '[' || C == '{' ? 1 : (C == ']' || C == '}') && Level > 0 ? -1 : 0;
    if (Level > DeepestLevel || Blanks > 2 * DeepestLevel)
      return false;
  }
  return Text.size() <= LongestText;
}

/// The files that there are, but for styles that cannot be read safely.
class StyleFiles : public vfs::ProxyFileSystem {
public:
  StyleFiles() : ProxyFileSystem(vfs::getRealFileSystem()) {}

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    if (isEndless(Path.str()))
      return make_error_code(std::errc::permission_denied);
    auto File = ProxyFileSystem::openFileForRead(Path);
    auto Text = File ? (*File)->getBuffer(Path) : File.getError();
    if (!Text || !isReadable(**Text))
      return make_error_code(std::errc::permission_denied);
    return ProxyFileSystem::openFileForRead(Path);
  }
};

ProjectStyle styleFor(StringRef Path, StringRef Text) {
  ProjectStyle Out{clang::format::getLLVMStyle()};
  StyleFiles Files;
  Expected<FormatStyle> Found = clang::format::getStyle("file", Path, "none", Text, &Files);
  if (Found && !(*Found == clang::format::getNoStyle())) {
    Out = {*Found, true};
  } else {
    // A .clang-format that cannot be read is somebody else's to complain about.
    if (!Found)
      consumeError(Found.takeError());
    Out.Style.DerivePointerAlignment = true;
    if (unsigned Width = indentWidthOf(Text))
      Out.Style.IndentWidth = Width;
    Out.Style.ColumnLimit = std::clamp(longestLineOf(Text), UsualColumns, LongestColumns);
  }
  // The schema stays in one piece.
  Out.Style.ReflowComments = FormatStyle::RCS_Never;
  return Out;
}

/// Where the texts of those \p Wanted stand after all \p Edits were made. Line breaks around a text
/// are left out: the lines next to it are not its own.
std::vector<Range> rangesOf(const Replacements &Edits,
                            function_ref<bool(const Replacement &)> Expected) {
  std::vector<Range> Out;
  int64_t Shift = 0;
  for (const Replacement &R : Edits) { // by offset
    StringRef Added = R.getReplacementText();
    size_t Blanks = Added.size() - Added.ltrim().size();
    if (Expected(R))
      Out.emplace_back(unsigned(R.getOffset() + Shift + Blanks), Added.trim().size());
    Shift += int64_t(R.getReplacementText().size()) - R.getLength();
  }
  return Out;
}

} // namespace

EditedText opsig::applyFormatted(StringRef Path, StringRef Text, const Replacements &Edits,
                                 ArrayRef<Fix> Additions) {
  EditedText Out{cantFail(clang::tooling::applyAllReplacements(Text, Edits)), Edits};
  ProjectStyle Found = styleFor(Path, Text);
  std::vector<Range> Ranges = rangesOf(Edits, [&](const Replacement &R) {
    return Found.Configured || any_of(Additions, [&](const Fix &F) {
             return F.Offset == R.getOffset() && F.Length == R.getLength() &&
                    F.Text == R.getReplacementText();
           });
  });
  Replacements Layout = clang::format::reformat(Found.Style, Out.Text, Ranges, Path);
  Expected<std::string> Formatted = clang::tooling::applyAllReplacements(Out.Text, Layout);
  if (!Formatted) {
    consumeError(Formatted.takeError());
    return Out;
  }
  Out.Text = std::move(*Formatted);
  Out.Changes = Edits.merge(Layout);
  return Out;
}
