//===- LanguageServer.cpp - Schema YAMLs and Python files in an editor ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WorkspaceTexts.h"
#include "opsig/Editor/LanguageServer.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Workspace/InputFiles.h"

namespace json = llvm::json;
using llvm::StringRef;

namespace opsig {

//===-- messages -----------------------------------------------------------------===//

std::vector<std::string> LanguageServer::handle(StringRef Body) {
  std::vector<std::string> Out;
  std::optional<Message> M = readMessage(Body);
  if (!M) {
    Out.push_back(errorAnswer(nullptr, LspError::ParseError, "the message is not a JSON object"));
    return Out;
  }
  if (M->isNotification()) {
    notification(*M);
  } else if (M->isRequest()) {
    StringRef Method = M->method();
    if (!Initialized && Method != "initialize")
      Out.push_back(errorAnswer(*M->id(), LspError::NotInitialized, "expected 'initialize' first"));
    else if (ShutDown)
      Out.push_back(
          errorAnswer(*M->id(), LspError::InvalidRequest, "the server was asked to shut down"));
    else if (std::optional<json::Value> Result = request(*M))
      Out.push_back(answer(*M->id(), std::move(*Result)));
    else
      Out.push_back(errorAnswer(*M->id(), LspError::MethodNotFound,
                                "'" + Method.str() + "' is not supported"));
  } else if (!M->isAnswer()) {
    Out.push_back(errorAnswer(nullptr, LspError::InvalidRequest, "the message has no method"));
  }
  return Out;
}

void LanguageServer::notification(const Message &Told) {
  StringRef Method = Told.method();
  const json::Object &Params = Told.params();
  std::string Uri = uriOf(Params).str();
  if (Method == "exit") {
    Ended = true;
  } else if (Method == "textDocument/didOpen") {
    if (!Open.open(Params))
      return;
    Changed.insert(Uri);
    const Document *Of = Open.find(Uri);
    if (this->Of.Opened && !Of->Path.empty())
      this->Of.Opened(Of->Path);
  } else if (Method == "textDocument/didChange") {
    if (!Open.change(Params))
      return;
    Changed.insert(Uri);
    // What this buffer says of operators may make findings come and go in the others.
    if (const Document *Of = Open.find(Uri); yamlKind(Of->Path, *Of->Text) == YamlKind::Native)
      for (const auto &[Each, Doc] : Open.all()) {
        Changed.insert(Each);
        if (Each != Uri)
          forget(Each);
      }
  } else if (Method == "textDocument/didSave" || Method == "workspace/didChangeWatchedFiles") {
    for (const auto &[Each, Doc] : Open.all()) {
      forget(Each);
      Changed.insert(Each);
    }
  } else if (Method == "textDocument/didClose") {
    if (!Open.close(Params))
      return;
    Changed.erase(Uri);
    forget(Uri);
    Of.Board->closeBuffer(pathOfUri(Uri));
    Pending.push_back(
        opsig::notification("textDocument/publishDiagnostics",
                            json::Object{{"uri", Uri}, {"diagnostics", json::Array()}}));
  }
}

json::Value LanguageServer::capabilities(const Message &Initialize) {
  Initialized = true;
  const json::Object &Text = objectAt(Initialize.params(), {"capabilities", "textDocument"});
  if (const json::Array *Formats = objectAt(Text, {"hover"}).getArray("contentFormat"))
    Markdown = llvm::is_contained(*Formats, json::Value("markdown"));
  json::Object Sync{{"openClose", true}, {"change", 2}, {"save", true}};
  json::Object Completes{{"triggerCharacters", json::Array{"(", " ", ","}}};
  json::Object Able{
      {"textDocumentSync", std::move(Sync)}, {"hoverProvider", true},
      {"definitionProvider", true},          {"declarationProvider", true},
      {"implementationProvider", true},      {"referencesProvider", true},
      {"codeActionProvider", true},          {"completionProvider", std::move(Completes)}};
  return json::Object{{"capabilities", std::move(Able)},
                      {"serverInfo", json::Object{{"name", "opsig"}, {"version", Of.Version}}}};
}

std::optional<json::Value> LanguageServer::request(const Message &Request) {
  StringRef Method = Request.method();
  if (Method == "initialize")
    return capabilities(Request);
  if (Method == "shutdown") {
    ShutDown = true;
    return json::Value(nullptr);
  }
  static constexpr llvm::StringLiteral Places[] = {
      "textDocument/hover",          "textDocument/definition", "textDocument/declaration",
      "textDocument/implementation", "textDocument/references", "textDocument/completion"};
  if (llvm::is_contained(Places, Method))
    return atPlace(Method, Request);
  if (Method == "textDocument/codeAction")
    return actions(Request);
  return std::nullopt;
}

//===-- documents ------------------------------------------------------------------===//

std::shared_ptr<const YamlDocument> LanguageServer::document(const Document &About) {
  YamlKind Kind = yamlKind(About.Path, *About.Text);
  if (Kind == YamlKind::Other || About.Path.empty() || isPython(About.Path))
    return nullptr;
  Known<YamlDocument> &At = Yamls[About.Uri];
  if (!At.isOf(About)) {
    WorkspaceTexts Texts(Open);
    At = {About.Text,
          YamlDocument::read(About.Path, Kind, About.Text, Of.Schemas, Folder, Texts.function())};
  }
  return At.Read;
}

std::shared_ptr<const PythonDocument> LanguageServer::pythonDocument(const Document &About) {
  if (!Of.ReadPython || About.Path.empty() || !isPython(About.Path))
    return nullptr;
  Known<PythonDocument> &At = Pythons[About.Uri];
  if (!At.isOf(About)) {
    WorkspaceTexts Texts(Open);
    At = {About.Text,
          PythonDocument::read(About.Path, About.Text,
                               {Of.Schemas, Folder, Texts.function(), *Of.Board, Of.ReadPython})};
  } else if (At.IsOutdated) {
    At = {About.Text, PythonDocument::comparedAgain(std::move(At.Read), *Of.Board)};
  }
  return At.Read;
}

std::optional<LanguageServer::Checked> LanguageServer::checked(const Document &About) {
  auto View = [](const auto &In) {
    return Checked{&In.text(), &In.files(), &In.findings(), In.failure()};
  };
  if (std::shared_ptr<const YamlDocument> In = document(About))
    return View(*In);
  if (std::shared_ptr<const PythonDocument> In = pythonDocument(About))
    return View(*In);
  return std::nullopt;
}

/// A range of the protocol within one line.
static json::Object rangeOf(const TextLines &Lines, size_t Begin, size_t Length,
                            PositionUnits Units) {
  return rangeJson(Lines.position(Begin, Units), Lines.position(Begin + Length, Units));
}

namespace {

/// Diagnostics of opsig as the protocol has them.
class DiagnosticWriter {
public:
  DiagnosticWriter(const std::string &Text, const SourceFiles &Files, WorkspaceTexts &Texts,
                   StringRef Path, PositionUnits Units, const DocsLinks &Docs)
      : Files(Files), Texts(Texts), Path(Path), Units(Units), Docs(Docs), Lines(Text) {}

