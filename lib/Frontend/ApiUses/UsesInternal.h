//===- UsesInternal.h - The steps from an AST to uses of an API ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// preprocessor => includes, macros (WatchMacros.cpp)
//   + names, calls, types of the project's declarations (CollectUses.cpp), in files as they are
//     spelled (SpelledPlaces.cpp), options of factories (ReadOptions.cpp), what is done with
//     pointers (PointerReads.cpp)
//   => ApiUse*, each spelling once
// blocks of pybind11's, bodies that use it (PythonModules.cpp) => PythonModule*, PythonUse*
// operators that the dispatcher is asked for (OperatorLookups.cpp) => OperatorLookup*
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_APIUSES_USESINTERNAL_H
#define OPSIG_LIB_FRONTEND_APIUSES_USESINTERNAL_H

#include "Decls/UnitSpansInternal.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Frontend/FromAst.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/MapVector.h"

namespace clang {
class MacroInfo;
class Preprocessor;
} // namespace clang

namespace opsig {

/// What the preprocessor met in files of the project.
struct MacroUses {
  struct Expansion {
    clang::SourceLocation At; ///< where the name is spelled
    std::string Name, Header;
    bool InMacro = false;
  };
  struct Inclusion {
    clang::SourceRange At; ///< from the hash to the name
    std::string Name;
    clang::CharSourceRange Written; ///< with its quotes
  };
  struct Definition {
    std::string Name;
    clang::SourceRange At; ///< from the name to the last token of the body
    bool Expanded = false;
  };
  std::vector<Expansion> Expansions;
  std::vector<Inclusion> Inclusions;
  std::vector<clang::SourceRange> Skipped;
  /// Macros of the project, by what Clang knows each as.
  llvm::MapVector<const clang::MacroInfo *, Definition> Defined;
};

/// Fills \p Out, which has to live as long as \p PP.
std::unique_ptr<clang::PPCallbacks> watchMacros(clang::Preprocessor &PP, ProjectPlaces &Project,
                                                MacroUses &Out);

/// Adds the uses in \p TopLevel, declarations of the project, and those of \p Macros to \p Unit.
void collectUses(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                 const MacroUses &Macros, ProjectPlaces &Project, UnitFacts &Unit);

/// Adds the operators that code in \p TopLevel asks the dispatcher for to \p Unit.
void collectLookups(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                    const ParseErrors &Errors, ProjectPlaces &Project, UnitFacts &Unit);

/// Adds what pybind11 is used for in \p TopLevel to \p Unit.
void collectPythonModules(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                          ProjectPlaces &Project, UnitFacts &Unit);

/// The header of PyTorch's that \p At is in, as it is included: "ATen/ATen.h"; "" for others.
std::string torchHeader(clang::SourceLocation At, const clang::SourceManager &SM);

/// Source ranges as they are spelled in files of the project, also in what macros of the project
/// are defined as, and in arguments of macros.
class SpelledPlaces {
public:
  SpelledPlaces(clang::ASTContext &Context, ProjectPlaces &Project, UnitSpans &Spans)
      : Context(Context), SM(Context.getSourceManager()), Project(Project), Spans(Spans) {}

  /// Invalid where no one file of the project holds all of it in one piece.
  Span span(clang::SourceRange Range);
  /// As what is written instead of \p Beside can use it: in the body of a macro, an argument is the
  /// parameter that stands for it, as in `x.dim()`.
  Span spanBeside(clang::SourceLocation Next, clang::SourceRange Range);
  /// Between the parentheses that open behind \p After; invalid without.
  Span parenthesized(clang::SourceLocation After);
  /// Between brackets "(" or "{" at \p Open.
  Span between(clang::SourceLocation Open, clang::SourceLocation Close);
  /// Where text is separated by commas outside of brackets.
  std::vector<Span> split(Span List);
  /// Between the parentheses that follow the name spelled at \p Name.
  Span argumentsOf(clang::SourceLocation Name);
  bool isInMacroBody(clang::SourceLocation At) const;
  llvm::StringRef text(Span S) { return Spans.text(S); }

private:
  clang::SourceLocation spelled(clang::SourceLocation At) const;
  clang::SourceLocation written(clang::SourceLocation At) const;
  /// The parameter in \p Body that the tokens of \p Range are all of the argument for; itself,
  /// where it stands there. Invalid where it is neither.
  clang::SourceRange inBody(clang::FileID Body, clang::SourceRange Range) const;

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  ProjectPlaces &Project;
  UnitSpans &Spans;
};

/// Reads a chain such as `x.options().dtype(t)`, with its parts as a rewrite at \p Beside can copy
/// them. Not Known where something else is in it.
ApiOptions readOptions(const clang::Expr &E, clang::SourceLocation Next, SpelledPlaces &Places);
/// Whether \p T is at::TensorOptions.
bool isTensorOptions(clang::QualType T);

/// Whether nothing is written through the pointer that \p E is, for all that can be seen.
bool isOnlyRead(const clang::Expr &E, clang::ASTContext &Context);

} // namespace opsig

#endif
