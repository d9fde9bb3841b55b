"""Opens PAGE in Chromium, once for light and once for dark readers, does there what a reader does, and prints what is
to be seen; usage: PAGE STEPS FOLDER. STEPS is JavaScript that may use say(text). FOLDER gets the browser's files, and
light.png and dark.png.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

BROWSER = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
SCHEMES = {"dark": 0, "light": 1}


def run(address, folder, scheme, *words):
    """What the browser prints; its files are in FOLDER."""
    profile = f"--user-data-dir={folder}/profile"
    settings = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
    command = [*BROWSER, profile, settings, "--window-size=1200,900", *words, address]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    return done.stdout.decode("utf-8")


def browse(page, steps, folder):
    folder.mkdir(parents=True, exist_ok=True)
    said = (
        "<pre id='said'></pre><script>\n"
        "const say = text => document.getElementById('said').append(text + '\\n');\n"
        "window.onerror = text => say('error: ' + text);\n"
        f"{steps.read_text(encoding='utf-8')}</script></body>"
    )
    tried = folder / "tried.html"
    tried.write_text(page.read_text(encoding="utf-8").replace("</body>", said), encoding="utf-8")
    for scheme in ("light", "dark"):
        found = re.search("<pre id=.said.>(.*?)</pre>", run(tried.as_uri(), folder, scheme, "--dump-dom"), re.DOTALL)
        print(f"{scheme}:\n{unescape(found[1]) if found else 'nothing'}")
        run(page, folder, scheme, f"--screenshot={folder}/{scheme}.png")
        print(f"screenshot: {(folder / f'{scheme}.png').stat().st_size > 10000}")


if __name__ == "__main__":
    browse(*(Path(word).resolve() for word in sys.argv[1:]))
