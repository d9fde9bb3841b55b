//===- Fixes.cpp - edits that turn a declaration into the wanted one --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: at::Tensor add(const at::Tensor &self, float alpha)
// After:  at::Tensor add(const at::Tensor &self, const at::Scalar &alpha)
//
// Each type is replaced by itself; where parameters are added, removed or moved ListEdits.cpp makes
// the edits. An edit that would lose something is not made: see findEditBlocker().
//
//===----------------------------------------------------------------------===//
#include "FixIts/FixItsInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// On which side of "&" and "*" a project puts its blank.
enum class RefStyle { Right, Left, Both }; // "T &x", "T& x", "T & x"

/// Of the "&" that \p T ends in; nothing without one in the source.
std::optional<RefStyle> styleOf(const CppType &T, const UnitFacts &Unit, UnitFiles &Files) {
  if (!T.isRef() || !T.At.isValid() || T.At.Offset == 0)
    return std::nullopt;
  auto IsBlank = [&](uint32_t Offset) {
    StringRef Char = Files.text(Unit, {T.At.File, Offset, 1});
    return !Char.empty() && isSpace(Char.front());
  };
  bool Before = IsBlank(T.At.Offset - 1), After = IsBlank(T.At.end());
  return Before && After ? RefStyle::Both : Before ? RefStyle::Right : RefStyle::Left;
}

/// Of the last parameter that tells.
std::optional<RefStyle> styleOf(const KernelDecl &K, const UnitFacts &Unit, UnitFiles &Files) {
  for (const KernelParam &P : reverse(K.Params))
    if (std::optional<RefStyle> Style = styleOf(P.Canonical, Unit, Files))
      return Style;
  return std::nullopt;
}

/// As the declaration itself has it, else the first one in the file that tells.
RefStyle refStyleLike(const Found &F, UnitFiles &Files) {
  if (std::optional<RefStyle> Own = styleOf(*F.Decl, *F.Unit, Files))
    return *Own;
  for (const KernelDecl &Other : F.Unit->Kernels)
    if (Other.ParamList.File == F.Decl->ParamList.File)
      if (std::optional<RefStyle> Found = styleOf(Other, *F.Unit, Files))
        return *Found;
  return RefStyle::Right;
}

/// "const at::Scalar &" and a name in the file's style.
std::string declare(std::string Type, StringRef Name, RefStyle Style) {
  bool IsRef = StringRef(Type).ends_with(" &");
  if (IsRef && Style == RefStyle::Left)
    Type.erase(Type.size() - 2, 1);
  if (Name.empty())
    return Type;
  bool Blank = !IsRef || Style != RefStyle::Right;
  return Type + (Blank ? " " : "") + Name.str();
}

class DeclFixer {
public:
  DeclFixer(const Found &F, const ExpectedList &Want, UnitFiles &Files)
      : F(F), Unit(*F.Unit), K(*F.Decl), Want(Want), Files(Files), Types(F, Files),
        Style(refStyleLike(F, Files)) {}

  FixIt mend(ArrayRef<Difference> Differences);
  FixIt retype(unsigned G, const CppType &To);

private:
  StringRef text(Span S) { return Files.text(Unit, S); }
  Fix replace(Span S, std::string Text) {
    return {Files.file(Unit, S.File), S.Offset, S.Length, std::move(Text)};
  }
  std::string declare(std::string Type, StringRef Name) const {
    return ::declare(std::move(Type), Name, Style);
  }
  FixIt replaceClear(Span S, std::string Text);
  FixIt returnFix();
  /// The edits of a body that returns nothing.
  FixIt bodyFix();
  std::string returnedValue();
  Fix returnAtEnd(const std::string &Value);
  FixIt macroInList();
  std::vector<ListSlot> slots(ArrayRef<Difference> Differences);
  /// The words of a parameter's type, without the comment behind them.
  Span typeSpan(const KernelParam &P);
  /// The whole parameter after an edit of it.
  std::string edited(const KernelParam &P, const Fix &F);

  const Found &F;
  const UnitFacts &Unit;
  const KernelDecl &K;
  const ExpectedList &Want;
  UnitFiles &Files;
  TypeSpelling Types;
  RefStyle Style;
};

FixIt DeclFixer::replaceClear(Span S, std::string Text) {
  if (std::optional<FixIt> Blocked = findEditBlocker(F, S, "type", Files))
    return *Blocked;
  return {{replace(S, std::move(Text))}, "", {}};
}

