//===- ConventionsTest.cpp - Whole signatures -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What torchgen's CppSignature, DispatcherSignature, NativeSignature and structured functions
// print.
//
//===----------------------------------------------------------------------===//

#include "TestFunctions.h"
#include "opsig/Signature/Translate.h"

using namespace opsig;
using namespace opsig::test;

namespace {

const char *const AddOut = "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) "
                           "-> Tensor(a!)";
const char *const Empty =
    "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";
const char *const NewFull =
    "new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor";

CppSignatures forms(const NativeFunction &F, CppForm Form = {}, const Dialect &D = oldDialect()) {
  return cppSignatures(F, Form, Lowering::of(F, D));
}

std::string plain(llvm::StringRef Schema, const Dialect &D = oldDialect()) {
  return forms(function(Schema), {}, D).Plain.decl(D);
}

TEST(Cpp, FunctionalAndInplace) {
  NativeFunction F =
      function("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  CppSignatures S = forms(F);
  EXPECT_EQ(S.Plain.decl(oldDialect()),
            "at::Tensor & add_(at::Tensor & self, const at::Tensor & other, "
            "const at::Scalar & alpha=1)");
  EXPECT_FALSE(S.Faithful || S.SymInt || S.SymIntFaithful);
  EXPECT_EQ(&S.mostFaithful(), &S.Plain);
  EXPECT_EQ(S.all().size(), 1u);
  EXPECT_EQ(S.Plain.Params[0].Arg, F.Schema.Args.self());
}

TEST(Cpp, PrintedBehindATextAndWithAParameterMore) {
  NativeFunction F = function("a(Tensor self, int dim=1) -> Tensor");
  Signature S = forms(F).Plain;
  std::string Text = "inline ";
  S.appendDecl(Text, oldDialect(), "b");
  EXPECT_EQ(Text, "inline at::Tensor b(const at::Tensor & self, int64_t dim=1)");
  Text.clear();
  S.appendDefn(Text, oldDialect(), "", "Keys keys");
  EXPECT_EQ(Text, "at::Tensor a(Keys keys, const at::Tensor & self, int64_t dim)");
  Text.clear();
  S.Params.clear();
  S.appendDefn(Text, oldDialect(), "c", "Keys keys");
  EXPECT_EQ(Text, "at::Tensor c(Keys keys)");
}

TEST(Cpp, OutComesFirstUnlessFaithful) {
  NativeFunction F = function(AddOut);
  CppSignatures S = forms(F);
  EXPECT_EQ(S.Plain.decl(oldDialect()),
            "at::Tensor & add_out(at::Tensor & out, const at::Tensor & self, "
            "const at::Tensor & other, const at::Scalar & alpha=1)");
  ASSERT_TRUE(S.Faithful);
  EXPECT_EQ(S.Faithful->decl(oldDialect()),
            "at::Tensor & add_outf(const at::Tensor & self, const at::Tensor & other, "
            "const at::Scalar & alpha, at::Tensor & out)");
  EXPECT_EQ(&S.mostFaithful(), &*S.Faithful);
}

TEST(Cpp, ConstRefForMutableTensorsReachesReturnsToo) {
  NativeFunction F = function(AddOut);
  F.UseConstRefForMutableTensors = true;
  EXPECT_EQ(forms(F).Faithful->decl(oldDialect()),
            "const at::Tensor & add_outf(const at::Tensor & self, const at::Tensor & other, "
            "const at::Scalar & alpha, const at::Tensor & out)");
}

TEST(Cpp, TensorOptionsArePackedUnlessFaithful) {
  NativeFunction F = function(Empty);
  CppSignatures S = forms(F);
  EXPECT_EQ(S.Plain.decl(oldDialect()),
            "at::Tensor empty(at::IntArrayRef size, at::TensorOptions options={}, "
            "c10::optional<at::MemoryFormat> memory_format=c10::nullopt)");
  EXPECT_EQ(S.Faithful->decl(oldDialect()),
            "at::Tensor empty(at::IntArrayRef size, c10::optional<at::ScalarType> dtype, "
            "c10::optional<at::Layout> layout, c10::optional<at::Device> device, "
            "c10::optional<bool> pin_memory, c10::optional<at::MemoryFormat> memory_format)");
  EXPECT_EQ(S.SymInt->decl(oldDialect()),
            "at::Tensor empty_symint(c10::SymIntArrayRef size, at::TensorOptions options={}, "
            "c10::optional<at::MemoryFormat> memory_format=c10::nullopt)");
  EXPECT_EQ(S.SymIntFaithful->Name, "empty_symint");
  EXPECT_EQ(S.all().size(), 4u);
  EXPECT_EQ(S.all(/*WithSymInt=*/false).size(), 2u);
  EXPECT_EQ(S.Plain.Params[1].Arg, nullptr);
  EXPECT_TRUE(S.Plain.Params[2].Type.PossiblyRedundantMemoryFormat);
}

TEST(Cpp, MemoryFormatIsSpecialBesidesTensorOptionsOnly) {
  NativeFunction F = function("empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, "
                              "Tensor(a!) out) -> Tensor(a!)");
  CppSignatures S = forms(F);
  EXPECT_FALSE(S.Plain.Params[2].Type.PossiblyRedundantMemoryFormat);
  EXPECT_EQ(S.SymInt->Name, "empty_symint_out");
  EXPECT_EQ(S.SymIntFaithful->decl(oldDialect()),
            "at::Tensor & empty_symint_outf(c10::SymIntArrayRef size, "
            "c10::optional<at::MemoryFormat> memory_format, at::Tensor & out)");
}

TEST(Cpp, TensorOptionsDefaults) {
  EXPECT_EQ(plain("f(int n, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, "
                  "bool? pin_memory=None) -> Tensor"),
            "at::Tensor f(int64_t n, at::TensorOptions options=at::kLong)");
  EXPECT_EQ(plain("f(int n, *, ScalarType dtype, Layout layout, Device device, "
                  "bool pin_memory=False) -> Tensor"),
            "at::Tensor f(int64_t n, at::TensorOptions options)");
}

TEST(Cpp, MethodsLackSelf) {
  NativeFunction F = function(NewFull);
  CppSignatures S = forms(F, {.Method = true});
  EXPECT_EQ(S.Plain.decl(oldDialect()),
            "at::Tensor new_full(at::IntArrayRef size, const at::Scalar & fill_value, "
            "at::TensorOptions options={})");
  EXPECT_EQ(S.SymIntFaithful->decl(oldDialect()),
            "at::Tensor new_full_symint(c10::SymIntArrayRef size, const at::Scalar & fill_value, "
            "c10::optional<at::ScalarType> dtype, c10::optional<at::Layout> layout, "
            "c10::optional<at::Device> device, c10::optional<bool> pin_memory)");
}

TEST(Cpp, DefaultsCanBeRefused) {
  NativeFunction F = function("f(Tensor self, int reduction=Mean, float eps=1e-05) -> Tensor");
  F.CppNoDefaultArgs = {"eps"};
  EXPECT_EQ(forms(F).Plain.decl(oldDialect()),
            "at::Tensor f(const at::Tensor & self, int64_t reduction=at::Reduction::Mean, "
            "double eps)");
  EXPECT_EQ(nativeSignature(F.Schema, Lowering::of(F, oldDialect()), false).decl(oldDialect()),
            "at::Tensor f(const at::Tensor & self, int64_t reduction=at::Reduction::Mean, "
            "double eps=1e-05)");
}

TEST(Cpp, FallbackBindingsHaveAPrefix) {
  NativeFunction F = function(AddOut);
  CppSignatures S = forms(F, {.FallbackBinding = true});
  EXPECT_EQ(S.Plain.Name, "__dispatch_add_out");
  EXPECT_EQ(S.Faithful->Name, "__dispatch_add_outf");
}

TEST(Cpp, DefaultsInALaterDialect) {
  const char *Conv = "conv(Tensor input, Tensor? bias=None, SymInt[2] stride=1, "
                     "int[2] dilation=[1,1], int? groups=None) -> Tensor";
  NativeFunction F = function(Conv);
  CppSignatures S = forms(F, {}, newDialect());
  EXPECT_EQ(S.Plain.decl(newDialect()),
            "at::Tensor conv(const at::Tensor & input, const ::std::optional<at::Tensor> & bias={},"
            " at::IntArrayRef stride=1, at::IntArrayRef dilation={1,1}, "
            "::std::optional<int64_t> groups=::std::nullopt)");
  EXPECT_EQ(S.SymInt->decl(newDialect()),
            "at::Tensor conv_symint(const at::Tensor & input, "
            "const ::std::optional<at::Tensor> & bias={}, "
            "c10::SymIntArrayRef stride=c10::SymInt(1), at::IntArrayRef dilation={1,1}, "
            "::std::optional<int64_t> groups=::std::nullopt)");
}

TEST(Cpp, SymIntReturnsFollowTheDialect) {
  const char *Sizes = "f(Tensor self, SymInt k) -> (SymInt, SymInt[])";
  EXPECT_EQ(plain(Sizes),
            "::std::tuple<int64_t,::std::vector<int64_t>> f(const at::Tensor & self, int64_t k)");
  EXPECT_EQ(plain(Sizes, newDialect()),
            "::std::tuple<c10::SymInt,::std::vector<c10::SymInt>> f(const at::Tensor & self, "
            "int64_t k)");
  // Whether returns alone make a symint form is another fact.
  NativeFunction F = function("f(Tensor self) -> SymInt");
  EXPECT_TRUE(forms(F, {}, oldDialect()).SymInt);
  EXPECT_FALSE(forms(F, {}, newDialect()).SymInt);
}

TEST(Cpp, Returns) {
  EXPECT_EQ(plain("f(Tensor self) -> ()"), "void f(const at::Tensor & self)");
  EXPECT_EQ(plain("f(Tensor self) -> (Tensor, bool, Scalar, float)"),
            "::std::tuple<at::Tensor,bool,at::Scalar,double> f(const at::Tensor & self)");
  EXPECT_EQ(plain("f(Tensor self) -> Tensor[]"),
            "::std::vector<at::Tensor> f(const at::Tensor & self)");
  EXPECT_EQ(plain("f(Tensor self) -> int?"), "c10::optional<int64_t> f(const at::Tensor & self)");
  EXPECT_EQ(plain("f(Tensor? x=None) -> Tensor?", newDialect()),
            "::std::optional<at::Tensor> f(const ::std::optional<at::Tensor> & x={})");
}

TEST(Cpp, ReturnNames) {
  using Names = std::vector<std::string>;
  auto NamesOf = [](llvm::StringRef Schema, llvm::StringRef Fallback = "result") {
    return returnNames(function(Schema), Fallback);
  };
  EXPECT_EQ(NamesOf("add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"), Names{"self"});
  EXPECT_EQ(
      NamesOf("max.dim_max(Tensor self, int dim, *, Tensor(a!) max, Tensor(b!) max_values) -> "
              "(Tensor(a!) values, Tensor(b!) indices)"),
      (Names{"max", "max_values"}));
  EXPECT_EQ(NamesOf("f(Tensor self, Tensor values) -> (Tensor values, Tensor indices)"),
            (Names{"values_return", "indices"}));
  EXPECT_EQ(NamesOf("f(Tensor self) -> Tensor"), Names{"result"});
  EXPECT_EQ(NamesOf("f(Tensor self) -> (Tensor, Tensor)", "tmp"), (Names{"tmp0", "tmp1"}));
  EXPECT_EQ(NamesOf("f(Tensor self) -> ()"), Names{});
}

TEST(Dispatcher, SchemaOrderWithoutDefaults) {
  NativeFunction F = function(Empty);
  Lowering L = Lowering::of(F, newDialect());
  EXPECT_EQ(dispatcherSignature(F.Schema, L).decl(newDialect()),
            "at::Tensor empty(c10::SymIntArrayRef size, ::std::optional<at::ScalarType> dtype, "
            "::std::optional<at::Layout> layout, ::std::optional<at::Device> device, "
            "::std::optional<bool> pin_memory, ::std::optional<at::MemoryFormat> memory_format)");
  Signature Int = dispatcherSignature(F.Schema, L, /*SymInt=*/false, "wrapper_");
  EXPECT_EQ(Int.Name, "wrapper_empty");
  EXPECT_EQ(Int.Params[0].decl(newDialect()), "at::IntArrayRef size");
}

TEST(Dispatcher, TypesAndOtherNames) {
  NativeFunction F = function(AddOut);
  const Dialect &D = oldDialect();
  Signature S = dispatcherSignature(F.Schema, Lowering::of(F, D));
  EXPECT_EQ(S.type(D), "at::Tensor & (const at::Tensor &, const at::Tensor &, const at::Scalar &, "
                       "at::Tensor &)");
  EXPECT_EQ(S.ptrType(D), "at::Tensor & (*)(const at::Tensor &, const at::Tensor &, "
                          "const at::Scalar &, at::Tensor &)");
  EXPECT_EQ(S.defn(D, "call"),
            "at::Tensor & call(const at::Tensor & self, const at::Tensor & other, "
            "const at::Scalar & alpha, at::Tensor & out)");
}

TEST(Native, KeepsDefaultsOfFunctionsWithoutOut) {
  NativeFunction F = function(NewFull);
  const Dialect &D = oldDialect();
  Signature S = nativeSignature(F.Schema, Lowering::of(F, D), /*SymInt=*/true);
  EXPECT_EQ(S.decl(D), "at::Tensor new_full(const at::Tensor & self, c10::SymIntArrayRef size, "
                       "const at::Scalar & fill_value, c10::optional<at::ScalarType> dtype={}, "
                       "c10::optional<at::Layout> layout={}, c10::optional<at::Device> device={}, "
                       "c10::optional<bool> pin_memory={})");
  NativeFunction Out = function(AddOut);
  EXPECT_EQ(nativeSignature(Out.Schema, Lowering::of(Out, D), false).decl(D),
            "at::Tensor & add_out_out(const at::Tensor & self, const at::Tensor & other, "
            "const at::Scalar & alpha, at::Tensor & out)");
}

TEST(Native, TensorOptionsAreOptionalWhateverTheSchemaSays) {
  NativeFunction F = function("f(*, ScalarType dtype, Layout layout, Device device, "
                              "bool pin_memory=False) -> Tensor");
  const Dialect &D = oldDialect();
  EXPECT_EQ(nativeSignature(F.Schema, Lowering::of(F, D), false, "x_").decl(D),
            "at::Tensor x_f(c10::optional<at::ScalarType> dtype={}, "
            "c10::optional<at::Layout> layout={}, c10::optional<at::Device> device={}, "
            "c10::optional<bool> pin_memory={})");
}

TEST(Native, OptionalTensorsStayOptionalWhenWrittenTo) {
  NativeFunction F = function("f(Tensor self, Tensor(a!)? running_mean) -> ()");
  const Dialect &D = newDialect();
  Lowering L = Lowering::of(F, D);
  EXPECT_EQ(nativeSignature(F.Schema, L, false).decl(D),
            "void f(const at::Tensor & self, ::std::optional<at::Tensor> & running_mean)");
  EXPECT_EQ(dispatcherSignature(F.Schema, L).decl(D),
            "void f(const at::Tensor & self, at::Tensor & running_mean)");
}

TEST(Native, Names) {
  EXPECT_EQ(nativeName(function(AddOut).Schema), "add_out_out");
  EXPECT_EQ(nativeName(function("add_.Tensor(Tensor(a!) self) -> Tensor(a!)").Schema),
            "add__Tensor");
  EXPECT_EQ(nativeName(function("abs(Tensor self) -> Tensor").Schema), "abs");
}

TEST(Kernel, TheIndexChoosesConventionAndSymInt) {
  NativeFunction F = function("view(Tensor self, SymInt[] size) -> Tensor");
  Lowering L = Lowering::of(F, oldDialect());
  auto DeclIn = [&](const BackendIndex &Index) {
    return kernelSignature(F, Index, L, "p_").decl(oldDialect());
  };
  BackendIndex InTree;
  EXPECT_EQ(DeclIn(InTree), "at::Tensor p_view(const at::Tensor & self, at::IntArrayRef size)");
  InTree.Kernels[&F] = {DispatchKey::CPU, "view_symint", "at::native", false, {}};
  EXPECT_EQ(DeclIn(InTree), "at::Tensor p_view(const at::Tensor & self, c10::SymIntArrayRef size)");

  NativeFunction WithOverload = function("div.Mode(Tensor self, Tensor? x=None) -> Tensor");
  BackendIndex External;
  External.External = true;
  External.Kernels[&WithOverload] = {DispatchKey::XLA, "div", "at", false, {}};
  EXPECT_EQ(kernelSignature(WithOverload, External, L).decl(oldDialect()),
            "at::Tensor div(const at::Tensor & self, const c10::optional<at::Tensor> & x)");
}

//===-- structured ----------------------------------------------------------===//

TEST(Structured, MetaAndImpl) {
  NativeFunction Functional =
      function("clamp.Scalar(Tensor self, Scalar? min=None, Tensor[] list=[]) -> Tensor");
  NativeFunction Out = function("clamp.out(Tensor self, Scalar? min=None, Tensor[] list=[], *, "
                                "Tensor(a!) out) -> Tensor(a!)");
  NativeFunctionsGroup G{&Functional, nullptr, nullptr, &Out};
  const Dialect &D = oldDialect();
  EXPECT_EQ(structuredMeta(G, D).decl(D),
            "void meta(const at::Tensor & self, at::OptionalScalarRef min, "
            "const at::ITensorListRef & list)");
  EXPECT_EQ(structuredImpl(G, D).decl(D),
            "void impl(const at::Tensor & self, at::OptionalScalarRef min, "
            "const at::ITensorListRef & list, const at::Tensor & out)");
  EXPECT_EQ(structuredMetaName(G), "clamp_Scalar");
}

TEST(Structured, PrecomputedArgumentsReplaceAndAdd) {
  NativeFunction Functional = function("pool(Tensor self, int[2] kernel, int dim) -> Tensor");
  NativeFunction Out =
      function("pool.out(Tensor self, int[2] kernel, int dim, *, Tensor(a!) out) -> Tensor(a!)");
  Precompute P;
  P.Replace.push_back({"kernel", {argument("int", "kH"), argument("int", "kW")}});
  P.Replace.push_back({"self", {argument("int", "never")}});
  P.Add = {argument("DimVector", "sizes")};
  Out.Precomputed = P;
  NativeFunctionsGroup G{&Functional, nullptr, nullptr, &Out};
  const Dialect &D = oldDialect();
  Signature Impl = structuredImpl(G, D);
  EXPECT_EQ(Impl.decl(D), "void impl(const at::Tensor & self, int64_t kH, int64_t kW, int64_t dim, "
                          "at::DimVector sizes, const at::Tensor & out)");
  EXPECT_EQ(Impl.Params[1].Arg, &Out.Precomputed->Replace[0].By[0]);
  EXPECT_EQ(Impl.Params[4].Arg, &Out.Precomputed->Add[0]);
  EXPECT_EQ(structuredMeta(G, D).decl(D),
            "void meta(const at::Tensor & self, at::IntArrayRef kernel, int64_t dim)");
}

//===-- translation of whole functions --------------------------------------===//

std::string translated(const Signature &From, const Signature &To, const Dialect &D,
                       TranslateOptions Options = {}) {
  auto Exprs = translate(From.Params, To.Params, D, Options);
  if (!Exprs) {
    llvm::consumeError(Exprs.takeError());
    return "?";
  }
  return join(*Exprs);
}

TEST(TranslateFunctions, CppToDispatcher) {
  const Dialect &D = oldDialect();
  NativeFunction F = function(Empty);
  Signature To = dispatcherSignature(F.Schema, Lowering::of(F, D));
  CppSignatures From = forms(F);
  EXPECT_EQ(translated(From.Plain, To, D),
            "c10::fromIntArrayRef(size), optTypeMetaToScalarType(options.dtype_opt()), "
            "options.layout_opt(), options.device_opt(), options.pinned_memory_opt(), "
            "c10::impl::check_tensor_options_and_extract_memory_format(options, memory_format)");
  EXPECT_EQ(translated(*From.SymIntFaithful, To, D),
            "size, dtype, layout, device, pin_memory, memory_format");
}

TEST(TranslateFunctions, MethodToDispatcher) {
  const Dialect &D = newDialect();
  NativeFunction F = function(NewFull);
  Signature To = dispatcherSignature(F.Schema, Lowering::of(F, D));
  CppSignatures From = forms(F, {.Method = true}, D);
  EXPECT_EQ(translated(From.Plain, To, D, {.Method = true}),
            "const_cast<Tensor&>(*this), c10::fromIntArrayRefSlow(size), fill_value, "
            "c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(), "
            "options.device_opt(), options.pinned_memory_opt()");
}

TEST(TranslateFunctions, DispatcherToKernelAndBack) {
  const Dialect &D = oldDialect();
  NativeFunction F = function("split(Tensor self, SymInt split_size, int dim=0) -> Tensor[]");
  Lowering L = Lowering::of(F, D);
  Signature Dispatcher = dispatcherSignature(F.Schema, L);
  Signature Kernel = nativeSignature(F.Schema, L, /*SymInt=*/false);
  EXPECT_EQ(translated(Dispatcher, Kernel, D), "self, split_size.expect_int(), dim");
  EXPECT_EQ(translated(Kernel, Dispatcher, D), "self, split_size, dim");
}

TEST(TranslateFunctions, AWrittenOptionalTensorHasNoWayBetweenConventions) {
  const Dialect &D = oldDialect();
  NativeFunction F = function("f(Tensor self, Tensor(a!)? running_mean) -> ()");
  Lowering L = Lowering::of(F, D);
  Signature Dispatcher = dispatcherSignature(F.Schema, L);
  Signature Kernel = nativeSignature(F.Schema, L, /*SymInt=*/false);
  EXPECT_EQ(translated(Dispatcher, Kernel, D), "?");
  EXPECT_EQ(translated(Kernel, Dispatcher, D), "?");
}

} // namespace
