//===- MakeSharedPch.cpp - headers => their AST, without bodies ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Invocation.h"
#include "Parse/SharedPchInternal.h"
#include "opsig/Support/JsonText.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace clang;
namespace json = llvm::json;

bool opsig::takesSharedPch(CompilerInvocation &Invocation) {
  const PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  const FrontendOptions &Frontend = Invocation.getFrontendOpts();
  return Options.MacroIncludes.empty() && Options.ImplicitPCHInclude.empty() &&
         Options.PCHThroughHeader.empty() && Frontend.Inputs.size() == 1 &&
         Frontend.ModuleFiles.empty() &&
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
  /// SignatureTypes, and whether one of them has an error, so that they are better left alone.
  bool CompletesTypes = true, TypesFailed = false;
  SharedPch Out;
  ErrorCounter Errors;
  std::shared_ptr<PCHBuffer> Buffer = std::make_shared<PCHBuffer>();
  std::shared_ptr<HeaderTokens> Tokens = std::make_shared<HeaderTokens>();
  ReadLines Lines;
  bool Missed = false;
};

class SharedPchIncludes : public GraphWriter {
public:
  SharedPchIncludes(Preprocessor &PP, Making &M)
      : GraphWriter(PP, M.Out.Headers), PP(PP), M(M), Files(PP.getFileManager()) {}

  void InclusionDirective(SourceLocation Hash, const Token &Tok, StringRef Name, bool Angled,
                          CharSourceRange Range, OptionalFileEntryRef File, StringRef Search,
                          StringRef Relative, const Module *Suggested, bool Imported,
                          SrcMgr::CharacteristicKind Is) override {
    GraphWriter::InclusionDirective(Hash, Tok, Name, Angled, Range, File, Search, Relative,
                                    Suggested, Imported, Is);
    OptionalFileEntryRef From =
        PP.getSourceManager().getFileEntryRefForID(PP.getSourceManager().getFileID(Hash));
    if (!File || !From)
      return;
    // It may have been there before.
    IncludeGraph::File &Includer = M.Out.Headers.Files[M.Out.Headers.add(*From, Files)];
    if (Includer.FoundIn.size() < Includer.Includes.size())
      Includer.FoundIn.push_back(folderNumber(torchFolderOf(Name, *File, Files)));
  }
  bool FileNotFound(StringRef) override { return M.Missed = true; }

private:
  uint32_t folderNumber(StringRef Folder) {
    if (Folder.empty())
      return 0;
    std::vector<std::string> &All = M.Out.TorchFolders;
    auto It = llvm::find(All, Folder);
    size_t Number = It - All.begin() + 1;
    if (It == All.end())
      All.push_back(Folder.str());
    return Number;
  }

  Preprocessor &PP;
  Making &M;
  FileManager &Files;
};

/// Types of templates that many declarations of the headers take and return. They are only named
/// there; each file that defines such a function would make the whole class again.
class SignatureTypes {
public:
  explicit SignatureTypes(Sema &S) : S(S) {}

  void completeFrequent() {
    count(*S.Context.getTranslationUnitDecl());
    for (auto [Type, Count] : Counts)
      if (Count >= LeastCount)
        S.isCompleteType(Type->getLocation(), S.Context.getCanonicalTagType(Type));
  }

private:
  /// About as many as there are files for which the headers are made.
  static constexpr unsigned LeastCount = 8;

  void count(const DeclContext &Within) {
    for (const Decl *D : Within.noload_decls()) {
      if (const auto *F = dyn_cast<FunctionDecl>(D); F && !F->isDependentContext()) {
        count(F->getReturnType());
        for (const ParmVarDecl *Param : F->parameters())
          count(Param->getType());
      } else if (isa<NamespaceDecl, LinkageSpecDecl>(D)) {
        count(*cast<DeclContext>(D));
      }
    }
  }

  void count(QualType Type) {
    auto *Of = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        Type.getNonReferenceType()->getAsCXXRecordDecl());
    if (Of && !Of->hasDefinition() && hasCompleteArguments(*Of))
      ++Counts[Of];
  }

  /// What is made of a type that has no definition yet would not be what the file makes of it.
  static bool hasCompleteArguments(const ClassTemplateSpecializationDecl &Of) {
    return llvm::all_of(Of.getTemplateArgs().asArray(), isComplete);
  }
  static bool isComplete(const TemplateArgument &Argument) {
    if (Argument.getKind() == TemplateArgument::Pack)
      return llvm::all_of(Argument.pack_elements(), isComplete);
    if (Argument.getKind() != TemplateArgument::Type)
      return true;
    const CXXRecordDecl *Record = Argument.getAsType()->getAsCXXRecordDecl();
    const auto *Of = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Record);
    return !Record || Record->hasDefinition() || (Of && hasCompleteArguments(*Of));
  }

  Sema &S;
  llvm::MapVector<ClassTemplateSpecializationDecl *, unsigned> Counts;
};

