//===- ListEdits.cpp - parameters that come, go and move ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// found list x ListSlot* => removals (a parameter, its comma, its own comment), replacements and
//   insertions; whatever else stands in the list is not touched
//
// A comment is a parameter's own if it stands on its line, without a line break or comma between:
// "/*dim=*/ int64_t dim /* unused */"; one up to the end of the line if nothing else stands there.
//
//===----------------------------------------------------------------------===//
#include "FixIts/FixItsInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

void FixIt::addTo(Finding &Diag) && {
  Diag.Fixes = std::move(Fixes);
  if (Diag.Fixes.empty() && !Why.empty())
    Diag.note(At.isValid() ? At : Diag.At, "not fixed: " + Why);
}

std::optional<FixIt> opsig::findEditBlocker(const Found &F, Span Where, StringRef What,
                                            UnitFiles &Files, bool CommentsToo) {
  static constexpr StringLiteral Names[] = {"a comment", "a preprocessor directive", "a macro"};
  for (const EditBlocker &O : F.Decl->EditBlockers)
    if (O.At.File == Where.File && O.At.Offset < Where.end() && O.At.end() > Where.Offset &&
        (CommentsToo || O.Is != EditBlocker::Comment))
      return FixIt::none(("the " + What + " contains " + Names[O.Is]).str(),
                         Files.place(*F.Unit, O.At));
  return std::nullopt;
}

bool opsig::isPermutation(ArrayRef<ListSlot> Slots, size_t NumFound) {
  return Slots.size() == NumFound &&
         all_of(Slots, [](const ListSlot &S) { return S.Got.has_value(); });
}

namespace {

class ListEditor {
public:
  ListEditor(const Found &F, ArrayRef<ListSlot> Slots, UnitFiles &Files)
      : F(F), K(*F.Decl), Slots(Slots), Files(Files), List(K.ParamList) {}

  FixIt run();

private:
  struct Edit {
    uint32_t Begin, End;
    std::string Text;
    bool WithComments = false; ///< which are a removed parameter's own, or are in Text
  };
  /// What becomes of a found parameter.
  enum class Fate : uint8_t { Goes, Stays, Replaced };

  StringRef text(uint32_t Begin, uint32_t End) {
    return Files.text(*F.Unit, {List.File, Begin, End - Begin});
  }
  bool isBlank(uint32_t Begin, uint32_t End) { return text(Begin, End).trim().empty(); }
  uint32_t begin(unsigned G) const { return K.Params[G].Whole.Offset; }
  uint32_t end(unsigned G) const { return K.Params[G].Whole.end(); }

  std::optional<FixIt> whatIsInTheWay();
  std::optional<uint32_t> commaBehind(unsigned G);
  bool readCommas();
  uint32_t ownBegin(unsigned G);
  uint32_t ownEnd(unsigned G);
  std::string usualSeparator();
  void exchange();
  void fillGaps();
  void fillGap(unsigned First, unsigned Last, ArrayRef<std::string> New, bool AtEnd);
  void removeRun(unsigned First, unsigned Last);
  uint32_t endOfLineComment(unsigned G);
  void removeWithCommaBehind(unsigned G);
  void removeWithCommaBefore(unsigned G);
  void add(uint32_t Begin, uint32_t End, std::string Text = "", bool WithComments = false) {
    bool Goes = Text.empty();
    Edits.push_back({Begin, End, std::move(Text), WithComments || Goes});
  }

