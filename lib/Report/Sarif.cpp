//===- Sarif.cpp - findings as a SARIF log ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReportPlaces.h"
#include "opsig/Report/RulePages.h"
#include "opsig/Report/Sarif.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace opsig;
using namespace llvm;

namespace {

constexpr StringLiteral SarifVersion = "2.1.0";
constexpr StringLiteral SchemaUri =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
/// The name of the folder that relative file names start from.
constexpr StringLiteral SourceRoot = "SRCROOT";

json::Object message(StringRef Text) { return json::Object{{"text", utf8(Text)}}; }

/// What is said of code. A viewer makes a link of "[text](address)", whoever wrote it.
json::Object said(StringRef Text) {
  std::string Safe = safeText(Text);
  for (size_t At = 0; (At = Safe.find("](", At)) != std::string::npos; At += 2)
    Safe.insert(At + 1, " ");
  return json::Object{{"text", std::move(Safe)}};
}

class Printer {
public:
  Printer(const SourceFiles &Files, const SarifRun &Run)
      : Files(Files), Run(Run), Names(Files, Run.Folder) {}

  void add(const Finding &D, const SuppressedFinding *Suppressed) {
    json::Object Result{{"ruleId", checkName(D.Id)},
                        {"ruleIndex", ruleIndex(D.Id)},
                        {"kind", "fail"},
                        {"level", levelName(D.Severity)},
                        {"message", said(D.Message)}};
    if (D.At.File != SourceId::None)
      Result["locations"] = json::Array{json::Object{{"physicalLocation", physical(D.At)}}};
    if (!D.Notes.empty())
      Result["relatedLocations"] = related(D.Notes);
    if (!D.Fixes.empty())
      Result["fixes"] = json::Array{fix(D)};
    json::Object Properties;
    if (!D.Op.empty())
      Properties["operator"] = utf8(qualifiedOperator(D.Op));
    if (D.Sure != Confidence::Unstated)
      Properties["confidence"] = confidenceName(D.Sure);
    if (!Properties.empty())
      Result["properties"] = std::move(Properties);
    Result["partialFingerprints"] = json::Object{{"opsigFinding/v1", Names.next(D)}};
    Result["suppressions"] = Suppressed ? json::Array{suppression(*Suppressed)} : json::Array{};
    Results.push_back(std::move(Result));
  }

  json::Value log() {
    json::Object Driver{{"name", "opsig"}, {"semanticVersion", Run.Version}, {"rules", rules()}};
    if (!Run.Docs.Home.empty())
      Driver["informationUri"] = Run.Docs.Home;
    json::Object TheRun{
        {"tool", json::Object{{"driver", std::move(Driver)}}},
        {"invocations", json::Array{invocation()}},
        {"originalUriBaseIds",
         json::Object{
             {SourceRoot,
              json::Object{{"uri", "file://" + uriEncoded(absolutePath(Run.Folder)) + "/"}}}}},
        {"columnKind", "unicodeCodePoints"},
        {"results", std::move(Results)}};
    return json::Object{{"$schema", SchemaUri},
                        {"version", SarifVersion},
                        {"runs", json::Array{std::move(TheRun)}}};
  }

private:
  int64_t ruleIndex(FindingId Id) {
    return RuleIndices.try_emplace(Id, RuleIndices.size()).first->second;
  }

  json::Object invocation() const {
    json::Object Out{{"executionSuccessful", Run.Successful}};
    json::Array Notes;
    for (const RunNote &N : Run.Notes)
      Notes.push_back(
          json::Object{{"level", N.IsWarning ? "warning" : "note"}, {"message", said(N.Message)}});
    if (!Notes.empty())
      Out["toolExecutionNotifications"] = std::move(Notes);
    return Out;
  }

  json::Array rules() const {
    json::Array Rules;
    for (const auto &[Id, Index] : RuleIndices) {
      StringRef Page = rulePage(Id);
      Rules.push_back(json::Object{
          {"id", checkName(Id)},
          {"shortDescription", message(firstParagraph(Page))},
          {"help", json::Object{{"text", utf8(Page)}, {"markdown", utf8(Page)}}},
          {"defaultConfiguration", json::Object{{"level", levelName(findingLevel(Id))}}}});
      if (std::string Address = Run.Docs.page(Id); !Address.empty())
        (*Rules.back().getAsObject())["helpUri"] = std::move(Address);
    }
    return Rules;
  }