class SharedPchGenerator : public PCHGenerator {
public:
  SharedPchGenerator(CompilerInstance &Compiler, Making &M)
      : PCHGenerator(Compiler.getPreprocessor(), Compiler.getModuleCache(), "", "", M.Buffer,
                     Compiler.getCodeGenOpts(), {}),
        Compiler(Compiler), PP(Compiler.getPreprocessor()), M(M) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    markNamespaces(Group);
    return PCHGenerator::HandleTopLevelDecl(Group);
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    GraphWriter(PP, M.Out.Headers).finish();
    unsigned NumErrors = M.Errors.Count;
    if (M.CompletesTypes && NumErrors == 0)
      SignatureTypes(Compiler.getSema()).completeFrequent();
    M.TypesFailed = M.Errors.Count > NumErrors;
    PCHGenerator::HandleTranslationUnit(Context);
  }

private:
  CompilerInstance &Compiler;
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
    Compiler.getPreprocessor().addPPCallbacks(
        watchHeaderTokens(Compiler.getPreprocessor(), *M.Tokens));
    return std::make_unique<SharedPchGenerator>(Compiler, M);
  }
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

  Making &M;
};

} // namespace

static std::optional<SharedPch> make(const ParseJob &Job, const ParseOptions &Options,
                                     const SharedPchText &Of, FileStates &States, Making &M) {
  std::string Text;
  for (const LeadingMacro &Macro : Of.Macros)
    Text += "#define " + Macro.Text + "\n";
  for (const IncludeSpelling &Header : Of.Headers)
    Text += Header.directive();
  M.Out.Macros = Of.Macros.vec();
  FileTrace Trace(States);
  std::string WhyNot =
      runClang(Job, Options,
               {[&] { return std::make_unique<SharedPchAction>(M); }, M.Errors,
                makeFileSystem(Options, &Trace),
                [&](CompilerInvocation &Invocation) { return replaceInput(Invocation, Text); }});
  if (!WhyNot.empty() || !M.Buffer->IsComplete || M.Missed || M.Errors.Count != 0)
    return std::nullopt;
  M.Out.Lines = M.Lines.hash();
  M.Out.Tokens = std::move(M.Tokens);
  for (const std::vector<LeadingMacro> &More : Of.MaybeHarmless)
    if (makeNoDifference(Job, Options, More, Text, M.Out, Trace))
      M.Out.Harmless.push_back(More);
  if (Trace.torn())
    return std::nullopt;
  llvm::raw_string_ostream TraceOut(M.Out.Trace);
  Trace.write(TraceOut, nullptr);
  M.Out.setAst(StringRef(M.Buffer->Data.data(), M.Buffer->Data.size()), M.Buffer);
  return std::move(M.Out);
}

std::optional<SharedPch> opsig::makeSharedPch(const ParseJob &Job, const ParseOptions &Options,
                                              const SharedPchText &Of, FileStates &States) {
  Making First;
  std::optional<SharedPch> Made = make(Job, Options, Of, States, First);
  if (Made || !First.TypesFailed)
    return Made;
  Making Second;
  Second.CompletesTypes = false;
  return make(Job, Options, Of, States, Second);
}

static constexpr llvm::StringLiteral AstName = "/opsig-prefix/headers.pch";

void SharedPch::setAst(StringRef Bytes, std::shared_ptr<void> Keeper) {
  Ast = Bytes;
  Memory = std::move(Keeper);
  auto Own = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Own->addFileNoOwn(AstName, 0, llvm::MemoryBufferRef(Ast, AstName));
  Files = std::move(Own);
}

namespace {

/// Files of several readings at a time, each of which has a working folder of its own.
class SharedFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override { return Working; }
  std::error_code setCurrentWorkingDirectory(const llvm::Twine &Path) override {
    Working = Path.str();
    return {};
  }

private:
  std::string Working;
};

} // namespace

