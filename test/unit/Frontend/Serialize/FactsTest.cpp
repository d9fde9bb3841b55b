//===- FactsTest.cpp - translation units in files ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Serialize/FactsInternal.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Frontend/Facts.h"

#include "gtest/gtest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

class Facts : public testing::Test {
protected:
  void SetUp() override {
    int FD;
    llvm::SmallString<128> Path;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("facts", "cpp", FD, Path));
    llvm::raw_fd_ostream(FD, /*shouldClose=*/true) << "at::Tensor f(at::Tensor a = x);\n";
    Source = std::string(Path);
    Unit.MainFile = Source;
    Unit.Files = {Source};
    Unit.Parsed = true;
  }
  void TearDown() override { llvm::sys::fs::remove(Source); }

  std::string written() {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    llvm::cantFail(writeFacts(OS, Unit, Stamp));
    return Text;
  }
  std::string refusal(llvm::StringRef Text) {
    auto Units = readFacts(Text, Stamp);
    return Units ? "" : llvm::toString(Units.takeError());
  }

  std::string Source;
  UnitFacts Unit;
  FactsStamp Stamp = factsStamp("1", {});
};

TEST_F(Facts, ComeBackAsTheyWere) {
  KernelDecl K;
  K.Name = "f";
  K.Scope = "demo::K";
  K.Member = K.Definition = K.InMainFile = K.Editable = true;
  K.Params.resize(2);
  K.Params[1].Name = "a";
  K.Params[1].TypeText = "at::Tensor";
  K.Params[1].Whole = {0, 13, 17};
  K.Params[1].DefaultValue = "x";
  K.ReturnCanonical = CppType::of(CppType::LeftRef, CppType::named("at::Tensor").constant());
  K.ReturnCanonical.At = {0, 13, 2};
  K.ParamList = {0, 13, 17};
  K.Short.set(3);
  K.Redeclarations = {0};
  Unit.Kernels = {K};
  RegistrationBlock Block;
  Block.Is = RegistrationBlock::Impl;
  Block.Namespace = "demo";
  Block.Complete = false;
  RegistrationEntry Entry;
  Entry.Is = RegistrationEntry::Fallback;
  Entry.Text.Value = std::string("\xff\0\"\n", 4); // A literal may hold any bytes.
  Entry.Text.Pieces = {{1, 2, {0, 3, 4}}};
  Entry.Kernel.Is = RegisteredKernel::Lambda;
  Entry.Kernel.Others.resize(1);
  Entry.Kernel.Others[0].ReturnText = "void";
  Block.Entries = {Entry};
  Unit.Registrations = {Block};
  FunctionFlow Flow;
  Flow.Name = "demo::f";
  Flow.NumParams = 1;
  Flow.Finishes = true;
  Flow.Values = {{}, {FlowValue::Parameter, 0, {}}, {FlowValue::Result, 0, {}}};
  Flow.Calls = {
      {"at::t", {"self"}, {CppType::named("at::Tensor")}, {{"self", 0, 1}}, 0, {0, 1, 2}}};
  Flow.Writes = {{1, {0, 13, 4}}};
  Flow.Returns = {{2, {0, 13, 4}}};
  Flow.Escapes = {1};
  Flow.Handed = {
      {"at::t", {"self"}, {CppType::named("at::Tensor")}, {{"self", 0, 1}}, ~0u, "", {0, 13, 4}}};
  Flow.Numbers = {{0, FlowNumber::Whole, {0, 13, 4}}};
  Unit.Flows = {Flow};
  OperatorLookup Lookup;
  Lookup.Function = "findSchema";
  Lookup.Overload.Value = "out";
  Lookup.Optional = true;
  Lookup.Typed.resize(1);
  Lookup.Typed[0].Signature.Name = "typed<>";
  Lookup.Typed[0].Calls = {{0, 13, 4}};
  Unit.Lookups = {Lookup};
  Unit.Functions = {{"demo::F", 3, 2, {0, 3, 4}, {{2, 1, {0, 13, 4}}}}};
  Unit.Names.Bases[2] = CppType::named("long");
  Unit.Names.Templates[1] = "std::vector";
  Unit.MissingHeaders = {"a.h"};
  Unit.NumErrors = 3;
  Unit.FirstError = "x:1:2: no";
  Unit.Mentioned = {"f", "g"};

  std::string Text = written();
  auto Units = llvm::cantFail(readFacts(Text, Stamp));
  ASSERT_EQ(Units.size(), 1u);
  const UnitFacts &Back = Units.front();
  EXPECT_EQ(Back.MainFile, Source);
  EXPECT_EQ(Back.Files, Unit.Files);
  ASSERT_EQ(Back.Kernels.size(), 1u);
  EXPECT_EQ(Back.Kernels[0].Scope, "demo::K");
  EXPECT_TRUE(Back.Kernels[0].Member && Back.Kernels[0].Definition && Back.Kernels[0].Editable);
  EXPECT_FALSE(Back.Kernels[0].Internal);
  EXPECT_EQ(Back.Kernels[0].Short, K.Short);
  EXPECT_FALSE(Back.Kernels[0].Return.isValid());
  EXPECT_EQ(Back.Kernels[0].ReturnCanonical.str(), "at::Tensor const&");
  EXPECT_EQ(Back.Kernels[0].ReturnCanonical, K.ReturnCanonical);
  EXPECT_EQ(Back.Kernels[0].ReturnCanonical.At, (Span{0, 13, 2}));
  EXPECT_EQ(Back.Kernels[0].Redeclarations, K.Redeclarations);
  ASSERT_EQ(Back.Kernels[0].Params.size(), 2u);
  EXPECT_EQ(Back.Kernels[0].Params[1].Whole, (Span{0, 13, 17}));
  EXPECT_EQ(Back.Kernels[0].Params[1].DefaultValue, "x");
  ASSERT_EQ(Back.Registrations.size(), 1u);
  EXPECT_FALSE(Back.Registrations[0].Complete);
  ASSERT_EQ(Back.Registrations[0].Entries.size(), 1u);
  EXPECT_EQ(Back.Registrations[0].Entries[0].Is, RegistrationEntry::Fallback);
  EXPECT_EQ(Back.Registrations[0].Entries[0].Text.Value, Entry.Text.Value);
  EXPECT_EQ(Back.Registrations[0].Entries[0].Text.Pieces[0].Source, (Span{0, 3, 4}));
  EXPECT_EQ(Back.Registrations[0].Entries[0].Kernel.Is, RegisteredKernel::Lambda);
  EXPECT_EQ(Back.Registrations[0].Entries[0].Kernel.Others[0].ReturnText, "void");
  ASSERT_EQ(Back.Flows.size(), 1u);
  auto print = [](const FunctionFlow &F) {
    std::string Text;
    llvm::raw_string_ostream(Text) << F;
    return Text;
  };
  EXPECT_EQ(print(Back.Flows[0]), print(Flow));
  EXPECT_EQ(Back.Flows[0].Calls[0].TensorParams, Flow.Calls[0].TensorParams);
  EXPECT_EQ(Back.Flows[0].Calls[0].ParamTypes, Flow.Calls[0].ParamTypes);
  EXPECT_EQ(Back.Flows[0].Calls[0].At, Flow.Calls[0].At);
  EXPECT_TRUE(Back.Flows[0].Complete && Back.Flows[0].Finishes);
  ASSERT_EQ(Back.Flows[0].Handed.size(), 1u);
  EXPECT_EQ(Back.Flows[0].Handed[0].Args[0].Value, 1u);
  ASSERT_EQ(Back.Lookups.size(), 1u);
  EXPECT_TRUE(Back.Lookups[0].Optional);
  EXPECT_EQ(Back.Lookups[0].Overload.Value, "out");
  ASSERT_EQ(Back.Lookups[0].Typed.size(), 1u);
  EXPECT_EQ(Back.Lookups[0].Typed[0].Calls[0], (Span{0, 13, 4}));
  ASSERT_EQ(Back.Functions.size(), 1u);
  EXPECT_EQ(Back.Functions[0].FewestArgs, 2u);
  EXPECT_EQ(Back.Functions[0].Returns[0].LastDefined, 1u);
  EXPECT_EQ(Back.Names.Bases, Unit.Names.Bases);
  EXPECT_EQ(Back.Names.Templates, Unit.Names.Templates);
  EXPECT_EQ(Back.MissingHeaders, Unit.MissingHeaders);
  EXPECT_EQ(Back.NumErrors, 3u);
  EXPECT_EQ(Back.FirstError, Unit.FirstError);
  EXPECT_EQ(Back.Mentioned, Unit.Mentioned);
  Unit = Back;
  EXPECT_EQ(written(), Text);
}

