//===- SchemaChanges.cpp - How two schemas of one operator differ -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arguments of both => pairs (by name; by place and type: renamed) => Change*
//
//===----------------------------------------------------------------------===//
#include "ReleaseDiffInternal.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

constexpr unsigned None = ~0U;

/// Which argument of the old schema is which of the new one.
struct ArgumentPairs {
  std::vector<unsigned> NewOf, OldOf; ///< None for an argument that the other schema lacks

  void join(unsigned Old, unsigned New) {
    NewOf[Old] = New;
    OldOf[New] = Old;
  }
};

ArgumentPairs pairArguments(const Arguments &Old, const Arguments &New) {
  ArgumentPairs Pairs;
  Pairs.NewOf.assign(Old.All.size(), None);
  Pairs.OldOf.assign(New.All.size(), None);
  for (unsigned O = 0; O != Old.All.size(); ++O)
    for (unsigned N = 0; N != New.All.size(); ++N)
      if (Old.All[O].Name == New.All[N].Name)
        Pairs.join(O, N);
  // One with another name stands for the same if it has the type, and follows the same argument.
  for (unsigned O = 0; O != Old.All.size(); ++O) {
    if (Pairs.NewOf[O] != None)
      continue;
    unsigned N = O == 0 ? 0 : Pairs.NewOf[O - 1] == None ? None : Pairs.NewOf[O - 1] + 1;
    if (N < New.All.size() && Pairs.OldOf[N] == None && Old.All[O].Ty == New.All[N].Ty)
      Pairs.join(O, N);
  }
  return Pairs;
}

/// Of the arguments that both have, those that have to move so that the others keep their order:
/// as few as can be.
std::vector<bool> movedArguments(const ArgumentPairs &Pairs) {
  size_t Size = Pairs.NewOf.size();
  std::vector<unsigned> Length(Size, 0), Before(Size, None);
  unsigned Last = None;
  for (unsigned I = 0; I != Size; ++I) {
    if (Pairs.NewOf[I] == None)
      continue;
    Length[I] = 1;
    for (unsigned J = 0; J != I; ++J)
      if (Length[J] && Pairs.NewOf[J] < Pairs.NewOf[I] && Length[J] + 1 > Length[I]) {
        Length[I] = Length[J] + 1;
        Before[I] = J;
      }
    if (Last == None || Length[I] > Length[Last])
      Last = I;
  }
  std::vector<bool> Moved(Size);
  for (unsigned I = 0; I != Size; ++I)
    Moved[I] = Pairs.NewOf[I] != None;
  for (; Last != None; Last = Before[Last])
    Moved[Last] = false;
  return Moved;
}

llvm::StringRef passing(const Arguments &Args, unsigned Index) {
  if (Index < Args.NumPositional)
    return "positional";
  return Index < Args.All.size() - Args.NumOut ? "keyword-only" : "out";
}

std::string markText(const std::optional<AliasAnnotation> &Mark) {
  return Mark ? "(" + Mark->str() + ")" : "";
}

void compareArgument(const Argument &Old, const Argument &New, std::vector<Change> &Out) {
  if (Old.Name != New.Name)
    Out.push_back({ChangeKind::ArgumentRenamed, New.Name, Old.Name, New.Name});
  if (!(Old.Ty == New.Ty))
    Out.push_back({ChangeKind::ArgumentRetyped, New.Name, Old.Ty.str(), New.Ty.str()});
  if (!(Old.Annotation == New.Annotation))
    Out.push_back(
        {ChangeKind::AliasMark, New.Name, markText(Old.Annotation), markText(New.Annotation)});
  if (Old.Default != New.Default)
    Out.push_back(
        {ChangeKind::Default, New.Name, Old.Default.value_or(""), New.Default.value_or("")});
}

std::string returnsText(llvm::ArrayRef<Return> Returns,
                        llvm::function_ref<std::string(const Return &)> Text) {
  std::string Out = "(";
  for (const Return &R : Returns)
    Out += (&R == Returns.data() ? "" : ", ") + Text(R);
  return Out + ")";
}

void compareReturns(llvm::ArrayRef<Return> Old, llvm::ArrayRef<Return> New,
                    std::vector<Change> &Out) {
  auto Compare = [&](ChangeKind Kind, llvm::StringRef Subject,
                     llvm::function_ref<std::string(const Return &)> Text) {
    std::string From = returnsText(Old, Text), To = returnsText(New, Text);
    bool IsOther = From != To;
    if (IsOther)
      Out.push_back({Kind, Subject.str(), std::move(From), std::move(To)});
    return IsOther;
  };
  if (Compare(ChangeKind::ReturnsRetyped, "", [](const Return &R) { return R.Ty.str(); }))
    return;
  Compare(ChangeKind::AliasMark, "returns",
          [](const Return &R) { return R.Ty.str() + markText(R.Annotation); });
  Compare(ChangeKind::ReturnsRenamed, "", [](const Return &R) { return R.Name; });
}

} // namespace

std::vector<Change> schemaChanges(const FunctionSchema &Old, const FunctionSchema &New) {
  std::vector<Change> Out;
  const Arguments &OldArgs = Old.Args, &NewArgs = New.Args;
  ArgumentPairs Pairs = pairArguments(OldArgs, NewArgs);
  std::vector<bool> Moved = movedArguments(Pairs);
  for (unsigned O = 0; O != OldArgs.All.size(); ++O)
    if (Pairs.NewOf[O] == None)
      Out.push_back({ChangeKind::ArgumentGone, OldArgs.All[O].Name, OldArgs.All[O].str(), ""});
  for (unsigned N = 0; N != NewArgs.All.size(); ++N) {
    unsigned O = Pairs.OldOf[N];
    const Argument &Arg = NewArgs.All[N];
    if (O == None) {
      Out.push_back({ChangeKind::ArgumentAdded, Arg.Name, "", Arg.str()});
      continue;
    }
    compareArgument(OldArgs.All[O], Arg, Out);
    llvm::StringRef From = passing(OldArgs, O), To = passing(NewArgs, N);
    if (From != To)
      Out.push_back({ChangeKind::ArgumentKind, Arg.Name, From.str(), To.str()});
    if (Moved[O])
      Out.push_back(
          {ChangeKind::ArgumentMoved, Arg.Name, std::to_string(O + 1), std::to_string(N + 1)});
  }
  compareReturns(Old.Returns, New.Returns, Out);
  return Out;
}

} // namespace opsig
