//===- TextReports.cpp - Findings in short lines ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Report/TextReports.h"
#include "opsig/Report/Selection.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

using namespace opsig;
using namespace llvm;

static StringRef fileOf(const Finding &D, const SourceFiles &Files, const PrintOptions &Options) {
  return D.At.File == SourceId::None ? "" : Options.shown(Files.name(D.At.File));
}

/// "error: " in its colour.
static void printLevel(raw_ostream &OS, Level Severity, const PrintOptions &Options) {
  WithColor(OS, Severity == Level::Error ? HighlightColor::Error : HighlightColor::Warning,
            Options.Colors ? ColorMode::Enable : ColorMode::Disable)
          .get()
      << levelName(Severity) << ": ";
}

static void printMessage(raw_ostream &OS, const Finding &D, const PrintOptions &Options) {
  printLevel(OS, D.Severity, Options);
  OS << safeText(D.Message) << " [" << checkName(D.Id) << "]\n";
}

void opsig::printConcise(raw_ostream &OS, ArrayRef<Finding> Hits, const SourceFiles &Files,
                         const PrintOptions &Options) {
  for (const Finding &D : Hits) {
    if (StringRef File = fileOf(D, Files, Options); !File.empty()) {
      OS << safeLineStart(File) << ':';
      if (D.At.isValid())
        OS << D.At.Line << ':' << D.At.Column << ':';
      OS << ' ';
    } else {
      OS << "opsig: ";
    }
    printMessage(OS, D, Options);
  }
}

void opsig::printGrouped(raw_ostream &OS, ArrayRef<Finding> Hits, const SourceFiles &Files,
                         const PrintOptions &Options) {
  MapVector<StringRef, std::vector<const Finding *>> ByFile;
  for (const Finding &D : Hits)
    ByFile[fileOf(D, Files, Options)].push_back(&D);
  StringRef Separator = "";
  for (const auto &[File, Each] : ByFile) {
    OS << Separator << (File.empty() ? "opsig" : safeLineStart(File)) << '\n';
    Separator = "\n";
    for (const Finding *D : Each) {
      std::string Where =
          D->At.isValid() ? (Twine(D->At.Line) + ":" + Twine(D->At.Column)).str() : "";
      OS << "  " << left_justify(Where, 8) << ' ';
      printMessage(OS, *D, Options);
    }
  }
}

std::vector<CheckCount> opsig::countByCheck(ArrayRef<Finding> Hits) {
  MapVector<FindingId, CheckCount> Counts;
  for (const Finding &D : Hits) {
    CheckCount &Of = Counts.try_emplace(D.Id, CheckCount{D.Id}).first->second;
    ++Of.Count;
    Of.Fixable += !D.Fixes.empty();
  }
  std::vector<CheckCount> Sorted;
  for (const auto &[Id, Of] : Counts)
    Sorted.push_back(Of);
  llvm::sort(Sorted, [](const CheckCount &L, const CheckCount &R) {
    return L.Count != R.Count ? L.Count > R.Count : findingName(L.Id) < findingName(R.Id);
  });
  return Sorted;
}

void opsig::printStatistics(raw_ostream &OS, ArrayRef<Finding> Hits) {
  for (const CheckCount &Of : countByCheck(Hits)) {
    OS << format_decimal(Of.Count, 6) << "  " << checkName(Of.Id);
    if (Of.Fixable)
      OS << " (" << Of.Fixable << " fixable)";
    OS << '\n';
  }
}

void opsig::printStatisticsJson(raw_ostream &OS, ArrayRef<Finding> Hits) {
  for (const CheckCount &Of : countByCheck(Hits))
    OS << json::Value(json::Object{{"check", checkName(Of.Id)},
                                   {"count", int64_t(Of.Count)},
                                   {"fixable", int64_t(Of.Fixable)}})
       << '\n';
}
