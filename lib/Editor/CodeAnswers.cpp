//===- CodeAnswers.cpp - What an editor is told of registrations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EditorInternal.h"
#include "opsig/Editor/CodeAnswers.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

FileSpan spanOf(const Place &At, const SourceFiles &Files) {
  if (!At.isValid())
    return {};
  return {Files.name(At.File).str(), Files.offsetOf(At), At.Length};
}

//===-- what stands somewhere ------------------------------------------------===//

std::vector<BlockArgument> blockArguments(llvm::StringRef Text, size_t Macro) {
  std::vector<BlockArgument> Out;
  size_t At = Macro;
  while (At < Text.size() && (llvm::isAlnum(Text[At]) || Text[At] == '_'))
    ++At;
  At = Text.find_first_not_of(" \t\r\n", At);
  if (At == llvm::StringRef::npos || Text[At] != '(')
    return Out;
  for (++At; At < Text.size();) {
    size_t End = Text.find_first_of(",()", At);
    if (End == llvm::StringRef::npos)
      End = Text.size();
    llvm::StringRef Whole = Text.slice(At, End), Name = Whole.trim();
    Out.push_back({Name, size_t(Name.empty() ? At : Name.data() - Text.data()), At, End});
    if (End == Text.size() || Text[End] != ',')
      break;
    At = End + 1;
  }
  return Out;
}

std::optional<CodeTarget> CodeAnswers::entryAt(const EntryRef &E, llvm::StringRef Path,
                                               size_t Then) const {
  CodeTarget Out;
  Out.Entry = &E;
  if (!E.Op.empty())
    Out.Ops.push_back(E.Op);
  FileSpan Text = Index.text(E), Kernel = Index.use(E);
  if (Text.covers(Path, Then) && !E.Op.empty()) {
    Out.Is = CodeTarget::Operator;
    FileSpan Name = Index.name(E);
    Out.At = Name.covers(Path, Then) ? Name : Text;
    return Out;
  }
  if (E.hasKernel() && Kernel.covers(Path, Then)) {
    // Within a lambda stands code.
    bool IsOpen = E.Entry->Kernel.Is == RegisteredKernel::Lambda && Kernel.Length > 200;
    Out.Is = IsOpen ? CodeTarget::Nothing : CodeTarget::Kernel;
    Out.At = Kernel;
    return Out;
  }
  return std::nullopt;
}

std::optional<CodeTarget> CodeAnswers::blockAt(const SourceFacts &From,
                                               const RegistrationBlock &Block, llvm::StringRef Path,
                                               size_t Then) const {
  if (!Block.At.isValid() || Block.Is == RegistrationBlock::Legacy ||
      Block.Is == RegistrationBlock::Unknown || From.pathOf(Block.At.File) != Path ||
      Then < Block.At.Offset || Then > Block.At.Offset + 512)
    return std::nullopt;
  if (!Block.Body.isValid()) // a Library object, which no macro makes
    return std::nullopt;
  std::shared_ptr<const std::string> Text = textThen(Path);
  if (!Text || Block.At.Offset >= Text->size())
    return std::nullopt;
  std::vector<BlockArgument> Arguments = blockArguments(*Text, Block.At.Offset);
  for (size_t I = 0; I < Arguments.size() && I < 2; ++I) {
    const BlockArgument &A = Arguments[I];
    bool IsKey = I == 1 && Block.Is == RegistrationBlock::Impl;
    if ((I == 1 && !IsKey) || Then < A.Offset || Then > A.Offset + A.Name.size())
      continue;
    CodeTarget Out;
    Out.Is = IsKey ? CodeTarget::Key : CodeTarget::Namespace;
    Out.Block = &Block;
    Out.Name = IsKey ? Block.Key : Block.Namespace;
    Out.At = {Path.str(), A.Offset, A.Name.size()};
    return Out;
  }
  return std::nullopt;
}

