//===- Compatibility.cpp - Whether calls survive a change of a schema --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Schema/Compatibility.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace opsig {

namespace {

using Reason = std::optional<std::string>;

Reason reason(const llvm::Twine &Text) { return Text.str(); }

std::string quoted(llvm::StringRef Text) { return ("'" + Text + "'").str(); }

/// An argument or a return with all that is compared of it.
struct Value {
  const Argument &Arg;
  const ComparedArgument &Compared;
  bool IsKeywordOnly;
  std::string Shown; ///< "argument 'x'"
};

Value argument(const ComparedSchema &S, size_t Index) {
  const Argument &A = S.Schema.Args[Index];
  return {A, S.Args[Index], S.Schema.Args.isKeywordOnly(A), "argument " + quoted(A.Name)};
}

Value returned(const ComparedSchema &S, size_t Index) {
  return {S.Schema.Returns[Index], S.Returns[Index], false, "return " + std::to_string(Index + 1)};
}

std::string shownMark(const Argument &A) {
  return A.Annotation ? quoted("(" + A.Annotation->str() + ")") : std::string("none");
}

/// What must be the same in both directions, and may not have become keyword-only.
Reason whyNotAlike(const Value &New, const Value &Old) {
  if (New.Arg.Name != Old.Arg.Name) {
    if (New.Arg.Name.empty())
      return reason(New.Shown + " lost its name " + quoted(Old.Arg.Name));
    if (Old.Arg.Name.empty())
      return reason(New.Shown + " is now called " + quoted(New.Arg.Name));
    return reason(Old.Shown + " is now called " + quoted(New.Arg.Name));
  }
  if (New.Arg.Ty.listSize() != Old.Arg.Ty.listSize())
    return reason(New.Shown + " has a different list size: " + quoted(Old.Arg.Ty.str()) + " => " +
                  quoted(New.Arg.Ty.str()));
  if (New.Compared.Marks != Old.Compared.Marks)
    return reason(New.Shown + " has a different alias annotation: " + shownMark(Old.Arg) + " => " +
                  shownMark(New.Arg));
  if (New.IsKeywordOnly && !Old.IsKeywordOnly)
    return reason(New.Shown + " became keyword-only");
  return std::nullopt;
}

Reason whyOtherDefault(const Value &New, const Value &Old) {
  if (!Old.Compared.Default || New.Compared.Default == Old.Compared.Default)
    return std::nullopt;
  if (!New.Compared.Default)
    return reason(New.Shown + " lost its default " + quoted(*Old.Arg.Default));
  return reason(New.Shown + " has a different default: " + quoted(*Old.Arg.Default) + " => " +
                quoted(*New.Arg.Default));
}

std::string typeChange(const Value &New, const Value &Old) {
  return New.Shown + " changed from " + quoted(Old.Arg.Ty.str()) + " to " +
         quoted(New.Arg.Ty.str());
}

/// Whether \p New takes what was given for \p Old.
Reason whyNotTaken(const Value &New, const Value &Old) {
  if (Reason Why = whyNotAlike(New, Old))
    return Why;
  if (!isSubtype(Old.Arg.Ty, New.Arg.Ty))
    return typeChange(New, Old);
  return whyOtherDefault(New, Old);
}

/// Whether \p Old takes what is given for \p New.
Reason whyNotTakenByOld(const Value &New, const Value &Old) {
  if (Reason Why = whyNotAlike(New, Old))
    return Why;
  if (!isSubtype(New.Arg.Ty, Old.Arg.Ty))
    return typeChange(New, Old);
  if (Reason Why = whyOtherDefault(New, Old))
    return Why;
  if (New.Compared.Default && !Old.Compared.Default)
    return reason(New.Shown + " now has a default");
  return std::nullopt;
}

Reason whyNotReturned(const Value &New, const Value &Old) {
  if (Reason Why = whyNotAlike(New, Old))
    return Why;
  return isSubtype(New.Arg.Ty, Old.Arg.Ty) ? std::nullopt : reason(typeChange(New, Old));
}

/// The first keyword-only argument that is written; all that follow count as out arguments, too.
size_t firstOut(const FunctionSchema &S) {
  size_t At = S.Args.NumPositional;
  while (At < S.Args.size() && !S.Args[At].isWrite())
    ++At;
  return At;
}

std::string counted(size_t Count, llvm::StringRef What) {
  return (llvm::Twine(Count) + " " + What + (Count == 1 ? "" : "s")).str();
}

Reason whyOtherShape(const ComparedSchema &New, const ComparedSchema &Old) {
  if (New.Schema.VarArgs != Old.Schema.VarArgs || New.Schema.VarReturns != Old.Schema.VarReturns)
    return reason("only one of the schemas has '...'");
  if (New.Returns.size() != Old.Returns.size())
    return reason("it returns " + counted(New.Returns.size(), "value") + ", not " +
                  llvm::Twine(Old.Returns.size()));
  return std::nullopt;
}

/// Goes through the arguments that both have, each of \p Old's with its successor; those before the
/// out arguments and those from there on are counted apart.
Reason whyNotArguments(const ComparedSchema &New, const ComparedSchema &Old, size_t Common,
                       llvm::function_ref<Reason(const Value &, const Value &)> WhyNot,
                       llvm::function_ref<Reason(const Value &)> WhyNotNew) {
  size_t NewOut = firstOut(New.Schema), OldOut = firstOut(Old.Schema);
  for (size_t I = 0; I < Common; ++I)
    if (Reason Why = WhyNot(argument(New, I), argument(Old, I)))
      return Why;
  for (size_t I = OldOut; I < NewOut; ++I)
    if (Reason Why = WhyNotNew(argument(New, I)))
      return Why;
  for (size_t I = OldOut; I < Old.Args.size(); ++I) {
    if (I - OldOut + NewOut >= New.Args.size())
      return reason(argument(Old, I).Shown + " was removed");
    if (Reason Why = WhyNot(argument(New, I - OldOut + NewOut), argument(Old, I)))
      return Why;
  }
  return std::nullopt;
}

Reason whyNoDefault(const Value &New) {
  return New.Compared.Default ? std::nullopt : reason("the new " + New.Shown + " has no default");
}

} // namespace

