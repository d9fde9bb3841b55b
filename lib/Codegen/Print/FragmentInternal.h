//===- FragmentInternal.h - Code fragments with checked holes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// constexpr text with ${name} holes + "name"_hole = value => text
//
// For fragments that opsig itself holds. In contrast to CodeTemplate a value goes in as it is,
// wherever the hole stands, and the names are compared when opsig is compiled: a hole without a
// value or a value without a hole does not build.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_FRAGMENTINTERNAL_H
#define OPSIG_CODEGEN_FRAGMENTINTERNAL_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace opsig {

/// A string literal that can be a template argument.
template <size_t N> struct FixedString {
  char Chars[N] = {};
  consteval FixedString(const char (&Literal)[N]) { std::copy_n(Literal, N, Chars); }
  constexpr std::string_view view() const { return {Chars, N - 1}; }
};

template <FixedString Name> struct HoleValue { llvm::StringRef Value; };

template <FixedString Name> struct HoleName {
  HoleValue<Name> operator=(llvm::StringRef Value) const { return {Value}; }
};

template <FixedString Name> consteval HoleName<Name> operator""_hole() { return {}; }

namespace fragment {

/// The text before the first hole, the hole's name and what follows it. Without a hole all is
/// Before.
struct Cut {
  std::string_view Before, Name, After;
};
constexpr Cut cutAtHole(std::string_view Text) {
  size_t Begin = Text.find("${");
  if (Begin == std::string_view::npos)
    return {Text, {}, {}};
  size_t End = Text.find('}', Begin);
  return {Text.substr(0, Begin), Text.substr(Begin + 2, End - Begin - 2), Text.substr(End + 1)};
}

consteval bool hasHole(std::string_view Text, std::string_view Name) {
  Cut C = cutAtHole(Text);
  return C.Name == Name || (!C.After.empty() && hasHole(C.After, Name));
}

template <typename... Views> consteval bool hasOnlyHoles(std::string_view Text, Views... Names) {
  Cut C = cutAtHole(Text);
  return (C.Name.empty() || ((C.Name == Names) || ...)) &&
         (C.After.empty() || hasOnlyHoles(C.After, Names...));
}

} // namespace fragment

template <FixedString Text, FixedString... Names> std::string fill(HoleValue<Names>... Values) {
  static_assert((fragment::hasHole(Text.view(), Names.view()) && ...), "a value without a hole");
  static_assert(fragment::hasOnlyHoles(Text.view(), Names.view()...), "a hole without a value");
  std::string Result;
  // Too much by the names of the holes, too little where a value stands twice.
  Result.reserve((Text.view().size() + ... + Values.Value.size()));
  std::string_view Rest = Text.view();
  do {
    fragment::Cut C = fragment::cutAtHole(Rest);
    Result += C.Before;
    ((C.Name == Names.view() ? void(Result += Values.Value) : void()), ...);
    Rest = C.After;
  } while (!Rest.empty());
  return Result;
}

} // namespace opsig

#endif
