//===- CompositeViewCopies.cpp - Kernels made of other variants -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view group => its copy: the view, cloned
// group with generated members => functional: the written inputs cloned, then changed in place;
//   out: the functional result, copied
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Dialect/FunctionalizationTraits.h"

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
  ${if list}
    ${type} out_clone;
  for (const auto i : c10::irange(output.size())) {
    out_clone.push_back(output[i].clone(${clone_args}));
  }
  return out_clone;
  ${else}
    return output.clone(${clone_args});
  ${end}
}
)";

constexpr Template FunctionalText = R"(

${signature} {
  ${=clones}
  ${if output}auto output = ${end}at::_ops::${target}::call(${args});
  ${=return}
}
)";

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

void printViewCopy(std::string &Out, const CompositeKernel &K, const AtenInput &In,
                   FirstError &Failed) {
  const Dialect &D = In.dialect();
  StringRef CloneArgs = D.Functionalization.ClonesContiguous ? ContiguousArgument : "";
  const FunctionSchema &Copy = K.Function->Schema;
  if (Copy.Name.str() == "view_copy")
    return print<CopyOfViewText>(Out, "clone_args"_hole = CloneArgs);

  const KernelEntry *Kernel = nullptr;
  if (D.Functionalization.ViewCopiesFollowYaml) {
    const BackendIndex *Index = In.Ops.index(DispatchKey::CompositeExplicitAutogradNonFunctional);
    Kernel = Index ? Index->kernel(*K.Function) : nullptr;
    if (!Kernel)
      return Failed.fail("it has no CompositeExplicitAutogradNonFunctional kernel");
  }
  const FunctionSchema &View = K.ViewGroup->View->Schema;
  bool IsList = View.Returns.size() == 1 && View.Returns[0].Ty == Type(BaseTy::Tensor).list();
  if (!IsList && (View.Returns.size() != 1 || !View.Returns[0].Ty.is(BaseTy::Tensor)))
    return Failed.fail("its view returns neither a tensor nor a list of tensors");

  Lowering L = Lowering::of(*K.ViewGroup->View, D);
  Signature Own = nativeSignature(Copy, L, /*SymInt=*/Kernel && Kernel->supportsSymInt());
  print<CopyText>(
      Out, "signature"_hole = Own.defn(D, Kernel ? StringRef(Kernel->Kernel) : ""),
      "view"_hole = View.Name.unambiguous(),
      "args"_hole = argumentsFor(dispatcherSignature(View, L).Params, Own.Params, D, Failed),
      "clone_args"_hole = CloneArgs, "list"_hole = IsList, "type"_hole = Own.Returns.str(D));
}

//===-- Generated functions -------------------------------------------------===//

/// The written variant that a generated functional function is made of.
const NativeFunction *writtenVariant(const NativeFunctionsGroup &G) {
  for (const NativeFunction *F : {G.Inplace, G.Mutable})
    if (F && !isGenerated(*F))
      return F;
  return nullptr;
}

std::string kernelName(StringRef Name, const NativeFunctionsGroup &G, const Dialect &D) {
  return (Name + (G.Out->hasSymInt(D) ? "_symint" : "")).str();
}

void printFunctional(std::string &Out, const CompositeKernel &K, const Dialect &D,
                     FirstError &Failed) {
  const NativeFunctionsGroup &G = *K.Group;
  const NativeFunction *Target = writtenVariant(G);
  if (!Target)
    return Failed.fail(
        "it needs an in-place or mutable variant, from which its kernel is generated");
  Lowering L = Lowering::of(G, D);
  Signature Own = dispatcherSignature(G.Functional->Schema, L);
  Signature Inner = dispatcherSignature(Target->Schema, L);

  std::vector<std::string> Written, Returned = returnedNames(Target->Schema, "output").Fresh;
  std::vector<Expr> Have;
  for (auto [Mine, Theirs] : zip(Own.Params, Inner.Params)) {
    Have.push_back({Mine.Name, Mine.Type});
    if (Theirs.Arg->isWrite()) {
      Written.push_back(Mine.Name);
      Have.back().Text += "_clone";
      Returned.push_back(Have.back().Text);
    }
  }
  auto Clone = [](const std::string &Arg) {
    return "auto " + Arg + "_clone = clone_arg(" + Arg + ");";
  };
  print<FunctionalText>(Out, "signature"_hole = Own.defn(D, kernelName(Own.Name, G, D)),
                        "clones"_hole = each(Written, Clone, "\n"),
                        "output"_hole = !Target->Schema.Returns.empty(),
                        "target"_hole = Target->Schema.Name.unambiguous(),
                        "args"_hole = argumentsFor(Inner.Params, Have, D, Failed),
                        "return"_hole = returnStatement(G.Functional->Schema.Returns, Returned, L));
}

