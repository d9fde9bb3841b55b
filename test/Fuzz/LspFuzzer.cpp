//===- LspFuzzer.cpp - Anything that an editor may send -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bytes => steps, divided by form feeds: edits, requests at any place, bodies as they are
//   => LanguageServer; ClangdProxy, with a clangd behind it that answers something
//
// Whatever is sent: each request gets one answer, with its id; what is not the proxy's goes on as
// it came, and what comes back for it arrives once.
//
//===----------------------------------------------------------------------===//

#include "opsig/Editor/ClangdProxy.h"
#include "opsig/Editor/LanguageServer.h"
#include "opsig/Lsp/Frame.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace opsig;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;
namespace path = llvm::sys::path;

namespace {

/// Ends the program also where assertions are off.
void require(bool Holds) {
  if (!Holds)
    abort();
}

//===--- A project ---------------------------------------------------------------------------===//

constexpr llvm::StringLiteral Native =
    "- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n"
    "  dispatch:\n"
    "    CPU: add\n"
    "- func: relu(Tensor self) -> Tensor\n"
    "  variants: function, method\n";
constexpr llvm::StringLiteral Demo =
    "backend: PrivateUse1\ncpp_namespace: demo\n"
    "class_name: DemoFunctions\nsupported:\n- add.Tensor\n- relu\n";
constexpr llvm::StringLiteral Source =
    "#include <torch/library.h>\n"
    "at::Tensor scale_cpu(const at::Tensor &self, double factor) { return self; }\n"
    "TORCH_LIBRARY(demo, m) {\n"
    "  m.def(\"scale(Tensor self, float factor) -> Tensor\");\n"
    "  m.def(\"idle(Tensor self) -> Tensor\");\n"
    "}\n"
    "TORCH_LIBRARY_IMPL(demo, CPU, m) {\n"
    "  m.impl(\"scale\", &scale_cpu);\n"
    "}\n"
    "TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) { m.impl(\"add.Tensor\", &scale_cpu); }\n";

/// A folder of this process, gone with it.
class Folder {
public:
  Folder() {
    require(!fs::createUniqueDirectory("opsig-lsp-fuzzer", Path));
    put("native.yaml", Native);
    put("tags.yaml", "- tag: core\n  desc: nothing here has it\n");
    put("demo.yaml", Demo);
    put("ops.cpp", Source);
    put(".opsig.yaml",
        ("torch: " + allDialects().back()->Name + "\nschemas: native.yaml\ntags: tags.yaml\n")
            .str());
  }
  ~Folder() { (void)fs::remove_directories(Path); }
  static Folder &folder() {
    static Folder The;
    return The;
  }
  std::string file(StringRef Name) const {
    llvm::SmallString<128> File(Path);
    path::append(File, Name);
    return std::string(File);
  }

private:
  void put(StringRef Name, StringRef Text) {
    std::error_code Error;
    llvm::raw_fd_ostream OS(file(Name), Error);
    OS << Text;
  }
  llvm::SmallString<128> Path;
};

/// Source as it is read once.
SourceFactsPtr facts() {
  static const SourceFactsPtr The = [] {
    const char *Root = std::getenv("OPSIG_SOURCE_ROOT");
    require(Root != nullptr);
    Folder &In = Folder::folder();
    auto Out = std::make_shared<SourceFacts>();
    Out->Path = In.file("ops.cpp");
    Out->Text = std::make_shared<std::string>(Source);
    SourceFiles Files;
    Findings Diags;
    llvm::Expected<SchemaSource> From = findSchemas({}, path::parent_path(Out->Path), Files, Diags);
    require(bool(From));
    Out->Schemas = llvm::cantFail(loadSchemas(*From));
    Out->Checker = std::make_shared<ProjectChecker>(*Out->Schemas->Ops, Out->Schemas->Backends);
    CompileCommands Commands = CompileCommands::fixed(
        {"-std=c++17", "-nostdinc++", "-isystem", std::string(Root) + "/test/Inputs/torch"});
    Out->Unit = parseKernels(Commands.job(Out->Path), Out->Checker->parseOptions());
    require(Out->Unit.Registrations.size() == 3);
    return Out;
  }();
  return The;
}

//===--- Steps
//---------------------------------------------------------------------------------===//

constexpr llvm::StringLiteral Methods[] = {"textDocument/hover",
                                           "textDocument/definition",
                                           "textDocument/declaration",
                                           "textDocument/references",
                                           "textDocument/completion",
                                           "textDocument/implementation",
                                           "textDocument/codeAction",
                                           "textDocument/rename",
                                           "shutdown",
                                           "initialize"};

/// Bytes that say what is sent.
class Steps {
public:
  Steps(StringRef Bytes, StringRef Uri) : Rest(Bytes), Uri(Uri) {}

