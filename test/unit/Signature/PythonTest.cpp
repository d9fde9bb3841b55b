//===- PythonTest.cpp - How operators are called from Python ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wanted texts are what torchgen's api/python.py gives for the same schemas.
//
//===----------------------------------------------------------------------===//
#include "TestFunctions.h"
#include "opsig/Signature/Python.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace opsig::test;

namespace {

//===-- types ---------------------------------------------------------------===//

struct TypeCase {
  const char *Schema;
  const char *Text;
  const char *Simple;
  const char *Read;        ///< without a default
  const char *ReadDefault; ///< with the default 0
};

constexpr const char *No = "";
constexpr TypeCase TypeCases[] = {
    {"Tensor", "Tensor", "Tensor", "tensor", "tensor"},
    {"Tensor?", "Tensor?", "Tensor?", "optionalTensor", "optionalTensor"},
    {"Tensor[]", "TensorList", "TensorList", "tensorlist", "tensorlist"},
    {"Tensor[2]", "TensorList[2]", "TensorList", "tensorlist_n<2>", "tensorlist_n<2>"},
    {"int", "int64_t", "int64_t", "toInt64", "toInt64"},
    {"int?", "int64_t?", "int64_t?", "toInt64Optional", "toInt64"},
    {"int[2]", "IntArrayRef[2]", "IntArrayRef", "intlist", "intlist"},
    {"int[1]?", "IntArrayRef[1]?", "IntArrayRef?", "intlistOptional", "intlist"},
    {"SymInt", "SymInt", "SymInt", "toSymInt", "toSymInt"},
    {"SymInt[2]?", "SymIntArrayRef[2]?", "SymIntArrayRef?", "symintlistOptional", "symintlist"},
    {"float?", "double?", "double?", "toDoubleOptional", "toDouble"},
    {"float[]", "ArrayRef<double>", "ArrayRef<double>", "doublelist", "doublelist"},
    {"bool", "bool", "bool", "toBool", "toBool"},
    {"bool[3]", "::std::array<bool,3>", "::std::array<bool,3>", No, No},
    {"str?", "c10::string_view?", "c10::string_view?", "stringViewOptional", "stringView"},
    {"Scalar[]", "ScalarList", "ScalarList", "scalarlist", "scalarlist"},
    {"ScalarType?", "ScalarType?", "ScalarType?", "scalartypeOptional", "scalartype"},
    {"Generator?", "Generator?", "Generator?", "generator", "generator"},
    {"Generator", "Generator", "Generator", No, No},
    {"QScheme", "QScheme", "QScheme", No, No},
    {"Dimname[]", "DimnameList", "DimnameList", "dimnamelist", "dimnamelist"},
    {"Dimname[]?", "DimnameList?", "DimnameList?", "toDimnameListOptional",
     "toDimnameListOptional"},
    {"MemoryFormat?", "MemoryFormat?", "MemoryFormat?", "memoryformatOptional", "memoryformat"},
    {"Storage", "Storage", "Storage", "storage", "storage"},
    {"DimVector", No, No, No, No},
    {"str[]", "ArrayRef<c10::string_view>", "ArrayRef<c10::string_view>", No, No},
};

/// What reads an argument of that type, "" where nothing can.
std::string reader(const char *TypeText, const char *Default, const Dialect &D) {
  NativeFunction F = function(std::string("f(Tensor self, ") + TypeText + " x) -> Tensor");
  if (Default)
    F.Schema.Args.All[1].Default = Default;
  if (whyNotPython(F, D))
    return "";
  // A list of names comes as a variable of the argument's name.
  PythonDispatch P = pythonDispatch(pythonSignature(F, PythonForm::Function, D), F, D);
  llvm::StringRef From =
      P.Before.empty() ? llvm::StringRef(P.Params[1].From) : llvm::StringRef(P.Before.front());
  return From.split("_r.").second.split('(').first.str();
}

TEST(PythonTypes, AreWordsOfTheParser) {
  for (const TypeCase &C : TypeCases) {
    EXPECT_EQ(pythonTypeText(type(C.Schema), oldDialect()).value_or(""), C.Text) << C.Schema;
    EXPECT_EQ(pythonTypeText(type(C.Schema), newDialect()).value_or(""), C.Text) << C.Schema;
    EXPECT_EQ(pythonTypeText(type(C.Schema), newDialect(), /*Simple=*/true).value_or(""), C.Simple)
        << C.Schema;
  }
  EXPECT_EQ(pythonTypeText(type("Tensor?[]"), oldDialect()), "c10::List<c10::optional<Tensor>>");
  EXPECT_EQ(pythonTypeText(type("Tensor?[]"), newDialect()), "c10::List<::std::optional<Tensor>>");
}

TEST(PythonTypes, AreReadByAMemberOfTheParsersResult) {
  for (const TypeCase &C : TypeCases) {
    EXPECT_EQ(reader(C.Schema, nullptr, newDialect()), C.Read) << C.Schema;
    EXPECT_EQ(reader(C.Schema, "0", newDialect()), C.ReadDefault) << C.Schema;
  }
  EXPECT_EQ(reader("float[3]", nullptr, oldDialect()), "");
  EXPECT_EQ(reader("float[3]", nullptr, newDialect()), "doublelist");
  EXPECT_EQ(reader("Scalar[2]", nullptr, oldDialect()), "");
  EXPECT_EQ(reader("Scalar[2]", nullptr, newDialect()), "scalarlist");
}

//===-- signatures ----------------------------------------------------------===//

std::string text(llvm::StringRef Schema, PythonForm Form = PythonForm::Function,
                 const Dialect &D = newDialect()) {
  NativeFunction F = function(Schema);
  return pythonSignature(F, Form, D).str(D);
}

TEST(PythonSignature, RenamesSelfOfFunctions) {
  EXPECT_EQ(text("f(Tensor self, Scalar other) -> Tensor"), "f(Tensor input, Scalar other)");
  EXPECT_EQ(text("f(Tensor self, Scalar other) -> Tensor", PythonForm::Method), "f(Scalar other)");
  EXPECT_EQ(text("f(Tensor[] self) -> Tensor[]"), "f(TensorList self)");
  EXPECT_EQ(text("f_(Tensor(a!) self) -> Tensor(a!)"), "f_(Tensor input)");
}

TEST(PythonSignature, SpellsDefaultsAsPython) {
  EXPECT_EQ(text("f(Tensor self, float eps=1e-5, bool up=False, int[2] size=1, int[] dims=[0,1]) "
                 "-> Tensor"),
            "f(Tensor input, double eps=1e-05, bool up=False, IntArrayRef[2] size=1, IntArrayRef "
            "dims={0,1})");
  for (const Dialect *D : {&oldDialect(), &newDialect()})
    EXPECT_EQ(text("f(Tensor self, Tensor? w=None, int? n=None, int[] none=[], str m=\"x\") -> "
                   "Tensor",
                   PythonForm::Function, *D),
              "f(Tensor input, Tensor? w=None, int64_t? n=None, IntArrayRef none=None, "
              "c10::string_view m=\"x\")");
}

TEST(PythonSignature, PacksOutputs) {
  EXPECT_EQ(text("f.out(Tensor self, *, int n, Tensor(a!) res) -> Tensor(a!)"),
            "f(Tensor input, *, int64_t n, Tensor res=None)");
  EXPECT_EQ(text("f.out(Tensor self, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))"),
            "f(Tensor input, *, TensorList[2] out=None)");
}

constexpr char Options[] =
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None";

TEST(PythonSignature, GivesTensorOptionsToWhatMakesTensors) {
  std::string Expected = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
                         "pin_memory=False, bool? requires_grad=False)";
  EXPECT_EQ(text("full(int n, *, " + std::string(Options) + ") -> Tensor"),
            "full(int64_t n, *, " + Expected);
  EXPECT_EQ(text("full.out(int n, *, Tensor(a!) out) -> Tensor(a!)"),
            "full(int64_t n, *, Tensor out=None, " + Expected);
  EXPECT_EQ(text("full_like(Tensor self, *, " + std::string(Options) + ") -> Tensor"),
            "full_like(Tensor input, *, " + Expected);
  EXPECT_EQ(text("count(int n) -> int"), "count(int64_t n)");
}

TEST(PythonSignature, KnowsResultsWithFields) {
  auto Fields = [](llvm::StringRef Schema) {
    return llvm::join(pythonResultFields(function(Schema).Schema), " ");
  };
  EXPECT_EQ(Fields("f(Tensor self) -> (Tensor low, Tensor high)"), "low high");
  EXPECT_EQ(Fields("f(Tensor self) -> (Tensor, Tensor)"), "");
  EXPECT_EQ(Fields("f(Tensor self) -> Tensor low"), "");
}

//===-- calls ---------------------------------------------------------------===//

std::string callOf(const NativeFunction &F, PythonForm Form = PythonForm::Function) {
  PythonDispatch P = pythonDispatch(pythonSignature(F, Form, newDialect()), F, newDialect());
  std::string Params, From;
  for (const PythonDispatch::Param &Param : P.Params) {
    Params += (Params.empty() ? "" : ", ") + Param.Type + " " + Param.Name.str();
    From += (From.empty() ? "" : ", ") + Param.From;
  }
  return "[](" + Params + ") -> " + P.Returns + " { " + P.Callee + "(" +
         llvm::join(P.CalleeArgs, ", ") + ") }(" + From + ")" + P.After;
}

TEST(PythonDispatch, CallsMethodsOnSelf) {
  NativeFunction F = function("f(Tensor self, SymInt n) -> Tensor");
  EXPECT_EQ(callOf(F), "[](const at::Tensor & self, c10::SymInt n) -> at::Tensor { "
                       "at::f_symint(self, n) }(_r.tensor(0), _r.toSymInt(1))");
  F.IsMethodVariant = true;
  EXPECT_EQ(callOf(F, PythonForm::Method),
            "[](const at::Tensor & self, c10::SymInt n) -> at::Tensor { self.f_symint(n) }(self, "
            "_r.toSymInt(0))");
}

TEST(PythonDispatch, KeepsReferencesToSeveralOutputsOnly) {
  EXPECT_EQ(callOf(function("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)")),
            "[](at::Tensor out, const at::Tensor & self) -> at::Tensor { at::f_out(out, self) "
            "}(_r.tensor(1), _r.tensor(0))");
  EXPECT_EQ(callOf(function("f.out(Tensor self, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), "
                            "Tensor(b!))")),
            "[](at::Tensor & a, at::Tensor & b, const at::Tensor & self) -> "
            "::std::tuple<at::Tensor,at::Tensor> { at::f_out(a, b, self) }(out[0], out[1], "
            "_r.tensor(0))");
}

TEST(PythonDispatch, PacksTensorOptions) {
  NativeFunction F = function("full(int n, *, " + std::string(Options) + ") -> Tensor");
  EXPECT_EQ(callOf(F), "[](int64_t n, at::TensorOptions options) -> at::Tensor { torch::full(n, "
                       "options) }(_r.toInt64(0), options)");
  NativeFunction Out = function("full.out(int n, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(callOf(Out),
            "[](at::Tensor out, int64_t n) -> at::Tensor { at::full_out(out, n) }(_r.tensor(1), "
            "_r.toInt64(0)).set_requires_grad(_r.toBool(6))");
}

//===-- overloads -----------------------------------------------------------===//

/// The overload names in the order of their trial.
std::string trialOrder(std::vector<const char *> Schemas, const Dialect &D = newDialect()) {
  std::deque<NativeFunction> Functions;
  std::vector<PythonOverload> Overloads;
  for (const char *Schema : Schemas) {
    Functions.push_back(function(Schema));
    Overloads.push_back(
        {pythonSignature(Functions.back(), PythonForm::Function, D), &Functions.back()});
  }
  Findings Diags;
  std::string Order;
  for (const PythonOverloadGroup &G : groupPythonOverloads(Overloads, D, Diags)) {
    Order += (Order.empty() ? "" : " ") + G.Base->Schema.Name.Overload;
    if (G.Out)
      Order += "+" + G.Out->Schema.Name.Overload;
  }
  for (const Finding &Found : Diags.all())
    Order += (Order.empty() ? "" : " ") + findingName(Found.Id).str();
  return Order;
}

TEST(PythonOverloads, PutTensorsBeforeNumbers) {
  EXPECT_EQ(
      trialOrder({"f.S(Tensor self, Scalar o) -> Tensor", "f.T(Tensor self, Tensor o) -> Tensor"}),
      "T S");
  std::vector<const char *> Ints = {"f.I(Tensor self, SymInt o) -> Tensor",
                                    "f.T(Tensor self, Tensor o) -> Tensor"};
  EXPECT_EQ(trialOrder(Ints), "T I");
  EXPECT_EQ(trialOrder(Ints, oldDialect()), "I T");
}

TEST(PythonOverloads, PutListsAndNamesLast) {
  EXPECT_EQ(trialOrder({"f.l(Tensor self, int[] d) -> Tensor", "f.i(Tensor self, int? d) -> Tensor",
                        "f.n(Tensor self, Dimname d) -> Tensor"}),
            "i l n");
  EXPECT_EQ(
      trialOrder({"f.t(Tensor self, Tensor[] d) -> Tensor", "f.i(Tensor self, int[] d) -> Tensor"}),
      "i t");
  EXPECT_EQ(
      trialOrder({"f.s(Tensor self, SymInt[] d) -> Tensor", "f.i(Tensor self, int[] d) -> Tensor"}),
      "i s");
}

TEST(PythonOverloads, ShareTheSignatureOfTheOutForm) {
  EXPECT_EQ(trialOrder({"f(Tensor self, Scalar o) -> Tensor",
                        "f.out(Tensor self, Scalar o, *, Tensor(a!) out) -> Tensor(a!)"}),
            "+out");
  EXPECT_EQ(trialOrder({"f.a(Tensor self, Scalar o) -> Tensor",
                        "f.out(Tensor self, Scalar by, *, Tensor(a!) out) -> Tensor(a!)"}),
            "a python-out-without-functional");
  // Both are called with `input`, and neither could find the other's argument.
  EXPECT_EQ(trialOrder({"f(Tensor input) -> Tensor",
                        "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"}),
            "python-out-without-functional");
}

TEST(PythonOverloads, AreRefusedWhereACallCannotTellThemApart) {
  EXPECT_EQ(trialOrder({"f.a(Tensor self) -> Tensor", "f.b(Tensor self) -> (Tensor, Tensor)"}),
            "a python-duplicate-signature");
  EXPECT_EQ(trialOrder({"f.a(Tensor self, Tensor[] t) -> Tensor",
                        "f.b(Tensor self, Dimname[] t) -> Tensor"}),
            "b a python-overload-order");
}

//===-- what is bound -------------------------------------------------------===//

TEST(PythonBindings, LeaveOutWhatIsBoundByHand) {
  auto Bound = [](const char *Schema, const Dialect &D = newDialect()) {
    return isBoundToPython(function(Schema), D);
  };
  EXPECT_TRUE(Bound("add(Tensor self, Scalar other) -> Tensor"));
  EXPECT_FALSE(Bound("copy_(Tensor(a!) self, Tensor src) -> Tensor(a!)"));
  EXPECT_FALSE(Bound("f_backward(Tensor self) -> Tensor"));
  EXPECT_FALSE(Bound("f_backward.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"));
  EXPECT_TRUE(Bound("f_backwards(Tensor self) -> Tensor"));
  EXPECT_FALSE(Bound("_cumsum_by(Tensor self) -> Tensor"));
  EXPECT_TRUE(Bound("cumsum_by(Tensor self) -> Tensor"));
  EXPECT_FALSE(Bound("_sparse_csr_tensor_unsafe(Tensor self) -> Tensor"));
  EXPECT_FALSE(Bound("add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"));
  EXPECT_TRUE(Bound("sym_numel(Tensor self) -> SymInt", oldDialect()));
  EXPECT_FALSE(Bound("sym_numel(Tensor self) -> SymInt"));
}

TEST(PythonBindings, OfGeneratedFunctionsAreThoseOfViewCopies) {
  NativeFunction F = function("slice_copy(Tensor self) -> Tensor");
  F.Tags = {"generated"};
  EXPECT_FALSE(isBoundToPython(F, newDialect()));
  F.Tags = {"generated", "view_copy"};
  EXPECT_TRUE(isBoundToPython(F, newDialect()));
  EXPECT_FALSE(isBoundToPython(F, oldDialect()));
}

} // namespace