Span DeclFixer::typeSpan(const KernelParam &P) {
  Span At = P.Type;
  for (const EditBlocker &O : reverse(K.EditBlockers))
    if (O.Is == EditBlocker::Comment && O.At.end() == At.end() && O.At.Offset > At.Offset) {
      StringRef Before = text({At.File, At.Offset, O.At.Offset - At.Offset});
      At.Length = Before.rtrim().size();
    }
  return At;
}

/// Only the type, so that comments and a default argument stay.
FixIt DeclFixer::retype(unsigned G, const CppType &To) {
  const KernelParam &P = K.Params[G];
  std::string Type = Types.spell(To);
  if (!P.Type.isValid()) {
    std::string Default = P.Default.isValid() ? " = " + text(P.Default).str() : "";
    return replaceClear(P.Whole, declare(Type, P.Name) + Default);
  }
  Span At = typeSpan(P);
  // What stands between type and name is a blank or nothing; a comment stays.
  Span Between{At.File, At.end(), P.NameAt.Offset - At.end()};
  if (!P.Name.empty() && text(Between).trim().empty())
    return replaceClear({At.File, At.Offset, P.NameAt.end() - At.Offset}, declare(Type, P.Name));
  return replaceClear(At, declare(Type, ""));
}

std::string DeclFixer::edited(const KernelParam &P, const Fix &F) {
  return text(P.Whole).str().replace(F.Offset - P.Whole.Offset, F.Length, F.Text);
}

/// The wanted list, out of the found parameters as far as they serve.
std::vector<ListSlot> DeclFixer::slots(ArrayRef<Difference> Differences) {
  std::vector<ListSlot> Slots(Want.Params.size());
  std::vector<bool> Placed(Want.Params.size()), Used(K.Params.size());
  for (const Difference &Diff : Differences) {
    if (Diff.Is == Difference::ReturnType)
      continue;
    if (Diff.Is != Difference::ParamMissing)
      Used[Diff.Got] = true;
    if (Diff.Is != Difference::ParamExtra)
      Placed[Diff.Want] = true;
    if (Diff.Is == Difference::ParamType || Diff.Is == Difference::ParamMoved)
      Slots[Diff.Want].Got = Diff.Got;
    if (Diff.Is == Difference::ParamMoved)
      Slots[Diff.Want].Moved = true;
  }
  unsigned G = 0;
  for (unsigned W = 0; W < Want.Params.size(); ++W) {
    if (Placed[W])
      continue;
    while (G < K.Params.size() && Used[G])
      ++G;
    if (G < K.Params.size())
      Slots[W].Got = G++;
  }
  for (unsigned W = 0; W < Slots.size(); ++W) {
    Slots[W].Name = Slots[W].Got ? K.Params[*Slots[W].Got].Name : Want.Params[W].Name;
    if (!Slots[W].Got)
      Slots[W].Text = declare(Types.spell(Want.Params[W].Type), Want.Params[W].Name);
  }
  return Slots;
}

/// "self", "std::forward_as_tuple(out0, out1)"; "" where the found function has not these
/// parameters.
std::string DeclFixer::returnedValue() {
  std::vector<std::string> Names;
  for (unsigned W : Want.Returned) {
    auto Same =
        find_if(K.Params, [&](const KernelParam &P) { return P.Name == Want.Params[W].Name; });
    if (Same == K.Params.end() && K.Params.size() == Want.Params.size())
      Same = K.Params.begin() + W;
    if (Same == K.Params.end() || Same->Name.empty())
      return "";
    Names.push_back(Same->Name);
  }
  return Names.size() == 1 ? Names.front()
         : Names.empty()   ? ""
                           : "std::forward_as_tuple(" + join(Names, ", ") + ")";
}

/// Before the last brace, as the statements of the body stand.
Fix DeclFixer::returnAtEnd(const std::string &Value) {
  Span Close = K.Ends.Close;
  std::string Statement = "return " + Value + ";";
  StringRef Body = text({Close.File, K.Ends.Open.end(), Close.Offset - K.Ends.Open.end()});
  StringRef LastLine = Body.drop_front(Body.rfind('\n') + 1);
  uint32_t LineBegin = Close.Offset - LastLine.size();
  if (LastLine.size() == Body.size() || !LastLine.trim().empty()) { // "{ f(); }"
    bool Blank = LastLine.ends_with(" ") || LastLine.ends_with("\t");
    return replace({Close.File, Close.Offset, 0}, (Blank ? "" : " ") + Statement + " ");
  }
  StringRef NewLine = Body.drop_back(LastLine.size()).ends_with("\r\n") ? "\r\n" : "\n";
  StringRef First = Body.drop_front(Body.find('\n') + 1).ltrim("\r\n");
  StringRef Indent = First.take_while([](char C) { return C == ' ' || C == '\t'; });
  if (First.data() >= LastLine.data()) // an empty body
    Indent = "";
  std::string Step = Indent.size() > LastLine.size() ? Indent.str() : LastLine.str() + "  ";
  return replace({Close.File, LineBegin, 0}, Step + Statement + NewLine.str());
}

