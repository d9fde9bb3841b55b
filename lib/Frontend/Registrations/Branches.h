//===- Branches.h - Visiting statements with the branches around them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (a) { if (b) return; m.def("f"); } else { m.def("f"); }`
//   => the first def() is in branches 1 and 3, the second in branch 4
// A branch that always ends in an exception leaves the other one no condition.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_BRANCHES_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_BRANCHES_H

#include "Registrations/AlwaysThrows.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace opsig {

/// Which branches a walk through a function is in. What stands behind a statement that may leave
/// the function, a loop or a switch is a branch of its own.
class BranchTracker {
public:
  enum Kind : uint8_t { Branch, Loop, Switch, Function, Unreached };

  /// \p Last: the last number in use.
  explicit BranchTracker(uint32_t &Last) : Last(Last) {}

  void enter(Kind Is) { Levels.push_back({Is, Current.size(), false}); }
  void leave() {
    Level Left = Levels.back();
    Levels.pop_back();
    Current.resize(Left.Outside);
    if (Left.MayExit)
      begin();
  }
  void begin() { Current.push_back(++Last); }

  /// A statement that leaves the innermost level for which \p IsTarget holds.
  template <typename Predicate> void exit(Predicate IsTarget) {
    for (Level &L : llvm::reverse(Levels)) {
      if (IsTarget(L.Is) || L.Is == Unreached)
        break;
      L.MayExit = true;
    }
    begin();
  }

  /// A `case`, which the code in front of it may or may not lead to.
  void nextCase() {
    if (Levels.empty() || Levels.back().Is != Switch) {
      Jumps = true;
      return;
    }
    Current.resize(Levels.back().Outside);
    begin();
  }

  /// Code that is left, or entered, at places that were not followed.
  void jump() { Jumps = true; }

  const BranchPath &path() const { return Current; }
  bool hasJumps() const { return Jumps; }

private:
  struct Level {
    Kind Is;
    size_t Outside; ///< how many branches are around it
    bool MayExit;   ///< what stands behind it may not run
  };

  uint32_t &Last;
  BranchPath Current;
  std::vector<Level> Levels;
  bool Jumps = false;
};

