//===- RegistrationRules.cpp - kernels in blocks of the stable ABI ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: TORCH_LIBRARY(ns, m) {              After: STABLE_TORCH_LIBRARY(ns, m) {
//           m.def("f(Tensor x) -> Tensor", &f);        m.def("f(Tensor x) -> Tensor");
//           m.def("g(Tensor x) -> Tensor");            m.def("g(Tensor x) -> Tensor");
//           m.impl("g", torch::kCUDA, &g);           }
//         }                                          STABLE_TORCH_LIBRARY_IMPL(ns, ...Autograd, m)
//         {
//                                                      m.impl("f", TORCH_BOX(&f));
//                                                    }
//                                                    STABLE_TORCH_LIBRARY_IMPL(ns, CUDA, m) {
//                                                      m.impl("g", TORCH_BOX(&g));
//                                                    }
//
// Without a key, a kernel is for all of them: the dispatcher takes that as
// CompositeImplicitAutograd.
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Check/InferredSchema.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Registry/Registry.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

class BlockPlanner {
public:
  BlockPlanner(const StableContext &Context, const RegistrationBlock &Block,
               const BoxedKernels &Boxed)
      : Context(Context), Block(Block), Boxed(Boxed) {}

  void plan();

private:
  bool isWritten(const RegistrationEntry &Entry) const;
  void entry(const RegistrationEntry &Entry);
  bool isInPlace(const RegistrationEntry &Entry) const;
  StringRef whyStays(const RegistrationEntry &Entry, Boxable Can) const;
  void takeAway(const RegistrationEntry &Entry, WayBuilder &Way) const;
  void stays(const RegistrationEntry &Entry, StringRef Why);
  std::optional<std::string> schemaToWrite(const RegistrationEntry &Entry) const;
  StableChange &put(const RegistrationEntry &Entry, WayBuilder Way, ArrayRef<StablePiece> Box);
  void returnsValue(const RegistrationEntry &Entry, WayBuilder &Way) const;
  void settle(StableChange &Change, const RegisteredKernel &Kernel, Boxable Can) const;
  void addBlocks();
  bool expandsName() const;
  StringRef fileText() const;

  const StableContext &Context;
  const RegistrationBlock &Block;
  const BoxedKernels &Boxed;
  MapVector<StringRef, std::vector<BlockLine>> Moved;
  std::vector<size_t> Changes; ///< those that Moved is of
};

StringRef BlockPlanner::fileText() const { return Context.text({Block.At.File, 0, ~0u}); }

StringRef whyNotBoxed(const RegisteredKernel &Kernel) {
  if (!Kernel.Wrapped.empty())
    return "pass the file that defines the wrapped function, whose types TORCH_BOX must support";
  if (Kernel.Is == RegisteredKernel::Lambda)
    return "TORCH_BOX needs a named function";
  return Kernel.Is == RegisteredKernel::Function
             ? "TORCH_BOX does not support one of its types; it supports Tensor, int, float, bool, "
               "str, ScalarType, Layout, Device and lists and optionals of these"
             : "TORCH_BOX needs a function";
}

bool lacksSchema(const RegistrationEntry &Entry) {
  return Entry.Is == RegistrationEntry::Def && !StringRef(Entry.Text.Value).contains('(');
}

/// A macro of the project's expands the name that it is given, which PyTorch's own does not.
bool BlockPlanner::expandsName() const {
  return !is_contained({"TORCH_LIBRARY", "TORCH_LIBRARY_FRAGMENT"}, Context.text(Block.At));
}

void BlockPlanner::stays(const RegistrationEntry &Entry, StringRef Why) {
  const Span At = Entry.Kernel.Use.isValid() ? Entry.Kernel.Use
                  : Entry.At.isValid()       ? Entry.At
                                             : Block.At;
  Context.Plan.Changes.push_back(
      staysAsIs({"registration", At}, finding::UnstableRegistration, Why.str()));
}

StableChange &BlockPlanner::put(const RegistrationEntry &Entry, WayBuilder Way,
                                ArrayRef<StablePiece> Box) {
  std::string Instead;
  for (const StablePiece &P : Box)
    Instead += P.From.isValid() ? Context.text(P.From).str() : P.Text;
  Context.Plan.Changes.push_back(
      movesBy({"registration", Entry.At}, finding::UnstableRegistration, Instead, std::move(Way)));
  return Context.Plan.Changes.back();
}

