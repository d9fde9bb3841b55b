//===- FromAst.h - A finished parse => UnitFacts ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ASTContext + what the parse ran into => UnitFacts
//
// For every program that has Clang parse a file: opsig check (Parse.cpp), the module of clang-tidy,
// the compiler plugin. Function bodies may be there or not.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_FROMAST_H
#define OPSIG_FRONTEND_FROMAST_H

#include "opsig/Frontend/Parse.h"
#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class ASTContext;
class Decl;
class Diagnostic;
class FileManager;
class SourceManager;
} // namespace clang

namespace opsig {

/// What Clang said about a stretch of the main file.
struct ClangError {
  uint32_t Offset;
  /// The parser lost its way, so that what it made of the surroundings is a guess.
  bool Syntax;
};

/// A part of the main file that a condition of the preprocessor leaves out.
struct SkippedLines {
  uint32_t Begin, End;
  bool hold(uint32_t Offset) const { return Offset >= Begin && Offset < End; }
};

/// Whether code that includes \p Name wants a header of PyTorch.
bool isTorchHeaderName(llvm::StringRef Name);

/// Whether Clang's error \p Id says that a definition is not what its class declares.
bool isMismatch(unsigned Id);

/// The folder, absolute, that has \p File under the \p Name of a header of PyTorch; "" where it is
/// none.
std::string torchFolderOf(llvm::StringRef Name, clang::FileEntryRef File,
                          clang::FileManager &Manager);

/// What a parse ran into; a host that cannot know some of it leaves it empty.
struct ParseErrors {
  std::vector<ClangError> InMainFile;
  /// There was one in the body of a function that stands in a header.
  bool InHeaderBody = false;
  unsigned Count = 0;
  std::string First; ///< "file:line:column: message"
  /// As written in #include, in order, each once.
  std::vector<std::string> MissingHeaders;
  /// UnitFacts::TorchFolders.
  std::vector<std::string> TorchFolders;
  /// What was not compiled, in order.
  std::vector<SkippedLines> Skipped;
  /// Some error is what C++20 has and the standard in use lacks.
  bool WantsCpp20 = false;

  /// Takes in a diagnostic of Clang of level error or above. A mismatch between an out-of-line
  /// definition and its class does not count: that is what a check reports in its own words.
  void add(const clang::Diagnostic &Error);
  /// The same for one in a body without which all declarations are what they are: it is in
  /// InMainFile, but does not count. \p IsTold: it may be First.
  void addWithinBody(const clang::Diagnostic &Error, bool IsTold = true);
  void addMissingHeader(llvm::StringRef Name);
  /// Takes in that `#include <Name>` is \p File.
  void addInclude(llvm::StringRef Name, clang::FileEntryRef File, clang::FileManager &Manager);
  void addTorchFolder(llvm::StringRef Folder);
};

/// Which places of a translation unit are in files of the project: those in the main file and in
/// headers that ParseOptions::IsProjectFile takes.
class ProjectPlaces {
public:
  ProjectPlaces(const clang::SourceManager &SM, const ParseOptions &Options)
      : SM(SM), IsProjectFile(Options.IsProjectFile) {}

  bool contain(clang::SourceLocation At);
  bool contain(const clang::Decl &D);
  /// The files of the project that were read, each once, in the order of their first inclusion.
  std::vector<clang::FileID> files();

private:
  const clang::SourceManager &SM;
  std::function<bool(llvm::StringRef)> IsProjectFile;
  llvm::DenseMap<clang::FileID, bool> Known;
};

/// The top level declarations of the project, in source order. Loads nothing from a precompiled
/// header.
std::vector<clang::Decl *> projectDecls(const clang::ASTContext &Context,
                                        const ParseOptions &Options);

/// Reads the kernels of the main file and the library blocks of all of \p TopLevel, declarations of
/// the project. Of \p Options only what to look for, and where, counts. UnitFacts::MainFile
/// is \p MainFile.
UnitFacts translationUnitFromAst(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> TopLevel,
                                 llvm::StringRef MainFile, const ParseOptions &Options,
                                 const ParseErrors &Errors);

} // namespace opsig

#endif
