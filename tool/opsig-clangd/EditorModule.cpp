//===- EditorModule.cpp - opsig's checks, whose readings are kept -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang-tidy's registry of modules (clangd makes them itself, and gives them nothing)
//   => checks => findings for clangd, facts for the FactsBoard of this program
//
//===----------------------------------------------------------------------===//
#include "EditorModule.h"
#include "opsig/Tidy/HostVersion.h"
#include "opsig/Tidy/TidyChecks.h"
#include "clang-tidy/ClangTidyModule.h"

using namespace clang::tidy;

namespace opsig {

EditorFacts &editorFacts() {
  static EditorFacts The;
  return The;
}

namespace {

void keep(CheckedUnit Checked) {
  auto Facts = std::make_shared<SourceFacts>();
  Facts->Path = Checked.Path;
  Facts->Text = std::make_shared<std::string>(std::move(Checked.Text));
  Facts->Unit = std::move(Checked.Unit);
  std::shared_ptr<const CheckedSchemas> Of = Checked.Of.Schemas;
  Facts->Schemas = std::shared_ptr<const LoadedSchemas>(Of, Of->Schemas.get());
  Facts->Checker = std::shared_ptr<const ProjectChecker>(Of, Of->Checker.get());
  EditorFacts &To = editorFacts();
  To.Board->putBuffer(std::move(Facts));
  if (To.Opened)
    To.Opened(Checked.Path);
}

class EditorModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    addOpsigChecks(Factories, keep);
  }
};

/// Registers the module only in a program that it can work in.
struct Registration {
  Registration() {
    if (hostIsUsable("opsig-clangd"))
      Entry.emplace("opsig-module", "Checks PyTorch kernels against their operator schemas");
  }
  std::optional<ClangTidyModuleRegistry::Add<EditorModule>> Entry;
};
Registration TheRegistration;

} // namespace

} // namespace opsig
