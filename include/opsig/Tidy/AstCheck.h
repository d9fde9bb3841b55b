//===- AstCheck.h - Checks what a host of Clang parsed ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ASTContext + ParseErrors x SchemasOfFile => findings => places in the host's SourceManager
//
// What the module of clang-tidy and the compiler plugin share; they differ in how they report.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TIDY_ASTCHECK_H
#define OPSIG_TIDY_ASTCHECK_H

#include "opsig/Frontend/FromAst.h"
#include "opsig/Tidy/SchemaCache.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include <map>

namespace opsig {

/// Whether a translation unit can hold anything that is checked: without PyTorch's namespaces it
/// cannot, and then schemas need not be read.
bool mentionsTorch(clang::ASTContext &Context);

/// The folder of the main file, absolute; "" where the main file is none on disk (stdin).
std::string mainFileFolder(const clang::SourceManager &SM);

/// The findings of one translation unit.
struct AstFindings {
  /// The texts that findings point into: the schemas', and of the sources what the host has read,
  /// which need not be what is on disk.
  SourceFiles Files;
  Findings Diags;

  explicit AstFindings(const CheckedSchemas &Schemas) : Files(&Schemas.Schemas->Files) {}
};

/// Checks the main file by itself (Scope::Unit) against usable schemas. Leaves out what the
/// project or a comment in the source suppresses. Finds nothing after a fatal error: Clang does not
/// look at types properly any more then. Returns what was read; nothing of it is parsed after such
/// an error.
UnitFacts checkAst(clang::ASTContext &Context, const ParseErrors &Errors, const SchemasOfFile &Of,
                   AstFindings &Hits);

/// Takes fixes away from all findings whose edits overlap those of an earlier one, be it that they
/// are the same: an edit of a declaration and its definition belongs to the findings at both. For
/// hosts that apply the fixes of all findings at once.
std::vector<Finding> withFixesOnce(llvm::ArrayRef<Finding> Diags);

/// Says where in the host's SourceManager something is. Files that the host did not read, as YAML
/// files, are read into it.
class HostPlaces {
public:
  HostPlaces(clang::SourceManager &SM, const SourceFiles &Files) : SM(SM), Files(Files) {}

  /// Invalid where \p At is, or where its file cannot be read.
  clang::SourceLocation location(const Place &At);
  clang::CharSourceRange range(const Place &At);
  /// Nothing where one of \p Fixes is in no file of the host.
  std::vector<clang::FixItHint> fixIts(llvm::ArrayRef<Fix> Fixes);

private:
  clang::FileID fileId(SourceId File);

  clang::SourceManager &SM;
  const SourceFiles &Files;
  std::map<SourceId, clang::FileID> Known;
};

} // namespace opsig

#endif