Reason whyNotBackwardCompatible(const ComparedSchema &New, const ComparedSchema &Old) {
  if (Reason Why = whyOtherShape(New, Old))
    return Why;
  if (New.Args.size() < Old.Args.size()) {
    for (size_t I = 0; I < Old.Args.size(); ++I)
      if (llvm::none_of(New.Schema.Args.All,
                        [&](const Argument &A) { return A.Name == Old.Schema.Args[I].Name; }))
        return reason(argument(Old, I).Shown + " was removed");
    return reason("it takes " + counted(New.Args.size(), "argument") + ", not " +
                  llvm::Twine(Old.Args.size()));
  }
  for (size_t I = 0; I < Old.Returns.size(); ++I)
    if (Reason Why = whyNotReturned(returned(New, I), returned(Old, I)))
      return Why;
  return whyNotArguments(New, Old, firstOut(Old.Schema), whyNotTaken, whyNoDefault);
}

Reason whyNotForwardCompatible(const ComparedSchema &New, const ComparedSchema &Old) {
  if (Reason Why = whyOtherShape(New, Old))
    return Why;
  size_t NewOut = firstOut(New.Schema), OldOut = firstOut(Old.Schema);
  if (New.Args.size() - NewOut != Old.Args.size() - OldOut)
    return reason("the number of out arguments changed");
  return whyNotArguments(New, Old, std::min(NewOut, OldOut), whyNotTakenByOld,
                         [](const Value &Added) -> Reason {
                           if (Reason Why = whyNoDefault(Added))
                             return Why;
                           if (llvm::StringRef(*Added.Compared.Default).starts_with("["))
                             return reason("the default of the new " + Added.Shown + " is a list");
                           return std::nullopt;
                         });
}

} // namespace opsig