/// What libtorch made of the kernel's types, for a name that is one string of the call; that of a
/// constant may be used elsewhere, too.
std::optional<std::string> BlockPlanner::schemaToWrite(const RegistrationEntry &Entry) const {
  const Span &Name = Entry.Text.Whole;
  bool InCall = Name.Offset > Entry.At.Offset && Name.end() < Entry.At.end();
  if (!InCall || Context.text(Name) != "\"" + Entry.Text.Value + "\"")
    return std::nullopt;
  auto Schema = inferredSchema(Entry.Text.Value, Entry.Kernel, Context.Unit.Names, {},
                               Boxed.marks(Context.Unit, Entry.Kernel));
  return Schema ? std::optional(Schema->str()) : std::nullopt;
}

void BlockPlanner::returnsValue(const RegistrationEntry &Entry, WayBuilder &Way) const {
  const RegisteredKernel &Kernel = kernelBehind(Entry.Kernel);
  std::vector<const KernelDecl *> Decls = {&Kernel.Decl};
  for (const KernelDecl &Other : Kernel.Others)
    Decls.push_back(&Other);
  for (const KernelDecl *D : Decls)
    if (returnsReference(*D, Context))
      Way.at(referenceSign(*D));
}

/// A definition without its kernel, and with a schema; nothing of another entry.
void BlockPlanner::takeAway(const RegistrationEntry &Entry, WayBuilder &Way) const {
  if (Entry.Is != RegistrationEntry::Def) {
    Way.at(Context.wholeLines(*Context.statement(Entry.At)));
    return;
  }
  // From the comma in front of the kernel on.
  const Span &Kernel = Entry.Kernel.Use;
  const uint32_t Comma = fileText().take_front(Kernel.Offset).rtrim().size() - 1;
  Way.at({Block.At.File, Comma, Kernel.end() - Comma});
  if (lacksSchema(Entry))
    Way.at(Entry.Text.Whole).text("\"" + *schemaToWrite(Entry) + "\"");
}

/// It stands there as a call, with all its parts.
bool BlockPlanner::isWritten(const RegistrationEntry &Entry) const {
  const Span &At = Entry.At, &Use = Entry.Kernel.Use;
  StringRef Call = Context.text(At);
  if (!At.isValid() || At.File != Block.At.File || !Call.contains('.') || !Call.ends_with(")"))
    return false;
  return !Use.isValid() || (Use.Offset > At.Offset && Use.end() < At.end());
}

/// What depends on the kernel's types.
void BlockPlanner::settle(StableChange &Change, const RegisteredKernel &Kernel, Boxable Can) const {
  if (Change.Is == StableChange::Stays || Can == Boxable::AsItIs)
    return;
  Change.AtomicGroup.insert(identityOf(kernelBehind(Kernel).Decl));
  if (Kernel.Wrapped.empty())
    return;
  Change.Is = StableChange::Review;
  Change.Why = "the function is now registered directly, without '" +
               Context.text(Kernel.Use).take_until([](char C) { return C == '('; }).str() +
               "'; check that the wrapper only converted types";
}

/// Of a block that has a key for each entry, not for all of them, an entry moves to another block.
bool BlockPlanner::isInPlace(const RegistrationEntry &Entry) const {
  return Block.Is == RegistrationBlock::Impl && Entry.Key.empty();
}

/// What keeps a kernel where it is; "" for nothing.
StringRef BlockPlanner::whyStays(const RegistrationEntry &Entry, Boxable Can) const {
  const RegisteredKernel &Kernel = Entry.Kernel;
  if (Can == Boxable::No || !Kernel.Use.isValid())
    return whyNotBoxed(Kernel);
  if (!Entry.TextKnown || !Entry.Text.Whole.isValid() || Entry.Text.Whole.File != Block.At.File ||
      Kernel.Use.File != Block.At.File || Entry.KeyUnknown)
    return "its name or key is not a literal in this call";
  if (lacksSchema(Entry) && !schemaToWrite(Entry))
    return "write the schema, which libtorch inferred from the function's types";
  if (isInPlace(Entry))
    return "";
  if (Entry.Conditional || Block.Is == RegistrationBlock::Unknown)
    return "it is conditional, or uses a 'torch::Library' that another function passes; move it "
           "into a block of its own";
  if (is_contained(conditionsAt(fileText(), Block.Body, Entry.At.Offset), ""))
    return "it is in an '#else' branch, which opsig does not convert";
  if (Entry.Is != RegistrationEntry::Def && !Context.statement(Entry.At))
    return "it is part of a chain of calls; write it as a statement of its own";
  return "";
}

