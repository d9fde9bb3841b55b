//===- ParseArgument.cpp - Text => Argument, Return ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ForeignSyntax.h"
#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig::schema {

namespace {

/// Words that stand for a number or a truth value.
constexpr llvm::StringLiteral ValueWords[] = {
    "True",
    "False",
    "None",
    "Mean",
    "Sum",
    "contiguous_format",
    "channels_last",
    "preserve_format",
    "channels_last_3d",
    "strided",
    "cpu",
    "float",
    "double",
    "half",
    "int",
    "long",
    "short",
    "bool",
    "cfloat",
    "cdouble",
    "complex",
    "uint8",
};

bool isWord(llvm::StringRef Text) { return !Text.empty() && firstNonIdentifier(Text).empty(); }

constexpr llvm::StringLiteral Blanks = " \t\r\n\v\f";

/// Reports blanks at the front of \p Text and takes them off.
bool trimFront(Context &C, llvm::StringRef &Text, const char *What) {
  llvm::StringRef Trimmed = Text.ltrim(Blanks);
  if (Trimmed.size() == Text.size())
    return true;
  C.error(finding::ArgumentWhitespace, Text.drop_back(Trimmed.size()),
          "unexpected space before {0}", What);
  Text = Trimmed;
  return false;
}

/// The same at the back.
bool trimBack(Context &C, llvm::StringRef &Text, const char *What) {
  llvm::StringRef Trimmed = Text.rtrim(Blanks);
  if (Trimmed.size() == Text.size())
    return true;
  C.error(finding::ArgumentWhitespace, Text.drop_front(Trimmed.size()),
          "unexpected space after {0}", What);
  Text = Trimmed;
  return false;
}

/// Whether \p Text alone would be a type of the language.
bool isType(const Context &C, llvm::StringRef Text) {
  SchemaErrors Ignored;
  Context Silent{Text, C.G, Ignored};
  return parseAnnotatedType(Silent, Text).has_value();
}

/// Splits the default off an argument. Returns false where its spelling is wrong; \p Left and
/// \p Default are good to go on with.
bool splitDefault(Context &C, llvm::StringRef Text, llvm::StringRef &Left,
                  std::optional<llvm::StringRef> &Default) {
  size_t Equals = Text.find('=');
  Left = Text.take_front(Equals);
  if (Equals == llvm::StringRef::npos)
    return true;
  bool Good = true;
  Default = Text.drop_front(Equals + 1);
  if (Default->empty()) {
    C.error(finding::DefaultMissing, Text.substr(Equals, 1), "expected a default after '='");
    return false;
  }
  if (size_t Second = Default->find('='); Second != llvm::StringRef::npos) {
    C.error(finding::DefaultHoldsEquals, Default->substr(Second, 1),
            "a default cannot contain '=', because PyTorch splits the argument there");
    Good = false;
  }
  if (Left.ends_with(" ") && Left.rtrim(' ').contains(' ')) {
    size_t End = Left.rtrim(' ').size();
    C.error(finding::DefaultSpacing, Left.drop_front(End),
            "remove the spaces around '='; write '{0}={1}'",
            quoted(Left.rtrim(' ').rsplit(' ').second), quoted(Default->ltrim(' ')));
    Left = Left.rtrim(' ');
    return false;
  }
  size_t Blank = Default->find(' ');
  if (Blank == llvm::StringRef::npos || C.G.DefaultsMayHoldSpaces)
    return Good;
  if (Blank == 0)
    C.error(finding::DefaultSpacing,
            Default->take_front(Default->size() - Default->ltrim(' ').size()),
            "remove the space after '='");
  else
    C.error(finding::DefaultHoldsSpace, Default->substr(Blank, 1),
            "a default cannot contain a space, because PyTorch reads the text after the space as "
            "the name");
  return false;
}

/// Says what is missing of an argument that is one word.
void reportOneWord(Context &C, llvm::StringRef Text) {
  if (Text == "...")
    C.error(finding::ArgumentVariadic, Text,
            "native functions cannot have a variable number of arguments");
  else if (size_t Tab = Text.find_first_of(Blanks); Tab != llvm::StringRef::npos)
    C.error(finding::ArgumentWhitespace, Text.substr(Tab, 1),
            "expected one space between type and name but found '{0}'",
            quoted(Text.substr(Tab, 1)));
  else if (Text.empty())
    C.error(finding::ArgumentNameMissing, Text, "an argument needs a type and a name");
  else if (size_t Comma = findOutside(Text, ","); Comma != llvm::StringRef::npos)
    C.error(finding::ArgumentSeparator, Text.substr(Comma, 1),
            "expected ', ' between arguments: a comma and one space");
  else if (isWord(Text) && !isType(C, Text))
    C.error(finding::ArgumentTypeMissing, Text,
            "argument '{0}' needs a type, for example 'Tensor {0}'", quoted(Text));
  else
    C.error(finding::ArgumentNameMissing, Text,
            "the '{0}' argument needs a name, for example '{0} x'", quoted(Text));
}

/// Reports what stands before the name where it is more than a type: a lost comma.
bool checkSeparators(Context &C, llvm::StringRef Type) {
  if (size_t Comma = findOutside(Type, ","); Comma != llvm::StringRef::npos) {
    C.error(finding::ArgumentSeparator, Type.substr(Comma, 1),
            "expected ', ' between arguments: a comma and one space");
    return false;
  }
  size_t Blank = findOutside(Type, " ");
  if (Blank == llvm::StringRef::npos || !isType(C, Type.take_front(Blank)))
    return true;
  llvm::StringRef Rest = Type.drop_front(Blank + 1);
  if (Rest.ltrim(' ').empty())
    return true;
  if (Rest.starts_with(" "))
    C.error(finding::ArgumentWhitespace, Rest.take_while([](char Ch) { return Ch == ' '; }),
            "expected one space between type and name");
  else
    C.error(finding::ArgumentSeparator,
            Type.substr(std::min(Type.find(' ', Blank + 1), Type.size()), 1),
            "expected a type and a name but found '{0}'; is a ',' missing?", quoted(Type));
  return false;
}

bool checkArgumentName(Context &C, llvm::StringRef Type, llvm::StringRef Name) {
  if (Name.empty()) {
    C.error(finding::ArgumentNameMissing, Name, "the '{0}' argument needs a name", quoted(Type));
    return false;
  }
  llvm::StringRef Bad = firstNonIdentifier(Name);
  if (Bad.empty())
    return true;
  if (Bad == ",")
    C.error(finding::ArgumentSeparator, Bad,
            "expected ', ' between arguments; each has a type and a name");
  else
    C.error(finding::ArgumentNameNotIdentifier, Bad,
            "{0} cannot be part of an argument's name, which becomes a C++ name",
            characterName(Bad));
  return false;
}

void setPlaces(const Context &C, Argument &A, const PieceText &Where) {
  A.TypeAt = C.place(Where.Type);
  A.NameAt = C.place(Where.Name);
  A.DefaultAt = C.place(Where.Default);
}

bool isClosedList(llvm::StringRef Text) {
  return Text.size() > 1 && Text.front() == '[' && Text.back() == ']';
}

} // namespace

