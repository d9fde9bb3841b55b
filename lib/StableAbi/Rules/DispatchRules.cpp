//===- DispatchRules.cpp - AT_DISPATCH_* => THO_DISPATCH_V2 ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: AT_DISPATCH_FLOATING_TYPES_AND(kHalf, x.scalar_type(), "f", [&] { ... })
// After:  THO_DISPATCH_V2(x.scalar_type(), "f", AT_WRAP([&] { ... }), AT_EXPAND(AT_FLOATING_TYPES),
//         kHalf)
//
// The lists are those that ATen/Dispatch.h and torch/headeronly/core/Dispatch_v2.h define.
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

struct DispatchRule {
  StringLiteral Name;  ///< behind AT_DISPATCH_
  StringLiteral Types; ///< as THO_DISPATCH_V2 is given them
};

#define LIST(NAME) ", AT_EXPAND(" NAME ")"
#define TYPE(NAME) ", torch::headeronly::ScalarType::" NAME

constexpr DispatchRule Rules[] = {
    {"FLOATING_TYPES", LIST("AT_FLOATING_TYPES")},
    {"FLOATING_TYPES_AND_HALF", LIST("AT_FLOATING_TYPES") TYPE("Half")},
    {"REDUCED_FLOATING_TYPES", TYPE("Half") TYPE("BFloat16")},
    {"FLOATING_AND_COMPLEX_TYPES", LIST("AT_FLOATING_TYPES") LIST("AT_COMPLEX_TYPES")},
    {"COMPLEX_TYPES", LIST("AT_COMPLEX_TYPES")},
    {"INTEGRAL_TYPES", LIST("AT_INTEGRAL_TYPES")},
    {"ALL_TYPES", LIST("AT_ALL_TYPES")},
    {"ALL_TYPES_AND_HALF", LIST("AT_ALL_TYPES") TYPE("Half")},
    {"ALL_TYPES_AND_COMPLEX", LIST("AT_ALL_TYPES_AND_COMPLEX")},
    {"ALL_TYPES_AND_COMPLEX_AND_HALF", LIST("AT_ALL_TYPES_AND_COMPLEX") TYPE("Half")},
};

/// "FLOATING_TYPES_AND3" takes three types first.
std::optional<unsigned> extraTypes(StringRef &Name) {
  if (any_of(Rules, [&](const DispatchRule &R) { return R.Name == Name; }))
    return 0;
  size_t And = Name.rfind("_AND");
  if (And == StringRef::npos)
    return std::nullopt;
  StringRef Number = Name.drop_front(And + 4);
  unsigned Count = 1;
  if (!Number.empty() && Number.getAsInteger(10, Count))
    return std::nullopt;
  Name = Name.take_front(And);
  return Count;
}

} // namespace

RuleResult opsig::dispatchRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = Use.Name;
  Name.consume_front("AT_DISPATCH_");
  std::optional<unsigned> Extra = extraTypes(Name);
  const auto *Rule = find_if(Rules, [&](const DispatchRule &R) { return R.Name == Name; });
  size_t First = Extra.value_or(0);
  if (!Extra || Rule == std::end(Rules) || Use.Args.size() < First + 3)
    return staysAsIs(Use, finding::UnstableMacro,
                     "write the cases with THO_DISPATCH_SWITCH and THO_DISPATCH_CASE");
  Span Body = Use.Args[First + 2].At;
  Body.Length = Use.Args.back().At.end() - Body.Offset;
  WayBuilder Way(Context);
  Way.at(Use.At).name("THO_DISPATCH_V2").text("(").from(Use.Args[First].At).text(", ");
  // THO_DISPATCH_V2 splits a body at the commas that no parentheses hold, whatever AT_WRAP is for.
  std::optional<std::vector<StringRef>> Parts =
      commaSeparated(Context.text(Body), /*OnlyParentheses=*/true);
  const bool HasCommas = !Parts || Parts->size() > 1;
  Way.from(Use.Args[First + 1].At).text(HasCommas ? ", AT_WRAP((" : ", AT_WRAP(");
  Way.from(Body).text(HasCommas ? "))" : ")");
  Way.pattern(Rule->Types, Use);
  for (size_t I = 0; I < First; ++I)
    Way.text(", ").from(Use.Args[I].At);
  Way.text(")");
  return movesBy(Use, finding::UnstableMacro, "THO_DISPATCH_V2", std::move(Way));
}
