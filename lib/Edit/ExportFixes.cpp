//===- ExportFixes.cpp - fixes for clang-apply-replacements -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/ExportFixes.h"
#include "opsig/Edit/Apply.h"
#include "opsig/Report/Selection.h"
#include "opsig/Support/PathGlob.h"

#include "clang/Tooling/DiagnosticsYaml.h"

using namespace opsig;
using namespace llvm;
using namespace clang::tooling;

static DiagnosticMessage toolMessage(StringRef Text, const Place &At, const SourceFiles &Files) {
  DiagnosticMessage Message(Text);
  if (At.File == SourceId::None)
    return Message;
  Message.FilePath = absolutePath(Files.name(At.File));
  Message.FileOffset = At.isValid() ? Files.offsetOf(At) : 0;
  return Message;
}

void opsig::exportFixes(raw_ostream &OS, ArrayRef<opsig::Finding> Hits, const SourceFiles &Files) {
  AppliedFixes Applicable = applyFixes(Hits, Files);
  TranslationUnitDiagnostics Document;
  for (size_t I = 0; I < Hits.size(); ++I) {
    const opsig::Finding &D = Hits[I];
    clang::tooling::Diagnostic Out(checkName(D.Id), toolMessage(D.Message, D.At, Files), {},
                                   D.Severity == Level::Error ? clang::tooling::Diagnostic::Error
                                                              : clang::tooling::Diagnostic::Warning,
                                   absolutePath("."));
    for (const Note &N : D.Notes)
      Out.Notes.push_back(toolMessage(N.Message, N.At, Files));
    if (is_contained(Applicable.Applied, I))
      for (const Fix &F : D.Fixes) {
        std::string Path = absolutePath(Files.name(F.File));
        // Fixes of one finding overlap only where they are the same.
        consumeError(Out.Message.Fix[Path].add(Replacement(Path, F.Offset, F.Length, F.Text)));
      }
    // Findings of several files share a document; it is named after the first that it changes.
    if (Document.MainSourceFile.empty() && !Out.Message.Fix.empty())
      Document.MainSourceFile = Out.Message.FilePath;
    Document.Diagnostics.push_back(std::move(Out));
  }
  yaml::Output Yaml(OS);
  Yaml << Document;
}
