//===- FlowInternal.h - The steps from a body to its flow -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// statement by statement, with what each variable holds there   (FlowStatements.cpp)
//   => expression => value                                      (FlowExpressions.cpp)
//   => calls, operators, constructors => FlowCall, FlowWrite    (FlowCalls.cpp)
//   => structs that keep pointers                                (FlowStructs.cpp)
//   => which functions write through a pointer, or may           (FlowPointers.cpp)
//   => values that nothing needs are dropped                    (BodyFlow.cpp)
// which ways lead through a body (BodyPaths.cpp)
//   => calls that none of them avoids, with the function's own arguments  (HandedCalls.cpp), where
//      no parameter holds another tensor by then    (TensorChanges.cpp)
//      and the dispatcher chooses as it did before  (DispatchChanges.cpp)
//   => what backward functions return                                     (Gradients.cpp)
// numbers, by themselves                                        (NumberUses.cpp, SizeUses.cpp)
//
// An expression that none of these knows loses its values from sight (FunctionFlow::Escapes), so
// that a construct which is not understood leads to silence, not to a wrong finding.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_BODIES_FLOWINTERNAL_H
#define OPSIG_LIB_FRONTEND_BODIES_FLOWINTERNAL_H

#include "Decls/UnitSpansInternal.h"
#include "Registrations/RegistrationInternal.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/FromAst.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace clang {
class CFG;
class CFGBlock;
} // namespace clang

namespace opsig {

class FlowTypes;

/// Adds what the kernels of \p Unit do, as far as their bodies stand among \p TopLevel.
void collectFlows(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                  const ParseErrors &Errors, ProjectPlaces &Project, UnitFacts &Unit);

/// What the body of \p F takes its parameters for that are numbers.
std::vector<FlowNumber> readNumberUses(const clang::FunctionDecl &F, const clang::Stmt &Body,
                                       UnitSpans &Spans);

/// What it does with the sizes and elements of parameters that are tensors.
std::vector<FlowNumber> readSizeUses(const clang::FunctionDecl &F, const clang::Stmt &Body,
                                     UnitSpans &Spans, FlowTypes &Types);

/// A function, or a template of one, of the project whose body collectFlows() may need.
bool needsBodyForFlow(const clang::Decl &D, ProjectPlaces &Project);

/// The ways through a body, as far as constant conditions and functions that never return tell.
class BodyPaths {
public:
  BodyPaths(const clang::FunctionDecl &F, const clang::Stmt &Body);
  ~BodyPaths();

  /// Some way leads to \p S.
  bool reach(const clang::Stmt &S) const;
  /// No way comes to the end of the body, other than by an exception, without \p S. False where
  /// that is not known.
  bool allPass(const clang::Stmt &S) const { return allPass({&S}); }
  /// The same of several statements: each way leads past one of them.
  bool allPass(llvm::ArrayRef<const clang::Stmt *> OneOf) const;

private:
  const clang::CFGBlock *blockOf(const clang::Stmt &S) const;
  /// The end, or \p To, can be reached without passing one of \p Avoided.
  bool leads(const clang::CFGBlock &To, llvm::ArrayRef<const clang::CFGBlock *> Avoided) const;

  std::unique_ptr<clang::CFG> Graph;
};

/// Both are written in one file.
bool areInOneFile(const clang::FunctionDecl &L, const clang::FunctionDecl &R);

/// FunctionFlow::Handed of functions of one unit; what they call is read once.
class HandedCalls {
public:
  struct Functions;

  HandedCalls(UnitSpans &Spans, FlowTypes &Types);
  ~HandedCalls();

