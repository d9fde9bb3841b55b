//===- DiffHtml.cpp - Diffs as a page ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diff/DiffReport.h"
#include "diff/DiffWords.h"
#include "opsig/Support/HtmlPage.h"
#include "opsig/Support/Printer.h"

namespace opsig {

namespace {

constexpr Template StyleText = R"(
article { margin: .5rem 0; padding-bottom: .25rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
article p { margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.from { color: var(--error); } .to { color: var(--good); }
.from mark, .to mark { color: inherit; background: none; font-weight: 700; text-decoration: underline; }
)";

constexpr Template SectionText = R"(
<section><h2>${title}</h2>
${if intro}<p>${intro}</p>${end}
${=items}</section>
)";

constexpr Template ItemText = R"(
<article data-item data-section="${section}">
<h3>${=head}${if remark} (${remark})${end}</h3>
${=lines}${=pairs}${=names}</article>
)";
constexpr Template LineText = R"(
<p>${line}</p>
)";
constexpr Template PairsText = R"(
<pre>${=rows}</pre>
)";
constexpr Template NamesText = R"(
<p><code>${names}</code></p>
)";

std::string pairsOf(const DiffItem &Item) {
  std::string Rows;
  auto Row = [&](llvm::StringRef Class, llvm::StringRef Sign, const DiffPair &Pair,
                 llvm::ArrayRef<DiffWord> Words) {
    if (Words.empty())
      return;
    Rows += ("<span class=\"" + Class + "\">" + Sign + " " + htmlText(Pair.Label) + ": ").str();
    for (const DiffWord &Word : Words)
      Rows += Word.Changed ? "<mark>" + htmlText(Word.Text) + "</mark>" : htmlText(Word.Text);
    Rows += "</span>\n";
  };
  for (const DiffPair &Pair : Item.Pairs) {
    auto [From, To] = changedWords(Pair.From, Pair.To);
    Row("from", "-", Pair, From);
    Row("to", "+", Pair, To);
  }
  return Rows.empty() ? "" : printed<PairsText>("rows"_hole = Rows);
}

/// A name is code; a sentence about the names below it is not.
std::string headOf(const DiffItem &Item) {
  std::string Text = htmlText(Item.Head);
  return Item.Names.empty() ? "<code>" + Text + "</code>" : Text;
}

std::string itemText(const DiffSection &Section, const DiffItem &Item) {
  std::string Lines, Names;
  for (const std::string &Line : Item.Lines)
    print<LineText>(Lines, "line"_hole = htmlText(Line));
  for (const std::string &Name : Item.Names)
    Names += (Names.empty() ? "" : " ") + htmlText(Name);
  if (!Names.empty())
    Names = printed<NamesText>("names"_hole = Names);
  return printed<ItemText>("section"_hole = htmlText(Section.Title), "head"_hole = headOf(Item),
                           "remark"_hole = htmlText(Item.Remark), "lines"_hole = Lines,
                           "pairs"_hole = pairsOf(Item), "names"_hole = Names);
}

} // namespace

void printDiffHtml(llvm::raw_ostream &OS, const DiffReport &Report) {
  std::string Main;
  std::map<std::string, unsigned> Counts;
  for (const DiffSection &Section : Report.Sections) {
    std::string Items;
    for (const DiffItem &Item : Section.Items)
      Items += itemText(Section, Item);
    Counts[Section.Title] = Section.Items.size();
    print<SectionText>(Main, "title"_hole = htmlText(Section.Title),
                       "intro"_hole = htmlText(Section.Intro), "items"_hole = Items);
  }
  printHtmlPage(OS, {.Title = Report.Title,
                     .Summary = Report.Counts + ".",
                     .Version = OPSIG_VERSION,
                     .Filters = {htmlSearch("Search"), htmlChoice("Part", "section", Counts)},
                     .Main = std::move(Main),
                     .Style = printed<StyleText>()});
}

} // namespace opsig
