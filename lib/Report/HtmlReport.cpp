//===- HtmlReport.cpp - Findings as a page to be read -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LineDiffInternal.h"
#include "opsig/Report/HtmlReport.h"
#include "opsig/Report/RulePages.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/HtmlPage.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
pre em { font-style: normal; font-weight: 600; color: var(--error); }
del { color: var(--error); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
)";

constexpr Template SectionText = R"(
<section>
<h2>${file} <span class="count">${count}</span></h2>
${=articles}</section>
)";

// What stands in <pre> must not be indented.
constexpr Template ArticleText = R"(
<article class="${level}" data-item data-check="${check}" data-level="${level}" data-file="${file}">
<h3>${place} <b>${level}:</b> ${message} <code title="${about}">[${check}]</code></h3>
${if source}
<pre>${=source}</pre>
${end}
${if notes}
<ul>
${=notes}</ul>
${end}
${if fix}
<details><summary>What the fix changes</summary>
<pre>${=fix}</pre>
</details>
${end}
<details><summary>About ${check}</summary>
<p>${about} <code>opsig explain ${check}</code> says more.</p>
</details>
</article>
)";

constexpr Template NoteText = R"(
<li>${if place}${place} ${end}${message}${if source}
<pre>${=source}</pre>${end}</li>
)";

//===-- Parts of it ---------------------------------------------------------===//

std::string fileName(const Place &At, const SourceFiles &Files) {
  return At.File == SourceId::None ? "the whole project" : Files.name(At.File).str();
}

/// "43:37", and the file's name before it \p WithFile.
std::string placeText(const Place &At, const SourceFiles &Files, bool WithFile) {
  if (At.File == SourceId::None)
    return "";
  std::string Text = WithFile ? Files.name(At.File).str() : "line";
  if (At.Line)
    Text += (WithFile ? ":" : " ") + std::to_string(At.Line);
  return htmlText(Text + ":");
}

/// The line with the stretch that is meant, and below it what should stand there.
std::string sourceText(const Place &At, StringRef Hint, const SourceFiles &Files) {
  if (!At.isValid() || !At.Column)
    return "";
  StringRef Line = Files.line(At.File, At.Line);
  StringRef Before = Line.take_front(At.Column - 1), Rest = Line.drop_front(Before.size());
  if (Line.empty())
    return "";
  StringRef Meant = Rest.take_front(std::max(At.Length, 1u));
  std::string Text = htmlText(Before) + "<em>" + htmlText(Meant) + "</em>" +
                     htmlText(Rest.drop_front(Meant.size()));
  if (!Hint.empty())
    Text += "\n" + std::string(Before.size(), ' ') + "<ins>" + htmlText(Hint) + "</ins>";
  return Text;
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

void printArticle(std::string &Out, const Finding &D, const SourceFiles &Files) {
  std::string Notes;
  for (const Note &N : D.Notes)
    print<NoteText>(Notes, "place"_hole = placeText(N.At, Files, /*WithFile=*/true),
                    "message"_hole = htmlText(N.Message),
                    "source"_hole = sourceText(N.At, "", Files));
  print<ArticleText>(Out, "level"_hole = levelName(D.Severity), "check"_hole = checkName(D.Id),
                     "file"_hole = htmlText(fileName(D.At, Files)),
                     "place"_hole = placeText(D.At, Files, /*WithFile=*/false),
                     "message"_hole = htmlText(D.Message),
                     "about"_hole = htmlText(firstParagraph(rulePage(D.Id))),
                     "source"_hole = sourceText(D.At, D.Hint, Files), "notes"_hole = Notes,
                     "fix"_hole = fixText(D, Files));
}

/// A choice among the values that \p Of gives, with how many findings have each.
std::string filterText(StringRef Title, StringRef Name, ArrayRef<Finding> All,
                       function_ref<std::string(const Finding &)> Of) {
  std::map<std::string, unsigned> Counts;
  for (const Finding &D : All)
    ++Counts[Of(D)];
  return htmlChoice(Title, Name, Counts);
}

std::string sections(ArrayRef<Finding> All, const SourceFiles &Files) {
  MapVector<SourceId, std::vector<const Finding *>> ByFile;
  for (const Finding &D : All)
    ByFile[D.At.File].push_back(&D);
  std::string Text;
  for (const auto &[File, Of] : ByFile) {
    std::string Articles;
    for (const Finding *D : Of)
      printArticle(Articles, *D, Files);
    print<SectionText>(Text, "file"_hole = htmlText(fileName(Of.front()->At, Files)),
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
    Text += " Not all input could be read.";
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
                     .Main = sections(Found, Files),
                     .Style = printed<StyleText>()});
}
