//===- DispatchTableTest.cpp - The dispatcher's rules ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected here was seen in libtorch, of operators with these kernels and no others.
//
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include "opsig/Coverage/Coverage.h"
#include "opsig/Dialect/DispatchTableTraits.h"

using namespace opsig;

namespace {

const Dialect &dialect(unsigned Major, unsigned Minor) {
  return *chooseDialect(llvm::VersionTuple(Major, Minor)).Chosen;
}

/// Tables of operators with one kernel for each of some keys; the kernel's number is its place
/// among them.
class Tables {
public:
  Tables(unsigned Major, unsigned Minor) : Input(dialect(Major, Minor)) {}

  /// "math kernel 0": the rule, and the kernel but for fallbacks; "missing".
  std::string at(llvm::StringRef Key, std::vector<llvm::StringRef> Registered) {
    KernelsByKey Kernels;
    for (size_t I = 0; I != Registered.size(); ++I)
      Kernels.set(*Input.Keys.find(Registered[I]), I);
    SlotEntry Entry =
        computeDispatchTable(Input.Keys, Kernels, Input.Fallbacks)[*Input.Keys.find(Key)];
    std::string Text = toString(Entry.By).str();
    if (Entry.Kernel != NoKernel && Entry.By != ServedBy::Fallback)
      Text += " " + std::to_string(Entry.Kernel);
    return Text;
  }