  const Found &F;
  const KernelDecl &K;
  ArrayRef<ListSlot> Slots;
  UnitFiles &Files;
  Span List;
  std::vector<uint32_t> Commas; ///< behind each parameter but the last
  std::vector<Fate> Fates;
  std::vector<bool> Moved;
  std::string Usual;
  std::vector<Edit> Edits;
};

std::optional<FixIt> ListEditor::whatIsInTheWay() {
  auto Blocked = [](const EditBlocker &O) { return O.Is == EditBlocker::Directive; };
  for (const EditBlocker &O : make_filter_range(K.EditBlockers, Blocked))
    if (O.At.Offset >= List.Offset && O.At.end() <= List.end())
      return findEditBlocker(F, O.At, "parameter list", Files);
  std::vector<bool> Serves(K.Params.size());
  for (const ListSlot &S : Slots)
    if (S.Got)
      Serves[*S.Got] = true;
  for (unsigned G = 0; G < K.Params.size(); ++G) {
    const KernelParam &P = K.Params[G];
    if (!Serves[G] && P.Use.isValid())
      return FixIt::none("'" + P.Name + "' cannot be removed, because it is used here",
                         Files.place(*F.Unit, P.Use));
  }
  for (const ListSlot &New : Slots)
    if (!New.Got)
      for (unsigned G = 0; G < K.Params.size(); ++G)
        if (Serves[G] && K.Params[G].Name == New.Name)
          return FixIt::none("another parameter is already named '" + New.Name + "'",
                             Files.place(*F.Unit, K.Params[G].NameAt));
  // What stands before a list without its first parameter would be left with a comma.
  bool Cut = text(List.Offset - 1, List.Offset) != "(";
  if (Cut && (Slots.empty() || K.Params.empty()))
    return FixIt();
  return std::nullopt;
}

std::optional<uint32_t> ListEditor::commaBehind(unsigned G) {
  std::optional<uint32_t> Comma;
  uint32_t At = end(G), End = begin(G + 1);
  while (At < End) {
    auto Comment = find_if(K.EditBlockers, [&](const EditBlocker &O) { return O.At.Offset == At; });
    if (Comment != K.EditBlockers.end()) {
      At = Comment->At.end();
      continue;
    }
    char C = text(At, At + 1)[0];
    if (C == ',' && !Comma)
      Comma = At;
    else if (!StringRef(" \t\r\n").contains(C))
      return std::nullopt;
    ++At;
  }
  return Comma;
}

bool ListEditor::readCommas() {
  for (unsigned G = 0; G + 1 < K.Params.size(); ++G) {
    std::optional<uint32_t> Comma = commaBehind(G);
    if (!Comma)
      return false;
    Commas.push_back(*Comma);
  }
  return true;
}

uint32_t ListEditor::ownBegin(unsigned G) {
  uint32_t Begin = begin(G), Least = G == 0 ? List.Offset : Commas[G - 1] + 1;
  for (const EditBlocker &O : reverse(K.EditBlockers)) {
    if (O.At.end() > Begin || O.At.Offset < Least)
      continue;
    StringRef Between = text(O.At.end(), Begin);
    if (O.Is != EditBlocker::Comment || !text(O.At.Offset, O.At.end()).starts_with("/*") ||
        !Between.trim().empty() || Between.contains('\n'))
      break;
    Begin = O.At.Offset;
  }
  return Begin;
}

uint32_t ListEditor::ownEnd(unsigned G) {
  uint32_t End = end(G), Most = G < Commas.size() ? Commas[G] : List.end();
  for (const EditBlocker &O : K.EditBlockers) {
    if (O.At.Offset < End || O.At.end() > Most)
      continue;
    StringRef Between = text(End, O.At.Offset);
    if (O.Is != EditBlocker::Comment || !text(O.At.Offset, O.At.end()).starts_with("/*") ||
        !Between.trim().empty() || Between.contains('\n'))
      break;
    End = O.At.end();
  }
  return End;
}

/// As the list has it between its first two parameters, so that a parameter a line stays so.
std::string ListEditor::usualSeparator() {
  if (K.Params.size() < 2)
    return ", ";
  StringRef First = text(end(0), begin(1)), Rest = First.ltrim();
  return Rest.consume_front(",") && Rest.trim().empty() ? First.str() : ", ";
}

/// Parameters only change places: what stands between the places stays.
void ListEditor::exchange() {
  for (unsigned W = 0; W < Slots.size(); ++W)
    if (*Slots[W].Got != W)
      add(begin(W), end(W),
          Slots[W].Text.empty() ? text(begin(*Slots[W].Got), end(*Slots[W].Got)).str()
                                : Slots[W].Text,
          /*WithComments=*/true);
}

/// Behind the comma of \p G, and the comment up to the end of that line if the parameter is alone
/// in it.
uint32_t ListEditor::endOfLineComment(unsigned G) {
  uint32_t Behind = Commas[G] + 1;
  StringRef Before = text(0, ownBegin(G));
  if (!Before.drop_front(Before.rfind('\n') + 1).trim().empty())
    return Behind;
  for (const EditBlocker &O : K.EditBlockers)
    if (O.Is == EditBlocker::Comment && O.At.Offset >= Behind && O.At.end() <= begin(G + 1) &&
        text(O.At.Offset, O.At.end()).starts_with("//") &&
        text(Behind, O.At.Offset).trim(" \t").empty())
      return O.At.end();
  return Behind;
}

void ListEditor::removeWithCommaBehind(unsigned G) {
  uint32_t Behind = endOfLineComment(G), Next = ownBegin(G + 1), Last = Behind;
  if (isBlank(Behind, Next))
    Last = Next;
  else
    while (StringRef(" \t").contains(text(Last, Last + 1)))
      ++Last;
  if (isBlank(ownEnd(G), Commas[G]))
    return add(ownBegin(G), Last);
  add(ownBegin(G), ownEnd(G));
  add(Commas[G], Last);
}

void ListEditor::removeWithCommaBefore(unsigned G) {
  uint32_t Comma = Commas[G - 1];
  if (isBlank(Comma + 1, ownBegin(G)))
    return add(Comma, ownEnd(G));
  add(Comma, Comma + 1);
  add(ownBegin(G), ownEnd(G));
}

/// The found parameters from \p First up to \p Last, which go all.
void ListEditor::removeRun(unsigned First, unsigned Last) {
  bool More = is_contained(ArrayRef(Fates).drop_front(Last), Fate::Stays) ||
              is_contained(ArrayRef(Fates).drop_front(Last), Fate::Replaced);
  bool Some = !all_of(ArrayRef(Fates).take_front(First), [](Fate X) { return X == Fate::Goes; });
  for (unsigned G = First; G < Last; ++G) {
    if (More || (!Some && G + 1 < Last))
      removeWithCommaBehind(G);
    else if (Some)
      removeWithCommaBefore(G);
    else
      add(ownBegin(G), ownEnd(G));
  }
}

/// Puts \p New in the place of the found parameters from \p First up to \p Last.
void ListEditor::fillGap(unsigned First, unsigned Last, ArrayRef<std::string> New, bool AtEnd) {
  size_t Both = std::min<size_t>(Last - First, New.size());
  for (size_t I = 0; I < Both; ++I) {
    bool All = I + 1 == Both && New.size() > Both;
    // What is moved takes its comments along.
    unsigned G = First + I;
    bool Moves = Moved[G];
    add(Moves ? ownBegin(G) : begin(G), Moves ? ownEnd(G) : end(G),
        All ? join(New.drop_front(I), Usual) : New[I], Moves);
  }
  if (Last - First > Both)
    return removeRun(First + Both, Last);
  if (Both != 0 || New.empty())
    return;
  std::string Text = join(New, Usual);
  if (!AtEnd)
    return add(ownBegin(First), ownBegin(First), Text + Usual);
  if (First != 0)
    return add(ownEnd(First - 1), ownEnd(First - 1), Usual + Text);
  // The list was empty, or "void".
  uint32_t End = List.Offset;
  if (text(List.Offset, List.end()).trim() == "void")
    End = List.end();
  add(List.Offset, End, Text);
}

void ListEditor::fillGaps() {
  Fates.assign(K.Params.size(), Fate::Goes);
  Moved.assign(K.Params.size(), false);
  for (const ListSlot &S : Slots)
    if (S.Got) {
      Fates[*S.Got] = S.Moved ? Fate::Goes : Fate::Stays;
      Moved[*S.Got] = S.Moved;
    }
  struct Gap {
    unsigned First, Last;
    std::vector<std::string> New;
  };
  std::vector<Gap> Gaps(1);
  for (const ListSlot &S : Slots) {
    if (!S.Got || S.Moved) {
      Gaps.back().New.push_back(S.Got ? text(ownBegin(*S.Got), ownEnd(*S.Got)).str() : S.Text);
      continue;
    }
    Gaps.back().Last = *S.Got;
    Gaps.push_back({*S.Got + 1, 0, {}});
  }
  Gaps.back().Last = K.Params.size();
  for (const Gap &G : Gaps)
    for (size_t I = 0; I < G.New.size() && G.First + I < G.Last; ++I)
      Fates[G.First + I] = Fate::Replaced;
  for (const Gap &G : Gaps)
    fillGap(G.First, G.Last, G.New, &G == &Gaps.back());
}

FixIt ListEditor::run() {
  if (std::optional<FixIt> Blocked = whatIsInTheWay())
    return *Blocked;
  if (!readCommas())
    return FixIt::none("opsig cannot edit the text between two of the parameters",
                       Files.place(*F.Unit, List));
  Usual = usualSeparator();
  bool OnlyPlaces = isPermutation(Slots, K.Params.size());
  OnlyPlaces ? exchange() : fillGaps();
  FixIt Out;
  for (Edit &E : Edits) {
    Span At{List.File, E.Begin, E.End - E.Begin};
    if (std::optional<FixIt> Blocked =
            findEditBlocker(F, At, "parameter list", Files, !E.WithComments))
      return *Blocked;
    Out.Fixes.push_back({Files.file(*F.Unit, List.File), E.Begin, At.Length, std::move(E.Text)});
  }
  return Out;
}

} // namespace

FixIt opsig::editList(const Found &F, ArrayRef<ListSlot> Slots, UnitFiles &Files) {
  return ListEditor(F, Slots, Files).run();
}
