//===- TwoReleases.h - Two texts, each loaded as a release ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_UPGRADE_TWORELEASES_H
#define OPSIG_TEST_UNIT_UPGRADE_TWORELEASES_H

#include "gtest/gtest.h"
#include "opsig/ReleaseDiff/BackendDiff.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig::test {

inline const Dialect &oldDialect() { return *chooseDialect(llvm::VersionTuple(1, 13)).Chosen; }
inline const Dialect &newDialect() { return *chooseDialect(llvm::VersionTuple(2, 9)).Chosen; }

/// A native_functions.yaml in memory. Every tag is right.
struct Release {
  SourceFiles Files;
  Findings Diags;
  std::unique_ptr<Operators> Ops;

  Release(llvm::StringRef Yaml, const Dialect &D) {
    SourceId File = Files.add("native_functions.yaml", Yaml.str());
    Ops = loadOperators(File, SourceId::None, Files, D, Diags);
    for (const Finding &Each : Diags.all())
      ADD_FAILURE() << Each.At.Line << ": " << Each.Message;
  }

  const NativeFunction &operator[](llvm::StringRef Name) const {
    const NativeFunction *F = Ops->find(Name);
    if (!F)
      llvm::report_fatal_error("the test has no operator " + Name);
    return *F;
  }
};

/// Both of one dialect, unless another is given.
struct TwoReleases {
  Release Old, New;
  ReleaseDiff Diff;

  TwoReleases(llvm::StringRef OldYaml, llvm::StringRef NewYaml, const Dialect &OldD = newDialect(),
              const Dialect &NewD = newDialect())
      : Old(OldYaml, OldD), New(NewYaml, NewD), Diff(compareReleases(*Old.Ops, *New.Ops)) {}

  /// "f [kernels, C++ callers]" and below it the changes, a line each.
  std::string changes() const {
    std::string Text;
    for (const OperatorChange &C : Diff.Changed) {
      Text += C.Old->Schema.Name.str();
      if (C.Renamed)
        Text += " => " + C.New->Schema.Name.str() + " " + toString(*C.Renamed).str();
      Text += " [" + C.Breaks.str() + "]\n";
      for (const Change &Each : C.Changes) {
        std::string What = Each.str();
        Text += "  " + toString(Each.Is).str() + (What.empty() ? "" : " " + What) + "\n";
      }
    }
    return Text;
  }

  /// Each as "dispatcher: FROM => TO".
  std::string signatures() const {
    std::string Text;
    for (const OperatorChange &C : Diff.Changed)
      for (const SignatureChange &S : C.Signatures)
        Text += S.Convention.str() + ": " + S.From + " => " + S.To + "\n";
    return Text;
  }

  static std::string names(llvm::ArrayRef<const NativeFunction *> Functions) {
    std::vector<std::string> Names;
    for (const NativeFunction *F : Functions)
      Names.push_back(F->Schema.Name.str());
    return llvm::join(Names, " ");
  }
};

} // namespace opsig::test

#endif
