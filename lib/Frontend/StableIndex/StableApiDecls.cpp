//===- StableApiDecls.cpp - what the stable headers declare -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decls/KernelInternal.h"
#include "Parse/Invocation.h"
#include "Parse/Preprocess.h"
#include "StableIndex/StableApiIndexInternal.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace opsig;
using namespace clang;

namespace {

constexpr llvm::StringLiteral ValueName = "opsig_surface_value_";

class DeclReader {
public:
  DeclReader(ASTContext &Context, const StableApiInput &Input, StableApiDecls &Out)
      : SM(Context.getSourceManager()), Policy(Context.getPrintingPolicy()), Out(Out) {
    Policy.SuppressInlineNamespace =
        llvm::to_underlying(PrintingPolicy::SuppressInlineNamespaceMode::All);
    Policy.Bool = true;
    FileManager &Files = SM.getFileManager();
    for (const std::string &Header : Input.Headers)
      if (auto File = Files.getOptionalFileRef(Input.Folder + "/" + Header))
        Headers[&File->getFileEntry()] = Header;
  }

  void read(const DeclContext &Scope) {
    for (const Decl *D : Scope.decls())
      readDecl(*D);
  }

private:
  void readDecl(const Decl &D) {
    if (const auto *E = dyn_cast<EnumDecl>(&D))
      readValues(*E);
    if (isa<LinkageSpecDecl>(D) || isa<NamespaceDecl>(D))
      return read(*cast<DeclContext>(&D));
    const std::string *Header = headerOf(D);
    if (!Header || D.isImplicit() || D.getAccess() == AS_private || D.getAccess() == AS_protected)
      return;
    if (const auto *Template = dyn_cast<TemplateDecl>(&D)) {
      if (const NamedDecl *Inner = Template->getTemplatedDecl())
        readNamed(*Inner, *Header);
    } else if (const auto *Named = dyn_cast<NamedDecl>(&D)) {
      readNamed(*Named, *Header);
    }
  }

  void readNamed(const NamedDecl &D, const std::string &Header) {
    if (const auto *F = dyn_cast<FunctionDecl>(&D)) {
      readFunction(*F, Header);
    } else if (const auto *Class = dyn_cast<CXXRecordDecl>(&D)) {
      if (isa<ClassTemplateSpecializationDecl>(Class) || Class->isInjectedClassName())
        return;
      add(D, StableKind::Class, Header);
      if (Class->isCompleteDefinition())
        read(*Class);
    } else if (const auto *Enum = dyn_cast<EnumDecl>(&D)) {
      add(D, StableKind::Enum, Header);
      for (const EnumConstantDecl *C : Enum->enumerators())
        add(*C, StableKind::Enumerator, Header);
    } else if (const auto *Alias = dyn_cast<TypedefNameDecl>(&D)) {
      add(D, StableKind::Alias, Header).Type = text(Alias->getUnderlyingType());
    } else if (const auto *Field = dyn_cast<FieldDecl>(&D)) {
      add(D, StableKind::Field, Header).Type = text(Field->getType());
    } else if (const auto *Variable = dyn_cast<VarDecl>(&D)) {
      add(D, StableKind::Variable, Header).Type = text(Variable->getType());
    } else if (const auto *Using = dyn_cast<UsingDecl>(&D)) {
      for (const UsingShadowDecl *Shadow : Using->shadows())
        readUsed(*Shadow, Header);
    }
  }

  void readFunction(const FunctionDecl &F, const std::string &Header) {
    if (isa<CXXDestructorDecl>(F) || isa<CXXDeductionGuideDecl>(F) || F.isDeleted())
      return;
    bool Exported = F.isExternC() && !F.isDefined() && F.hasExternalFormalLinkage();
    StableKind Is = isa<CXXMethodDecl>(F) ? StableKind::Method
                    : Exported            ? StableKind::Symbol
                                          : StableKind::Function;
    StableItem &Item = add(F, Is, Header);
    Item.Type = text(F.getType());
    Item.MinArgs = F.getMinRequiredArguments();
    Item.MaxArgs = F.isVariadic() ? ~0U : F.getNumParams();
    for (const ParmVarDecl *P : F.parameters())
      if (P->isParameterPack())
        Item.MaxArgs = ~0U;
  }

