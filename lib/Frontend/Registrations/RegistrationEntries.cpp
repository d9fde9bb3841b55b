//===- RegistrationEntries.cpp - calls that define and implement -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/Branches.h"
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>
#include <set>

using namespace opsig;
using namespace clang;

namespace {

/// The object that a call is made on and the name of what is called, also where no overload fits.
struct MemberUse {
  const Expr *Object = nullptr;
  std::string Name;
  SourceLocation At;
};

MemberUse memberUse(const Expr *Callee) {
  Callee = Callee->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    return {Member->getBase(), Member->getMemberDecl()->getNameAsString(), Member->getMemberLoc()};
  if (const auto *Member = dyn_cast<UnresolvedMemberExpr>(Callee);
      Member && !Member->isImplicitAccess())
    return {Member->getBase(), Member->getMemberName().getAsString(), Member->getMemberLoc()};
  return {};
}

LibraryClass libraryOf(const Expr *Object) {
  QualType T = Object->getType();
  return libraryClass(T->isPointerType() ? T->getPointeeType() : T);
}

bool isLibrary(const Expr *Object) { return libraryOf(Object) != LibraryClass::None; }

/// What a chain of calls on a library begins with.
const Expr *chainBegin(const Expr *Object) {
  while (true) {
    Object = Object->IgnoreParenImpCasts();
    const auto *Call = dyn_cast<CallExpr>(Object);
    const Expr *Before = Call ? memberUse(Call->getCallee()).Object : nullptr;
    if (!Before || !isLibrary(Before))
      return Object;
    Object = Before;
  }
}

bool isRegistering(StringRef Method) {
  return Method == "def" || Method == "impl" || Method == "impl_UNBOXED" || Method == "fallback";
}

bool isOfStd(const FunctionDecl &F) {
  return F.getDeclContext()->getEnclosingNamespaceContext()->isStdNamespace();
}

/// What was found, and where its name stands. Chained calls are visited last to first.
struct LocatedEntry {
  SourceLocation At;
  RegistrationEntry Entry;
  BranchPath Branches = {};
};
using LocatedEntries = std::vector<LocatedEntry>;

LocatedEntries inSourceOrder(LocatedEntries Found, const SourceManager &SM) {
  std::vector<size_t> Order(Found.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t A, size_t B) {
    if (Found[A].At == Found[B].At)
      return A < B;
    return SM.isBeforeInTranslationUnit(Found[A].At, Found[B].At);
  });
  LocatedEntries Out;
  for (size_t Index : Order)
    Out.push_back(std::move(Found[Index]));
  return Out;
}

class EntryReader : public BranchVisitor<EntryReader> {
public:
  EntryReader(ConstantValues &Values, uint32_t &LastBranch)
      : BranchVisitor(LastBranch, Values.spans().context()), Values(Values), Spans(Values.spans()),
        LastBranch(LastBranch) {}

  bool VisitCallExpr(CallExpr *Call) {
    llvm::ArrayRef<Expr *> Args(Call->getArgs(), Call->getNumArgs());
    if (MemberUse Use = memberUse(Call->getCallee()); Use.Object && isLibrary(Use.Object)) {
      if (isOfOnly(Use.Object))
        readMember(Use, Args, Call);
      return true;
    }
    noteReplaced(*Call);
    for (Expr *Argument : Args)
      if (isLibrary(Argument) && Argument->isLValue())
        handOn(Call->getDirectCallee());
    return true;
  }

  /// A call that no overload fits.
  bool VisitRecoveryExpr(RecoveryExpr *Broken) {
    llvm::ArrayRef<Expr *> Parts = Broken->subExpressions();
    MemberUse Use = Parts.empty() ? MemberUse() : memberUse(Parts.front());
    if (Use.Object && isLibrary(Use.Object)) {
      if (isOfOnly(Use.Object))
        readMember(Use, Parts.drop_front(), Broken);
    } else {
      Complete = false;
    }
    return true;
  }

