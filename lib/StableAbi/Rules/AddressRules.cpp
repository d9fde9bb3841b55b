//===- AddressRules.cpp - pointers to tensors, which handles are -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project that moved in part goes from one world to the other by an address, for a handle of the
// stable ABI points to an at::Tensor:
//
// Before: torch::stable::Tensor toStable(const at::Tensor &x) {
//           return torch::stable::Tensor(reinterpret_cast<AtenTensorHandle>(new at::Tensor(x)));
//         }
// After:  torch::stable::Tensor toStable(const torch::stable::Tensor &x) { return x; }
//
// With the type alone exchanged that would compile, and point to something else.
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The innermost braces around \p At, contents only; invalid where there are none.
Span bracesAround(StringRef Text, const Span &At) {
  std::optional<uint32_t> Open = braceAround(Text, At.Offset);
  StringRef Block = Open ? bracketed(Text.substr(*Open)) : "";
  return Block.empty() ? Span() : Span{At.File, *Open + 1, uint32_t(Block.size() - 2)};
}

/// `reinterpret_cast<at::Tensor *>(...)`.
bool isCastTo(StringRef Before, StringRef Behind) {
  Before = Before.rtrim();
  Before.consume_back("const");
  return Before.rtrim().ends_with("reinterpret_cast<") && Behind.ltrim().starts_with("*");
}

/// Its address is given to somebody, or comes from there.
bool isAddress(const ApiUse &Use, StringRef Text) {
  StringRef Before = Text.take_front(Use.At.Offset);
  if (isCastTo(Before, Text.substr(Use.At.end())))
    return true;
  if (!Before.rtrim().ends_with("new"))
    return false;
  Span Body = bracesAround(Text, Use.At);
  return Body.isValid() && Text.substr(Body.Offset, Body.Length).contains("AtenTensorHandle");
}

bool isTensor(const ApiUse &Use) {
  StringRef Name = withoutNamespace(Use.Name);
  return Use.Is == ApiUse::Type && (Name == "Tensor" || Name == "TensorBase");
}

/// The name of the one parameter of the function with that body, if it takes a tensor and returns
/// one; "" for others.
StringRef convertedParam(StringRef Text, const Span &Body) {
  StringRef Head = Text.take_front(Body.Offset - 1).rtrim();
  Head.consume_back("noexcept");
  Head = Head.rtrim();
  if (!Head.consume_back(")"))
    return "";
  size_t Open = Head.rfind('(');
  if (Open == StringRef::npos)
    return "";
  StringRef Param = Head.substr(Open + 1).trim();
  if (Param.contains(',') || Param.contains(')') || !Param.contains("Tensor"))
    return "";
  StringRef Name = Param.substr(
      Param.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") +
      1);
  StringRef Return = Head.take_front(Open);
  Return = Return.substr(Return.find_last_of(";}") + 1);
  return Return.contains("Tensor") && Name != Param ? Name : "";
}

} // namespace

RuleResult opsig::addressRule(const ApiUse &Use, const StableContext &Context) {
  if (!isTensor(Use) || !Use.At.isValid())
    return std::nullopt;
  StringRef Text = Context.text({Use.At.File, 0, ~0u});
  if (!isAddress(Use, Text))
    return std::nullopt;
  StableChange Stays =
      staysAsIs(Use, finding::UnstableType,
                "an AtenTensorHandle points to an at::Tensor, not to a torch::stable::Tensor");
  Span Body = bracesAround(Text, Use.At);
  StringRef Name = Body.isValid() ? convertedParam(Text, Body) : "";
  // The first in the body speaks for all.
  bool Second = any_of(Context.Unit.Uses, [&](const ApiUse &Other) {
    return isTensor(Other) && Other.At.File == Use.At.File && Other.At.Offset < Use.At.Offset &&
           Other.At.Offset >= Body.Offset && isAddress(Other, Text);
  });
  if (Name.empty() || Second)
    return Stays;
  WayBuilder Way(Context);
  Way.at(Body).text((" return " + Name + "; ").str());
  StableChange Change = movesInWords(Use, finding::UnstableType, "its argument", std::move(Way));
  toBeReviewed(Change,
               "the function converted between two tensor types, and now returns its argument");
  return Change;
}
