//===- SliceRules.cpp - parts of tensors, and what is added around them -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: x.index({"...", Slice(None, n)})   After: torch::stable::narrow(x, -1, 0, n)
// Before: x.index({i, Slice(j, j + n)})      After: torch::stable::narrow(
//                                                     lvalue_of(torch::stable::select(x, 0, i)), 0,
//                                                     j, n)
// Before: F::pad(x, F::PadFuncOptions({0, n}))   After: torch::stable::pad(x, {0, n})
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// A part of source text.
struct Part {
  StringRef Text;
  Span At;
};

Part partOf(const Part &P, StringRef Text) {
  return {Text,
          {P.At.File, P.At.Offset + uint32_t(Text.data() - P.Text.data()), uint32_t(Text.size())}};
}

Part trimmed(const Part &P) { return partOf(P, P.Text.trim()); }

/// What stands between commas that no bracket holds; none where brackets do not match.
std::optional<SmallVector<Part>> listOf(const Part &P) {
  std::optional<std::vector<StringRef>> Texts = commaSeparated(P.Text);
  if (!Texts)
    return std::nullopt;
  return map_to_vector(*Texts, [&](StringRef T) { return partOf(P, T); });
}

/// What \p Open and \p Close hold, if they hold all that is behind \p Name's last segment.
std::optional<Part> heldBy(const Part &P, StringRef Name, char Open, char Close) {
  auto [Before, Held] = P.Text.split(Open);
  Before = Before.trim();
  bool IsNamed = Before == Name || Before.ends_with(("::" + Name).str());
  if (!IsNamed || !Held.consume_back(StringRef(&Close, 1)) || !commaSeparated(Held))
    return std::nullopt;
  return partOf(P, Held);
}

bool isNamed(StringRef Text, StringRef Name) {
  return Text == Name || Text.ends_with(("::" + Name).str());
}

/// One of an index's parts: a number, or a slice from Begin to End.
struct Index {
  Part Number, Begin, End;
  bool IsSlice = false;
  bool takesAll() const { return IsSlice && Begin.Text.empty() && End.Text.empty(); }
};

std::optional<Index> indexOf(Part P) {
  Index Out;
  std::optional<Part> Inner = heldBy(P, "Slice", '(', ')');
  if (!Inner) {
    // Other tensors choose elements; what nobody can tell from one is left to the compiler.
    if (P.Text.empty() || isNamed(P.Text, "None") || P.Text.starts_with("\"") || P.Text == "true" ||
        P.Text == "false" || P.Text.contains("Slice"))
      return std::nullopt;
    Out.Number = P;
    return Out;
  }
  SmallVector<Part> Ends = *listOf(*Inner);
  if (Ends.size() > 2)
    return std::nullopt;
  Out.IsSlice = true;
  auto Said = [](const Part &E) { return isNamed(E.Text, "None") || E.Text == "0" ? Part() : E; };
  if (!Ends.empty())
    Out.Begin = Said(Ends[0]);
  if (Ends.size() == 2 && !isNamed(Ends[1].Text, "None"))
    Out.End = Ends[1];
  // From the end of the tensor on: a length needs its size.
  bool FromEnd = Out.Begin.Text.starts_with("-") || Out.End.Text.starts_with("-");
  return FromEnd ? std::nullopt : std::optional(Out);
}

bool isWord(StringRef Text) {
  return all_of(Text, [](char C) { return isAlnum(C) || C == '_' || C == '.' || C == ':'; });
}