  CoverageInput Input;
};

TEST(DispatchTable, AKernelOfTheKeyComesFirst) {
  Tables T(1, 13);
  EXPECT_EQ(T.at("CPU", {"CompositeImplicitAutograd", "CPU"}), "kernel 1");
  EXPECT_EQ(T.at("AutogradCPU", {"Autograd", "AutogradCPU"}), "kernel 1");
  EXPECT_EQ(T.at("CUDA", {"CPU"}), "missing");
  EXPECT_EQ(T.at("Undefined", {"CPU"}), "missing");
}

TEST(DispatchTable, ExplicitCompositesServeBackends) {
  Tables T(1, 13);
  for (const char *Key : {"CPU", "PrivateUse1", "SparseCPU", "QuantizedCUDA", "Meta", "Undefined"})
    EXPECT_EQ(T.at(Key, {"CompositeExplicitAutograd"}), "default backend kernel 0") << Key;
  EXPECT_EQ(T.at("NestedTensorCPU", {"CompositeExplicitAutograd"}), "missing");
  EXPECT_EQ(T.at("AutogradCPU", {"CompositeExplicitAutograd"}), "backend fallback");
}

TEST(DispatchTable, FunctionalBackendsTakeNoNonFunctionalKernel) {
  Tables T(1, 13), New(2, 14);
  llvm::StringRef Alias = "CompositeExplicitAutogradNonFunctional";
  for (const char *Key : {"PrivateUse1", "QuantizedCPU", "SparseCsrCPU", "Undefined"})
    EXPECT_EQ(T.at(Key, {Alias}), "default backend kernel 0") << Key;
  for (const char *Key : {"XLA", "Lazy", "QuantizedXLA", "SparseCPU", "SparsePrivateUse1"})
    EXPECT_EQ(T.at(Key, {Alias}), "missing") << Key;
  EXPECT_EQ(New.at("SparseCsrXLA", {Alias}), "missing");
  EXPECT_EQ(New.at("SparseCsrXPU", {Alias}), "default backend kernel 0");
}

TEST(DispatchTable, ImplicitCompositesYieldToKernelsOfTheBackend) {
  Tables T(1, 13);
  EXPECT_EQ(T.at("PrivateUse1", {"CompositeImplicitAutograd"}), "math kernel 0");
  EXPECT_EQ(T.at("AutogradPrivateUse1", {"CompositeImplicitAutograd"}), "math kernel 0");
  EXPECT_EQ(T.at("AutogradPrivateUse1", {"CompositeImplicitAutograd", "PrivateUse1"}), "missing");
  EXPECT_EQ(T.at("AutogradCPU", {"CompositeImplicitAutograd", "PrivateUse1"}), "math kernel 0");
  EXPECT_EQ(T.at("AutogradPrivateUse1", {"CompositeImplicitAutograd", "PrivateUse1", "Autograd"}),
            "autograd kernel 2");
  EXPECT_EQ(T.at("AutogradCPU", {"CompositeImplicitAutograd", "CompositeExplicitAutograd"}),
            "backend fallback");
}

TEST(DispatchTable, SomeBackendsAreNotHeeded) {
  for (const char *Device : {"HIP", "VE"})
    EXPECT_EQ(
        Tables(1, 13).at(std::string("Autograd") + Device, {"CompositeImplicitAutograd", Device}),
        "math kernel 0");
  EXPECT_EQ(Tables(2, 14).at("AutogradMTIA", {"CompositeImplicitAutograd", "MTIA"}),
            "math kernel 0");
  EXPECT_EQ(Tables(2, 14).at("AutogradMAIA", {"CompositeImplicitAutograd", "MAIA"}),
            "backend fallback");
}

TEST(DispatchTable, AutogradOtherCannotChoose) {
  Tables T(1, 13);
  for (const char *Key : {"SparseCPU", "QuantizedCPU", "MkldnnCPU", "SparseCsrCUDA"})
    EXPECT_EQ(T.at("AutogradOther", {"CompositeImplicitAutograd", Key}), "ambiguous autogradother")
        << Key;
  EXPECT_EQ(T.at("AutogradOther", {"CompositeImplicitAutograd", "CPU"}), "math kernel 0");
  EXPECT_EQ(T.at("AutogradOther", {"Autograd", "SparseCPU"}), "autograd kernel 0");
}

TEST(DispatchTable, NestedTensors) {
  Tables T(2, 14);
  std::vector<llvm::StringRef> Both = {"CompositeImplicitAutograd",
                                       "CompositeImplicitAutogradNestedTensor"};
  EXPECT_EQ(T.at("NestedTensorCUDA", Both), "nested kernel 1");
  EXPECT_EQ(T.at("AutogradNestedTensor", Both), "nested kernel 1");
  EXPECT_EQ(T.at("AutogradCPU", Both), "math kernel 0");
  EXPECT_EQ(T.at("NestedTensorCUDA", {"CompositeImplicitAutograd"}), "math kernel 0");
  EXPECT_EQ(T.at("AutogradNestedTensor", {"CompositeImplicitAutograd", "NestedTensorCPU"}),
            "missing");
}

TEST(DispatchTable, ModesAndFallbacks) {
  Tables T(1, 13), New(2, 14);
  EXPECT_EQ(T.at("Functionalize", {"CompositeImplicitAutograd"}), "backend fallback");
  EXPECT_EQ(T.at("FuncTorchBatched", {"CompositeImplicitAutograd"}), "backend fallback");
  EXPECT_EQ(New.at("FuncTorchBatched", {"FuncTorchBatchedDecomposition"}), "batched kernel 0");
  EXPECT_EQ(T.at("AutogradPrivateUse1", {"CPU"}), "missing");
  EXPECT_EQ(New.at("AutogradPrivateUse1", {"CPU"}), "backend fallback");
  EXPECT_EQ(New.at("Meta", {"CPU"}), "backend fallback");
  EXPECT_EQ(New.at("QuantizedMeta", {"CPU"}), "missing");
  T.Input.Fallbacks.set(*T.Input.Keys.find("PrivateUse1"), 0);
  EXPECT_EQ(T.at("PrivateUse1", {"CPU"}), "backend fallback");
}

TEST(DispatchKeys, OfAllReleases) {
  for (const Dialect *D : allDialects()) {
    DispatchKeys Keys(*D);
    EXPECT_EQ(Keys.name(0), "Undefined");
    for (size_t Key = 0; Key != Keys.size(); ++Key)
      EXPECT_EQ(Keys.find(Keys.name(Key)), Key) << D->Name.str() << " " << Keys.name(Key).str();
    // What the YAML may register for has a slot, or serves some.
    for (DispatchKey Key : D->Keys.Dispatch)
      EXPECT_TRUE(Keys.find(toString(Key))) << D->Name.str() << " " << toString(Key).str();
    for (const KeySlot &Slot : Keys.slots())
      if (Slot.Role == SlotRole::Autograd) {
        EXPECT_NE(Slot.Backend, 0) << Slot.Name;
      }
  }
}

TEST(Coverage, CellsAreNamedByKernelAndRule) {
  CoverageInput Input(dialect(1, 13));
  KernelId Own = Input.add({Service::Own, "demo::add", "a.cpp", 3});
  KernelId Default = Input.add({Service::Library, "add", "native_functions.yaml", 7});
  CoveredOperator Op{"aten::add.Tensor", {}};
  Op.Kernels.set(*Input.Keys.find("PrivateUse1"), Own);
  Op.Kernels.set(Input.Keys.alias(AliasKey::CompositeExplicitAutogradNonFunctional), Default);
  Input.Operators = {Op, {"aten::gone", {}}};
  std::vector<KeyId> Keys = {*Input.Keys.find("CPU"), *Input.Keys.find("PrivateUse1")};
  CoverageReport Report = buildCoverage(Input, Keys, RowChoice::All);
  ASSERT_EQ(Report.Rows.size(), 2u);
  EXPECT_EQ(Report.Rows[0].Cells[0].Is, Service::StructuredDefault);
  EXPECT_EQ(Report.Rows[0].Cells[1].Is, Service::Own);
  EXPECT_EQ(Report.kernel(Report.Rows[0].Cells[1])->Line, 3u);
  EXPECT_EQ(Report.Counts[1][unsigned(Service::Missing)], 1u);
  EXPECT_EQ(joinAlike(Report).size(), 2u);

  CoverageReport Missing = buildCoverage(Input, Keys, RowChoice::WithMissing);
  ASSERT_EQ(Missing.Rows.size(), 1u);
  EXPECT_EQ(Missing.Rows[0].Operator->Name, "aten::gone");
  EXPECT_EQ(Missing.Counts, Report.Counts);
  EXPECT_EQ(joinAlike(Missing).size(), 1u);
}

} // namespace
