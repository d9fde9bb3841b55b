//===- RegistrationInternal.h - The steps from an AST to registrations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// top level declarations => blocks and the functions that fill them   (RegistrationBlocks.cpp)
//   => calls of def, impl, fallback, op => RegistrationEntry          (RegistrationEntries.cpp)
//   => what names in them stand for, loops over tables                (ConstantValues.cpp)
//   => string constants with their places                             (RegistrationText.cpp)
//   => at::Tag::...                                                   (OperatorTags.cpp)
//   => functions, lambdas => RegisteredKernel                         (RegistrationKernel.cpp)
//   => bodies of functions that get a stack => StackUse               (BoxedStack.cpp)
//   => class_<T> and its members => RegisteredClass                   (CustomClasses.cpp)
// all declarations => libraries that are made without a block         (LibraryObjects.cpp)
// what the linker gets, and what it is asked for                      (LinkedSymbols.cpp)
//
// Classes and functions of the library are known by their names and by the kinds of their
// arguments, not by their positions, so that one reading serves every release.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_REGISTRATIONINTERNAL_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_REGISTRATIONINTERNAL_H

#include "Decls/UnitSpansInternal.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {

class ConstantValues;

/// Looks through parentheses, conversions, temporaries and std::move.
const clang::Expr *underlying(const clang::Expr *E);

/// "torch::Library" of `torch::Library &`; "" for what is no class.
std::string className(clang::QualType T);

enum class LibraryClass : uint8_t { None, Torch, Stable };
/// What a block of TORCH_LIBRARY or STABLE_TORCH_LIBRARY is for the code in it, or a reference to
/// it.
LibraryClass libraryClass(clang::QualType T);
/// Whether \p Qualified is the class \p Name of the stable ABI, in any release.
bool isOfStableAbi(llvm::StringRef Qualified, llvm::StringRef Name);

/// Whether the function fills library blocks: it takes a reference to one.
bool takesLibrary(const clang::FunctionDecl &F);

/// A string constant, however it is wrapped: literals, a SelectiveStr, torch::schema(...), a
/// constant variable, what is joined of those. Nothing for anything else.
std::optional<LiteralText> readText(const clang::Expr *E, ConstantValues &Values);

/// The name of the dispatch key that \p E holds somewhere, as an enumerator of DispatchKey or
/// DeviceType; "" where there is none that is constant.
std::string readKey(const clang::Expr *E, ConstantValues &Values);
/// \p T is DispatchKey or DeviceType.
bool isKeyType(clang::QualType T);

/// The names of the tags that are given to def() by \p Args; none where that is no constant.
std::optional<std::vector<std::string>> readTags(llvm::ArrayRef<clang::Expr *> Args,
                                                 ConstantValues &Values);

/// The function among the arguments of a template; null if there is none.
const clang::FunctionDecl *functionOf(const clang::TemplateArgumentList &Template);

/// What is registered by \p E. Its own dispatch key, where it has one, goes into \p Entry.
void readKernel(const clang::Expr *E, RegistrationEntry &Entry, ConstantValues &Values);
/// The same in a block of the stable ABI, which has no keys of entries: a boxed function, or what
/// TORCH_BOX makes of a function.
RegisteredKernel stableKernel(const clang::Expr &E, ConstantValues &Values);
/// A function as the stable ABI calls it: it gets a stack and two numbers.
bool takesStack(const clang::FunctionDecl &F);
/// What the body of \p F, such a function, does with its stack; nothing where the body is not
/// there.
StackUse readStack(const clang::FunctionDecl &F, UnitSpans &Spans);
/// The function \p F as a kernel; \p Use is where it is registered.
RegisteredKernel functionKernel(const clang::FunctionDecl *F, Span Use, UnitSpans &Spans);
/// A functor or a lambda by its type: the one call operator of \p Class.
RegisteredKernel functorKernel(const clang::CXXRecordDecl *Class, Span Use, UnitSpans &Spans);

/// The branches around a call, outermost first. If those of another call begin with them, that one
/// runs only where this one does.
using BranchPath = std::vector<uint32_t>;

/// A function that gets the block handed on.
struct HandedBlock {
  const clang::FunctionDecl *To = nullptr;
  BranchPath Branches;
};

struct BlockCode {
  std::vector<RegistrationEntry> Entries; ///< in source order
  std::vector<BranchPath> Branches;       ///< around each of Entries
  std::vector<HandedBlock> HandedTo;
  /// False where something could not be read.
  bool Complete = true;
};

/// What \p Body does with its block. \p LastBranch: the last number that a branch of the block has.
BlockCode readEntries(const clang::Stmt *Body, ConstantValues &Values, uint32_t &LastBranch);
/// Says of each of \p Entries in which of the branches around them it is.
void numberBranches(llvm::MutableArrayRef<RegistrationEntry> Entries,
                    llvm::ArrayRef<BranchPath> Branches);

