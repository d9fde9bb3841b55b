//===- FromAstTest.cpp - reading an AST that somebody else made --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Frontend/FromAst.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

using Strings = std::vector<std::string>;

Strings printed(const UnitFacts &Unit) {
  Strings Out;
  for (const KernelDecl &K : Unit.Kernels)
    llvm::raw_string_ostream(Out.emplace_back()) << K;
  return Out;
}

TEST(FromAst, ReadsAHostsParseWithBodies) {
  auto Ast = clang::tooling::buildASTFromCodeWithArgs(
      R"(#include "h.h"
         namespace demo { long f(long a) { struct Local { void g(); }; return a; } }
         long other(long);)",
      {}, "main.cpp", "opsig-test", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(),
      {{"h.h", "namespace demo { long f(long a); int inHeader(); }"}});
  ASSERT_TRUE(Ast);
  std::vector<clang::Decl *> TopLevel = projectDecls(Ast->getASTContext(), {});
  EXPECT_EQ(TopLevel.size(), 3u); // the header's namespace is of the project, too
  ParseOptions Options;
  Options.Scopes = {"demo"};
  UnitFacts Unit =
      translationUnitFromAst(Ast->getASTContext(), TopLevel, "main.cpp", Options, ParseErrors());
  EXPECT_EQ(printed(Unit), (Strings{"long demo::f(long a)", "long demo::f(long a)"}));
  EXPECT_TRUE(Unit.Kernels[0].InMainFile);
  EXPECT_FALSE(Unit.Kernels[1].InMainFile);
  EXPECT_EQ(Unit.Files.front(), "main.cpp");
  EXPECT_TRUE(Unit.complete());
}

TEST(FromAst, TakesWhatTheHostRanInto) {
  auto Ast =
      clang::tooling::buildASTFromCode("namespace demo { void f(int a); void g(); }", "m.cpp");
  ASSERT_TRUE(Ast);
  ParseErrors Errors;
  Errors.Count = 1;
  Errors.First = "m.cpp:1:25: what the host said";
  Errors.InMainFile = {{26, /*Syntax=*/true}}; // in f's parameters
  Errors.addMissingHeader("vendor.h");
  Errors.addMissingHeader("vendor.h");
  ParseOptions Options;
  Options.Scopes = {"demo"};
  UnitFacts Unit = translationUnitFromAst(
      Ast->getASTContext(), projectDecls(Ast->getASTContext(), {}), "m.cpp", Options, Errors);
  EXPECT_EQ(printed(Unit), (Strings{"void demo::g()"}));
  EXPECT_FALSE(Unit.complete());
  EXPECT_EQ(Unit.MissingHeaders, (Strings{"vendor.h"}));
  EXPECT_EQ(Unit.FirstError, Errors.First);
  EXPECT_EQ(Unit.Mentioned, (Strings{"f", "g"}));
}

} // namespace
