//===- SyncRegistrations.cpp - m.impl lines that are added and removed -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block belongs to the backend if it registers functions of its class, or nothing at all, for
// one of its keys. Of such a block the lines with functions of the class are ours; lambdas,
// fallthroughs and functions from elsewhere stay.
//
// Most backends with a YAML have their registrations generated from it, and write a few others by
// hand: where lines are missing for most of the kernels that there are, none is missing.
//
//===----------------------------------------------------------------------===//
#include "SyncInternal.h"
#include "opsig/Registry/Registry.h"
#include "opsig/Support/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

constexpr Template LineText = R"(${variable}.impl("${if qualified}aten::${end}${op}", ${kernel});)";
constexpr Template KernelText = "TORCH_FN(${scope}::${name})";
constexpr Template CastText = "static_cast<${type}>(&${scope}::${name})";

class RegistrationSync {
public:
  RegistrationSync(SyncContext &Context, const opsig::Registry &R, const BackendKernels &Kernels,
                   DispatchKey Key, std::vector<SyncEdit> &Out);

  void run();

private:
  /// Of the class itself, and not of a namespace or class within.
  bool isOurs(const RegistrationEntry &E) const {
    StringRef Name = E.Kernel.Name;
    return Name.consume_front(Scope + "::") && !Name.split('<').first.contains("::");
  }
  /// Of a header's block every unit that includes it has a copy.
  bool isOurs(const BlockRef &Of) const {
    const RegistrationBlock &B = *Of.Block;
    return !B.Stable && B.At.File == 0 && Context.editable(*Of.Unit, B.Body) && B.Body.isValid() &&
           B.isWhole() && B.Filler.empty() &&
           (B.Entries.empty() || any_of(B.Entries, [&](const auto &E) { return isOurs(E); }));
  }
  void collect();
  bool isByHand() const;
  bool hasToTell(const EntryRef &E, const ExpectedKernel &W);
  void spellOut(const EntryRef &E, const ExpectedKernel &W);
  void add();
  void addAt(const Slot &S);
  void remove(const EntryRef &E);
  std::string line(const ExpectedKernel &W, const UnitFacts &Unit, const EntryRef *Like,
                   StringRef Variable);
  std::string kernel(const ExpectedKernel &W, const UnitFacts &Unit, const EntryRef *Like);
  std::string cast(const ExpectedKernel &W, const UnitFacts &Unit);
  void edit(SyncEdit::Kind Is, Fix F, size_t Count = 1) {
    Out.push_back({Is, unsigned(Count), {std::move(F)}});
  }
  Fix fix(SourceId File, const Insertion &I) { return {File, uint32_t(I.Offset), 0, I.Text}; }
  StringRef textOf(SourceId File) { return Context.Files.sources().text(File); }

  SyncContext &Context;
  const opsig::Registry &R;
  const BackendKernels &Kernels;
  std::string Scope;
  DispatchKey Key;
  std::vector<SyncEdit> &Out;
  std::vector<const ExpectedKernel *> Expected; ///< for the key, in the order of the YAML
  std::set<StringRef> Overloaded;               ///< functions that several kernels are called
  std::vector<BlockRef> Owned;
  /// What registers each of Expected; null for none.
  std::vector<const EntryRef *> Entries;
  std::vector<bool> Anchor; ///< of Entries: others can be put next to it
  std::vector<const EntryRef *> Stale;
  /// Some block of the key could not be read: what is missing may be there.
  bool Incomplete = false;
};

RegistrationSync::RegistrationSync(SyncContext &Context, const opsig::Registry &R,
                                   const BackendKernels &Kernels, DispatchKey Key,
                                   std::vector<SyncEdit> &Out)
    : Context(Context), R(R), Kernels(Kernels), Scope(Kernels.Scope), Key(Key), Out(Out) {
  std::set<StringRef> Names;
  for (const ExpectedKernel *W : Kernels.Expected) {
    if (!Names.insert(W->Name).second)
      Overloaded.insert(W->Name);
    // The YAML's own operators are registered by what is generated of it.
    if (W->Key == Key && W->Function->Namespace == "aten")
      Expected.push_back(W);
  }
}