CodeTarget CodeAnswers::declared(const SourceFacts &From, const KernelDecl &Decl,
                                 FileSpan At) const {
  CodeTarget Out;
  Out.At = std::move(At);
  std::string Name = Decl.qualifiedName();
  if (From.Checker) {
    Out.Schemas = From.Schemas.get();
    for (const ExpectedKernel &W : From.Checker->expected()) {
      std::string Expected = (W.Class.empty() ? W.Namespace : W.Class) + "::" + W.Name;
      if (Expected == Name)
        Out.Listed.push_back(&W);
    }
  }
  for (const EntryRef &E : Index.entries()) {
    const RegisteredKernel &K = E.Entry->Kernel;
    bool IsIt = K.hasSignature() && K.Decl.qualifiedName() == Name && !E.Op.empty() &&
                K.Decl.Params.size() == Decl.Params.size() &&
                (!Decl.Internal || E.Unit == &From.Unit);
    if (IsIt && !llvm::is_contained(Out.Ops, E.Op))
      Out.Ops.push_back(E.Op);
  }
  if (!Out.Ops.empty() || !Out.Listed.empty())
    Out.Is = CodeTarget::Declaration;
  return Out;
}

std::optional<CodeTarget> CodeAnswers::declarationAt(const SourceFacts &From, llvm::StringRef Path,
                                                     size_t Then) const {
  auto Among = [&](const std::vector<KernelDecl> &Decls) -> std::optional<CodeTarget> {
    for (const KernelDecl &Decl : Decls) {
      if (!Decl.NameAt.isValid())
        continue;
      FileSpan At{From.pathOf(Decl.NameAt.File), Decl.NameAt.Offset, Decl.NameAt.Length};
      if (At.covers(Path, Then))
        return declared(From, Decl, std::move(At));
    }
    return std::nullopt;
  };
  if (std::optional<CodeTarget> Found = Among(From.Unit.Kernels))
    return Found;
  if (std::optional<CodeTarget> Found = Among(From.Unit.Definitions))
    return Found;
  for (const RegistrationBlock &Block : From.Unit.Registrations)
    for (const RegistrationEntry &E : Block.Entries) {
      if (E.Kernel.Is != RegisteredKernel::Function)
        continue;
      if (std::optional<CodeTarget> Found = Among({E.Kernel.Decl}))
        return Found;
      if (std::optional<CodeTarget> Found = Among(E.Kernel.Others))
        return Found;
    }
  return std::nullopt;
}

CodeTarget CodeAnswers::targetAt(const CodePlace &Asked) const {
  std::shared_ptr<const std::string> Then = textThen(Asked.Path), Now = Texts(Asked.Path);
  if (!Then || !Now)
    return {};
  std::optional<size_t> At = Then == Now ? Asked.Offset : TextShift(*Then, *Now).then(Asked.Offset);
  if (!At)
    return {};
  auto Settled = [&](CodeTarget Found) {
    Found.At = now(Found.At);
    return Found;
  };
  for (const EntryRef &E : Index.entries())
    if (std::optional<CodeTarget> Found = entryAt(E, Asked.Path, *At))
      return Settled(std::move(*Found));
  for (const SourceFactsPtr &From : Index.sources())
    for (const RegistrationBlock &Block : From->Unit.Registrations)
      if (std::optional<CodeTarget> Found = blockAt(*From, Block, Asked.Path, *At))
        return Settled(std::move(*Found));
  for (const SourceFactsPtr &From : Index.sources())
    if (std::optional<CodeTarget> Found = declarationAt(*From, Asked.Path, *At))
      return Settled(std::move(*Found));
  return {};
}

//===-- places -----------------------------------------------------------------===//

std::shared_ptr<const std::string> CodeAnswers::textThen(llvm::StringRef Path) const {
  for (const SourceFactsPtr &From : Index.sources())
    if (From->Path == Path && From->Text)
      return From->Text;
  return Texts(Path);
}

