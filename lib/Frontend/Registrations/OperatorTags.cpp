//===- OperatorTags.cpp - tags that are given to def() ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

/// The enumerators of at::Tag in an expression.
class TagFinder : public RecursiveASTVisitor<TagFinder> {
public:
  explicit TagFinder(ConstantValues &Values) : Values(Values) {}

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(Ref->getDecl())) {
      const auto *Enum = dyn_cast<EnumDecl>(Enumerator->getDeclContext());
      if (Enum && Enum->getName() == "Tag")
        Names.push_back(Enumerator->getNameAsString());
    } else if (isa<VarDecl>(Ref->getDecl())) {
      const Expr *Value = Values.valueOf(Ref).E;
      if (!Value || Value == underlying(Ref) || ++Variables > MostVariables)
        IsKnown = false;
      else
        TraverseStmt(const_cast<Expr *>(Value));
    }
    return IsKnown;
  }
  bool VisitCallExpr(CallExpr *) { return IsKnown = false; }
  bool VisitCXXThisExpr(CXXThisExpr *) { return IsKnown = false; }
  bool VisitConditionalOperator(ConditionalOperator *) { return IsKnown = false; }

  std::vector<std::string> Names;
  bool IsKnown = true;

private:
  static constexpr unsigned MostVariables = 64;
  ConstantValues &Values;
  unsigned Variables = 0;
};

} // namespace

std::optional<std::vector<std::string>> opsig::readTags(llvm::ArrayRef<Expr *> Args,
                                                        ConstantValues &Values) {
  TagFinder Finder(Values);
  for (Expr *Argument : Args)
    if (!isa<CXXDefaultArgExpr>(Argument))
      Finder.TraverseStmt(Argument);
  if (!Finder.IsKnown)
    return std::nullopt;
  llvm::sort(Finder.Names);
  Finder.Names.erase(llvm::unique(Finder.Names), Finder.Names.end());
  return std::move(Finder.Names);
}
