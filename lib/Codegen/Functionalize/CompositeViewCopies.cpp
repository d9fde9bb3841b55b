//===- CompositeViewCopies.cpp - Kernels made of other variants -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view group => its copy: the view, cloned
// group with generated members => functional: the written inputs cloned, then changed in place;
//   out: the functional result, copied
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

/// The one view that may have to copy, where sizes and strides do not fit.
constexpr Template CopyOfViewText =
    R"(at::Tensor view_copy_symint(const at::Tensor & self, at::SymIntArrayRef size) {
  c10::SymDimVector shape = infer_size_dv(size, self.sym_numel());
  if (!at::detail::computeStride(self.sym_sizes(), self.sym_strides(), shape).has_value()) {
    return self.reshape_symint(size);
  } else {
    auto output = at::_ops::view::call(self, size);
    return output.clone(${clone_args});
  }
}
)";

constexpr Template CopyText = R"(

${signature} {
  auto output = at::_ops::${view}::call(${args});
    return output.clone(${clone_args});
}
)";

constexpr Template CopyListText = R"(

${signature} {
  auto output = at::_ops::${view}::call(${args});
    ${type} out_clone;
  for (const auto i : c10::irange(output.size())) {
    out_clone.push_back(output[i].clone(${clone_args}));
  }
  return out_clone;
}
)";

constexpr Template FunctionalText = R"(

${signature} {
  ${=clones}
  ${output}at::_ops::${target}::call(${args});
  ${=return}
}
)";

constexpr Template CloneText = "auto ${arg}_clone = clone_arg(${arg});";

constexpr Template OutText = R"(

${signature} {
  auto tmp_output = at::_ops::${functional}::call(${args});
  ${=copies}
  ${=return}
}
)";

constexpr Template CopyOutText = R"(  resize_out_helper(${out}, ${value});
  copy_arg(${out}, ${value});)";

constexpr StringLiteral ContiguousArgument = "/*memory_format=*/at::MemoryFormat::Contiguous";

//===-- Copies of views -----------------------------------------------------===//

Expected<std::string> viewCopyKernel(const NativeFunctionsViewGroup &G, const BackendIndex *Index,
                                     const Dialect &D) {
  StringRef CloneArgs = D.Functionalization.ClonesContiguous ? ContiguousArgument : "";
  const FunctionSchema &Copy = G.ViewCopy->Schema;
  if (Copy.Name.str() == "view_copy")
    return printed<CopyOfViewText>("clone_args"_hole = CloneArgs);

  const KernelEntry *Kernel = nullptr;
  if (D.Functionalization.ViewCopiesFollowYaml) {
    Kernel = Index ? Index->kernel(*G.ViewCopy) : nullptr;
    if (!Kernel)
      return createStringError("it has no CompositeExplicitAutogradNonFunctional kernel");
  }
  const FunctionSchema &View = G.View->Schema;
  bool IsList = View.Returns.size() == 1 && View.Returns[0].Ty == Type(BaseTy::Tensor).list();
  if (!IsList && (View.Returns.size() != 1 || !View.Returns[0].Ty.is(BaseTy::Tensor)))
    return createStringError("its view returns neither a tensor nor a list of tensors");

  Lowering L = Lowering::of(*G.View, D);
  Signature Own = nativeSignature(Copy, L, /*SymInt=*/Kernel && Kernel->supportsSymInt());
  Expected<std::vector<Expr>> Args = translate(Own.Params, dispatcherSignature(View, L).Params, D);
  if (!Args)
    return Args.takeError();
  std::string Defn = Own.defn(D, Kernel ? StringRef(Kernel->Kernel) : "");
  std::string Name = View.Name.unambiguous();
  if (!IsList)
    return printed<CopyText>("signature"_hole = Defn, "view"_hole = Name, "args"_hole = join(*Args),
                             "clone_args"_hole = CloneArgs);
  return printed<CopyListText>("signature"_hole = Defn, "view"_hole = Name,
                               "args"_hole = join(*Args), "type"_hole = Own.Returns.str(D),
                               "clone_args"_hole = CloneArgs);
}

