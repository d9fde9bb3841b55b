//===- ForeignTypes.cpp - Types of Python and C++ => types of schemas -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ForeignSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opsig::schema {

namespace {

struct Spelling {
  llvm::StringLiteral Written;
  llvm::StringLiteral Meant;
};

/// How C++ and Python spell the types of the schema language.
constexpr Spelling Foreign[] = {
    {"int64_t", "int"},
    {"int32_t", "int"},
    {"int16_t", "int"},
    {"int8_t", "int"},
    {"int64", "int"},
    {"int32", "int"},
    {"uint8_t", "int"},
    {"uint16_t", "int"},
    {"uint32_t", "int"},
    {"uint64_t", "int"},
    {"size_t", "int"},
    {"long", "int"},
    {"long long", "int"},
    {"short", "int"},
    {"unsigned", "int"},
    {"unsigned int", "int"},
    {"unsigned long", "int"},
    {"integer", "int"},
    {"double", "float"},
    {"float32", "float"},
    {"float64", "float"},
    {"string", "str"},
    {"string_view", "str"},
    {"char *", "str"},
    {"char*", "str"},
    {"boolean", "bool"},
    {"tensor", "Tensor"},
    {"ndarray", "Tensor"},
    {"scalar", "Scalar"},
    {"dtype", "ScalarType"},
    {"device", "Device"},
    {"layout", "Layout"},
    {"memory_format", "MemoryFormat"},
    {"generator", "Generator"},
    {"number", "Scalar"},
    {"Number", "Scalar"},
    {"symint", "SymInt"},
    {"IntArrayRef", "int[]"},
    {"IntList", "int[]"},
    {"OptionalIntArrayRef", "int[]?"},
    {"SymIntArrayRef", "SymInt[]"},
    {"TensorList", "Tensor[]"},
    {"ITensorListRef", "Tensor[]"},
    {"TensorOptions", "ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
                      "bool? pin_memory=None"},
    {"DimnameList", "Dimname[]"},
};

enum class Generic : uint8_t { Optional, OptionalList, List, Array, Tuple, Dict, Union };

struct Head {
  llvm::StringLiteral Name;
  Generic Is;
};

/// Names that take types in brackets.
constexpr Head Heads[] = {
    {"Optional", Generic::Optional},
    {"optional", Generic::Optional},
    {"OptionalArrayRef", Generic::OptionalList},
    {"List", Generic::List},
    {"list", Generic::List},
    {"Sequence", Generic::List},
    {"Iterable", Generic::List},
    {"vector", Generic::List},
    {"ArrayRef", Generic::List},
    {"IListRef", Generic::List},
    {"span", Generic::List},
    {"array", Generic::Array},
    {"Tuple", Generic::Tuple},
    {"tuple", Generic::Tuple},
    {"pair", Generic::Tuple},
    {"Dict", Generic::Dict},
    {"dict", Generic::Dict},
    {"Mapping", Generic::Dict},
    {"map", Generic::Dict},
    {"unordered_map", Generic::Dict},
    {"Union", Generic::Union},
};

constexpr llvm::StringLiteral Prefixes[] = {
    "at::",    "c10::",     "std::",    "torch::",          "torch.",
    "typing.", "builtins.", "numbers.", "collections.abc.", "np.",
    "numpy."};

/// Takes off what C++ and Python put around a name: const, references, namespaces, modules.
StringRef withoutQualifiers(StringRef Text) {
  Text = Text.trim().rtrim('&').rtrim();
  Text.consume_front("const ");
  Text = Text.ltrim(" :");
  for (bool IsFound = true; IsFound;) {
    IsFound = false;
    for (StringRef Prefix : Prefixes)
      IsFound |= Text.consume_front(Prefix);
  }
  return Text.trim();
}

bool isNone(StringRef Text) { return Text == "None" || Text == "NoneType" || Text == "nullopt_t"; }

} // namespace