  bool TraverseStmt(Stmt *S) { return IsRoundLeft || BranchVisitor::TraverseStmt(S); }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *S);
  bool TraverseIfStmt(IfStmt *S);
  bool TraverseSwitchStmt(SwitchStmt *S);
  bool TraverseDoStmt(DoStmt *S) {
    ++InnerLoops;
    bool GoOn = BranchVisitor::TraverseDoStmt(S);
    --InnerLoops;
    return GoOn;
  }
  bool VisitContinueStmt(ContinueStmt *S) {
    leaveRound(/*IsLast=*/false);
    return BranchVisitor::VisitContinueStmt(S);
  }
  bool VisitBreakStmt(BreakStmt *S) {
    leaveRound(/*IsLast=*/true);
    return BranchVisitor::VisitBreakStmt(S);
  }

  /// Of calls on other objects nothing is read.
  void readOnly(const ValueDecl &Object) { Only = &Object; }
  /// The object may be another library from some call on.
  bool isReplaced() const { return Replaced; }

  BlockCode take(const SourceManager &SM) {
    if (Branches.hasJumps())
      separateAll();
    BlockCode Out{{}, {}, std::move(HandedTo), Complete};
    for (LocatedEntry &Each : inSourceOrder(std::move(Found), SM)) {
      Out.Entries.push_back(std::move(Each.Entry));
      Out.Branches.push_back(std::move(Each.Branches));
    }
    return Out;
  }

private:
  bool isOfOnly(const Expr *Object) const {
    return !Only || libraryNamed(*chainBegin(Object)) == Only;
  }

  /// `lib = torch::Library(...)`, `std::swap(lib, other)`
  void noteReplaced(const CallExpr &Call) {
    const FunctionDecl *F = Call.getDirectCallee();
    bool MayAssign =
        isa<CXXOperatorCallExpr>(Call) || (F && F->getIdentifier() && isOfStd(*F) &&
                                           (F->getName() == "swap" || F->getName() == "exchange"));
    Replaced |= Only && MayAssign && llvm::any_of(Call.arguments(), [&](const Expr *Argument) {
                  return libraryNamed(*chainBegin(Argument)) == Only;
                });
  }

  void handOn(const FunctionDecl *F) {
    // The library's own functions take blocks, too, but fill none. A std::function may do anything.
    if (!F || Spans.isForeign(*F) || !takesLibrary(*F))
      Complete = Complete && F && (F->getBuiltinID() != 0 || !isOfStd(*F));
    else
      HandedTo.push_back({F, Branches.path()});
  }

  /// Behind a label nothing is known of the code before it.
  void separateAll() {
    for (LocatedEntry &Each : Found)
      Each.Branches = {++LastBranch};
    for (HandedBlock &Handed : HandedTo)
      Handed.Branches = {++LastBranch};
  }

  /// What a jump does that is in no branch but those that the row takes.
  void leaveRound(bool IsLast) {
    if (!Row || InnerLoops != 0 || Branches.path().size() != RoundDepth)
      return;
    IsRoundLeft = true;
    IsLastRound = IsLast;
  }
  void readRound(Stmt *Body, bool MayJump);
  template <typename Traverse> bool traverseOpen(Stmt *S, Traverse T);

  void readMember(const MemberUse &Use, llvm::ArrayRef<Expr *> Args, Expr *Call);
  static bool isKernelArgument(const Expr *Argument);

  ConstantValues &Values;
  UnitSpans &Spans;
  std::vector<HandedBlock> HandedTo;
  bool Complete = true;
  uint32_t &LastBranch;
  const ValueDecl *Only = nullptr; ///< as libraryNamed() has it
  bool Replaced = false;
  /// The row of the table that the innermost loop is at.
  const Expr *Row = nullptr;
  size_t Unrolled = 0;
  size_t RoundDepth = 0;    ///< how many branches are around it
  unsigned InnerLoops = 0;  ///< in it, that are no tables
  bool IsRoundLeft = false; ///< nothing else of it is run
  bool IsLastRound = false; ///< nor is any row behind it
  /// Only running the code would tell whether the row comes here.
  bool IsRowOpen = false;
  bool AreRowsOpen = false; ///< nor whether any other behind it does
  LocatedEntries Found;
};

/// What leaves a round of a loop early, so that not every round does what the code says.
class JumpFinder : public RecursiveASTVisitor<JumpFinder> {
public:
  explicit JumpFinder(Stmt *S) { TraverseStmt(S); }

  bool Found = false;
  bool LeavesLoop = false;
  bool VisitStmt(Stmt *S) {
    LeavesLoop |= isa<BreakStmt, ReturnStmt, GotoStmt>(S);
    Found |= LeavesLoop || isa<ContinueStmt>(S);
    return !LeavesLoop;
  }
};