FixIt DeclFixer::bodyFix() {
  std::string Value = returnedValue();
  if (Value.empty() || !K.Ends.Close.isValid())
    return FixIt::none(Value.empty()
                           ? "the function body returns no value; add the 'return' by hand"
                           : "a 'return' is needed at the end of the function body, but that end "
                             "could not be found",
                       Files.place(Unit, K.NameAt));
  FixIt Out;
  for (Span Return : K.Ends.Returns)
    Out.Fixes.push_back(replace({Return.File, Return.end(), 0}, " " + Value));
  if (K.Ends.FallsOff)
    Out.Fixes.push_back(returnAtEnd(Value));
  return Out;
}

FixIt DeclFixer::returnFix() {
  std::string Type = declare(Types.spell(Want.Returns), "");
  Span S = K.Return;
  if (K.ParamList.isValid() && S.Offset > K.ParamList.Offset) // auto f() -> T
    return replaceClear(S, std::move(Type));
  // "T& f" stands before its name with a blank, "T &f" without.
  StringRef Rest = text({S.File, S.end(), 1});
  bool BlankFollows = !Rest.empty() && isSpace(Rest.front());
  bool EndsInRef = StringRef(Type).ends_with("&");
  if (EndsInRef && Style == RefStyle::Right && BlankFollows && Rest.front() == ' ')
    ++S.Length;
  else if (!BlankFollows && !(EndsInRef && Style == RefStyle::Right))
    Type += " ";
  return replaceClear(S, std::move(Type));
}

FixIt DeclFixer::macroInList() {
  for (const EditBlocker &O : K.EditBlockers)
    if (O.Is == EditBlocker::Macro && O.At.Offset >= K.ParamList.Offset)
      return *findEditBlocker(F, O.At, "parameter list", Files);
  return {};
}

FixIt DeclFixer::mend(ArrayRef<Difference> Differences) {
  FixIt Out;
  if (!K.Editable) // a macro that is not in the list may hold it all, too
    return K.ForeignFile.empty() ? macroInList() : Out;
  bool OnlyTypes = all_of(Differences, [](const Difference &Diff) {
    return Diff.Is == Difference::ParamType || Diff.Is == Difference::ReturnType;
  });
  std::vector<ListSlot> Slots;
  if (!OnlyTypes)
    Slots = slots(Differences);
  bool Moves = isPermutation(Slots, K.Params.size());
  std::vector<FixIt> Parts;
  for (const Difference &Diff : Differences) {
    if (Diff.Is == Difference::ReturnType && K.Return.isValid()) {
      Parts.push_back(returnFix());
      if (K.Definition && K.ReturnCanonical.is("void") && !K.Ends.returnsOnAllPaths())
        Parts.push_back(bodyFix());
    }
    if (Diff.Is != Difference::ParamType)
      continue;
    FixIt Retyped = retype(Diff.Got, Want.Params[Diff.Want].Type);
    if (Moves && Diff.Got != Diff.Want && !Retyped.Fixes.empty())
      Slots[Diff.Want].Text = edited(K.Params[Diff.Got], Retyped.Fixes.front());
    else
      Parts.push_back(std::move(Retyped));
  }
  if (!OnlyTypes)
    Parts.push_back(editList(F, Slots, Files));
  for (FixIt &Part : Parts) {
    if (Part.Fixes.empty())
      return Part;
    append_range(Out.Fixes, Part.Fixes);
  }
  if (any_of(Out.Fixes, [](const Fix &F) { return F.File == SourceId::None; }))
    Out.Fixes.clear();
  return Out;
}

} // namespace

ExpectedList ExpectedList::of(const Signature &S, const Dialect &D) {
  ExpectedList Out;
  for (const Binding &P : S.Params)
    Out.Params.push_back({spelled(P.Type.Ty, D), P.Name});
  Out.Returns = spelled(S.Returns, D);
  for (unsigned I = 0; I < S.Params.size(); ++I)
    if (S.Params[I].Arg && S.Params[I].Arg->isWrite())
      Out.Returned.push_back(I);
  bool AreArguments = all_of(S.Returns.Elements, [](const CType &T) {
    return T.isA(CTypeLayer::MutRef) || T.isA(CTypeLayer::ConstRef);
  });
  if (!AreArguments || Out.Returned.size() != S.Returns.Elements.size())
    Out.Returned.clear();
  return Out;
}