/// A visitor that knows the branches around what it visits.
template <typename Derived> class BranchVisitor : public clang::RecursiveASTVisitor<Derived> {
  using Visitor = clang::RecursiveASTVisitor<Derived>;

public:
  BranchVisitor(uint32_t &LastBranch, const clang::ASTContext &Context)
      : Branches(LastBranch), Context(Context) {}

  bool TraverseIfStmt(clang::IfStmt *S) {
    bool GoOn = traverseAll({S->getInit(), S->getConditionVariableDeclStmt(), S->getCond()});
    bool IsThenOnly = alwaysThrows(S->getElse(), Context);
    bool IsElseOnly = !IsThenOnly && alwaysThrows(S->getThen(), Context);
    return GoOn && (IsThenOnly ? traverse(S->getThen()) : inBranch(S->getThen())) &&
           (IsElseOnly ? traverseAll({S->getElse()}) : inBranch(S->getElse()));
  }
  bool TraverseCompoundStmt(clang::CompoundStmt *S,
                            typename Visitor::DataRecursionQueue * = nullptr) {
    bool GoOn = true, IsReached = true;
    for (clang::Stmt *Each : S->body()) {
      // A label may be reached from elsewhere.
      if (!IsReached && clang::isa<clang::SwitchCase, clang::LabelStmt>(Each)) {
        Branches.leave();
        IsReached = true;
      }
      GoOn = GoOn && traverse(Each);
      if (IsReached && alwaysThrows(Each, Context)) {
        IsReached = false;
        Branches.enter(BranchTracker::Unreached);
        Branches.begin();
      }
    }
    if (!IsReached)
      Branches.leave();
    return GoOn;
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator *E) {
    return traverseAll({E->getCond()}) && inBranch(E->getTrueExpr()) && inBranch(E->getFalseExpr());
  }
  bool TraverseBinaryOperator(clang::BinaryOperator *E,
                              typename Visitor::DataRecursionQueue *Queue = nullptr) {
    if (!E->isLogicalOp())
      return Visitor::TraverseBinaryOperator(E, Queue);
    return traverseAll({E->getLHS()}) && inBranch(E->getRHS());
  }

  bool TraverseForStmt(clang::ForStmt *S) { return inLoop(S, &Visitor::TraverseForStmt); }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *S) {
    return inLoop(S, &Visitor::TraverseCXXForRangeStmt);
  }
  bool TraverseWhileStmt(clang::WhileStmt *S) { return inLoop(S, &Visitor::TraverseWhileStmt); }
  /// It runs once at least, which macros rely on: `do { ... } while (0)`.
  bool TraverseDoStmt(clang::DoStmt *S) {
    Branches.enter(BranchTracker::Loop);
    bool GoOn = Visitor::TraverseDoStmt(S);
    Branches.leave();
    return GoOn;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt *S) {
    bool GoOn = traverseAll({S->getInit(), S->getConditionVariableDeclStmt(), S->getCond()});
    Branches.enter(BranchTracker::Switch);
    Branches.begin();
    GoOn = GoOn && traverseAll({S->getBody()});
    Branches.leave();
    return GoOn;
  }
  bool TraverseCXXTryStmt(clang::CXXTryStmt *S) {
    bool GoOn = inBranch(S->getTryBlock());
    for (unsigned I = 0; GoOn && I < S->getNumHandlers(); ++I)
      GoOn = inBranch(S->getHandler(I));
    return GoOn;
  }
  /// Whoever has it may call it, and as often as he wants.
  bool TraverseLambdaExpr(clang::LambdaExpr *E) {
    Branches.enter(BranchTracker::Function);
    if (!CalledAtOnce.contains(E))
      Branches.begin();
    bool GoOn = Visitor::TraverseLambdaExpr(E);
    Branches.leave();
    return GoOn;
  }

  /// `[&] { ... }()`
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *Call) {
    if (Call->getOperator() == clang::OO_Call)
      if (const auto *Lambda =
              clang::dyn_cast<clang::LambdaExpr>(Call->getArg(0)->IgnoreUnlessSpelledInSource()))
        CalledAtOnce.insert(Lambda);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt *) {
    Branches.exit([](BranchTracker::Kind Is) { return Is == BranchTracker::Function; });
    return true;
  }
  bool VisitBreakStmt(clang::BreakStmt *) {
    Branches.exit([](BranchTracker::Kind Is) {
      return Is == BranchTracker::Loop || Is == BranchTracker::Switch;
    });
    return true;
  }
  bool VisitContinueStmt(clang::ContinueStmt *) {
    Branches.exit([](BranchTracker::Kind Is) { return Is == BranchTracker::Loop; });
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase *) {
    Branches.nextCase();
    return true;
  }
  bool VisitLabelStmt(clang::LabelStmt *) {
    Branches.jump();
    return true;
  }

protected:
  bool traverse(clang::Stmt *S) { return static_cast<Derived *>(this)->TraverseStmt(S); }
  bool traverseAll(std::initializer_list<clang::Stmt *> All) {
    return llvm::all_of(All, [&](clang::Stmt *S) { return !S || traverse(S); });
  }
  bool inBranch(clang::Stmt *S) {
    Branches.enter(BranchTracker::Branch);
    Branches.begin();
    bool GoOn = !S || traverse(S);
    Branches.leave();
    return GoOn;
  }

  BranchTracker Branches;
  const clang::ASTContext &Context;

private:
  template <typename StmtType, typename Traverse> bool inLoop(StmtType *S, Traverse T) {
    Branches.enter(BranchTracker::Loop);
    Branches.begin();
    bool GoOn = (static_cast<Derived *>(this)->*T)(S, nullptr);
    Branches.leave();
    return GoOn;
  }

  llvm::SmallPtrSet<const clang::LambdaExpr *, 4> CalledAtOnce;
};

} // namespace opsig

#endif
