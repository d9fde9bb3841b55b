//===- DiffJson.cpp - Diffs as JSON -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One object a line. "change" says what it is about; findings of FILEs are objects as `check`
// prints them, without "change".
//
//===----------------------------------------------------------------------===//
#include "diff/DiffReport.h"
#include "opsig/Support/JsonText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

class JsonPrinter {
public:
  JsonPrinter(llvm::raw_ostream &OS, const DiffOutcome &Outcome, const DiffChoice &Choice)
      : OS(OS), Outcome(Outcome), Diff(Outcome.Release), Choice(Choice),
        OldFiles(Outcome.Old.Schemas->Files), NewFiles(Outcome.New.Schemas->Files) {}

  void print() {
    printReleases();
    for (const UniformChange &C : Diff.Everywhere)
      if (!Choice.OnlyBreaking || C.Is == UniformChange::Rule)
        print(C);
    for (const BackendDiff &B : Outcome.Backends)
      print(B);
    for (const NativeFunction *F : Diff.Gone)
      printEntry("gone", *F, OldFiles);
    for (const OperatorChange &C : Diff.Changed)
      if (!Choice.OnlyBreaking || C.Renamed || C.Breaks.any())
        print(C);
    if (!Choice.OnlyBreaking)
      for (const NativeFunction *F : Diff.Added)
        printEntry("added", *F, NewFiles);
    for (const DeprecationChange &C : Diff.Deprecations)
      if (!Choice.OnlyBreaking || !C.IsNew)
        print(C);
    if (Outcome.Kernels)
      printKernels(*Outcome.Kernels);
    printCounts();
  }

private:
  void object(llvm::StringRef Change, llvm::function_ref<void(llvm::json::OStream &)> Fill) {
    printJsonLine(OS, [&](llvm::json::OStream &J) {
      J.object([&] {
        J.attribute("change", Change);
        Fill(J);
      });
    });
  }

  static void printPlace(llvm::json::OStream &J, Place At, const SourceFiles &Files) {
    if (!At.isValid())
      return;
    J.attribute("file", utf8(Files.name(At.File)));
    J.attribute("line", At.Line);
    J.attribute("column", At.Column);
  }

  void printReleases() {
    object("releases", [&](llvm::json::OStream &J) {
      auto Release = [&](llvm::StringRef Name, const LoadedRelease &R) {
        J.attributeObject(Name, [&] {
          J.attribute("version", R.Source.Version.Text);
          J.attribute("schemas", utf8(R.Source.NativeFunctions));
        });
      };
      Release("old", Outcome.Old);
      Release("new", Outcome.New);
    });
  }

  void print(const UniformChange &C) {
    object("everywhere", [&](llvm::json::OStream &J) {
      J.attribute("kind", C.Is == UniformChange::Rule  ? "rule"
                          : C.Is == UniformChange::Tag ? "tag"
                                                       : "spelling");
      printSides(J, C.From, C.To);
      if (!C.Where.empty())
        J.attribute("conventions", C.Where);
      J.attribute("operators", C.Operators);
      J.attribute("example", C.Example);
    });
  }

  void printEntry(llvm::StringRef Change, const NativeFunction &F, const SourceFiles &Files) {
    object(Change, [&](llvm::json::OStream &J) {
      J.attribute("op", F.Schema.Name.str());
      J.attribute("schema", F.Schema.str());
      J.attribute("generated", F.Generated);
      J.attribute("default_kernel", hasDefaultKernel(F));
      printPlace(J, F.SchemaText.At, Files);
    });
  }

  static void printImpact(llvm::json::OStream &J, const Impact &Breaks) {
    J.attributeArray("breaks", [&] {
      for (auto [Is, Name] :
           {std::pair(Breaks.Kernels, "kernels"), std::pair(Breaks.Backends, "backends"),
            std::pair(Breaks.Cpp, "cpp"), std::pair(Breaks.Python, "python")})
        if (Is)
          J.value(Name);
    });
  }

