//===- SharedPchTest.cpp - a prefix changes the time and nothing else ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"
#include "Parse/ParseInternal.h"
#include "Parse/SharedPchInternal.h"
#include "Serialize/FactsInternal.h"
#include "SharedPch/SharedPchPlan.h"

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <random>

using namespace opsig;

namespace {

enum class Outcome { None, Unfit, Incomplete, Fits };

std::string print(const UnitFacts &Unit) {
  std::string Text;
  llvm::raw_string_ostream(Text) << unitToJson(Unit) << llvm::join(Unit.TorchFolders, ",");
  return Text;
}

/// Files in memory; those below /mem/vendor/ are none of the project's.
struct Project {
  ParseOptions Options;
  FileStates States;

  explicit Project(std::vector<VirtualFile> Files) {
    Options.Scopes = {"demo", "at::native"};
    Options.Bodies = true;
    Options.Buffers = std::move(Files);
    Options.IsProjectFile = [](llvm::StringRef Path) {
      return Path.starts_with("/mem/") && !Path.starts_with("/mem/vendor/");
    };
  }

  std::vector<std::string> Flags;
  /// How many files the tokens of the headers have confirmed.
  unsigned NumTold = 0;

  ParseJob job(const std::string &File) const {
    std::vector<std::string> All = test::miniTorchFlags();
    All.insert(All.end(), {"-w", "-I/mem", "-I/mem/vendor"});
    All.insert(All.end(), Flags.begin(), Flags.end());
    return CompileCommands::fixed(All).job(File);
  }

  std::optional<SharedPch> sharedPchFor(llvm::ArrayRef<std::string> Names) {
    std::vector<ScannedIncludes> Scans;
    for (const std::string &Name : Names)
      if (std::optional<ScannedIncludes> Scan = scanIncludes(job(Name), Options))
        Scans.push_back(std::move(*Scan));
    if (Scans.size() != Names.size())
      return std::nullopt;
    std::optional<IncludeGraph> Graph =
        includeGraph(job(Names.front()), Options, allIncludes(Scans));
    if (!Graph)
      return std::nullopt;
    std::vector<SharedPchGroup> Groups = planSharedPchs(Scans, *Graph, Options.IsProjectFile,
                                                        {/*LeastPrefix=*/1, /*LeastHeader=*/0});
    if (Groups.size() != 1)
      return std::nullopt;
    SharedPchText Text{Groups[0].Macros, Groups[0].Headers};
    for (const SharedPchGroup &Other : Groups[0].Others)
      Text.MaybeHarmless.push_back(Groups[0].moreOf(Other));
    return makeSharedPch(job(Names.front()), Options, Text, States);
  }

  /// What comes of reading \p Name with \p P. Where it counts it is what it is without.
  Outcome read(const SharedPch &P, const std::string &Name) {
    SharedPchFit Fit(P);
    ParseAids Aids;
    Aids.SharedPch = &Fit;
    std::map<std::string, std::string> TextsWith, Texts;
    auto NoteIn = [](std::map<std::string, std::string> &To) {
      return [&To](llvm::StringRef Path, llvm::StringRef Text) { To[Path.str()] = Text.str(); };
    };
    UnitFacts With = parseKernels(job(Name), Options, NoteIn(TextsWith), Aids);
    if (!Fit.fits())
      return Outcome::Unfit;
    NumTold +=
        With.complete() && Fit.isToldByTokens() && haveSameTokens(job(Name), Options, *P.Tokens);
    EXPECT_EQ(print(parseKernels(job(Name), Options, NoteIn(Texts))), print(With)) << Name;
    UnitFacts Kept;
    EXPECT_TRUE(unitFromBytes(unitToBytes(With), Kept)) << Name;
    EXPECT_EQ(print(Kept), print(With)) << Name;
    EXPECT_FALSE(Texts.empty());
    EXPECT_EQ(Texts, TextsWith) << Name;
    return With.complete() ? Outcome::Fits : Outcome::Incomplete;
  }

