//===- CodeIndex.cpp - Who registers what, for an editor ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Editor/CodeIndex.h"
#include "llvm/Support/Path.h"
#include <set>

namespace path = llvm::sys::path;

namespace opsig {

std::string SourceFacts::pathOf(uint32_t File) const {
  if (File == 0 || File >= Unit.Files.size())
    return File == 0 ? Path : "";
  llvm::SmallString<256> Name(Unit.Files[File]);
  if (!path::is_absolute(Name))
    Name = (path::parent_path(Path) + "/" + Unit.Files[File]).str();
  path::remove_dots(Name, /*remove_dot_dot=*/true);
  return std::string(Name);
}

FileSpan IndexedEntry::place(Span At) const {
  if (!At.isValid())
    return {};
  return {From->pathOf(At.File), At.Offset, At.Length};
}

FileSpan IndexedEntry::place(TextRange Part) const {
  return place(Entry->Text.at(Part.Offset, Part.Length));
}

FileSpan IndexedEntry::name() const { return Schema ? place(Schema->NameAt) : text(); }

FileSpan IndexedEntry::use() const {
  FileSpan Use = place(Entry->Kernel.Use), Call = place(Entry->At), String = text();
  size_t Behind = String.Offset + String.Length, End = Call.Offset + Call.Length;
  if (Use.isValid() || !hasKernel() || !Call.isValid() || Call.Path != String.Path || End <= Behind)
    return Use;
  return {Call.Path, Behind, End - Behind};
}

FileSpan IndexedEntry::kernel() const {
  const RegisteredKernel &K = Entry->Kernel;
  FileSpan Declared = K.hasSignature() ? place(K.Decl.NameAt) : FileSpan();
  return Declared.isValid() ? Declared : use();
}

CodeIndex::CodeIndex(std::vector<SourceFactsPtr> Given) : Sources(std::move(Given)) {
  for (const SourceFactsPtr &From : Sources)
    if (From->Schemas && !llvm::is_contained(Schemas, From->Schemas))
      Schemas.push_back(From->Schemas);
  std::set<std::pair<std::string, uint32_t>> Seen;
  for (const SourceFactsPtr &From : Sources)
    for (const RegistrationBlock &Block : From->Unit.Registrations)
      if (!Block.At.isValid() || Seen.insert({From->pathOf(Block.At.File), Block.At.Offset}).second)
        add(*From, Block);
  for (const IndexedEntry &E : Entries) {
    if (E.Op.empty())
      continue;
    IndexedOp &Op = Ops[E.Op];
    if (E.isDef())
      Op.Defs.push_back(&E);
    if (E.hasKernel())
      Op.Kernels.push_back(&E);
  }
}

void CodeIndex::add(const SourceFacts &From, const RegistrationBlock &Block) {
  Grammar G = From.Schemas ? grammarOf(*From.Schemas->Ops->D) : grammarOf(*allDialects().back());
  for (const RegistrationEntry &Entry : Block.Entries) {
    IndexedEntry &E = Entries.emplace_back(IndexedEntry{&From, &Block, &Entry, std::nullopt, ""});
    if (!Entry.TextKnown || Entry.Is == RegistrationEntry::Fallback)
      continue;
    SchemaErrors Errors, Remarks;
    E.Schema = parseScriptSchema(Entry.Text.Value, G, From.Unit.Names.Strings, Errors, Remarks);
    // A schema with a mistake names its operator all the same.
    llvm::StringRef Name =
        E.Schema ? llvm::StringRef() : llvm::StringRef(Entry.Text.Value).split('(').first.trim();
    std::string Operator = E.Schema ? E.Schema->operatorName() : Name.rsplit("::").second.str();
    std::string Namespace = E.Schema              ? E.Schema->operatorNamespace().str()
                            : Name.contains("::") ? Name.rsplit("::").first.str()
                                                  : "";
    if (!E.Schema && !Name.contains("::"))
      Operator = Name.str();
    if (Namespace.empty())
      Namespace = Block.Namespace;
    if (!Operator.empty() && !Namespace.empty() && Namespace != "_")
      E.Op = Namespace + "::" + Operator;
  }
}

const IndexedOp *CodeIndex::find(llvm::StringRef Op) const {
  auto Known = Ops.find(Op);
  return Known == Ops.end() ? nullptr : &Known->second;
}

const NativeFunction *CodeIndex::native(llvm::StringRef Op, const LoadedSchemas **Of) const {
  for (const auto &Loaded : Schemas) {
    llvm::StringRef Name = Op;
    const NativeFunction *F = Name.consume_front("aten::") ? Loaded->Ops->find(Name) : nullptr;
    for (const ExternalBackend &B : Loaded->Backends)
      if (!F)
        F = B.findCustom(Op);
    if (F && Of)
      *Of = Loaded.get();
    if (F)
      return F;
  }
  return nullptr;
}

TextShift::TextShift(llvm::StringRef Then, llvm::StringRef Now)
    : Front(0), Back(0), ThenSize(Then.size()), NowSize(Now.size()) {
  size_t Most = std::min(ThenSize, NowSize);
  while (Front < Most && Then[Front] == Now[Front])
    ++Front;
  while (Back < Most - Front && Then[ThenSize - 1 - Back] == Now[NowSize - 1 - Back])
    ++Back;
}

static std::optional<size_t> shifted(size_t At, size_t Front, size_t Back, size_t From, size_t To) {
  if (At <= Front)
    return At;
  if (At <= From && From - At <= Back)
    return To - (From - At);
  return std::nullopt;
}

std::optional<size_t> TextShift::then(size_t Now) const {
  return shifted(Now, Front, Back, NowSize, ThenSize);
}

std::optional<size_t> TextShift::now(size_t Then) const {
  return shifted(Then, Front, Back, ThenSize, NowSize);
}

} // namespace opsig
