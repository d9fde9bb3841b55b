//===- LanguageServer.h - Schema YAMLs and Python files in an editor ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// body of a message => answers; settle() => findings of the documents that have changed
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_LANGUAGESERVER_H
#define OPSIG_EDITOR_LANGUAGESERVER_H

#include "opsig/Editor/PythonDocument.h"
#include "opsig/Lsp/Documents.h"
#include "opsig/Report/DocsLinks.h"
#include <set>

namespace opsig {

class WorkspaceTexts;

/// Opens no stream; reads the files that schemas are in.
class LanguageServer {
public:
  struct Setup {
    SchemaSettings Schemas;
    std::string Version;
    DocsLinks Docs = {};
    /// What is known of C++ and Python sources; never null.
    std::shared_ptr<FactsBoard> Board = std::make_shared<FactsBoard>();
    /// Called with each file that is opened.
    std::function<void(llvm::StringRef Path)> Opened = {};
    /// Without it nothing is said of Python files.
    ReadPythonText ReadPython = {};
  };
  explicit LanguageServer(Setup Of) : Of(std::move(Of)) {}

  /// Answers in the order in which they are to be sent; what is no message gets an answer, too.
  std::vector<std::string> handle(llvm::StringRef Body);
  /// The findings of all that has changed since it was called last. For when nothing else is to be
  /// read, so that of several edits in a row only the last one counts.
  std::vector<std::string> settle();
  bool isDirty() const { return !Changed.empty(); }
  /// The board knows more: Python files are checked again.
  void boardHasChanged();

  /// The editor has said goodbye, and the status to end with.
  bool hasEnded() const { return Ended; }
  int status() const { return ShutDown ? 0 : 1; }

private:
  std::optional<llvm::json::Value> request(const Message &Request);
  void notification(const Message &Told);
  llvm::json::Value capabilities(const Message &Initialize);
  llvm::json::Value atPlace(llvm::StringRef Method, const Message &Request);
  llvm::json::Value locations(llvm::StringRef Method, const YamlDocument &In,
                              const YamlDocument::Target &At, WorkspaceTexts &Texts);
  llvm::json::Value actions(const Message &Request);
  llvm::json::Value atPythonPlace(llvm::StringRef Method, const Document &About, Position Where);
  std::string publish(const Document &About);
  /// As it stands now; null for what is not a schema YAML.
  std::shared_ptr<const YamlDocument> document(const Document &About);
  /// As it stands now; null for what is not a Python file.
  std::shared_ptr<const PythonDocument> pythonDocument(const Document &About);
  /// Of either kind; nothing for other files.
  struct Checked {
    const std::string *Text;
    const SourceFiles *Files;
    const Findings *Found;
    llvm::StringRef Failure;
  };
  std::optional<Checked> checked(const Document &About);
  std::vector<FileSpan> kernelsNamed(llvm::StringRef Qualified);

  Setup Of;
  Documents Open;
  SchemaFolder Folder;
  template <typename T> struct Known {
    std::shared_ptr<const std::string> Text;
    std::shared_ptr<const T> Read;
    bool IsOutdated = false; ///< what it was compared with has changed

    bool isOf(const Document &About) const { return Read && Text == About.Text; }
  };
  void forget(const std::string &Uri) {
    Yamls.erase(Uri);
    Pythons.erase(Uri);
  }
  std::map<std::string, Known<YamlDocument>> Yamls; ///< by URI
  std::map<std::string, Known<PythonDocument>> Pythons;
  std::set<std::string> Changed;    ///< URIs
  std::vector<std::string> Pending; ///< to be sent with the next answers
  bool Markdown = false, Initialized = false, ShutDown = false, Ended = false;
};

} // namespace opsig

#endif
