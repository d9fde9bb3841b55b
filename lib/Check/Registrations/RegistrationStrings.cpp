//===- RegistrationStrings.cpp - strings and places of registrations ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

bool EntryRef::keyKnown() const {
  return !Entry->KeyUnknown && (Block->Is != RegistrationBlock::Impl || !Block->Key.empty()) &&
         Block->Is != RegistrationBlock::Unknown;
}

std::string opsig::operatorOf(const EntryRef &E) {
  if (!E.Op.empty() || !E.Schema)
    return E.Op;
  StringRef Written = E.Schema->operatorNamespace();
  StringRef Namespace = Written.empty() ? StringRef(E.Block->Namespace) : Written;
  return (Namespace + "::" + E.Schema->operatorName()).str();
}

bool opsig::mayEdit(const EntryRef &E, TextRange Part, Finding &Diag, UnitFiles &Files) {
  const LiteralText &Text = E.Entry->Text;
  bool IsShared = Text.isShared(Part.Offset, Part.Length);
  if (IsShared)
    Diag.note(Files.place(*E.Unit, Text.at(Part.Offset, Part.Length)),
              "not fixed: the constant stands for more than this");
  return !IsShared;
}

namespace {

StringRef macroOf(RegistrationBlock::Kind Kind) {
  switch (Kind) {
  case RegistrationBlock::Library:
    return "TORCH_LIBRARY";
  case RegistrationBlock::Fragment:
    return "TORCH_LIBRARY_FRAGMENT";
  case RegistrationBlock::Impl:
    return "TORCH_LIBRARY_IMPL";
  case RegistrationBlock::Legacy:
  case RegistrationBlock::Unknown:
    return "";
  }
  llvm_unreachable("closed kind");
}

class EntryChecker {
public:
  /// \p Namespace is the one that is meant by the entry's block.
  EntryChecker(EntryRef &E, StringRef Namespace, const Grammar &G, MisplacedNames &Misplaced,
               UnitFiles &Files, Findings &Diags)
      : E(E), Namespace(Namespace), G(G), Misplaced(Misplaced), Files(Files), Diags(Diags) {}

  void run();

private:
  Place at(TextRange Part) const {
    return Files.place(*E.Unit, E.Entry->Text.at(Part.Offset, Part.Length));
  }
  void parse();
  ScriptRules rules() const;
  bool isBetter(StringRef Text, const SchemaError &Like) const;
  void mend(SchemaError Error, Finding &Diag) const;
  std::string ownName(const SchemaError &Error) const;
  void checkNamespace();
  void checkPlace();

  void misplaced(StringRef Name);

