//===- CoverageHtml.cpp - Coverage as a page ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ColumnsInternal.h"
#include "opsig/Coverage/CoveragePrint.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/HtmlPage.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace opsig {

namespace {

constexpr Template StyleText = R"(
body { max-width: none; }
table { font-size: .9rem; } meter { width: 6rem; float: left; margin: .3rem .5rem 0 0; }
.ops thead th { position: sticky; top: 3rem; z-index: 1; background: Canvas; white-space: nowrap; }
.ops td:first-child { position: sticky; left: 0; background: Canvas; }
.ops td, td.number { white-space: nowrap; }
.core td:first-child { font-weight: 600; }
@media (max-width: 40rem) { .ops-wide { overflow-x: auto; } .ops thead th { position: static; } .ops { font-size: .8rem; } .ops td:first-child { position: static; min-width: 10rem; white-space: normal; overflow-wrap: anywhere; } }
.own { color: var(--good); font-weight: 600; } .wrapper { color: var(--good); }
.missing, .ambiguous { color: var(--error); font-weight: 600; } .no-formula { color: var(--warning); }
.fallthrough, .composite-implicit, .composite-explicit, .composite-nested, .structured-default { opacity: .75; }
.place { display: block; font-size: .75rem; font-weight: 400; opacity: .8; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { font-weight: 600; } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
)";

constexpr Template MainText = R"(
<h2>Operators with kernels</h2>
<div class="wide" tabindex="0"><table class="sortable">
<thead><tr><th>key</th><th class="number">${number} operators</th>${if core}<th class="number">${core} core operators</th>${end}</tr></thead>
<tbody>
${=parts}</tbody></table></div>
<details${if few} open${end}><summary>Counts</summary>
<div class="wide" tabindex="0"><table class="sortable">
<thead><tr><th>key</th>${=heads}</tr></thead>
<tbody>
${=sums}</tbody></table></div>
</details>
<details><summary>Legend</summary>
<dl>
${=words}</dl>
</details>
${if columns}
<details><summary>Keys with the same kernels share a column</summary>
<dl>
${=columns}</dl>
</details>
${end}
<section><h2>Operators</h2>
<div class="ops-wide" tabindex="0"><table class="sortable ops">
<thead><tr><th>operator</th>${=keys}</tr></thead>
<tbody>
${=rows}</tbody></table></div>
</section>
)";

constexpr Template TermText = R"(
<dt>${term}</dt><dd>${meaning}</dd>
)";
constexpr Template HeadText =
    R"(<th${if number} class="number"${end} title="${title}">${name}</th>)";
constexpr Template SumRowText = R"(
<tr><td>${key}</td>${=cells}</tr>
)";
constexpr Template PartText =
    R"(<td class="number" data-sort="${percent}"><meter min="0" max="${of}" value="${served}" aria-label="${served} of ${of} operators"></meter> ${percent} %</td>)";
constexpr Template SumText = R"(<td class="number">${count}</td>)";
constexpr Template RowText = R"(
<tr data-item${if core} class="core"${end} data-group="${group}" data-served="${served}"><td>${op}</td>${=cells}</tr>
)";
constexpr Template CellText =
    R"(<td class="${served}" data-sort="${order}"${if title} title="${title}"${end}>${served}${=place}</td>)";
constexpr Template PlaceLink = R"(<a class="place" href="${link}">${place}</a>)";
constexpr Template PlaceAlone = R"(<span class="place">${place}</span>)";

class Page {
public:
  Page(const CoverageReport &Report, const CoveragePageRun &Run)
      : Report(Report), Run(Run), Columns(nameColumns(Report)), There(servicesThere(Report)),
        Served(nameServed(Columns)), Texts(Report.Input->Kernels.size()) {
    if (Run.IsCore)
      NumCore = count_if(Report.Input->Operators, Run.IsCore);
    for (const CoverageRow &Row : Report.Rows)
      Rows.push_back(&Row);
    std::stable_partition(Rows.begin(), Rows.end(),
                          [this](const CoverageRow *Row) { return isCore(*Row); });
  }