  void print(const OperatorChange &C) {
    object(C.Renamed ? "renamed" : "changed", [&](llvm::json::OStream &J) {
      J.attribute("op", C.Old->Schema.Name.str());
      if (C.Renamed) {
        J.attribute("to", C.New->Schema.Name.str());
        J.attribute("sure", toString(*C.Renamed));
      }
      printImpact(J, C.Breaks);
      J.attributeObject("schema", [&] {
        J.attribute("from", C.Old->Schema.str());
        J.attribute("to", C.New->Schema.str());
      });
      J.attributeArray("changes", [&] {
        for (const Change &Each : C.Changes)
          printChange(J, Each);
      });
      J.attributeArray("signatures", [&] {
        for (const SignatureChange &S : C.Signatures)
          printSignature(J, S);
      });
      printPlace(J, C.New->SchemaText.At, NewFiles);
    });
  }

  static void printSides(llvm::json::OStream &J, llvm::StringRef From, llvm::StringRef To) {
    if (!From.empty())
      J.attribute("from", From);
    if (!To.empty())
      J.attribute("to", To);
  }

  static void printChange(llvm::json::OStream &J, const Change &C) {
    J.object([&] {
      J.attribute("kind", toString(C.Is));
      if (!C.Subject.empty())
        J.attribute("subject", C.Subject);
      printSides(J, C.From, C.To);
    });
  }

  static void printSignature(llvm::json::OStream &J, const SignatureChange &S) {
    J.object([&] {
      J.attribute("convention", S.Convention);
      printSides(J, S.From, S.To);
    });
  }

  void print(const BackendDiff &B) {
    llvm::StringRef Name = B.Backend->Backend;
    if (B.KeyTaken)
      object("backend", [&](llvm::json::OStream &J) {
        J.attribute("backend", Name);
        J.attribute("kind", "key-taken");
      });
    for (const BackendEntryChange &E : B.Entries)
      if (!Choice.OnlyBreaking || E.Is != BackendEntryChange::SymIntOffered)
        object("backend", [&](llvm::json::OStream &J) {
          J.attribute("backend", Name);
          J.attribute("kind", toString(E.Is));
          J.attribute("op", E.Function->Schema.Name.str());
          printSides(J, E.From, E.To);
          printPlace(J, E.At, OldFiles);
        });
    auto List = [&](llvm::StringRef Kind, llvm::ArrayRef<const NativeFunction *> Functions) {
      for (const NativeFunction *F : Functions)
        object("backend", [&](llvm::json::OStream &J) {
          J.attribute("backend", Name);
          J.attribute("kind", Kind);
          J.attribute("op", F->Schema.Name.str());
        });
    };
    List("lost-default", B.LostDefault);
    if (!Choice.OnlyBreaking)
      List("new-without-default", B.NewWithoutDefault);
  }

  void print(const DeprecationChange &C) {
    object("deprecation", [&](llvm::json::OStream &J) {
      J.attribute("kind", C.IsNew ? "added" : "gone");
      J.attribute("schema", C.Schema);
      J.attribute("op", C.Operator);
    });
  }

  void printKernels(const UpgradeFindings &Kernels) {
    for (const OrphanedKernel &K : Kernels.Orphaned)
      object("orphaned-kernel", [&](llvm::json::OStream &J) {
        J.attribute("op", K.Function->Schema.Name.str());
        J.attribute("kernel", K.Kernel);
        if (const NativeFunction *New = Diff.newOf(*K.Function))
          J.attribute("to", New->Schema.Name.str());
        printPlace(J, K.At, *Outcome.OldFiles);
      });
    for (const UpgradeEdit &Edit : Outcome.Upgrades)
      object("upgrade", [&](llvm::json::OStream &J) {
        J.attribute("from", Edit.From);
        J.attribute("to", Edit.To);
        J.attribute("why", Edit.Since);
        J.attribute("automatic", !Edit.IsAdvice);
        printPlace(J, Edit.At, *Outcome.OldFiles);
      });
    for (const Finding &D : Kernels.Changed.all())
      printJson(OS, D, *Outcome.NewFiles);
  }

  void printCounts() {
    object("counts", [&](llvm::json::OStream &J) {
      for (const DiffCount &C : diffCounts(Outcome))
        J.attribute(C.Id, C.Count);
    });
  }

  llvm::raw_ostream &OS;
  const DiffOutcome &Outcome;
  const ReleaseDiff &Diff;
  const DiffChoice &Choice;
  const SourceFiles &OldFiles, &NewFiles;
};

} // namespace

void printDiffJson(llvm::raw_ostream &OS, const DiffOutcome &Outcome, const DiffChoice &Choice) {
  JsonPrinter(OS, Outcome, Choice).print();
}

} // namespace opsig
