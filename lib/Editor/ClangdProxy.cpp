//===- ClangdProxy.cpp - Between an editor and clangd ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FindingLinks.h"
#include "WorkspaceTexts.h"
#include "opsig/Editor/ClangdProxy.h"
#include "opsig/Editor/CodeActions.h"
#include "opsig/Editor/Completion.h"

namespace json = llvm::json;
using llvm::StringRef;

namespace opsig {

/// Behind which a schema or the name of a namespace goes on.
static constexpr llvm::StringLiteral OurTriggers[] = {"(", " "};

struct ClangdProxy::Asked {
  CodePlace Place;
  const Document *Of;
  WorkspaceTexts &Texts;
};

//===-- from the editor ------------------------------------------------------------===//

/// What clangd would end at: it takes each of them for the end of the session.
static std::optional<std::string> refused(const std::optional<Message> &M) {
  if (!M)
    return errorAnswer(nullptr, LspError::ParseError, "the message is not a JSON object");
  if (M->isOfProtocol())
    return std::nullopt;
  return errorAnswer(M->id() ? *M->id() : json::Value(nullptr), LspError::InvalidRequest,
                     "the message is not JSON-RPC");
}

ProxyOutput ClangdProxy::fromClient(std::string Body) {
  std::lock_guard Lock(Mutex);
  std::optional<Message> M = readMessage(Body);
  if (std::optional<std::string> Error = refused(M))
    return {{}, {std::move(*Error)}};
  std::optional<json::Value> Ours;
  if (M->isNotification()) {
    StringRef Method = M->method();
    if (Method == "textDocument/didOpen") {
      Open.open(M->params());
    } else if (Method == "textDocument/didChange") {
      Open.change(M->params());
    } else if (Method == "textDocument/didClose") {
      Open.close(M->params());
      Board->closeBuffer(pathOfUri(uriOf(M->params())));
    }
  } else if (M->isRequest()) {
    Ours = handle(*M);
  }
  ProxyOutput Out;
  if (Ours)
    Out.ToClient.push_back(answer(*M->id(), std::move(*Ours)));
  else
    Out.ToServer.push_back(std::move(Body));
  return Out;
}

void ClangdProxy::recordClient(const Message &Initialize) {
  const json::Object &Text = objectAt(Initialize.params(), {"capabilities", "textDocument"});
  if (const json::Array *Formats = objectAt(Text, {"hover"}).getArray("contentFormat"))
    Markdown = llvm::any_of(*Formats, [](const json::Value &F) {
      return F.getAsString() == std::optional<StringRef>("markdown");
    });
  TakesActions = objectAt(Text, {"codeAction"}).get("codeActionLiteralSupport") != nullptr;
}

void ClangdProxy::await(const Message &Request, Pending What) {
  Awaited.insert_or_assign(idText(*Request.id()), std::move(What));
}

std::optional<json::Value> ClangdProxy::handle(const Message &Request) {
  StringRef Method = Request.method();
  if (Method == "initialize") {
    recordClient(Request);
    await(Request, {Pending::Initialize});
    return std::nullopt;
  }
  static constexpr llvm::StringLiteral Methods[] = {
      "textDocument/hover",          "textDocument/definition", "textDocument/declaration",
      "textDocument/implementation", "textDocument/references", "textDocument/completion",
      "textDocument/codeAction"};
  const Document *Of = Open.find(uriOf(Request.params()));
  if (!llvm::is_contained(Methods, Method) || !Of || Of->Path.empty())
    return std::nullopt;
  std::optional<Position> At = requestPosition(Request.params());
  if (Method == "textDocument/codeAction")
    if (const json::Object *Range = Request.params().getObject("range"))
      At = positionOf(objectAt(*Range, {"start"}));
  if (!At)
    return std::nullopt;
  WorkspaceTexts Texts(Open);
  size_t Offset = TextLines(*Of->Text).offset(*At, Open.units());
  return handleAt(Method, Request, {{Of->Path, Offset}, Of, Texts});
}

std::optional<json::Value> ClangdProxy::handleAt(StringRef Method, const Message &Request,
                                                 const Asked &At) {
  if (Method == "textDocument/completion")
    return complete(Request, At);
  if (Method == "textDocument/codeAction")
    return actions(Request, At);
  std::shared_ptr<const CodeIndex> Index = Board->index();
  CodeAnswers Answers(*Index, At.Texts.function());
  CodeTarget Target = Answers.targetAt(At.Place);
  if (!Target)
    return std::nullopt;
  bool Shared = Target.isShared();
  if (Method == "textDocument/hover") {
    std::string Text = Answers.hover(Target, Markdown);
    json::Object Hover{
        {"contents", json::Object{{"kind", Markdown ? "markdown" : "plaintext"}, {"value", Text}}},
        {"range", At.Texts.range(Target.At)}};
    if (Text.empty())
      return std::nullopt;
    if (!Shared)
      return Hover;
    await(Request, {Pending::Hover, std::move(Hover)});
    return std::nullopt;
  }
  std::vector<FileSpan> Spans;
  if (Method == "textDocument/references")
    Spans = Answers.references(Target);
  else if (Method == "textDocument/implementation")
    Spans = Shared ? std::vector<FileSpan>() : Answers.implementations(Target);
  else if (!(Shared && Method == "textDocument/declaration"))
    Spans = Answers.definitions(Target);
  json::Value Ours = At.Texts.locations(Spans);
  if (Spans.empty())
    return std::nullopt;
  if (!Shared)
    return Ours;
  // Where a kernel is given to a registration clangd knows its definition, which may be elsewhere.
  if (!(Target.Is == CodeTarget::Kernel && Method == "textDocument/implementation"))
    await(Request, {Pending::Locations, std::move(Ours)});
  return std::nullopt;
}

static int kindOf(Completion::Kind Is) {
  switch (Is) { // CompletionItemKind
  case Completion::Operator:
    return 3; // Function
  case Completion::Namespace:
    return 9; // Module
  case Completion::Key:
    return 20; // EnumMember
  case Completion::Type:
    return 7; // Class
  case Completion::Argument:
    return 6; // Variable
  case Completion::Value:
    return 12; // Value
  case Completion::Field:
    return 10; // Property
  }
  llvm_unreachable("closed kind");
}

json::Value completionJson(const Completions &Found, const TextLines &Lines, PositionUnits Units) {
  json::Object Range =
      rangeJson(Lines.position(Found.Begin, Units), Lines.position(Found.End, Units));
  json::Array Items;
  for (const Completion &Each : Found.Items) {
    std::string Rank = std::to_string(Items.size());
    json::Object Item{
        {"label", Each.Label},
        {"kind", kindOf(Each.Is)},
        {"filterText", Each.Label},
        {"sortText", std::string(5 - std::min<size_t>(5, Rank.size()), '0') + Rank},
        {"textEdit", json::Object{{"range", json::Object(Range)}, {"newText", Each.Label}}}};
    if (!Each.Detail.empty())
      Item["detail"] = Each.Detail;
    Items.push_back(std::move(Item));
  }
  return json::Object{{"isIncomplete", Found.Incomplete}, {"items", std::move(Items)}};
}

std::optional<json::Value> ClangdProxy::complete(const Message &Request, const Asked &At) {
  std::shared_ptr<const CodeIndex> Index = Board->index();
  std::shared_ptr<const LoadedSchemas> Schemas = Board->schemasFor(At.Place.Path);
  std::optional<Completions> Found =
      completeCode(*Index, *At.Of->Text, At.Place.Offset, Schemas.get());
  if (Found)
    return completionJson(*Found, TextLines(*At.Of->Text), Open.units());
  // clangd was never asked behind these.
  StringRef Trigger =
      objectAt(Request.params(), {"context"}).getString("triggerCharacter").value_or("");
  if (llvm::is_contained(OurTriggers, Trigger))
    return json::Object{{"isIncomplete", false}, {"items", json::Array()}};
  return std::nullopt;
}

std::optional<json::Value> ClangdProxy::actions(const Message &Request, const Asked &At) {
  const json::Array *Only = objectAt(Request.params(), {"context"}).getArray("only");
  // "quickfix" asks for "quickfix.x", too.
  bool IsAsked = !Only || llvm::any_of(*Only, [](const json::Value &Kind) {
    return Kind.getAsString() == std::optional<StringRef>("quickfix");
  });
  if (!TakesActions || !IsAsked)
    return std::nullopt;
  std::shared_ptr<const CodeIndex> Index = Board->index();
  CodeAnswers Answers(*Index, At.Texts.function());
  TextLines Lines(*At.Of->Text);
  json::Array Ours;
  for (const CodeAction &Action : codeActions(*Index, Answers, At.Texts.function(), At.Place)) {
    json::Array Edits;
    for (const CodeEdit &Edit : Action.Edits) {
      Position Where = Lines.position(Edit.Offset, Open.units());
      Edits.push_back(json::Object{{"range", rangeJson(Where, Where)}, {"newText", Edit.Text}});
    }
    Ours.push_back(json::Object{
        {"title", Action.Title},
        {"kind", "quickfix"},
        {"edit", json::Object{{"changes", json::Object{{At.Of->Uri, std::move(Edits)}}}}}});
  }
  if (!Ours.empty())
    await(Request, {Pending::Actions, std::move(Ours)});
  return std::nullopt;
}

//===-- from clangd ------------------------------------------------------------------===//

json::Value ClangdProxy::withCapabilities(json::Value Result) {
  json::Object *Whole = Result.getAsObject();
  json::Object *Able = Whole ? Whole->getObject("capabilities") : nullptr;
  if (!Able)
    return Result;
  StringRef Units = Able->getString("positionEncoding").value_or("");
  if (Units.empty())
    Units = Whole->getString("offsetEncoding").value_or("");
  Open.setUnits(positionUnits(Units));
  for (StringRef Provider : {"hoverProvider", "definitionProvider", "declarationProvider",
                             "implementationProvider", "referencesProvider"})
    if (!Able->get(Provider))
      (*Able)[Provider] = true;
  if (!Able->getObject("completionProvider"))
    (*Able)["completionProvider"] = json::Object();
  json::Object &Completes = *Able->getObject("completionProvider");
  if (!Completes.getArray("triggerCharacters"))
    Completes["triggerCharacters"] = json::Array();
  json::Array &Triggers = *Completes.getArray("triggerCharacters");
  for (StringRef Trigger : {"(", " ", "\"", ":"})
    if (!llvm::is_contained(Triggers, json::Value(Trigger)))
      Triggers.push_back(Trigger);
  return Result;
}

json::Value ClangdProxy::merged(const Pending &What, json::Value Theirs) {
  if (What.Is == Pending::Hover) {
    json::Object *Hover = Theirs.getAsObject();
    json::Object *Contents = Hover ? Hover->getObject("contents") : nullptr;
    std::optional<StringRef> Text = Contents ? Contents->getString("value") : std::nullopt;
    if (!Text)
      return Theirs.kind() == json::Value::Null ? What.Ours : Theirs;
    StringRef Own =
        objectAt(*What.Ours.getAsObject(), {"contents"}).getString("value").value_or("");
    bool Markdown = Contents->getString("kind") == std::optional<StringRef>("markdown");
    (*Contents)["value"] = (*Text + (Markdown ? "\n\n---\n" : "\n\n") + Own).str();
    return Theirs;
  }
  json::Array All;
  if (const json::Array *Several = Theirs.getAsArray())
    All = *Several;
  else if (Theirs.kind() == json::Value::Object)
    All.push_back(std::move(Theirs));
  // Of a kernel that is asked about where it is declared, what asks for it comes first; actions of
  // ours are behind those that mend something.
  json::Array Ours = *What.Ours.getAsArray();
  json::Array Out = What.Is == Pending::Actions ? All : Ours;
  for (json::Value &Each : What.Is == Pending::Actions ? Ours : All)
    if (!llvm::is_contained(Out, Each))
      Out.push_back(std::move(Each));
  return Out;
}

/// \p Body with our part, if there is one.
std::string ClangdProxy::withOurs(std::string Body) {
  if (Awaited.empty() && !mayLinkFindings(Body))
    return Body;
  std::optional<Message> M = readMessage(Body);
  if (!M)
    return Body;
  bool Linked = mayLinkFindings(Body);
  if (Linked)
    linkFindings(M->Whole, Docs);
  auto What = M->isAnswer() ? Awaited.find(idText(*M->id())) : Awaited.end();
  if (What == Awaited.end())
    return Linked ? messageText(std::move(*M)) : Body;
  Pending Of = std::move(What->second);
  Awaited.erase(What);
  json::Value *Result = M->Whole.get("result");
  // Without one clangd knows nothing, or was told to forget the request.
  if (!Result)
    return Body;
  if (Of.Is == Pending::Initialize)
    return answer(*M->id(), withCapabilities(std::move(*Result)));
  return answer(*M->id(), merged(Of, std::move(*Result)));
}

ProxyOutput ClangdProxy::fromServer(std::string Body) {
  std::lock_guard Lock(Mutex);
  ProxyOutput Out;
  Out.ToClient.push_back(withOurs(std::move(Body)));
  return Out;
}

} // namespace opsig