  void printMain(std::string &Out) {
    std::string Words, Joined;
    for (Service S : There)
      print<TermText>(Words, "term"_hole = toString(S), "meaning"_hole = htmlText(meaning(S)));
    for (const NamedColumn &Column : Columns)
      if (Column.Size > 1)
        print<TermText>(Joined, "term"_hole = htmlText(Column.Name),
                        "meaning"_hole = htmlText(Column.All));
    print<MainText>(
        Out, "number"_hole = std::to_string(Report.NumOperators),
        "core"_hole = NumCore ? std::to_string(NumCore) : "", "parts"_hole = parts(),
        "few"_hole = Report.Keys.size() <= 12, "heads"_hole = sumHeads(), "sums"_hole = sums(),
        "words"_hole = Words, "columns"_hole = Joined, "keys"_hole = keyHeads(),
        "rows"_hole = [this](std::string &To) { printRows(To); });
  }

  std::vector<std::string> filters() const {
    if (Report.Rows.empty())
      return {};
    std::map<std::string, unsigned> Counts;
    for (const ServedWords &Column : Served) {
      ServiceCounts OfColumn = {};
      for (const CoverageRow &Row : Report.Rows)
        ++OfColumn[unsigned(Row.Cells[Column.First].Is)];
      for (Service S : There)
        if (unsigned Count = OfColumn[unsigned(S)])
          Counts[Column.Words[unsigned(S)]] += Count;
    }
    std::vector<std::string> Out = {htmlSearch("Search"), htmlChoice("Served", "served", Counts)};
    if (NumCore) {
      unsigned Core = count_if(Report.Rows, [this](const CoverageRow &Row) { return isCore(Row); });
      Out.push_back(htmlChoice("Group", "group",
                               {{"core", Core}, {"other", unsigned(Report.Rows.size()) - Core}}));
    }
    return Out;
  }

private:
  /// What a page's filter calls the services of a column: there are few, and many cells.
  struct ServedWords {
    size_t First; ///< as NamedColumn's
    /// By service: "own", and where there are several columns, "PrivateUse1: own".
    std::array<std::string, NumServices> Words;
  };

  static std::vector<ServedWords> nameServed(ArrayRef<NamedColumn> Columns) {
    std::vector<ServedWords> Out;
    for (const NamedColumn &Column : Columns) {
      ServedWords &New = Out.emplace_back();
      New.First = Column.First;
      for (unsigned S = 0; S < NumServices; ++S)
        New.Words[S] = (Columns.size() > 1 ? Column.Name + ": " : "") + toString(Service(S)).str();
    }
    return Out;
  }

  std::string sumHeads() const {
    std::string Text;
    for (Service S : There)
      print<HeadText>(Text, "number"_hole = true, "title"_hole = htmlText(meaning(S)),
                      "name"_hole = toString(S));
    return Text;
  }

  bool isCore(const CoverageRow &Row) const { return Run.IsCore && Run.IsCore(*Row.Operator); }

  static std::string part(size_t Served, size_t Of) {
    double Percent = Of ? 100.0 * double(Served) / double(Of) : 100;
    return printed<PartText>("percent"_hole = formatv("{0:F1}", Percent).str(),
                             "served"_hole = std::to_string(Served),
                             "of"_hole = std::to_string(std::max<size_t>(Of, 1)));
  }

  /// How much of all operators, and of the core ones, each key serves.
  std::string parts() const {
    std::string Text;
    for (auto [Number, Key] : enumerate(Report.Keys)) {
      size_t Missing = Report.Counts[Number][unsigned(Service::Missing)];
      std::string Cells = part(Report.NumOperators - Missing, Report.NumOperators);
      // Rows have every operator that is missing somewhere.
      size_t MissingCore = count_if(Report.Rows, [&, N = Number](const CoverageRow &Row) {
        return isCore(Row) && Row.Cells[N].Is == Service::Missing;
      });
      if (NumCore)
        Cells += part(NumCore - MissingCore, NumCore);
      print<SumRowText>(Text, "key"_hole = htmlText(Report.Input->Keys.name(Key)),
                        "cells"_hole = Cells);
    }
    return Text;
  }

  std::string sums() const {
    std::string Text;
    for (auto [Key, Counts] : zip(Report.Keys, Report.Counts)) {
      std::string Cells;
      for (Service S : There)
        print<SumText>(Cells, "count"_hole = std::to_string(Counts[unsigned(S)]));
      print<SumRowText>(Text, "key"_hole = htmlText(Report.Input->Keys.name(Key)),
                        "cells"_hole = Cells);
    }
    return Text;
  }