void opsig::loadSharedPch(const SharedPch &P, ClangRun &Run) {
  Run.Files = overlaid(std::move(Run.Files), llvm::makeIntrusiveRefCnt<SharedFiles>(P.Files));
  Run.Adjust = [](CompilerInvocation &Invocation) {
    PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
    Options.ImplicitPCHInclude = AstName.str();
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

static json::Array tokensToJson(const SharedPch &P, const llvm::sys::fs::UniqueID &File) {
  json::Array Out;
  if (auto It = P.Tokens->find(File); It != P.Tokens->end())
    for (uint64_t Hash : It->second)
      Out.push_back(int64_t(Hash));
  return Out;
}

/// The hash of the folder that some of its headers are in; "" for none. Its AST names them.
static std::string boundTo(const SharedPch &P, const MovablePaths &Paths) {
  auto IsBelow = [&](StringRef Path) { return Paths.areIn(Path); };
  bool Bound = llvm::any_of(P.TorchFolders, IsBelow) ||
               llvm::any_of(P.Headers.Files,
                            [&](const IncludeGraph::File &File) { return IsBelow(File.Name); });
  return Bound ? hashOf(Paths.folder()) : "";
}

std::string opsig::sharedPchToText(const SharedPch &P, StringRef AstSeal,
                                   const MovablePaths &Paths) {
  json::Array Files, Harmless;
  for (const IncludeGraph::File &File : P.Headers.Files)
    Files.push_back(json::Object{{"name", File.Name},
                                 {"tokens", tokensToJson(P, File.Id)},
                                 {"includes", json::Array(File.Includes)},
                                 {"found-in", json::Array(File.FoundIn)}});
  for (ArrayRef<LeadingMacro> Macros : P.Harmless)
    Harmless.push_back(macrosToJson(Macros));
  std::string Facts;
  llvm::raw_string_ostream FactsOut(Facts);
  FactsOut << json::Value(json::Object{{"files", std::move(Files)},
                                       {"macros", macrosToJson(P.Macros)},
                                       {"harmless", std::move(Harmless)},
                                       {"ast", AstSeal},
                                       {"folder", boundTo(P, Paths)},
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

/// Numbers up to \p Most.
static bool readNumbers(const json::Array &List, uint64_t Most, std::vector<uint32_t> &Out) {
  return llvm::all_of(List, [&](const json::Value &Item) {
    std::optional<int64_t> Number = Item.getAsInteger();
    if (!Number || *Number < 0 || uint64_t(*Number) > Most)
      return false;
    Out.push_back(*Number);
    return true;
  });
}

static bool readTokens(const json::Array &List, std::vector<uint64_t> &Out) {
  return llvm::all_of(List, [&](const json::Value &Item) {
    std::optional<int64_t> Hash = Item.getAsInteger();
    Out.push_back(uint64_t(Hash.value_or(0)));
    return Hash.has_value();
  });
}

static bool readFiles(const json::Array &List, size_t NumFolders, IncludeGraph &Out,
                      HeaderTokens &AllTokens) {
  for (const json::Value &Item : List) {
    const json::Object *O = Item.getAsObject();
    std::optional<StringRef> Name = O ? O->getString("name") : std::nullopt;
    const json::Array *Includes = O ? O->getArray("includes") : nullptr;
    const json::Array *FoundIn = O ? O->getArray("found-in") : nullptr;
    const json::Array *Tokens = O ? O->getArray("tokens") : nullptr;
    IncludeGraph::File File;
    if (!Name || !Includes || !FoundIn || !Tokens || llvm::sys::fs::getUniqueID(*Name, File.Id) ||
        !readNumbers(*Includes, List.size() - 1, File.Includes) ||
        !readNumbers(*FoundIn, NumFolders, File.FoundIn) ||
        File.FoundIn.size() != File.Includes.size() ||
        (!Tokens->empty() && !readTokens(*Tokens, AllTokens[File.Id])))
      return false;
    File.Name = Name->str();
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
  auto AllTokens = std::make_shared<HeaderTokens>();
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
  std::optional<StringRef> Folder = O ? O->getString("folder") : std::nullopt;
  std::optional<int64_t> NumWords = O ? O->getInteger("words") : std::nullopt;
  if (!Folder || (!Folder->empty() && *Folder != hashOf(States.paths().folder())))
    return std::nullopt;
  if (!Ast || !NumWords || *NumWords < 0 || !Files || !Macros || !Harmless || !Folders ||
      !readFiles(*Files, Folders->size(), Out.Headers, *AllTokens) ||
      !readMacros(*Macros, Out.Macros) || !readMacroSets(*Harmless, Out.Harmless))
    return std::nullopt;
  Out.AstSeal = Ast->str();
  Out.Tokens = std::move(AllTokens);
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