void BlockPlanner::entry(const RegistrationEntry &Entry) {
  const RegisteredKernel &Kernel = Entry.Kernel;
  if (!isWritten(Entry)) {
    Context.Plan.Unwritten.push_back(Entry.At.isValid() ? Entry.At : Block.At);
    return stays(Entry, "it comes from a macro");
  }
  if (Entry.Is == RegistrationEntry::Fallback)
    return stays(Entry, "the stable ABI does not support fallbacks for all operators");
  if (Kernel.Is == RegisteredKernel::None || Kernel.Interface == KernelInterface::Stable)
    return;
  const Boxable Can = boxable(Kernel, Boxed);
  if (StringRef Why = whyStays(Entry, Can); !Why.empty())
    return stays(Entry, Why);
  const std::vector<StablePiece> Box = boxed(kernelBehind(Kernel).Use, Context);
  WayBuilder Way(Context);
  Way.need("TORCH_BOX");
  if (isInPlace(Entry))
    Way.at(Kernel.Use).pieces(Box);
  else
    takeAway(Entry, Way.need("STABLE_TORCH_LIBRARY_IMPL"));
  returnsValue(Entry, Way);
  const size_t Number = Context.Plan.Changes.size();
  StableChange &Change = put(Entry, std::move(Way), Box);
  if (Change.Is == StableChange::Stays)
    return;
  settle(Change, Kernel, Can);
  if (isInPlace(Entry))
    return;
  if (lacksSchema(Entry)) {
    Change.Is = StableChange::Review;
    Change.Why = "check that the schema annotates each argument that the kernel writes to; without "
                 "an explicit schema, libtorch assumed that it may write to all of them";
  }
  const bool IsDef = Entry.Is == RegistrationEntry::Def;
  Moved[Entry.Key.empty() ? StringRef("CompositeImplicitAutograd") : StringRef(Entry.Key)]
      .push_back(implLine(conditionsAt(fileText(), Block.Body, Entry.At.Offset), Block.Variable,
                          IsDef ? StablePiece{"\"" + writtenName(Entry).str() + "\"", {}}
                                : StablePiece{"", Entry.Text.Whole},
                          Box));
  Changes.push_back(Number);
}

/// All lines that move are one edit with the blocks that they move to.
void BlockPlanner::addBlocks() {
  if (Moved.empty())
    return;
  StableRewrite Blocks{{Block.At.File, Block.Body.end() + 1, 0}, {}};
  StringRef Opening = expandsName() ? "STABLE_TORCH_LIBRARY_IMPL_OF" : "STABLE_TORCH_LIBRARY_IMPL";
  StringRef Given = firstArgument(fileText().substr(Block.At.end()));
  StringRef Name = Given.empty() ? StringRef(Block.Namespace) : Given;
  for (const auto &[Key, Lines] : Moved)
    append_range(Blocks.With,
                 writtenBlock(Opening + "(" + Name + ", " + Key + ", " + Block.Variable, Lines));
  StableChange &First = Context.Plan.Changes[Changes.front()];
  for (size_t I : drop_begin(Changes)) {
    StableChange &Other = Context.Plan.Changes[I];
    append_range(First.Ways.front().Rewrites, Other.Ways.front().Rewrites);
    First.AtomicGroup.insert(Other.AtomicGroup.begin(), Other.AtomicGroup.end());
    Other.Ways.front().Rewrites.clear();
  }
  First.Ways.front().Rewrites.push_back(std::move(Blocks));
  if (expandsName())
    First.Ways.front().Helper = findHelper(Opening)->Helper;
}

void BlockPlanner::plan() {
  if (!Block.isWhole())
    Context.Plan.Unwritten.push_back(Block.At);
  for (const RegistrationEntry &Entry : Block.Entries)
    entry(Entry);
  addBlocks();
}

} // namespace