  json::Object artifact(SourceId File) const {
    std::string Path = pathBelow(Files.name(File), Run.Folder);
    if (StringRef(Path).starts_with("/"))
      return json::Object{{"uri", "file://" + uriEncoded(Path)}};
    return json::Object{{"uri", uriEncoded(Path)}, {"uriBaseId", SourceRoot}};
  }

  int64_t column(SourceId File, uint32_t Line, uint32_t Byte) const {
    return characterColumn(Files, File, Line, Byte);
  }

  json::Object physical(const Place &At) const {
    json::Object Location{{"artifactLocation", artifact(At.File)}};
    if (!At.isValid())
      return Location;
    json::Object Region{{"startLine", At.Line}};
    if (At.Column) {
      Region["startColumn"] = column(At.File, At.Line, At.Column - 1);
      Region["endColumn"] = column(At.File, At.Line, At.Column - 1 + At.Length);
    }
    Location["region"] = std::move(Region);
    return Location;
  }

  json::Array related(ArrayRef<Note> Notes) const {
    json::Array Locations;
    for (const Note &N : Notes) {
      json::Object Location{{"id", int64_t(Locations.size())}, {"message", said(N.Message)}};
      if (N.At.File != SourceId::None)
        Location["physicalLocation"] = physical(N.At);
      Locations.push_back(std::move(Location));
    }
    return Locations;
  }

  json::Object replacement(const Fix &F) const {
    Place First = Files.placeAt(F.File, F.Offset), End = Files.placeAt(F.File, F.Offset + F.Length);
    return json::Object{{"deletedRegion",
                         json::Object{{"startLine", First.Line},
                                      {"startColumn", column(F.File, First.Line, First.Column - 1)},
                                      {"endLine", End.Line},
                                      {"endColumn", column(F.File, End.Line, End.Column - 1)}}},
                        {"insertedContent", message(F.Text)}};
  }

  json::Object fix(const Finding &D) const {
    MapVector<SourceId, json::Array> ByFile;
    for (const Fix &F : D.Fixes)
      ByFile[F.File].push_back(replacement(F));
    json::Array Changes;
    for (auto &[File, Replacements] : ByFile)
      Changes.push_back(json::Object{{"artifactLocation", artifact(File)},
                                     {"replacements", std::move(Replacements)}});
    return json::Object{{"artifactChanges", std::move(Changes)}};
  }

  json::Object suppression(const SuppressedFinding &S) const {
    if (S.Why != SuppressedBy::Comment)
      return json::Object{
          {"kind", "external"},
          {"justification", S.Why == SuppressedBy::Path ? "suppress-paths" : "baseline"}};
    return json::Object{{"kind", "inSource"},
                        {"location", json::Object{{"physicalLocation", physical(S.Comment)}}}};
  }

  const SourceFiles &Files;
  const SarifRun &Run;
  json::Array Results;
  MapVector<FindingId, int64_t> RuleIndices;
  FindingNames Names;
};

} // namespace

void opsig::printSarif(raw_ostream &OS, const SiftedFindings &All, const SourceFiles &Files,
                       const SarifRun &Run) {
  Printer P(Files, Run);
  // In the order of their places, whether silenced or not.
  std::vector<std::pair<const Finding *, const SuppressedFinding *>> Results;
  for (const Finding &D : All.Reported.all())
    Results.push_back({&D, nullptr});
  for (const SuppressedFinding &S : All.Suppressed)
    Results.push_back({&S.Hit, &S});
  llvm::stable_sort(Results, [&](const auto &L, const auto &R) {
    auto Key = [&](const Finding &D) {
      return std::tuple(Files.name(D.At.File), D.At.Line, D.At.Column);
    };
    return Key(*L.first) < Key(*R.first);
  });
  for (const auto &[D, Suppressed] : Results)
    P.add(*D, Suppressed);
  OS << safeJson(formatv("{0:2}", P.log()).str()) << '\n';
}
