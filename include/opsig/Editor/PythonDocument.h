//===- PythonDocument.h - A Python file with operators in an editor -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// path, text x what is known of the workspace => PythonDocument: facts, findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_PYTHONDOCUMENT_H
#define OPSIG_EDITOR_PYTHONDOCUMENT_H

#include "opsig/Editor/FactsBoard.h"
#include "opsig/Editor/YamlDocument.h"

namespace opsig {

/// Reads what the Python text of a file registers, without running it; \p Config has the project's
/// own registrars. Nothing if it cannot register anything.
using ReadPythonText = std::function<std::optional<UnitFacts>(
    llvm::StringRef Path, const std::string &Text, const ProjectConfig &Config)>;

/// What a Python file is read with.
struct PythonReading {
  const SchemaSettings &Settings;
  SchemaFolder &Folder;
  const TextOfPath &Texts;
  FactsBoard &Board;
  const ReadPythonText &Read;
};

/// Does not change once it is read.
class PythonDocument {
public:
  /// Puts what was read onto the board, which has the other files. A text that Python cannot parse,
  /// as it is while somebody types, leaves there what was read before it. Schemas are chosen as
  /// for YAML files.
  static std::shared_ptr<const PythonDocument>
  read(llvm::StringRef Path, std::shared_ptr<const std::string> Text, const PythonReading &With);

  /// \p Read, compared with what \p Board has now; nothing is read again.
  static std::shared_ptr<const PythonDocument>
  comparedAgain(std::shared_ptr<const PythonDocument> Read, FactsBoard &Board);

  const std::string &text() const { return *Text; }
  /// Those whose place is in this file.
  const Findings &findings() const { return Found; }
  /// What kept the file from being checked; "" if nothing did, or it registers nothing.
  const std::string &failure() const { return Failure; }
  const SourceFiles &files() const { return *Files; }

private:
  PythonDocument(std::string Path, std::shared_ptr<const std::string> Text)
      : Path(std::move(Path)), Text(std::move(Text)) {}
  void check(FactsBoard &Board);

  std::string Path;
  std::shared_ptr<const std::string> Text;
  ProjectConfig Config;
  /// Null where nothing can be compared.
  SourceFactsPtr Facts;
  /// PyTorch's operators, whose files findings may point into.
  std::shared_ptr<const LoadedSchemas> Schemas;
  std::unique_ptr<SourceFiles> Files;
  Findings Found;
  std::string Failure;
};

} // namespace opsig

#endif
