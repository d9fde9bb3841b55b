//===- SchemaTest.cpp - What a parsed schema says --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected values are what torchgen's data model says about the same schemas.
//
//===----------------------------------------------------------------------===//

#include "Grammars.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <unordered_map>

using namespace opsig;
using namespace opsig::test;

namespace {

FunctionSchema parse(llvm::StringRef Text) {
  SchemaErrors Errors;
  std::optional<FunctionSchema> F = parseSchema(Text, late(), Errors);
  for (const SchemaError &E : Errors)
    ADD_FAILURE() << Text.str() << ": " << E.Message;
  return F.value_or(FunctionSchema());
}

std::string names(Arguments::Slice Slice) {
  return llvm::join(llvm::map_range(Slice, [](const Argument &A) { return A.Name; }), " ");
}

std::string signatureWithNames(const FunctionSchema &F) {
  SignatureOptions Options;
  Options.KeepReturnNames = true;
  Options.StripDefault = true;
  return F.signature(Options).str();
}

TEST(Schema, PrintsWhatItParsed) {
  for (llvm::StringRef Text : {
           "f() -> ()",
           "f(*, int n) -> Tensor",
           "__lshift__.Scalar(Tensor self, Scalar other) -> Tensor",
           "_f_functional.a(Tensor self) -> (Tensor a, Tensor)",
           "f(Tensor(a -> *) self, Tensor(a! -> b|c)? x, Tensor(b|c)[] y) -> Tensor(b|c)[]",
           "f(Tensor??[][2]? x, __torch__.torch.classes.a.B[] y, int[4294967295] z) -> bool[3]",
           "f(int[] n=[0,1], str s=\"a,b\", str t='', float e=1e-05, Layout l=strided, Tensor? "
           "u=None) -> ()",
           "f(Tensor self, int m=Mean, bool[2] b=True, *, Tensor(a!)[] out) -> ()",
       })
    EXPECT_EQ(parse(Text).str(), Text);
}

TEST(Schema, GrammarsDiffer) {
  SchemaErrors Errors;
  for (llvm::StringRef Text : {"f(str s='a b') -> ()", "f(int n= 1) -> ()",
                               "aten::f.x(Tensor self) -> Tensor", "f(SymBool b) -> ()"}) {
    EXPECT_EQ(parse(Text).str(), Text);
    EXPECT_FALSE(parseSchema(Text, early(), Errors)) << Text.str();
  }
  EXPECT_TRUE(parseSchema("f(int from, ConstQuantizerPtr q) -> ()", early(), Errors));
  // Two that keep their keyword.
  parse("uniform_(Tensor(a!) self, float from=0) -> Tensor(a!)");
  parse("random_.from(Tensor(a!) self, int from) -> Tensor(a!)");
}

TEST(Schema, SectionsOfArguments) {
  Arguments A =
      parse(
          "f(Tensor a, Tensor self, int n, *, int k, ScalarType? dtype=None, Layout? layout=None, "
          "Device? device=None, bool? pin_memory=None, int m=1) -> Tensor")
          .Args;
  EXPECT_EQ(names(A.preSelfPositional()), "a");
  EXPECT_EQ(A.self()->Name, "self");
  EXPECT_EQ(names(A.postSelfPositional()), "n");
  EXPECT_EQ(names(A.positional()), "a self n");
  EXPECT_EQ(names(A.preTensorOptionsKwargOnly()), "k");
  EXPECT_EQ(names(A.tensorOptions()), "dtype layout device pin_memory");
  EXPECT_EQ(names(A.postTensorOptionsKwargOnly()), "m");
  EXPECT_EQ(names(A.kwargOnly()), "k dtype layout device pin_memory m");
  EXPECT_EQ(names(A.out()), "");
  EXPECT_TRUE(A.isTensorOption(4));
  EXPECT_FALSE(A.isTensorOption(8));

  A = parse("f.out(Tensor x, *, int k, Tensor(a!) out, Tensor(b!) _scratch_y) -> Tensor(a!)").Args;
  EXPECT_EQ(A.self(), nullptr);
  EXPECT_EQ(names(A.preSelfPositional()), "");
  EXPECT_EQ(names(A.postSelfPositional()), "x");
  EXPECT_EQ(names(A.kwargOnly()), "k");
  EXPECT_EQ(names(A.preTensorOptionsKwargOnly()), "k");
  EXPECT_EQ(names(A.postTensorOptionsKwargOnly()), "");
  EXPECT_EQ(names(A.out()), "out _scratch_y");
  EXPECT_EQ(names(A.nonOut()), "x k");
}

TEST(Schema, TensorOptionsAreFourOfTheirTypesInOrder) {
  auto Grouped = [](llvm::StringRef Args) {
    return parse(("f(*, " + Args + ") -> Tensor").str()).Args.hasTensorOptions();
  };
  EXPECT_TRUE(Grouped("ScalarType dtype, Layout layout, Device device, bool pin_memory"));
  EXPECT_TRUE(Grouped("ScalarType? dtype, Layout layout, Device? device, bool pin_memory"));
  EXPECT_FALSE(Grouped("ScalarType? dtype, Layout layout, Device? device, bool? pinned"));
  EXPECT_FALSE(Grouped("Layout layout, ScalarType? dtype, Device? device, bool? pin_memory"));
  EXPECT_FALSE(Grouped("ScalarType? dtype, Layout layout, Device[] device, bool? pin_memory"));
}

TEST(Schema, Kinds) {
  auto Kind = [](llvm::StringRef Text) { return toString(parse(Text).kind()).str(); };
  EXPECT_EQ(Kind("f(Tensor self) -> Tensor"), "functional");
  EXPECT_EQ(Kind("f_(Tensor(a!) self, Tensor(b!) x) -> Tensor(a!)"), "inplace");
  EXPECT_EQ(Kind("f.out(Tensor self, Tensor(b!) x, *, Tensor(a!) out) -> Tensor(a!)"), "out");
  EXPECT_EQ(Kind("f(Tensor self, Tensor(a!) x) -> ()"), "mutable");
  EXPECT_EQ(Kind("f.out(*, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)"), "scratch");
  // A written self alone makes no mutable schema.
  EXPECT_EQ(Kind("set_data(Tensor(a!) self, Tensor new_data) -> ()"), "functional");
  EXPECT_FALSE(parse("set_data(Tensor(a!) self, Tensor new_data) -> ()").modifiesArguments());
  EXPECT_FALSE(
      parse("f.out(*, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)").modifiesArguments());
}

TEST(Schema, VariantsOfAnOperatorHaveOneSignature) {
  FunctionSchema Functional =
      parse("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  FunctionSchema Inplace =
      parse("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  FunctionSchema Out =
      parse("add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  FunctionSchema Other = parse("add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(Inplace.signature().str(),
            "add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(Functional.signature(), Inplace.signature());
  EXPECT_EQ(Functional.signature(), Out.signature());
  EXPECT_FALSE(Functional.signature() == Other.signature());

  std::unordered_map<FunctionSchema, int> Groups;
  for (const FunctionSchema *F : {&Functional, &Inplace, &Out, &Other})
    ++Groups[F->signature()];
  EXPECT_EQ(Groups.size(), 2u);
  EXPECT_EQ(Groups[Out.signature()], 3);
}

TEST(Schema, SignatureReturnsWhatIsWritten) {
  FunctionSchema F =
      parse("observer(Tensor self, Tensor(a!) running_min, Tensor(b!) running_max, float c=0.5) -> "
            "(Tensor output, Tensor mask)");
  EXPECT_EQ(F.signature().str(),
            "observer(Tensor self, Tensor running_min, Tensor running_max, float c=0.5) -> "
            "(Tensor, Tensor, Tensor, Tensor)");
  EXPECT_EQ(signatureWithNames(F),
            "observer(Tensor self, Tensor running_min, Tensor running_max, float c) -> "
            "(Tensor output, Tensor mask, Tensor running_min_out, Tensor running_max_out)");
  // Self first, then out arguments, then the others.
  EXPECT_EQ(
      signatureWithNames(parse("f.out(*, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)")),
      "f() -> (Tensor, Tensor _scratch_x_out)");
  EXPECT_EQ(signatureWithNames(parse("_f(Tensor self, Tensor(a!) x, *, Tensor(b!)[] out) -> ()")),
            "_f(Tensor self, Tensor x) -> (Tensor[] out_out, Tensor x_out)");
  EXPECT_EQ(
      signatureWithNames(parse("_foreach_add_.List(Tensor(a!)[] self, Tensor[] other) -> ()")),
      "_foreach_add(Tensor[] self, Tensor[] other) -> Tensor[] self_out");
}

TEST(Schema, SignatureDropsTensorOptionsAndFunctional) {
  EXPECT_EQ(
      parse(
          "empty.memory_format(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
          "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
          .signature()
          .str(),
      "empty(int[] size, *, MemoryFormat? memory_format=None) -> Tensor");
  EXPECT_EQ(
      parse("native_batch_norm_functional(Tensor input) -> (Tensor, Tensor)").signature().str(),
      "native_batch_norm(Tensor input) -> (Tensor, Tensor)");
  EXPECT_EQ(parse("__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)").signature().str(),
            "__and__(Tensor self, Tensor other) -> Tensor");
  EXPECT_EQ(parse("bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor")
                .signature()
                .str(),
            "bernoulli(Tensor self, float p=0.5, *, Generator? generator=None) -> Tensor");
}

TEST(Schema, ViewSignature) {
  EXPECT_EQ(parse("unbind_copy.int(Tensor self, int dim=0) -> Tensor[]").viewSignature(true).str(),
            "unbind(Tensor self, int dim=0) -> Tensor[]");
  EXPECT_EQ(parse("view_copy_copy(Tensor self) -> Tensor").viewSignature(false).str(),
            "view(Tensor self) -> Tensor");
  EXPECT_EQ(parse("copy_view(Tensor self) -> Tensor").viewSignature(false).str(),
            "copy_view(Tensor self) -> Tensor");
  FunctionSchema Scatter = parse("slice_scatter(Tensor self, Tensor src, int dim=0) -> Tensor");
  EXPECT_EQ(Scatter.viewSignature(true).str(),
            "slice_inverse(Tensor self, Tensor src, int dim=0) -> Tensor");
  EXPECT_EQ(Scatter.viewSignature(false).str(),
            "slice_scatter(Tensor self, Tensor src, int dim=0) -> Tensor");
}

TEST(Schema, AliasedReturns) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(
      parse("svd.U(Tensor self, *, Tensor(a!) U, Tensor(b!) S) -> (Tensor(a!) U, Tensor(b!) S)")
          .aliasedReturnNames(),
      (Names{"U", "S"}));
  EXPECT_EQ(parse("f(Tensor(a) self, Tensor(b|c) other) -> (Tensor(b|c), Tensor(a))")
                .aliasedReturnNames(),
            (Names{"other", "self"}));
  // An annotation with a set after the call is another one.
  FunctionSchema Split = parse("split.Tensor(Tensor(a -> *) self, int split_size) -> Tensor(a)[]");
  EXPECT_EQ(Split.aliasedReturnNames(), Names{""});
  EXPECT_TRUE(Split.hasAliasedReturn());
  EXPECT_FALSE(parse("f_(Tensor(a!) self) -> Tensor(a!)").hasAliasedReturn());
}

TEST(Schema, SymIntMayCountInReturns) {
  FunctionSchema F = parse("f(Tensor self) -> SymInt");
  EXPECT_TRUE(F.hasSymInt(/*CountReturns=*/true));
  EXPECT_FALSE(F.hasSymInt(/*CountReturns=*/false));
  EXPECT_TRUE(parse("f(SymInt[]? n) -> ()").hasSymInt(/*CountReturns=*/false));
}

TEST(Schema, Names) {
  auto Name = [](llvm::StringRef Text) {
    SchemaErrors Errors;
    return parseOperatorName(Text, late(), Errors).value_or(OperatorName());
  };
  EXPECT_EQ(Name("add_.Tensor").Name.Base, "add");
  EXPECT_TRUE(Name("add_.Tensor").Name.Inplace);
  EXPECT_EQ(Name("add_.Tensor").unambiguous(), "add__Tensor");
  EXPECT_EQ(Name("add_.Tensor").withoutInplace().str(), "add.Tensor");
  EXPECT_EQ(Name("add_.Tensor").withOverload("out").str(), "add.out");
  EXPECT_EQ(Name("__iand__.Tensor").Name.Base, "and");
  EXPECT_TRUE(Name("__iand__.Tensor").Name.Inplace);
  EXPECT_EQ(Name("__iand__.Tensor").unambiguous(), "__iand___Tensor");
  EXPECT_EQ(Name("__iand__.Tensor").withoutInplace().str(), "__and__.Tensor");
  // More than four underscores: no dunder, but inplace.
  EXPECT_FALSE(Name("__a_b__").Name.Dunder);
  EXPECT_EQ(Name("__a_b__").Name.Base, "__a_b_");
  EXPECT_TRUE(Name("f_functional").Name.FunctionalOverload);
  EXPECT_EQ(Name("f_functional").withoutInplace().str(), "f");
  EXPECT_EQ(Name("a::b::f.x").Name.Namespace, "a::b");
  EXPECT_EQ(Name("a::b::f.x").str(), "a::b::f.x");
  EXPECT_EQ(Name("a::b::f.x").withoutInplace().str(), "f.x");
}

TEST(Schema, Types) {
  auto Parse = [](llvm::StringRef Text) {
    SchemaErrors Errors;
    return parseType(Text, late(), Errors).value_or(Type());
  };
  EXPECT_EQ(Parse("Tensor?[]"), Type(BaseTy::Tensor).optional().list());
  EXPECT_EQ(Parse("SymInt[2]?"), Type(BaseTy::SymInt).list(2).optional());
  EXPECT_EQ(Parse("SymInt[2]?").elem(), Type(BaseTy::SymInt).list(2));
  EXPECT_EQ(Parse("__torch__.torch.classes.a.B?"), Type::customClass("a.B").optional());

  EXPECT_TRUE(Parse("Tensor?[]").isNullable());
  EXPECT_TRUE(Parse("Tensor?[]").isTensorLike());
  EXPECT_FALSE(Parse("Tensor[]").isNullable());
  EXPECT_FALSE(Parse("__torch__.torch.classes.a.B").isTensorLike());
  EXPECT_TRUE(Parse("SymInt[2]?").isSymIntLike());
  EXPECT_TRUE(Parse("Generator?[]").isGeneratorLike());
  EXPECT_EQ(Parse("SymInt[2]?").listLike(), Parse("SymInt[2]"));
  EXPECT_EQ(Parse("Tensor?[]").listLike(), Parse("Tensor?[]"));
  EXPECT_EQ(Parse("Tensor?").listLike(), std::nullopt);
  EXPECT_EQ(Parse("int[3]").listSize(), 3u);
}

std::optional<FunctionSchema> parseString(llvm::StringRef Text) {
  SchemaErrors Errors, Remarks;
  return parseScriptSchema(Text, late(), ScriptRules(), Errors, Remarks);
}

bool isSame(TextRange L, TextRange R) { return L.Offset == R.Offset && L.Length == R.Length; }

/// Names, types and defaults stand at the same places.
bool isSamePlace(llvm::ArrayRef<Argument> L, llvm::ArrayRef<Argument> R) {
  return llvm::all_of(llvm::zip_equal(L, R), [](auto Both) {
    const auto &[A, B] = Both;
    return isSame(A.TypeAt, B.TypeAt) && isSame(A.NameAt, B.NameAt) &&
           isSame(A.DefaultAt, B.DefaultAt);
  });
}

TEST(Schema, BothGrammarsGiveOneTree) {
  for (llvm::StringRef Text : {
           "f() -> ()",
           "f(*, int n) -> Tensor",
           "ns::f.x(Tensor self, Dimname[1] names, int[2]? size=None) -> DeviceIndex",
           "__lshift__.Scalar(Tensor self, Scalar other) -> Tensor",
           "__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
           "_f_functional.a(Tensor self) -> (Tensor a, Tensor)",
           "f(Tensor(a -> *) self, Tensor(a! -> b|c)? x, Tensor(b|c)[] y) -> Tensor(b|c)[]",
           "f(__torch__.torch.classes.a.B[] y, int[7] z, SymInt[1] s) -> bool[3]",
           "f(int[] n=[0,1], str s=\"a,b\", str t='', float e=-1e-05, Tensor? u=None) -> ()",
           "f(Tensor self, int m=Mean, bool[2] b=True, *, Tensor(a!)[] out) -> ()",
           "f(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
           "bool? pin_memory=None) -> Tensor",
       }) {
    FunctionSchema Strict = parse(Text);
    std::optional<FunctionSchema> Lenient = parseString(Text);
    ASSERT_TRUE(Lenient) << Text.str();
    EXPECT_EQ(*Lenient, Strict) << Lenient->str();
    EXPECT_EQ(Lenient->Args.TensorOptionsIndex, Strict.Args.TensorOptionsIndex);
    EXPECT_TRUE(isSamePlace(Lenient->Args.All, Strict.Args.All)) << Text.str();
    EXPECT_TRUE(isSamePlace(Lenient->Returns, Strict.Returns)) << Text.str();
    EXPECT_TRUE(isSame(Lenient->NameAt, Strict.NameAt)) << Text.str();
  }
}

TEST(Schema, StringsHaveMoreTypes) {
  for (llvm::StringRef Text : {
           "f",
           "ns::f.x",
           "f(...) -> ...",
           "f(Tensor self, ...) -> (Tensor, ...)",
           "f(Dict(str, Tensor[]) d, (int, Tensor?)[] t, t[] x, Any? a=None) -> Union(int, "
           "complex)",
           "f(Future(Tensor)? f, RRef(t) r) -> NoneType",
       }) {
    std::optional<FunctionSchema> F = parseString(Text);
    ASSERT_TRUE(F) << Text.str();
    EXPECT_EQ(F->str(), Text.str() == "f(...) -> ..." ? "f(...) -> (...)" : Text.str());
  }
  FunctionSchema F = parseString("f( Tensor a,*,Tensor( b ! )[]?o )->Tensor").value();
  EXPECT_EQ(F.str(), "f(Tensor a, *, Tensor(b!)[]? o) -> Tensor");
  EXPECT_TRUE(F.isOut());
}

TEST(Schema, TypesAsTheDispatcherHasThem) {
  EXPECT_EQ(Type(BaseTy::Dimname).list(2).dispatched(), Type(BaseTy::Str).list());
  EXPECT_EQ(Type(BaseTy::SymInt).list(2).dispatched(), Type(BaseTy::SymInt).list());
  Type Dict = Type::of(BaseTy::Dict, {BaseTy::Str, Type(BaseTy::SymInt).list(2)});
  EXPECT_EQ(Dict.dispatched().str(), "Dict(str, SymInt[])");
  EXPECT_EQ(Dict.withoutSymInt().str(), "Dict(str, int[2])");
  EXPECT_EQ(Type::variable("t").list().innermost(), Type::variable("t"));
}

TEST(Schema, ListsAreSplitAtCommaAndBlank) {
  using Pieces = std::vector<llvm::StringRef>;
  EXPECT_EQ(splitList("function, method"), (Pieces{"function", "method"}));
  EXPECT_EQ(splitList("a,b,  c, "), (Pieces{"a,b", " c", ""}));
  EXPECT_EQ(splitList(""), Pieces{""});
}

} // namespace