  EntryRef &E;
  StringRef Namespace;
  const Grammar &G;
  MisplacedNames &Misplaced;
  UnitFiles &Files;
  Findings &Diags;
};

ScriptRules EntryChecker::rules() const {
  ScriptRules Rules = E.Unit->Names.Strings;
  // Where a kernel comes with the schema, and for c10::RegisterOperators, the rules are older.
  Rules.TypeVariables |=
      E.Entry->Kernel.Is != RegisteredKernel::None || E.Block->Is == RegistrationBlock::Legacy;
  return Rules;
}

/// Without an error, and without a remark like \p Like.
bool EntryChecker::isBetter(StringRef Text, const SchemaError &Like) const {
  SchemaErrors Errors, Remarks;
  return parseScriptSchema(Text, G, rules(), Errors, Remarks) &&
         none_of(Remarks, [&](const SchemaError &R) { return R.Message == Like.Message; });
}

/// What the kernel calls the argument that has another one's name.
std::string EntryChecker::ownName(const SchemaError &Error) const {
  const std::vector<KernelParam> &Params = E.Entry->Kernel.Decl.Params;
  if (Error.Id != finding::RegisteredNameTwice || !E.Schema || !E.Entry->Kernel.hasSignature())
    return "";
  const std::vector<Argument> &Args = E.Schema->Args.All;
  unsigned First = !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
  auto It = find_if(Args, [&](const Argument &A) { return A.NameAt.Offset == Error.Offset; });
  if (It == Args.end() || Params.size() != Args.size() + First)
    return "";
  std::string Name = Params[First + (It - Args.begin())].Name;
  bool Taken = any_of(Args, [&](const Argument &A) { return A.Name == Name; });
  return Taken ? "" : Name;
}

/// Where the string is one literal, letter for letter, and is better then.
void EntryChecker::mend(SchemaError Error, Finding &Diag) const {
  if (Error.Suggestion.empty())
    Error.suggest(ownName(Error));
  if (Error.Suggestion.empty())
    return;
  const LiteralText &Text = E.Entry->Text;
  Span At = Text.at(Error.SuggestionOffset, Error.SuggestionLength);
  std::string Now = Text.Value;
  if (!At.isValid() || At == Text.Whole || At.Length != Error.SuggestionLength ||
      Files.text(*E.Unit, At) !=
          StringRef(Now).substr(Error.SuggestionOffset, Error.SuggestionLength))
    return;
  Now.replace(Error.SuggestionOffset, Error.SuggestionLength, Error.Suggestion);
  if (!isBetter(Now, Error))
    return;
  if (mayEdit(E, {uint32_t(Error.SuggestionOffset), uint32_t(Error.SuggestionLength)}, Diag, Files))
    Diag.Fixes = {{Files.file(*E.Unit, At.File), At.Offset, At.Length, Error.Suggestion}};
}

void EntryChecker::parse() {
  SchemaErrors Errors, Remarks;
  E.Schema = parseScriptSchema(E.Entry->Text.Value, G, rules(), Errors, Remarks);
  size_t Before = Diags.size();
  for (const SchemaErrors *List : {&Errors, &Remarks})
    for (const SchemaError &Error : *List)
      mend(Error, Diags.add(Error.Id, at({uint32_t(Error.Offset), uint32_t(Error.Length)}),
                            Error.Message));
  if (E.Schema)
    Diags.setOp(operatorOf(E), Before);
}

/// Of "add.out" and of "other::add.out" also what the block makes of it.
void EntryChecker::misplaced(StringRef Name) {
  auto [Namespace, Rest] = Name.split("::");
  if (Rest.empty())
    std::swap(Namespace, Rest);
  if (!Namespace.empty())
    Misplaced.insert((Namespace + "::" + Rest).str());
  if (!E.Block->Namespace.empty())
    Misplaced.insert(E.Block->Namespace + "::" + Rest.str());
}

/// The namespace of the string has to be that of the block.
void EntryChecker::checkNamespace() {
  const FunctionSchema &S = *E.Schema;
  StringRef Written = S.operatorNamespace();
  StringRef Block = Namespace;
  bool HasBlock =
      E.Block->Is != RegistrationBlock::Legacy && E.Block->Is != RegistrationBlock::Unknown;
  if (HasBlock && !Written.empty() && Written != Block) {
    Diags
        .report(
            finding::RegistrationNamespace, at(S.NameAt),
            "'{0}' stands in a {1} block of '{2}'; an operator of '{3}' belongs into a block of "
            "its own namespace",
            S.Name.str(), macroOf(E.Block->Is), Block, Written)
        .op(operatorOf(E));
    misplaced(S.Name.str());
    return;
  }
  StringRef Own = Written.empty() ? Block : Written;
  if (!Own.empty() && Own != "_")
    E.Op = (Own + "::" + S.operatorName()).str();
}

/// What may stand in which block, and which string it may have.
void EntryChecker::checkPlace() {
  const RegistrationEntry &Entry = *E.Entry;
  RegistrationBlock::Kind Block = E.Block->Is;
  Place At = Files.place(*E.Unit, Entry.At);
  if (Entry.Is == RegistrationEntry::Fallback) {
    if (Block == RegistrationBlock::Library || Block == RegistrationBlock::Fragment)
      Diags.report(finding::RegistrationMisplaced, At,
                   "a fallback belongs into a TORCH_LIBRARY_IMPL(_, KEY, m) block");
    else if (Block == RegistrationBlock::Impl && E.Block->Namespace != "_")
      Diags.report(finding::RegistrationMisplaced, At,
                   "a fallback cannot serve the namespace '{0}' alone; it belongs into a "
                   "TORCH_LIBRARY_IMPL(_, {1}, m) block",
                   E.Block->Namespace, E.Block->Key.empty() ? "KEY" : E.Block->Key);
    return;
  }
  if (Entry.Is == RegistrationEntry::Def && Block == RegistrationBlock::Impl) {
    Diags.report(finding::RegistrationMisplaced, At,
                 "an operator cannot be defined in a TORCH_LIBRARY_IMPL block; it belongs into the "
                 "TORCH_LIBRARY block of '{0}'",
                 E.Block->Namespace);
    if (E.Schema)
      misplaced(E.Op);
    E.Op.clear();
    return;
  }
  if (Block == RegistrationBlock::Impl && !Entry.Key.empty() && !E.Block->Key.empty() &&
      Entry.Key != E.Block->Key)
    Diags.report(finding::RegistrationMisplaced, At,
                 "the kernel is for {0}, but the block is for {1}", Entry.Key, E.Block->Key);
  if (!E.Schema)
    return;
  bool IsName = E.Schema->NameOnly;
  if (Entry.Is == RegistrationEntry::Impl && !IsName && Block != RegistrationBlock::Legacy) {
    misplaced(E.Op);
    E.Op.clear();
    Diags
        .report(finding::RegistrationMisplaced, at({0, uint32_t(Entry.Text.Value.size())}),
                "impl() takes the name of an operator, not its schema")
        .op(operatorOf(E));
  }
  if (Entry.Is == RegistrationEntry::Def && IsName && !Entry.SchemaUnread &&
      !Entry.Kernel.isUnboxed())
    Diags
        .report(finding::RegistrationMisplaced, at(E.Schema->NameAt),
                Entry.Kernel.Is == RegisteredKernel::None
                    ? "'{0}' is defined by its name alone; without a kernel it needs a schema"
                    : "'{0}' is defined by its name alone; no schema can be inferred from a boxed "
                      "kernel",
                E.Schema->operatorName())
        .op(operatorOf(E));
}

void EntryChecker::run() {
  if (E.Entry->TextKnown) {
    parse();
    if (E.Schema)
      checkNamespace();
    else
      misplaced(StringRef(E.Entry->Text.Value).split('(').first.trim());
  }
  checkPlace();
}

} // namespace