  std::vector<FlowCall> of(const clang::FunctionDecl &F, const clang::Stmt &Body);

private:
  std::unique_ptr<Functions> Known;
};

/// Adds the autograd functions among \p TopLevel, declarations of the project, to \p Unit.
void collectGradients(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                      const ParseErrors &Errors, UnitFacts &Unit);

/// The argument that a function without a body of the project's writes through, whatever it is
/// given; -1 where none is known.
int writtenArgument(llvm::StringRef Name);
/// Methods of tensors that are no operators, or whose schema does not say so, and give what shares
/// the tensor's memory.
bool givesMemory(llvm::StringRef Method);
/// The type of parameter \p Index, as it is declared, is a pointer to elements that may be written.
bool isWritablePointer(const clang::FunctionDecl &F, unsigned Index);
bool isWritablePointer(clang::QualType T);

/// Where a struct keeps a tensor or a pointer: the members on the way there.
using MemberPath = llvm::SmallVector<const clang::FieldDecl *, 2>;

/// Which types hold tensors or point into them.
class FlowTypes {
public:
  bool carries(clang::QualType T);
  /// Of a plain struct, or a reference to one; none of any other type.
  llvm::ArrayRef<MemberPath> members(clang::QualType T);
  std::optional<unsigned> memberIndex(clang::QualType T,
                                      llvm::ArrayRef<const clang::FieldDecl *> Path);
  /// A tensor, a list or an optional of tensors; no pointer and no accessor.
  bool isTensorLike(clang::QualType T);

private:
  bool compute(clang::QualType T);
  bool addMembers(const clang::CXXRecordDecl &Record, const MemberPath &Way,
                  std::vector<MemberPath> &Out);
  llvm::DenseMap<const clang::Type *, bool> Known;
  std::map<const clang::Type *, std::vector<MemberPath>> MembersOf; ///< items stay where they are
};

/// at::Tensor or its base, or that of the stable ABI.
bool isTensorClass(clang::QualType T);

/// What the variables hold at one point of a body.
struct FlowState {
  llvm::MapVector<const clang::ValueDecl *, FlowIndex> Held;
  /// No way leads here.
  bool Dead = false;
};

/// Reads one body into \p Out.
class FlowReader {
public:
  /// Fills Flow, or else Symbol, of a call of a function.
  using Follow = llvm::function_ref<void(const clang::FunctionDecl &, FlowCall &)>;

  FlowReader(UnitSpans &Spans, FlowTypes &Types, FunctionFlow &Out, Follow Callee)
      : Spans(Spans), Types(Types), Out(Out), Callee(Callee) {}

  void read(const clang::FunctionDecl &F, const clang::Stmt &Body);

private:
  /// Where break and continue lead.
  struct Jumps {
    std::vector<FlowState> Breaks, Continues;
    bool IsLoop = false;
    /// Of a switch: what holds before its cases.
    FlowState Entry;
    bool HasDefault = false;
  };
  /// A lambda's body.
  struct LambdaFrame {
    std::vector<FlowIndex> Returned;
    size_t Target; ///< of its returns
  };

  // FlowStatements.cpp
  void statement(const clang::Stmt *S);
  void statements(const clang::Stmt *S);
  void compound(const clang::CompoundStmt &S);
  /// An error may have taken an assignment out of the body: every variable may hold something else.
  void doubt();
  void declare(const clang::VarDecl &Var);
  void declareParts(const clang::DecompositionDecl &Whole, FlowIndex Value);
  void ifStatement(const clang::IfStmt &S);
  void switchStatement(const clang::SwitchStmt &S);
  void tryStatement(const clang::CXXTryStmt &S);
  void rangeFor(const clang::CXXForRangeStmt &S);
  void returnStatement(const clang::ReturnStmt &S);
  void once(const clang::Stmt &Body);
  void repeat(llvm::function_ref<void()> Body);
  void join(const FlowState &Other);

  // FlowExpressions.cpp
  FlowIndex expression(const clang::Expr *E);
  FlowIndex unknown(const clang::Stmt *E);
  FlowIndex cast(const clang::CastExpr &E);
  FlowIndex unary(const clang::UnaryOperator &E);
  FlowIndex binary(const clang::BinaryOperator &E);
  FlowIndex conditional(const clang::AbstractConditionalOperator &E);
  FlowIndex initList(const clang::InitListExpr &E);
  FlowIndex lambda(const clang::LambdaExpr &E);
  FlowIndex subscript(const clang::ArraySubscriptExpr &E);
  /// What \p Index of a list is; of a tensor, a view of it.
  FlowIndex element(FlowIndex Whole, const clang::Expr *Index);
  /// \p Target becomes \p Value, or an element is assigned.
  void assign(const clang::Expr *Target, FlowIndex Value, const clang::Expr *At);
  /// The memory behind \p Target, an element, is changed.
  void change(const clang::Expr *Target, const clang::Expr *At);
  /// The list in the variable that \p List leads to holds \p Value, too.
  void addTo(const clang::Expr *List, FlowIndex Value);

