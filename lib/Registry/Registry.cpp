//===- Registry.cpp - What sources register, by operator ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Registry/Registry.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

using EntryPlaces = std::set<std::pair<std::string, uint32_t>>;

/// Where a file is that its condition is on for, a header needs no other branch.
static EntryPlaces entriesOfHeaders(ArrayRef<const UnitFacts *> Units, Registry::FileNames NameOf) {
  EntryPlaces Out;
  for (const UnitFacts *Unit : Units)
    for (const RegistrationBlock &Block : Unit->Registrations)
      for (const RegistrationEntry &E : Block.Entries)
        if (!Unit->isOtherBranch() && E.At.isValid() && E.At.File != 0)
          Out.emplace(NameOf(*Unit, E.At.File), E.At.Offset);
  return Out;
}

static std::vector<BlockRef> distinctBlocks(ArrayRef<const UnitFacts *> Units,
                                            Registry::FileNames NameOf) {
  std::vector<BlockRef> Out;
  EntryPlaces OfHeaders = entriesOfHeaders(Units, NameOf);
  auto IsRead = [&](const UnitFacts &Unit, const RegistrationBlock &Block) {
    return Unit.isOtherBranch() && !Block.Entries.empty() &&
           all_of(Block.Entries, [&](const RegistrationEntry &E) {
             return E.At.isValid() && OfHeaders.count({NameOf(Unit, E.At.File), E.At.Offset}) != 0;
           });
  };
  // A project's macro may make several blocks at one place, of one unit.
  // A file's other branches are parts of the same blocks.
  using Key =
      std::tuple<std::string, uint32_t, RegistrationBlock::Kind, StringRef, StringRef, bool>;
  std::map<Key, const UnitFacts *> Seen;
  for (const UnitFacts *Unit : Units)
    for (const RegistrationBlock &Block : Unit->Registrations) {
      if (IsRead(*Unit, Block))
        continue;
      std::string File = Block.At.isValid() ? NameOf(*Unit, Block.At.File) : "";
      Key At(File, Block.At.Offset, Block.Is, Block.Namespace, Block.Key, Unit->isOtherBranch());
      if (File.empty() || Seen.try_emplace(At, Unit).first->second == Unit)
        Out.push_back({Unit, &Block});
    }
  return Out;
}

static bool isFiller(const RegistrationBlock &Block) {
  return Block.Is == RegistrationBlock::Unknown && !Block.Filler.empty();
}

namespace {

/// block that is handed to `void add(torch::Library &m)` x the file that defines it
///   => what it registers, as the block's
class BlockJoiner {
public:
  BlockJoiner(std::deque<RegistrationBlock> &Made, std::vector<BlockRef> &All)
      : Made(Made), All(All) {}

  void run(ArrayRef<BlockRef> Distinct);

private:
  void join(const BlockRef &From);
  void addFillers(RegistrationBlock &Into, const RegistrationBlock &From, bool InBranch,
                  std::set<const RegistrationBlock *> &Seen);

