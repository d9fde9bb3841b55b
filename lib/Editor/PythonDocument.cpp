//===- PythonDocument.cpp - A Python file with operators in an editor ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Editor/PythonDocument.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Report/SiftFindings.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;
using llvm::StringRef;

namespace opsig {

std::shared_ptr<const PythonDocument> PythonDocument::read(StringRef Path,
                                                           std::shared_ptr<const std::string> Text,
                                                           const PythonReading &With) {
  std::shared_ptr<PythonDocument> Out(new PythonDocument(Path.str(), std::move(Text)));
  Out->Files = std::make_unique<SourceFiles>();
  llvm::Expected<ProjectConfig> Config =
      nearestProjectConfig(path::parent_path(Path), *Out->Files, Out->Found);
  if (Config) {
    Out->Config = std::move(*Config);
  } else { // the YAML server says what is wrong there
    llvm::consumeError(Config.takeError());
    Out->Found = Findings();
  }
  std::optional<UnitFacts> Unit = With.Read(Path, *Out->Text, Out->Config);
  if (!Unit || !Unit->Parsed || !Unit->complete())
    return Out;
  SchemaSettings Own = With.Settings;
  Own.Dir = path::parent_path(Path).str();
  llvm::Expected<SchemaSource> Source = findSchemas(Own, Out->Config, std::nullopt);
  if (!Source) {
    Out->Failure = llvm::toString(Source.takeError());
    return Out;
  }
  Out->Schemas = With.Folder.operators(*Source, With.Texts, Out->Failure);
  if (!Out->Schemas || !Out->Schemas->usable())
    return Out;
  Unit->Names.Strings = scriptRulesOf(*Out->Schemas->Ops->D);
  auto Facts = std::make_shared<SourceFacts>();
  Facts->Path = Out->Path;
  Facts->Text = Out->Text;
  Facts->Unit = std::move(*Unit);
  Facts->Schemas = Out->Schemas;
  Facts->Checker =
      std::make_shared<const ProjectChecker>(*Out->Schemas->Ops, Out->Schemas->Backends);
  With.Board.putBuffer(Facts);
  Out->Facts = std::move(Facts);
  Out->check(With.Board);
  return Out;
}

std::shared_ptr<const PythonDocument>
PythonDocument::comparedAgain(std::shared_ptr<const PythonDocument> Read, FactsBoard &Board) {
  if (!Read->Facts)
    return Read;
  std::shared_ptr<PythonDocument> Out(new PythonDocument(Read->Path, Read->Text));
  Out->Config = Read->Config;
  Out->Facts = Read->Facts;
  Out->Schemas = Read->Schemas;
  Out->Failure = Read->Failure;
  Out->check(Board);
  return Out;
}

void PythonDocument::check(FactsBoard &Board) {
  Files = std::make_unique<SourceFiles>(&Schemas->Files);
  SourceId Here = Files->add(Path, *Text);
  std::vector<UnitFacts> Units{Facts->Unit};
  std::shared_ptr<const CodeIndex> Index = Board.index();
  for (const SourceFactsPtr &Other : Index->sources()) {
    if (Other->Path == Path)
      continue;
    Units.push_back(Other->Unit);
    if (Other->Text && Files->find(Other->Path) == SourceId::None)
      Files->add(Other->Path, *Other->Text);
  }
  // Others may have what is not known of here.
  Findings All;
  Facts->Checker->check(Units, Scope::Unit, *Files, All);
  FindingFilter Filter = filterOf(Config);
  SiftedFindings Sifted = sift(std::move(All), Filter, *Files);
  Found = Findings();
  for (const Finding &D : Sifted.Reported.all())
    if (D.At.File == Here)
      Found.append(D);
}

} // namespace opsig
