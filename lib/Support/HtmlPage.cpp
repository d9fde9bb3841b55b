//===- HtmlPage.cpp - A report as a page to be read --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/HtmlPage.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/Printer.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr Template StyleText = R"(
:root { color-scheme: light dark; --line: #8884; --error: #b11; --warning: #850; --good: #161; --code: #8881; --dim: #565656; }
@media (prefers-color-scheme: dark) { :root { --error: #f88; --warning: #fb4; --good: #6d6; --dim: #b4b4b4; } a { color: #8ab4f8; } }
html { background: Canvas; color: CanvasText; }
body { background: Canvas; font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; font-weight: 400; margin: 0; overflow-wrap: anywhere; }
form { position: sticky; top: 0; z-index: 2; background: Canvas; padding: .5rem 0; border-bottom: 1px solid var(--line); }
form label { margin-right: 1rem; } select { max-width: 22rem; }
pre { background: var(--code); padding: .5rem; margin: .25rem 0; overflow-x: auto; font: 13px/1.4 ui-monospace, monospace; }
ul { margin: .25rem 0; padding-left: 1.25rem; } code { font: 13px ui-monospace, monospace; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2rem .6rem; border-bottom: 1px solid var(--line); }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; text-align: left; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " \25b2"; } th[aria-sort=descending] button::after { content: " \25bc"; }
.count { color: var(--dim); }
.wide { overflow-x: auto; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
@media (max-width: 40rem) {
  body { padding: .5rem; } form { position: static; } form label { display: block; margin: 0 0 .5rem; }
  select, input { max-width: 100%; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } th, td { padding: .2rem .35rem; }
}
[hidden] { display: none; }
${own}
)";

constexpr Template ScriptText = R"(
const form = document.forms[0], items = [...document.querySelectorAll('[data-item]')];
const texts = new Map();
function hasWords(item, words) {
  if (!words.length) return true;
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
  return words.every(w => texts.get(item).includes(w));
}
function isChosen(item, choice) {
  const has = item.dataset[choice.name];
  return has === choice.value || !!has?.includes('|' + choice.value + '|');
}
function filter() {
  const fields = [...form.elements].filter(e => e.value);
  const choices = fields.filter(e => e.tagName === 'SELECT');
  const words = fields.filter(e => e.tagName === 'INPUT').flatMap(e => e.value.toLowerCase().split(/\s+/).filter(w => w));
  let shown = 0;
  for (const item of items) {
    item.hidden = choices.some(c => !isChosen(item, c)) || !hasWords(item, words);
    shown += !item.hidden;
  }
  for (const s of document.querySelectorAll('section')) s.hidden = !s.querySelector('[data-item]:not([hidden])');
  document.getElementById('shown').textContent = shown === items.length ? '' : shown + ' shown';
}
function sort(head) {
  const row = head.parentElement, body = row.closest('table').tBodies[0];
  const column = [...row.children].indexOf(head);
  const up = head.getAttribute('aria-sort') !== 'ascending';
  for (const h of row.children) h.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const key = r => { const c = r.children[column]; return c.dataset.sort ?? c.textContent; };
  const keyed = [...body.rows].map(r => [key(r), r]);
  keyed.sort((a, b) => (up ? 1 : -1) * a[0].localeCompare(b[0], 'en', { numeric: true }));
  body.append(...keyed.map(k => k[1]));
}
for (const head of document.querySelectorAll('table.sortable thead th')) {
  const button = document.createElement('button');
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener('click', () => sort(head));
}
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  });
}
if (form) {
  form.hidden = false;
  form.addEventListener('submit', e => e.preventDefault());
  form.addEventListener('input', filter);
}
)";

constexpr Template PageText = R"(
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>opsig: ${title}</title>
<style>
${style}
</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="count">${summary} opsig ${version}</p>
${if notes}
<ul>
${notes}
</ul>
${end}
</header>
${if has_main}
${if filters}
<form hidden aria-label="Filter">
${filters}
<span id="shown" class="count" role="status"></span>
</form>
${end}
<main>
${=main}</main>
<script>
${script}
</script>
${end}
</body>
</html>
)";

constexpr Template NoteText = R"(
<li>${if warning}<b>warning:</b> ${end}${message}</li>
)";

constexpr Template ChoiceText = R"(
<label>${title} <select name="${name}"><option value="">all</option>${=options}</select></label>
)";
constexpr Template OptionText = R"(<option value="${value}">${shown} (${count})</option>)";
constexpr Template SearchText = R"(
<label>${title} <input type="search" name="words"></label>
)";

std::string notesText(const std::vector<RunNote> &Notes) {
  std::string Text;
  for (const RunNote &N : Notes)
    print<NoteText>(Text, "warning"_hole = N.IsWarning, "message"_hole = htmlText(N.Message));
  return Text;
}

} // namespace

/// \p Text without a line that begins as a command of a log service: pages may be printed there.
static std::string withoutCommands(StringRef Text) {
  std::string Out;
  for (bool First = true; First || !Text.empty(); First = false) {
    auto [Line, Rest] = Text.split('\n');
    StringRef Begin = Line.ltrim();
    Out += Line.drop_back(Begin.size());
    if (looksLikeCommand(Begin) && Begin.consume_front(":"))
      Out += "&#58;";
    Out += Begin;
    if (Line.size() != Text.size())
      Out += '\n';
    Text = Rest;
  }
  return Out;
}

std::string opsig::htmlText(StringRef Text) {
  std::string Valid = safeText(Text, LineEnds::Kept);
  if (StringRef(Valid).find_first_of("&<>\"':") == StringRef::npos)
    return Valid; // most texts of a large page
  std::string Out;
  raw_string_ostream OS(Out);
  printHTMLEscaped(Valid, OS);
  return withoutCommands(Out);
}

std::string opsig::htmlFileLink(StringRef Path, unsigned Line) {
  std::string Link = (sys::path::is_absolute(Path) ? "file://" : "") + uriEncoded(Path, "+@,");
  if (Line)
    Link += "#L" + std::to_string(Line);
  return Link;
}

std::string opsig::htmlChoice(StringRef Title, StringRef Name,
                              const std::map<std::string, unsigned> &Counts,
                              const std::map<std::string, std::string> &Names) {
  std::string Options;
  for (const auto &[Value, Count] : Counts) {
    auto Named = Names.find(Value);
    print<OptionText>(Options, "value"_hole = htmlText(Value),
                      "shown"_hole = htmlText(Named == Names.end() ? Value : Named->second),
                      "count"_hole = std::to_string(Count));
  }
  return printed<ChoiceText>("title"_hole = Title, "name"_hole = Name, "options"_hole = Options);
}

std::string opsig::htmlSearch(StringRef Title) {
  return printed<SearchText>("title"_hole = htmlText(Title));
}

void opsig::printHtmlPage(raw_ostream &OS, const HtmlPage &Page) {
  auto Main = [&](std::string &Out) {
    Out += Page.Main;
    if (Page.More)
      Page.More(Out);
  };
  OS << printed<PageText>(
      "title"_hole = htmlText(Page.Title), "summary"_hole = htmlText(Page.Summary),
      "version"_hole = htmlText(Page.Version), "notes"_hole = notesText(Page.Notes),
      "style"_hole = printed<StyleText>("own"_hole = Page.Style), "filters"_hole = Page.Filters,
      "has_main"_hole = bool(!Page.Main.empty() || Page.More), "main"_hole = Main,
      "script"_hole = printed<ScriptText>());
}
