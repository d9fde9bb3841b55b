//===- YamlAnswers.cpp - What stands in a schema YAML -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EditorInternal.h"
#include "opsig/Editor/YamlDocument.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opsig {

namespace {

/// The word of an operator's or kernel's name around an offset.
std::pair<size_t, size_t> wordAt(StringRef Text, size_t Offset) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.' || C == ':'; };
  size_t Begin = std::min(Offset, Text.size()), End = Begin;
  while (Begin > 0 && IsPart(Text[Begin - 1]))
    --Begin;
  while (End < Text.size() && IsPart(Text[End]))
    ++End;
  // "CPU:" is a key and a colon.
  while (End > Begin && Text[End - 1] == ':')
    --End;
  return {Begin, End};
}

StringRef lineAt(StringRef Text, size_t Offset) {
  size_t Begin = Text.take_front(Offset).rfind('\n');
  return Text.drop_front(Begin == StringRef::npos ? 0 : Begin + 1).split('\n').first;
}

bool covers(const SourceFiles &Files, const Place &At, size_t Offset) {
  size_t Begin = At.isValid() ? Files.offsetOf(At) : 0;
  return At.isValid() && Begin <= Offset && Offset <= Begin + At.Length;
}

/// "impl(const at::Tensor & self)": what it returns is its class's business.
std::string listText(const Signature &S, const Dialect &D) {
  std::string Out = S.Name + "(";
  for (const Binding &B : S.Params)
    Out += (&B == S.Params.data() ? "" : ", ") + B.decl(D);
  return Out + ")";
}

} // namespace

YamlDocument::Target YamlDocument::nativeAt(size_t Offset) const {
  Target Out;
  SourceId File = Files->find(Path);
  uint32_t Line = Files->placeAt(File, Offset).Line;
  for (const NativeFunction &F : Ops->Functions)
    if (!F.Generated && F.Entry.File == File && F.Entry.Line <= Line &&
        (!Out.Function || F.Entry.Line > Out.Function->Entry.Line))
      Out.Function = &F;
  if (!Out.Function)
    return Out;
  // Another entry, of which nothing could be read, may stand between.
  StringRef Between = StringRef(*Text).slice(Files->offsetOf(Out.Function->Entry), Offset);
  if (Between.contains("\n- func:"))
    return {};
  std::tie(Out.Begin, Out.End) = wordAt(*Text, Offset);
  StringRef Word = StringRef(*Text).slice(Out.Begin, Out.End);
  StringRef Field = lineAt(*Text, Offset).trim().split(':').first;
  if (Field == "structured_delegate" || Field == "autogen") {
    if (const NativeFunction *Other = Ops->find(Word))
      Out.Function = Other;
    return Out;
  }
  for (const KernelEntry &K : Out.Function->Dispatch)
    if (K.At.isValid() && K.At.Line == Line && (Word == K.Kernel || Word == toString(K.Key))) {
      Out.Key = K.Key;
      Out.Kernel = K.CppNamespace + "::" + K.Kernel;
      if (Word == K.Kernel || Word == toString(K.Key))
        break;
    }
  return Out;
}

/// While a mistake keeps the file from being a backend's, its lines name operators all the same.
YamlDocument::Target YamlDocument::itemAt(size_t Offset) const {
  Target Out;
  std::tie(Out.Begin, Out.End) = wordAt(*Text, Offset);
  if (lineAt(*Text, Offset).ltrim().starts_with("-"))
    Out.Function = Ops->find(StringRef(*Text).slice(Out.Begin, Out.End));
  return Out;
}

