//===- RegistryTest.cpp - blocks, entries and operators -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Registry/Registry.h"
#include "opsig/Operators/Operators.h"

#include "gtest/gtest.h"
#include <list>

using namespace opsig;

namespace {

/// Blocks and entries by hand; registry() makes sense of them.
class RegistryTest : public testing::Test {
protected:
  UnitFacts &unit(std::vector<std::string> Files) {
    UnitFacts &Unit = Units.emplace_back();
    Unit.MainFile = Files.front();
    Unit.Files = std::move(Files);
    return Unit;
  }

  /// Each at a place of its own.
  RegistrationBlock &block(UnitFacts &Unit, RegistrationBlock::Kind Is, std::string Namespace,
                           std::string Key = "", uint32_t File = 0) {
    RegistrationBlock &Block = Unit.Registrations.emplace_back();
    Block.Is = Is;
    Block.Namespace = std::move(Namespace);
    Block.Key = std::move(Key);
    Block.At = {File, uint32_t(100 * Unit.Registrations.size()), 5};
    return Block;
  }

  static RegistrationEntry &def(RegistrationBlock &Block, std::string Text) {
    RegistrationEntry &Entry = Block.Entries.emplace_back();
    Entry.TextKnown = true;
    Entry.Text.Value = std::move(Text);
    return Entry;
  }

  static RegistrationEntry &impl(RegistrationBlock &Block, std::string Text) {
    RegistrationEntry &Entry = def(Block, std::move(Text));
    Entry.Is = RegistrationEntry::Impl;
    Entry.Kernel.Is = RegisteredKernel::Function;
    return Entry;
  }

  const Registry &registry() {
    std::vector<const UnitFacts *> All;
    for (const UnitFacts &Unit : Units)
      All.push_back(&Unit);
    auto GrammarOf = [](const UnitFacts &) { return grammarOf(*allDialects().back()); };
    auto NameOf = [](const UnitFacts &Unit, uint32_t File) { return Unit.Files[File]; };
    return *(Made = std::make_unique<Registry>(All, GrammarOf, NameOf));
  }

  /// "ns::f: 1 def, 2 kernels; ..."
  std::string shown() {
    std::string Out;
    for (const RegisteredOp &Op : registry().operators())
      Out += (Out.empty() ? "" : "; ") + Op.Name + ": " + std::to_string(Op.Defs.size()) +
             " def, " + std::to_string(Op.Kernels.size()) + " kernels";
    return Out;
  }

