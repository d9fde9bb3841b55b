//===- ParseType.cpp - Text => Type, AliasAnnotation -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

namespace opsig::schema {

static constexpr llvm::StringLiteral ClassPrefix = "__torch__.torch.classes.";

static bool isClassNameChar(char Ch) { return llvm::isAlnum(Ch) || Ch == '_' || Ch == '.'; }

/// The part of a type that its suffixes follow.
static std::optional<Type> parseBase(Context &C, llvm::StringRef Text,
                                     llvm::ArrayRef<TypeSuffix> Suffixes) {
  if (std::optional<BaseTy> Base = parseBaseTy(Text)) {
    if (C.G.allows(*Base))
      return Type(*Base, Suffixes);
    C.error(finding::TypeNotInRelease, Text,
            "this release of PyTorch does not support the type '{0}' in schemas", Text);
    return std::nullopt;
  }
  if (Text.starts_with(ClassPrefix)) {
    llvm::StringRef Class = Text.drop_front(ClassPrefix.size());
    if (!Class.empty() && llvm::all_of(Class, isClassNameChar))
      return Type::customClass(Class, Suffixes);
    C.error(finding::TypeClassName, Text,
            "expected a class name (letters, digits, '_' and '.') after '{1}' in '{0}'",
            quoted(Text), ClassPrefix);
    return std::nullopt;
  }
  reportUnknownType(C, Text);
  return std::nullopt;
}

/// Reads the size of a list, the text between its brackets.
static bool parseListSize(Context &C, llvm::StringRef Elem, llvm::StringRef Digits,
                          uint32_t &Size) {
  Size = 0;
  if (Digits.empty())
    return true;
  if (!llvm::all_of(Digits, llvm::isDigit)) {
    C.error(finding::ListSizeNotNumber, Digits,
            "expected a number as the size of the list but found '{0}'; a list of any size ends in "
            "'[]'",
            quoted(Digits));
    return false;
  }
  if (llvm::all_of(Digits, [](char Ch) { return Ch == '0'; })) {
    C.error(finding::ListSizeZero, Digits,
            "PyTorch reads a list of size 0 as a list of any size; write '{0}[]'", quoted(Elem));
    return false;
  }
  if (Digits.front() == '0') {
    C.error(finding::SchemaRoundTrip, Digits, "PyTorch reads '[{0}]' as '[{1}]'; write '[{1}]'",
            quoted(Digits), quoted(Digits.ltrim('0')));
    return false;
  }
  if (Digits.getAsInteger(10, Size)) {
    C.error(finding::ListSizeTooLarge, Digits, "the list size {0} exceeds the maximum of {1}",
            quoted(Digits), std::numeric_limits<uint32_t>::max());
    return false;
  }
  return true;
}

std::optional<Type> parseType(Context &C, llvm::StringRef Text) {
  // From the outermost suffix inwards, without recursion. Python's own stack, on which torchgen
  // reads, has no room for more levels.
  constexpr size_t MaxDepth = 1000;
  llvm::SmallVector<TypeSuffix, 4> Suffixes;
  bool Good = true;
  llvm::StringRef Rest = Text;
  while (!Rest.empty()) {
    if (Suffixes.size() == MaxDepth && (Rest.back() == '?' || Rest.back() == ']')) {
      C.error(finding::TypeTooDeep, Text.take_back(2 * MaxDepth),
              "lists and optionals cannot be nested more than {0} times", MaxDepth);
      return std::nullopt;
    }
    if (Rest.back() == '?') {
      Suffixes.push_back({TypeSuffix::Optional, 0});
      Rest = Rest.drop_back();
      continue;
    }
    if (Rest.back() != ']')
      break;
    size_t Open = Rest.rfind('[');
    if (Open == llvm::StringRef::npos) {
      C.error(finding::TypeBracket, Rest.take_back(1),
              "unexpected ']' without '[' in the type '{0}'", quoted(Text));
      Good = false;
      Rest = Rest.rtrim("]?");
      break;
    }
    llvm::StringRef Elem = Rest.take_front(Open);
    uint32_t Size;
    if (!parseListSize(C, Elem, Rest.drop_front(Open + 1).drop_back(), Size)) {
      // What stands before generic brackets of another language is no element type.
      if (!Elem.empty() && !parseBaseTy(Elem.rtrim("[]?0123456789")))
        return std::nullopt;
      Good = false;
    }
    Suffixes.push_back({TypeSuffix::List, Size});
    Rest = Elem;
  }
  if (Rest.empty()) {
    C.error(finding::TypeMissing, Text,
            Text.empty() ? "expected a type" : "expected a type before '{0}'", quoted(Text));
    return std::nullopt;
  }
  std::reverse(Suffixes.begin(), Suffixes.end());
  std::optional<Type> Ty = parseBase(C, Rest, Suffixes);
  return Good ? Ty : std::nullopt;
}

namespace {

/// `a|b|c`, taken off the front of \p Text; empty where it begins with no letter.
std::string takeSets(llvm::StringRef &Text) {
  auto IsLetter = [&](size_t At) { return At < Text.size() && Text[At] >= 'a' && Text[At] <= 'z'; };
  size_t Size = IsLetter(0) ? 1 : 0;
  while (Size && Text.substr(Size).starts_with("|") && IsLetter(Size + 1))
    Size += 2;
  llvm::StringRef Sets = Text.take_front(Size);
  Text = Text.drop_front(Size);
  return Sets.str();
}

void reportAnnotationRest(Context &C, llvm::StringRef Text, llvm::StringRef Rest, bool HasBefore) {
  llvm::StringRef Trimmed = Rest.ltrim(' ');
  if (HasBefore && Trimmed.starts_with("->") && !Rest.starts_with(" -> ")) {
    C.error(finding::AnnotationArrow, Rest.take_front(Rest.size() - Trimmed.size() + 2),
            "expected one space before and after '->' in an alias annotation, for example "
            "'a -> *'");
    return;
  }
  bool IsPart = !Rest.empty() && Rest.size() != Text.size();
  C.error(finding::AnnotationSyntax, Rest.empty() ? Text : Rest,
          "invalid alias annotation '{0}'{1}; expected letters from 'a' to 'z', and '!' for a "
          "write: 'a', "
          "'a!', 'a|b', 'a -> *'",
          quoted(Text), IsPart ? " at '" + quoted(Rest) + "'" : "");
}

} // namespace

std::optional<AliasAnnotation> parseAnnotation(Context &C, llvm::StringRef Text) {
  if (Text.empty()) {
    C.error(finding::AnnotationEmpty, Text,
            "the alias annotation is empty; write 'Tensor' or 'Tensor(a)'");
    return std::nullopt;
  }
  AliasAnnotation A;
  llvm::StringRef Rest = Text;
  A.Before = takeSets(Rest);
  bool HasBefore = !A.Before.empty();
  if (HasBefore)
    A.IsWrite = Rest.consume_front("!");
  if (HasBefore && Rest.starts_with(" -> ")) {
    Rest = Rest.drop_front(4);
    if (Rest.consume_front("*")) {
      A.After = "*";
    } else {
      A.After = takeSets(Rest);
      HasBefore = !A.After.empty();
    }
  }
  if (!HasBefore || !Rest.empty()) {
    reportAnnotationRest(C, Text, Rest, HasBefore);
    return std::nullopt;
  }
  size_t NumBefore = aliasSets(A.Before).size();
  if (A.IsWrite && NumBefore > 1) {
    C.error(finding::AnnotationWrittenSet, Text,
            "only one alias set can be marked as written, but '{0}' marks {1}", quoted(Text),
            NumBefore);
    return std::nullopt;
  }
  if (NumBefore > 1 && aliasSets(A.After).size() > 1) {
    C.error(
        finding::AnnotationTwoSets, Text,
        "'{0}' has several alias sets both before and after '->'; only one side can have several",
        quoted(Text));
    return std::nullopt;
  }
  if (NumBefore > 2) {
    C.error(finding::AnnotationSetTooLarge, Text,
            "'{0}' lists {1} alias sets before any '->'; PyTorch supports at most two",
            quoted(Text), NumBefore);
    return std::nullopt;
  }
  return A;
}

/// Reports `int(a)`, `Tensor?(a)`, `Tensor[](a!)`: an annotation that does not follow Tensor.
/// Returns whether \p Text is one of these.
static bool reportMisplacedAnnotation(Context &C, llvm::StringRef Text) {
  size_t Open = Text.find('(');
  if (Open == llvm::StringRef::npos)
    return false;
  llvm::StringRef Before = Text.take_front(Open);
  llvm::StringRef Base = Before.rtrim("[]?0123456789");
  if (!parseBaseTy(Base))
    return false;
  llvm::StringRef Annotation = Text.drop_front(Open);
  if (Base == "Tensor") {
    llvm::StringRef Suffix = Before.drop_front(Base.size());
    llvm::StringRef Inner = Annotation.take_until([](char Ch) { return Ch == ')'; });
    C.error(finding::AnnotationNotOnTensor, Annotation,
            "an alias annotation must directly follow 'Tensor'; write '{0}'",
            quoted(("Tensor" + Inner + ")" + Suffix).str()));
  } else {
    C.error(finding::AnnotationNotOnTensor, Annotation,
            "only 'Tensor' can have an alias annotation; '{0}' cannot", quoted(Before));
  }
  return true;
}

std::optional<AnnotatedType> parseAnnotatedType(Context &C, llvm::StringRef Text) {
  AnnotatedType Result;
  if (!Text.starts_with("Tensor(")) {
    if (reportMisplacedAnnotation(C, Text))
      return std::nullopt;
    std::optional<Type> Ty = parseType(C, Text);
    if (!Ty)
      return std::nullopt;
    Result.Ty = std::move(*Ty);
    return Result;
  }

  llvm::StringRef Inner = Text.drop_front(7);
  size_t Close = Inner.rfind(')');
  if (Close == llvm::StringRef::npos) {
    C.error(finding::AnnotationUnclosed, Text.drop_front(6),
            "expected ')' after the alias annotation; write 'Tensor({0})'", quoted(Inner));
    return std::nullopt;
  }
  llvm::StringRef Suffix = Inner.drop_front(Close + 1);
  Result.Annotation = parseAnnotation(C, Inner.take_front(Close));
  if (Suffix == "?") {
    Result.Ty = Type(BaseTy::Tensor).optional();
  } else if (Suffix == "[]") {
    Result.Ty = Type(BaseTy::Tensor).list();
  } else if (!Suffix.empty()) {
    C.error(finding::AnnotationSuffix, Suffix,
            "only '?' or '[]' can follow an alias annotation, not '{0}'", quoted(Suffix));
    return std::nullopt;
  }
  if (!Result.Annotation)
    return std::nullopt;
  return Result;
}

} // namespace opsig::schema