  /// The body of the next message; none at the end.
  std::optional<std::string> next() {
    if (Rest.empty())
      return std::nullopt;
    StringRef Step;
    std::tie(Step, Rest) = Rest.split('\f');
    if (Step.starts_with("{") || Step.empty())
      return Step.str();
    return made(Step);
  }

private:
  unsigned take(StringRef &From) {
    unsigned Byte = From.empty() ? 0 : static_cast<unsigned char>(From.front());
    From = From.drop_front(From.empty() ? 0 : 1);
    return Byte;
  }
  json::Object position(StringRef &From) {
    // Most are in the text, some are nowhere.
    int64_t Line = take(From) % 16, Character = take(From) % 96;
    if (Line == 15)
      Line = Character == 95 ? -1 : INT64_MAX;
    return positionJson({Line, Character == 95 ? INT64_MAX : Character});
  }
  std::string made(StringRef Step) {
    unsigned Kind = take(Step);
    json::Object Of{{"uri", Uri}};
    json::Object Params{{"textDocument", json::Object(Of)}};
    if (Kind % 3 == 0) { // an edit
      (*Params.getObject("textDocument"))["version"] = ++Count;
      json::Object Begin = position(Step), End = position(Step);
      json::Object Change{{"text", json::fixUTF8(Step)}};
      if (Kind % 2)
        Change["range"] = json::Object{{"start", std::move(Begin)}, {"end", std::move(End)}};
      Params["contentChanges"] = json::Array{std::move(Change)};
      return notification("textDocument/didChange", std::move(Params));
    }
    json::Object At = position(Step);
    Params["range"] = json::Object{{"start", json::Object(At)}, {"end", position(Step)}};
    Params["position"] = std::move(At);
    json::Object Whole{{"jsonrpc", "2.0"},
                       {"id", ++Count},
                       {"method", Methods[Kind % std::size(Methods)]},
                       {"params", std::move(Params)}};
    return llvm::formatv("{0}", json::Value(std::move(Whole))).str();
  }

  StringRef Rest, Uri;
  int64_t Count = 0;
};

std::string opened(StringRef Uri, StringRef Text) {
  json::Object Of{{"uri", Uri}, {"languageId", "x"}, {"version", 1}, {"text", Text}};
  return notification("textDocument/didOpen", json::Object{{"textDocument", std::move(Of)}});
}

std::string begun() {
  json::Object Text{{"codeAction", json::Object{{"codeActionLiteralSupport", json::Object()}}}};
  json::Object Able{{"textDocument", std::move(Text)}};
  json::Object Whole{{"jsonrpc", "2.0"},
                     {"id", 0},
                     {"method", "initialize"},
                     {"params", json::Object{{"capabilities", std::move(Able)}}}};
  return llvm::formatv("{0}", json::Value(std::move(Whole))).str();
}

bool isAnswerTo(const json::Value &Id, StringRef Body) {
  std::optional<Message> M = readMessage(Body);
  return M && M->isAnswer() && *M->id() == Id;
}

//===--- Servers
//-------------------------------------------------------------------------------===//

void runYaml(StringRef Bytes, StringRef Name, StringRef Text) {
  LanguageServer Server({});
  std::string Uri = uriOfPath(Folder::folder().file(Name));
  require(Server.handle(begun()).size() == 1);
  Server.handle(opened(Uri, Text));
  require(Server.settle().size() == 1);
  Steps Of(Bytes, Uri);
  while (std::optional<std::string> Body = Of.next()) {
    std::optional<Message> M = readMessage(*Body);
    std::vector<std::string> Out = Server.handle(*Body);
    if (M && M->isRequest())
      require(Out.size() == 1 && isAnswerTo(*M->id(), Out.front()));
    for (const std::string &Each : Server.settle())
      require(readMessage(Each).has_value());
  }
}

void runProxy(StringRef Bytes) {
  auto Board = std::make_shared<FactsBoard>();
  Board->putBuffer(facts());
  ClangdProxy Proxy(Board);
  std::string Uri = uriOfPath(facts()->Path);
  static constexpr llvm::StringLiteral Results[] = {
      "null",
      "[]",
      "{}",
      "{\"contents\": {\"kind\": \"markdown\", \"value\": \"x\"}}",
      "[{\"uri\": \"file:///a\"}]",
      "{\"capabilities\": {\"completionProvider\": 3}}"};
  unsigned Turn = 0;
  auto Send = [&](std::string Body) {
    std::optional<Message> M = readMessage(Body);
    ProxyOutput Out = Proxy.fromClient(Body);
    require(Out.ToClient.size() + Out.ToServer.size() == 1);
    if (!Out.ToServer.empty()) {
      require(Out.ToServer.front() == Body);
      if (!M || !M->isRequest())
        return;
      std::string Answer = llvm::formatv("{{\"id\": {0}, \"result\": {1}}", *M->id(),
                                         Results[Turn++ % std::size(Results)]);
      ProxyOutput Back = Proxy.fromServer(Answer);
      require(Back.ToServer.empty() && Back.ToClient.size() == 1);
      require(isAnswerTo(*M->id(), Back.ToClient.front()));
    } else if (M && M->isRequest()) {
      require(isAnswerTo(*M->id(), Out.ToClient.front()));
    } else {
      require(!M || !M->isOfProtocol()); // and is told so
    }
  };
  Send(begun());
  Send(opened(Uri, Source));
  Steps Of(Bytes, Uri);
  while (std::optional<std::string> Body = Of.next())
    Send(std::move(*Body));
}

/// However a stream is cut, and whatever stood before: a message that is framed arrives.
void runFrames(StringRef Bytes) {
  FrameReader Cut;
  for (StringRef Rest = Bytes; !Rest.empty();) {
    size_t Length = 1 + static_cast<unsigned char>(Rest.front()) % 7;
    Cut.add(Rest.take_front(Length));
    Rest = Rest.drop_front(std::min(Length, Rest.size()));
    while (Cut.next())
      ;
  }
  FrameReader Whole;
  std::string Stream = framed(Bytes) + framed("{}");
  for (size_t At = 0; At < Stream.size(); At += 5)
    Whole.add(StringRef(Stream).substr(At, 5));
  require(Whole.next() == Bytes.str() && Whole.next() == std::string("{}") && !Whole.next());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 1)
    return 0;
  StringRef Bytes(reinterpret_cast<const char *>(Data) + 1, Size - 1);
  switch (Data[0] % 4) {
  case 0:
    runFrames(Bytes);
    break;
  case 1:
    runYaml(Bytes, "native.yaml", Native);
    break;
  case 2:
    runYaml(Bytes, "demo.yaml", Demo);
    break;
  default:
    runProxy(Bytes);
  }
  return 0;
}