YamlDocument::Target YamlDocument::backendAt(size_t Offset) const {
  if (!Backend)
    return itemAt(Offset);
  Target Out;
  for (const ExternalBackend::Kernels &Of : Backend->kernels())
    for (llvm::ArrayRef<BackendOp> Ops : {Of.Ops, Of.FromTorch})
      for (const BackendOp &Op : Ops) {
        if (!covers(*Files, Op.At, Offset))
          continue;
        Out.Function = Op.Function;
        Out.Key = Of.Index->Key;
        Out.Begin = Files->offsetOf(Op.At);
        Out.End = Out.Begin + Op.At.Length;
        if (const KernelEntry *K = Of.Index->kernel(*Op.Function))
          Out.Kernel = Backend->CppNamespace + "::" + Backend->ClassName + "::" + K->Kernel;
        return Out;
      }
  return itemAt(Offset);
}

YamlDocument::Target YamlDocument::targetAt(size_t Offset) const {
  if (!Ops)
    return {};
  return Kind == YamlKind::Native ? nativeAt(Offset) : backendAt(Offset);
}

std::string YamlDocument::declarationOf(const NativeFunction &F, const BackendIndex &Index) const {
  const KernelEntry *K = Index.kernel(F);
  if (!K || K->Structured || whyNotLowerable(F.Schema, *Ops->D))
    return "";
  return kernelSignature(F, Index, Lowering::of(F, *Ops->D)).decl(*Ops->D, K->Kernel);
}

std::string YamlDocument::hover(const Target &Of, bool Markdown) const {
  const NativeFunction *F = Of.Function;
  if (!F)
    return "";
  HoverText Out(Markdown);
  const Dialect &D = *Ops->D;
  Out.title(F->shownName());
  if (Kind == YamlKind::Backend || Of.Key != DispatchKey::Undefined)
    Out.code(F->Schema.str(), "python");
  if (std::optional<std::string> Why = whyNotLowerable(F->Schema, D)) {
    Out.paragraph("this operator has no C++ signatures: " + *Why);
    return Out.take();
  }
  auto Show = [&](StringRef What, const std::string &Declaration) {
    if (Declaration.empty())
      return;
    Out.paragraph(What.str() + ":");
    Out.code(Declaration + ";", "cpp");
  };
  auto ShowKernels = [&](const BackendIndex &Index) {
    if (Of.Key == DispatchKey::Undefined || Of.Key == Index.Key)
      Show("kernel for " + toString(Index.Key).str(), declarationOf(*F, Index));
  };
  for (const BackendIndex &Index : Ops->Indices)
    if (Kind == YamlKind::Native)
      ShowKernels(Index);
  if (Backend)
    for (const ExternalBackend::Kernels &Kernels : Backend->kernels())
      ShowKernels(*Kernels.Index);
  for (const FunctionOrGroup &Entry : Ops->Grouped) {
    const auto *G = std::get_if<NativeFunctionsGroup>(&Entry);
    if (!G || !G->structured() || G->Out != F || Kind != YamlKind::Native)
      continue;
    Show("structured meta", listText(structuredMeta(*G, D), D));
    Show("structured kernel", listText(structuredImpl(*G, D), D));
  }
  if (Backend && Of.Key != DispatchKey::Undefined)
    return Out.take(); // kernels of backends are called as the dispatcher calls them
  Lowering L = Lowering::of(*F, D);
  if (Kind == YamlKind::Native && Of.Key == DispatchKey::Undefined) {
    CppSignatures Forms = cppSignatures(*F, {}, L);
    std::string Names = F->IsFunctionVariant ? "at::" : "at::Tensor::";
    Show("C++ API (" + Names + ")", Forms.Plain.decl(D));
  }
  Show("dispatcher", dispatcherSignature(F->Schema, L).decl(D));
  return Out.take();
}

FileSpan YamlDocument::schemaLine(const NativeFunction &F) const {
  return spanOf(F.SchemaText.At, *Files);
}

std::vector<FileSpan> YamlDocument::backendLines(const NativeFunction &F) const {
  std::vector<FileSpan> Out;
  if (!Backend)
    return Out;
  for (const ExternalBackend::Kernels &Of : Backend->kernels())
    for (const BackendOp &Op : Of.Ops)
      if (Op.Function == &F && Op.At.isValid())
        Out.push_back(spanOf(Op.At, *Files));
  return Out;
}

} // namespace opsig
