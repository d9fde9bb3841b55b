//===- CodeActions.cpp - What an editor offers to write -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   m.def("scale(Tensor self, float factor) -> Tensor");
// =>
//   at::Tensor scale(const at::Tensor & self, double factor);
//   ...
//   m.impl("scale", &scale);
//
//===----------------------------------------------------------------------===//
#include "opsig/Editor/CodeActions.h"
#include "opsig/Check/KernelSkeleton.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using llvm::StringRef;

namespace opsig {

namespace {

bool isIdentifier(StringRef Name) {
  return !Name.empty() && !llvm::isDigit(Name.front()) &&
         llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

/// "add_out" of "ns::add.out".
std::string plainName(StringRef Op) {
  std::string Name = Op.split("::").second.str();
  llvm::replace(Name, '.', '_');
  return Name;
}

/// "f" of `&f`, `f`, `TORCH_FN(f)`, `TORCH_BOX(&f)`; "" for what is no name alone. \p Use may have
/// the comma before it and what ends the call.
StringRef namedKernel(StringRef Use) {
  Use = Use.trim();
  if (Use.consume_front(",")) {
    Use = Use.rtrim("; \t\r\n");
    Use.consume_back(")");
    Use = Use.trim();
  }
  for (StringRef Macro : {"TORCH_FN", "TORCH_BOX"})
    if (Use.starts_with(Macro) && Use.drop_front(Macro.size()).trim().starts_with("(") &&
        Use.ends_with(")"))
      Use = Use.drop_front(Use.find('(') + 1).drop_back().trim();
  Use.consume_front("&");
  return isIdentifier(Use.trim()) ? Use.trim() : StringRef();
}

/// "scale_cuda" says that it is no kernel for CPU.
bool isForOther(StringRef Function, StringRef Key) {
  StringRef Suffix = Function.rsplit('_').second;
  for (unsigned Other = 0; Other < NumDispatchKeys; ++Other)
    if (!Suffix.empty() && Suffix == toLower(DispatchKey(Other)))
      return Suffix != Key.lower();
  return false;
}

class ActionWriter {
public:
  ActionWriter(const CodeIndex &Index, const CodeAnswers &Answers, std::string Path,
               std::shared_ptr<const std::string> Now)
      : Index(Index), Answers(Answers), Path(std::move(Path)), Now(std::move(Now)) {}

  std::vector<CodeAction> forEntry(const EntryRef &E);
  std::vector<CodeAction> forFunction(StringRef Name);

private:
  /// A block of this file that kernels can be added to.
  struct Place {
    const SourceFacts *From;
    const RegistrationBlock *Block;
    size_t Open, Close; ///< its braces, now
  };
  std::optional<Place> placeOf(const SourceFacts &From, const RegistrationBlock &Block) const;
  std::vector<Place> places(StringRef Namespace) const;
  const EntryRef *schemaOf(StringRef Op) const;
  std::optional<std::string> declaration(StringRef Op, StringRef Name, KernelInterface For) const;
  bool hasFunction(StringRef Name) const;
  std::vector<std::string> candidates(StringRef Op) const;

  CodeEdit registration(const Place &In, StringRef Op, StringRef Name) const;
  CodeEdit declarationBefore(const RegistrationBlock &Block, const SourceFacts &From,
                             StringRef Declaration) const;
  void declareNamed(const EntryRef &E, std::vector<CodeAction> &Out) const;
  void registerIt(const EntryRef &Def, std::vector<CodeAction> &Out) const;
  void addMeta(const EntryRef &Def, std::vector<CodeAction> &Out) const;
  void offer(StringRef Op, StringRef Name, const Place &In, bool Declares,
             std::vector<CodeAction> &Out) const;

  const CodeIndex &Index;
  const CodeAnswers &Answers;
  std::string Path;
  std::shared_ptr<const std::string> Now;
};

//===-- what there is -------------------------------------------------------------===//

std::optional<ActionWriter::Place> ActionWriter::placeOf(const SourceFacts &From,
                                                         const RegistrationBlock &Block) const {
  if (!Block.Body.isValid() || From.pathOf(Block.Body.File) != Path || Block.Variable.empty())
    return std::nullopt;
  FileSpan Body = Answers.now({Path, Block.Body.Offset, Block.Body.Length});
  // Where braces were is where braces are, or what was read is of another text.
  if (Body.Offset == 0 || Body.Offset + Body.Length >= Now->size() ||
      (*Now)[Body.Offset - 1] != '{' || (*Now)[Body.Offset + Body.Length] != '}')
    return std::nullopt;
  return Place{&From, &Block, Body.Offset - 1, Body.Offset + Body.Length};
}

std::vector<ActionWriter::Place> ActionWriter::places(StringRef Namespace) const {
  std::vector<Place> Out;
  for (const SourceFactsPtr &From : Index.sources())
    for (const RegistrationBlock &Block : From->Unit.Registrations) {
      if (Block.Is != RegistrationBlock::Impl || Block.Namespace != Namespace || Block.Key.empty())
        continue;
      std::optional<Place> At = placeOf(*From, Block);
      if (At && llvm::none_of(Out, [&](const Place &P) { return P.Close == At->Close; }))
        Out.push_back(*At);
    }
  return Out;
}

const EntryRef *ActionWriter::schemaOf(StringRef Op) const {
  for (const EntryRef *Def : Index.defsOf(Op))
    if (Def->Schema && !Def->Schema->NameOnly)
      return Def;
  return nullptr;
}

std::optional<std::string> ActionWriter::declaration(StringRef Op, StringRef Name,
                                                     KernelInterface For) const {
  if (const EntryRef *Def = schemaOf(Op)) {
    const LoadedSchemas *Of = Index.sourceOf(*Def).Schemas.get();
    const Dialect &D = Of ? *Of->Ops->D : *allDialects().back();
    return kernelSkeleton(*Def->Schema, Name, For, D);
  }
  const LoadedSchemas *In = nullptr;
  const NativeFunction *F = Index.native(Op, &In);
  if (!F || For == KernelInterface::Stable || whyNotLowerable(F->Schema, *In->Ops->D))
    return std::nullopt;
  const Dialect &D = *In->Ops->D;
  return dispatcherSignature(F->Schema, Lowering::of(*F, D)).defn(D, Name);
}

bool ActionWriter::hasFunction(StringRef Name) const {
  for (const SourceFactsPtr &From : Index.sources()) {
    if (From->Path != Path)
      continue;
    auto IsIt = [&](const auto &Decl) { return Decl.Name == Name; };
    if (llvm::any_of(From->Unit.Definitions, IsIt) || llvm::any_of(From->Unit.Kernels, IsIt) ||
        llvm::any_of(From->Unit.Unused, [&](const auto &K) { return K.Decl.Name == Name; }))
      return true;
  }
  return false;
}

/// Functions of this file that nothing registers, and whose names begin as the operator's.
std::vector<std::string> ActionWriter::candidates(StringRef Op) const {
  std::set<std::string> Registered, Found;
  for (const EntryRef &E : Index.entries())
    if (E.Entry->Kernel.hasSignature())
      Registered.insert(E.Entry->Kernel.Decl.Name);
  const EntryRef *Def = schemaOf(Op);
  if (!Def)
    return {};
  std::string Base = StringRef(Def->Schema->operatorName()).split('.').first.str();
  auto Add = [&](const KernelDecl &Decl) {
    StringRef Rest = Decl.Name;
    bool IsLike = Rest.consume_front(Base) && (Rest.empty() || Rest.starts_with("_"));
    if (IsLike && Decl.Definition && !Decl.Member && !Registered.count(Decl.Name) &&
        Decl.Params.size() == Def->Schema->Args.size())
      Found.insert(Decl.Name);
  };
  for (const SourceFactsPtr &From : Index.sources()) {
    if (From->Path != Path)
      continue;
    for (const KernelDecl &Decl : From->Unit.Definitions)
      Add(Decl);
    for (const RegisteredKernel &K : From->Unit.Unused)
      Add(K.Decl);
  }
  return {Found.begin(), Found.end()};
}

//===-- edits -----------------------------------------------------------------------===//

/// On a line of its own before the closing brace, indented as the last statement is.
CodeEdit ActionWriter::registration(const Place &In, StringRef Op, StringRef Name) const {
  StringRef Text = *Now;
  StringRef Body = Text.slice(In.Open + 1, In.Close);
  std::string Function = "&" + Name.str();
  if (In.Block->Stable)
    Function = "TORCH_BOX(" + Function + ")";
  std::string Call =
      In.Block->Variable + ".impl(\"" + Op.split("::").second.str() + "\", " + Function + ");";
  StringRef Last = Body.rtrim();
  if (!Body.drop_front(Last.size()).contains('\n')) {
    bool IsOneLine = !Body.contains('\n') && !Last.empty();
    return {In.Close, IsOneLine ? Call + " " : "\n  " + Call + "\n"};
  }
  size_t Line = Last.rfind('\n');
  StringRef Indent =
      Line == StringRef::npos
          ? "  "
          : Last.drop_front(Line + 1).take_while([](char C) { return C == ' ' || C == '\t'; });
  return {In.Open + 1 + Last.size(), "\n" + (Last.empty() ? "  " : Indent.str()) + Call};
}

/// Before the line that begins the block.
CodeEdit ActionWriter::declarationBefore(const RegistrationBlock &Block, const SourceFacts &From,
                                         StringRef Declaration) const {
  FileSpan At = Answers.now({From.pathOf(Block.At.File), Block.At.Offset, Block.At.Length});
  size_t Line = StringRef(*Now).take_front(At.Offset).rfind('\n');
  return {Line == StringRef::npos ? 0 : Line + 1, Declaration.str() + ";\n\n"};
}

void ActionWriter::offer(StringRef Op, StringRef Name, const Place &In, bool Declares,
                         std::vector<CodeAction> &Out) const {
  CodeAction Action;
  StringRef Key = In.Block->Key;
  std::string For = Key.empty() ? "" : " for " + Key.str();
  std::string Shown = "'" + Name.str() + "'";
  if (Declares) {
    KernelInterface Interface =
        In.Block->Stable ? KernelInterface::Stable : KernelInterface::Dispatcher;
    std::optional<std::string> Declaration = declaration(Op, Name, Interface);
    if (!Declaration)
      return;
    Action.Edits.push_back(declarationBefore(*In.Block, *In.From, *Declaration));
  }
  Action.Title = (Declares ? "declare the kernel " + Shown + " and register it" + For
                           : "register " + Shown + For) +
                 " (" + Op.str() + ")";
  Action.Edits.push_back(registration(In, Op, Name));
  Out.push_back(std::move(Action));
}

/// A registration names a function that is not there.
void ActionWriter::declareNamed(const EntryRef &E, std::vector<CodeAction> &Out) const {
  const RegisteredKernel &K = E.Entry->Kernel;
  FileSpan Use = Answers.now(Index.use(E));
  if (K.Is != RegisteredKernel::Unread || Use.Path != Path || Use.Length == 0 ||
      Use.Offset + Use.Length > Now->size())
    return;
  StringRef Name = namedKernel(StringRef(*Now).substr(Use.Offset, Use.Length));
  if (Name.empty() || hasFunction(Name))
    return;
  KernelInterface For = E.Block->Stable ? KernelInterface::Stable : KernelInterface::Dispatcher;
  if (std::optional<std::string> Declaration = declaration(E.Op, Name, For))
    Out.push_back({"declare the kernel '" + Name.str() + "' (" + E.Op + ")",
                   {declarationBefore(*E.Block, Index.sourceOf(E), *Declaration)}});
}

/// An operator has a definition, and no kernel in sight.
void ActionWriter::registerIt(const EntryRef &Def, std::vector<CodeAction> &Out) const {
  const RegisteredOp *Op = Index.find(Def.Op);
  if (!Op || !Op->Kernels.empty())
    return;
  std::vector<Place> In = places(Def.Block->Namespace);
  if (In.empty())
    if (std::optional<Place> Own = placeOf(Index.sourceOf(Def), *Def.Block))
      In.push_back(*Own);
  for (const Place &At : In) {
    std::vector<std::string> Functions = candidates(Def.Op);
    llvm::erase_if(Functions, [&](StringRef Name) { return isForOther(Name, At.Block->Key); });
    for (const std::string &Function : Functions)
      offer(Def.Op, Function, At, /*Declares=*/false, Out);
    std::string Name = plainName(Def.Op);
    if (!At.Block->Key.empty())
      Name += "_" + StringRef(At.Block->Key).lower();
    if (Functions.empty() && isIdentifier(Name) && !hasFunction(Name))
      offer(Def.Op, Name, At, /*Declares=*/true, Out);
  }
}

void ActionWriter::addMeta(const EntryRef &Def, std::vector<CodeAction> &Out) const {
  const RegisteredOp *Op = Index.find(Def.Op);
  auto ServesMeta = [](const EntryRef *E) {
    StringRef Key = E->key();
    return Key.empty() || Key == "Meta" || Key.starts_with("Composite") || E->Entry->KeyUnknown;
  };
  if (!Op || Op->Kernels.empty() || llvm::any_of(Op->Kernels, ServesMeta))
    return;
  std::string Name = plainName(Def.Op) + "_meta";
  if (!isIdentifier(Name) || hasFunction(Name))
    return;
  CodeAction Action;
  std::string Title = "add the Meta kernel '" + Name + "' (" + Def.Op + ")";
  for (const Place &In : places(Def.Block->Namespace))
    if (In.Block->Key == "Meta") {
      std::vector<CodeAction> Made;
      offer(Def.Op, Name, In, /*Declares=*/true, Made);
      if (!Made.empty())
        Out.push_back({Title, std::move(Made.front().Edits)});
      return;
    }
  KernelInterface For = Def.Block->Stable ? KernelInterface::Stable : KernelInterface::Dispatcher;
  std::optional<std::string> Declaration = declaration(Def.Op, Name, For);
  if (!Declaration || !isIdentifier(Def.Block->Namespace))
    return;
  std::string Function = Def.Block->Stable ? "TORCH_BOX(&" + Name + ")" : "&" + Name;
  bool EndsLine = Now->empty() || Now->back() == '\n';
  std::string Block = (EndsLine ? "\n" : "\n\n") + *Declaration + ";\n\n" +
                      (Def.Block->Stable ? "STABLE_" : "") + "TORCH_LIBRARY_IMPL(" +
                      Def.Block->Namespace + ", Meta, m) {\n  m.impl(\"" +
                      StringRef(Def.Op).split("::").second.str() + "\", " + Function + ");\n}\n";
  Out.push_back({Title, {{Now->size(), Block}}});
}

std::vector<CodeAction> ActionWriter::forEntry(const EntryRef &E) {
  std::vector<CodeAction> Out;
  declareNamed(E, Out);
  const EntryRef *Def = E.isDef() ? &E : schemaOf(E.Op);
  if (Def && Def->Schema && !Def->Schema->NameOnly && Index.text(*Def).Path == Path) {
    registerIt(*Def, Out);
    addMeta(*Def, Out);
  }
  return Out;
}

/// The operators of this file that a function which nothing registers may be meant for.
std::vector<CodeAction> ActionWriter::forFunction(StringRef Name) {
  std::vector<CodeAction> Out;
  for (const RegisteredOp *Op : Index.ops()) {
    const EntryRef *Def = schemaOf(Op->Name);
    if (Def && Index.text(*Def).Path == Path && llvm::is_contained(candidates(Op->Name), Name))
      registerIt(*Def, Out);
  }
  std::string Expected = "register '" + Name.str() + "'";
  llvm::erase_if(Out,
                 [&](const CodeAction &A) { return !StringRef(A.Title).starts_with(Expected); });
  return Out;
}

/// The function whose name is at \p Then in the file.
StringRef functionAt(const CodeIndex &Index, StringRef Path, size_t Then) {
  auto Covers = [&](const SourceFacts &From, const KernelDecl &Decl) {
    return Decl.NameAt.isValid() && Decl.NameAt.Offset <= Then && Then <= Decl.NameAt.end() &&
           From.pathOf(Decl.NameAt.File) == Path;
  };
  for (const SourceFactsPtr &From : Index.sources()) {
    for (const KernelDecl &Decl : From->Unit.Definitions)
      if (Covers(*From, Decl))
        return Decl.Name;
    for (const RegisteredKernel &K : From->Unit.Unused)
      if (Covers(*From, K.Decl))
        return K.Decl.Name;
  }
  return "";
}

} // namespace

std::vector<CodeAction> codeActions(const CodeIndex &Index, const CodeAnswers &Answers,
                                    const TextOfPath &Texts, const CodePlace &At) {
  std::shared_ptr<const std::string> Now = Texts(At.Path), Then = Answers.textThen(At.Path);
  if (!Now || !Then)
    return {};
  ActionWriter Writer(Index, Answers, At.Path, Now);
  CodeTarget Target = Answers.targetAt(At);
  if (Target.Is == CodeTarget::Operator || Target.Is == CodeTarget::Kernel)
    return Writer.forEntry(*Target.Entry);
  std::optional<size_t> Was = TextShift(*Then, *Now).then(At.Offset);
  StringRef Function = Was ? functionAt(Index, At.Path, *Was) : "";
  return Function.empty() ? std::vector<CodeAction>() : Writer.forFunction(Function);
}

} // namespace opsig