bool checkDefault(Context &C, const Type &Ty, llvm::StringRef Written) {
  llvm::StringRef Default = Written.trim(' ');
  if (Default == "None")
    return true;
  bool InList = Default.starts_with("[");
  if (InList && !isClosedList(Default)) {
    C.error(finding::DefaultValue, Written, "expected ']' after the list '{0}'", quoted(Default));
    return false;
  }
  if (Ty.isList() && Ty.listSize() == 0 && !InList) {
    C.error(finding::DefaultValue, Written,
            "expected a list such as '[0,1]' as the default of '{0}'; only a list of a fixed size "
            "accepts '{1}' for every element",
            quoted(Ty.str()), quoted(Default));
    return false;
  }
  if (InList)
    return true;
  if (Ty.base() == BaseTy::Str) {
    if (Default.size() > 1 && (Default.front() == '"' || Default.front() == '\'') &&
        Default.back() == Default.front())
      return true;
    C.error(finding::DefaultValue, Written, "the default of '{0}' needs quotes: \"{1}\"",
            quoted(Ty.str()), quoted(Default.trim("\"'")));
    return false;
  }
  constexpr BaseTy Numbers[] = {BaseTy::Int, BaseTy::SymInt, BaseTy::Float, BaseTy::Scalar,
                                BaseTy::Bool};
  if (!llvm::is_contained(Numbers, Ty.base()) || !isWord(Default) ||
      llvm::is_contained(ValueWords, Default))
    return true;
  if (Ty.base() == BaseTy::Bool)
    C.error(finding::DefaultValue, Written, "a 'bool' argument cannot default to '{0}'{1}",
            quoted(Default), didYouMean(Default.take_front(32), {"True", "False"}));
  else
    C.error(finding::DefaultValue, Written, "an argument of type '{1}' cannot default to '{0}'",
            quoted(Default), quoted(Ty.str()));
  return false;
}

