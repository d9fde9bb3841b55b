//===- HtmlReport.cpp - Findings as a page to be read -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LineDiffInternal.h"
#include "opsig/Report/HtmlReport.h"
#include "opsig/Report/RulePages.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/HtmlPage.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace opsig;
using namespace llvm;

namespace {

//===-- What stands on the page ---------------------------------------------===//

constexpr Template StyleText = R"(
article { border-left: 4px solid var(--line); padding: .25rem 0 .25rem .75rem; margin: .75rem 0; }
article.error { border-color: var(--error); } article.warning { border-color: var(--warning); }
.error b { color: var(--error); } .warning b { color: var(--warning); }
.summary { display: flex; flex-wrap: wrap; gap: 0 3rem; } .summary div { min-width: 0; } .summary td { overflow-wrap: anywhere; }
section > h2 { font: 600 1rem ui-monospace, monospace; }
.at { color: var(--dim); user-select: none; } .row { display: block; }
@media (max-width: 40rem) { .row { padding-left: 4ch; text-indent: -4ch; } .pad { display: none; } }
pre em { font-style: normal; font-weight: 600; color: var(--error); }
del { color: var(--error); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
)";

constexpr Template SectionText = R"(
<section id="${id}">
<h2>${file} <span class="count">${count}</span></h2>
${=articles}</section>
)";

constexpr Template SummaryText = R"(
<div class="summary">
<div><h2>By check</h2>
<div class="wide" tabindex="0"><table class="sortable">
<thead><tr><th>check</th><th class="number">errors</th><th class="number">warnings</th><th class="number">with a fix</th></tr></thead>
<tbody>
${=checks}</tbody></table></div></div>
<div><h2>By file</h2>
<div class="wide" tabindex="0"><table class="sortable">
<thead><tr><th>file</th><th class="number">errors</th><th class="number">warnings</th><th class="number">with a fix</th></tr></thead>
<tbody>
${=files}</tbody></table></div></div>
</div>
)";
constexpr Template CountText = R"(
<tr><td>${=name}</td><td class="number">${errors}</td><td class="number">${warnings}</td><td class="number">${fixed}</td></tr>
)";
constexpr Template LinkText = R"(<a href="${link}">${text}</a>)";

// What stands in <pre> must not be indented.
constexpr Template ArticleText = R"(
<article class="${level}" data-item data-check="${check}" data-level="${level}" data-file="${file}">
<h3>${=place} <b>${level}:</b> ${message} <code title="${about}">[${=page}]</code></h3>
${if source}
<pre tabindex="0">${=source}</pre>
${end}
${if notes}
<ul>
${=notes}</ul>
${end}
${if fix}
<details><summary>What the fix changes</summary>
<pre tabindex="0">${=fix}</pre>
${if copied}<button type="button" hidden data-copy="${copied}">Copy the new lines</button>${end}
</details>
${end}
<details><summary>About ${check}</summary>
<p>${about} Run <code>opsig explain ${check}</code> for details.</p>
</details>
</article>
)";

constexpr Template NoteText = R"(
<li>${if place}${=place} ${end}${message}${if source}
<pre tabindex="0">${=source}</pre>${end}</li>
)";

//===-- Parts of it ---------------------------------------------------------===//

std::string fileName(const Place &At, const SourceFiles &Files) {
  return At.File == SourceId::None ? "the whole project" : Files.name(At.File).str();
}

std::string linked(StringRef Link, StringRef Text) {
  return Link.empty() ? Text.str() : printed<LinkText>("link"_hole = Link, "text"_hole = Text);
}

/// Where the host shows the line; escaped. "" where it shows none.
std::string lineLink(const Place &At, const SourceFiles &Files, const HtmlRun &Run) {
  if (Run.UrlTemplate.empty() || At.File == SourceId::None)
    return "";
  std::string Path = pathBelow(absolutePath(Files.name(At.File)), Run.Folder);
  if (sys::path::is_absolute(Path))
    return ""; // no file of the project
  std::string Out = Run.UrlTemplate;
  auto Fill = [&](StringRef Hole, const std::string &Value) {
    for (size_t I = 0; (I = Out.find(Hole.str(), I)) != std::string::npos; I += Value.size())
      Out.replace(I, Hole.size(), Value);
  };
  Fill("{line}", std::to_string(std::max(At.Line, 1u)));
  Fill("{path}", uriEncoded(Path, "+@,"));
  return htmlText(Out);
}

