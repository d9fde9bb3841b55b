//===- Signature.cpp - Signatures as text -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextInternal.h"
#include "opsig/Signature/Signature.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

enum class ParamText { TypeOnly, WithName, WithDefault };

void append(std::string &Text, const Binding &B, ParamText How, const Dialect &D) {
  append(Text, B.Type.Ty, D);
  if (How == ParamText::TypeOnly)
    return;
  (Text += ' ') += B.Name;
  if (How == ParamText::WithDefault && B.Default)
    (Text += '=') += *B.Default;
}

std::string text(const Binding &B, ParamText How, const Dialect &D) {
  std::string Text;
  append(Text, B, How, D);
  return Text;
}

/// What stands between the returns and the end of the parameters besides these.
struct Around {
  llvm::StringRef Declarator;
  llvm::StringRef First; ///< in front of the parameters
};

/// "RETURNS DECLARATOR(FIRST, PARAMETERS)".
void append(std::string &Text, const Signature &S, Around A, ParamText How, const Dialect &D) {
  append(Text, S.Returns, D);
  ((Text += ' ') += A.Declarator) += '(';
  Text += A.First;
  llvm::StringRef Comma = A.First.empty() ? "" : ", ";
  for (const Binding &B : S.Params) {
    Text += Comma;
    append(Text, B, How, D);
    Comma = ", ";
  }
  Text += ')';
}

std::string text(const Signature &S, llvm::StringRef Declarator, ParamText How, const Dialect &D) {
  std::string Text;
  // About what it will be; to grow takes longer.
  Text.reserve(Declarator.size() + 32 * (S.Params.size() + 1));
  append(Text, S, {Declarator, ""}, How, D);
  return Text;
}

llvm::StringRef nameOf(const Signature &S, llvm::StringRef As) { return As.empty() ? S.Name : As; }

} // namespace

Lowering Lowering::of(const NativeFunction &F, const Dialect &D) {
  return {&D, F.UseConstRefForMutableTensors, F.partOfStructuredGroup()};
}

Lowerings::Lowerings(const Operators &Ops) : D(*Ops.D) {
  for (const FunctionOrGroup &Item : Ops.Grouped)
    if (const auto *Group = std::get_if<NativeFunctionsGroup>(&Item))
      for (const NativeFunction *F : Group->functions())
        ByFunction.try_emplace(F, Lowering::of(*Group, D));
}

Lowering Lowerings::of(const NativeFunction &F) const {
  auto It = ByFunction.find(&F);
  return It != ByFunction.end() ? It->second : Lowering::of(F, D);
}

std::string Binding::decl(const Dialect &D) const { return text(*this, ParamText::WithDefault, D); }
std::string Binding::defn(const Dialect &D) const { return text(*this, ParamText::WithName, D); }

std::string Signature::decl(const Dialect &D, llvm::StringRef As) const {
  return text(*this, nameOf(*this, As), ParamText::WithDefault, D);
}

std::string Signature::defn(const Dialect &D, llvm::StringRef As) const {
  return text(*this, nameOf(*this, As), ParamText::WithName, D);
}

void Signature::appendDecl(std::string &Out, const Dialect &D, llvm::StringRef As,
                           llvm::StringRef First) const {
  append(Out, *this, {nameOf(*this, As), First}, ParamText::WithDefault, D);
}

void Signature::appendDefn(std::string &Out, const Dialect &D, llvm::StringRef As,
                           llvm::StringRef First) const {
  append(Out, *this, {nameOf(*this, As), First}, ParamText::WithName, D);
}

std::string Signature::type(const Dialect &D) const {
  return text(*this, "", ParamText::TypeOnly, D);
}

std::string Signature::ptrType(const Dialect &D) const {
  return text(*this, "(*)", ParamText::TypeOnly, D);
}

Signature kernelSignature(const NativeFunction &F, const BackendIndex &Index, const Lowering &L,
                          llvm::StringRef Prefix) {
  const KernelEntry *Kernel = Index.kernel(F);
  bool SymInt = Kernel && Kernel->supportsSymInt();
  return Index.External ? dispatcherSignature(F.Schema, L, SymInt, Prefix)
                        : nativeSignature(F.Schema, L, SymInt, Prefix);
}

} // namespace opsig
