//===- Fixes.cpp - edits that turn a declaration into the wanted one --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: at::Tensor add(const at::Tensor &self, float alpha)
// After:  at::Tensor add(const at::Tensor &self, const at::Scalar &alpha)
//
// Where only types differ, each type is replaced by itself. Where parameters are added, removed or
// moved the list is put together anew from the pieces that stay, with what stands between them.
//
//===----------------------------------------------------------------------===//
#include "Mend/MendInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// On which side of "&" and "*" a project puts its blank.
enum class RefStyle { Right, Left, Both }; // "T &x", "T& x", "T & x"

std::optional<RefStyle> styleOf(StringRef Text) {
  size_t At = Text.rfind('&');
  if (At == StringRef::npos)
    return std::nullopt;
  bool Before = At > 0 && isSpace(Text[At - 1]);
  bool After = At + 1 < Text.size() && isSpace(Text[At + 1]);
  return Before && After ? RefStyle::Both : Before ? RefStyle::Right : RefStyle::Left;
}

/// As the declaration itself has it, else the first one in the file that tells.
RefStyle refStyleLike(const Found &F, UnitFiles &Files) {
  if (std::optional<RefStyle> Own = styleOf(Files.text(*F.Unit, F.Decl->ParamList)))
    return *Own;
  for (const KernelDecl &Other : F.Unit->Kernels)
    if (Other.ParamList.File == F.Decl->ParamList.File)
      if (std::optional<RefStyle> Found = styleOf(Files.text(*F.Unit, Other.ParamList)))
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
  DeclFixer(const Found &F, const SignatureText &Want, UnitFiles &Files)
      : Unit(*F.Unit), K(*F.Decl), Want(Want), Files(Files), Types(F, Files),
        Style(refStyleLike(F, Files)) {}

  std::vector<Fix> fixes(ArrayRef<Difference> Differences);

private:
  StringRef text(Span S) { return Files.text(Unit, S); }
  Fix replace(Span S, std::string Text) {
    return {Files.file(Unit, S.File), S.Offset, S.Length, std::move(Text)};
  }
  std::string declare(std::string Type, StringRef Name) const {
    return ::declare(std::move(Type), Name, Style);
  }
  Fix returnFix();
  Fix typeFix(unsigned W, unsigned G);
  std::string usualSeparator(function_ref<StringRef(unsigned)> Separator) const;
  Fix listFix(ArrayRef<Difference> Differences);
  std::string paramText(unsigned W, unsigned G, bool Retype);

  const TranslationUnit &Unit;
  const KernelDecl &K;
  const SignatureText &Want;
  UnitFiles &Files;
  TypeSpelling Types;
  RefStyle Style;
};

/// Only the type, so that comments and a default argument stay.
Fix DeclFixer::typeFix(unsigned W, unsigned G) {
  const KernelParam &P = K.Params[G];
  std::string Type = Types.spell(Want.Params[W].Type);
  if (!P.Type.isValid())
    return replace(P.Whole, declare(Type, P.Name));
  // What stands between type and name is a blank or nothing; a comment stays.
  Span Between{P.Type.File, P.Type.end(), P.NameAt.Offset - P.Type.end()};
  if (!P.Name.empty() && text(Between).trim().empty())
    return replace({P.Type.File, P.Type.Offset, P.NameAt.end() - P.Type.Offset},
                   declare(Type, P.Name));
  return replace(P.Type, declare(Type, ""));
}

std::string DeclFixer::paramText(unsigned W, unsigned G, bool Retype) {
  const KernelParam &P = K.Params[G];
  std::string Whole = text(P.Whole).str();
  if (!Retype)
    return Whole;
  Fix F = typeFix(W, G);
  return Whole.replace(F.Offset - P.Whole.Offset, F.Length, F.Text);
}

/// As the list has it between its first two parameters, so that a parameter a line stays so.
std::string DeclFixer::usualSeparator(function_ref<StringRef(unsigned)> Separator) const {
  if (K.Params.size() < 2)
    return ", ";
  StringRef First = Separator(1);
  return First.ltrim().starts_with(",") && First.ltrim().drop_front().trim().empty() ? First.str()
                                                                                     : ", ";
}

Fix DeclFixer::listFix(ArrayRef<Difference> Differences) {
  // Which found parameter serves each wanted one, and whether its type stays.
  struct Source {
    std::optional<unsigned> Got;
    bool Retype = false;
  };
  std::vector<Source> Sources(Want.Params.size());
  std::vector<bool> Placed(Want.Params.size()), Used(K.Params.size());
  for (const Difference &Diff : Differences) {
    switch (Diff.Is) {
    case Difference::ParamType:
      Sources[Diff.Want] = {Diff.Got, true};
      Placed[Diff.Want] = Used[Diff.Got] = true;
      break;
    case Difference::ParamMoved:
      Sources[Diff.Want] = {Diff.Got, false};
      Placed[Diff.Want] = Used[Diff.Got] = true;
      break;
    case Difference::ParamMissing:
      Placed[Diff.Want] = true;
      break;
    case Difference::ParamExtra:
      Used[Diff.Got] = true;
      break;
    case Difference::ReturnType:
      break;
    }
  }
  unsigned G = 0;
  for (unsigned W = 0; W < Want.Params.size(); ++W) {
    if (Placed[W])
      continue;
    while (G < K.Params.size() && Used[G])
      ++G;
    if (G < K.Params.size())
      Sources[W] = {G++, false};
  }

  StringRef List = text(K.ParamList);
  auto between = [&](uint32_t Begin, uint32_t End) {
    return List.slice(Begin - K.ParamList.Offset, End - K.ParamList.Offset);
  };
  std::string Text;
  if (!K.Params.empty()) // comments and line breaks before the first parameter
    Text = between(K.ParamList.Offset, K.Params.front().Whole.Offset).str();
  auto separator = [&](unsigned G) { // before found parameter G
    return between(K.Params[G - 1].Whole.end(), K.Params[G].Whole.Offset);
  };
  // Where parameters only change places, what stands between the places stays.
  bool OnlyPlaces = Sources.size() == K.Params.size() &&
                    all_of(Sources, [](const Source &S) { return S.Got.has_value(); });
  std::string Usual = usualSeparator(separator);
  std::optional<unsigned> Last;
  for (unsigned W = 0; W < Sources.size(); ++W) {
    std::optional<unsigned> Got = Sources[W].Got;
    if (W != 0) {
      bool Neighbours = Got && Last && *Got == *Last + 1;
      Text += OnlyPlaces ? separator(W).str() : Neighbours ? separator(*Got).str() : Usual;
    }
    Text += Got ? paramText(W, *Got, Sources[W].Retype)
                : declare(Types.spell(Want.Params[W].Type), Want.Params[W].Name);
    Last = Got;
  }
  if (!K.Params.empty() && !Sources.empty())
    Text += between(K.Params.back().Whole.end(), K.ParamList.end()).rtrim(" \t");
  return replace(K.ParamList, std::move(Text));
}

