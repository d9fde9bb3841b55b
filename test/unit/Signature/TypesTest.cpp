//===- TypesTest.cpp - Schema types and defaults in every convention --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What torchgen's argumenttype_type() and default_expr() answer, type by type.
//
//===----------------------------------------------------------------------===//

#include "TestFunctions.h"
#include "opsig/Signature/Signature.h"

using namespace opsig;
using namespace opsig::test;

namespace {

struct TypeCase {
  const char *Schema;
  const char *SymInt;     ///< cpp with symint, dispatcher, native
  const char *Int;        ///< cpp without symint; null: the same
  const char *Structured; ///< null: as SymInt
};

const TypeCase OldTypes[] = {
    {"Tensor", "const at::Tensor &", nullptr, nullptr},
    {"Scalar", "const at::Scalar &", nullptr, nullptr},
    {"int", "int64_t", nullptr, nullptr},
    {"float", "double", nullptr, nullptr},
    {"bool", "bool", nullptr, nullptr},
    {"str", "c10::string_view", nullptr, nullptr},
    {"SymInt", "c10::SymInt", "int64_t", "int64_t"},
    {"Generator", "at::Generator", nullptr, nullptr},
    {"ScalarType", "at::ScalarType", nullptr, nullptr},
    {"Dimname", "at::Dimname", nullptr, nullptr},
    {"DimVector", "at::DimVector", nullptr, nullptr},
    {"Layout", "at::Layout", nullptr, nullptr},
    {"Device", "at::Device", nullptr, nullptr},
    {"MemoryFormat", "at::MemoryFormat", nullptr, nullptr},
    {"QScheme", "at::QScheme", nullptr, nullptr},
    {"Storage", "at::Storage", nullptr, nullptr},
    {"Stream", "at::Stream", nullptr, nullptr},
    {"Tensor?", "const c10::optional<at::Tensor> &", nullptr, "at::OptionalTensorRef"},
    {"Scalar?", "const c10::optional<at::Scalar> &", nullptr, "at::OptionalScalarRef"},
    {"int?", "c10::optional<int64_t>", nullptr, nullptr},
    {"SymInt?", "c10::optional<c10::SymInt>", "c10::optional<int64_t>", "c10::optional<int64_t>"},
    {"str?", "c10::optional<c10::string_view>", nullptr, nullptr},
    {"Tensor[]", "at::TensorList", nullptr, "const at::ITensorListRef &"},
    {"Tensor[2]", "at::TensorList", nullptr, "const at::ITensorListRef &"},
    {"Tensor?[]", "const c10::List<c10::optional<at::Tensor>> &", nullptr, "at::IOptTensorListRef"},
    {"Tensor[]?", "c10::optional<at::TensorList>", nullptr,
     "c10::optional<const at::ITensorListRef &>"},
    {"Tensor?[]?", "c10::optional<const c10::List<c10::optional<at::Tensor>> &>", nullptr,
     "c10::optional<at::IOptTensorListRef>"},
    {"int[]", "at::IntArrayRef", nullptr, nullptr},
    {"int[2]", "at::IntArrayRef", nullptr, nullptr},
    {"int[]?", "at::OptionalIntArrayRef", nullptr, nullptr},
    {"int[1]?", "at::OptionalIntArrayRef", nullptr, nullptr},
    {"int?[]", "at::ArrayRef<c10::optional<int64_t>>", nullptr, nullptr},
    {"int[][]", "at::ArrayRef<at::IntArrayRef>", nullptr, nullptr},
    {"SymInt[]", "c10::SymIntArrayRef", "at::IntArrayRef", "at::ArrayRef<int64_t>"},
    {"SymInt[2]", "c10::SymIntArrayRef", "at::IntArrayRef", "at::ArrayRef<int64_t>"},
    {"SymInt[]?", "at::OptionalSymIntArrayRef", "at::OptionalIntArrayRef",
     "c10::optional<at::ArrayRef<int64_t>>"},
    {"SymInt?[]", "at::ArrayRef<c10::optional<c10::SymInt>>",
     "at::ArrayRef<c10::optional<int64_t>>", "at::ArrayRef<c10::optional<int64_t>>"},
    {"bool[3]", "::std::array<bool,3>", nullptr, nullptr},
    {"bool[3]?", "c10::optional<::std::array<bool,3>>", nullptr, nullptr},
    {"bool?[2]", "at::ArrayRef<c10::optional<bool>>", nullptr, nullptr},
    {"float[]", "at::ArrayRef<double>", nullptr, nullptr},
    {"float[]?", "c10::optional<at::ArrayRef<double>>", nullptr, nullptr},
    {"Scalar[]", "at::ArrayRef<at::Scalar>", nullptr, "at::ArrayRef<const at::Scalar &>"},
    {"Scalar?[]", "at::ArrayRef<const c10::optional<at::Scalar> &>", nullptr,
     "at::ArrayRef<at::OptionalScalarRef>"},
    {"Dimname[]", "at::DimnameList", nullptr, nullptr},
    {"Dimname[]?", "c10::optional<at::DimnameList>", nullptr, nullptr},
    {"ScalarType[]", "at::ArrayRef<at::ScalarType>", nullptr, nullptr},
    {"str[]", "at::ArrayRef<c10::string_view>", nullptr, nullptr},
};

const TypeCase NewTypes[] = {
    {"DeviceIndex", "at::DeviceIndex", nullptr, nullptr},
    {"SymBool", "c10::SymBool", nullptr, nullptr},
    {"Tensor?", "const ::std::optional<at::Tensor> &", nullptr, "at::OptionalTensorRef"},
    {"Tensor?[]", "const c10::List<::std::optional<at::Tensor>> &", nullptr,
     "at::IOptTensorListRef"},
    {"SymInt?", "::std::optional<c10::SymInt>", "::std::optional<int64_t>",
     "::std::optional<int64_t>"},
};

void checkTypes(llvm::ArrayRef<TypeCase> Cases, const Dialect &D) {
  Lowering L{&D};
  for (const TypeCase &C : Cases) {
    SCOPED_TRACE(C.Schema);
    Argument A = argument(C.Schema, "x");
    std::string Int = C.Int ? C.Int : C.SymInt;
    EXPECT_EQ(cppType(A, L, /*SymInt=*/true).str(D), C.SymInt);
    EXPECT_EQ(cppType(A, L, /*SymInt=*/false).str(D), Int);
    EXPECT_EQ(nativeType(A, L, /*SymInt=*/true).str(D), C.SymInt);
    EXPECT_EQ(nativeType(A, L, /*SymInt=*/false).str(D), Int);
    EXPECT_EQ(structuredType(A).str(D), C.Structured ? C.Structured : C.SymInt);
  }
}

TEST(Types, OfArguments) {
  checkTypes(OldTypes, oldDialect());
  checkTypes(NewTypes, newDialect());
}

TEST(Types, OfArgumentsThatAreWrittenTo) {
  const Dialect &D = oldDialect();
  Lowering L{&D};
  Argument Tensor = argument("Tensor", "x", /*Written=*/true);
  EXPECT_EQ(cppType(Tensor, L, false).str(D), "at::Tensor &");
  EXPECT_EQ(nativeType(Tensor, L, false).str(D), "at::Tensor &");
  EXPECT_EQ(structuredType(Tensor).str(D), "const at::Tensor &");
  Argument Optional = argument("Tensor?", "x", /*Written=*/true);
  EXPECT_EQ(cppType(Optional, L, false).str(D), "at::Tensor &");
  EXPECT_EQ(nativeType(Optional, L, false).str(D), "c10::optional<at::Tensor> &");
  EXPECT_EQ(structuredType(Optional).str(D), "at::OptionalTensorRef");
  Argument List = argument("Tensor[]", "x", /*Written=*/true);
  EXPECT_EQ(cppType(List, L, false).str(D), "at::TensorList");
}

TEST(Types, UnderTheFlagsOfAFunction) {
  const Dialect &D = newDialect();
  Lowering L{&D, /*ConstRefForMutableTensors=*/true, /*IListRefForTensorLists=*/true};
  auto Both = [&](llvm::StringRef Text, llvm::StringRef Want) {
    Argument A = argument(Text, "x", /*Written=*/true);
    EXPECT_EQ(cppType(A, L, true).str(D), Want.str());
    EXPECT_EQ(nativeType(A, L, true).str(D), Want.str());
  };
  Both("Tensor", "const at::Tensor &");
  Both("Tensor?", "const ::std::optional<at::Tensor> &");
  Both("Tensor[]", "const at::ITensorListRef &");
  Both("Tensor[]?", "::std::optional<const at::ITensorListRef &>");
  Both("Tensor?[]", "const c10::List<::std::optional<at::Tensor>> &");
}

TEST(Types, TheFlagsComeFromTheFunction) {
  NativeFunction F = function("cat(Tensor[] tensors) -> Tensor");
  Lowering Plain = Lowering::of(F, oldDialect());
  EXPECT_EQ(Plain.D, &oldDialect());
  EXPECT_FALSE(Plain.ConstRefForMutableTensors);
  EXPECT_FALSE(Plain.IListRefForTensorLists);
  F.UseConstRefForMutableTensors = true;
  F.StructuredDelegate = OperatorName{{"cat"}, "out"};
  Lowering Flagged = Lowering::of(F, oldDialect());
  EXPECT_TRUE(Flagged.ConstRefForMutableTensors);
  EXPECT_TRUE(Flagged.IListRefForTensorLists);
}

struct DefaultCase {
  const char *Schema;
  const char *Default;
  const char *Text;
};

const DefaultCase OldDefaults[] = {
    {"Tensor?", "None", "{}"},
    {"int?", "None", "c10::nullopt"},
    {"Tensor", "None", "c10::nullopt"},
    {"Tensor", "[]", "{}"},
    {"Tensor[]", "[]", "{}"},
    {"int[]", "[0,1]", "{0,1}"},
    {"int[2]", "[0,1]", "{0,1}"},
    {"int[2]", "1", "1"},
    {"SymInt[2]", "1", "1"},
    {"SymInt[2]?", "None", "c10::nullopt"},
    {"SymInt", "0", "0"},
    {"bool", "True", "true"},
    {"bool", "False", "false"},
    {"bool[2]", "True", "true"},
    {"bool[2]", "[True,False]", "{True,False}"},
    {"int", "Mean", "at::Reduction::Mean"},
    {"MemoryFormat", "contiguous_format", "MemoryFormat::Contiguous"},
    {"MemoryFormat?", "contiguous_format", "MemoryFormat::Contiguous"},
    {"ScalarType?", "long", "at::kLong"},
    {"float", "1e-05", "1e-05"},
    {"float", "inf", "inf"},
    {"int", "-1", "-1"},
    {"str", "'a'", "\"a\""},
    {"str?", "'a'", "\"a\""},
    {"str?", "None", "c10::nullopt"},
    {"str", "''", "\"\""},
    {"str", "'say \"x\"'", "\"say \\\"x\\\"\""},
    {"str", "'it\\'s'", "\"it's\""},
    {"str", "'tab\\t'", "\"tab\\t\""},
    {"str", "'a\\\\'", "\"a\\\\\""},
    {"str", "abc", "abc"},
    {"str", "'a", "'a"},
    {"str", "\"a\"", "\"a\""},
};

TEST(Defaults, InCpp) {
  for (const DefaultCase &C : OldDefaults)
    for (bool SymInt : {false, true})
      EXPECT_EQ(defaultText(C.Default, type(C.Schema), oldDialect(), SymInt), C.Text)
          << C.Schema << " = " << C.Default;
}

TEST(Defaults, InALaterDialect) {
  const Dialect &D = newDialect();
  EXPECT_EQ(defaultText("None", type("int?"), D, false), "::std::nullopt");
  EXPECT_EQ(defaultText("None", type("Tensor?"), D, false), "{}");
  EXPECT_EQ(defaultText("contiguous_format", type("MemoryFormat"), D, false),
            "c10::MemoryFormat::Contiguous");
}

TEST(Defaults, ANumberForAListOfSymInts) {
  const Dialect &D = newDialect();
  EXPECT_EQ(defaultText("1", type("SymInt[2]"), D, /*SymInt=*/true), "c10::SymInt(1)");
  EXPECT_EQ(defaultText("1", type("SymInt[2]?"), D, /*SymInt=*/true), "c10::SymInt(1)");
  EXPECT_EQ(defaultText("1", type("SymInt[2]"), D, /*SymInt=*/false), "1");
  EXPECT_EQ(defaultText("-1", type("SymInt[2]"), D, /*SymInt=*/true), "-1");
  EXPECT_EQ(defaultText("[1,2]", type("SymInt[2]"), D, /*SymInt=*/true), "{1,2}");
  EXPECT_EQ(defaultText("0", type("SymInt"), D, /*SymInt=*/true), "0");
}

TEST(Lowerable, MostSchemasAre) {
  for (const char *Schema :
       {"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "f(bool[3] x, bool[2]? y, int[2] z=1, Tensor[] t=[], Tensor[]? u=None) -> ()",
        "f(Tensor x) -> (Tensor, int?, bool[2], Scalar, SymInt[], Tensor[])",
        "f_(Tensor(a!) self) -> Tensor(a!)"})
    for (const Dialect *D : {&oldDialect(), &newDialect()})
      EXPECT_EQ(whyNotLowerable(function(Schema).Schema, *D), std::nullopt) << Schema;
}

TEST(Lowerable, SaysWhatIsNot) {
  auto Why = [](llvm::StringRef Schema, const Dialect &D = newDialect()) {
    return whyNotLowerable(function(Schema).Schema, D).value_or("");
  };
  EXPECT_EQ(Why("f(Tensor x, GraphModule m) -> Tensor"),
            "type 'GraphModule' of argument 'm' has no C++ equivalent");
  EXPECT_EQ(Why("f(GraphModule?[] m) -> Tensor"),
            "type 'GraphModule?[]' of argument 'm' has no C++ equivalent");
  EXPECT_EQ(Why("f(ConstQuantizerPtr q) -> Tensor"),
            "type 'ConstQuantizerPtr' of argument 'q' has no C++ equivalent");
  EXPECT_EQ(Why("f(__torch__.torch.classes.rnn.Cell c) -> Tensor"),
            "type '__torch__.torch.classes.rnn.Cell' of argument 'c' has no C++ equivalent");
  EXPECT_EQ(Why("f(bool[] x) -> Tensor"),
            "type 'bool[]' of argument 'x' has no C++ equivalent; a list of bool needs a size");
  EXPECT_EQ(Why("f(bool[]? x) -> Tensor"),
            "type 'bool[]?' of argument 'x' has no C++ equivalent; a list of bool needs a size");
  EXPECT_EQ(Why("f(Tensor[] x=None) -> Tensor"),
            "default 'None' of argument 'x' is not a list; 'Tensor[]' needs a list in brackets");
  EXPECT_EQ(Why("f(int[]? x=1) -> Tensor"),
            "default '1' of argument 'x' is not a list; 'int[]?' needs a list in brackets");
  EXPECT_EQ(Why("f(Tensor x) -> Tensor[2]"),
            "return type 'Tensor[2]' cannot be a list with a size");
  EXPECT_EQ(Why("f(Tensor x) -> (Tensor, Scalar?)"), "return type 'Scalar?' is not supported");
  EXPECT_EQ(Why("f(Tensor x) -> GraphModule"), "return type 'GraphModule' has no C++ equivalent");
}

TEST(Lowerable, OptionalTensorsAreReturnedInLaterDialectsOnly) {
  FunctionSchema S = function("f(Tensor x) -> Tensor?").Schema;
  EXPECT_EQ(whyNotLowerable(S, oldDialect()), "return type 'Tensor?' is not supported");
  EXPECT_EQ(whyNotLowerable(S, newDialect()), std::nullopt);
}

TEST(Lowerable, LoweringIsTotal) {
  NativeFunction F =
      function("f(GraphModule m, bool[] x, Tensor[] y=None) -> (Scalar?, Tensor[2])");
  Lowering L = Lowering::of(F, oldDialect());
  EXPECT_EQ(dispatcherSignature(F.Schema, L).Params.front().Type.Ty, CType(CppBase::Unlowerable));
  EXPECT_EQ(nativeSignature(F.Schema, L, false).Params.size(), 3u);
  EXPECT_EQ(cppSignatures(F, {}, L).Plain.Returns.Elements.size(), 2u);
}

} // namespace