  std::list<UnitFacts> Units;
  std::unique_ptr<Registry> Made;
};

TEST_F(RegistryTest, OperatorsInTheOrderOfFirstMention) {
  UnitFacts &Defs = unit({"ops.cpp"}), &Kernels = unit({"cpu.cpp"});
  RegistrationBlock &Library = block(Defs, RegistrationBlock::Library, "my");
  def(Library, "g(Tensor x) -> Tensor");
  def(Library, "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
  RegistrationBlock &Cpu = block(Kernels, RegistrationBlock::Impl, "my", "CPU");
  impl(Cpu, "my::f.out");
  impl(Cpu, "h");
  EXPECT_EQ(shown(), "my::g: 1 def, 0 kernels; my::f.out: 1 def, 1 kernels; "
                     "my::h: 0 def, 1 kernels");
  const RegisteredOp *F = Made->find("my::f.out");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Kernels[0]->key(), "CPU");
  EXPECT_TRUE(F->Kernels[0]->Schema->NameOnly);
  EXPECT_EQ(F->Defs[0]->Schema->Args.size(), 2u);
  EXPECT_FALSE(Made->find("f.out"));
  EXPECT_TRUE(Made->ownsNamespace("my"));
  EXPECT_FALSE(Made->ownsNamespace("other"));
}

TEST_F(RegistryTest, BlockOfAHeaderCountsOnce) {
  for (const char *Name : {"a.cpp", "b.cpp"})
    def(block(unit({Name, "ops.h"}), RegistrationBlock::Fragment, "my", "", /*File=*/1),
        "f(Tensor x) -> Tensor");
  EXPECT_EQ(shown(), "my::f: 1 def, 0 kernels");
  Units.back().Files[1] = "other/ops.h";
  EXPECT_EQ(shown(), "my::f: 2 def, 0 kernels");
}

TEST_F(RegistryTest, OneMacroMayMakeSeveralBlocks) {
  UnitFacts &Unit = unit({"a.cpp"});
  for (const char *Key : {"CPU", "CPU"})
    impl(block(Unit, RegistrationBlock::Impl, "my", Key), "f");
  Unit.Registrations[1].At = Unit.Registrations[0].At;
  EXPECT_EQ(shown(), "my::f: 0 def, 2 kernels");
}

TEST_F(RegistryTest, FunctionsOfOtherFilesFillBlocks) {
  RegistrationBlock &Library = block(unit({"ops.cpp"}), RegistrationBlock::Library, "my");
  Library.HandedTo = {"_Z3addRN5torch7LibraryE"};
  RegistrationBlock &Filler = block(unit({"add.cpp"}), RegistrationBlock::Unknown, "");
  Filler.Filler = Library.HandedTo[0];
  def(Filler, "f(Tensor x) -> Tensor");
  EXPECT_EQ(shown(), "my::f: 1 def, 0 kernels");
  EXPECT_TRUE(Made->blocks()[0].Block->Complete);
  // A part of the library, and no second one.
  EXPECT_EQ(Made->blocks()[1].Block->Is, RegistrationBlock::Fragment);
  Filler.Filler = "_Z5otherRN5torch7LibraryE";
  EXPECT_EQ(shown(), "");
  EXPECT_FALSE(Made->blocks()[0].Block->Complete);
  EXPECT_EQ(Made->blocks()[1].Block->Is, RegistrationBlock::Unknown);
}

/// What libtorch refuses registers no operator.
TEST_F(RegistryTest, MisplacedEntries) {
  UnitFacts &Unit = unit({"a.cpp"});
  RegistrationBlock &Library = block(Unit, RegistrationBlock::Library, "my");
  def(Library, "other::f(Tensor x) -> Tensor");
  RegistrationBlock &Cpu = block(Unit, RegistrationBlock::Impl, "my", "CPU");
  def(Cpu, "g(Tensor x) -> Tensor");
  impl(Cpu, "h(Tensor x) -> Tensor");
  EXPECT_EQ(shown(), "");
  llvm::ArrayRef<EntryRef> Entries = std::as_const(*Made).entries();
  EXPECT_TRUE(Entries[0].hasOtherNamespace());
  EXPECT_TRUE(Entries[1].isDefInImpl());
  EXPECT_TRUE(Entries[2].isSchemaInImpl());
  EXPECT_EQ(Entries[0].nameIn("my"), "other::f");
  EXPECT_EQ(Entries[2].nameIn("my"), "my::h");
}

TEST_F(RegistryTest, NamesOfStringsThatCannotBeParsed) {
  RegistrationBlock &Library = block(unit({"a.cpp"}), RegistrationBlock::Library, "my");
  RegistrationEntry &Wrong = def(Library, " f.x (Tensr");
  EXPECT_EQ(shown(), "");
  llvm::ArrayRef<EntryRef> Entries = std::as_const(*Made).entries();
  EXPECT_FALSE(Entries[0].Schema);
  EXPECT_EQ(Entries[0].Errors.size(), 1u);
  EXPECT_EQ(writtenOperator(Library, Wrong), "my::f.x");
  Wrong.Text.Value = "other::f(";
  EXPECT_EQ(writtenOperator(Library, Wrong), "other::f");
  Library.Namespace = "_";
  Wrong.Text.Value = "f(";
  EXPECT_EQ(writtenOperator(Library, Wrong), "");
}

TEST_F(RegistryTest, NamespaceThatIsMeant) {
  RegistrationBlock &Cpu = block(unit({"a.cpp"}), RegistrationBlock::Impl, "mu", "CPU");
  impl(Cpu, "my::f");
  impl(Cpu, "g");
  EXPECT_EQ(shown(), "mu::g: 0 def, 1 kernels");
  for (EntryRef &E : Made->entries())
    E.resolve("my");
  Made->group();
  ASSERT_EQ(Made->operators().size(), 2u);
  EXPECT_TRUE(Made->find("my::f"));
  EXPECT_TRUE(Made->find("my::g"));
  EXPECT_FALSE(Made->find("mu::g"));
}

/// Older rules, where a kernel comes with the schema.
TEST_F(RegistryTest, RulesOfStrings) {
  UnitFacts &Unit = unit({"a.cpp"});
  RegistrationBlock &Library = block(Unit, RegistrationBlock::Library, "my");
  RegistrationEntry &Entry = def(Library, "f(t x) -> t");
  Unit.Names.Strings.TypeVariables = false;
  EXPECT_FALSE(rulesOf(Unit, Library, Entry).TypeVariables);
  Entry.Kernel.Is = RegisteredKernel::Boxed;
  EXPECT_TRUE(rulesOf(Unit, Library, Entry).TypeVariables);
}

} // namespace
