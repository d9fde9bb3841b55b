//===- SourceKernelsTest.cpp - What sources register, for coverage ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Coverage/SourceKernels.h"
#include "opsig/Operators/Operators.h"

using namespace opsig;

namespace {

RegistrationEntry kernelFor(std::string Name) {
  RegistrationEntry Entry;
  Entry.Is = RegistrationEntry::Impl;
  Entry.TextKnown = true;
  Entry.Text.Value = std::move(Name);
  Entry.Kernel.Is = RegisteredKernel::Function;
  Entry.Kernel.Name = "f_cpu";
  return Entry;
}

struct Covered {
  explicit Covered(std::vector<UnitFacts> Of) : Units(std::move(Of)), Places(Units, Files) {
    Registry Registered(Units, grammarOf(D), Places);
    Found = addSourceKernels(Registered, Places, Input);
  }

  const Dialect &D = *allDialects().back();
  std::vector<UnitFacts> Units;
  SourceFiles Files;
  UnitFiles Places;
  CoverageInput Input = CoverageInput(D);
  SourceRegistrations Found;
};

/// `TORCH_LIBRARY_IMPL(my, CPU, m) { add(m); }`, and another file with `add(torch::Library &m)`.
TEST(SourceKernelsTest, BlocksThatOtherFilesFill) {
  std::vector<UnitFacts> Units(2);
  RegistrationBlock &Block = Units[0].Registrations.emplace_back();
  Block.Is = RegistrationBlock::Impl;
  Block.Namespace = "my";
  Block.Key = "CPU";
  Block.HandedTo = {"_Z3addRN5torch7LibraryE"};
  RegistrationBlock &Filler = Units[1].Registrations.emplace_back();
  Filler.Is = RegistrationBlock::Unknown;
  Filler.Filler = Block.HandedTo[0];
  Filler.Entries = {kernelFor("f")};
  Covered Read(Units);
  EXPECT_EQ(Read.Found.Unread, 0u);
  ASSERT_EQ(Read.Input.Operators.size(), 1u);
  EXPECT_EQ(Read.Input.Operators[0].Name, "my::f");
  EXPECT_NE(Read.Input.Operators[0].Kernels.find(*Read.Input.Keys.find("CPU")), NoKernel);

  // Where it is not in the files that were read, the block has more than is known.
  Units.pop_back();
  EXPECT_EQ(Covered(Units).Found.Unread, 1u);
}

TEST(SourceKernelsTest, StringsThatCannotBeParsed) {
  std::vector<UnitFacts> Units(1);
  RegistrationBlock &Block = Units[0].Registrations.emplace_back();
  Block.Namespace = "my";
  RegistrationEntry Entry = kernelFor("f(Tensr x");
  Entry.Is = RegistrationEntry::Def;
  Block.Entries = {Entry};
  Covered Read(Units);
  ASSERT_EQ(Read.Input.Operators.size(), 1u);
  EXPECT_EQ(Read.Input.Operators[0].Name, "my::f");
}

} // namespace