/// "line 43:", with the file's name \p WithFile, and a link to the host where there is one.
std::string placeText(const Place &At, const SourceFiles &Files, bool WithFile,
                      const HtmlRun &Run) {
  if (At.File == SourceId::None)
    return "";
  std::string Text = WithFile ? Files.name(At.File).str() : "line";
  if (At.Line)
    Text += (WithFile ? ":" : " ") + std::to_string(At.Line);
  return linked(lineLink(At, Files, Run), htmlText(Text)) + ":";
}

/// The line with the stretch that is meant and \p Around lines before and after it, with their
/// numbers; below it what should stand there. Each is a row, so that a phone can indent the rest of
/// a line that is too long.
std::string sourceText(const Place &At, StringRef Hint, const SourceFiles &Files, unsigned Around) {
  if (!At.isValid() || !At.Column || Files.line(At.File, At.Line).empty())
    return "";
  unsigned First = At.Line > Around ? At.Line - Around : 1, Last = At.Line + Around;
  while (Last > At.Line && Files.line(At.File, Last).empty())
    --Last;
  size_t Width = std::to_string(Last).size();
  std::vector<std::string> Rows;
  auto Row = [&](StringRef Number, std::string Text) {
    Rows.push_back("<span class=\"row\"><span class=\"at\">" +
                   std::string(Width - Number.size(), ' ') + Number.str() + "  </span>" + Text +
                   "\n</span>");
  };
  for (unsigned N = First; N <= Last; ++N) {
    StringRef Line = Files.line(At.File, N);
    if (N != At.Line) {
      Row(std::to_string(N), htmlText(Line));
      continue;
    }
    StringRef Before = Line.take_front(At.Column - 1), Rest = Line.drop_front(Before.size());
    StringRef Meant = Rest.take_front(std::max(At.Length, 1u));
    Row(std::to_string(N), htmlText(Before) + "<em>" + htmlText(Meant) + "</em>" +
                               htmlText(Rest.drop_front(Meant.size())));
    if (!Hint.empty())
      Row("", "<span class=\"pad\">" + std::string(Before.size(), ' ') + "</span><ins>" +
                  htmlText(Hint) + "</ins>");
  }
  return join(Rows, "");
}

std::string fixText(const Finding &D, const SourceFiles &Files) {
  std::string Text;
  for (const LineChange &Change : lineChanges(D.Fixes, Files)) {
    Text += htmlText(Files.name(Change.File)) + ":" + std::to_string(Change.Line) + "\n";
    for (const std::string &Line : Change.Before)
      Text += "<del>-" + htmlText(Line) + "</del>\n";
    for (const std::string &Line : Change.After)
      Text += "<ins>+" + htmlText(Line) + "</ins>\n";
  }
  return Text;
}

/// The lines that the fix writes.
std::string copiedText(const Finding &D, const SourceFiles &Files) {
  std::vector<std::string> Lines;
  for (const LineChange &Change : lineChanges(D.Fixes, Files))
    append_range(Lines, Change.After);
  return join(Lines, "\n");
}

std::string pageText(FindingId Id, const HtmlRun &Run) {
  return linked(htmlText(Run.PageOf ? Run.PageOf(Id) : ""), htmlText(checkName(Id)));
}

void printArticle(std::string &Out, const Finding &D, const SourceFiles &Files,
                  const HtmlRun &Run) {
  std::string Notes;
  for (const Note &N : D.Notes)
    print<NoteText>(Notes, "place"_hole = placeText(N.At, Files, /*WithFile=*/true, Run),
                    "message"_hole = htmlText(N.Message),
                    "source"_hole = sourceText(N.At, "", Files, 0));
  print<ArticleText>(
      Out, "level"_hole = levelName(D.Severity), "check"_hole = checkName(D.Id),
      "page"_hole = pageText(D.Id, Run), "file"_hole = htmlText(fileName(D.At, Files)),
      "place"_hole = placeText(D.At, Files, /*WithFile=*/false, Run),
      "message"_hole = htmlText(D.Message), "about"_hole = htmlText(firstParagraph(rulePage(D.Id))),
      "source"_hole = sourceText(D.At, D.Hint, Files, 2), "notes"_hole = Notes,
      "fix"_hole = fixText(D, Files), "copied"_hole = htmlText(copiedText(D, Files)));
}

/// A choice among the values that \p Of gives, with how many findings have each.
std::string filterText(StringRef Title, StringRef Name, ArrayRef<Finding> All,
                       function_ref<std::string(const Finding &)> Of) {
  std::map<std::string, unsigned> Counts;
  for (const Finding &D : All)
    ++Counts[Of(D)];
  return htmlChoice(Title, Name, Counts);
}