TEST_F(Facts, AreGoodForWhatTheyWereMadeFor) {
  std::string Text = written();
  EXPECT_EQ(refusal(Text), "");
  ParseOptions Options;
  Options.Scopes = {"demo"};
  FactsStamp Other = factsStamp("1", Options);
  EXPECT_NE(Other.Options, Stamp.Options);
  std::swap(Stamp, Other);
  EXPECT_EQ(refusal(Text), "it was written with different schemas, backends or checks; write it "
                           "again with the options of this run");
  Options = {};
  Options.Bodies = true;
  Stamp = factsStamp("1", Options);
  EXPECT_EQ(refusal(Text), "it was written without the checks that read function bodies; write it "
                           "again with those checks enabled");
  EXPECT_EQ(refusal(written()), "");
  Text = written();
  Stamp = factsStamp("1", {});
  EXPECT_EQ(refusal(Text), "");
  Stamp = factsStamp("2", {});
  EXPECT_EQ(refusal(Text),
            "it was written by opsig 1, but this is opsig 2; write it again with this opsig");
  Stamp = factsStamp("1", {});
  std::error_code Error;
  llvm::raw_fd_ostream(Source, Error) << "int changed;\n";
  EXPECT_EQ(refusal(Text),
            "it is out of date: '" + Source + "' has changed since the facts file was written");
  llvm::sys::fs::remove(Source);
  EXPECT_EQ(refusal(Text), "it is out of date: '" + Source + "' cannot be read");
}