/// A condition that asks for the row, and has no constant answer: what it decides may be done for
/// each row or for none.
template <typename Traverse> bool EntryReader::traverseOpen(Stmt *S, Traverse T) {
  bool Outer = std::exchange(IsRowOpen, true);
  bool GoOn = T();
  JumpFinder Jumps(S);
  IsRowOpen = Outer || Jumps.Found;
  AreRowsOpen |= Jumps.LeavesLoop;
  return GoOn;
}

bool EntryReader::TraverseIfStmt(IfStmt *S) {
  if (!Row || S->isConsteval() || !Values.isAboutRow(*S->getCond()))
    return BranchVisitor::TraverseIfStmt(S);
  if (std::optional<bool> Taken = Values.truthOf(S->getCond()))
    return traverseAll({S->getInit(), *Taken ? S->getThen() : S->getElse()});
  return traverseOpen(S, [&] { return BranchVisitor::TraverseIfStmt(S); });
}

bool EntryReader::TraverseSwitchStmt(SwitchStmt *S) {
  if (!Row || !Values.isAboutRow(*S->getCond()))
    return BranchVisitor::TraverseSwitchStmt(S);
  return traverseOpen(S, [&] { return BranchVisitor::TraverseSwitchStmt(S); });
}

void EntryReader::readRound(Stmt *Body, bool MayJump) {
  size_t OuterDepth = RoundDepth;
  unsigned OuterLoops = std::exchange(InnerLoops, 0);
  bool WasOpen = IsRowOpen;
  // What one row leaves out says nothing about the next one.
  Branches.enter(BranchTracker::Loop);
  if (MayJump)
    Branches.begin();
  RoundDepth = Branches.path().size();
  TraverseStmt(Body);
  Branches.leave();
  IsRoundLeft = false;
  IsRowOpen = WasOpen || AreRowsOpen;
  RoundDepth = OuterDepth;
  InnerLoops = OuterLoops;
}

/// A loop over a table that is constant does for each row what its body says.
bool EntryReader::TraverseCXXForRangeStmt(CXXForRangeStmt *S) {
  constexpr size_t MostRounds = 20000; // of loops in loops
  std::optional<std::vector<ConstantValue>> Rows = Values.rowsOf(S->getRangeInit());
  const VarDecl *Variable = S->getLoopVariable();
  if (!Rows || !Variable || Unrolled + Rows->size() > MostRounds)
    return BranchVisitor::TraverseCXXForRangeStmt(S);
  Unrolled += Rows->size();
  bool MayJump = JumpFinder(S->getBody()).Found;
  const Expr *Outer = Row;
  bool WasOpen = IsRowOpen, WereOpen = std::exchange(AreRowsOpen, false);
  for (ConstantValue &Each : *Rows) {
    Row = Each.E;
    Values.bind(*Variable, std::move(Each));
    readRound(S->getBody(), MayJump);
    if (std::exchange(IsLastRound, false))
      break;
  }
  IsRowOpen = WasOpen;
  AreRowsOpen = WereOpen;
  Values.release(*Variable);
  Row = Outer;
  return true;
}

/// It can be called.
static bool isFunctor(QualType T) {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() &&
         !Class->lookup(Class->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call))
              .empty();
}

/// Behind the kernel or instead of it there may be tags, and flags of newer releases.
bool EntryReader::isKernelArgument(const Expr *Argument) {
  const Expr *Inner = underlying(Argument);
  if (isa<InitListExpr>(Argument) || isa<InitListExpr>(Inner)) // of a functor, `Kernel{}`
    return isFunctor(Inner->getType());
  if (isa<CXXDefaultArgExpr, CXXStdInitializerListExpr>(Argument) ||
      isa<CXXStdInitializerListExpr>(Inner))
    return false;
  QualType T = Inner->getType().getNonReferenceType();
  if (T->getAsEnumDecl())
    return false;
  return className(T) != "std::vector";
}