size_t findOutside(StringRef Text, StringRef Chars) {
  // Most texts have none at all, which is seen faster than where it would count.
  if (none_of(Chars, [&](char C) { return Text.contains(C); }))
    return StringRef::npos;
  int Depth = 0;
  char Quote = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    char Ch = Text[I];
    if (Quote) {
      if (Ch == '\\' && I + 1 != Text.size())
        ++I;
      else if (Ch == Quote)
        Quote = 0;
      continue;
    }
    if (Depth <= 0 && Chars.contains(Ch))
      return I;
    if (Ch == '"' || Ch == '\'')
      Quote = Ch;
    else if (Ch == '(' || Ch == '[' || Ch == '<')
      ++Depth;
    else if (Ch == ')' || Ch == ']' || (Ch == '>' && I && Text[I - 1] != '-' && Text[I - 1] != '='))
      --Depth;
  }
  return StringRef::npos;
}

std::vector<StringRef> splitOutside(StringRef Text, char Separator) {
  std::vector<StringRef> Pieces;
  while (true) {
    size_t At = findOutside(Text, StringRef(&Separator, 1));
    Pieces.push_back(Text.take_front(At));
    if (At == StringRef::npos)
      return Pieces;
    Text = Text.drop_front(At + 1);
  }
}

bool ForeignSyntax::isType(StringRef Text) const {
  StringRef Base = Text.rtrim("[]?0123456789");
  if (Base.size() > 7 && Base.starts_with("Tensor(") && Base.ends_with(")"))
    return true;
  if (Base.size() > 2 && L == Language::Script && Base.ends_with(")") &&
      (Base.starts_with("Dict(") || Base.starts_with("Union(") || Base.starts_with("(")))
    return true;
  std::optional<BaseTy> Ty = parseBaseTy(Base);
  return (Ty && G.allows(*Ty)) || Base.starts_with("__torch__.torch.classes.") ||
         (L == Language::Script && (Base == "Any" || Base == "complex"));
}

std::optional<std::string> ForeignSyntax::spell(StringRef Text, unsigned Depth) const {
  Text = Text.trim();
  if (isType(Text))
    return Text.str();
  std::optional<ForeignType> Ty = translate(Text, Depth + 1);
  return Ty && Ty->IsCertain ? std::optional(Ty->Schema) : std::nullopt;
}

std::optional<std::string> ForeignSyntax::spellAll(llvm::ArrayRef<StringRef> Parts,
                                                   unsigned Depth) const {
  std::string Out;
  for (StringRef Part : Parts) {
    std::optional<std::string> One = spell(Part, Depth);
    if (!One)
      return std::nullopt;
    Out += (Out.empty() ? "" : ", ") + *One;
  }
  return Out;
}

/// `X | None`, and numbers of several kinds.
std::optional<ForeignType> ForeignSyntax::translateUnion(llvm::ArrayRef<StringRef> Parts,
                                                         unsigned Depth) const {
  llvm::SmallVector<StringRef, 4> Kinds;
  for (StringRef Part : Parts)
    if (!isNone(Part.trim()))
      Kinds.push_back(Part.trim());
  llvm::StringRef Suffix = Kinds.size() != Parts.size() ? "?" : "";
  if (Kinds.size() == 1) {
    std::optional<std::string> Inner = spell(Kinds.front(), Depth);
    if (!Inner)
      return std::nullopt;
    return ForeignType{*Inner + Suffix.str(), ForeignType::Optional};
  }
  constexpr llvm::StringLiteral Numbers[] = {"int", "float", "bool", "complex"};
  bool AreNumbers =
      llvm::all_of(Kinds, [&](StringRef K) { return llvm::is_contained(Numbers, K); });
  if (!AreNumbers || Kinds.empty())
    return std::nullopt;
  // infer_schema reads these three as Scalar; of others it is a guess.
  bool IsScalar = Kinds.size() == 3 && !llvm::is_contained(Kinds, "complex");
  return ForeignType{("Scalar" + Suffix).str(), ForeignType::Name, IsScalar};
}