//===-- Generated functions -------------------------------------------------===//

/// The written variant that a generated functional function is made of.
const NativeFunction *writtenVariant(const NativeFunctionsGroup &G) {
  for (const NativeFunction *F : {G.Inplace, G.Mutable})
    if (F && !isGenerated(*F))
      return F;
  return nullptr;
}

/// Values of \p S's returns that are not arguments, after a call that returned \p Var.
std::vector<std::string> freshReturns(const FunctionSchema &S, StringRef Var) {
  std::vector<std::string> Names;
  for (auto [I, Alias] : enumerate(S.aliasedReturnNames()))
    if (Alias.empty())
      Names.push_back(returnedValue(Var, I, S.Returns.size()));
  return Names;
}

StringRef symIntSuffix(const NativeFunctionsGroup &G, const Dialect &D) {
  return G.Out->hasSymInt(D) ? "_symint" : "";
}

Expected<std::string> functionalKernel(const NativeFunctionsGroup &G, const Dialect &D) {
  const NativeFunction *Target = writtenVariant(G);
  if (!Target)
    return createStringError("it has neither an inplace nor a mutable variant to be made of");
  Lowering L = Lowering::of(G, D);
  Signature Own = dispatcherSignature(G.Functional->Schema, L);
  Signature Inner = dispatcherSignature(Target->Schema, L);

  std::vector<std::string> Clones, Cloned;
  std::vector<Expr> Have;
  for (auto [Mine, Theirs] : zip(Own.Params, Inner.Params)) {
    std::string Name = Mine.Name;
    if (Theirs.Arg->isWrite()) {
      Clones.push_back(printed<CloneText>("arg"_hole = Name));
      Name += "_clone";
      Cloned.push_back(Name);
    }
    Have.push_back({std::move(Name), Mine.Type});
  }
  std::vector<NamedCType> Want;
  for (const Binding &B : Inner.Params)
    Want.push_back(B.Type);
  Expected<std::vector<Expr>> Args = translate(Have, Want, D);
  if (!Args)
    return Args.takeError();

  std::vector<std::string> Returned = freshReturns(Target->Schema, "output");
  append_range(Returned, Cloned);
  return printed<FunctionalText>(
      "signature"_hole = Own.defn(D, (Own.Name + symIntSuffix(G, D)).str()),
      "clones"_hole = llvm::join(Clones, "\n"),
      "output"_hole = Target->Schema.Returns.empty() ? "" : "auto output = ",
      "target"_hole = Target->Schema.Name.unambiguous(), "args"_hole = join(*Args),
      "return"_hole = returnStatement(G.Functional->Schema.Returns, Returned, L));
}

Expected<std::string> outKernel(const NativeFunctionsGroup &G, const Dialect &D) {
  Lowering L = Lowering::of(G, D);
  const FunctionSchema &S = G.Out->Schema;
  const FunctionSchema &Functional = G.Functional->Schema;
  Signature Own = dispatcherSignature(S, L);
  Expected<std::vector<Expr>> Args =
      translate(Own.Params, dispatcherSignature(Functional, L).Params, D);
  if (!Args)
    return Args.takeError();

  auto Value = [&](size_t I) { return returnedValue("tmp_output", I, Functional.Returns.size()); };
  std::vector<std::string> Copies, Returned;
  for (auto [I, A] : enumerate(S.Args.out()))
    Copies.push_back(printed<CopyOutText>("out"_hole = A.Name, "value"_hole = Value(I)));
  for (auto [I, Alias] : enumerate(S.aliasedReturnNames()))
    Returned.push_back(Alias.empty() ? Value(I) : Alias);
  return printed<OutText>("signature"_hole =
                              Own.defn(D, (S.Name.unambiguous() + symIntSuffix(G, D)).str()),
                          "functional"_hole = Functional.Name.unambiguous(),
                          "args"_hole = join(*Args), "copies"_hole = llvm::join(Copies, "\n"),
                          "return"_hole = returnStatement(S.Returns, Returned, L));
}