  /// What a using declaration brings in is of the kind that the other is.
  void readUsed(const UsingShadowDecl &Shadow, const std::string &Header) {
    const NamedDecl *To = Shadow.getTargetDecl();
    if (const auto *Template = dyn_cast<TemplateDecl>(To))
      To = Template->getTemplatedDecl();
    if (!To)
      return;
    std::optional<StableKind> Is;
    if (isa<FunctionDecl>(To))
      Is = StableKind::Function;
    else if (isa<EnumDecl>(To))
      Is = StableKind::Enum;
    else if (isa<TagDecl>(To))
      Is = StableKind::Class;
    else if (isa<TypedefNameDecl>(To))
      Is = StableKind::Alias;
    else if (isa<VarDecl>(To))
      Is = StableKind::Variable;
    if (!Is)
      return;
    StableItem &Item = add(Shadow, *Is, Header);
    Item.Type = qualifiedName(*To);
    if (const auto *F = dyn_cast<FunctionDecl>(To)) {
      Item.MinArgs = F->getMinRequiredArguments();
      Item.MaxArgs = F->getNumParams();
    }
  }

  StableItem &add(const NamedDecl &D, StableKind Is, const std::string &Header) {
    SourceLocation At = SM.getExpansionLoc(D.getLocation());
    StableItem Item;
    Item.Is = Is;
    Item.Name = Is == StableKind::Symbol ? D.getNameAsString() : qualifiedName(D);
    Item.Header = Header;
    Item.Line = SM.getExpansionLineNumber(At);
    Out.Decls.push_back({std::move(Item), SM.getFileOffset(At)});
    return Out.Decls.back().Item;
  }

  /// The enumerators that are written after the headers, one for each expression.
  void readValues(const EnumDecl &E) {
    for (const EnumConstantDecl *C : E.enumerators()) {
      StringRef Name = C->getIdentifier() ? C->getName() : "";
      unsigned Index = 0;
      if (Name.consume_front(ValueName) && !Name.getAsInteger(10, Index) &&
          Index < Out.Values.size())
        Out.Values[Index] = C->getInitVal().getZExtValue();
    }
  }

  const std::string *headerOf(const Decl &D) {
    FileID Id = SM.getFileID(SM.getExpansionLoc(D.getLocation()));
    auto [It, New] = Known.try_emplace(Id, nullptr);
    if (New)
      if (OptionalFileEntryRef File = SM.getFileEntryRefForID(Id))
        if (auto Header = Headers.find(&File->getFileEntry()); Header != Headers.end())
          It->second = &Header->second;
    return It->second;
  }

  std::string qualifiedName(const NamedDecl &D) const {
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    PrintingPolicy P = Policy;
    P.SuppressUnwrittenScope = true;
    D.printQualifiedName(Stream, P);
    return Text;
  }

  std::string text(QualType T) const { return T.getCanonicalType().getAsString(Policy); }

  SourceManager &SM;
  PrintingPolicy Policy;
  StableApiDecls &Out;
  std::map<const FileEntry *, std::string> Headers;
  std::map<FileID, const std::string *> Known;
};

class DeclConsumer : public ASTConsumer {
public:
  DeclConsumer(const StableApiInput &Input, StableApiDecls &Out, bool &Done)
      : Input(Input), Out(Out), Done(Done) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    DeclReader(Context, Input, Out).read(*Context.getTranslationUnitDecl());
    Done = true;
  }

private:
  const StableApiInput &Input;
  StableApiDecls &Out;
  bool &Done;
};

class DeclAction : public ASTFrontendAction {
public:
  DeclAction(const StableApiInput &Input, StableApiDecls &Out, bool &Done)
      : Input(Input), Out(Out), Done(Done) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    resolveForReading(Compiler);
    return std::make_unique<DeclConsumer>(Input, Out, Done);
  }

private:
  const StableApiInput &Input;
  StableApiDecls &Out;
  bool &Done;
};

} // namespace

std::optional<StableApiDecls> opsig::readStableApiDecls(const StableApiInput &Input,
                                                        StringRef Target,
                                                        const std::vector<std::string> &Values) {
  StableApiDecls Out;
  Out.Values.resize(Values.size());
  std::string Text = Input.text() + "enum : unsigned long long {\n";
  for (const auto &[Index, Value] : llvm::enumerate(Values))
    Text += (ValueName + llvm::Twine(Index) + " = " + Value + ",\n").str();
  Text += "};\n";
  bool Done = false;
  NoMessages Errors;
  ParseOptions Options;
  Options.Buffers.push_back({Input.mainFile(), Text});
  std::string WhyNot = runClang(Input.job(Target), Options,
                                {[&] { return std::make_unique<DeclAction>(Input, Out, Done); },
                                 Errors,
                                 makeFileSystem(Options),
                                 {}});
  return WhyNot.empty() && Done ? std::optional(std::move(Out)) : std::nullopt;
}