void EntryReader::readMember(const MemberUse &Use, llvm::ArrayRef<Expr *> Args, Expr *Call) {
  RegistrationEntry Entry;
  if (Use.Name == "def")
    Entry.Is = RegistrationEntry::Def;
  else if (Use.Name == "impl" || Use.Name == "impl_UNBOXED")
    Entry.Is = RegistrationEntry::Impl;
  else if (Use.Name == "fallback")
    Entry.Is = RegistrationEntry::Fallback;
  else
    return; // class_ and what else newer releases have
  Entry.At = Spans.use(Row && !IsRowOpen ? Row->getSourceRange() : Call->getSourceRange());
  if (Entry.Is != RegistrationEntry::Fallback) {
    if (Args.empty())
      return;
    // A name that was not selected at compile time registers nothing.
    if (const auto *Class = underlying(Args.front())->getType()->getAsCXXRecordDecl())
      if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Class);
          Special && scopeName(*Class) == "torch::detail::SelectiveStr" &&
          Special->getTemplateArgs()[0].getKind() == TemplateArgument::Integral &&
          Special->getTemplateArgs()[0].getAsIntegral() == 0)
        return;
    std::optional<LiteralText> Text = readText(Args.front(), Values);
    if (Text && !IsRowOpen) {
      Entry.Text = std::move(*Text);
      Entry.TextKnown = true;
    } else {
      Complete = false;
    }
    Args = Args.drop_front();
  }
  if (!Args.empty() && isKeyType(underlying(Args.front())->getType())) {
    Entry.Key = readKey(Args.front(), Values);
    Entry.KeyUnknown = Entry.Key.empty();
    Args = Args.drop_front();
  }
  // Of a call with errors Clang keeps what it could read: a key that does not exist is gone.
  if (isa<RecoveryExpr>(Call) && Entry.Key.empty() && Spans.text(Entry.At).contains("ispatch")) {
    if (Spans.hasError(Entry.At, /*OnlySyntax=*/true)) { // its name may be half typed
      Complete = false;
      return;
    }
    Entry.KeyUnknown = true;
  }
  bool IsKernelGiven = !Args.empty() && isKernelArgument(Args.front());
  if (Entry.Is == RegistrationEntry::Def && !isa<RecoveryExpr>(Call))
    Entry.Tags = readTags(IsKernelGiven ? Args.drop_front() : Args, Values);
  if (libraryOf(Use.Object) == LibraryClass::Stable && Args.size() == 1)
    Entry.Kernel = stableKernel(*Args.front(), Values);
  else if (IsKernelGiven)
    readKernel(Args.front(), Entry, Values);
  else if (isa<RecoveryExpr>(Call) && !StringRef(Entry.Text.Value).contains('('))
    // Clang drops arguments that it cannot read; a name by itself does not stand without a kernel.
    Entry.Kernel.Is = RegisteredKernel::Unread;
  else if (Entry.Is != RegistrationEntry::Def)
    Complete = false;
  Found.push_back({Use.At, std::move(Entry), Branches.path()});
}

//===- RegisterOperators -----------------------------------------------------===//

bool isLegacyClass(QualType T) { return className(T) == "c10::RegisterOperators"; }

class LegacyReader : public RecursiveASTVisitor<LegacyReader> {
public:
  LegacyReader(ConstantValues &Values, RegistrationBlock &Block)
      : Values(Values), Spans(Values.spans()), Block(Block) {}

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || !isLegacyClass(Call->getObjectType()))
      return true;
    if (Method->getNameAsString() == "op")
      readOp({Call->getArgs(), Call->getNumArgs()}, Call, Call->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    if (!isLegacyClass(Construct->getType()))
      return true;
    IsLegacy = true;
    llvm::ArrayRef<Expr *> Args(Construct->getArgs(), Construct->getNumArgs());
    if (Args.size() >= 2 && readText(Args[0], Values))
      readOp(Args, Construct, Construct->getLocation());
    return true;
  }
  bool VisitRecoveryExpr(RecoveryExpr *) {
    Block.Complete = false;
    return true;
  }

  void finish(const SourceManager &SM) {
    Block.Entries.clear();
    for (LocatedEntry &Each : inSourceOrder(std::move(Found), SM))
      Block.Entries.push_back(std::move(Each.Entry));
  }

  bool IsLegacy = false;

private:
  void readOp(llvm::ArrayRef<Expr *> Args, const Expr *Call, SourceLocation At);
  void readOptions(const Expr *E, LiteralText &Text, bool &TextKnown,
                   std::vector<RegistrationEntry> &Kernels);
  void readOption(const CXXMemberCallExpr &Call, std::vector<RegistrationEntry> &Kernels);

  ConstantValues &Values;
  UnitSpans &Spans;
  RegistrationBlock &Block;
  LocatedEntries Found;
};