//===-- The file ------------------------------------------------------------===//

enum class WithNative { No, Yes };

/// The headers of some functions, a line each.
std::string includeLines(ArrayRef<const NativeFunction *> Functions, WithNative Native) {
  std::vector<std::string> Lines;
  for (const NativeFunction *F : Functions) {
    Lines.push_back(opInclude(*F, "ops"));
    if (Native == WithNative::Yes)
      Lines.push_back(opInclude(*F, "native"));
  }
  return llvm::join(Lines, "\n");
}

void addViews(const AtenInput &In, std::vector<std::string> &Headers,
              std::vector<std::string> &Kernels, Diagnostics &Diags) {
  const Dialect &D = In.dialect();
  bool Native = D.Functionalization.Includes != CompositeIncludes::Ops;
  const BackendIndex *Index = In.Ops.index(DispatchKey::CompositeExplicitAutogradNonFunctional);
  for (const NativeFunctionsViewGroup *G : viewGroups(In.Ops)) {
    SmallVector<const NativeFunction *, 2> Functions{G->View};
    if (G->ViewCopy)
      Functions.push_back(G->ViewCopy);
    Headers.push_back(includeLines(Functions, Native ? WithNative::Yes : WithNative::No));
    for (const CompositeKernel &K : planComposites(G, D))
      if (auto Text = orReport(viewCopyKernel(*G, Index, D), *K.Function, Diags))
        Kernels.push_back(std::move(*Text));
  }
}

struct GroupKernels {
  std::vector<std::string> Functional, Out;
};

GroupKernels addGroups(const AtenInput &In, std::vector<std::string> &Headers, Diagnostics &Diags) {
  const Dialect &D = In.dialect();
  bool Native = D.Functionalization.Includes == CompositeIncludes::NativeOfAll;
  GroupKernels Kernels;
  for (const FunctionOrGroup &Item : In.Ops.Grouped) {
    const auto *G = std::get_if<NativeFunctionsGroup>(&Item);
    if (!G)
      continue;
    SmallVector<const NativeFunction *, 3> Functions;
    for (const NativeFunction *F : {G->Inplace, G->Mutable, G->Functional})
      if (F && !isGenerated(*F))
        Functions.push_back(F);
    Headers.push_back(includeLines(Functions, Native ? WithNative::Yes : WithNative::No));
    for (const CompositeKernel &K : planComposites(G, D)) {
      bool IsOut = K.Is == CompositeKernel::Shape::Out;
      if (auto Text =
              orReport(IsOut ? outKernel(*G, D) : functionalKernel(*G, D), *K.Function, Diags))
        (IsOut ? Kernels.Out : Kernels.Functional).push_back(std::move(*Text));
    }
  }
  return Kernels;
}

constexpr StringRef FileName = "CompositeViewCopyKernels.cpp";
constexpr StringRef Needs[] = {"CompositeViewCopyKernel_Definitions",
                               "GeneratedCompositeFunctional_Definitions",
                               "GeneratedCompositeOut_Definitions"};

} // namespace

void generateCompositeViewCopies(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  std::vector<std::string> Headers, ViewCopies;
  addViews(In, Headers, ViewCopies, Diags);
  GroupKernels Groups = addGroups(In, Headers, Diags);
  addFile(In, {AtenFolder::Main, AtenList::Main, FileName.str()},
          {{"ops_headers", std::move(Headers)},
           {"CompositeViewCopyKernel_Definitions", std::move(ViewCopies)},
           {"GeneratedCompositeFunctional_Definitions", std::move(Groups.Functional)},
           {"GeneratedCompositeOut_Definitions", std::move(Groups.Out)}},
          Needs, Out, Diags);
}

} // namespace opsig
