//===- CodeIndex.h - Who registers what, for an editor -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SourceFacts* (files as they were read) => CodeIndex: operators with their definitions and kernels
// text then x text now => TextShift: where what was read stands now
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_CODEINDEX_H
#define OPSIG_EDITOR_CODEINDEX_H

#include "opsig/Check/Project.h"
#include "opsig/Workspace/Schemas.h"
#include <map>

namespace opsig {

/// What was read of one source. Does not change once it is made.
struct SourceFacts {
  std::string Path; ///< absolute
  /// The text that was read; null: what is on disk.
  std::shared_ptr<const std::string> Text;
  UnitFacts Unit;
  /// Null where the file was read without; usable otherwise.
  std::shared_ptr<const LoadedSchemas> Schemas;
  std::shared_ptr<const ProjectChecker> Checker;

  /// The absolute path of a file of Unit.
  std::string pathOf(uint32_t File) const;
};
using SourceFactsPtr = std::shared_ptr<const SourceFacts>;

/// A stretch of a file that was read, in bytes of the text that it had then.
struct FileSpan {
  std::string Path; ///< "" for no place
  size_t Offset = 0;
  size_t Length = 0;

  bool isValid() const { return !Path.empty(); }
  bool covers(llvm::StringRef File, size_t At) const {
    return Path == File && Offset <= At && At <= Offset + Length;
  }
  friend bool operator==(const FileSpan &, const FileSpan &) = default;
};

/// One def() or impl(), with what its string says.
struct IndexedEntry {
  const SourceFacts *From;
  const RegistrationBlock *Block;
  const RegistrationEntry *Entry;
  std::optional<FunctionSchema> Schema;
  std::string Op; ///< "ns::add.out"; "" where that is not known

  bool isDef() const { return Entry->Is == RegistrationEntry::Def; }
  bool hasKernel() const { return Entry->Kernel.Is != RegisteredKernel::None; }
  /// "CPU"; "" for all keys, or where it is not known.
  llvm::StringRef key() const { return Entry->Key.empty() ? Block->Key : Entry->Key; }
  FileSpan place(Span At) const;
  /// Of a part of the string, or all of it.
  FileSpan place(TextRange Part) const;
  FileSpan text() const { return place(Entry->Text.Whole); }
  /// Of the operator's name in the string.
  FileSpan name() const;
  /// What is given to the call for a kernel. Of what Clang could not read all behind the string.
  FileSpan use() const;
  /// The kernel's own name, where it is declared; else use().
  FileSpan kernel() const;
};

/// All that registers one operator.
struct IndexedOp {
  std::vector<const IndexedEntry *> Defs;
  std::vector<const IndexedEntry *> Kernels; ///< defs with a kernel among them
};

/// Of several files that include one header, what stands there counts once.
class CodeIndex {
public:
  /// What stands in an earlier one goes before.
  explicit CodeIndex(std::vector<SourceFactsPtr> Sources);

  llvm::ArrayRef<SourceFactsPtr> sources() const { return Sources; }
  const std::vector<IndexedEntry> &entries() const { return Entries; }
  const std::map<std::string, IndexedOp, std::less<>> &ops() const { return Ops; }
  const IndexedOp *find(llvm::StringRef Op) const;
  /// The function of PyTorch, or of a backend's YAML, by the schemas of any source.
  const NativeFunction *native(llvm::StringRef Op, const LoadedSchemas **From = nullptr) const;
  /// Distinct schemas of the sources.
  llvm::ArrayRef<std::shared_ptr<const LoadedSchemas>> schemas() const { return Schemas; }

private:
  void add(const SourceFacts &From, const RegistrationBlock &Block);

  std::vector<SourceFactsPtr> Sources;
  std::vector<std::shared_ptr<const LoadedSchemas>> Schemas;
  std::vector<IndexedEntry> Entries;
  std::map<std::string, IndexedOp, std::less<>> Ops;
};

/// One stretch of a text has become another one; what stands before and behind it is the same.
class TextShift {
public:
  TextShift(llvm::StringRef Then, llvm::StringRef Now);

  /// None within the stretch that changed.
  std::optional<size_t> then(size_t Now) const;
  std::optional<size_t> now(size_t Then) const;

private:
  size_t Front, Back; ///< how much is the same at either end
  size_t ThenSize, NowSize;
};

} // namespace opsig

#endif