/// The class that `.kernel<Functor>(...)` and `.kernel(..., lambda)` take their signature from.
const CXXRecordDecl *functorOf(const TemplateArgumentList &Template) {
  const TemplateArgument &First = Template[0];
  return First.getKind() == TemplateArgument::Type
             ? First.getAsType().getNonReferenceType()->getAsCXXRecordDecl()
             : nullptr;
}

/// `.kernel<Functor>()` wants a class derived from c10::OperatorKernel, `.kernel(lambda)` a lambda
/// without captures; anything else does not compile.
void refuseObject(const CXXRecordDecl &Class, bool IsFunctor, RegisteredKernel &K) {
  if (!K.hasSignature())
    return;
  auto IsOther = [](const CXXRecordDecl *Base) {
    return scopeName(*Base) != "c10::OperatorKernel";
  };
  if (IsFunctor && Class.hasDefinition() && Class.forallBases(IsOther))
    K.Is = RegisteredKernel::NoKernelClass;
  if (!IsFunctor && (!Class.isLambda() || Class.capture_size() != 0))
    K.Is = RegisteredKernel::Stateful;
}

/// One of `.kernel<decltype(f), &f>(key)`, `.kernel<Functor>(key, arguments...)`,
/// `.kernel(key, lambda)`, `.kernel(key, &f)`; catchAllKernel takes the same without a key.
void LegacyReader::readOption(const CXXMemberCallExpr &Call,
                              std::vector<RegistrationEntry> &Kernels) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  RegistrationEntry &Entry = Kernels.emplace_back();
  Entry.Is = RegistrationEntry::Impl;
  llvm::ArrayRef<const Expr *> Args(Call.getArgs(), Call.getNumArgs());
  if (Method->getNameAsString() == "kernel" && !Args.empty()) {
    Entry.Key = readKey(Args.front(), Values);
    Entry.KeyUnknown = Entry.Key.empty();
    Args = Args.drop_front();
  }
  Entry.Kernel.Is = RegisteredKernel::Unread;
  Entry.Kernel.Use = Spans.use(Call.getSourceRange());
  const TemplateArgumentList *Template = Method->getTemplateSpecializationArgs();
  if (!Template || Template->size() == 0)
    return;
  // `.kernel<decltype(f), &f>(key)`, `.kernel<boxed>(key)`.
  if (const FunctionDecl *F = functionOf(*Template)) {
    if (Template->size() == 1)
      Entry.Kernel.Is = RegisteredKernel::Boxed;
    else
      Entry.Kernel = functionKernel(F, Entry.Kernel.Use, Spans);
    return;
  }
  const CXXRecordDecl *Class = functorOf(*Template);
  // What stands in the parentheses of a functor goes to its constructor.
  bool IsFunctor = Class && Template->size() > 1;
  if (IsFunctor)
    Entry.Kernel = functorKernel(Class, Entry.Kernel.Use, Spans);
  else if (Args.size() == 1)
    readKernel(Args.front(), Entry, Values);
  if (Class)
    refuseObject(*Class, IsFunctor, Entry.Kernel);
}

void LegacyReader::readOptions(const Expr *E, LiteralText &Text, bool &TextKnown,
                               std::vector<RegistrationEntry> &Kernels) {
  E = underlying(E);
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
  if (!Call || !Call->getMethodDecl())
    return;
  readOptions(Call->getImplicitObjectArgument(), Text, TextKnown, Kernels);
  std::string Name = Call->getMethodDecl()->getNameAsString();
  if (Name == "schema" && Call->getNumArgs() == 1) {
    if (std::optional<LiteralText> Own = readText(Call->getArg(0), Values)) {
      Text = std::move(*Own);
      TextKnown = true;
    }
  } else if (Name == "kernel" || Name == "catchAllKernel") {
    readOption(*Call, Kernels);
  }
}

