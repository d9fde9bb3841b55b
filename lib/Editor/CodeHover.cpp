//===- CodeHover.cpp - What an editor shows of an operator or kernel ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EditorInternal.h"
#include "opsig/Editor/CodeAnswers.h"
#include "opsig/Lsp/Position.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace opsig {

//===-- text ------------------------------------------------------------------===//

void HoverText::begin(bool IsItem) {
  if (!Out.empty())
    Out += InItems && IsItem ? "\n" : "\n\n";
  InItems = IsItem;
}

void HoverText::title(llvm::StringRef Name) {
  begin(false);
  Out += Markdown ? ("### " + quoted(Name)) : safeText(Name);
}

void HoverText::paragraph(llvm::StringRef Text) {
  begin(false);
  Out += safeText(Text);
}

void HoverText::code(llvm::StringRef Text, llvm::StringRef Language) {
  begin(false);
  // No line of the text ends the block.
  std::string Fence = "```";
  while (Text.contains(Fence))
    Fence += '`';
  std::string Safe = safeText(Text, LineEnds::Kept);
  Out += Markdown ? (Fence + Language + "\n" + Safe + "\n" + Fence).str() : Safe;
}

void HoverText::item(llvm::StringRef Name, llvm::StringRef What) {
  begin(true);
  Out += "- " + quoted(Name);
  if (!What.empty())
    Out += (": " + What).str();
}

//===-- operators ---------------------------------------------------------------===//

/// "ops.cpp:12".
std::string CodeAnswers::shownPlace(const FileSpan &At) const {
  std::shared_ptr<const std::string> Text = Texts(At.Path);
  llvm::StringRef Name = llvm::sys::path::filename(At.Path);
  if (!Text)
    return Name.str();
  size_t Line = 1 + llvm::StringRef(*Text).take_front(At.Offset).count('\n');
  return (Name + ":" + llvm::Twine(Line)).str();
}

static std::string shownKey(llvm::StringRef Key) {
  return Key.empty() ? "every key (CompositeImplicitAutograd)" : Key.str();
}

static std::string shownKernel(const EntryRef &E, const HoverText &Text) {
  const RegisteredKernel &K = E.Entry->Kernel;
  switch (K.Is) {
  case RegisteredKernel::Fallthrough:
    return "falls through to the next key";
  case RegisteredKernel::Lambda:
    return K.Name.empty() ? "a lambda" : Text.quoted(K.Name);
  case RegisteredKernel::Boxed:
    return K.Name.empty() ? "a boxed kernel" : Text.quoted(K.Name) + " (boxed)";
  default:
    return K.Name.empty() ? "a kernel" : Text.quoted(K.Name);
  }
}

/// How a kernel of the operator is declared in C++; "" where C++ has no type for a part of the
/// schema.
static std::string kernelDeclaration(const FunctionSchema &S, const Dialect &D) {
  if (S.VarArgs || S.VarReturns || whyNotLowerable(S, D))
    return "";
  return dispatcherSignature(S, {&D}).decl(D) + ";";
}

/// The dialect that \p Def was read with, or that of the other sources; null where there is none.
static const Dialect *dialectOf(const CodeIndex &Index, const EntryRef &Def) {
  if (const auto &Own = Index.sourceOf(Def).Schemas)
    return Own->Ops->D;
  return Index.schemas().empty() ? nullptr : Index.schemas().front()->Ops->D;
}

void CodeAnswers::describeOp(llvm::StringRef Op, bool Markdown, std::string &Out) const {
  HoverText Text(Markdown);
  Text.title(Op);
  const RegisteredOp *Known = Index.find(Op);
  const LoadedSchemas *In = nullptr;
  const NativeFunction *F = Index.native(Op, &In);
  bool HasSchema = false;
  for (const EntryRef *Def : Index.defsOf(Op)) {
    bool IsWhole = Def->Schema && !Def->Schema->NameOnly;
    HasSchema |= IsWhole;
    if (IsWhole) {
      Text.code(Def->Entry->Text.Value, "python");
      const Dialect *D = dialectOf(Index, *Def);
      if (std::string Declared = D ? kernelDeclaration(*Def->Schema, *D) : ""; !Declared.empty())
        Text.code(Declared, "cpp");
    }
    Text.paragraph("defined in " + shownPlace(now(Index.name(*Def))) +
                   (IsWhole ? "" : "; its schema is inferred from the kernel"));
  }
  if (F) {
    Text.code(F->Schema.str(), "python");
    Text.paragraph("defined in " + shownPlace(spanOf(F->SchemaText.At, In->Files)));
    HasSchema = true;
  }
  if (!HasSchema && Index.defsOf(Op).empty())
    Text.paragraph("no file that was read defines this operator");
  if (F)
    for (const KernelEntry &K : F->Dispatch)
      Text.item(toString(K.Key), Text.quoted(K.CppNamespace + "::" + K.Kernel) + ", of PyTorch");
  for (const EntryRef *E : Index.kernelsOf(Op))
    Text.item(shownKey(E->key()), shownKernel(*E, Text) + ", " + shownPlace(now(Index.name(*E))));
  if (Known && Known->Kernels.empty() && !F)
    Text.paragraph("no file that was read registers a kernel for this operator");
  Out += (Out.empty() ? "" : "\n\n") + Text.take();
}

static size_t countFor(const CodeIndex &Index, llvm::StringRef Namespace, llvm::StringRef Key,
                       bool OfKey) {
  size_t Count = 0;
  for (const RegisteredOp *Op : Index.ops()) {
    if (llvm::StringRef(Op->Name).split("::").first != Namespace)
      continue;
    Count += OfKey ? llvm::any_of(Op->Kernels, [&](auto *E) { return E->key() == Key; })
                   : !Op->Defs.empty();
  }
  return Count;
}

std::string CodeAnswers::hover(const CodeTarget &Target, bool Markdown) const {
  std::string Out;
  HoverText Text(Markdown);
  switch (Target.Is) {
  case CodeTarget::Nothing:
    return "";
  case CodeTarget::Key: {
    Text.title(Target.Name);
    std::string Of = Text.quoted(Target.Block->Namespace);
    Text.paragraph("dispatch key; operators of " + Of +
                   " with a kernel for this key in the files that were read: " +
                   std::to_string(countFor(Index, Target.Block->Namespace, Target.Name, true)));
    return Text.take();
  }
  case CodeTarget::Namespace:
    Text.title(Target.Name);
    Text.paragraph("namespace of operators; operators defined in the files that were read: " +
                   std::to_string(countFor(Index, Target.Name, "", false)));
    return Text.take();
  default:
    break;
  }
  for (const ExpectedKernel *W : Target.Listed) {
    HoverText Of(Markdown);
    Of.title(W->Function->shownName());
    Of.code(W->Function->Schema.str(), "python");
    Of.paragraph(toString(W->Key).str() + " kernel listed here");
    Out += (Out.empty() ? "" : "\n\n") + Of.take();
  }
  for (const std::string &Op : Target.Ops)
    describeOp(Op, Markdown, Out);
  return Out;
}

} // namespace opsig
