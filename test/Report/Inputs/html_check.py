"""Holds a page of `opsig check --format html` against what `--format json` says of the same run, and against what
--fix made of the files; usage: PAGE JSON FIXED_FOLDER. Prints how many findings and changed lines were compared.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "input", "br", "hr"}


class Page(HTMLParser):
    """Articles with their attributes and the texts of their parts; complains of what browsers forgive."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.articles, self.scripts, self.headings = [], [], 0, ""

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        links = {name: attrs[name] for name in ("src", "href", "action") if name in attrs}
        assert all(link.startswith("#file-") for link in links.values()), f"<{tag}> refers to something: {attrs}"
        assert tag != "link", "a style sheet elsewhere"
        assert not any(name.startswith("on") for name in attrs), attrs
        self.scripts += tag == "script"
        if tag == "article":
            self.articles.append({"attrs": attrs, "h3": "", "li": [], "em": [], "ins": [], "del": [], "diff": []})
        if self.articles and "article" in self.open and tag in ("li", "em", "ins", "del"):
            self.articles[-1][tag].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> where {self.open} is open"
        self.open.pop()

    def handle_data(self, data):
        if "h1" in self.open:
            self.headings += data
        if "article" not in self.open:
            return
        article = self.articles[-1]
        if "h3" in self.open:
            article["h3"] += data
        for tag in ("li", "em", "ins", "del"):
            if tag in self.open:
                article[tag][-1] += data
        if "details" in self.open and "pre" in self.open:
            article["diff"].append((self.open[-1], data))


page = Page()
text = Path(sys.argv[1]).read_text(encoding="utf-8")
page.feed(text)
page.close()
assert not page.open, page.open
assert text.startswith("<!DOCTYPE html>") and page.scripts <= 1

found = [json.loads(line) for line in Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()]
assert len(found) == len(page.articles), (len(found), len(page.articles))
assert page.headings == f"{len(found)} finding" + "s" * (len(found) != 1), page.headings
lines = 0
for finding, article in zip(found, page.articles):
    attrs = article["attrs"]
    assert (attrs["data-check"], attrs["data-level"]) == (finding["id"], finding["level"]), attrs
    assert attrs["data-file"] == (finding["file"] or "the whole project"), attrs
    for part in (finding["message"], finding["id"], f"line {finding['line']}:" if finding["line"] else ""):
        assert part in article["h3"], (part, article["h3"])
    assert len(article["li"]) == len(finding["notes"]), article["li"]
    for note, shown in zip(finding["notes"], article["li"]):
        assert note["message"] in shown and f"{note['file']}:{note['line']}:" in shown, (note, shown)
    added = [data[1:] for tag, data in article["diff"] if tag == "ins"]
    removed = [data[1:] for tag, data in article["diff"] if tag == "del"]
    assert bool(added) == bool(finding["fixes"]), article["diff"]
    for line in added:
        fixed = (Path(sys.argv[3]) / finding["file"]).read_text(encoding="utf-8-sig")
        assert line.removeprefix("\ufeff") in fixed.splitlines(), (line, fixed)
        lines += 1
    for line in removed:
        before = Path(finding["file"]).read_text(encoding="utf-8-sig").splitlines()
        assert line.removeprefix("\ufeff") in before, line
print(f"{len(found)} findings, {lines} changed lines")