/// Those of \p All that are mended together with \p Wanted: a type by itself, everything that
/// changes the order or number of parameters at once.
static std::vector<Difference> mendedWith(const Difference &Expected, ArrayRef<Difference> All) {
  bool TypesOnly = all_of(All, [](const Difference &Diff) {
    return Diff.Is == Difference::ParamType || Diff.Is == Difference::ReturnType;
  });
  std::vector<Difference> Out;
  copy_if(All, std::back_inserter(Out), [&](const Difference &Diff) {
    if (Expected.Is == Difference::ReturnType || Diff.Is == Difference::ReturnType)
      return Expected.Is == Diff.Is;
    return !TypesOnly || Diff.Want == Expected.Want;
  });
  return Out;
}

FixIt opsig::fixEverywhere(const Found &F, ArrayRef<Found> Others, const ExpectedList &Want,
                           const Difference &Diff,
                           function_ref<std::vector<Difference>(const Found &)> DifferencesOf,
                           UnitFiles &Files) {
  FixIt Out = DeclFixer(F, Want, Files).mend(mendedWith(Diff, DifferencesOf(F)));
  if (Out.Fixes.empty())
    return Out;
  for (const Found &Other : Others) {
    std::vector<Difference> Fixed = mendedWith(Diff, DifferencesOf(Other));
    if (Fixed.empty())
      continue; // as wanted already
    FixIt More = DeclFixer(Other, Want, Files).mend(Fixed);
    // Half a fix would leave two functions.
    if (More.Fixes.empty())
      return More;
    append_range(Out.Fixes, More.Fixes);
  }
  return Out;
}

/// What \p Make says of each of \p Decls, or nothing.
static FixIt everywhere(ArrayRef<Found> Decls, function_ref<FixIt(const Found &)> Make) {
  FixIt Out;
  for (const Found &F : Decls) {
    if (!F.Decl->Editable || F.Decl->Params.size() != Decls.front().Decl->Params.size())
      return {};
    FixIt One = Make(F);
    if (One.Fixes.empty() || One.Fixes.front().File == SourceId::None)
      return {{}, One.Why, One.At};
    append_range(Out.Fixes, One.Fixes);
  }
  return Out;
}

FixIt opsig::retypeEverywhere(ArrayRef<Found> Decls, unsigned Param, const CppType &To,
                              UnitFiles &Files) {
  return everywhere(Decls, [&](const Found &F) -> FixIt {
    if (!F.Decl->Params[Param].Type.isValid())
      return {};
    return DeclFixer(F, ExpectedList(), Files).retype(Param, To);
  });
}

static bool isWordChar(StringRef Text) {
  return !Text.empty() && (isAlnum(Text[0]) || Text[0] == '_' || Text[0] == ':');
}

FixIt opsig::rewordEverywhere(ArrayRef<Found> Decls, std::optional<unsigned> Param,
                              function_ref<TypePart(const Found &)> PartOf, UnitFiles &Files) {
  return everywhere(Decls, [&](const Found &F) -> FixIt {
    auto [At, Instead] = PartOf(F);
    Span Type = Param ? F.Decl->Params[*Param].Type : F.Decl->Return;
    if (!At.isValid() || !Type.isValid())
      return {};
    auto Text = [&](uint32_t Offset) { return Files.text(*F.Unit, {At.File, Offset, 1}); };
    bool Last = !Instead.isRead() && At.end() == Type.end();
    if (Last) // what is taken away leaves no blank behind
      while (At.Offset > Type.Offset && Text(At.Offset - 1) == " ")
        --At.Offset, ++At.Length;
    bool Joins = Last && isWordChar(Text(At.end()));
    if (std::optional<FixIt> Blocked = findEditBlocker(F, At, "type", Files))
      return *Blocked;
    return {{{Files.file(*F.Unit, At.File), At.Offset, At.Length,
              Joins ? " " : TypeSpelling(F, Files).spell(Instead)}},
            "",
            {}};
  });
}

std::string opsig::declarationLike(const Found &Like, const Signature &Want, StringRef Name,
                                   const Dialect &D, UnitFiles &Files) {
  TypeSpelling Types(Like, Files);
  RefStyle Style = Like ? refStyleLike(Like, Files) : RefStyle::Right;
  ExpectedList List = ExpectedList::of(Want, D);
  std::vector<std::string> Params;
  for (const ExpectedList::Param &P : List.Params)
    Params.push_back(declare(Types.spell(P.Type), P.Name, Style));
  return declare(Types.spell(List.Returns), (Name + "(" + join(Params, ", ") + ")").str(), Style);
}
