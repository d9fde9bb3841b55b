//===- CodeIndex.cpp - Who registers what, for an editor ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Editor/CodeIndex.h"
#include "llvm/Support/Path.h"

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

FileSpan CodeIndex::place(const EntryRef &E, Span At) const {
  if (!At.isValid())
    return {};
  return {sourceOf(E).pathOf(At.File), At.Offset, At.Length};
}

FileSpan CodeIndex::name(const EntryRef &E) const {
  TextRange Name = E.Schema ? E.Schema->NameAt : TextRange();
  return E.Schema ? place(E, E.Entry->Text.at(Name.Offset, Name.Length)) : text(E);
}

FileSpan CodeIndex::use(const EntryRef &E) const {
  FileSpan Use = place(E, E.Entry->Kernel.Use), Call = place(E, E.Entry->At), String = text(E);
  size_t Behind = String.Offset + String.Length, End = Call.Offset + Call.Length;
  if (Use.isValid() || !E.hasKernel() || !Call.isValid() || Call.Path != String.Path ||
      End <= Behind)
    return Use;
  return {Call.Path, Behind, End - Behind};
}

FileSpan CodeIndex::kernel(const EntryRef &E) const {
  const RegisteredKernel &K = E.Entry->Kernel;
  FileSpan Declared = K.hasSignature() ? place(E, K.Decl.NameAt) : FileSpan();
  return Declared.isValid() ? Declared : use(E);
}

CodeIndex::CodeIndex(std::vector<SourceFactsPtr> Given) : Sources(std::move(Given)) {
  std::vector<const UnitFacts *> Units;
  for (const SourceFactsPtr &From : Sources) {
    Units.push_back(&From->Unit);
    SourceOf[&From->Unit] = From.get();
    if (From->Schemas && !llvm::is_contained(Schemas, From->Schemas))
      Schemas.push_back(From->Schemas);
  }
  auto GrammarOf = [&](const UnitFacts &Unit) {
    const std::shared_ptr<const LoadedSchemas> &Known = SourceOf[&Unit]->Schemas;
    return grammarOf(Known ? *Known->Ops->D : *allDialects().back());
  };
  auto NameOf = [&](const UnitFacts &Unit, uint32_t File) { return SourceOf[&Unit]->pathOf(File); };
  Registered = std::make_unique<Registry>(Units, GrammarOf, NameOf);
  for (EntryRef &E : Registered->entries())
    if (E.Op.empty() && E.Entry->Is != RegistrationEntry::Fallback)
      E.Op = writtenOperator(*E.Block, *E.Entry);
  Registered->group();
  llvm::append_range(Ops, llvm::make_pointer_range(Registered->operators()));
  llvm::sort(Ops, [](const auto *L, const auto *R) { return L->Name < R->Name; });
}

llvm::ArrayRef<const EntryRef *> CodeIndex::defsOf(llvm::StringRef Op) const {
  const RegisteredOp *Known = find(Op);
  return Known ? llvm::ArrayRef(Known->Defs) : llvm::ArrayRef<const EntryRef *>();
}

llvm::ArrayRef<const EntryRef *> CodeIndex::kernelsOf(llvm::StringRef Op) const {
  const RegisteredOp *Known = find(Op);
  return Known ? llvm::ArrayRef(Known->Kernels) : llvm::ArrayRef<const EntryRef *>();
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