void RegistrationSync::collect() {
  Entries.resize(Expected.size());
  Anchor.resize(Expected.size());
  auto IsOfKey = [&](const RegistrationBlock &B) {
    return B.Is == RegistrationBlock::Impl && (B.Namespace == "aten" || B.Namespace == "_") &&
           B.Key == toString(Key);
  };
  for (const BlockRef &B : R.blocks()) {
    if (!IsOfKey(*B.Block))
      continue;
    Incomplete |= !B.Block->isWhole();
    if (isOurs(B))
      Owned.push_back(B);
  }
  for (const EntryRef &E : R.entries()) {
    if (!IsOfKey(*E.Block) || E.Entry->Is != RegistrationEntry::Impl || !E.Entry->TextKnown)
      continue;
    bool Ours = isOurs(E.from()), Conditional = E.Entry->Conditional;
    Span At = E.Entry->At, Body = E.Block->Body;
    std::string Op = writtenOperator(*E.Block, *E.Entry);
    auto It = find_if(Expected, [&](const ExpectedKernel *W) {
      return "aten::" + W->Function->Schema.Name.str() == Op;
    });
    if (It != Expected.end()) {
      Entries[It - Expected.begin()] = &E;
      Anchor[It - Expected.begin()] = Ours && !Conditional && At.isValid() &&
                                      At.File == Body.File && At.Offset >= Body.Offset &&
                                      At.end() <= Body.end();
    } else if (Ours && isOurs(*E.Entry) && !Conditional) {
      Stale.push_back(&E);
    }
  }
}

/// The kernels that there are tell who registers them; before there are any, an empty block does.
bool RegistrationSync::isByHand() const {
  if (all_of(Owned, [](const BlockRef &B) { return B.Block->Entries.empty(); }))
    return true;
  size_t Existing = 0, Registered = 0;
  for (size_t I = 0; I < Expected.size(); ++I) {
    auto IsOf = [&](const Match &M) { return M.Expected == Expected[I]; };
    if (!any_of(Kernels.Definitions, IsOf) && !any_of(Kernels.Declarations, IsOf))
      continue;
    ++Existing;
    Registered += bool(Entries[I]);
  }
  return 2 * Registered >= Existing;
}

std::string RegistrationSync::cast(const ExpectedKernel &W, const UnitFacts &Unit) {
  return printed<CastText>("type"_hole =
                               pointerType(W.Signature, Unit, Context.Input.D, Context.Files),
                           "scope"_hole = Scope, "name"_hole = W.Name);
}

/// The kernel as the line \p Like has its own.
std::string RegistrationSync::kernel(const ExpectedKernel &W, const UnitFacts &Unit,
                                     const EntryRef *Like) {
  if (Overloaded.count(W.Name))
    return cast(W, Unit);
  if (Like && isOurs(*Like->Entry) && Like->Entry->Kernel.Is == RegisteredKernel::Function) {
    std::string Use = Context.Files.text(*Like->Unit, Like->Entry->Kernel.Use).str();
    StringRef Name = StringRef(Like->Entry->Kernel.Name).rsplit("::").second;
    if (size_t At = Use.rfind(Name); At != std::string::npos && !StringRef(Use).contains("<"))
      return Use.replace(At, Name.size(), W.Name);
  }
  return printed<KernelText>("scope"_hole = Scope, "name"_hole = W.Name);
}

std::string RegistrationSync::line(const ExpectedKernel &W, const UnitFacts &Unit,
                                   const EntryRef *Like, StringRef Variable) {
  bool Qualified = Like && StringRef(Like->Entry->Text.Value).starts_with("aten::");
  return printed<LineText>("variable"_hole = Variable, "qualified"_hole = Qualified,
                           "op"_hole = W.Function->Schema.Name.str(),
                           "kernel"_hole = kernel(W, Unit, Like));
}

/// The plain name no longer tells, or the type that tells is that of a signature that changes.
bool RegistrationSync::hasToTell(const EntryRef &E, const ExpectedKernel &W) {
  const RegisteredKernel &Kernel = E.Entry->Kernel;
  if (Kernel.Is == RegisteredKernel::Overloaded)
    return true;
  auto Changes = [&](const Match &M) { return M.Expected == &W && !M.Differences.empty(); };
  return Context.Files.text(*E.Unit, Kernel.Use).starts_with("static_cast<") &&
         (any_of(Kernels.Definitions, Changes) || any_of(Kernels.Declarations, Changes));
}