std::vector<std::string> opsig::conditionsAt(StringRef Text, Span Body, uint32_t Offset) {
  std::vector<std::string> Open;
  for (const ConditionalLines &Lines : conditionalLines(Text)) {
    if (Lines.Begin < Body.Offset || !Lines.holds(Offset))
      continue;
    Open.push_back(Lines.Opening.str());
    if (any_of(Lines.Branches, [&](uint32_t Branch) { return Branch < Offset; }))
      Open.push_back(""); // of two branches: nobody knows what to say
  }
  return Open;
}

/// Ends the conditions that are open, and opens others.
static std::string turnTo(std::vector<std::string> &Open,
                          const std::vector<std::string> &Expected) {
  if (Open == Expected)
    return "";
  std::string Out;
  for (size_t I = 0; I < Open.size(); ++I)
    Out += "#endif\n";
  for (const std::string &Condition : Expected)
    Out += Condition + "\n";
  Open = Expected;
  return Out;
}

StringRef opsig::firstArgument(StringRef Behind) {
  StringRef Given = bracketed(Behind.ltrim());
  if (!Given.consume_front("("))
    return "";
  std::optional<std::vector<StringRef>> Args = commaSeparated(Given.drop_back());
  return Args && !Args->empty() ? Args->front() : "";
}

BlockLine opsig::implLine(std::vector<std::string> Conditions, StringRef Variable, StablePiece Name,
                          ArrayRef<StablePiece> Box) {
  BlockLine Line{std::move(Conditions), {{("  " + Variable + ".impl(").str(), {}}}};
  Line.Pieces.push_back(std::move(Name));
  Line.Pieces.push_back({", ", {}});
  append_range(Line.Pieces, Box);
  Line.Pieces.push_back({");\n", {}});
  return Line;
}

std::vector<StablePiece> opsig::writtenBlock(const Twine &Opening, ArrayRef<BlockLine> Lines) {
  std::vector<StablePiece> Out = {{("\n\n" + Opening + ") {\n").str(), {}}};
  std::vector<std::string> Open;
  for (const BlockLine &Line : Lines) {
    Out.push_back({turnTo(Open, Line.Conditions), {}});
    append_range(Out, Line.Pieces);
  }
  Out.push_back({turnTo(Open, {}) + "}", {}});
  return Out;
}

/// `f` of `&f`, of `f` and of `TORCH_FN(f)`; invalid where it is no name.
static Span functionIn(Span Use, const StableContext &Context) {
  StringRef Text = Context.text(Use), Name = Text.trim();
  if (Name.consume_front("TORCH_FN")) {
    Name = Name.ltrim();
    Name.consume_front("(");
    Name.consume_back(")");
    Name = Name.trim();
  }
  Name.consume_front("&");
  Name = Name.trim();
  bool IsName = !Name.empty() && !Name.contains("_cast<");
  return IsName ? Span{Use.File, uint32_t(Use.Offset + (Name.data() - Text.data())),
                       uint32_t(Name.size())}
                : Span();
}

std::vector<StablePiece> opsig::boxed(Span Use, const StableContext &Context) {
  Span Name = functionIn(Use, Context);
  // A comma of template arguments would end what the macro is given.
  bool Comma = Context.text(Use).contains(',');
  return {{Comma ? "TORCH_BOX((" : "TORCH_BOX(", {}},
          {Name.isValid() ? "&" : "", {}},
          {"", Name.isValid() ? Name : Use},
          {Comma ? "))" : ")", {}}};
}

void opsig::planRegistrations(const StableContext &Context, const BoxedKernels &Boxed) {
  for (const RegistrationBlock &Block : Context.Unit.Registrations) {
    if (Block.Stable || !Block.At.isValid())
      continue;
    if (Block.Is == RegistrationBlock::Legacy) {
      Context.Plan.Changes.push_back(
          staysAsIs({"c10::RegisterOperators", Block.At}, finding::UnstableRegistration,
                    "define the operators in a TORCH_LIBRARY block first"));
      continue;
    }
    if (Block.Body.isValid() && Block.Body.File == Block.At.File)
      BlockPlanner(Context, Block, Boxed).plan();
  }
}
