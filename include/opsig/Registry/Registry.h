//===- Registry.h - What sources register, by operator ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RegistrationBlock* of all units (C++, Python, YAML)
//   => BlockRef*: each once, filled with what functions of other files register in it
//   => EntryRef*: each string parsed once => RegisteredOp*: definitions and kernels of an operator
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REGISTRY_REGISTRY_H
#define OPSIG_REGISTRY_REGISTRY_H

#include "opsig/Registry/UnitFiles.h"
#include "opsig/Schema/FunctionSchema.h"
#include "opsig/Schema/Parse.h"
#include <deque>
#include <map>

namespace opsig {

/// A block and the translation unit that holds it.
struct BlockRef {
  const UnitFacts *Unit;
  const RegistrationBlock *Block;
};

/// One def(), impl() or fallback(), with what its string says.
struct EntryRef {
  const UnitFacts *Unit;
  const RegistrationBlock *Block;
  const RegistrationEntry *Entry;
  /// Its schema or name, if that could be read.
  std::optional<FunctionSchema> Schema;
  /// "ns::add.out"; "" where it is not known, and where libtorch refuses the entry.
  std::string Op;
  /// Definitions of its kernel in other files; the kernel's own declarations are in its file.
  std::vector<Found> Elsewhere = {};
  /// The namespace of its block, as it is meant.
  llvm::StringRef Namespace = {};
  /// What is wrong with the string: Errors where there is no Schema.
  SchemaErrors Errors = {}, Remarks = {};

  BlockRef from() const { return {Unit, Block}; }
  bool isDef() const { return Entry->Is == RegistrationEntry::Def; }
  bool hasKernel() const { return Entry->Kernel.Is != RegisteredKernel::None; }
  /// The key that it registers for; "" stands for every one (CompositeImplicitAutograd).
  llvm::StringRef key() const { return Entry->Key.empty() ? Block->Key : Entry->Key; }
  bool keyKnown() const;
  /// The string has a namespace that is not the block's.
  bool hasOtherNamespace() const;
  bool isDefInImpl() const { return isDef() && Block->Is == RegistrationBlock::Impl; }
  bool isSchemaInImpl() const;
  /// "of::add.out", or with the namespace that the string has. Needs a Schema.
  std::string nameIn(llvm::StringRef Of) const;
  /// Where a part of the string stands, and its name. The latter needs a Schema.
  Place place(TextRange Part, UnitFiles &Files) const;
  Place namePlace(UnitFiles &Files) const { return place(Schema->NameAt, Files); }
  /// Fills Op for a block of that namespace.
  void resolve(llvm::StringRef BlockNamespace);
};

/// The rules of libtorch that the string of \p Entry is read by.
ScriptRules rulesOf(const UnitFacts &Unit, const RegistrationBlock &Block,
                    const RegistrationEntry &Entry);

/// What stands before the arguments of a string, whether or not libtorch can parse it.
llvm::StringRef writtenName(const RegistrationEntry &Entry);
/// The same with the block's namespace, if it has none; "" where no namespace is known.
std::string writtenOperator(const RegistrationBlock &Block, const RegistrationEntry &Entry);

/// All that registers one operator.
struct RegisteredOp {
  std::string Name; ///< "ns::add.out"
  std::vector<const EntryRef *> Defs;
  /// Entries with a kernel, defs among them.
  std::vector<const EntryRef *> Kernels;
};

class Registry {
public:
  /// The name of a file, the same in all units that include it; "" for a file without one.
  using FileNames = llvm::function_ref<std::string(const UnitFacts &Unit, uint32_t File)>;
  using Grammars = llvm::function_ref<Grammar(const UnitFacts &Unit)>;

  /// Refers to \p Units, as everything it gives does.
  Registry(llvm::ArrayRef<const UnitFacts *> Units, Grammars GrammarOf, FileNames NameOf);
  Registry(llvm::ArrayRef<UnitFacts> Units, Grammars GrammarOf, UnitFiles &Files);
  Registry(llvm::ArrayRef<UnitFacts> Units, const Grammar &G, UnitFiles &Files);
  Registry(const Registry &) = delete;
  Registry &operator=(const Registry &) = delete;

  /// Blocks of headers once, however many units include them. A function that fills blocks of other
  /// files stands for itself only where no block that it fills is known.
  llvm::ArrayRef<BlockRef> blocks() const { return Blocks; }
  llvm::ArrayRef<EntryRef> entries() const { return Entries; }
  llvm::MutableArrayRef<EntryRef> entries() { return Entries; }
  /// By EntryRef::Op, in the order of first mention.
  llvm::ArrayRef<RegisteredOp> operators() const { return Ops; }
  /// Null where nothing registers it.
  const RegisteredOp *find(llvm::StringRef Op) const;
  /// It has the TORCH_LIBRARY block of the namespace.
  bool ownsNamespace(llvm::StringRef Namespace) const;
  /// Fills operators() again, after EntryRef::Op has changed.
  void group();

private:
  std::deque<RegistrationBlock> Made;
  std::vector<BlockRef> Blocks;
  std::vector<EntryRef> Entries;
  std::vector<RegisteredOp> Ops;
  std::map<llvm::StringRef, size_t> ByName;
};

} // namespace opsig

#endif