  std::string keyHeads() const {
    std::string Text;
    for (const NamedColumn &Column : Columns)
      print<HeadText>(Text, "number"_hole = false, "title"_hole = htmlText(Column.All),
                      "name"_hole = htmlText(Column.Name));
    return Text;
  }

  void printRows(std::string &Out) {
    std::string Cells, Words;
    for (const CoverageRow *Each : Rows) {
      const CoverageRow &Row = *Each;
      Cells.clear();
      Words = "|";
      for (const ServedWords &Column : Served) {
        const CoverageCell &Cell = Row.Cells[Column.First];
        printCell(Cells, Cell);
        (Words += Column.Words[unsigned(Cell.Is)]) += '|';
      }
      print<RowText>(Out, "core"_hole = isCore(Row), "group"_hole = isCore(Row) ? "core" : "other",
                     "served"_hole = htmlText(Words), "op"_hole = htmlText(Row.Operator->Name),
                     "cells"_hole = Cells);
    }
  }

  void printCell(std::string &Out, const CoverageCell &Cell) {
    const CoveredKernel *Kernel = Report.kernel(Cell);
    bool IsShown = Kernel && (isOwn(*Kernel) || Cell.Is == Service::Library);
    print<CellText>(Out, "served"_hole = toString(Cell.Is),
                    "order"_hole = std::to_string(unsigned(Cell.Is)),
                    "title"_hole = Kernel ? title(Cell.Kernel) : "",
                    "place"_hole = IsShown ? place(Cell.Kernel) : "");
  }

  // Texts are made once of each kernel: most serve many keys, and a link asks for its file.

  StringRef title(KernelId Kernel) {
    std::optional<std::string> &Text = Texts[Kernel].Title;
    if (!Text)
      Text = htmlText(Report.Input->Kernels[Kernel].Name);
    return *Text;
  }

  StringRef place(KernelId Kernel) {
    std::optional<std::string> &Text = Texts[Kernel].Place;
    if (!Text)
      Text = placeOf(Report.Input->Kernels[Kernel]);
    return *Text;
  }

  std::string placeOf(const CoveredKernel &Kernel) const {
    // Columns are narrow; the link has the folder.
    CoveredKernel Short = Kernel;
    Short.File = sys::path::filename(Kernel.File).str();
    std::string Place = htmlText(placeText(Short)), Link = Run.Link(Kernel);
    if (Place.empty())
      return "";
    if (Link.empty())
      return printed<PlaceAlone>("place"_hole = Place);
    return printed<PlaceLink>("link"_hole = htmlText(Link), "place"_hole = Place);
  }

  const CoverageReport &Report;
  const CoveragePageRun &Run;
  std::vector<NamedColumn> Columns;
  std::vector<Service> There;
  std::vector<ServedWords> Served;
  std::vector<const CoverageRow *> Rows; ///< core operators first
  size_t NumCore = 0;
  struct KernelText {
    std::optional<std::string> Title, Place;
  };
  std::vector<KernelText> Texts; ///< by KernelId
};

std::string summary(const CoverageReport &Report) {
  size_t Missing = 0;
  for (const CoverageRow &Row : Report.Rows)
    Missing +=
        any_of(Row.Cells, [](const CoverageCell &Cell) { return Cell.Is == Service::Missing; });
  return counted(Report.Keys.size(), "dispatch key") + "; " + std::to_string(Missing) + " " +
         (Missing == 1 ? "operator has" : "operators have") +
         " no kernel for at least one of these keys.";
}

} // namespace

void printCoverageHtml(raw_ostream &OS, const CoverageReport &Report, const CoveragePageRun &Run) {
  Page Content(Report, Run);
  printHtmlPage(OS, {.Title = "Coverage of " + counted(Report.NumOperators, "operator"),
                     .Summary = summary(Report),
                     .Version = Run.Version,
                     .Notes = Run.Notes,
                     .Filters = Content.filters(),
                     .Main = "",
                     .More = [&](std::string &Out) { Content.printMain(Out); },
                     .Style = printed<StyleText>()});
}

} // namespace opsig
