//===- TidyModule.cpp - what clang-tidy finds when it loads us --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not part of the library: it is linked into OpsigTidy.so and opsig-clangd, which need it although
// nobody calls it.
//
//===----------------------------------------------------------------------===//
#include "opsig/Tidy/HostVersion.h"
#include "opsig/Tidy/TidyChecks.h"
#include "clang-tidy/ClangTidyModule.h"

using namespace clang::tidy;

namespace {

class OpsigModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    opsig::addOpsigChecks(Factories);
  }

  ClangTidyOptions getModuleOptions() override {
    ClangTidyOptions Options;
    Options.ExtraArgs = opsig::torchHeaderFlags();
    return Options;
  }
};

/// Registers the module only in a program that it can work in.
struct Registration {
  Registration() {
    if (opsig::hostIsUsable("OpsigTidy"))
      Entry.emplace("opsig-module", "Checks PyTorch kernels against their operator schemas");
  }
  std::optional<ClangTidyModuleRegistry::Add<OpsigModule>> Entry;
};
Registration TheRegistration;

} // namespace
