//===- MakeSharedPch.cpp - headers => their AST, without bodies ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Invocation.h"
#include "Parse/SharedPchInternal.h"
#include "opsig/Support/JsonText.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace clang;
namespace json = llvm::json;

bool opsig::takesSharedPch(CompilerInvocation &Invocation) {
  const PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  const FrontendOptions &Frontend = Invocation.getFrontendOpts();
  return Options.Includes.empty() && Options.MacroIncludes.empty() &&
         Options.ImplicitPCHInclude.empty() && Options.PCHThroughHeader.empty() &&
         Frontend.Inputs.size() == 1 && Frontend.ModuleFiles.empty() &&
         Invocation.getHeaderSearchOpts().PrebuiltModuleFiles.empty();
}

bool opsig::replaceInput(CompilerInvocation &Invocation, StringRef Text) {
  if (!takesSharedPch(Invocation))
    return false;
  FrontendInputFile &Input = Invocation.getFrontendOpts().Inputs.front();
  Input = FrontendInputFile(llvm::MemoryBufferRef(Text, "opsig-prefix"), Input.getKind());
  return true;
}

namespace {

/// Clang itself would print how many the base class has counted.
class ErrorCounter : public DiagnosticConsumer {
public:
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &) override {
    Count += Level >= DiagnosticsEngine::Error;
  }
  unsigned Count = 0;
};

/// What one making works on.
struct Making {
  SharedPch Out;
  std::shared_ptr<PCHBuffer> Buffer = std::make_shared<PCHBuffer>();
  ParseErrors Errors;
  ReadLines Lines;
  bool Missed = false;
};

class SharedPchIncludes : public GraphWriter {
public:
  SharedPchIncludes(Preprocessor &PP, Making &M)
      : GraphWriter(PP, M.Out.Headers), M(M), Files(PP.getFileManager()) {}

  void InclusionDirective(SourceLocation Hash, const Token &Tok, StringRef Name, bool Angled,
                          CharSourceRange Range, OptionalFileEntryRef File, StringRef Search,
                          StringRef Relative, const Module *Suggested, bool Imported,
                          SrcMgr::CharacteristicKind Is) override {
    GraphWriter::InclusionDirective(Hash, Tok, Name, Angled, Range, File, Search, Relative,
                                    Suggested, Imported, Is);
    if (File)
      M.Errors.addInclude(Name, *File, Files);
  }
  bool FileNotFound(StringRef) override { return M.Missed = true; }

private:
  Making &M;
  FileManager &Files;
};

class SharedPchGenerator : public PCHGenerator {
public:
  SharedPchGenerator(CompilerInstance &Compiler, Making &M)
      : PCHGenerator(Compiler.getPreprocessor(), Compiler.getModuleCache(), "", "", M.Buffer,
                     Compiler.getCodeGenOpts(), {}),
        PP(Compiler.getPreprocessor()), M(M) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    markNamespaces(Group);
    return PCHGenerator::HandleTopLevelDecl(Group);
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    GraphWriter(PP, M.Out.Headers).finish();
    PCHGenerator::HandleTranslationUnit(Context);
  }

private:
  Preprocessor &PP;
  Making &M;
};

class SharedPchAction : public ASTFrontendAction {
public:
  SharedPchAction(Making &M) : M(M) {}

private:
  bool PrepareToExecuteAction(CompilerInstance &Compiler) override {
    resolveForReading(Compiler);
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<SharedPchIncludes>(Compiler.getPreprocessor(), M));
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<LineWatch>(Compiler.getPreprocessor(), M.Lines));
    return std::make_unique<SharedPchGenerator>(Compiler, M);
  }
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

  Making &M;
};

} // namespace