void printOut(std::string &Out, const CompositeKernel &K, const Dialect &D, FirstError &Failed) {
  const NativeFunctionsGroup &G = *K.Group;
  Lowering L = Lowering::of(G, D);
  const FunctionSchema &S = G.Out->Schema;
  const FunctionSchema &Functional = G.Functional->Schema;
  Signature Own = dispatcherSignature(S, L);

  auto Value = [&](size_t I) { return returnedValue("tmp_output", I, Functional.Returns.size()); };
  std::vector<std::string> Returned = S.aliasedReturnNames();
  for (auto [I, Name] : enumerate(Returned))
    if (Name.empty())
      Name = Value(I);
  auto Copy = [&](std::string &To, const Argument &A) {
    print<CopyOutText>(To, "out"_hole = A.Name, "value"_hole = Value(&A - S.Args.out().data()));
  };
  print<OutText>(Out, "signature"_hole = Own.defn(D, kernelName(S.Name.unambiguous(), G, D)),
                 "functional"_hole = Functional.Name.unambiguous(),
                 "args"_hole =
                     argumentsFor(dispatcherSignature(Functional, L).Params, Own.Params, D, Failed),
                 "copies"_hole = each(S.Args.out(), Copy, "\n"),
                 "return"_hole = returnStatement(S.Returns, Returned, L));
}

//===-- The file ------------------------------------------------------------===//

/// What the file has of items, by kind of kernel.
struct FileTexts {
  std::string Headers;
  std::string Kernels[3];
};

void addItem(FileTexts &To, const FunctionalizationItem &Item, const AtenInput &In,
             Findings &Diags) {
  const Dialect &D = In.dialect();
  bool WithNative = D.Functionalization.Includes == CompositeIncludes::NativeOfAll ||
                    (Item.ViewGroup && D.Functionalization.Includes != CompositeIncludes::Ops);
  auto Functions = includedFunctions(Item);
  if (const NativeFunctionsGroup *G = Item.Group) {
    Functions = {G->Inplace, G->Mutable, G->Functional};
    erase_if(Functions, [](const NativeFunction *F) { return !F || isGenerated(*F); });
  }
  for (const NativeFunction *F : Functions)
    To.Headers +=
        opInclude(*F, "_ops") + "\n" + (WithNative ? opInclude(*F, "_native") + "\n" : "");
  for (const CompositeKernel &K : planComposites(Item, D)) {
    FirstError Failed;
    std::string &Out = To.Kernels[unsigned(K.Is)];
    if (K.Is == CompositeKernel::Shape::ViewCopy)
      printViewCopy(Out, K, In, Failed);
    else
      (K.Is == CompositeKernel::Shape::Out ? printOut : printFunctional)(Out, K, D, Failed);
    succeeded(Failed, *K.Function, Diags);
  }
}

} // namespace

void generateCompositeViewCopies(const AtenInput &In, FileWriter &Out) {
  FileTexts Texts;
  for (const NativeFunctionsViewGroup *G : viewGroups(In.Ops))
    addItem(Texts, {.ViewGroup = G}, In, Out.diags());
  for (const FunctionOrGroup &Item : In.Ops.Grouped)
    if (const auto *G = std::get_if<NativeFunctionsGroup>(&Item))
      addItem(Texts, {.Group = G}, In, Out.diags());
  Out.add({"CompositeViewCopyKernels.cpp"}, frame("ops_headers"_hole = Texts.Headers),
          "CompositeViewCopyKernel_Definitions"_hole = Texts.Kernels[0],
          "GeneratedCompositeFunctional_Definitions"_hole = Texts.Kernels[1],
          "GeneratedCompositeOut_Definitions"_hole = Texts.Kernels[2]);
}

} // namespace opsig