  /// Reads a file with the prefix that it and another one like it get.
  Outcome readTwin(const std::string &Name) {
    std::optional<SharedPch> P = sharedPchFor({Name, Name});
    return P ? read(*P, Name) : Outcome::None;
  }
};

Outcome outcome(std::string Text, std::vector<VirtualFile> Headers = {}) {
  Headers.push_back({"/mem/a.cpp", std::move(Text)});
  return Project(std::move(Headers)).readTwin("/mem/a.cpp");
}

TEST(SharedPch, IsReadOnce) {
  EXPECT_EQ(outcome("#include <torch/library.h>\n"
                    "at::Tensor f(const at::Tensor &x, int n);\n"
                    "TORCH_LIBRARY(demo, m) { m.def(\"f(Tensor x, int n) -> Tensor\", f); }\n"),
            Outcome::Fits);
}

TEST(SharedPch, FilesWithOtherFlags) {
  std::string Text = "#include <torch/library.h>\nat::Tensor f(const at::Tensor &x);\n";
  for (std::vector<std::string> Flags :
       {std::vector<std::string>{"-std=c++20"}, {"-x", "cuda", "--cuda-host-only", "-nocudainc"}}) {
    Project P({{"/mem/a.cpp", Text}});
    P.Flags = Flags;
    EXPECT_EQ(P.readTwin("/mem/a.cpp"), Outcome::Fits) << Flags.back();
  }
}

TEST(SharedPch, HeadersOfTheProjectAreReadWithEachFile) {
  EXPECT_EQ(outcome("#include \"own.h\"\n#include <ATen/ATen.h>\nint g();\n",
                    {{"/mem/own.h", "#include <torch/library.h>\n"
                                    "at::Tensor f(at::Tensor x);\n"
                                    "TORCH_LIBRARY(demo, m) { m.def(\"f(Tensor x) -> Tensor\", f); "
                                    "}\n"}}),
            Outcome::Fits);
}

TEST(SharedPch, NothingOfTheProjectIsInIt) {
  Project P({{"/mem/own.h", "using Own = int;\n"},
             {"/mem/vendor/v.h", "#pragma once\n#include <own.h>\n#include <torch/library.h>\n"},
             {"/mem/a.cpp", "#include <v.h>\nvoid f(Own);\n"}});
  std::optional<SharedPch> Made = P.sharedPchFor({"/mem/a.cpp", "/mem/a.cpp"});
  ASSERT_TRUE(!Made || Made->Headers.Files.size() > 1);
  if (Made)
    for (const IncludeGraph::File &File : Made->Headers.Files)
      EXPECT_FALSE(P.Options.IsProjectFile(File.Name) ||
                   llvm::StringRef(File.Name).ends_with("/v.h"))
          << File.Name;
}

TEST(SharedPch, MacrosInFrontOfAllIncludesArePartOfIt) {
  VirtualFile Header = {"/mem/vendor/v.h", "#pragma once\n"
                                           "#ifdef STRICT\nusing Count = long;\n"
                                           "#else\nusing Count = int;\n#endif\n"};
  EXPECT_EQ(
      outcome("#define STRICT\n#include <v.h>\nnamespace demo { void f(Count); }\n", {Header}),
      Outcome::Fits);
  // Not of another file that does not have them.
  Project P({Header,
             {"/mem/a.cpp", "#include <v.h>\nnamespace demo { void f(Count); }\n"},
             {"/mem/b.cpp", "#define STRICT\n#include <v.h>\nnamespace demo { void f(Count); }\n"},
             {"/mem/c.cpp", "#define OTHER\n#include <v.h>\nnamespace demo { void f(Count); }\n"}});
  std::optional<SharedPch> Made = P.sharedPchFor({"/mem/a.cpp", "/mem/a.cpp"});
  ASSERT_TRUE(Made);
  EXPECT_EQ(P.read(*Made, "/mem/a.cpp"), Outcome::Fits);
  EXPECT_EQ(P.read(*Made, "/mem/b.cpp"), Outcome::Unfit);
  EXPECT_EQ(P.read(*Made, "/mem/c.cpp"), Outcome::Fits);
}

/// What comes of reading a file with LOUD in front with the prefix of two without.
Outcome withLoud(std::string Header, std::string Own = "#define LOUD\n#include <v.h>\n") {
  Project P({{"/mem/vendor/v.h", "#pragma once\n" + Header},
             {"/mem/vendor/w.h", "#pragma once\n"},
             {"/mem/a.cpp", "#include <w.h>\n#include <v.h>\nnamespace demo { void f(Count); }\n"},
             {"/mem/b.cpp", "#define LOUD\n#include <w.h>\n#include <v.h>\n"},
             {"/mem/c.cpp", "#include <w.h>\n" + Own + "namespace demo { void f(Count); }\n"}});
  std::optional<SharedPch> Made = P.sharedPchFor({"/mem/a.cpp", "/mem/a.cpp", "/mem/b.cpp"});
  if (!Made)
    return Outcome::None;
  // Of those that it was made for, too.
  EXPECT_EQ(P.read(*Made, "/mem/a.cpp"), Outcome::Fits);
  return P.read(*Made, "/mem/c.cpp");
}

TEST(SharedPch, MacrosThatMakeNoDifferenceShareOne) {
  std::string Count = "using Count = int;\n";
  EXPECT_EQ(withLoud("#if defined(STRICT) && defined(LOUD)\nusing Count = long;\n#else\n" + Count +
                     "#endif\n"),
            Outcome::Fits);
  EXPECT_EQ(withLoud("#if defined(LOUD) || !defined(STRICT)\n#endif\n" + Count), Outcome::Fits);
  // Only what was tried.
  std::string Asks = "#if defined(STRICT) && defined(LOUD)\n#endif\n" + Count;
  EXPECT_EQ(withLoud(Asks), Outcome::Fits);
  EXPECT_EQ(withLoud(Asks, "#define LOUD 1\n#include <v.h>\n"), Outcome::Unfit);
  EXPECT_EQ(withLoud(Asks, "#define LOUD\n#define STRICT\n#include <v.h>\n"), Outcome::Unfit);
  EXPECT_EQ(withLoud(Asks, "#define STRICT\n#include <v.h>\n"), Outcome::Unfit);
  EXPECT_EQ(withLoud(Asks, "#define LOUD\n#undef LOUD\n#include <v.h>\n"), Outcome::Fits);
}

TEST(SharedPch, MacrosThatMakeADifferenceDoNot) {
  for (const char *Use :
       {"#ifdef LOUD\nusing Other = long;\n#endif\n", "#ifndef LOUD\n#endif\n", "void LOUD(int);\n",
        "#define SAY(x) x\nvoid SAY(LOUD)(int);\n", "#undef LOUD\n", "#define LOUD\n",
        "#ifdef LOUD\nusing Other = long;\n#endif\n#define LOUD\n", "#if LOUD + 0\n#endif\n"})
    EXPECT_EQ(withLoud(std::string(Use) + "using Count = int;\n"), Outcome::Unfit) << Use;
}

TEST(SharedPch, MacrosBetweenIncludesMatter) {
  VirtualFile Header = {"/mem/vendor/v.h", "#pragma once\n"
                                           "#ifdef STRICT\nusing Count = long;\n"
                                           "#else\nusing Count = int;\n#endif\n"};
  auto first = [&](std::string Text) {
    return outcome("#include \"own.h\"\n#include <v.h>\nnamespace demo { void f(Count); }\n",
                   {Header, {"/mem/own.h", std::move(Text)}});
  };
  EXPECT_EQ(first("#define STRICT\n"), Outcome::Unfit);
  EXPECT_EQ(first("#define Count Number\n"), Outcome::Unfit);
  EXPECT_EQ(first("#undef STRICT\n"), Outcome::Fits);
  EXPECT_EQ(first("#define LOOSE\n"), Outcome::Fits);
  // What is gone again was not there.
  EXPECT_EQ(first("#define STRICT\n#undef STRICT\n"), Outcome::Fits);
  EXPECT_EQ(first("#define STRICT\n#include <v.h>\n#undef STRICT\n"), Outcome::Unfit);
  EXPECT_EQ(first("#define STRICT\n#define STRICT 1\n#undef STRICT\n#define STRICT\n"),
            Outcome::Unfit);
  // Another header that is in the prefix comes before as ever.
  auto other = [&](std::string Text) {
    return outcome("#include <w.h>\n#include <v.h>\nnamespace demo { void f(Count); }\n",
                   {Header, {"/mem/vendor/w.h", std::move(Text)}});
  };
  EXPECT_EQ(other("#pragma once\n#define STRICT\n"), Outcome::Fits);
  EXPECT_EQ(other("#define STRICT\n"), Outcome::Fits);
  // As <cassert> does.
  EXPECT_EQ(outcome("#include <w.h>\n#include <w.h>\n#include <v.h>\nvoid f(Count);\n",
                    {{"/mem/vendor/v.h", "#pragma once\n#include <w.h>\nusing Count = int;\n"
                                         "#ifdef check\nvoid g();\n#endif\n"},
                     {"/mem/vendor/w.h", "#undef check\n#define check(x) x\n"}}),
            Outcome::Fits);
}

TEST(SharedPch, WhatHeadersDefineIsNotThereBefore) {
  VirtualFile Header = {"/mem/vendor/v.h", "#pragma once\n#define HAVE_V 1\n"};
  auto first = [&](std::string Text) {
    return outcome("#include \"own.h\"\n#include <v.h>\nvoid f();\n",
                   {Header, {"/mem/own.h", std::move(Text)}});
  };
  EXPECT_EQ(first("#ifdef HAVE_V\nint g();\n#endif\n"), Outcome::Unfit);
  EXPECT_EQ(first("#ifndef HAVE_V\nint g();\n#endif\n"), Outcome::Unfit);
  EXPECT_EQ(first("#if defined(HAVE_V)\nint g();\n#endif\n"), Outcome::Unfit);
  EXPECT_EQ(first("#if HAVE_V\nint g();\n#endif\n"), Outcome::Unfit);
  EXPECT_EQ(first("int g(int HAVE_V);\n"), Outcome::Unfit);
  EXPECT_EQ(first("#include <v.h>\nint g[HAVE_V];\n"), Outcome::Fits);
}

TEST(SharedPch, DeclarationsAreNotThereBefore) {
  // Without the prefix this is an error.
  EXPECT_EQ(outcome("#include \"own.h\"\n#include <torch/library.h>\nint g();\n",
                    {{"/mem/own.h", "at::Tensor f(at::Tensor x);\n"}}),
            Outcome::Unfit);
  EXPECT_EQ(outcome("int a();\nat::Tensor f(at::Tensor x);\n#include <torch/library.h>\n"),
            Outcome::Unfit);
  EXPECT_EQ(
      outcome("int a();\nstruct Own {};\n#include <torch/library.h>\nvoid f(Own, at::Tensor);\n"),
      Outcome::Fits);
  // Without the prefix there is no such namespace.
  EXPECT_EQ(outcome("using namespace at;\n#include <torch/library.h>\nvoid f(Tensor);\n"),
            Outcome::Unfit);
  EXPECT_EQ(outcome("#include <ATen/ATen.h>\nusing namespace at;\n#include <torch/library.h>\n"
                    "namespace at { void f(Tensor); }\n"),
            Outcome::Fits);
}

TEST(SharedPch, HeadersInTheMiddleOfSomething) {
  VirtualFile Header = {"/mem/vendor/v.h", "#pragma once\nusing Count = int;\n"};
  auto around = [&](std::string Before, std::string After) {
    return outcome(Before + "\n#include <v.h>\n" + After + "\n", {Header});
  };
  EXPECT_EQ(around("namespace demo {", "void f(Count); }"), Outcome::Unfit);
  // A brace that closes nothing does not make up for one that opens something.
  EXPECT_EQ(around("} namespace demo { int other();", "void f(Count); }"), Outcome::Unfit);
  EXPECT_EQ(around("struct S {", "Count X; };"), Outcome::Unfit);
  EXPECT_EQ(around("struct S {}", "x;"), Outcome::Unfit);
  EXPECT_EQ(around("int a", ", b;"), Outcome::Unfit);
  EXPECT_EQ(around("int a = {1}", ";"), Outcome::Unfit);
  EXPECT_EQ(around("extern \"C\" {", "}"), Outcome::Unfit);
  EXPECT_EQ(around("namespace demo { struct S {}; } // end", "namespace demo { void f(Count); }"),
            Outcome::Fits);
  EXPECT_EQ(around("struct S {}; inline int f() { return 1; }", "Count g();"), Outcome::Fits);
}

TEST(SharedPch, HeadersThatAreNotIncludedAfterAll) {
  VirtualFile Off = {"/mem/vendor/off.h", "#pragma once\n#define NO_TORCH\n"};
  // The scan does not know what off.h defines.
  EXPECT_EQ(
      outcome("#include <off.h>\n#ifndef NO_TORCH\n#include <torch/library.h>\n#endif\nint g();\n",
              {Off}),
      Outcome::Unfit);
}

TEST(SharedPch, BrokenFiles) {
  EXPECT_EQ(outcome("#include <torch/library.h>\nat::Tensor f(Unknown x);\n"), Outcome::Incomplete);
  EXPECT_EQ(outcome("#include <torch/library.h>\n#include <gone.h>\nint g();\n"),
            Outcome::Incomplete);
  // A header of others that lacks one is left out, and so is what includes it.
  EXPECT_EQ(outcome("#include <torch/library.h>\n#include <v.h>\nint g();\n",
                    {{"/mem/vendor/v.h", "#pragma once\n#include <lacks.h>\n"},
                     {"/mem/vendor/lacks.h", "#pragma once\n#include <gone.h>\n"}}),
            Outcome::Incomplete);
  // Headers that cannot be read once are no prefix.
  EXPECT_EQ(
      outcome("#include <v.h>\nint g();\n", {{"/mem/vendor/v.h", "#pragma once\nint x = ;\n"}}),
      Outcome::None);
  EXPECT_EQ(outcome("#include <v.h>\nint g();\n",
                    {{"/mem/vendor/v.h", "#pragma once\n#include <gone.h>\n"}}),
            Outcome::None);
}

TEST(SharedPch, HeadersThatMeanSomethingEachTime) {
  EXPECT_NE(
      outcome("#include <v.h>\n#include <v.h>\nint g();\n", {{"/mem/vendor/v.h", "enum { A };\n"}}),
      Outcome::Fits);
}

/// Of a test that split-file cuts.
std::map<std::string, std::string> parts(llvm::StringRef Test) {
  std::map<std::string, std::string> Parts;
  std::string *Part = nullptr;
  for (llvm::StringRef Line : llvm::split(Test, '\n')) {
    if (Line.starts_with("#--- "))
      Part = &Parts["/mem/" + Line.drop_front(5).trim().str()];
    else if (Part)
      *Part += Line.str() + "\n";
  }
  return Parts;
}

/// Calls \p Do for each source of the tests, with what stands beside it.
/// What the tests are, in an order that does not hang on the file system.
std::vector<std::string> testFiles() {
  std::vector<std::string> Files;
  std::error_code Error;
  for (llvm::StringRef Folder : {"/test/Check", "/test/Frontend", "/test/Edit"})
    for (llvm::sys::fs::recursive_directory_iterator At(test::sourceRoot() + Folder, Error), End;
         At != End && !Error; At.increment(Error))
      if (llvm::StringRef(At->path()).ends_with(".test"))
        Files.push_back(At->path());
  llvm::sort(Files);
  return Files;
}

void forEachSource(llvm::function_ref<void(Project &, const std::string &Name)> Do) {
  for (const std::string &Test : testFiles()) {
    auto Text = llvm::MemoryBuffer::getFile(Test);
    ASSERT_TRUE(!!Text) << Test;
    std::vector<VirtualFile> Files;
    for (auto &[Name, Part] : parts((*Text)->getBuffer()))
      Files.push_back({Name, Part});
    SCOPED_TRACE(Test);
    Project P(Files);
    for (const VirtualFile &File : Files)
      if (llvm::sys::path::extension(File.Name) == ".cpp")
        Do(P, File.Name);
  }
}

TEST(SharedPch, AllSourcesOfTheTests) {
  std::map<Outcome, unsigned> Count;
  forEachSource([&](Project &P, const std::string &Name) { ++Count[P.readTwin(Name)]; });
  RecordProperty("fits", Count[Outcome::Fits]);
  RecordProperty("unfit", Count[Outcome::Unfit]);
  RecordProperty("incomplete", Count[Outcome::Incomplete]);
  RecordProperty("none", Count[Outcome::None]);
  // Most of the others are about broken code, or include nothing.
  EXPECT_GT(Count[Outcome::Fits], 80u);
}

TEST(SharedPch, DirectivesBehindABody) {
  Project P({{"/mem/a.cpp", "#include <ATen/ATen.h>\nint main() {}\n"}});
  std::optional<SharedPch> Made = P.sharedPchFor({"/mem/a.cpp", "/mem/a.cpp"});
  ASSERT_TRUE(Made);
  // With the prefix what ends the body and what ends the file is one look ahead.
  P.Options.Buffers.front().Text =
      "int main() {}\n#include <ATen/ATen.h>\n#ifdef NOBODY\nint f();\n";
  EXPECT_EQ(P.read(*Made, "/mem/a.cpp"), Outcome::Incomplete);
}

/// A header of a vendor's that asks for a macro, and which of its tokens a reading has.
struct Tokens {
  Project P;
  std::optional<SharedPch> Made;