std::optional<Argument> parseArgument(Context &C, llvm::StringRef Text, PieceText &Where) {
  Where.Whole = Text;
  llvm::StringRef Left;
  std::optional<llvm::StringRef> Default;
  bool Good = splitDefault(C, Text, Left, Default);
  Good &= trimFront(C, Left, "an argument");

  size_t Blank = Left.rfind(' ');
  if (Blank == llvm::StringRef::npos) {
    reportOneWord(C, Left);
    return std::nullopt;
  }
  Where.Type = Left.take_front(Blank);
  Where.Name = Left.drop_front(Blank + 1);
  if (Default)
    Where.Default = *Default;

  if (!checkSeparators(C, Where.Type))
    return std::nullopt;
  Good &= trimBack(C, Where.Type, "an argument");
  Good &= checkArgumentName(C, Where.Type, Where.Name);
  std::optional<AnnotatedType> Ty = parseAnnotatedType(C, Where.Type);
  if (!Ty)
    return std::nullopt;
  if (Default && Good)
    Good = checkDefault(C, Ty->Ty, *Default);
  if (!Good)
    return std::nullopt;

  Argument A;
  A.Name = Where.Name.str();
  A.Ty = std::move(Ty->Ty);
  A.Annotation = std::move(Ty->Annotation);
  if (Default)
    A.Default = Default->str();
  setPlaces(C, A, Where);
  return A;
}

std::optional<Return> parseReturn(Context &C, llvm::StringRef Text, PieceText &Where) {
  Where.Whole = Text;
  bool Good = trimFront(C, Text, "a return type");
  Where.Type = Text;
  bool Named = false;
  if (size_t Blank = Text.rfind(' '); Blank != llvm::StringRef::npos) {
    Where.Type = Text.take_front(Blank);
    Where.Name = Text.drop_front(Blank + 1);
    Named = true;
  }
  if (Where.Type.starts_with("Tensor(") && Where.Type.ends_with(" ->") &&
      Where.Name.contains(')')) {
    C.error(finding::ReturnArrowWithoutName, Text,
            "this return needs a name; without one, PyTorch reads '{0}' as the name because of the "
            "'->' in the annotation",
            quoted(Where.Name));
    return std::nullopt;
  }

  Good &= trimBack(C, Where.Type, "a return type");
  if (Named) {
    llvm::StringRef Bad = firstNonIdentifier(Where.Name);
    if (Where.Name.empty()) {
      C.error(finding::ArgumentWhitespace, Text.take_back(1),
              "unexpected space after a return type");
      Good = false;
    } else if (!Bad.empty()) {
      C.error(finding::ReturnNameNotIdentifier, Bad,
              "{0} cannot be part of a return's name, which becomes a C++ name{1}",
              characterName(Bad), Bad == "=" ? "; returns have no default" : "");
      Good = false;
    }
  }
  std::optional<AnnotatedType> Ty = parseAnnotatedType(C, Where.Type);
  if (!Ty || !Good)
    return std::nullopt;
  Return R{Where.Name.str(), std::move(Ty->Ty), std::nullopt, std::move(Ty->Annotation)};
  setPlaces(C, R, Where);
  return R;
}

} // namespace opsig::schema