  std::map<StringRef, std::vector<BlockRef>> Fillers;
  std::set<const RegistrationBlock *> Used;
  std::deque<RegistrationBlock> &Made;
  std::vector<BlockRef> &All;
};

void BlockJoiner::run(ArrayRef<BlockRef> Distinct) {
  for (const BlockRef &B : Distinct)
    if (isFiller(*B.Block))
      Fillers[B.Block->Filler].push_back(B);
  for (const BlockRef &B : Distinct)
    if (!isFiller(*B.Block))
      join(B);
  for (const BlockRef &B : Distinct)
    if (isFiller(*B.Block) && !Used.count(B.Block))
      All.push_back(B); // nobody who is known calls it
}

void BlockJoiner::join(const BlockRef &From) {
  // What another configuration calls is not what this one does.
  if (From.Block->HandedTo.empty() || From.Unit->isOtherBranch())
    return All.push_back(From);
  RegistrationBlock &Own = Made.emplace_back(*From.Block);
  All.push_back({From.Unit, &Own});
  std::set<const RegistrationBlock *> Seen;
  addFillers(Own, Own, /*InBranch=*/false, Seen);
}

/// Adds what the functions that \p From is handed to register in \p Into. \p InBranch: whether \p
/// From itself runs, a condition decides.
void BlockJoiner::addFillers(RegistrationBlock &Into, const RegistrationBlock &From, bool InBranch,
                             std::set<const RegistrationBlock *> &Seen) {
  bool MayNotRun = InBranch || From.HandedInBranch;
  for (const std::string &Symbol : From.HandedTo) {
    auto Known = Fillers.find(Symbol);
    if (Known == Fillers.end()) {
      Into.Complete = false;
      continue;
    }
    for (const auto &[Unit, Filler] : Known->second) {
      if (!Seen.insert(Filler).second)
        continue;
      Used.insert(Filler);
      RegistrationBlock &Part = Made.emplace_back(*Filler);
      Part.Is = Into.Is;
      Part.Namespace = Into.Namespace;
      Part.Key = Into.Key;
      Part.Stable = Into.Stable;
      // It is a part of that block, and no second one.
      if (Part.Is == RegistrationBlock::Library)
        Part.Is = RegistrationBlock::Fragment;
      for (RegistrationEntry &Entry : Part.Entries)
        Entry.Conditional |= MayNotRun;
      All.push_back({Unit, &Part});
      addFillers(Into, *Filler, MayNotRun, Seen);
    }
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

bool EntryRef::keyKnown() const {
  return !Entry->KeyUnknown && (Block->Is != RegistrationBlock::Impl || !Block->Key.empty()) &&
         Block->Is != RegistrationBlock::Unknown;
}

bool EntryRef::hasOtherNamespace() const {
  bool HasBlock = Block->Is != RegistrationBlock::Legacy && Block->Is != RegistrationBlock::Unknown;
  StringRef Written = Schema ? Schema->operatorNamespace() : "";
  return HasBlock && !Written.empty() && Written != Namespace;
}

bool EntryRef::isSchemaInImpl() const {
  return Entry->Is == RegistrationEntry::Impl && Block->Is != RegistrationBlock::Legacy && Schema &&
         !Schema->NameOnly;
}

std::string EntryRef::nameIn(StringRef Of) const {
  StringRef Written = Schema->operatorNamespace();
  return ((Written.empty() ? Of : Written) + "::" + Schema->operatorName()).str();
}

Place EntryRef::place(TextRange Part, UnitFiles &Files) const {
  return Files.place(*Unit, Entry->Text.at(Part.Offset, Part.Length));
}

void EntryRef::resolve(StringRef BlockNamespace) {
  Namespace = BlockNamespace;
  Op.clear();
  if (!Schema || hasOtherNamespace() || isDefInImpl() || isSchemaInImpl())
    return;
  StringRef Written = Schema->operatorNamespace(), Own = Written.empty() ? Namespace : Written;
  if (!Own.empty() && Own != "_")
    Op = nameIn(Own);
}

ScriptRules opsig::rulesOf(const UnitFacts &Unit, const RegistrationBlock &Block,
                           const RegistrationEntry &Entry) {
  ScriptRules Rules = Unit.Names.Strings;
  // Where a kernel comes with the schema, and for c10::RegisterOperators, the rules are older.
  Rules.TypeVariables |=
      Entry.Kernel.Is != RegisteredKernel::None || Block.Is == RegistrationBlock::Legacy;
  return Rules;
}

StringRef opsig::writtenName(const RegistrationEntry &Entry) {
  return StringRef(Entry.Text.Value).split('(').first.trim();
}

std::string opsig::writtenOperator(const RegistrationBlock &Block, const RegistrationEntry &Entry) {
  StringRef Name = writtenName(Entry);
  if (!Entry.TextKnown || Name.empty() || Name.contains("::"))
    return Entry.TextKnown ? Name.str() : "";
  bool IsNamed = !Block.Namespace.empty() && Block.Namespace != "_";
  return IsNamed ? Block.Namespace + "::" + Name.str() : "";
}

//===----------------------------------------------------------------------===//
// Registry
//===----------------------------------------------------------------------===//

Registry::Registry(ArrayRef<const UnitFacts *> Units, Grammars GrammarOf, FileNames NameOf) {
  BlockJoiner(Made, Blocks).run(distinctBlocks(Units, NameOf));
  for (const auto &[Unit, Block] : Blocks) {
    Grammar G = GrammarOf(*Unit);
    for (const RegistrationEntry &Entry : Block->Entries) {
      EntryRef &E = Entries.emplace_back(EntryRef{Unit, Block, &Entry, std::nullopt, ""});
      if (Entry.TextKnown)
        E.Schema = parseScriptSchema(Entry.Text.Value, G, rulesOf(*Unit, *Block, Entry), E.Errors,
                                     E.Remarks);
      E.resolve(Block->Namespace);
    }
  }
  group();
}

Registry::Registry(ArrayRef<UnitFacts> Units, const Grammar &G, UnitFiles &Files)
    : Registry(Units, [&](const UnitFacts &) { return G; }, Files) {}

Registry::Registry(ArrayRef<UnitFacts> Units, Grammars GrammarOf, UnitFiles &Files)
    : Registry(to_vector(make_pointer_range(Units)), GrammarOf,
               [&](const UnitFacts &Unit, uint32_t File) {
                 SourceId Id = Files.file(Unit, File);
                 return Id == SourceId::None ? std::string() : Files.sources().name(Id).str();
               }) {}

const RegisteredOp *Registry::find(StringRef Op) const {
  auto Known = ByName.find(Op);
  return Known == ByName.end() ? nullptr : &Ops[Known->second];
}

bool Registry::ownsNamespace(StringRef Namespace) const {
  return any_of(Blocks, [&](const BlockRef &B) {
    return B.Block->Is == RegistrationBlock::Library && B.Block->Namespace == Namespace;
  });
}

void Registry::group() {
  Ops.clear();
  ByName.clear();
  for (const EntryRef &E : Entries) {
    if (E.Op.empty())
      continue;
    auto [It, New] = ByName.try_emplace(E.Op, Ops.size());
    if (New)
      Ops.push_back({E.Op, {}, {}});
    RegisteredOp &Op = Ops[It->second];
    if (E.isDef())
      Op.Defs.push_back(&E);
    if (E.hasKernel())
      Op.Kernels.push_back(&E);
  }
}
