"""Asks the search of the documents' site in Chromium, as a reader does who types a word into it.

usage: SITE FOLDER WORD... prints the pages that the search finds for each word, and how many of them lack it; of a word
with hyphens, one of its parts. FOLDER gets the browser's files.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import sys
from pathlib import Path
from urllib.parse import quote

from browse import run

site, folder = (Path(word).resolve() for word in sys.argv[1:3])
folder.mkdir(parents=True, exist_ok=True)
for word in sys.argv[3:]:
    address = f"{(site / 'search.html').as_uri()}?q={quote(word)}"
    # The results come after the index is loaded: the time that the page has is its own, not the clock's.
    page = run(address, folder, "light", "--virtual-time-budget=20000", "--dump-dom")
    listed = re.search(r'<ul class="search">(.*?)</ul>', page, re.DOTALL)
    found = re.findall(r'<a href="([^"#?]+)', listed[1]) if listed else []
    texts = [(site / name).read_text(encoding="utf-8").lower() for name in found]
    strangers = [text for text in texts if not all(part in text for part in word.split("-"))]
    print(f"{word}: {len(found)} found, {len(strangers)} without it: {' '.join(sorted(found))}")