/// Where a file is that its condition is on for, a header needs no other branch.
static std::set<std::pair<SourceId, uint32_t>> entriesOfHeaders(ArrayRef<UnitFacts> Units,
                                                                UnitFiles &Files) {
  std::set<std::pair<SourceId, uint32_t>> Out;
  for (const UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      for (const RegistrationEntry &E : Block.Entries)
        if (!Unit.isOtherBranch() && E.At.isValid() && E.At.File != 0)
          Out.emplace(Files.file(Unit, E.At.File), E.At.Offset);
  return Out;
}

std::vector<BlockRef> opsig::distinctBlocks(ArrayRef<UnitFacts> Units, UnitFiles &Files) {
  std::vector<BlockRef> Out;
  std::set<std::pair<SourceId, uint32_t>> OfHeaders = entriesOfHeaders(Units, Files);
  auto IsRead = [&](const UnitFacts &Unit, const RegistrationBlock &Block) {
    return Unit.isOtherBranch() && !Block.Entries.empty() &&
           all_of(Block.Entries, [&](const RegistrationEntry &E) {
             return OfHeaders.count({Files.file(Unit, E.At.File), E.At.Offset}) != 0;
           });
  };
  // A project's macro may make several blocks at one place, of one unit.
  // A file's other branches are parts of the same blocks.
  using Key = std::tuple<SourceId, uint32_t, RegistrationBlock::Kind, StringRef, StringRef, bool>;
  std::map<Key, const UnitFacts *> Seen;
  for (const UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations) {
      if (IsRead(Unit, Block))
        continue;
      SourceId File = Block.At.isValid() ? Files.file(Unit, Block.At.File) : SourceId::None;
      Key At(File, Block.At.Offset, Block.Is, Block.Namespace, Block.Key, Unit.isOtherBranch());
      if (File == SourceId::None || Seen.try_emplace(At, &Unit).first->second == &Unit)
        Out.push_back({&Unit, &Block});
    }
  return Out;
}

std::vector<EntryRef> opsig::readRegistrations(ArrayRef<BlockRef> Blocks, const Grammar &G,
                                               MisplacedNames &Misplaced, UnitFiles &Files,
                                               Findings &Diags) {
  std::vector<EntryRef> Out;
  std::map<const RegistrationBlock *, StringRef> Misspelled = misspelledNamespaces(Blocks);
  for (const BlockRef &B : Blocks) {
    auto Meant = Misspelled.find(B.Block);
    StringRef Namespace = Meant == Misspelled.end() ? StringRef(B.Block->Namespace) : Meant->second;
    for (const RegistrationEntry &Entry : B.Block->Entries) {
      EntryRef &E = Out.emplace_back(EntryRef{B.Unit, B.Block, &Entry, std::nullopt, "", {}});
      EntryChecker(E, Namespace, G, Misplaced, Files, Diags).run();
    }
  }
  return Out;
}

std::vector<RegisteredOp> opsig::groupEntries(ArrayRef<EntryRef> Entries) {
  std::vector<RegisteredOp> Ops;
  std::map<StringRef, size_t> ByName;
  for (const EntryRef &E : Entries) {
    if (E.Op.empty())
      continue;
    auto [It, New] = ByName.try_emplace(E.Op, Ops.size());
    if (New)
      Ops.push_back({E.Op, {}, {}});
    RegisteredOp &Op = Ops[It->second];
    if (E.Entry->Is == RegistrationEntry::Def)
      Op.Defs.push_back(&E);
    if (E.Entry->Kernel.Is != RegisteredKernel::None)
      Op.Kernels.push_back(&E);
  }
  return Ops;
}
