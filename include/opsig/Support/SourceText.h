//===- SourceText.h - The text that findings point into ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file on disk => SourceFiles (keeps the text) => Place (line, column) => caret
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_SOURCETEXT_H
#define OPSIG_SUPPORT_SOURCETEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace opsig {

/// A file in a SourceFiles. None means "no file".
enum class SourceId : uint32_t { None = 0 };

/// A stretch of one line: 1-based line and column (in bytes), and how many bytes it covers
/// (0: a point). A Place without a file points nowhere and prints without a source line.
struct Place {
  SourceId File = SourceId::None;
  uint32_t Line = 0;
  uint32_t Column = 0;
  uint32_t Length = 0;

  bool isValid() const { return File != SourceId::None && Line != 0; }
  friend bool operator==(const Place &, const Place &) = default;
};

/// Owns the text of every file that a finding may point into. A text lives as long as this object
/// and never moves, so StringRefs into it stay valid.
class SourceFiles {
public:
  SourceFiles();
  /// Contains all files of \p Base under the same ids, and those added here. \p Base must not
  /// change meanwhile; several threads may use a SourceFiles based on it.
  explicit SourceFiles(const SourceFiles *Base);
  ~SourceFiles();
  SourceFiles(const SourceFiles &) = delete;
  SourceFiles &operator=(const SourceFiles &) = delete;

  /// Reads \p Path from disk; a second call for the same path returns the same id.
  /// Fails with "cannot read 'PATH': reason".
  llvm::Expected<SourceId> open(llvm::StringRef Path);

  /// Registers text that is already in memory under the name \p Name.
  SourceId add(llvm::StringRef Name, std::string Text);

  /// The file registered as \p Name, or None.
  SourceId find(llvm::StringRef Name) const;

  llvm::StringRef name(SourceId File) const;
  llvm::StringRef text(SourceId File) const;

  /// The 1-based line without its line end; empty if there is no such line.
  llvm::StringRef line(SourceId File, uint32_t Line) const;

  /// The place of a byte offset.
  Place placeAt(SourceId File, size_t Offset, uint32_t Length = 0) const;
  /// The byte offset of a place.
  size_t offsetOf(const Place &At) const;

private:
  struct Entry;
  Entry &entry(SourceId File) const;
  SourceId nextId() const { return SourceId(FirstOwn + Entries.size()); }

  const SourceFiles *Base = nullptr;
  uint32_t FirstOwn = 0; ///< the id of Entries[0]
  std::vector<std::unique_ptr<Entry>> Entries;
  llvm::StringMap<SourceId> Ids;
};

/// Text that came from a file, so that positions in it can be mapped back. Verbatim text is in the
/// file unchanged from At on; other text (quoted, folded) maps every position to At.
struct LocatedText {
  llvm::StringRef Text;
  Place At;
  bool Verbatim = false;

  Place at(size_t Offset, size_t Length = 0) const;
};

} // namespace opsig

#endif