/// Says which of several functions of that name is meant.
void RegistrationSync::spellOut(const EntryRef &E, const ExpectedKernel &W) {
  Span Use = E.Entry->Kernel.Use;
  if (Context.editable(*E.Unit, Use))
    edit(SyncEdit::Registration,
         {Context.Files.file(*E.Unit, Use.File), Use.Offset, Use.Length, cast(W, *E.Unit)});
}

void RegistrationSync::addAt(const Slot &S) {
  if (S.Where == Slot::AtEnd) {
    const auto &[Unit, Block] = Owned.front();
    SourceId File = Context.Files.file(*Unit, Block->Body.File);
    StringRef Text = textOf(File);
    std::vector<std::string> Lines;
    for (size_t I : S.Items)
      Lines.push_back(line(*Expected[I], *Unit, nullptr, Block->Variable));
    std::string Indentation = (indentationAt(Text, Block->Body.Offset) + "  ").str();
    edit(SyncEdit::Registration,
         fix(File, insertAtEnd(Text, Block->Body.Offset, Block->Body.end(), Lines, Indentation,
                               Gap::Line)),
         S.Items.size());
    return;
  }
  const EntryRef &Like = *Entries[S.Anchor];
  Span At = Like.Entry->At;
  SourceId File = Context.Files.file(*Like.Unit, At.File);
  StringRef Text = textOf(File);
  StringRef Variable =
      Text.substr(At.Offset, At.Length).take_until([](char C) { return C == '.'; });
  std::vector<std::string> Lines;
  for (size_t I : S.Items)
    Lines.push_back(line(*Expected[I], *Like.Unit, &Like, Variable.rtrim()));
  if (S.Where == Slot::Before)
    return edit(SyncEdit::Registration, fix(File, insertBefore(Text, At.Offset, Lines, Gap::Line)),
                S.Items.size());
  if (std::optional<size_t> End = endOfStatement(Text, At.end()))
    edit(SyncEdit::Registration, fix(File, insertBehind(Text, At.Offset, *End, Lines, Gap::Line)),
         S.Items.size());
}

void RegistrationSync::add() {
  std::vector<Presence> Items;
  for (size_t I = 0; I < Expected.size(); ++I)
    Items.push_back(Anchor[I]                              ? Presence::Here
                    : Entries[I] || Expected[I]->Generated ? Presence::Elsewhere
                                                           : Presence::Missing);
  for (const Slot &S : placeInOrder(Items))
    addAt(S);
}

void RegistrationSync::remove(const EntryRef &E) {
  Span At = E.Entry->At;
  if (!Context.editable(*E.Unit, At))
    return;
  SourceId File = Context.Files.file(*E.Unit, At.File);
  StringRef Text = textOf(File);
  std::optional<size_t> End = endOfStatement(Text, At.end());
  if (!End)
    return;
  auto [Offset, Length] = removalOf(Text, At.Offset, *End);
  edit(SyncEdit::Removal, {File, uint32_t(Offset), uint32_t(Length), ""});
}

void RegistrationSync::run() {
  collect();
  for (size_t I = 0; I < Expected.size(); ++I)
    if (Entries[I] && isOurs(*Entries[I]->Entry) && hasToTell(*Entries[I], *Expected[I]))
      spellOut(*Entries[I], *Expected[I]);
  if (!isByHand())
    return;
  for (const EntryRef *E : Stale)
    remove(*E);
  if (!Owned.empty() && !Incomplete)
    add();
}

} // namespace

void opsig::syncRegistrations(SyncContext &Context, const BackendKernels &Kernels,
                              std::vector<SyncEdit> &Out) {
  std::vector<DispatchKey> Keys;
  for (const ExternalBackend &Backend : Context.Input.Backends)
    if (Backend.CppNamespace + "::" + Backend.ClassName == Kernels.Class)
      for (const ExternalBackend::Kernels &Of : Backend.kernels())
        Keys.push_back(Of.Index->Key);
  opsig::Registry R(Context.Input.Units, grammarOf(Context.Input.D), Context.Files);
  for (DispatchKey Key : Keys)
    RegistrationSync(Context, R, Kernels, Key, Out).run();
}
