//===- UnitSpansInternal.h - Source ranges as spans of a unit's files --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_DECLS_UNITSPANSINTERNAL_H
#define OPSIG_LIB_FRONTEND_DECLS_UNITSPANSINTERNAL_H

#include "Decls/KernelInternal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace opsig {

/// Turns source ranges into spans of a UnitFacts's files.
class UnitSpans {
public:
  /// \p Errors are those of the main file. Without \p Project, only system headers are others'.
  UnitSpans(clang::ASTContext &Context, UnitFacts &Unit, llvm::ArrayRef<ClangError> Errors = {},
            ProjectPlaces *Project = nullptr);

  /// The file text that stands for a token range; invalid where a macro is in the way.
  Span span(clang::SourceRange Range);
  /// The same, but invalid also where the range is an argument of a macro.
  Span fixed(clang::SourceRange Range);
  /// As span(), or else the use of the macro.
  Span use(clang::SourceRange Range);
  /// One byte at a spelling location; invalid where it is in no file.
  Span byte(clang::SourceLocation At);
  llvm::StringRef text(Span S) const;
  /// The parser lost its way between the name of the function and what follows its parameters, so
  /// that they are a guess; or it may have skipped another function of that name.
  bool isGarbled(const clang::FunctionDecl &F);
  /// The parser lost its way in front of a declaration or statement that mentions \p Name, so that
  /// it may have skipped a declaration of that name.
  bool maySkip(llvm::StringRef Name);
  /// Whether the compiler found an error in or right behind a part of the main file.
  bool hasError(Span S, bool OnlySyntax = false) const;
  /// Whether the declaration stands in a file that is none of the project.
  bool isForeign(const clang::Decl &D) const;
  /// Whether it is spelled in a file outside of the project that is not named as code: the project
  /// can include any file, but not have it shown.
  bool isForeignText(clang::SourceLocation At);
  /// The path of the file it stands in, absolute.
  std::string fileOf(const clang::Decl &D) const;
  /// Adds \p Name to the custom classes that kernels use.
  void useClass(std::string Name);
  clang::ASTContext &context() { return Context; }
  const TypeNames &names() const { return Unit.Names; }

private:
  uint32_t fileIndex(clang::FileID File);

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  UnitFacts &Unit;
  llvm::ArrayRef<ClangError> Errors;
  ProjectPlaces *Project;
  /// See maySkip; filled when it is first asked for.
  std::optional<llvm::StringSet<>> Skipped;
  llvm::DenseMap<clang::FileID, uint32_t> Indices;
  llvm::DenseMap<uint32_t, clang::FileID> Files;
  llvm::DenseMap<clang::FileID, bool> ForeignTexts;
};

/// "at::Tensor" as written, in one line.
std::string inOneLine(llvm::StringRef Text);

} // namespace opsig

#endif
