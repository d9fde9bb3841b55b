//===- Printer.h - Code templates that read like what they print ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// constexpr Template with ${name} holes + "name"_hole = value, frames => text at a buffer's end
//
//   constexpr Template ClassText = R"(
//   struct ${name} {
//     ${members}
//     ${if guard}${guard} guard_;${end}
//   };
//   )";
//   print<ClassText>(Out, "name"_hole = Name, "members"_hole = Members, "guard"_hole = Guard);
//
//  - A template that begins with a newline is made of lines; that newline is not printed.
//  - A hole alone on its line is a block: the lines of its value are indented as it is, blank ones
//    are not; the line end is there once, whether or not the value brings one; an empty value takes
//    the line away.
//  - Any other hole is filled in place. So is ${=name}, wherever it stands: nothing is indented,
//    the line stays. It is for texts whose white space follows another generator's, and so is
//    ${+name}, a block whose blank lines are indented, too.
//  - ${if name} ... ${else} ... ${end} prints its one or other part, depending on whether a value
//    is empty (or false). A line with nothing but one of these words is not printed; a line that
//    begins with "${if" and ends with its "${end}" is an optional line.
//  - A value is text; a list (a block has one item after the other, a hole in a line ", " between
//    them); a bool, for conditions only; or a function that appends to the buffer it is given: so
//    templates nest without texts in between. each() is a list of which a function makes the items
//    as they are printed. Values are not looked at for holes.
//
// What a template says is read, and its names are compared with the values', when opsig is
// compiled: a hole without a value does not build, nor does a value without a hole. Only the values
// of a frame, which several templates share, may be left over.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_PRINTER_H
#define OPSIG_SUPPORT_PRINTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace opsig {

/// A string literal that can be a template argument.
template <size_t N> struct FixedString {
  char Chars[N] = {};
  consteval FixedString(const char (&Literal)[N]) { std::copy_n(Literal, N, Chars); }
  constexpr std::string_view view() const { return {Chars, N - 1}; }
};

/// The text of a template. Templates are constants of a namespace, for print() takes them by
/// reference: what is made of one is not named with all its text.
template <size_t N> struct Template : FixedString<N> {
  consteval Template(const char (&Literal)[N]) : FixedString<N>(Literal) {}
};

//===-- Values --------------------------------------------------------------===//

/// Ends the line that the text from \p Begin on has begun.
inline void endLine(std::string &Out, size_t Begin) {
  if (Out.size() != Begin && Out.back() != '\n')
    Out += '\n';
}

/// Puts \p Indent in front of every line of \p Out from \p Begin on; of blank ones on demand.
void indentLines(std::string &Out, size_t Begin, llvm::StringRef Indent, bool IndentBlank);

/// A list whose items are made of those of a range as they are printed.
template <typename Range, typename Fn> struct Items {
  Range Of;
  Fn Print;
  llvm::StringRef Between;

  bool empty() const { return std::ranges::empty(Of); }
  /// Items are lines, or have Between between them.
  void print(std::string &Out, bool AsLines) const {
    bool First = true;
    for (const auto &Item : Of) {
      if (!std::exchange(First, false) && !AsLines)
        Out += Between;
      size_t Begin = Out.size();
      if constexpr (std::invocable<const Fn &, std::string &, decltype(Item)>)
        Print(Out, Item);
      else
        Out += Print(Item);
      if (AsLines)
        endLine(Out, Begin);
    }
  }
  std::string str() const {
    std::string Out;
    print(Out, /*AsLines=*/false);
    return Out;
  }
};

/// \p Print appends an item to a buffer, or gives its text. A range with a name must live on.
template <typename Range, typename Fn>
Items<Range, Fn> each(Range &&Of, Fn Print, llvm::StringRef Between = ", ") {
  return {std::forward<Range>(Of), std::move(Print), Between};
}

template <typename T> inline constexpr bool IsOptional = false;
template <typename T> inline constexpr bool IsOptional<std::optional<T>> = true;

template <typename T> inline constexpr bool IsItems = false;
template <typename Range, typename Fn> inline constexpr bool IsItems<Items<Range, Fn>> = true;