using FindingsByFile = MapVector<SourceId, std::vector<const Finding *>>;

FindingsByFile byFile(ArrayRef<Finding> All) {
  FindingsByFile Out;
  for (const Finding &D : All)
    Out[D.At.File].push_back(&D);
  return Out;
}

std::string sectionId(size_t Number) { return "file-" + std::to_string(Number + 1); }

void printCount(std::string &Out, std::string Name, ArrayRef<const Finding *> Of) {
  size_t Errors = count_if(Of, [](auto *D) { return D->Severity == Level::Error; });
  size_t Fixed = count_if(Of, [](auto *D) { return !D->Fixes.empty(); });
  print<CountText>(Out, "name"_hole = Name, "errors"_hole = std::to_string(Errors),
                   "warnings"_hole = std::to_string(Of.size() - Errors),
                   "fixed"_hole = std::to_string(Fixed));
}

/// How many there are by check, the most frequent first, and by file.
std::string totals(ArrayRef<Finding> All, const FindingsByFile &ByFile, const SourceFiles &Files,
                   const HtmlRun &Run) {
  MapVector<FindingId, std::vector<const Finding *>> ByCheck;
  for (const Finding &D : All)
    ByCheck[D.Id].push_back(&D);
  auto Sorted = ByCheck.takeVector();
  sort(Sorted, [](const auto &L, const auto &R) {
    return L.second.size() != R.second.size() ? L.second.size() > R.second.size()
                                              : findingName(L.first) < findingName(R.first);
  });
  std::string Checks, Named;
  for (const auto &[Id, Of] : Sorted)
    printCount(Checks, pageText(Id, Run), Of);
  for (const auto &[I, File] : enumerate(ByFile))
    printCount(Named,
               linked("#" + sectionId(I), htmlText(fileName(File.second.front()->At, Files))),
               File.second);
  return printed<SummaryText>("checks"_hole = Checks, "files"_hole = Named);
}

std::string mainText(ArrayRef<Finding> All, const SourceFiles &Files, const HtmlRun &Run) {
  if (All.empty())
    return "";
  FindingsByFile ByFile = byFile(All);
  std::string Text = totals(All, ByFile, Files, Run);
  for (const auto &[I, File] : enumerate(ByFile)) {
    ArrayRef<const Finding *> Of = File.second;
    std::string Articles;
    for (const Finding *D : Of)
      printArticle(Articles, *D, Files, Run);
    print<SectionText>(Text, "id"_hole = sectionId(I),
                       "file"_hole = htmlText(fileName(Of.front()->At, Files)),
                       "count"_hole = counted(Of.size(), "finding"), "articles"_hole = Articles);
  }
  return Text;
}

/// "3 errors, 2 warnings; 4 with a fix; 1 suppressed."
std::string summary(const SiftedFindings &All, const HtmlRun &Run) {
  ArrayRef<Finding> Found = All.Reported.all();
  size_t Errors = count_if(Found, [](const Finding &D) { return D.Severity == Level::Error; });
  size_t Fixed = count_if(Found, [](const Finding &D) { return !D.Fixes.empty(); });
  std::string Text = counted(Errors, "error") + ", " + counted(Found.size() - Errors, "warning") +
                     "; " + std::to_string(Fixed) + " with a fix; " +
                     std::to_string(All.Suppressed.size()) + " suppressed.";
  if (!Run.Successful)
    Text += " Some input could not be read.";
  return Text;
}

} // namespace

void opsig::printHtml(raw_ostream &OS, const SiftedFindings &All, const SourceFiles &Files,
                      const HtmlRun &Run) {
  ArrayRef<Finding> Found = All.Reported.all();
  std::vector<std::string> Filters = {
      filterText("Check", "check", Found, [](const Finding &D) { return checkName(D.Id); }),
      filterText("Level", "level", Found,
                 [](const Finding &D) { return levelName(D.Severity).str(); }),
      filterText("File", "file", Found, [&](const Finding &D) { return fileName(D.At, Files); })};
  if (Found.empty())
    Filters.clear();
  printHtmlPage(OS, {.Title = counted(Found.size(), "finding"),
                     .Summary = summary(All, Run),
                     .Version = Run.Version,
                     .Notes = Run.Notes,
                     .Filters = std::move(Filters),
                     .Main = mainText(Found, Files, Run),
                     .Style = printed<StyleText>()});
}
