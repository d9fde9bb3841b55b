//===- ReleaseTraitsTest.cpp - Lists of a release over its dialect -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Dialect/ShimTraits.h"
#include "opsig/Torchgen/Torchgen.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace opsig;

namespace {

/// Texts by the end of their paths.
std::vector<TorchgenList> readAll(const std::map<std::string, std::string> &Files) {
  std::vector<TorchgenText> Texts;
  for (llvm::ArrayRef<llvm::StringRef> Places : torchgenFiles()) {
    TorchgenText &Text = Texts.emplace_back();
    for (const auto &[End, Contents] : Files)
      if (llvm::any_of(Places, [&](llvm::StringRef Place) { return Place.ends_with(End); }))
        Text = {End, Contents};
  }
  return readTorchgen(Texts);
}

const ListFact &listNamed(const ReleaseTraits &Facts, llvm::StringRef Name) {
  for (const ListFact &L : Facts.lists())
    if (L.Name == Name)
      return L;
  ADD_FAILURE() << "no list " << Name.str();
  return Facts.lists().front();
}

const Dialect &someDialect() { return *chooseDialect(llvm::VersionTuple(2, 4)).Chosen; }

TEST(ReleaseTraits, WithoutTextsTheDialectStays) {
  ReleaseTraits Facts(someDialect(), readAll({}));
  EXPECT_EQ(Facts.count(ListOrigin::NoFile), Facts.lists().size());
  EXPECT_EQ(Facts.distance(), 0u);
  EXPECT_EQ(Facts.dialect().Schema.BaseTypes, someDialect().Schema.BaseTypes);
  EXPECT_EQ(nearestDialect(readAll({})), nullptr);
}

TEST(ReleaseTraits, ListsOfTheRelease) {
  ReleaseTraits Facts(
      someDialect(),
      readAll({{"model.py", "class BaseTy(Enum):\n    Tensor = auto()\n    Spline = auto()\n"
                            "STRUCTURED_DISPATCH_KEYS = {DispatchKey.CPU}\n"
                            "dispatch_keys = sorted([DispatchKey.CPU])\n"},
               {"native_function_generation.py",
                "OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY = ['lone.out']\n"},
               {"gen_functionalization_type.py",
                "from torchgen.native_function_generation import (\n"
                "    OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY)\n"
                "MUTABLE_OPS_NOT_USING_FUNCTIONALIZATION = (\n"
                "    OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY + ['resize_'])\n"},
               {"fallback_ops.py",
                "inductor_fallback_ops: dict[str, dict[str, list[str]]] = {\n"
                "  'aten.zip.out': {}, 'aten.zip.default': {'v2': ['a']}, 'quantized.q': {},\n"
                "  'aten.add.Tensor': {}}\n"},
               {"gen_python_functions.py", "_SKIP_PYTHON_BINDINGS = ['a(b|c)', '.*_x']\n"
                                           "SKIP_PYTHON_BINDINGS_SIGNATURES = [1]\n"}}));
  const Dialect &D = Facts.dialect();
  using Names = std::vector<llvm::StringRef>;
  EXPECT_EQ(D.Schema.BaseTypes.vec(), (Names{"Tensor", "Spline"}));
  EXPECT_EQ(D.Keys.Structured.vec(), std::vector{DispatchKey::CPU});
  EXPECT_EQ(D.Schema.LoneOut.vec(), Names{"lone.out"});
  EXPECT_EQ(D.Functionalization.LeftAlone.vec(), Names{"resize_"});
  EXPECT_EQ(D.Shims.DeviceOps.vec(), (Names{"add.Tensor", "zip", "zip.out"}));
  EXPECT_EQ(D.Python.Unbound.vec(), (Names{"ab", "ac", "*_x"}));

  EXPECT_EQ(D.Keys.Dispatch, someDialect().Keys.Dispatch);
  const ListFact &Computed = listNamed(Facts, "dispatch-keys");
  EXPECT_EQ(Computed.Read.Origin, ListOrigin::Computed);
  EXPECT_EQ(Computed.Read.Line, 5u);
  EXPECT_EQ(Computed.Read.Why, "a call to 'sorted'");
  EXPECT_EQ(listNamed(Facts, "unbound-schemas").Read.Why, "the element '1'");
  EXPECT_EQ(listNamed(Facts, "scalar-types").Read.Origin, ListOrigin::NoVariable);
  EXPECT_EQ(listNamed(Facts, "python-return-types").Read.Origin, ListOrigin::NoFile);
}

TEST(ReleaseTraits, KeysThatNobodyKnows) {
  ReleaseTraits Facts(
      someDialect(),
      readAll(
          {{"model.py", "class DispatchKey(Enum):\n    Undefined = 0\n    CatchAll = Undefined\n"
                        "    CPU = auto()\n    Quux = auto()\n"
                        "dispatch_keys = [DispatchKey.CPU, DispatchKey.Quux, "
                        "DispatchKey.Meta]\n"}}));
  const KeyTraits &Keys = Facts.dialect().Keys;
  EXPECT_EQ(Keys.Foreign.vec(), std::vector<llvm::StringRef>{"Quux"});
  EXPECT_EQ(Keys.Dispatch.vec(), (std::vector{DispatchKey::CPU, DispatchKey::Meta}));
  EXPECT_FALSE(llvm::is_contained(Keys.Unknown, DispatchKey::CPU));
  // It may have kernels, so that it is there.
  EXPECT_FALSE(llvm::is_contained(Keys.Unknown, DispatchKey::Meta));
  EXPECT_TRUE(llvm::is_contained(Keys.Unknown, DispatchKey::CUDA));
  EXPECT_TRUE(listNamed(Facts, "keys").differs());
}

/// A model.py that says what a dialect says.
std::string modelOf(const Dialect &D) {
  std::string Text = "class BaseTy(Enum):\n";
  for (llvm::StringRef Name : D.Schema.BaseTypes)
    Text += "    " + Name.str() + " = auto()\n";
  Text += "dispatch_keys = [\n";
  for (DispatchKey Key : D.Keys.Dispatch)
    Text += "    DispatchKey." + toString(Key).str() + ",\n";
  return Text + "]\n";
}

TEST(ReleaseTraits, NearestDialect) {
  for (const Dialect *D : allDialects()) {
    std::vector<TorchgenList> Lists = readAll({{"model.py", modelOf(*D)}});
    const Dialect *Nearest = nearestDialect(Lists);
    ASSERT_NE(Nearest, nullptr);
    EXPECT_EQ(ReleaseTraits(*Nearest, Lists).distance(), 0u);
    if (D->Standing == DialectStanding::Verified) {
      EXPECT_EQ(Nearest->Standing, DialectStanding::Verified);
    }
  }
}

} // namespace