/// What fills a hole, as the printer sees it; the value lives elsewhere.
class HoleView {
public:
  HoleView() : HoleView(llvm::StringRef()) {}
  HoleView(llvm::StringRef Text) : Data(Text.data()), Size(Text.size()), Is(Kind::Text) {}
  HoleView(const std::string &Text) : HoleView(llvm::StringRef(Text)) {}
  HoleView(const char *Text) : HoleView(llvm::StringRef(Text)) {}
  HoleView(llvm::ArrayRef<std::string> List)
      : Data(List.data()), Size(List.size()), Is(Kind::List) {}
  HoleView(const std::vector<std::string> &List) : HoleView(llvm::ArrayRef<std::string>(List)) {}
  template <std::same_as<bool> T> HoleView(T Flag) : Data(nullptr), Size(Flag), Is(Kind::Flag) {}
  template <typename Fn>
    requires std::invocable<const Fn &, std::string &>
  HoleView(const Fn &Print)
      : Data(&Print),
        Call([](const void *F, std::string &Out, bool) { (*static_cast<const Fn *>(F))(Out); }),
        Is(Kind::Function) {}
  template <typename Range, typename Fn>
  HoleView(const Items<Range, Fn> &List)
      : Data(&List), Call([](const void *I, std::string &Out, bool AsLines) {
          static_cast<const Items<Range, Fn> *>(I)->print(Out, AsLines);
        }),
        Is(List.empty() ? Kind::NoItems : Kind::Items) {}
  /// Nothing is as empty as "", and no value for a hole of a template file.
  template <typename T>
  HoleView(const std::optional<T> &Value) : HoleView(Value ? HoleView(*Value) : HoleView()) {
    Offered = Value.has_value();
  }

  bool isOffered() const { return Offered; }
  /// What a condition asks; a function counts as full.
  bool isEmpty() const { return Is == Kind::NoItems || (Is < Kind::Function && Size == 0); }
  bool isList() const { return Is == Kind::List || Is >= Kind::Items; }
  /// How long it is at least, where that is known before it is printed.
  size_t knownSize() const;
  void printInLine(std::string &Out) const;
  /// As lines, the last of which is ended.
  void printLines(std::string &Out) const;

  llvm::ArrayRef<std::string> list() const {
    return {static_cast<const std::string *>(Data), Size};
  }

private:
  const void *Data;
  union {
    size_t Size;
    void (*Call)(const void *, std::string &, bool AsLines);
  };
  enum class Kind : uint8_t { Text, List, Flag, Function, Items, NoItems } Is;
  bool Offered = true;
};

/// A value and the name of its hole.
template <FixedString Name, typename T> struct Hole {
  T Value;
};

template <FixedString Name> struct HoleName {
  /// Refers to what has a name, and keeps what has none.
  template <typename T> auto operator=(T &&Value) const {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::same_as<Plain, bool>)
      return Hole<Name, bool>{Value};
    else if constexpr (std::invocable<const Plain &, std::string &> || IsItems<Plain> ||
                       IsOptional<Plain>)
      return Hole<Name, Plain>{std::forward<T>(Value)};
    else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::vector<std::string>>)
      return Hole<Name, T>{std::move(Value)};
    else if constexpr (std::convertible_to<T, llvm::StringRef>)
      return Hole<Name, llvm::StringRef>{llvm::StringRef(Value)};
    else
      return Hole<Name, llvm::ArrayRef<std::string>>{llvm::ArrayRef<std::string>(Value)};
  }
};

template <FixedString Name> consteval HoleName<Name> operator""_hole() { return {}; }

/// Values that several templates share.
template <typename... Holes> struct Frame : Holes... {};
template <typename... Holes> Frame<Holes...> frame(Holes... Values) {
  return {std::move(Values)...};
}

//===-- Templates, read by the compiler -------------------------------------===//

namespace printer {

/// A piece of a template, and what is done after it.
struct Step {
  enum class Do : uint8_t {
    Nothing,
    Fill,  ///< in the line
    Block, ///< as lines
    If,    ///< without its value go on at Next
    Jump,  ///< go on at Next
  };
  unsigned Begin, End;
  Do Then = Do::Nothing;
  unsigned NameBegin = 0, NameEnd = 0;
  unsigned Next = 0;
  unsigned Indent = 0; ///< of a block, after End
  bool IndentBlank = false;
  bool CommaBefore = false, CommaAfter = false; ///< of a list that is not empty
};

class Reader {
public:
  constexpr explicit Reader(std::string_view Text) : Text(Text) {}
  constexpr std::vector<Step> read();

private:
  /// Where a hole or a word stands.
  struct Mark {
    size_t Begin, End, LineBegin;
    bool IsFirst; ///< only blanks before it in its line
    bool IsAlone; ///< nor anything behind it
    std::string_view Word;
  };
  constexpr Mark markAt(size_t Begin) const;
  constexpr void addHole(const Mark &M);
  constexpr void addIf(const Mark &M);
  constexpr void addElse(const Mark &M);
  constexpr void addEnd(const Mark &M);
  /// The text up to \p To, of which the part up to \p From is left out.
  constexpr Step &add(size_t To, Step::Do Then, size_t From) {
    Steps.push_back({unsigned(Begin), unsigned(To), Then});
    Begin = From;
    return Steps.back();
  }
  constexpr bool endsLine(size_t At) const { return At < Text.size() && Text[At] == '\n'; }
  /// The "${end}" that ends a line in which an "${if" ends at \p At; 0 if none does.
  constexpr size_t endOfOptionalLine(size_t At) const;

