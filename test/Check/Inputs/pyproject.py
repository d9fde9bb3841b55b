# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# TOML that Python reads is read, with the same value; what Python refuses is refused, with its line.
import json, os, subprocess, sys, tomllib
opsig = sys.argv[1]
VALID = [
    'exclude = ["a"]', "exclude = ['a\\b']", 'exclude = ["\\t\\u00e9\\U0001F600 \\\\"]', 'exclude = ["""\na"b""c"""]',
    'exclude = ["""x"""""]', "exclude = ['''\r\nit's\r\n''']", 'exclude = ["""a\\\n   \n  b"""]', "exclude = [ # c\n 'a' ,\n\n 'b', ]",
    "exclude = []", '"exclude" = ["quoted"]', "exclude = ['#no comment'] # comment", 'exclude = [""]',
    "exclude = ['a']\n[a.b.c]\n[a]\nx = 1", "exclude = ['a']\n[[a]]\n[[a.b]]\n[a.b.c]\n[[a]]\n[a.b]", "exclude = ['a']\n[a]\nb.c = 1\nb.d = 2",
    "exclude = ['a']\n[x]\nd = 1979-05-27T07:32:00Z\ne = 1979-05-27 \nf = +1.5e10\ng = -inf\nh = 0xdead_beef\ni = 07:32:00\nj = true",
    "exclude = ['a']\n[x]\nt = {a = {b = [1, {c = 2}]}, d.e = 3}", "exclude = ['a']\n['x y'.\"z\\n\"]\nw = 1", "exclude = ['a']\n[ x . y ]\nz = 1",
]
INVALID = [
    "exclude", "exclude =", "exclude = a", "exclude = ['a'", "exclude = ['a' 'b']", "exclude = ['a]", 'exclude = ["a\\q"]', 'exclude = ["\\ud800"]',
    'exclude = ["""a', "exclude = ['a'] x = 1", "exclude = ['a']\nexclude = ['b']", "= 1", "exclude = ['a']\n[a\nb = 1", "exclude = ['a']\n[a]\n[a]",
    "exclude = ['a']\n[a]\nb = 1\n[a.b]", "exclude = ['a']\na = {b = 1}\n[tool.opsig.a.c]", "exclude = ['a']\n[[a]]\n[a]", 'exclude = ["a\x01"]', "exclude = ['a\nb']",
    "exclude = ['a']\n[x]\ny = {a = 1", "exclude = ['a']\n[x]\ny = {a = 1}\ny.b = 2", "exclude = ['a']\n'''x''' = 1",
]
os.makedirs("judged", exist_ok=True)
wrong = 0
def run(text):
    with open("judged/pyproject.toml", "wb") as file:
        file.write(text.encode())
    return subprocess.run([opsig, "check", "--torch", "1.13", "--schemas", "toml/native.yaml", "--tags", "toml/tags.yaml", "--verbose", "judged"],
                          capture_output=True, text=True)
for body, valid in [(b, True) for b in VALID] + [(b, False) for b in INVALID]:
    text = "[tool.opsig]\n" + body + "\n"
    try:
        expected = tomllib.loads(text)["tool"]["opsig"]["exclude"]
    except tomllib.TOMLDecodeError:
        expected = None
    assert (expected is not None) == valid, (text, expected)
    done = run(text)
    refused = "pyproject.toml:" in done.stderr and "error:" in done.stderr
    if refused == valid:
        print("NOT AS PYTHON:", repr(text), done.stderr)
        wrong += 1
sys.exit(wrong)