void LegacyReader::readOp(llvm::ArrayRef<Expr *> Args, const Expr *Call, SourceLocation At) {
  RegistrationEntry Def;
  Def.At = Spans.use(Call->getSourceRange());
  std::vector<RegistrationEntry> Kernels;
  if (!Args.empty())
    if (std::optional<LiteralText> Text = readText(Args.front(), Values)) {
      Def.Text = std::move(*Text);
      Def.TextKnown = true;
      Args = Args.drop_front();
    }
  if (!Args.empty()) {
    if (className(underlying(Args.front())->getType()) == "c10::RegisterOperators::Options" ||
        isa<CXXDefaultArgExpr>(Args.front())) {
      readOptions(Args.front(), Def.Text, Def.TextKnown, Kernels);
    } else {
      readKernel(Args.front(), Def, Values);
      Def.Kernel.Interface = KernelInterface::Legacy;
    }
  }
  Block.Complete &= Def.TextKnown;
  if (!Kernels.empty() && Def.Kernel.Is == RegisteredKernel::None) {
    Def.Kernel = Kernels.front().Kernel;
    Def.Key = Kernels.front().Key;
    Def.KeyUnknown = Kernels.front().KeyUnknown;
    Kernels.erase(Kernels.begin());
  }
  LiteralText Text = Def.Text;
  bool TextKnown = Def.TextKnown;
  Found.push_back({At, std::move(Def)});
  for (RegistrationEntry &More : Kernels) {
    // Named by what stands before the arguments.
    More.Text = Text;
    More.Text.Value = StringRef(Text.Value).take_until([](char C) { return C == '('; }).str();
    More.TextKnown = TextKnown;
    More.At = Found.back().Entry.At;
    Found.push_back({At, std::move(More)});
  }
}

} // namespace

BlockCode opsig::readEntries(const Stmt *Body, ConstantValues &Values, uint32_t &LastBranch) {
  EntryReader Reader(Values, LastBranch);
  Reader.TraverseStmt(const_cast<Stmt *>(Body));
  return Reader.take(Values.spans().context().getSourceManager());
}

void opsig::numberBranches(llvm::MutableArrayRef<RegistrationEntry> Entries,
                           llvm::ArrayRef<BranchPath> Branches) {
  // In this order a branch is followed by those in it.
  std::set<BranchPath> Sorted(Branches.begin(), Branches.end());
  Sorted.erase(BranchPath());
  std::map<uint32_t, std::pair<uint16_t, uint16_t>> Numbers; // a branch is always in the same ones
  uint16_t Last = 0;
  for (const BranchPath &Each : Sorted) {
    if (Last == UINT16_MAX - 1) // in none that anybody knows
      break;
    ++Last;
    for (uint32_t Branch : Each)
      Numbers.try_emplace(Branch, Last, 0).first->second.second = Last;
  }
  for (auto [Entry, Path] : llvm::zip_equal(Entries, Branches)) {
    Entry.Conditional = !Path.empty();
    if (Path.empty())
      continue;
    auto Known = Numbers.find(Path.back());
    bool IsKnown = Known != Numbers.end();
    Entry.Branch = IsKnown ? Known->second.first : UINT16_MAX;
    Entry.LastInner = IsKnown ? Known->second.second : 0;
  }
}

std::vector<RegistrationEntry> opsig::readEntriesOf(const ValueDecl &Object, const Stmt *Code,
                                                    ConstantValues &Values) {
  uint32_t LastBranch = 0;
  EntryReader Reader(Values, LastBranch);
  Reader.readOnly(*cast<ValueDecl>(Object.getCanonicalDecl()));
  Reader.TraverseStmt(const_cast<Stmt *>(Code));
  if (Reader.isReplaced())
    return {};
  BlockCode Read = Reader.take(Values.spans().context().getSourceManager());
  numberBranches(Read.Entries, Read.Branches);
  return std::move(Read.Entries);
}

const ValueDecl *opsig::libraryNamed(const Expr &E) {
  const Expr *Named = E.IgnoreParenImpCasts();
  const ValueDecl *D = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Named))
    D = Ref->getDecl();
  // The member of another object is another library.
  if (const auto *Member = dyn_cast<MemberExpr>(Named);
      Member && (isa<VarDecl>(Member->getMemberDecl()) ||
                 isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts())))
    D = Member->getMemberDecl();
  return D ? cast<ValueDecl>(D->getCanonicalDecl()) : nullptr;
}

const Expr *opsig::filledLibrary(const CallExpr &Call) {
  MemberUse Use = memberUse(Call.getCallee());
  bool Fills =
      Use.Object && libraryOf(Use.Object) == LibraryClass::Torch && isRegistering(Use.Name);
  return Fills ? chainBegin(Use.Object) : nullptr;
}

bool opsig::readLegacyEntries(const Expr *Init, ConstantValues &Values, RegistrationBlock &Block) {
  LegacyReader Reader(Values, Block);
  Reader.TraverseStmt(const_cast<Expr *>(Init));
  Reader.finish(Values.spans().context().getSourceManager());
  return Reader.IsLegacy;
}
