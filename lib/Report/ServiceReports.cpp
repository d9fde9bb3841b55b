//===- ServiceReports.cpp - Findings for services that run builds -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportPlaces.h"
#include "opsig/Report/Selection.h"
#include "opsig/Report/ServiceReports.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace opsig;
using namespace llvm;

/// "" where the finding is about no file.
static std::string pathOf(const Place &At, const SourceFiles &Files, const ServiceRun &Run) {
  return At.File == SourceId::None ? "" : pathBelow(Files.name(At.File), Run.Folder);
}

/// "FILE:LINE:COLUMN: MESSAGE", as far as the place is known.
static std::string placed(const Place &At, StringRef Message, const SourceFiles &Files,
                          const ServiceRun &Run) {
  std::string Text = pathOf(At, Files, Run);
  if (!Text.empty() && At.isValid())
    Text += ":" + std::to_string(At.Line) +
            (At.Column ? ":" + std::to_string(At.Column) : std::string());
  return Text.empty() ? Message.str() : Text + ": " + Message.str();
}

/// The lines below the message: what is expected at the place, and the notes.
static std::vector<std::string> details(const Finding &D, const SourceFiles &Files,
                                        const ServiceRun &Run) {
  std::vector<std::string> Lines;
  if (!D.Hint.empty())
    Lines.push_back(safeText("expected: " + D.Hint));
  for (const Note &N : D.Notes)
    Lines.push_back(safeText("note: " + placed(N.At, N.Message, Files, Run)));
  return Lines;
}

//===--- GitHub ----------------------------------------------------------===//

/// \p Text as the data of a workflow command. \p IsProperty: what stands before "::".
static std::string commandText(StringRef Text, bool IsProperty) {
  std::string Out;
  for (char C : Text)
    if (StringRef("%\r\n").contains(C) || (IsProperty && StringRef(":,").contains(C)))
      Out += "%" + utohexstr(uint8_t(C), /*LowerCase=*/false, 2);
    else
      Out += C;
  return Out;
}

static void printCommand(raw_ostream &OS, StringRef Command,
                         ArrayRef<std::pair<StringRef, std::string>> Properties,
                         StringRef Message) {
  OS << "::" << Command;
  char Separator = ' ';
  for (const auto &[Key, Value] : Properties) {
    OS << Separator << Key << '=' << commandText(safeText(Value), /*IsProperty=*/true);
    Separator = ',';
  }
  OS << "::" << commandText(Message, /*IsProperty=*/false) << '\n';
}

void opsig::printGitHub(raw_ostream &OS, ArrayRef<Finding> Hits, const SourceFiles &Files,
                        const ServiceRun &Run) {
  for (const RunNote &N : Run.Notes)
    printCommand(OS, N.IsWarning ? "warning" : "notice", {{"title", "opsig"}}, safeText(N.Message));
  for (const Finding &D : Hits) {
    std::vector<std::pair<StringRef, std::string>> Properties;
    if (std::string Path = pathOf(D.At, Files, Run); !Path.empty())
      Properties.push_back({"file", Path});
    if (D.At.isValid()) {
      Properties.push_back({"line", std::to_string(D.At.Line)});
      if (D.At.Column) {
        auto Column = [&](uint32_t Byte) {
          return std::to_string(characterColumn(Files, D.At.File, D.At.Line, Byte));
        };
        Properties.push_back({"col", Column(D.At.Column - 1)});
        Properties.push_back({"endColumn", Column(D.At.Column - 1 + D.At.Length)});
      }
    }
    Properties.push_back({"title", checkName(D.Id)});
    std::vector<std::string> Lines = details(D, Files, Run);
    Lines.insert(Lines.begin(), safeText(D.Message));
    printCommand(OS, levelName(D.Severity), Properties, join(Lines, "\n"));
  }
}

//===--- GitLab ----------------------------------------------------------===//

