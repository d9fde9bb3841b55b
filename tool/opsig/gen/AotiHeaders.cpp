//===- AotiHeaders.cpp - The headers of AOTI shims under version control ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/AotiHeaders.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/Support/MemoryBuffer.h"

namespace opsig {

namespace {

/// "'LINE'", or that there is none.
std::string quotedLine(llvm::StringRef Rest) {
  return Rest.empty() ? "the end of the file" : ("'" + Rest.split('\n').first + "'").str();
}

/// The offset of the first line that differs; nothing if none does.
std::optional<size_t> firstDifference(llvm::StringRef Old, llvm::StringRef New) {
  if (Old == New)
    return std::nullopt;
  auto [InOld, InNew] = std::mismatch(Old.begin(), Old.end(), New.begin(), New.end());
  size_t LineEnd = Old.take_front(InOld - Old.begin()).rfind('\n');
  return LineEnd == llvm::StringRef::npos ? 0 : LineEnd + 1;
}

void checkHeader(const std::string &Path, llvm::StringRef New, SourceFiles &Files,
                 Findings &Diags) {
  auto Buffer = readWholeFile(Path);
  if (!Buffer) {
    llvm::consumeError(Buffer.takeError());
    Diags.report(finding::ShimHeaderMissing, Place(),
                 "{0} was not found, so opsig cannot report changes to the shims", Path);
    return;
  }
  SourceId File = Files.add(Path, withUniversalNewlines((*Buffer)->getBuffer()));
  llvm::StringRef Old = Files.text(File);
  std::optional<size_t> At = firstDifference(Old, New);
  if (!At)
    return;
  llvm::StringRef Line = Old.drop_front(*At).split('\n').first;
  Diags.report(finding::ShimHeaderChanged, Files.placeAt(File, *At, Line.size()),
               "the C shims, on which compiled models rely, have changed: found {0}; expected {1}; "
               "pass --update-aoti-c-shim to write the new header",
               quotedLine(Old.drop_front(*At)), quotedLine(New.drop_front(*At)));
}

} // namespace

void checkAotiHeaders(const AtenInput &In, llvm::StringRef Folder, Stamp &TheStamp,
                      SourceFiles &Files, Findings &Diags) {
  for (const auto &[Name, Text] : aotiShimHeaders(In)) {
    std::string Path = (Folder + "/" + Name).str();
    TheStamp.recordOutput(Path, Text);
    checkHeader(Path, Text, Files, Diags);
  }
}

} // namespace opsig
