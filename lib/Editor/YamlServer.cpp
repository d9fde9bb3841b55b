//===- YamlServer.cpp - A language server for schema YAMLs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WorkspaceTexts.h"
#include "opsig/Editor/YamlServer.h"
#include "opsig/Support/SafeText.h"

namespace json = llvm::json;
using llvm::StringRef;

namespace opsig {

//===-- messages -----------------------------------------------------------------===//

std::vector<std::string> YamlServer::handle(StringRef Body) {
  std::vector<std::string> Out;
  std::optional<Message> M = readMessage(Body);
  if (!M) {
    Out.push_back(errorAnswer(nullptr, LspError::ParseError, "a message is no JSON object"));
    return Out;
  }
  if (M->isNotification()) {
    notification(*M);
  } else if (M->isRequest()) {
    StringRef Method = M->method();
    if (!Initialized && Method != "initialize")
      Out.push_back(errorAnswer(*M->id(), LspError::NotInitialized, "initialize comes first"));
    else if (ShutDown)
      Out.push_back(errorAnswer(*M->id(), LspError::InvalidRequest, "shutdown was requested"));
    else if (std::optional<json::Value> Result = request(*M))
      Out.push_back(answer(*M->id(), std::move(*Result)));
    else
      Out.push_back(errorAnswer(*M->id(), LspError::MethodNotFound,
                                "'" + Method.str() + "' is not known here"));
  } else if (!M->isAnswer()) {
    Out.push_back(errorAnswer(nullptr, LspError::InvalidRequest, "a message has no method"));
  }
  return Out;
}

void YamlServer::notification(const Message &Told) {
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
          ReadOnes.erase(Each);
      }
  } else if (Method == "textDocument/didSave" || Method == "workspace/didChangeWatchedFiles") {
    for (const auto &[Each, Doc] : Open.all()) {
      ReadOnes.erase(Each);
      Changed.insert(Each);
    }
  } else if (Method == "textDocument/didClose") {
    if (!Open.close(Params))
      return;
    Changed.erase(Uri);
    ReadOnes.erase(Uri);
    Pending.push_back(
        opsig::notification("textDocument/publishDiagnostics",
                            json::Object{{"uri", Uri}, {"diagnostics", json::Array()}}));
  }
}

json::Value YamlServer::capabilities(const Message &Initialize) {
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

std::optional<json::Value> YamlServer::request(const Message &Request) {
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

std::shared_ptr<const YamlDocument> YamlServer::document(const Document &About) {
  YamlKind Kind = yamlKind(About.Path, *About.Text);
  if (Kind == YamlKind::Other || About.Path.empty())
    return nullptr;
  Known &At = ReadOnes[About.Uri];
  if (At.Read && At.Text == About.Text)
    return At.Read;
  WorkspaceTexts Texts(Open);
  At.Text = About.Text;
  At.Read = YamlDocument::read(About.Path, Kind, About.Text, Of.Schemas, Folder, Texts.function());
  return At.Read;
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
  DiagnosticWriter(const YamlDocument &Of, WorkspaceTexts &Texts, StringRef Path,
                   PositionUnits Units, const DocsLinks &Docs)
      : Of(Of), Texts(Texts), Path(Path), Units(Units), Docs(Docs), Lines(Of.text()) {}

  json::Object write(const Finding &D) {
    bool IsHere = Of.files().name(D.At.File) == Path;
    std::string Message = D.Message;
    if (!IsHere) // .opsig.yaml, which this file is read by
      Message = Of.files().name(D.At.File).str() + ":" + std::to_string(D.At.Line) + ": " + Message;
    size_t Begin = IsHere ? Of.files().offsetOf(D.At) : 0;
    json::Object Out{{"range", rangeOf(Lines, Begin, IsHere ? D.At.Length : 0, Units)},
                     {"severity", D.Severity == Level::Error ? 1 : 2},
                     {"code", "opsig-" + findingName(D.Id).str()},
                     {"source", "opsig"},
                     {"message", safeText(Message)}};
    if (std::string Page = Docs.page(D.Id); !Page.empty())
      Out["codeDescription"] = json::Object{{"href", std::move(Page)}};
    json::Array Notes;
    for (const Note &N : D.Notes)
      if (FileSpan At = spanOf(N.At, Of.files()); At.isValid())
        for (json::Value &Where : Texts.locations({At}))
          Notes.push_back(
              json::Object{{"location", std::move(Where)}, {"message", safeText(N.Message)}});
    if (!Notes.empty())
      Out["relatedInformation"] = std::move(Notes);
    return Out;
  }

  json::Object failure() {
    return json::Object{{"range", rangeOf(Lines, 0, 0, Units)},
                        {"severity", 2},
                        {"source", "opsig"},
                        {"message", safeText("this file is not checked: " + Of.failure())}};
  }

private:
  const YamlDocument &Of;
  WorkspaceTexts &Texts;
  StringRef Path;
  PositionUnits Units;
  const DocsLinks &Docs;
  TextLines Lines;
};

} // namespace

std::string YamlServer::publish(const Document &About) {
  json::Array Found;
  if (std::shared_ptr<const YamlDocument> In = document(About)) {
    WorkspaceTexts Texts(Open);
    DiagnosticWriter Writer(*In, Texts, About.Path, Open.units(), Of.Docs);
    if (!In->failure().empty())
      Found.push_back(Writer.failure());
    for (const Finding &D : In->findings().all())
      Found.push_back(Writer.write(D));
  }
  json::Object Params{{"uri", About.Uri}, {"diagnostics", std::move(Found)}};
  if (About.Version)
    Params["version"] = *About.Version;
  return opsig::notification("textDocument/publishDiagnostics", std::move(Params));
}

std::vector<std::string> YamlServer::settle() {
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
std::vector<FileSpan> YamlServer::kernelsNamed(StringRef Qualified) {
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

json::Value YamlServer::locations(StringRef Method, const YamlDocument &In,
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
    for (const IndexedEntry &E : Index->entries())
      if (E.Op == F.Namespace + "::" + F.Schema.Name.str())
        Spans.push_back(E.name());
    for (FileSpan &Found : kernelsNamed(Kernel))
      Spans.push_back(std::move(Found));
  } else {
    Spans = kernelsNamed(Kernel);
    if (Spans.empty() && Method == "textDocument/definition")
      Spans = {In.schemaLine(F)};
  }
  return Texts.locations(Spans);
}

json::Value YamlServer::atPlace(StringRef Method, const Message &Request) {
  const Document *About = Open.find(uriOf(Request.params()));
  std::optional<Position> Where = requestPosition(Request.params());
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

/// The fixes of findings that the range touches, where they are all of this file.
json::Value YamlServer::actions(const Message &Request) {
  const Document *About = Open.find(uriOf(Request.params()));
  std::shared_ptr<const YamlDocument> In = About ? document(*About) : nullptr;
  json::Array Out;
  if (!In)
    return Out;
  TextLines Lines(In->text());
  const json::Object &Range = objectAt(Request.params(), {"range"});
  size_t Begin = Lines.offset(positionOf(objectAt(Range, {"start"})), Open.units());
  size_t End = Lines.offset(positionOf(objectAt(Range, {"end"})), Open.units());
  for (const Finding &D : In->findings().all()) {
    FileSpan At = spanOf(D.At, In->files());
    bool IsHere = At.Path == About->Path && At.Offset <= End && Begin <= At.Offset + At.Length;
    json::Array Edits;
    for (const Fix &F : D.Fixes) {
      IsHere &= In->files().name(F.File) == About->Path;
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