  std::string_view Text;
  size_t Begin = 0; ///< of what no step prints yet
  size_t OptionalLineEnd = 0;
  std::vector<Step> Steps;
  std::vector<size_t> Open; ///< the If or Jump steps that have no end yet
};

constexpr Reader::Mark Reader::markAt(size_t At) const {
  size_t Close = Text.find('}', At);
  if (Close == std::string_view::npos)
    throw "a hole is not closed";
  size_t Newline = Text.rfind('\n', At);
  size_t Line = Newline == std::string_view::npos ? 0 : Newline + 1;
  bool IsFirst = Line >= Begin && Text.find_first_not_of(' ', Line) == At;
  return {At,
          Close + 1,
          Line,
          IsFirst,
          IsFirst && endsLine(Close + 1),
          Text.substr(At + 2, Close - At - 2)};
}

constexpr size_t Reader::endOfOptionalLine(size_t At) const {
  size_t LineEnd = Text.find('\n', At);
  int Depth = 1;
  for (size_t I = Text.find("${", At); I < LineEnd; I = Text.find("${", I + 2)) {
    std::string_view Word = Text.substr(I + 2);
    Depth += Word.starts_with("if ");
    Depth -= Word.starts_with("end}");
    if (Depth == 0)
      return endsLine(I + 6) ? I : 0;
  }
  return 0;
}

constexpr void Reader::addHole(const Mark &M) {
  bool InPlace = M.Word.starts_with('=');
  bool IsBlock = M.IsAlone && !InPlace;
  Step &S = add(IsBlock ? M.LineBegin : M.Begin, IsBlock ? Step::Do::Block : Step::Do::Fill,
                M.End + IsBlock);
  S.Indent = M.Begin - M.LineBegin;
  S.IndentBlank = M.Word.starts_with('+');
  S.NameBegin = M.Begin + 2 + (InPlace || S.IndentBlank);
  S.NameEnd = M.End - 1;
}

constexpr void Reader::addIf(const Mark &M) {
  size_t LineEnd = M.IsFirst && !M.IsAlone ? endOfOptionalLine(M.End) : 0;
  Open.push_back(Steps.size());
  Step &S = add(M.IsAlone || LineEnd ? M.LineBegin : M.Begin, Step::Do::If, M.End + M.IsAlone);
  S.NameBegin = M.Begin + 5;
  S.NameEnd = M.End - 1;
  if (LineEnd) {
    OptionalLineEnd = LineEnd;
    Begin = M.LineBegin;
    add(M.Begin, Step::Do::Nothing, M.End);
  }
}

constexpr void Reader::addElse(const Mark &M) {
  if (Open.empty())
    throw "an ${else} without an ${if}";
  add(M.IsAlone ? M.LineBegin : M.Begin, Step::Do::Jump, M.End + M.IsAlone);
  Steps[Open.back()].Next = Steps.size();
  Open.back() = Steps.size() - 1;
}

constexpr void Reader::addEnd(const Mark &M) {
  if (Open.empty())
    throw "an ${end} without an ${if}";
  add(M.IsAlone ? M.LineBegin : M.Begin, Step::Do::Nothing, M.End + M.IsAlone);
  if (M.Begin == OptionalLineEnd)
    add(M.End + 1, Step::Do::Nothing, M.End + 1); // The line's end is optional, too.
  Steps[Open.back()].Next = Steps.size();
  Open.pop_back();
}

constexpr std::vector<Step> Reader::read() {
  Begin = Text.starts_with('\n');
  for (size_t At = Text.find("${"); At != std::string_view::npos; At = Text.find("${", Begin)) {
    Mark M = markAt(At);
    if (M.Word.starts_with("if "))
      addIf(M);
    else if (M.Word == "else")
      addElse(M);
    else if (M.Word == "end")
      addEnd(M);
    else
      addHole(M);
  }
  add(Text.size(), Step::Do::Nothing, Text.size());
  if (!Open.empty())
    throw "an ${if} without its ${end}";
  return std::move(Steps);
}

/// The steps of a template, made once.
template <const auto &Text>
inline constexpr auto StepsOf = [] {
  std::array<Step, Reader(Text.view()).read().size()> Steps{};
  std::ranges::copy(Reader(Text.view()).read(), Steps.begin());
  return Steps;
}();

/// The name of a value, and what may become of it.
struct Name {
  std::string_view Text;
  bool MayBeUnused;
  bool IsFlag;
};

/// The names and the views of the values that are in an argument of print().
template <typename T> struct Given;

template <FixedString N, typename T> struct Given<Hole<N, T>> {
  static constexpr size_t Count = 1;
  static constexpr void names(Name *&At, bool MayBeUnused) {
    *At++ = {N.view(), MayBeUnused, std::same_as<T, bool>};
  }
  static void views(HoleView *&At, const Hole<N, T> &Value) { *At++ = HoleView(Value.Value); }
};

template <typename... Holes> struct Given<Frame<Holes...>> {
  static constexpr size_t Count = (0 + ... + Given<Holes>::Count);
  static constexpr void names(Name *&At, bool) { (Given<Holes>::names(At, true), ...); }
  static void views(HoleView *&At, const Frame<Holes...> &Values) {
    (Given<Holes>::views(At, static_cast<const Holes &>(Values)), ...);
  }
};

template <typename... Values> consteval auto namesOf() {
  std::array<Name, (0 + ... + Given<Values>::Count)> Names{};
  Name *At = Names.data();
  (Given<Values>::names(At, false), ...);
  return Names;
}

/// Which value each step asks for.
template <size_t N> struct Wiring {
  std::array<uint8_t, N> ValueOf{};
  bool HasAllValues = true, HasAllHoles = true, FlagsAreConditions = true;
};

template <const auto &Text, typename... Values> consteval auto wire() {
  constexpr auto &Steps = StepsOf<Text>;
  auto Names = namesOf<Values...>();
  Wiring<Steps.size()> W;
  std::array<bool, Names.size()> Used{};
  for (size_t I = 0; I != Steps.size(); ++I) {
    const Step &S = Steps[I];
    if (S.NameEnd == 0)
      continue;
    std::string_view Expected = Text.view().substr(S.NameBegin, S.NameEnd - S.NameBegin);
    size_t Value = std::ranges::find(Names, Expected, &Name::Text) - Names.begin();
    if (Value == Names.size()) {
      W.HasAllValues = false;
      continue;
    }
    W.ValueOf[I] = Value;
    Used[Value] = true;
    W.FlagsAreConditions &= !Names[Value].IsFlag || S.Then == Step::Do::If;
  }
  for (size_t I = 0; I != Names.size(); ++I)
    W.HasAllHoles &= Used[I] || Names[I].MayBeUnused;
  return W;
}

/// How a value is printed as a block, behind \p Indent.
using BlockPrinter = void(std::string &Out, llvm::StringRef Indent, const HoleView &, const Step &);
void printBlock(std::string &Out, llvm::StringRef Indent, const HoleView &Value, const Step &S);

/// Makes the steps of \p Text one after the other.
void run(std::string &Out, std::string_view Text, llvm::ArrayRef<Step> Steps,
         const uint8_t *ValueOf, llvm::ArrayRef<HoleView> Values, BlockPrinter *Block = printBlock);

} // namespace printer

//===-- Printing ------------------------------------------------------------===//

/// Appends the template to \p Out, filled with holes and frames.
template <const auto &Text, typename... Ts> void print(std::string &Out, const Ts &...Values) {
  static constexpr auto W = printer::wire<Text, Ts...>();
  static_assert(W.HasAllValues, "a hole without a value");
  static_assert(W.HasAllHoles, "a value without a hole");
  static_assert(W.FlagsAreConditions, "a bool is for conditions");
  constexpr size_t Count = (0 + ... + printer::Given<Ts>::Count);
  HoleView Views[Count + 1];
  [[maybe_unused]] HoleView *At = Views;
  (printer::Given<Ts>::views(At, Values), ...);
  printer::run(Out, Text.view(), printer::StepsOf<Text>, W.ValueOf.data(), Views);
}

/// The same as a text of its own.
template <const auto &Text, typename... Ts> std::string printed(const Ts &...Values) {
  std::string Out;
  print<Text>(Out, Values...);
  return Out;
}

} // namespace opsig

#endif