  json::Object write(const Finding &D) {
    bool IsHere = Files.name(D.At.File) == Path;
    std::string Message = D.Message;
    if (!IsHere) // .opsig.yaml, which this file is read by
      Message = Files.name(D.At.File).str() + ":" + std::to_string(D.At.Line) + ": " + Message;
    size_t Begin = IsHere ? Files.offsetOf(D.At) : 0;
    json::Object Out{{"range", rangeOf(Lines, Begin, IsHere ? D.At.Length : 0, Units)},
                     {"severity", D.Severity == Level::Error ? 1 : 2},
                     {"code", "opsig-" + findingName(D.Id).str()},
                     {"source", "opsig"},
                     {"message", safeText(Message)}};
    if (std::string Page = Docs.page(D.Id); !Page.empty())
      Out["codeDescription"] = json::Object{{"href", std::move(Page)}};
    json::Array Notes;
    for (const Note &N : D.Notes)
      if (FileSpan At = spanOf(N.At, Files); At.isValid())
        for (json::Value &Where : Texts.locations({At}))
          Notes.push_back(
              json::Object{{"location", std::move(Where)}, {"message", safeText(N.Message)}});
    if (!Notes.empty())
      Out["relatedInformation"] = std::move(Notes);
    return Out;
  }

  json::Object failure(StringRef Why) {
    return json::Object{{"range", rangeOf(Lines, 0, 0, Units)},
                        {"severity", 2},
                        {"source", "opsig"},
                        {"message", safeText(("this file is not checked: " + Why).str())}};
  }

private:
  const SourceFiles &Files;
  WorkspaceTexts &Texts;
  StringRef Path;
  PositionUnits Units;
  const DocsLinks &Docs;
  TextLines Lines;
};

} // namespace

std::string LanguageServer::publish(const Document &About) {
  json::Array Found;
  if (std::optional<Checked> In = checked(About)) {
    WorkspaceTexts Texts(Open);
    DiagnosticWriter Writer(*In->Text, *In->Files, Texts, About.Path, Open.units(), Of.Docs);
    if (!In->Failure.empty())
      Found.push_back(Writer.failure(In->Failure));
    for (const Finding &D : In->Found->all())
      Found.push_back(Writer.write(D));
  }
  json::Object Params{{"uri", About.Uri}, {"diagnostics", std::move(Found)}};
  if (About.Version)
    Params["version"] = *About.Version;
  return opsig::notification("textDocument/publishDiagnostics", std::move(Params));
}

void LanguageServer::boardHasChanged() {
  for (const auto &[Uri, About] : Open.all())
    if (isPython(About.Path)) {
      Pythons[Uri].IsOutdated = true;
      Changed.insert(Uri);
    }
}

std::vector<std::string> LanguageServer::settle() {
  std::vector<std::string> Out = std::move(Pending);
  Pending.clear();
  for (const std::string &Uri : Changed)
    if (const Document *About = Open.find(Uri))
      Out.push_back(publish(*About));
  Changed.clear();
  return Out;
}

//===-- requests about a place -----------------------------------------------------===//

/// Declarations in sources that were read, definitions first.
std::vector<FileSpan> LanguageServer::kernelsNamed(StringRef Qualified) {
  std::vector<FileSpan> Definitions, Others;
  std::shared_ptr<const CodeIndex> Index = Of.Board->index();
  auto Add = [&](const SourceFacts &From, const KernelDecl &K) {
    if (!K.NameAt.isValid() || K.qualifiedName() != Qualified)
      return;
    FileSpan At{From.pathOf(K.NameAt.File), K.NameAt.Offset, K.NameAt.Length};
    std::vector<FileSpan> &To = K.Definition ? Definitions : Others;
    if (!llvm::is_contained(To, At))
      To.push_back(std::move(At));
  };
  for (const SourceFactsPtr &From : Index->sources()) {
    for (const KernelDecl &K : From->Unit.Kernels)
      Add(*From, K);
    for (const KernelDecl &K : From->Unit.Definitions)
      Add(*From, K);
  }
  return Definitions.empty() ? Others : Definitions;
}

json::Value LanguageServer::locations(StringRef Method, const YamlDocument &In,
                                      const YamlDocument::Target &At, WorkspaceTexts &Texts) {
  std::vector<FileSpan> Spans;
  const NativeFunction &F = *At.Function;
  std::string Kernel = At.Kernel;
  // On the schema itself: the kernel, where there is one.
  if (In.kind() == YamlKind::Native && Kernel.empty() && F.Dispatch.size() == 1)
    Kernel = F.Dispatch.front().CppNamespace + "::" + F.Dispatch.front().Kernel;
  if (Method == "textDocument/declaration") {
    Spans = {In.schemaLine(F)};
  } else if (Method == "textDocument/references") {
    Spans = In.backendLines(F);
    Spans.insert(Spans.begin(), In.schemaLine(F));
    std::shared_ptr<const CodeIndex> Index = Of.Board->index();
    for (const EntryRef &E : Index->entries())
      if (E.Op == F.Namespace + "::" + F.Schema.Name.str())
        Spans.push_back(Index->name(E));
    for (FileSpan &Found : kernelsNamed(Kernel))
      Spans.push_back(std::move(Found));
  } else {
    Spans = kernelsNamed(Kernel);
    if (Spans.empty() && Method == "textDocument/definition")
      Spans = {In.schemaLine(F)};
  }
  return Texts.locations(Spans);
}

json::Value LanguageServer::atPlace(StringRef Method, const Message &Request) {
  const Document *About = Open.find(uriOf(Request.params()));
  std::optional<Position> Where = requestPosition(Request.params());
  if (About && Where && isPython(About->Path))
    return atPythonPlace(Method, *About, *Where);
  std::shared_ptr<const YamlDocument> In = About ? document(*About) : nullptr;
  if (!In || !Where)
    return nullptr;
  TextLines Lines(In->text());
  size_t Offset = Lines.offset(*Where, Open.units());
  if (Method == "textDocument/completion") {
    std::optional<Completions> Found = In->complete(Offset);
    return Found ? completionJson(*Found, Lines, Open.units()) : json::Value(nullptr);
  }
  YamlDocument::Target At = In->targetAt(Offset);
  if (!At.Function)
    return nullptr;
  WorkspaceTexts Texts(Open);
  if (Method != "textDocument/hover")
    return locations(Method, *In, At, Texts);
  return json::Object{{"contents", json::Object{{"kind", Markdown ? "markdown" : "plaintext"},
                                                {"value", In->hover(At, Markdown)}}},
                      {"range", rangeOf(Lines, At.Begin, At.End - At.Begin, Open.units())}};
}

json::Value LanguageServer::atPythonPlace(StringRef Method, const Document &About, Position Where) {
  if (Method == "textDocument/completion" || !Of.ReadPython)
    return nullptr;
  (void)pythonDocument(About); // puts what the text registers onto the board
  WorkspaceTexts Texts(Open);
  std::shared_ptr<const CodeIndex> Index = Of.Board->index();
  CodeAnswers Answers(*Index, Texts.function());
  size_t Offset = TextLines(*About.Text).offset(Where, Open.units());
  CodeTarget Target = Answers.pythonTargetAt({About.Path, Offset});
  if (!Target)
    return nullptr;
  if (Method == "textDocument/hover")
    return json::Object{{"contents", json::Object{{"kind", Markdown ? "markdown" : "plaintext"},
                                                  {"value", Answers.hover(Target, Markdown)}}},
                        {"range", Texts.range(Target.At)}};
  if (Method == "textDocument/references")
    return Texts.locations(Answers.references(Target));
  if (Method == "textDocument/implementation")
    return Texts.locations(Answers.implementations(Target));
  return Texts.locations(Answers.definitions(Target));
}

/// The fixes of findings that the range touches, where they are all of this file.
json::Value LanguageServer::actions(const Message &Request) {
  const Document *About = Open.find(uriOf(Request.params()));
  std::optional<Checked> In = About ? checked(*About) : std::nullopt;
  json::Array Out;
  if (!In)
    return Out;
  TextLines Lines(*In->Text);
  const json::Object &Range = objectAt(Request.params(), {"range"});
  size_t Begin = Lines.offset(positionOf(objectAt(Range, {"start"})), Open.units());
  size_t End = Lines.offset(positionOf(objectAt(Range, {"end"})), Open.units());
  for (const Finding &D : In->Found->all()) {
    FileSpan At = spanOf(D.At, *In->Files);
    bool IsHere = At.Path == About->Path && At.Offset <= End && Begin <= At.Offset + At.Length;
    json::Array Edits;
    for (const Fix &F : D.Fixes) {
      IsHere &= In->Files->name(F.File) == About->Path;
      Edits.push_back(json::Object{{"range", rangeOf(Lines, F.Offset, F.Length, Open.units())},
                                   {"newText", F.Text}});
    }
    if (!IsHere || Edits.empty())
      continue;
    Out.push_back(json::Object{
        {"title", safeText(D.Message)},
        {"kind", "quickfix"},
        {"edit", json::Object{{"changes", json::Object{{About->Uri, std::move(Edits)}}}}}});
  }
  return Out;
}

} // namespace opsig