std::optional<ForeignType> ForeignSyntax::translateGeneric(StringRef Head, StringRef Inner,
                                                           unsigned Depth) const {
  const auto *Found = llvm::find_if(Heads, [&](const auto &H) { return H.Name == Head; });
  if (Found == std::end(Heads))
    return std::nullopt;
  std::vector<StringRef> Parts = splitOutside(Inner, ',');
  if (Found->Is == Generic::Union)
    return translateUnion(Parts, Depth);
  bool IsTuple = Found->Is == Generic::Tuple;
  if (IsTuple && Parts.size() == 2 && Parts[1].trim() == "...") {
    std::optional<std::string> Element = spell(Parts[0], Depth);
    return Element ? std::optional(ForeignType{*Element + "[]", ForeignType::List}) : std::nullopt;
  }
  std::string Size;
  if (Found->Is == Generic::Array && Parts.size() == 2) {
    Size = Parts.back().trim().str();
    Parts.pop_back();
  }
  std::optional<std::string> All = spellAll(Parts, Depth);
  if (!All || (!IsTuple && Found->Is != Generic::Dict && Parts.size() != 1))
    return std::nullopt;
  switch (Found->Is) {
  case Generic::Optional:
    return ForeignType{*All + "?", ForeignType::Optional};
  case Generic::OptionalList:
    return ForeignType{*All + "[]?", ForeignType::Optional};
  case Generic::Array:
    if (!llvm::all_of(Size, llvm::isDigit) || Size.empty())
      return std::nullopt;
    [[fallthrough]];
  case Generic::List:
    return ForeignType{*All + "[" + Size + "]", ForeignType::List};
  case Generic::Tuple:
    return ForeignType{"(" + *All + ")", ForeignType::Tuple, L == Language::Script};
  case Generic::Dict:
    if (Parts.size() != 2)
      return std::nullopt;
    return ForeignType{"Dict(" + *All + ")", ForeignType::Dict, L == Language::Script};
  case Generic::Union:
    break;
  }
  return std::nullopt;
}

std::optional<ForeignType> ForeignSyntax::translate(StringRef Text, unsigned Depth) const {
  constexpr size_t Longest = 200, Deepest = 8;
  if (Text.size() > Longest || Depth > Deepest)
    return std::nullopt;
  StringRef Name = withoutQualifiers(Text);
  if (Name.empty())
    return std::nullopt;
  if (findOutside(Name, "|") != StringRef::npos)
    return translateUnion(splitOutside(Name, '|'), Depth);
  if (Name.size() != Text.size() && isType(Name))
    return ForeignType{Name.str()};
  for (const Spelling &S : Foreign)
    if (S.Written == Name)
      return ForeignType{S.Meant.str()};
  // A suffix of the schema language behind something else: "int64_t[]", "torch.Tensor?".
  StringRef Front = Name.rtrim("[]?0123456789");
  StringRef Suffix = Name.drop_front(Front.size());
  if (!Suffix.empty() && StringRef("[?").contains(Suffix.front()) && !Front.empty()) {
    std::optional<ForeignType> Inner = translate(Front, Depth + 1);
    if (!Inner || Inner->Schema.find(' ') != std::string::npos)
      return std::nullopt;
    Inner->Schema += Suffix;
    return Inner;
  }
  size_t Open = Name.find_first_of("[<");
  if (Open == StringRef::npos || Open == 0)
    return std::nullopt;
  char Close = Name[Open] == '[' ? ']' : '>';
  if (Name.back() != Close)
    return std::nullopt;
  return translateGeneric(Name.take_front(Open).trim(), Name.slice(Open + 1, Name.size() - 1),
                          Depth);
}

std::optional<ForeignType> ForeignSyntax::translate(StringRef Text) const {
  return translate(Text, 0);
}

} // namespace opsig::schema