std::optional<SharedPch> opsig::makeSharedPch(const ParseJob &Job, const ParseOptions &Options,
                                              const SharedPchText &Of, FileStates &States) {
  std::string Text;
  for (const LeadingMacro &Macro : Of.Macros)
    Text += "#define " + Macro.Text + "\n";
  for (const IncludeSpelling &Header : Of.Headers)
    Text += Header.directive();
  Making M;
  M.Out.Macros = Of.Macros.vec();
  FileTrace Trace(States);
  ErrorCounter Errors;
  std::string WhyNot =
      runClang(Job, Options,
               {[&] { return std::make_unique<SharedPchAction>(M); }, Errors,
                makeFileSystem(Options, &Trace),
                [&](CompilerInvocation &Invocation) { return replaceInput(Invocation, Text); }});
  if (!WhyNot.empty() || !M.Buffer->IsComplete || M.Missed || Errors.Count != 0)
    return std::nullopt;
  M.Out.Lines = M.Lines.hash();
  for (const std::vector<LeadingMacro> &More : Of.MaybeHarmless)
    if (makeNoDifference(Job, Options, More, Text, M.Out, Trace))
      M.Out.Harmless.push_back(More);
  if (Trace.torn())
    return std::nullopt;
  llvm::raw_string_ostream TraceOut(M.Out.Trace);
  Trace.write(TraceOut, nullptr);
  M.Out.TorchFolders = std::move(M.Errors.TorchFolders);
  M.Out.Ast = StringRef(M.Buffer->Data.data(), M.Buffer->Data.size());
  M.Out.Memory = M.Buffer;
  return std::move(M.Out);
}

void opsig::loadSharedPch(const SharedPch &P, ClangRun &Run) {
  // All readings share the bytes.
  std::string Name = "/opsig-prefix/" + P.Key + ".pch";
  auto Own = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Own->addFileNoOwn(Name, 0, llvm::MemoryBufferRef(P.Ast, Name));
  auto Both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(Run.Files));
  Both->pushOverlay(std::move(Own));
  Run.Files = std::move(Both);
  Run.Adjust = [Name](CompilerInvocation &Invocation) {
    PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
    Options.ImplicitPCHInclude = Name;
    // The trace has hashes of all that is in it.
    Options.DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH;
    return true;
  };
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

static json::Array macrosToJson(ArrayRef<LeadingMacro> Macros) {
  json::Array Out;
  for (const LeadingMacro &Macro : Macros)
    Out.push_back(json::Array{Macro.Name, Macro.Text});
  return Out;
}

std::string opsig::sharedPchToText(const SharedPch &P) {
  json::Array Files, Harmless;
  for (const IncludeGraph::File &File : P.Headers.Files)
    Files.push_back(json::Object{{"name", File.Name}, {"includes", json::Array(File.Includes)}});
  for (ArrayRef<LeadingMacro> Macros : P.Harmless)
    Harmless.push_back(macrosToJson(Macros));
  std::string Facts;
  llvm::raw_string_ostream FactsOut(Facts);
  FactsOut << json::Value(json::Object{{"files", std::move(Files)},
                                       {"macros", macrosToJson(P.Macros)},
                                       {"harmless", std::move(Harmless)},
                                       {"ast", hashOf(P.Ast)},
                                       {"words", int64_t(P.Headers.Words.size())},
                                       {"torch-folders", json::Array(P.TorchFolders)}});
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  OS << P.Trace.size() << '\n' << Facts.size() << '\n' << P.Trace << Facts;
  for (const std::vector<uint64_t> &Hashes : {P.Headers.Words, P.Headers.Pasted})
    OS.write(reinterpret_cast<const char *>(Hashes.data()), Hashes.size() * sizeof(uint64_t));
  return Out;
}

static bool readMacros(const json::Array &List, std::vector<LeadingMacro> &Out) {
  for (const json::Value &Item : List) {
    const json::Array *Pair = Item.getAsArray();
    if (!Pair || Pair->size() != 2 || !(*Pair)[0].getAsString() || !(*Pair)[1].getAsString())
      return false;
    Out.push_back({(*Pair)[0].getAsString()->str(), (*Pair)[1].getAsString()->str()});
  }
  return true;
}