Fix DeclFixer::returnFix() {
  std::string Type = declare(Types.spell(Want.Returns), "");
  Span S = K.Return;
  if (K.ParamList.isValid() && S.Offset > K.ParamList.Offset) // auto f() -> T
    return replace(S, std::move(Type));
  // "T& f" stands before its name with a blank, "T &f" without.
  StringRef Rest = text({S.File, S.end(), 1});
  bool BlankFollows = !Rest.empty() && isSpace(Rest.front());
  bool EndsInRef = StringRef(Type).ends_with("&");
  if (EndsInRef && Style == RefStyle::Right && BlankFollows && Rest.front() == ' ')
    ++S.Length;
  else if (!BlankFollows && !(EndsInRef && Style == RefStyle::Right))
    Type += " ";
  return replace(S, std::move(Type));
}

std::vector<Fix> DeclFixer::fixes(ArrayRef<Difference> Differences) {
  std::vector<Fix> Out;
  if (!K.Editable)
    return Out;
  bool OnlyTypes = all_of(Differences, [](const Difference &Diff) {
    return Diff.Is == Difference::ParamType || Diff.Is == Difference::ReturnType;
  });
  for (const Difference &Diff : Differences) {
    if (Diff.Is == Difference::ReturnType) {
      if (K.Return.isValid())
        Out.push_back(returnFix());
    } else if (OnlyTypes) {
      Out.push_back(typeFix(Diff.Want, Diff.Got));
    }
  }
  if (!OnlyTypes)
    Out.push_back(listFix(Differences));
  if (any_of(Out, [](const Fix &F) { return F.File == FileId::None; }))
    Out.clear();
  return Out;
}

} // namespace

SignatureText SignatureText::of(const Signature &S, const Dialect &D) {
  SignatureText Out;
  for (const Binding &P : S.Params)
    Out.Params.push_back({P.Type.Ty.str(D), P.Name});
  Out.Returns = S.Returns.str(D);
  return Out;
}

/// Those of \p All that are mended together with \p Wanted: a type by itself, everything that
/// changes the order or number of parameters at once.
static std::vector<Difference> mendedWith(const Difference &Wanted, ArrayRef<Difference> All) {
  bool TypesOnly = all_of(All, [](const Difference &Diff) {
    return Diff.Is == Difference::ParamType || Diff.Is == Difference::ReturnType;
  });
  std::vector<Difference> Out;
  copy_if(All, std::back_inserter(Out), [&](const Difference &Diff) {
    if (Wanted.Is == Difference::ReturnType || Diff.Is == Difference::ReturnType)
      return Wanted.Is == Diff.Is;
    return !TypesOnly || Diff.Want == Wanted.Want;
  });
  return Out;
}

std::vector<Fix> opsig::fixesEverywhere(
    const Found &F, ArrayRef<Found> Others, const SignatureText &Want, const Difference &Diff,
    function_ref<std::vector<Difference>(const Found &)> DifferencesOf, UnitFiles &Files) {
  std::vector<Fix> Out = DeclFixer(F, Want, Files).fixes(mendedWith(Diff, DifferencesOf(F)));
  if (Out.empty())
    return Out;
  for (const Found &Other : Others) {
    std::vector<Difference> Mended = mendedWith(Diff, DifferencesOf(Other));
    if (Mended.empty())
      continue; // as wanted already
    std::vector<Fix> More = DeclFixer(Other, Want, Files).fixes(Mended);
    // Half a fix would leave two functions.
    if (More.empty())
      return {};
    append_range(Out, More);
  }
  return Out;
}

std::string opsig::declarationLike(const Found &Like, const Signature &Want, StringRef Name,
                                   const Dialect &D, UnitFiles &Files) {
  TypeSpelling Types(Like, Files);
  RefStyle Style = Like ? refStyleLike(Like, Files) : RefStyle::Right;
  auto spell = [&](const std::string &Type) { return Types.spell(Type); };
  std::vector<std::string> Params;
  for (const Binding &P : Want.Params)
    Params.push_back(declare(spell(P.Type.Ty.str(D)), P.Name, Style));
  return declare(spell(Want.Returns.str(D)), (Name + "(" + join(Params, ", ") + ")").str(), Style);
}
