//===- TranslateTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule by rule, on hand-made values. Whole functions are compared with torchgen by utils/oracle.
//
//===----------------------------------------------------------------------===//

#include "TestDialects.h"
#include "gtest/gtest.h"
#include "opsig/Signature/Translate.h"

using namespace opsig;
using namespace opsig::test;

namespace {

using B = CppBase;

constexpr TranslateOptions Cheap;
constexpr TranslateOptions Expensive{.Method = false, .AllowExpensive = true};
constexpr TranslateOptions Method{.Method = true, .AllowExpensive = false};

NamedCType named(llvm::StringRef Name, CType Ty) { return {Name.str(), false, Ty}; }

NamedCType redundantMemoryFormat() {
  return {"memory_format", true, CType(B::MemoryFormat).optional()};
}

/// What the wanted values are made of, given e0, e1, ...; "?" if one cannot be made.
std::string madeAll(std::vector<NamedCType> Have, std::vector<NamedCType> Want,
                    TranslateOptions Options = Cheap, const Dialect &D = oldDialect()) {
  std::vector<Expr> Exprs;
  for (NamedCType &N : Have)
    Exprs.push_back({"e" + std::to_string(Exprs.size()), std::move(N)});
  auto Result = translate(Exprs, Want, D, Options);
  if (!Result) {
    llvm::consumeError(Result.takeError());
    return "?";
  }
  return join(*Result);
}

/// The same for one value x of type \p From that x of type \p To is wanted of.
std::string made(CType From, CType To, TranslateOptions Options = Cheap,
                 const Dialect &D = oldDialect()) {
  return madeAll({named("x", From)}, {named("x", To)}, Options, D);
}

CType tensor() { return B::Tensor; }
CType longs() { return CType(B::Long).vector(); }

TEST(Translate, AValueServesItselfAndItsReferences) {
  EXPECT_EQ(made(B::Long, B::Long), "e0");
  EXPECT_EQ(made(tensor().mutRef(), tensor().constRef()), "e0");
  EXPECT_EQ(made(tensor(), tensor().constRef()), "e0");
  EXPECT_EQ(made(tensor(), tensor().mutRef()), "e0");
  EXPECT_EQ(made(tensor().constRef(), tensor()), "?");
  EXPECT_EQ(made(tensor().constRef(), tensor(), Expensive), "?");
  EXPECT_EQ(made(tensor().constRef(), tensor(), Expensive, newDialect()), "?");
  // An object that records a view has tensors of its own.
  const Dialect &Recording = *chooseDialect(llvm::VersionTuple(2, 14)).Chosen;
  EXPECT_EQ(made(tensor().constRef(), tensor(), Expensive, Recording), "e0");
  EXPECT_EQ(made(tensor().optional().constRef(), tensor().optional(), Expensive, Recording), "e0");
  EXPECT_EQ(made(tensor().constRef(), tensor(), Cheap, Recording), "?");
}

TEST(Translate, NamesMatter) {
  EXPECT_EQ(madeAll({named("y", B::Long)}, {named("x", B::Long)}), "?");
  EXPECT_EQ(madeAll({named("y", B::Long), named("x", B::Long)}, {named("x", B::Long)}), "e1");
}

TEST(Translate, OnlyTensorsLoseTheirConst) {
  EXPECT_EQ(made(tensor().constRef(), tensor().mutRef()), "const_cast<Tensor&>(e0)");
  EXPECT_EQ(made(CType(B::Scalar).constRef(), CType(B::Scalar).mutRef()), "?");
}

TEST(Translate, WantedValuesComeInOrder) {
  EXPECT_EQ(madeAll({named("a", B::Long), named("b", B::Bool), named("c", B::Double)},
                    {named("c", B::Double), named("a", B::Long), named("c", B::Double)}),
            "e2, e0, e2");
  EXPECT_EQ(madeAll({}, {}), "");
  // One that cannot be made spoils all.
  EXPECT_EQ(madeAll({named("a", B::Long)}, {named("a", B::Long), named("b", B::Long)}), "?");
}

TEST(Translate, IntLists) {
  EXPECT_EQ(made(B::IntArrayRef, CType(B::Long).arrayRef()), "e0");
  EXPECT_EQ(made(longs(), B::IntArrayRef), "e0");
  EXPECT_EQ(made(CType(B::SymInt).vector(), B::SymIntArrayRef), "e0");
  EXPECT_EQ(made(CType(B::SymInt).vector(), B::IntArrayRef), "?");
  EXPECT_EQ(made(longs().optional(), B::OptionalIntArrayRef), "e0");
  // A vector is taken before symbolic sizes are.
  EXPECT_EQ(
      madeAll({named("x", B::SymIntArrayRef), named("x", longs())}, {named("x", B::IntArrayRef)}),
      "e1");
}

TEST(Translate, SymInts) {
  EXPECT_EQ(made(B::Long, B::SymInt), "e0");
  EXPECT_EQ(made(B::SymInt, B::Long), "e0.expect_int()");
  EXPECT_EQ(made(B::SymIntArrayRef, B::IntArrayRef), "c10::asIntArrayRefSlow(e0)");
  EXPECT_EQ(made(B::SymIntArrayRef, CType(B::Long).arrayRef()), "c10::asIntArrayRefSlow(e0)");
  EXPECT_EQ(made(B::IntArrayRef, B::SymIntArrayRef), "c10::fromIntArrayRef(e0)");
  EXPECT_EQ(made(CType(B::Long).optional(), CType(B::SymInt).optional()),
            "e0.has_value() ? c10::make_optional(c10::SymInt(*e0)) : c10::nullopt");
  EXPECT_EQ(made(CType(B::SymInt).optional(), CType(B::Long).optional()),
            "e0.has_value() ? c10::make_optional(e0->expect_int()) : c10::nullopt");
  EXPECT_EQ(made(B::OptionalSymIntArrayRef, B::OptionalIntArrayRef),
            "e0.has_value() ? c10::make_optional(c10::asIntArrayRefSlow(*e0)) : c10::nullopt");
  EXPECT_EQ(made(B::OptionalIntArrayRef, B::OptionalSymIntArrayRef),
            "e0.has_value() ? c10::make_optional(c10::fromIntArrayRef(*e0)) : c10::nullopt");
}

TEST(Translate, SymIntsInALaterDialect) {
  auto Made = [](CType From, CType To) { return made(From, To, Cheap, newDialect()); };
  EXPECT_EQ(Made(B::SymInt, B::Long), "e0.guard_int(__FILE__, __LINE__)");
  EXPECT_EQ(Made(B::SymIntArrayRef, B::IntArrayRef), "C10_AS_INTARRAYREF_SLOW(e0)");
  EXPECT_EQ(Made(B::IntArrayRef, B::SymIntArrayRef), "c10::fromIntArrayRefSlow(e0)");
  EXPECT_EQ(
      Made(CType(B::SymInt).optional(), CType(B::Long).optional()),
      "e0.has_value() ? ::std::make_optional(e0->guard_int(__FILE__, __LINE__)) : ::std::nullopt");
  EXPECT_EQ(Made(B::OptionalSymIntArrayRef, B::OptionalIntArrayRef),
            "e0.has_value() ? ::std::make_optional(C10_AS_INTARRAYREF_SLOW(*e0)) : ::std::nullopt");
}

TEST(Translate, ReferencesToWhatIsOptional) {
  EXPECT_EQ(made(tensor().optional(), B::OptionalTensorRef), "e0");
  EXPECT_EQ(made(tensor().optional().constRef(), B::OptionalTensorRef),
            "((e0.has_value() && (*e0).defined()) ? at::OptionalTensorRef(*e0) : "
            "at::OptionalTensorRef())");
  EXPECT_EQ(made(CType(B::Scalar).optional(), B::OptionalScalarRef), "e0");
  EXPECT_EQ(made(CType(B::Scalar).optional().constRef(), B::OptionalScalarRef),
            "(e0.has_value() ? at::OptionalScalarRef(&(e0.value())) : at::OptionalScalarRef())");
  EXPECT_EQ(made(tensor().optional().list().constRef(), B::IOptTensorListRef),
            "at::IOptTensorListRef(e0)");
  // An optional tensor is no tensor.
  EXPECT_EQ(made(tensor().optional().constRef(), tensor().constRef()), "?");
}

TEST(Translate, ScalarsInsideKernels) {
  EXPECT_EQ(made(CType(B::Scalar).constRef(), B::OpmathT), "(e0).to<opmath_t>()");
  EXPECT_EQ(made(B::ScalarT, B::OpmathT), "static_cast<opmath_t>(e0)");
}

TEST(Translate, TensorOptionsAreUnpacked) {
  auto From = [](CType Options, llvm::StringRef Name, CType To, const Dialect &D = oldDialect()) {
    return madeAll({named("options", Options)}, {named(Name, To.optional())}, Cheap, D);
  };
  EXPECT_EQ(From(B::TensorOptions, "dtype", B::ScalarType),
            "optTypeMetaToScalarType(e0.dtype_opt())");
  EXPECT_EQ(From(B::TensorOptions, "dtype", B::ScalarType, newDialect()),
            "c10::optTypeMetaToScalarType(e0.dtype_opt())");
  EXPECT_EQ(From(CType(B::TensorOptions).constRef(), "dtype", B::ScalarType),
            "optTypeMetaToScalarType(e0.dtype_opt())");
  EXPECT_EQ(From(B::TensorOptions, "layout", B::Layout), "e0.layout_opt()");
  EXPECT_EQ(From(B::TensorOptions, "device", B::Device), "e0.device_opt()");
  EXPECT_EQ(From(B::TensorOptions, "pin_memory", B::Bool), "e0.pinned_memory_opt()");
}

TEST(Translate, TensorOptionsAreTakenFromTheOutput) {
  auto FromOut = [](llvm::StringRef Name, CType To, const Dialect &D = oldDialect()) {
    return madeAll({named("out", tensor().mutRef())}, {named(Name, To.optional())}, Cheap, D);
  };
  EXPECT_EQ(FromOut("dtype", B::ScalarType), "e0.scalar_type()");
  EXPECT_EQ(FromOut("layout", B::Layout), "e0.layout()");
  EXPECT_EQ(FromOut("device", B::Device), "e0.device()");
  EXPECT_EQ(FromOut("pin_memory", B::Bool), "c10::nullopt");
  EXPECT_EQ(FromOut("pin_memory", B::Bool, newDialect()), "::std::nullopt");
  EXPECT_EQ(
      madeAll({named("self", tensor().mutRef())}, {named("pin_memory", CType(B::Bool).optional())}),
      "?");
}

TEST(Translate, TensorOptionsArePacked) {
  std::vector<NamedCType> Four = {named("pin_memory", CType(B::Bool).optional()),
                                  named("dtype", CType(B::ScalarType).optional()),
                                  named("layout", CType(B::Layout).optional()),
                                  named("device", CType(B::Device).optional())};
  const char *Packed = "TensorOptions().dtype(e1).layout(e2).device(e3).pinned_memory(e0)";
  EXPECT_EQ(madeAll(Four, {named("options", B::TensorOptions)}), Packed);
  EXPECT_EQ(madeAll(Four, {named("options", CType(B::TensorOptions).constRef())}), Packed);
  Four.pop_back();
  EXPECT_EQ(madeAll(Four, {named("options", B::TensorOptions)}), "?");
}

TEST(Translate, MemoryFormatBesidesTensorOptions) {
  NamedCType Plain = named("memory_format", CType(B::MemoryFormat).optional());
  NamedCType Redundant = redundantMemoryFormat();
  NamedCType Options = named("options", B::TensorOptions);
  const char *Joined = "c10::impl::check_tensor_options_and_extract_memory_format(e1, e0)";
  EXPECT_EQ(madeAll({Plain}, {Plain}), "e0");
  EXPECT_EQ(madeAll({Redundant}, {Plain}), "e0");
  EXPECT_EQ(madeAll({Plain}, {Redundant}), "?");
  EXPECT_EQ(madeAll({Redundant, Options}, {Plain}), Joined);
  EXPECT_EQ(madeAll({Redundant, Options}, {Plain, Options}), std::string(Joined) + ", e1");
  // Options that are handed on by reference keep the format they have.
  EXPECT_EQ(
      madeAll({Redundant, Options}, {Plain, named("options", CType(B::TensorOptions).constRef())}),
      "e0, e1");
}

TEST(Translate, InAMethodSelfIsThis) {
  const char *This = "const_cast<Tensor&>(*this)";
  EXPECT_EQ(madeAll({}, {named("self", tensor().mutRef())}, Method), This);
  EXPECT_EQ(madeAll({}, {named("self", tensor().constRef())}, Method), This);
  EXPECT_EQ(
      madeAll({named("self", tensor().constRef())}, {named("self", tensor().constRef())}, Method),
      This);
  EXPECT_EQ(madeAll({}, {named("self", tensor().constRef())}), "?");
}

TEST(Translate, LaterFactsReplaceEarlierOnes) {
  NamedCType Ref = named("x", B::OptionalTensorRef);
  NamedCType Optional = named("x", tensor().optional().constRef());
  EXPECT_EQ(madeAll({named("x", B::Long), named("x", B::Long)}, {named("x", B::Long)}), "e1");
  EXPECT_EQ(madeAll({Optional, Ref}, {Ref}), "e1");
  EXPECT_EQ(madeAll({Ref, Optional}, {Ref}),
            "((e1.has_value() && (*e1).defined()) ? at::OptionalTensorRef(*e1) : "
            "at::OptionalTensorRef())");
}

TEST(Translate, OwningValuesAreMadeOnDemandOnly) {
  EXPECT_EQ(made(B::IntArrayRef, longs()), "?");
  EXPECT_EQ(made(B::IntArrayRef, longs(), Expensive), "e0.vec()");
  EXPECT_EQ(made(B::SymIntArrayRef, CType(B::SymInt).vector(), Expensive), "e0.vec()");
  EXPECT_EQ(made(B::SymIntArrayRef, longs(), Expensive), "?");
  EXPECT_EQ(made(B::OptionalIntArrayRef, longs().optional(), Expensive),
            "e0.has_value() ? c10::make_optional(e0->vec()) : c10::nullopt");
  EXPECT_EQ(made(B::OptionalScalarRef, CType(B::Scalar).optional(), Expensive),
            "e0.has_value() ? c10::make_optional(e0) : c10::nullopt");
  EXPECT_EQ(made(B::OptionalTensorRef, tensor().optional(), Expensive), "?");
}

TEST(Translate, ArgumentsOfACallAreHandedOnOrMade) {
  std::vector<Binding> Have = {{"it", named("self", tensor().constRef())},
                               {"dim", named("dim", B::Long)}};
  auto Made = [&](std::vector<Binding> Want, TranslateOptions Options = Cheap) {
    auto Result = callArguments(Have, Want, oldDialect(), Options);
    return Result ? *Result : llvm::toString(Result.takeError());
  };
  EXPECT_EQ(Made({}), "");
  EXPECT_EQ(Made({{"d", named("dim", B::Long)}, {"t", named("self", tensor().constRef())}}),
            "dim, it");
  EXPECT_EQ(Made({{"d", named("dim", B::SymInt)}, {"t", named("self", tensor().mutRef())}}),
            "dim, const_cast<Tensor&>(it)");
  // A method's self is *this, whatever is at hand.
  EXPECT_EQ(Made({{"t", named("self", tensor().constRef())}}, Method),
            "const_cast<Tensor&>(*this)");
  EXPECT_EQ(Made({{"x", named("x", B::Long)}}),
            "cannot construct 'int64_t x' from the available arguments: "
            "const at::Tensor & self = it; int64_t dim = dim");
}

TEST(Translate, SaysWhatItCouldNotMakeOfWhat) {
  std::vector<Expr> Have = {{"dim", named("dim", B::Long)},
                            {"*it", named("self", tensor().constRef())}};
  auto Result = translate(Have, {named("x", CType(B::Scalar).optional().constRef())}, newDialect());
  ASSERT_FALSE(Result);
  EXPECT_EQ(
      llvm::toString(Result.takeError()),
      "cannot construct 'const ::std::optional<at::Scalar> & x' from the available arguments: "
      "int64_t dim = dim; const at::Tensor & self = *it");
  auto Nothing = translate(llvm::ArrayRef<Expr>(), {named("x", B::Long)}, newDialect());
  ASSERT_FALSE(Nothing);
  EXPECT_EQ(llvm::toString(Nothing.takeError()),
            "cannot construct 'int64_t x' from the available arguments: nothing");
}

} // namespace