/// What an enumerator of torch::Library::Kind stands for.
std::optional<RegistrationBlock::Kind> blockKind(const clang::EnumConstantDecl *Kind);

/// Those of calls on \p Object itself; none where the code may make it another library.
std::vector<RegistrationEntry> readEntriesOf(const clang::ValueDecl &Object,
                                             const clang::Stmt *Code, ConstantValues &Values);
/// The first declaration of the variable, or of the member of `this`, that \p E names; null for
/// anything else.
const clang::ValueDecl *libraryNamed(const clang::Expr &E);
/// What the chain of \p Call, of def, impl or fallback on a torch::Library, begins with; null for
/// other calls.
const clang::Expr *filledLibrary(const clang::CallExpr &Call);

/// The entries of an initialiser with RegisterOperators in it. False if there is none in it.
bool readLegacyEntries(const clang::Expr *Init, ConstantValues &Values, RegistrationBlock &Block);

/// What a registration macro makes when it is written, by its name.
std::optional<RegistrationBlock::Kind> kindOfMacro(llvm::StringRef Name);
/// Adds the custom classes that \p Code, a block of \p Namespace or none (""), registers.
void readClasses(const clang::Stmt &Code, llvm::StringRef Namespace, ConstantValues &Values,
                 std::vector<RegisteredClass> &Out);
/// Adds the classes of the project's among the types of \p F to those that the unit uses.
void recordCustomClasses(const clang::FunctionDecl &F, UnitSpans &Spans);
/// How often the project's files, as they are written, may register one.
size_t countClassTemplates(clang::ASTContext &Context, ProjectPlaces &Project);

/// Adds the library blocks among \p TopLevel, declarations of the project, to \p Unit.
void collectRegistrations(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                          llvm::ArrayRef<ClangError> Errors, ProjectPlaces &Project,
                          UnitFacts &Unit);

/// Adds a block for each library that \p TopLevel makes without one, or fills without making it.
/// The variables of \p Legacy are blocks by themselves.
void collectLibraryObjects(llvm::ArrayRef<clang::Decl *> TopLevel, ProjectPlaces &Project,
                           const llvm::SmallPtrSetImpl<const clang::VarDecl *> &Legacy,
                           ConstantValues &Values, UnitFacts &Unit);

/// For which namespaces the files of \p Unit, as they are written, may register more than was read
/// of them. To be asked when the parse has ended, of a file with errors.
RegistrationReach registrationReach(clang::ASTContext &Context, ProjectPlaces &Project,
                                    const UnitFacts &Unit);

/// Adds the functions among \p TopLevel, declarations of the main file, that nothing can reach to
/// \p Unit.
void collectUnused(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                   UnitFacts &Unit);

/// RegisteredKernel::Symbol of the function \p F.
std::string neededSymbol(const clang::FunctionDecl &F, UnitSpans &Spans);

/// The mangled name by which other files call \p F, which is defined here; "" if they cannot.
std::string offeredSymbol(const clang::FunctionDecl &F, UnitSpans &Spans);

/// Adds what the functions among \p TopLevel, declarations of the project, are to the linker.
void collectSymbols(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                    UnitFacts &Unit);

/// What the bare text of the main file says.
struct FileWords {
  explicit FileWords(const clang::ASTContext &Context);

  llvm::StringMap<unsigned> Counts; ///< identifiers
  unsigned LastInclude = 0;         ///< offset of the last #include
};

/// Whether a call of `impl` or `def` stands between the braces that open behind \p At.
bool callsImplOrDef(clang::SourceLocation At, const clang::SourceManager &SM,
                    const clang::LangOptions &Options);
/// A function of the project whose body collectRegistrations() needs to find registrations.
bool fillsLibrary(const clang::Decl &D, ProjectPlaces &Project);
/// Where the files of a project have words that code has which makes a library without a block.
/// Each file is searched once.
class LibraryMentions {
public:
  /// The offset of the last one; npos if there is none.
  size_t last(clang::FileID File, const clang::SourceManager &SM);
  bool areInAny(ProjectPlaces &Project, const clang::SourceManager &SM);

private:
  llvm::DenseMap<clang::FileID, size_t> Last;
};
/// One that may make a library without a block, or fill one from elsewhere, as its text says.
bool makesLibrary(const clang::Decl &D, ProjectPlaces &Project, LibraryMentions &Mentions);
/// One whose body tells what a kernel takes from its stack.
bool isBoxedByHand(const clang::Decl &D, ProjectPlaces &Project);

} // namespace opsig

#endif