void opsig::printGitLab(raw_ostream &OS, ArrayRef<Finding> Hits, const SourceFiles &Files,
                        const ServiceRun &Run) {
  FindingNames Names(Files, Run.Folder);
  json::Array Issues;
  for (const Finding &D : Hits) {
    json::Object Location{{"path", utf8(pathOf(D.At, Files, Run))},
                          // GitLab shows nothing without a line.
                          {"lines", json::Object{{"begin", D.At.isValid() ? D.At.Line : 1}}}};
    Issues.push_back(json::Object{{"description", safeText(D.Message)},
                                  {"check_name", checkName(D.Id)},
                                  {"fingerprint", Names.next(D)},
                                  {"severity", D.Severity == Level::Error ? "major" : "minor"},
                                  {"location", std::move(Location)}});
  }
  OS << safeJson(formatv("{0:2}", json::Value(std::move(Issues))).str()) << '\n';
}

//===--- JUnit -----------------------------------------------------------===//

/// \p Text in XML; \p Ends: whether its line ends stay.
static std::string xml(StringRef Text, LineEnds Ends = LineEnds::Escaped) {
  std::string Out;
  raw_string_ostream OS(Out);
  printHTMLEscaped(safeText(Text, Ends), OS);
  return Out;
}

namespace {

class JUnitPrinter {
public:
  JUnitPrinter(raw_ostream &OS, const SourceFiles &Files, const ServiceRun &Run)
      : OS(OS), Files(Files), Run(Run) {}

  void print(ArrayRef<Finding> Hits) {
    // Findings of one file, in their order, which is that of the files.
    std::map<std::string, std::vector<const Finding *>> Suites;
    for (const Finding &D : Hits)
      Suites[pathOf(D.At, Files, Run)].push_back(&D);
    size_t Others = !Run.Successful || Hits.empty();
    OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    OS << formatv("<testsuites name=\"opsig\" tests=\"{0}\" failures=\"{1}\" errors=\"{2}\">\n",
                  Hits.size() + Others, Hits.size(), size_t(!Run.Successful));
    for (const auto &[File, OfFile] : Suites)
      print(File, OfFile);
    if (Others)
      printReading();
    OS << "</testsuites>\n";
  }

private:
  void print(StringRef File, ArrayRef<const Finding *> Hits) {
    std::string Name = xml(File.empty() ? "opsig" : File);
    OS << formatv("  <testsuite name=\"{0}\" tests=\"{1}\" failures=\"{1}\" errors=\"0\">\n", Name,
                  Hits.size());
    for (const Finding *D : Hits) {
      std::string Where =
          D->At.isValid() ? formatv(":{0}:{1}", D->At.Line, D->At.Column).str() : "";
      OS << formatv("    <testcase name=\"{0}{1}\" classname=\"{2}\">\n", checkName(D->Id), Where,
                    Name);
      OS << formatv("      <failure type=\"{0}\" message=\"{1}\">", levelName(D->Severity),
                    xml(D->Message));
      OS << xml(placed(D->At, D->Message, Files, Run));
      for (const std::string &Line : details(*D, Files, Run))
        OS << '\n' << xml(Line, LineEnds::Kept);
      OS << "</failure>\n    </testcase>\n";
    }
    OS << "  </testsuite>\n";
  }

  /// Whether all input could be read: the only test where nothing was found.
  void printReading() {
    OS << formatv("  <testsuite name=\"opsig\" tests=\"1\" failures=\"0\" errors=\"{0}\">\n",
                  size_t(!Run.Successful));
    OS << "    <testcase name=\"opsig check\" classname=\"opsig\">\n";
    if (!Run.Successful)
      OS << "      <error message=\"some input could not be read or compared\"/>\n";
    if (!Run.Notes.empty()) {
      OS << "      <system-err>";
      ListSeparator Separator("\n");
      for (const RunNote &N : Run.Notes)
        OS << Separator << xml(N.Message);
      OS << "</system-err>\n";
    }
    OS << "    </testcase>\n  </testsuite>\n";
  }

  raw_ostream &OS;
  const SourceFiles &Files;
  const ServiceRun &Run;
};

} // namespace

void opsig::printJUnit(raw_ostream &OS, ArrayRef<Finding> Hits, const SourceFiles &Files,
                       const ServiceRun &Run) {
  JUnitPrinter(OS, Files, Run).print(Hits);
}
