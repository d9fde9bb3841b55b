//===- HtmlReport.cpp - Findings as a page to be read -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Findings/LineDiffInternal.h"
#include "opsig/Check/HtmlReport.h"
#include "opsig/Check/RulePages.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace opsig;
using namespace llvm;

namespace {

//===-- The page ------------------------------------------------------------===//

constexpr Template StyleText = R"(
:root { color-scheme: light dark; --line: #8884; --error: #c22; --warning: #a60; --code: #8881; }
@media (prefers-color-scheme: dark) { :root { --error: #f77; --warning: #fb4; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; font-weight: 400; margin: 0; overflow-wrap: anywhere; }
form { position: sticky; top: 0; background: Canvas; padding: .5rem 0; border-bottom: 1px solid var(--line); }
form label { margin-right: 1rem; } select { max-width: 22rem; }
article { border-left: 4px solid var(--line); padding: .25rem 0 .25rem .75rem; margin: .75rem 0; }
article.error { border-color: var(--error); } article.warning { border-color: var(--warning); }
.error b { color: var(--error); } .warning b { color: var(--warning); }
pre { background: var(--code); padding: .5rem; margin: .25rem 0; overflow-x: auto; font: 13px/1.4 ui-monospace, monospace; }
pre em { font-style: normal; font-weight: 600; color: var(--error); }
del { color: var(--error); text-decoration: none; } ins { color: light-dark(#171, #6d6); text-decoration: none; }
ul { margin: .25rem 0; padding-left: 1.25rem; } code { font: 13px ui-monospace, monospace; }
.count { color: GrayText; }
[hidden] { display: none; }
)";

constexpr Template ScriptText = R"(
const form = document.forms[0], articles = [...document.querySelectorAll('article')];
function filter() {
  let shown = 0;
  for (const a of articles) {
    a.hidden = [...form.elements].some(e => e.value && a.dataset[e.name] !== e.value);
    shown += !a.hidden;
  }
  for (const s of document.querySelectorAll('section')) s.hidden = !s.querySelector('article:not([hidden])');
  document.getElementById('shown').textContent = shown === articles.length ? '' : shown + ' shown';
}
form.hidden = false;
form.addEventListener('change', filter);
)";

constexpr Template PageText = R"(
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>opsig: ${total}</title>
<style>
${style}
</style>
</head>
<body>
<header>
<h1>${total}</h1>
<p class="count">${summary} opsig ${version}</p>
${if notes}
<ul>
${notes}
</ul>
${end}
</header>
${if sections}
<form hidden>
${filters}
<span id="shown" class="count"></span>
</form>
<main>
${=sections}</main>
<script>
${script}
</script>
${end}
</body>
</html>
)";

constexpr Template FilterText = R"(
<label>${title} <select name="${name}"><option value="">all</option>${=options}</select></label>
)";
constexpr Template OptionText = R"(<option value="${value}">${value} (${count})</option>)";

constexpr Template SectionText = R"(
<section>
<h2>${file} <span class="count">${count}</span></h2>
${=articles}</section>
)";

// What stands in <pre> must not be indented.
constexpr Template ArticleText = R"(
<article class="${level}" data-check="${check}" data-level="${level}" data-file="${file}">
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

std::string escaped(StringRef Text) {
  std::string Out;
  raw_string_ostream OS(Out);
  printHTMLEscaped(utf8(Text), OS);
  return Out;
}

std::string fileName(const Place &At, const SourceFiles &Files) {
  return At.File == FileId::None ? "the whole project" : Files.name(At.File).str();
}

/// "43:37", and the file's name before it \p WithFile.
std::string placeText(const Place &At, const SourceFiles &Files, bool WithFile) {
  if (At.File == FileId::None)
    return "";
  std::string Text = WithFile ? Files.name(At.File).str() : "line";
  if (At.Line)
    Text += (WithFile ? ":" : " ") + std::to_string(At.Line);
  return escaped(Text + ":");
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
  std::string Text =
      escaped(Before) + "<em>" + escaped(Meant) + "</em>" + escaped(Rest.drop_front(Meant.size()));
  if (!Hint.empty())
    Text += "\n" + std::string(Before.size(), ' ') + "<ins>" + escaped(Hint) + "</ins>";
  return Text;
}

std::string fixText(const Diagnostic &D, const SourceFiles &Files) {
  std::string Text;
  for (const LineChange &Change : lineChanges(D.Fixes, Files)) {
    Text += escaped(Files.name(Change.File)) + ":" + std::to_string(Change.Line) + "\n";
    for (const std::string &Line : Change.Before)
      Text += "<del>-" + escaped(Line) + "</del>\n";
    for (const std::string &Line : Change.After)
      Text += "<ins>+" + escaped(Line) + "</ins>\n";
  }
  return Text;
}

void printArticle(std::string &Out, const Diagnostic &D, const SourceFiles &Files) {
  std::string Notes;
  for (const Note &N : D.Notes)
    print<NoteText>(Notes, "place"_hole = placeText(N.At, Files, /*WithFile=*/true),
                    "message"_hole = escaped(N.Message),
                    "source"_hole = sourceText(N.At, "", Files));
  print<ArticleText>(Out, "level"_hole = levelName(D.Severity), "check"_hole = checkName(D.Id),
                     "file"_hole = escaped(fileName(D.At, Files)),
                     "place"_hole = placeText(D.At, Files, /*WithFile=*/false),
                     "message"_hole = escaped(D.Message),
                     "about"_hole = escaped(firstParagraph(rulePage(D.Id))),
                     "source"_hole = sourceText(D.At, D.Hint, Files), "notes"_hole = Notes,
                     "fix"_hole = fixText(D, Files));
}

/// A choice among the values that \p Of gives, with how many findings have each.
std::string filterText(StringRef Title, StringRef Name, ArrayRef<Diagnostic> All,
                       function_ref<std::string(const Diagnostic &)> Of) {
  std::map<std::string, unsigned> Counts;
  for (const Diagnostic &D : All)
    ++Counts[Of(D)];
  std::string Options;
  for (const auto &[Value, Count] : Counts)
    print<OptionText>(Options, "value"_hole = escaped(Value), "count"_hole = std::to_string(Count));
  return printed<FilterText>("title"_hole = Title, "name"_hole = Name, "options"_hole = Options);
}

std::string sections(ArrayRef<Diagnostic> All, const SourceFiles &Files) {
  MapVector<FileId, std::vector<const Diagnostic *>> ByFile;
  for (const Diagnostic &D : All)
    ByFile[D.At.File].push_back(&D);
  std::string Text;
  for (const auto &[File, Of] : ByFile) {
    std::string Articles;
    for (const Diagnostic *D : Of)
      printArticle(Articles, *D, Files);
    print<SectionText>(Text, "file"_hole = escaped(fileName(Of.front()->At, Files)),
                       "count"_hole = counted(Of.size(), "finding"), "articles"_hole = Articles);
  }
  return Text;
}

/// "3 errors, 2 warnings; 4 with a fix; 1 suppressed."
std::string summary(const Findings &All, const HtmlRun &Run) {
  ArrayRef<Diagnostic> Found = All.Reported.all();
  size_t Errors = count_if(Found, [](const Diagnostic &D) { return D.Severity == Level::Error; });
  size_t Mended = count_if(Found, [](const Diagnostic &D) { return !D.Fixes.empty(); });
  std::string Text = counted(Errors, "error") + ", " + counted(Found.size() - Errors, "warning") +
                     "; " + std::to_string(Mended) + " with a fix; " +
                     std::to_string(All.Silenced.size()) + " suppressed.";
  if (!Run.Successful)
    Text += " Not all input could be read.";
  return Text;
}

std::string runNotes(ArrayRef<RunNote> Notes) {
  std::string Text;
  for (const RunNote &N : Notes)
    print<NoteText>(Text, "place"_hole = N.IsWarning ? "<b>warning:</b>" : "",
                    "message"_hole = escaped(N.Message), "source"_hole = "");
  return Text;
}

} // namespace

void opsig::printHtml(raw_ostream &OS, const Findings &All, const SourceFiles &Files,
                      const HtmlRun &Run) {
  ArrayRef<Diagnostic> Found = All.Reported.all();
  std::vector<std::string> Filters = {
      filterText("Check", "check", Found, [](const Diagnostic &D) { return checkName(D.Id); }),
      filterText("Level", "level", Found,
                 [](const Diagnostic &D) { return levelName(D.Severity).str(); }),
      filterText("File", "file", Found,
                 [&](const Diagnostic &D) { return fileName(D.At, Files); })};
  OS << printed<PageText>("total"_hole = counted(Found.size(), "finding"),
                          "summary"_hole = summary(All, Run), "version"_hole = escaped(Run.Version),
                          "notes"_hole = runNotes(Run.Notes), "style"_hole = printed<StyleText>(),
                          "filters"_hole = Filters, "sections"_hole = sections(Found, Files),
                          "script"_hole = printed<ScriptText>());
}