  explicit Tokens(std::string Text)
      : P({{"/mem/vendor/v.h", "#pragma once\n#ifdef STRICT\nusing Count = int;\n#else\n"
                               "using Count = LONG;\n#endif\n"},
           {"/mem/a.cpp", "#define LONG long\n#include <v.h>\nvoid f(Count);\n"},
           {"/mem/b.cpp", std::move(Text)}}),
        Made(P.sharedPchFor({"/mem/a.cpp", "/mem/a.cpp"})) {}

  bool areSame() const { return haveSameTokens(P.job("/mem/b.cpp"), P.Options, *Made->Tokens); }
};

TEST(SharedPch, TokensOfHeadersAreCompared) {
  auto AreSame = [](const char *Text) {
    Tokens Of(Text);
    EXPECT_TRUE(Of.Made.has_value());
    return Of.Made && Of.areSame();
  };
  EXPECT_TRUE(AreSame("#define LONG long\n#include <v.h>\nvoid f(Count);\n"));
  EXPECT_TRUE(AreSame("int g();\n#define LONG long\n#include <v.h>\n#include <v.h>\n"));
  // What another condition leaves in, a macro that is another one, a header that does not come.
  EXPECT_FALSE(AreSame("#define STRICT\n#define LONG long\n#include <v.h>\n"));
  EXPECT_FALSE(AreSame("#define LONG int\n#include <v.h>\n"));
  EXPECT_FALSE(AreSame("#define LONG long\nusing Count = long;\n"));
}

TEST(SharedPch, TheTextThatMayIncludeIsKnown) {
  auto IsRest = [](llvm::StringRef Front, llvm::StringRef Rest) {
    std::string All = (Front + Rest).str();
    EXPECT_EQ(textUpToIncludes(All), Front);
  };
  IsRest("#include <a.h>\n",
         "int f();\n#define A(x) x\n  # if A\n#ifdef A\n#endif\n#pragma once\n");
  IsRest("", "int f();\n#if(1)\n#else\n#endif");
  IsRest("int f();\n# /**/ include <a.h>\n", "int g();\n");
  IsRest("#include A \\\n  (b) \n", "int g();\n");
  IsRest("#include A ?\?/\n  (b)\n", "int g();\n");
  IsRest("#include \"a.h\"\n%: include \"b.h\"\n?\?=include \"c.h\"\n#import <d.h>", "");
  // A comment that ends in another line.
  IsRest("#include <a.h>\n# /* b\n*/ include <b.h>\n", "");
  IsRest("#include /* a\n*/ <a.h>\nint f();\n", "");
  IsRest("#include <a.h> /* a */ /* b\n*/\nint f();\n", "");
  IsRest("#include <a.h> /* a */ // b\n", "int f();\n");
  // A name that goes on in the next line, one that is not known, and what is no directive.
  IsRest("#in\\\nclude <a.h>\n", "int g();\n");
  IsRest("#if\\\n0\n", "int g();\n");
  IsRest("#define A\n#embed \"a\"\n", "int g();\n");
  IsRest("const char *A = \"#x\";\n", "int g();\n");
}

TEST(SharedPch, TokensOfHeadersAreKept) {
  Tokens Of("#define LONG long\n#include <v.h>\n");
  ASSERT_TRUE(Of.Made.has_value());
  ASSERT_FALSE(Of.Made->Tokens->empty());
  for (const auto &[File, Hashes] : *Of.Made->Tokens)
    EXPECT_EQ(Hashes.size(), 1u);
}

TEST(SharedPch, WhatAHeaderMaySeeIsNotToldByTokens) {
  auto IsTold = [](const std::string &InFront) {
    Project P({{"/mem/vendor/v.h", "#pragma once\nnamespace v { void use(int count); }\n"},
               {"/mem/a.cpp", "#include <v.h>\n"},
               {"/mem/b.cpp", InFront + "#include <v.h>\nnamespace v { int late; }\n"}});
    std::optional<SharedPch> Made = P.sharedPchFor({"/mem/a.cpp", "/mem/a.cpp"});
    if (!Made)
      return false;
    SharedPchFit Fit(*Made);
    ParseAids Aids;
    Aids.SharedPch = &Fit;
    parseKernels(P.job("/mem/b.cpp"), P.Options, NoteText(), Aids);
    return Fit.fits() && Fit.isToldByTokens();
  };
  for (const char *Own :
       {"", "namespace own { int count; }\n", "int mine();\n", "extern \"C\" { int mine(); }\n",
        "namespace { int mine; }\n", "static_assert(true, \"\");\n", "#define MINE 1\n"})
    EXPECT_TRUE(IsTold(Own)) << Own;
  for (const char *Seen :
       {"int count;\n", "extern \"C\" { int count(); }\n", "namespace { int count; }\n",
        "namespace own { int x; }\nusing namespace own;\n", "using count = long;\n",
        "template <typename T> void use(T);\n", "inline namespace now { struct count; }\n"})
    EXPECT_FALSE(IsTold(Seen)) << Seen;
}

/// Lines of \p Text, some of them elsewhere, gone or new.
std::string edited(llvm::StringRef Text, std::mt19937 &Random) {
  auto upTo = [&](size_t Max) { return size_t(Random() % (Max + 1)); };
  std::vector<std::string> Lines;
  for (llvm::StringRef Line : llvm::split(Text, '\n'))
    Lines.push_back(Line.str());
  static const char *const New[] = {"#define Tensor Other",
                                    "#undef TORCH_LIBRARY",
                                    "#define IntArrayRef int",
                                    "#ifdef TORCH_LIBRARY",
                                    "#endif",
                                    "#if 0",
                                    "at::Tensor early(int n);",
                                    "namespace at { class Tensor; }",
                                    "#include <torch/library.h>",
                                    "#define TORCH_LIBRARY(a, b) int x",
                                    "#include <ATen/ATen.h>",
                                    "namespace c10 { struct Scalar {}; }"};
  for (size_t Edits = 1 + upTo(2); Edits != 0; --Edits) {
    size_t At = upTo(std::min<size_t>(Lines.size() - 1, 8));
    std::string Line = Lines[At];
    if (Random() % 3 != 0)
      Line = New[upTo(std::size(New) - 1)];
    else
      Lines.erase(Lines.begin() + At);
    if (Random() % 4 != 0 || Lines.empty())
      Lines.insert(Lines.begin() + upTo(std::min<size_t>(Lines.size(), 8)), Line);
  }
  return llvm::join(Lines, "\n");
}

TEST(SharedPch, SourcesThatChangeUnderIt) {
  // The same each time, unless --gtest_random_seed says otherwise. UnitTest::random_seed() comes
  // from the clock where the flag is not given.
  std::mt19937 Random(1 + GTEST_FLAG_GET(random_seed));
  std::map<Outcome, unsigned> Count;
  unsigned NumTold = 0;
  forEachSource([&](Project &P, const std::string &Name) {
    std::optional<SharedPch> Made = P.sharedPchFor({Name, Name});
    if (!Made)
      return;
    auto Buffer = llvm::find_if(P.Options.Buffers,
                                [&](const VirtualFile &File) { return File.Name == Name; });
    const std::string Text = Buffer->Text;
    for (unsigned I = 0; I < 6; ++I) {
      Buffer->Text = edited(Text, Random);
      SCOPED_TRACE(Buffer->Text);
      ++Count[P.read(*Made, Name)];
    }
    Buffer->Text = Text;
    NumTold += std::exchange(P.NumTold, 0);
  });
  EXPECT_GT(NumTold, 30u);
  RecordProperty("told by tokens", NumTold);
  RecordProperty("fits", Count[Outcome::Fits]);
  RecordProperty("unfit", Count[Outcome::Unfit]);
  RecordProperty("incomplete", Count[Outcome::Incomplete]);
  EXPECT_GT(Count[Outcome::Fits], 100u);
  EXPECT_GT(Count[Outcome::Unfit], 100u);
}

} // namespace
