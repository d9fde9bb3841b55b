# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import html, json, os, re, subprocess, sys
from pathlib import Path

INPUTS = sys.argv[1]
# For a terminal, for logs of builds, for whoever reads; what is no UTF-8 at all.
PAYLOADS = {
    "escape": b"\x1b]0;t\x07\x1b[2J",
    "c1": "\u009b31m".encode(),
    "line": b"x\n::error file=a.cpp::forged\n##[add-mask]x",
    "carriage": b"x\r::warning ::forged",
    "bracket": b"##[error]forged ##vso[task.x]",
    "start": b"::error ::forged",
    "bidi": "a\u202eb\u2066c\u200f".encode(),
    "separator": "a\u2028::error ::b\u2029c".encode(),
    "bytes": b"\xff\xfe\xc0\x80\xed\xa0\x80",
    "html": b"<script>alert(1)</script><img src=x onerror=y>",
    "link": b"[here](https://example.com) `|` @somebody",
}
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
KERNEL = b"""#include <torch/library.h>
at::Tensor k(const at::Tensor &a, int b);  // @
TORCH_LIBRARY(lib_%d, m) { m.def("f(Tensor a, int b) -> Tensor", &k); }
"""
SCHEMA = b"""#include <torch/library.h>
at::Tensor k(const at::Tensor &a, int64_t b);
TORCH_LIBRARY(lib_%d, m) { m.def("f(Tensor a, int @ b) -> Tensor", &k); m.impl("@", &k); }
"""


def literal(payload):
    return b"".join(b"\\%03o" % byte for byte in payload)


def checkout(folder):
    """Every payload in every place that a checkout can put it."""
    root = Path(folder)
    (root / ".git").mkdir(parents=True)
    yaml = "backend: PrivateUse1\ncpp_namespace: demo\nsupported:\n- f\n"
    config = f"torch: 1.13\nschemas: native.yaml\ntags: tags.yaml\nflags: [-std=c++17, -nostdinc++, -isystem, '{INPUTS}']\n"
    for number, payload in enumerate(PAYLOADS.values()):
        name = payload.replace(b"/", b"_")
        for place, text in ((b"", KERNEL), (b"schema-", SCHEMA), (b"d-" + name + b"/", KERNEL)):
            text = text.replace(b"@", literal(payload) if place == b"schema-" else payload.split(b"\n")[0])
            file = os.path.join(os.fsencode(root), place + (name if place != b"schema-" else b"%d" % number) + b".cpp")
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as out:
                out.write(text % number)
        quoted = json.dumps(payload.decode("latin-1") if number == 8 else payload.decode())
        yaml += f"- {quoted}\n- {{{quoted}: {quoted}}}\n"
    (root / "demo.yaml").write_text(yaml + "".join(
        f"{json.dumps(p.decode('latin-1'))}: 1\n" for p in PAYLOADS.values()))
    (root / "native.yaml").write_text("- func: f(Tensor a, int b) -> Tensor\n")
    (root / "tags.yaml").write_text("- tag: core\n  desc: x\n")
    (root / ".opsig.yaml").write_text(config)
    return root


def run(root, *words, env=None):
    done = subprocess.run(["opsig", *words], cwd=root, capture_output=True, timeout=120, env={**os.environ, **(env or {})})
    assert done.returncode in (0, 1, 2), (words, done)
    return done


def check(text, words):
    """What a terminal and a log get."""
    shown = text.decode()  # strict: valid UTF-8
    assert not UNSAFE.search(shown), (words, UNSAFE.search(shown), shown[max(0, UNSAFE.search(shown).start() - 80):][:200])
    for line in shown.split("\n"):
        assert not re.match(r"\s*::(error|warning)", line), (words, line)
        assert not re.search(r"##[a-zA-Z-]*\[", line), (words, line)
    return shown


root = checkout("p")
text = run(root, "check", ".", "--backend", "demo.yaml", "--verbose")
check(text.stdout, "text")
check(text.stderr, "text")
# It is all there, escaped.
said = text.stdout.decode()
for sign in (r"\x1b]0;t\x07", r"\u202e", r"\n\x3a:error" if r"\n\x3a:error" in said else r"\n::error", r"\xff\xfe", r"\x3a:error ::forged.cpp:2:"):
    assert sign in said, sign
# A line keeps its columns.
at = next(i for i, line in enumerate(said.split("\n")) if line.startswith("    2 | at::Tensor k"))
assert said.split("\n")[at + 1].index("^") == said.split("\n")[at].index("int b"), said.split("\n")[at:at + 2]

for line in run(root, "check", ".", "--backend", "demo.yaml", "--format", "json").stdout.decode().splitlines():
    assert json.loads(check(line.encode(), "json"))["id"]

log = json.loads(check(run(root, "check", ".", "--backend", "demo.yaml", "--format", "sarif").stdout, "sarif"))
for result in log["runs"][0]["results"]:
    assert "](" not in result["message"]["text"] and not UNSAFE.search(result["message"]["text"])
    for location in result.get("locations", []):
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9%/._~:-]+", uri), uri

page = check(run(root, "check", ".", "--backend", "demo.yaml", "--format", "html").stdout, "html")
body = page[page.index("<main>"):page.index("</main>")]
assert "<script" not in body and "<img" not in body and html.escape("<script>alert(1)", quote=False) in body
