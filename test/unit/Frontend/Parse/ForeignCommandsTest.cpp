//===- ForeignCommandsTest.cpp - commands of other compilers, for Clang ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ForeignCommands.h"
#include "Workspace/TempTree.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace opsig;

namespace {

/// What is left of nvcc's \p Flags before a.cu.
Words nvcc(Words Flags) {
  Flags.insert(Flags.begin(), "/usr/local/cuda/bin/nvcc");
  Flags.push_back("a.cu");
  Words To = translate(Flags, styleOf(Flags), "").Command;
  To = withoutUnknown(To, "a.cu").Command;
  return Words(To.begin() + 1, To.end() - 1);
}

Words droppedByNvcc(Words Flags) {
  Flags.insert(Flags.begin(), "nvcc");
  return translate(Flags, CommandStyle::Nvcc, "").Dropped;
}

TEST(ForeignCommands, ProgramsAreKnownByName) {
  EXPECT_EQ(styleOf({"/usr/local/cuda/bin/nvcc"}), CommandStyle::Nvcc);
  EXPECT_EQ(styleOf({"nvcc-12"}), CommandStyle::Nvcc);
  EXPECT_EQ(styleOf({"/opt/rocm/bin/hipcc"}), CommandStyle::Hipcc);
  EXPECT_EQ(styleOf({"/usr/local/musa/bin/mcc"}), CommandStyle::Mcc);
  EXPECT_EQ(styleOf({"icpx"}), CommandStyle::Icpx);
  EXPECT_EQ(styleOf({"clang++-22"}), CommandStyle::Clang);
  EXPECT_EQ(styleOf({"mccabe"}), CommandStyle::Clang);
  EXPECT_EQ(styleOf({}), CommandStyle::Clang);
}

TEST(ForeignCommands, FlagsOfDeviceCodeGo) {
  EXPECT_EQ(nvcc({"-gencode",
                  "arch=compute_80,code=sm_80",
                  "--generate-code=arch=compute_90",
                  "-arch=sm_80",
                  "-arch",
                  "sm_90",
                  "--expt-relaxed-constexpr",
                  "-Xptxas",
                  "-v",
                  "-Xptxas=-O3",
                  "--threads",
                  "4",
                  "-t4",
                  "--use_fast_math",
                  "-Xfatbin",
                  "-compress-all",
                  "-Xcudafe",
                  "--diag_suppress=1",
                  "-rdc=true",
                  "-diag-suppress",
                  "20012",
                  "--maxrregcount=64",
                  "-cudart",
                  "shared",
                  "-lineinfo",
                  "-G",
                  "-dc",
                  "-ccbin",
                  "g++-11",
                  "-forward-unknown-to-host-compiler",
                  "--generate-dependencies-with-compile",
                  "--dependency-output",
                  "a.d"}),
            Words());
}

TEST(ForeignCommands, ValuesAreJoinedOrNot) {
  EXPECT_EQ(nvcc({"-I=/a", "-I/b", "-I", "/c", "--include-path=/d", "-isystem=/e", "-isystem", "/f",
                  "-DX", "-D=Y=1", "--define-macro", "Z", "-std=c++17", "--std", "c++20"}),
            Words({"-I", "/a", "-I/b", "-I", "/c", "-I", "/d", "-isystem", "/e", "-isystem", "/f",
                   "-DX", "-D", "Y=1", "-D", "Z", "-std=c++17", "-std=c++20"}));
}

TEST(ForeignCommands, FlagsForTheHostStay) {
  EXPECT_EQ(nvcc({"-Xcompiler", "-fPIC,-DA=1", "-Xcompiler=-fopenmp", "--compiler-options",
                  "'-fvisibility=hidden'", "-Xcompiler", "-DP=1\\,2"}),
            Words({"-fPIC", "-DA=1", "-fopenmp", "-fvisibility=hidden", "-DP=1,2"}));
  // Those that Clang does not know go one by one.
  EXPECT_EQ(nvcc({"-Xcompiler", "-fno-such-flag-at-all,-DB"}), Words({"-DB"}));
}

TEST(ForeignCommands, LanguagesHaveClangsNames) {
  EXPECT_EQ(nvcc({"-x", "cu"}), Words({"-x", "cuda"}));
  EXPECT_EQ(nvcc({"-x=cu"}), Words({"-x", "cuda"}));
}

TEST(ForeignCommands, ValuesOfUnknownFlagsAreNoSources) {
  EXPECT_EQ(nvcc({"--future-flag", "value", "-DX"}), Words({"-DX"}));
  EXPECT_EQ(nvcc({"-Werror", "all-warnings", "-DX"}), Words({"-DX"}));
}

TEST(ForeignCommands, WhatWasDroppedIsKept) {
  EXPECT_EQ(droppedByNvcc({"-gencode", "arch=compute_80,code=sm_80", "-DX", "-rdc=true"}),
            Words({"-gencode arch=compute_80,code=sm_80", "-rdc=true"}));
}

TEST(ForeignCommands, AFlagWithoutItsValueIsNoMore) {
  EXPECT_EQ(translate({"nvcc", "a.cu", "-gencode"}, CommandStyle::Nvcc, "").Command,
            Words({"clang++", "a.cu"}));
  EXPECT_EQ(translate({"nvcc", "a.cu", "-Xcompiler"}, CommandStyle::Nvcc, "").Command,
            Words({"clang++", "a.cu"}));
  EXPECT_EQ(withoutUnknown({"clang++", "a.cu", "-I"}, "a.cu").Command, Words({"clang++", "a.cu"}));
}

TEST(ForeignCommands, DevicesOfSyclAreLeftOut) {
  TranslatedCommand To = translate({"icpx", "-fsycl", "-fsycl-targets=spir64", "-Xs", "-device pvc",
                                    "-qopenmp", "-fp-model=precise", "-DX", "a.cpp"},
                                   CommandStyle::Icpx, "");
  EXPECT_EQ(To.Command, Words({"clang++", "-fsycl", "-fopenmp", "-DX", "a.cpp"}));
}

TEST(ForeignCommands, HipTakesEverySourceForItsOwn) {
  Words To = translate({"hipcc", "--offload-arch=gfx90a", "-fno-gpu-rdc", "-DX", "a.cpp"},
                       CommandStyle::Hipcc, "")
                 .Command;
  EXPECT_EQ(To, Words({"clang++", "-x", "hip", "-DX", "a.cpp"}));
  EXPECT_EQ(languageOf(To, "a.cpp"), SourceLanguage::Hip);
}

TEST(ForeignCommands, TheHostsPassIsChosen) {
  EXPECT_EQ(forHost({"clang++", "-x", "cuda", "--cuda-gpu-arch=sm_70", "--cuda-device-only", "-DX",
                     "--", "a.cu"},
                    SourceLanguage::Cuda),
            Words({"clang++", "-xcuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-DX", "--",
                   "a.cu"}));
  EXPECT_EQ(languageOf({"clang++", "-x", "c++", "a.mu"}, "a.mu"), SourceLanguage::Musa);
  EXPECT_EQ(languageOf({"clang++", "a.cuh"}, "a.cuh"), SourceLanguage::Cuda);
  EXPECT_EQ(languageOf({"clang++", "-xcuda", "a.cpp"}, "a.cpp"), SourceLanguage::Cuda);
  EXPECT_EQ(languageOf({"g++", "a.cpp"}, "a.cpp"), SourceLanguage::Cpp);
}

/// Words of all tables, of Clang, halves of them and what belongs nowhere.
std::string anyWord(std::mt19937 &Random) {
  static constexpr CommandStyle Styles[] = {CommandStyle::Nvcc, CommandStyle::Hipcc,
                                            CommandStyle::Mcc, CommandStyle::Icpx};
  static const Words Others = {
      "-DX",  "-I",   "-Iinc",    "-x",           "cu",    "-xcuda",   "-",
      "",     "=",    "-=",       "--=x",         "\\",    ",",        "'",
      "-std", "-o",   "-c",       "-Xclang",      "\"a,b", "-include", "@none",
      "-MF",  "b.cu", "-fPIC,-O", "-Xcompiler=\\"};
  auto Below = [&](size_t Count) { return Random() % Count; };
  if (Below(3) == 0)
    return Others[Below(Others.size())];
  std::vector<ForeignFlag> Flags = foreignFlags(Styles[Below(4)]);
  const ForeignFlag &Flag = Flags[Below(Flags.size())];
  std::string Word = (Below(2) ? "--" : "-") + (Below(2) ? Flag.Long : Flag.Short).str();
  if (Below(3) == 0)
    Word += "=" + Others[Below(Others.size())];
  return Below(8) ? Word : Word.substr(0, Word.size() / 2);
}

TEST(ForeignCommands, AnyWordsAreSurvived) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    Words Given = {"nvcc"};
    for (size_t Left = Random() % 8; Left; --Left)
      Given.push_back(anyWord(Random));
    bool Dashes = Random() % 2;
    if (Dashes)
      Given.push_back("--");
    Given.push_back("a.cu");
    for (CommandStyle Style : {CommandStyle::Clang, CommandStyle::Nvcc, CommandStyle::Hipcc,
                               CommandStyle::Mcc, CommandStyle::Icpx}) {
      Words To = withoutUnknown(translate(Given, Style, "").Command, "a.cu").Command;
      EXPECT_FALSE(forHost(To, languageOf(To, "a.cu")).empty());
      // What Clang takes once it takes again, and the file is still there behind the dashes.
      EXPECT_EQ(withoutUnknown(To, "a.cu").Command, To) << testing::PrintToString(Given);
      if (Dashes && llvm::is_contained(To, "--"))
        EXPECT_EQ(To.back(), "a.cu");
    }
  }
}

