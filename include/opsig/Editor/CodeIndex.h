//===- CodeIndex.h - Who registers what, for an editor -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SourceFacts* (files as they were read) => CodeIndex: their Registry, and places in their texts
// text then x text now => TextShift: where what was read stands now
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_CODEINDEX_H
#define OPSIG_EDITOR_CODEINDEX_H

#include "opsig/Check/Project.h"
#include "opsig/Registry/Registry.h"
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

/// The registry of several files. Entries that libtorch refuses are with the operator that their
/// string names.
class CodeIndex {
public:
  /// What stands in an earlier one goes before.
  explicit CodeIndex(std::vector<SourceFactsPtr> Sources);

  llvm::ArrayRef<SourceFactsPtr> sources() const { return Sources; }
  llvm::ArrayRef<EntryRef> entries() const { return Registered->entries(); }
  /// By name.
  llvm::ArrayRef<const RegisteredOp *> ops() const { return Ops; }
  const RegisteredOp *find(llvm::StringRef Op) const { return Registered->find(Op); }
  llvm::ArrayRef<const EntryRef *> defsOf(llvm::StringRef Op) const;
  llvm::ArrayRef<const EntryRef *> kernelsOf(llvm::StringRef Op) const;
  const SourceFacts &sourceOf(const EntryRef &E) const { return *SourceOf.find(E.Unit)->second; }
  /// The function of PyTorch, or of a backend's YAML, by the schemas of any source.
  const NativeFunction *native(llvm::StringRef Op, const LoadedSchemas **From = nullptr) const;
  /// Distinct schemas of the sources.
  llvm::ArrayRef<std::shared_ptr<const LoadedSchemas>> schemas() const { return Schemas; }

  FileSpan place(const EntryRef &E, Span At) const;
  /// Of the string.
  FileSpan text(const EntryRef &E) const { return place(E, E.Entry->Text.Whole); }
  /// Of the operator's name in the string.
  FileSpan name(const EntryRef &E) const;
  /// What is given to the call for a kernel. Of what Clang could not read all behind the string.
  FileSpan use(const EntryRef &E) const;
  /// The kernel's own name, where it is declared; else use().
  FileSpan kernel(const EntryRef &E) const;

private:
  std::vector<SourceFactsPtr> Sources;
  std::map<const UnitFacts *, const SourceFacts *> SourceOf;
  std::vector<std::shared_ptr<const LoadedSchemas>> Schemas;
  std::unique_ptr<Registry> Registered;
  std::vector<const RegisteredOp *> Ops;
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