FileSpan CodeAnswers::now(FileSpan Then) const {
  if (!Then.isValid())
    return Then;
  std::shared_ptr<const std::string> Was = textThen(Then.Path), Is = Texts(Then.Path);
  if (!Was || !Is || Was == Is)
    return Then;
  TextShift Shift(*Was, *Is);
  std::optional<size_t> Begin = Shift.now(Then.Offset), End = Shift.now(Then.Offset + Then.Length);
  if (Begin && End && *Begin <= *End)
    return {Then.Path, *Begin, *End - *Begin};
  return {Then.Path, std::min(Begin.value_or(Then.Offset), Is->size()), 0};
}

static void addOnce(std::vector<FileSpan> &To, FileSpan At) {
  if (At.isValid() && !llvm::is_contained(To, At))
    To.push_back(std::move(At));
}

std::vector<FileSpan> CodeAnswers::linesOf(const NativeFunction &F, const LoadedSchemas &In) const {
  std::vector<FileSpan> Out;
  addOnce(Out, spanOf(F.SchemaText.At, In.Files));
  for (const ExternalBackend &B : In.Backends)
    for (const ExternalBackend::Kernels &Of : B.kernels())
      for (const BackendOp &Op : Of.Ops)
        if (Op.Function == &F)
          addOnce(Out, spanOf(Op.At, In.Files));
  return Out;
}

std::vector<FileSpan> CodeAnswers::registrationsOf(llvm::StringRef Op) const {
  std::vector<FileSpan> Out;
  for (const EntryRef &E : Index.entries())
    if (E.Op == Op)
      addOnce(Out, now(Index.name(E)));
  return Out;
}

std::vector<FileSpan> CodeAnswers::implementations(const CodeTarget &Target) const {
  std::vector<FileSpan> Out;
  for (const std::string &Name : Target.Ops)
    for (const EntryRef *E : Index.kernelsOf(Name))
      addOnce(Out, now(Index.kernel(*E)));
  return Out;
}

std::vector<FileSpan> CodeAnswers::definitions(const CodeTarget &Target) const {
  std::vector<FileSpan> Out;
  auto AddYaml = [&](llvm::StringRef Op) {
    const LoadedSchemas *In = nullptr;
    if (const NativeFunction *F = Index.native(Op, &In))
      addOnce(Out, spanOf(F->SchemaText.At, In->Files));
  };
  if (Target.Is == CodeTarget::Kernel) {
    addOnce(Out, now(Index.kernel(*Target.Entry)));
  } else if (Target.Is == CodeTarget::Operator && Target.Entry->isDef()) {
    Out = implementations(Target);
  } else if (Target.Is == CodeTarget::Operator || Target.Is == CodeTarget::Declaration ||
             Target.Is == CodeTarget::Use) {
    for (const ExpectedKernel *W : Target.Listed) {
      FileSpan Line = spanOf(W->At, Target.Schemas->Files);
      addOnce(Out,
              Line.isValid() ? Line : spanOf(W->Function->SchemaText.At, Target.Schemas->Files));
    }
    for (const std::string &Name : Target.Ops) {
      for (const EntryRef *E : Index.defsOf(Name))
        addOnce(Out, now(Index.name(*E)));
      if (Index.defsOf(Name).empty())
        AddYaml(Name);
    }
  }
  return Out;
}

std::vector<FileSpan> CodeAnswers::references(const CodeTarget &Target) const {
  std::vector<FileSpan> Out;
  for (const std::string &Name : Target.Ops) {
    for (FileSpan &At : registrationsOf(Name))
      addOnce(Out, std::move(At));
    const LoadedSchemas *In = nullptr;
    if (const NativeFunction *F = Index.native(Name, &In))
      for (FileSpan &At : linesOf(*F, *In))
        addOnce(Out, std::move(At));
  }
  for (const ExpectedKernel *W : Target.Listed)
    for (FileSpan &At : linesOf(*W->Function, *Target.Schemas))
      addOnce(Out, std::move(At));
  return Out;
}

} // namespace opsig
