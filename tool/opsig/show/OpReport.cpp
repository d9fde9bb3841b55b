//===- OpReport.cpp - What `opsig show` says of one operator ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "show/OpReport.h"

namespace opsig {
namespace {

constexpr llvm::StringLiteral FormNames[] = {"cpp", "cpp_faithful", "cpp_symint",
                                             "cpp_symint_faithful"};

/// Calls \p Each with the name and signature of every form that exists.
void forEachForm(const CppSignatures &Forms,
                 llvm::function_ref<void(llvm::StringRef, const Signature &)> Each) {
  const Signature *All[] = {&Forms.Plain, Forms.Faithful ? &*Forms.Faithful : nullptr,
                            Forms.SymInt ? &*Forms.SymInt : nullptr,
                            Forms.SymIntFaithful ? &*Forms.SymIntFaithful : nullptr};
  for (auto [Name, Form] : llvm::zip(FormNames, All))
    if (Form)
      Each(Name, *Form);
}

Expressions expressions(const Signature &From, const Signature &To, const Dialect &D,
                        bool Method = false) {
  TranslateOptions Options;
  Options.Method = Method;
  llvm::Expected<std::vector<Expr>> Exprs = translate(From.Params, To.Params, D, Options);
  if (!Exprs) {
    llvm::consumeError(Exprs.takeError());
    return std::nullopt;
  }
  std::vector<std::string> Texts;
  for (Expr &E : *Exprs)
    Texts.push_back(std::move(E.Text));
  return Texts;
}

} // namespace

OpReporter::OpReporter(const Operators &Ops, llvm::ArrayRef<ExternalBackend> Backends) : Ops(Ops) {
  for (const ExternalBackend &B : Backends)
    for (const ExternalBackend::Kernels &Of : B.kernels())
      OfBackends.push_back(Of.Index);
  for (const FunctionOrGroup &Entry : Ops.Grouped)
    if (const auto *G = std::get_if<NativeFunctionsGroup>(&Entry))
      for (const NativeFunction *F : G->functions())
        GroupOf[F] = G;
}

/// The YAML of a backend may define operators of its own, for which PyTorch generates nothing.
bool OpReporter::isPyTorchs(const NativeFunction &F) const {
  return Ops.find(F.Schema.Name.str()) == &F;
}

std::vector<const BackendIndex *> OpReporter::indicesOf(const NativeFunction &F) const {
  std::vector<const BackendIndex *> Indices;
  if (isPyTorchs(F))
    for (const KernelEntry &Entry : F.Dispatch)
      Indices.push_back(Ops.index(Entry.Key));
  llvm::append_range(Indices, OfBackends);
  return Indices;
}

TranslateReport OpReporter::translations(const NativeFunction &F, const Lowering &L,
                                         const CppSignatures &Forms) const {
  TranslateReport Report;
  const Dialect &D = *Ops.D;
  Signature Dispatcher = dispatcherSignature(F.Schema, L);
  for (const BackendIndex *Index : indicesOf(F)) {
    const KernelEntry *Kernel = Index->kernel(F);
    if (!Kernel || Kernel->Structured)
      continue;
    Signature Native = kernelSignature(F, *Index, L);
    std::string Key = toString(Index->Key).str();
    Report.DispatcherToNative.emplace_back(Key, expressions(Dispatcher, Native, D));
    Report.NativeToDispatcher.emplace_back(Key, expressions(Native, Dispatcher, D));
  }
  if (!isPyTorchs(F))
    return Report;
  forEachForm(Forms, [&](llvm::StringRef Name, const Signature &Form) {
    Report.CppToDispatcher.emplace_back(Name.str(), expressions(Form, Dispatcher, D));
  });
  if (F.IsMethodVariant) {
    CppSignatures Methods = cppSignatures(F, {.Method = true}, L);
    forEachForm(Methods, [&](llvm::StringRef Name, const Signature &Form) {
      Report.CppMethodToDispatcher.emplace_back(Name.str(),
                                                expressions(Form, Dispatcher, D, /*Method=*/true));
    });
  }
  return Report;
}

OpReport OpReporter::report(const NativeFunction &F, bool WithTranslate) const {
  const Dialect &D = *Ops.D;
  Lowering L = Lowering::of(F, D);
  OpReport Report;
  Report.Function = &F;
  Report.Name = F.shownName();
  bool IsPyTorchs = isPyTorchs(F);
  Report.Schema = (IsPyTorchs ? "" : F.Namespace + "::") + F.Schema.str();

  // Few kernels of an op differ in anything but the name; a signature is made once per form.
  for (const BackendIndex *Index : indicesOf(F)) {
    const KernelEntry *Kernel = Index->kernel(F);
    if (!Kernel)
      continue;
    KernelReport Entry{
        toString(Index->Key), Kernel->CppNamespace + "::" + Kernel->Kernel, Kernel->Structured, {}};
    if (!Kernel->Structured)
      Entry.Declaration = kernelSignature(F, *Index, L).decl(D, Kernel->Kernel);
    Report.Kernels.push_back(std::move(Entry));
  }

  CppSignatures Forms = cppSignatures(F, {}, L);
  if (IsPyTorchs)
    forEachForm(Forms, [&](llvm::StringRef Name, const Signature &Form) {
      Report.Signatures.emplace_back(Name, Form.decl(D));
    });
  Report.Signatures.emplace_back("dispatcher", dispatcherSignature(F.Schema, L).decl(D));

  auto It = GroupOf.find(&F);
  if (It != GroupOf.end()) {
    const NativeFunctionsGroup &G = *It->second;
    for (const NativeFunction *Member : G.functions())
      Report.Group.push_back(Member->Schema.Name.str());
    if (G.Out == &F && G.structured()) {
      auto Call = [&](const Signature &S) {
        std::string Text = S.Name + "(";
        for (const Binding &B : S.Params)
          Text += (&B == S.Params.data() ? "" : ", ") + B.decl(D);
        return Text + ")";
      };
      Report.StructuredMeta = Call(structuredMeta(G, D));
      Report.StructuredImpl = Call(structuredImpl(G, D));
    }
  }
  if (IsPyTorchs)
    Report.Python = pythonReport(F, D);
  if (WithTranslate)
    Report.Translate = translations(F, L, Forms);
  return Report;
}

} // namespace opsig