TEST(ForeignCommands, FlagsThatLackTheirValueAreTold) {
  EXPECT_EQ(translate({"nvcc", "a.cu", "--include-path"}, CommandStyle::Nvcc, "").Dropped,
            Words{"--include-path"});
  EXPECT_EQ(translate({"nvcc", "a.cu", "-Xcompiler"}, CommandStyle::Nvcc, "").Dropped,
            Words{"-Xcompiler"});
}

class OptionsFiles : public TempTree {};

TEST_F(OptionsFiles, ThatNameThemselvesHaveAnEnd) {
  std::string Again;
  for (unsigned I = 0; I < 40; ++I)
    Again += "--options-file self.rsp ";
  add("self.rsp", "-DSELF " + Again);
  TranslatedCommand To =
      translate({"nvcc", "--options-file", "self.rsp", "a.cu"}, CommandStyle::Nvcc, Dir);
  EXPECT_EQ(llvm::count(To.Command, "-DSELF"), long(MaxOptionsFiles));
  EXPECT_EQ(To.Dropped.size(), 40 * MaxOptionsFiles - (MaxOptionsFiles - 1));
  EXPECT_EQ(To.Command.back(), "a.cu");

  add("deep.rsp", "-DDEEP --options-file deep.rsp");
  To = translate({"nvcc", "-optf=deep.rsp"}, CommandStyle::Nvcc, Dir);
  EXPECT_EQ(llvm::count(To.Command, "-DDEEP"), long(MaxOptionsDepth));
  EXPECT_EQ(To.Dropped, Words{"--options-file deep.rsp"});
}

} // namespace