/// "n" for "j" to "j + n", "5" for "2" to "7", otherwise "(end) - (begin)".
void addLength(WayBuilder &Way, const Part &Begin, const Part &End) {
  uint64_t From = 0, To = 0;
  if (Begin.Text.empty()) {
    Way.from(End.At);
    return;
  }
  if (!Begin.Text.getAsInteger(10, From) && !End.Text.getAsInteger(10, To) && From <= To) {
    Way.text(utostr(To - From));
    return;
  }
  StringRef Rest = End.Text;
  if (Rest.consume_front(Begin.Text) && Rest.ltrim().starts_with("+") &&
      isWord(Rest.ltrim().drop_front().trim())) {
    StringRef Length = Rest.ltrim().drop_front().trim();
    Way.from({End.At.File, uint32_t(End.At.Offset + (Length.data() - End.Text.data())),
              uint32_t(Length.size())});
    return;
  }
  auto Operand = [&](const Part &P) {
    bool Plain = isWord(P.Text);
    Way.text(Plain ? "" : "(").from(P.At).text(Plain ? "" : ")");
  };
  Operand(End);
  Way.text(" - ");
  Operand(Begin);
}

/// A call around another: what is written in front of the inner one, and its arguments behind.
struct Step {
  Index What;
  int64_t Dim = 0;
};

class SliceWriter {
public:
  SliceWriter(const ApiUse &Use, const StableContext &Context, ArrayRef<Step> Steps)
      : Use(Use), Way(Context), Steps(Steps) {}

  WayBuilder write(bool Lvalue) {
    Way.at(Use.At);
    step(Steps.size(), Lvalue);
    return std::move(Way);
  }
  /// \p Source is copied there.
  WayBuilder writeTo(Span Source, bool Lvalue) {
    Way.at(Use.At).name("torch::stable::copy_").text("(").helper("lvalue_of").text("lvalue_of(");
    step(Steps.size(), Lvalue);
    Way.text("), ").from(Source).text(")");
    return std::move(Way);
  }

private:
  void object(bool Lvalue) { Way.pattern(Lvalue ? StringRef(LvalueObject) : "$x", Use); }

  /// The result of the first \p Count steps.
  void step(size_t Count, bool Lvalue) {
    if (Count == 0)
      return object(Lvalue && Steps[0].What.IsSlice);
    const Step &S = Steps[Count - 1];
    Way.name(S.What.IsSlice ? "torch::stable::narrow" : "torch::stable::select").text("(");
    bool Wrap = S.What.IsSlice && Count > 1;
    if (Wrap)
      Way.helper("lvalue_of").text("lvalue_of(");
    step(Count - 1, Lvalue);
    Way.text(Wrap ? "), " : ", ").text(itostr(S.Dim)).text(", ");
    if (!S.What.IsSlice) {
      Way.from(S.What.Number.At).text(")");
      return;
    }
    S.What.Begin.Text.empty() ? Way.text("0") : Way.from(S.What.Begin.At);
    Way.text(", ");
    if (!S.What.End.Text.empty()) {
      addLength(Way, S.What.Begin, S.What.End);
    } else {
      Way.from(Use.Object).text(Use.Arrow ? "->size(" : ".size(");
      Way.text(itostr(S.Dim)).text(") - ").from(S.What.Begin.At);
    }
    Way.text(")");
  }

  const ApiUse &Use;
  WayBuilder Way;
  ArrayRef<Step> Steps;
};

/// The calls that an index is made of; none where one of its parts is something else.
std::optional<std::vector<Step>> stepsOf(ArrayRef<Part> Items) {
  auto IsEllipsis = [](const Part &P) {
    return P.Text == "\"...\"" || isNamed(P.Text, "Ellipsis");
  };
  const Part *Ellipsis = find_if(Items, IsEllipsis);
  size_t Behind = Items.end() - Ellipsis;
  std::vector<Step> Out;
  int64_t Dim = 0;
  for (const Part &P : Items) {
    if (&P == Ellipsis) {
      Dim = 1 - int64_t(Behind);
      continue;
    }
    std::optional<Index> What = indexOf(P);
    if (!What)
      return std::nullopt;
    // The dimension of a number is gone; those that are counted from the end stay what they are.
    if (!What->takesAll())
      Out.push_back({*What, Dim});
    if (What->IsSlice || Dim < 0)
      ++Dim;
  }
  // To the end of what: only the object has a name.
  for (size_t I = 1; I < Out.size(); ++I)
    if (Out[I].What.IsSlice && Out[I].What.End.Text.empty())
      return std::nullopt;
  return Out.empty() ? std::nullopt : std::optional(std::move(Out));
}

} // namespace

