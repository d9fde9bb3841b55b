//===- YamlDocument.h - A schema YAML in an editor ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// path, text (x the files around it) => YamlDocument: operators, findings
//   x offset => hover text, places, completions
//
// Two kinds of files are known: native_functions.yaml, and the YAML of a backend.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_YAMLDOCUMENT_H
#define OPSIG_EDITOR_YAMLDOCUMENT_H

#include "opsig/Editor/CodeAnswers.h"
#include "opsig/Editor/Completion.h"

namespace opsig {

enum class YamlKind : uint8_t { Other, Native, Backend };

/// By what stands in it; of a new file by its name.
YamlKind yamlKind(llvm::StringRef Path, llvm::StringRef Text);

/// PyTorch's operators for the YAMLs of backends, read once for all of them while their files stay
/// as they are.
class SchemaFolder {
public:
  /// Says why there are none in \p Failure.
  std::shared_ptr<const LoadedSchemas> operators(const SchemaSource &Source,
                                                 const TextOfPath &Texts, std::string &Failure);

private:
  std::string Key;
  std::shared_ptr<const std::string> Native, Tags;
  std::shared_ptr<const LoadedSchemas> Loaded;
};

/// Does not change once it is read.
class YamlDocument {
public:
  /// \p Settings are what the server was started with; .opsig.yaml is looked for from the file on.
  static std::shared_ptr<const YamlDocument> read(llvm::StringRef Path, YamlKind Kind,
                                                  std::shared_ptr<const std::string> Text,
                                                  const SchemaSettings &Settings,
                                                  SchemaFolder &Folder, const TextOfPath &Texts);

  YamlKind kind() const { return Kind; }
  const std::string &text() const { return *Text; }
  /// What a user sees; places in other files are about what this one needs of them.
  const Findings &findings() const { return Found; }
  /// What kept the file from being checked; "" where nothing did.
  const std::string &failure() const { return Failure; }
  const SourceFiles &files() const { return *Files; }
  /// Null where operators could not be read.
  const Operators *operators() const { return Ops; }

  /// What stands at an offset of the text.
  struct Target {
    const NativeFunction *Function = nullptr;
    /// Of Function, the kernel that is named there; undefined: none is.
    DispatchKey Key = DispatchKey::Undefined;
    std::string Kernel; ///< "at::native::add", "demo::DemoFunctions::add"; "" without
    size_t Begin = 0, End = 0;
  };
  Target targetAt(size_t Offset) const;
  std::string hover(const Target &Of, bool Markdown) const;
  /// The line of native_functions.yaml that has the operator.
  FileSpan schemaLine(const NativeFunction &F) const;
  /// The lines of a backend's YAML that ask for it.
  std::vector<FileSpan> backendLines(const NativeFunction &F) const;
  std::optional<Completions> complete(size_t Offset) const;

private:
  YamlDocument(std::string Path, YamlKind Kind, std::shared_ptr<const std::string> Text)
      : Path(std::move(Path)), Kind(Kind), Text(std::move(Text)) {}
  void readNative(const SchemaSource &Source);
  void readBackend(const SchemaSource &Source, SchemaFolder &Folder, const TextOfPath &Texts);
  Target nativeAt(size_t Offset) const;
  Target backendAt(size_t Offset) const;
  Target itemAt(size_t Offset) const;
  std::optional<Completions> completeNative(size_t Offset) const;
  std::optional<Completions> completeBackend(size_t Offset) const;
  void addOperators(Completions &To) const;
  std::string declarationOf(const NativeFunction &F, const BackendIndex &Index) const;

  std::string Path;
  YamlKind Kind;
  std::shared_ptr<const std::string> Text;
  /// PyTorch's, of the YAML of a backend; of native_functions.yaml itself.
  std::shared_ptr<const LoadedSchemas> Loaded;
  std::unique_ptr<SourceFiles> OwnFiles;
  const SourceFiles *Files = nullptr;
  const Operators *Ops = nullptr;
  std::optional<ExternalBackend> Backend;
  Findings Found;
  std::string Failure;
};

} // namespace opsig

#endif