TEST_F(Facts, ThatAreDamaged) {
  Unit.Kernels.resize(1);
  Unit.Kernels[0].Redeclarations = {7};
  EXPECT_EQ(refusal(written()), "its content is damaged; write it again with --facts-out");
  Unit.Kernels[0].Redeclarations.clear();
  Unit.Kernels[0].NameAt = {1, 0, 0};
  EXPECT_EQ(refusal(written()), "its content is damaged; write it again with --facts-out");
  Unit.Kernels.clear();
  Unit.Flows.resize(1);
  EXPECT_EQ(refusal(written()),
            "its content is damaged; write it again with --facts-out"); // not even the value that
                                                                        // stands for none
  Unit.Flows[0].Values.resize(1);
  EXPECT_EQ(refusal(written()), "");
  Unit.Flows[0].Escapes = {1};
  EXPECT_EQ(refusal(written()), "its content is damaged; write it again with --facts-out");
  Unit.Flows[0].Escapes.clear();
  Unit.Flows[0].Handed.resize(1);
  Unit.Flows[0].Handed[0].Args = {{"self", 0, 1}};
  EXPECT_EQ(refusal(written()), "its content is damaged; write it again with --facts-out");
  EXPECT_EQ(refusal("[]"), "it is not an opsig facts file");
  EXPECT_NE(refusal("{"), "");
  EXPECT_EQ(refusal(""), refusal(""));
  EXPECT_NE(refusal(""), "");
}

TEST(FactsBytes, AreReadAsTheyWereWritten) {
  UnitFacts Unit;
  Unit.MainFile = "a.cpp";
  Unit.Files = {"a.cpp", "/p/\xff own.h"};
  Unit.Parsed = true;
  Unit.NumErrors = 300;
  Unit.TorchFolders = {"/usr/include"};
  KernelDecl Kernel;
  Kernel.Name = std::string("f\0g", 3);
  Kernel.NameAt = {1, 128, 16384};
  Kernel.Params.resize(2);
  Kernel.ReturnCanonical.Args.resize(1);
  Unit.Kernels = {Kernel, KernelDecl()};
  std::string Bytes = unitToBytes(Unit);
  UnitFacts Read;
  Read.FirstError = "of before";
  Read.Kernels.resize(5);
  ASSERT_TRUE(unitFromBytes(Bytes, Read));
  EXPECT_EQ(unitToJson(Read), unitToJson(Unit));
  EXPECT_EQ(Read.TorchFolders, Unit.TorchFolders);
  EXPECT_EQ(Read.FirstError, "");
  EXPECT_EQ(Read.Kernels[0].Name.size(), 3u);
  EXPECT_FALSE(Read.Kernels[1].NameAt.isValid());
}

TEST(FactsBytes, WhatIsDamagedIsNotRead) {
  UnitFacts Unit;
  Unit.Files = {"a.cpp"};
  Unit.Kernels.resize(3);
  Unit.Mentioned = {"one", "two"};
  std::string Bytes = unitToBytes(Unit);
  for (size_t Size = 0; Size < Bytes.size(); ++Size) {
    UnitFacts Read;
    EXPECT_FALSE(unitFromBytes(llvm::StringRef(Bytes).take_front(Size), Read)) << Size;
    std::string Other = Bytes;
    Other[Size] = char(0xff); // whatever it means, it ends
    (void)unitFromBytes(Other, Read);
  }
  UnitFacts Read;
  EXPECT_FALSE(unitFromBytes(Bytes + "x", Read));
  EXPECT_FALSE(unitFromBytes(std::string(100, char(0xff)), Read));
}

} // namespace