  // FlowCalls.cpp
  FlowIndex call(const clang::CallExpr &E);
  FlowIndex operatorCall(const clang::CXXOperatorCallExpr &E);
  FlowIndex assignment(const clang::CXXOperatorCallExpr &E);
  FlowIndex memberCall(const clang::CXXMemberCallExpr &E);
  FlowIndex tensorMethod(const clang::CXXMemberCallExpr &E, FlowIndex Object);
  FlowIndex containerMethod(const clang::CXXMemberCallExpr &E, FlowIndex Object);
  FlowIndex construct(const clang::CXXConstructExpr &E);
  /// A call of a function that has no meaning here by itself.
  FlowIndex record(const clang::CallExpr &E, const clang::FunctionDecl &Written,
                   const FlowIndex *Object);
  /// A call through a pointer: only the types of what it takes are known.
  FlowIndex indirectCall(const clang::CallExpr &E);
  std::optional<FlowIndex> standardCall(const clang::CallExpr &E, llvm::StringRef Name);
  llvm::SmallVector<FlowIndex, 4> arguments(llvm::ArrayRef<const clang::Expr *> Args);

  // FlowStructs.cpp
  struct StructMember {
    const clang::ValueDecl *Variable;
    unsigned Index; ///< among FlowTypes::members()
  };
  const clang::ValueDecl *structVariable(const clang::Expr *E);
  std::optional<StructMember> structMember(const clang::Expr *E);
  FlowIndex memberOf(FlowIndex Whole, unsigned Index);
  /// False where \p Target is no struct and no member of one.
  bool assignStruct(const clang::Expr *Target, FlowIndex Value);
  void loseStruct(const clang::Expr *E);
  bool isFlatList(const clang::InitListExpr &E);
  FlowIndex structList(const clang::InitListExpr &E);
  bool isStructCopy(const clang::CXXConstructExpr &E);
  void holdParameters(const clang::FunctionDecl &F);
  /// Adds what is in the struct \p Argument to \p Call, as parameters from number \p First on.
  void handStruct(const clang::Expr *Argument, FlowIndex Value, const clang::ParmVarDecl &P,
                  uint32_t First, FlowCall &Call);

  const clang::ValueDecl *slot(const clang::ValueDecl *D) const;
  FlowIndex held(const clang::ValueDecl *D) const;
  void hold(const clang::ValueDecl *D, FlowIndex Value) { State.Held[slot(D)] = Value; }

  FlowIndex add(FlowValue::Kind Is, uint32_t Index, std::vector<FlowIndex> From);
  FlowIndex oneOf(llvm::ArrayRef<FlowIndex> From);
  FlowIndex tuple(llvm::ArrayRef<FlowIndex> From);
  FlowIndex part(FlowIndex Whole, unsigned Index);
  FlowIndex ofOneCall(FlowIndex Value);
  FlowIndex ofAnyCall(FlowIndex Value);
  /// Something that is no parameter's, and still counts among what a variable may hold.
  FlowIndex fresh() { return add(FlowValue::Tuple, 0, {}); }
  void write(FlowIndex Value, const clang::Stmt *At);
  void escape(FlowIndex Value);

  UnitSpans &Spans;
  FlowTypes &Types;
  FunctionFlow &Out;
  Follow Callee;
  FlowState State;
  /// References that are another name of a variable.
  llvm::DenseMap<const clang::ValueDecl *, const clang::ValueDecl *> Aliases;
  std::vector<Jumps> Targets;
  std::vector<LambdaFrame> Lambdas;
};

/// Drops what no call, write or return needs.
void compactFlow(FunctionFlow &Flow);

} // namespace opsig

#endif