static bool readMacroSets(const json::Array &List, std::vector<std::vector<LeadingMacro>> &Out) {
  return llvm::all_of(List, [&](const json::Value &Item) {
    const json::Array *Macros = Item.getAsArray();
    return Macros && readMacros(*Macros, Out.emplace_back());
  });
}

static bool readFiles(const json::Array &List, IncludeGraph &Out) {
  for (const json::Value &Item : List) {
    const json::Object *O = Item.getAsObject();
    std::optional<StringRef> Name = O ? O->getString("name") : std::nullopt;
    const json::Array *Includes = O ? O->getArray("includes") : nullptr;
    IncludeGraph::File File;
    if (!Name || !Includes || llvm::sys::fs::getUniqueID(*Name, File.Id))
      return false;
    File.Name = Name->str();
    for (const json::Value &Index : *Includes) {
      std::optional<int64_t> I = Index.getAsInteger();
      if (!I || *I < 0 || size_t(*I) >= List.size())
        return false;
      File.Includes.push_back(*I);
    }
    // Two names have become one file.
    if (!Out.Indices.try_emplace(File.Id, Out.Files.size()).second)
      return false;
    Out.Files.push_back(std::move(File));
  }
  return true;
}

static void readHashes(StringRef Text, uint64_t NumWords, IncludeGraph &Out) {
  std::vector<uint64_t> All(Text.size() / sizeof(uint64_t));
  memcpy(All.data(), Text.data(), All.size() * sizeof(uint64_t));
  auto Words = ArrayRef(All).take_front(NumWords);
  Out.Words = Words.vec();
  Out.Pasted = ArrayRef(All).drop_front(Words.size()).vec();
}

std::optional<SharedPch> opsig::sharedPchFromText(StringRef Text, FileStates &States,
                                                  const FileTrace::Question &IsProjectFile) {
  size_t TraceSize, FactsSize;
  if (Text.consumeInteger(10, TraceSize) || !Text.consume_front("\n") ||
      Text.consumeInteger(10, FactsSize) || !Text.consume_front("\n") || TraceSize > Text.size() ||
      FactsSize > Text.size() - TraceSize)
    return std::nullopt;
  SharedPch Out;
  Out.Trace = Text.take_front(TraceSize);
  if (!FileTrace::holds(Out.Trace, States, nullptr))
    return std::nullopt;
  llvm::Expected<json::Value> Facts = parseJson(Text.substr(TraceSize, FactsSize));
  if (!Facts) {
    llvm::consumeError(Facts.takeError());
    return std::nullopt;
  }
  const json::Object *O = Facts->getAsObject();
  const json::Array *Files = O ? O->getArray("files") : nullptr;
  const json::Array *Macros = O ? O->getArray("macros") : nullptr;
  const json::Array *Harmless = O ? O->getArray("harmless") : nullptr;
  const json::Array *Folders = O ? O->getArray("torch-folders") : nullptr;
  std::optional<StringRef> Ast = O ? O->getString("ast") : std::nullopt;
  std::optional<int64_t> NumWords = O ? O->getInteger("words") : std::nullopt;
  if (!Ast || !NumWords || *NumWords < 0 || !Files || !Macros || !Harmless || !Folders ||
      !readFiles(*Files, Out.Headers) || !readMacros(*Macros, Out.Macros) ||
      !readMacroSets(*Harmless, Out.Harmless))
    return std::nullopt;
  Out.AstHash = Ast->str();
  for (const json::Value &Folder : *Folders)
    if (std::optional<StringRef> Name = Folder.getAsString())
      Out.TorchFolders.push_back(Name->str());
  // Whose files they are may have changed.
  if (IsProjectFile && llvm::any_of(Out.Headers.Files, [&](const IncludeGraph::File &File) {
        return IsProjectFile(File.Name);
      }))
    return std::nullopt;
  readHashes(Text.drop_front(TraceSize + FactsSize), *NumWords, Out.Headers);
  return Out;
}
