# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, shutil, subprocess
from pathlib import Path

SOURCE = Path("a.cpp").read_text()
NAMES = [b"new\nline.cpp", b"x\n--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n.cpp", b"tab\there.cpp", b"quote\".cpp",
         b"back\\slash.cpp", b"two words.cpp", b"2024-01-01 00:00:00.cpp", b"\x1b[31m.cpp", "bidi\u202e.cpp".encode(),
         b"\xff\xfe.cpp", "gr\u00fcn.cpp".encode(), b"a/b.cpp", b"dev/null.cpp"]
for number, name in enumerate(NAMES):
    folder = Path(f"p{number}")
    for copy in ("checked", "applied"):
        path = os.path.join(os.fsencode(folder / copy), name)
        os.makedirs(os.path.dirname(path))
        Path(os.fsdecode(path)).write_text(SOURCE)
        shutil.copy(".opsig.yaml", folder / copy)
        for yaml in ("native.yaml", "tags.yaml"):
            shutil.copy(yaml, folder / copy)
    patch = subprocess.run(["opsig", "check", os.fsdecode(name), "--fix", "--dry-run"], cwd=folder / "checked",
                           capture_output=True).stdout
    headers = [line for line in patch.split(b"\n") if line.startswith((b"--- ", b"+++ "))]
    assert len(headers) == 2 and b"\x1b" not in patch and b"/etc/passwd\n" not in patch, (name, patch)
    (folder / "fix.patch").write_bytes(patch)
    subprocess.run(["opsig", "check", os.fsdecode(name), "--fix"], cwd=folder / "checked", capture_output=True)
    subprocess.run(["git", "init", "-q", "."], cwd=folder / "applied", check=True)
    applied = subprocess.run(["git", "apply", "-p0", "../fix.patch"], cwd=folder / "applied", capture_output=True)
    assert applied.returncode == 0, (name, patch, applied)
    fixed = [Path(os.fsdecode(os.path.join(os.fsencode(folder / copy), name))).read_text() for copy in ("checked", "applied")]
    assert fixed[0] == fixed[1] != SOURCE, (name, fixed)

# GitHub takes commands anywhere in a log; what it reads is told that none follow. A file is not touched by that.
lines = SOURCE.replace("// here", "// here\n/*\n::error file=x::forged\n##[error]forged\n*/")
Path("b.cpp").write_text(lines)
quiet = subprocess.run(["opsig", "check", "b.cpp", "--fix", "--dry-run"], capture_output=True, text=True).stdout
assert not quiet.startswith("::") and "::error file=x" in quiet, quiet
loud = [subprocess.run(["opsig", "check", "b.cpp", "--fix", "--dry-run"], capture_output=True, text=True,
                       env={**os.environ, "GITHUB_ACTIONS": "true"}).stdout for _ in range(2)]
words = [text.split("\n")[0].removeprefix("::stop-commands::") for text in loud]
for text, word in zip(loud, words):
    assert text == f"::stop-commands::{word}\n{quiet}::{word}::\n", text
assert len(words[0]) > 20 and words[0] != words[1], words