RuleResult opsig::sliceRule(const ApiUse &Use, const StableContext &Context) {
  if (!Use.isCall() || Use.InMacro)
    return std::nullopt;
  Part List = trimmed({Context.text(Use.ArgList), Use.ArgList});
  std::optional<Part> Inner = heldBy(List, "", '{', '}');
  if (!Inner)
    return std::nullopt;
  std::optional<std::vector<Step>> Steps = stepsOf(*listOf(*Inner));
  if (!Steps)
    return std::nullopt;
  bool Slices = any_of(*Steps, [](const Step &S) { return S.What.IsSlice; });
  StringRef To = Slices ? "torch::stable::narrow" : "torch::stable::select";
  StableChange Change = movesBy(Use, finding::UnstableMethod, To,
                                SliceWriter(Use, Context, *Steps).write(/*Lvalue=*/false));
  if (Steps->front().What.IsSlice)
    addAlternative(Change, SliceWriter(Use, Context, *Steps).write(/*Lvalue=*/true));
  if (Slices)
    toBeReviewed(Change, "a slice is cut at the end of the tensor, but torch::stable::narrow fails "
                         "there; check the length");
  return Change;
}

/// Nobody uses what the call returns.
static bool isStatement(const ApiUse &Use, const StableContext &Context) {
  StringRef Before = Context.text({Use.At.File, 0, Use.At.Offset}).rtrim();
  return Context.statement(Use.At) && !Before.empty() && StringRef(";{}").contains(Before.back());
}

/// `x.index_put_({i, Slice()}, y);`
RuleResult opsig::slicePutRule(const ApiUse &Use, const StableContext &Context) {
  if (!Use.isCall() || Use.InMacro || Use.Args.size() != 2 || Use.Args[1].Type != "at::Tensor" ||
      !isStatement(Use, Context))
    return std::nullopt;
  Part List = trimmed({Context.text(Use.Args[0].At), Use.Args[0].At});
  std::optional<Part> Inner = heldBy(List, "", '{', '}');
  std::optional<std::vector<Step>> Steps = Inner ? stepsOf(*listOf(*Inner)) : std::nullopt;
  if (!Steps)
    return std::nullopt;
  Span Source = Use.Args[1].At;
  StableChange Change =
      movesBy(Use, finding::UnstableMethod, "torch::stable::copy_",
              SliceWriter(Use, Context, *Steps).writeTo(Source, /*Lvalue=*/false));
  if (Steps->front().What.IsSlice)
    addAlternative(Change, SliceWriter(Use, Context, *Steps).writeTo(Source, /*Lvalue=*/true));
  toBeReviewed(Change,
               "torch::stable::copy_ also converts dtypes and does not accept a source with more "
               "dimensions; torch::stable::narrow fails beyond the end of the tensor");
  return Change;
}

/// `torch::nn::functional::pad(x, PadFuncOptions({...}))`, with nothing chained to the options:
/// zeros.
RuleResult opsig::padRule(const ApiUse &Use, const StableContext &Context) {
  if (withoutNamespace(Use.Name) != "nn::functional::pad" || Use.Args.size() != 2)
    return std::nullopt;
  Part Options = trimmed({Context.text(Use.Args[1].At), Use.Args[1].At});
  std::optional<Part> Inner = heldBy(Options, "PadFuncOptions", '(', ')');
  if (!Inner || listOf(*Inner)->size() != 1)
    return staysAsIs(Use, finding::UnstableFunction,
                     "pass the sizes to torch::stable::pad as a list");
  WayBuilder Way(Context);
  Way.at(Use.At).name("torch::stable::pad").text("(").from(Use.Args[0].At).text(", ");
  Way.from(Inner->At).text(")");
  return movesBy(Use, finding::UnstableFunction, "torch::stable::pad", std::move(Way));
}
