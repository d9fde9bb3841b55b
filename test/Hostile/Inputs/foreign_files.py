# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, subprocess, sys
from pathlib import Path

FLAGS = ["--", "-std=c++20", "-nostdinc++", "-isystem", sys.argv[1]]
HEAD = '#include <torch/library.h>\nstatic at::Tensor k(const at::Tensor &a) { return a.clone(); }\n'
outside = Path("outside").resolve()
outside.mkdir()
TEXTS = {
    "netrc": "machine hunter2 login hunter2\n",
    "values.txt": '#define SCHEMA "f(Tensor hunter2"\n',
    "block.dat": 'm.def("hunter2(Tensor a", &k);\n',
}
for name, text in TEXTS.items():
    (outside / name).write_text(text)
EMBED = f'constexpr char key[] = {{\n#embed "{outside}/netrc"\n, 0}};\n'
TEXT = "struct Text { constexpr const char *data() const { return key; } constexpr unsigned long size() const { return 10; } };\n"
SOURCES = {
    # Messages of Clang are made of constants.
    "message": EMBED + TEXT + "static_assert(false, Text());\n",
    # One byte at a time would do.
    "byte": HEAD + EMBED + 'template <char C> struct Is;\ntemplate <> struct Is<109> { int x; };\nIs<key[0]> it;\n',
    "through-link": EMBED.replace(f"{outside}/netrc", "link.bin") + TEXT + "static_assert(false, Text());\n",
    "macro": HEAD + '#include "values.h"\nTORCH_LIBRARY(lib, m) { m.def(SCHEMA, &k); }\n',
    "macro-outside": HEAD + f'#include "{outside}/values.txt"\nTORCH_LIBRARY(lib, m) {{ m.def(SCHEMA, &k); }}\n',
    "block": HEAD + 'TORCH_LIBRARY(lib, m) {\n#include "block.h"\n}\n',
    "block-outside": HEAD + f'TORCH_LIBRARY(lib, m) {{\n#include "{outside}/block.dat"\n}}\n',
    "include": f'#include "{outside}/netrc"\n',
}
project = Path("project")
(project / ".git").mkdir(parents=True)
(project / "values.h").symlink_to(outside / "values.txt")
(project / "block.h").symlink_to(outside / "block.dat")
(project / "link.bin").symlink_to(outside / "netrc")
(project / "linked.cpp").symlink_to(outside / "netrc")
(project / "linked.py").symlink_to(outside / "netrc")


def run(*words):
    said = ""
    for form in ([], ["--verbose"], ["--format", "html"], ["--format", "sarif"], ["--format", "json"]):
        done = subprocess.run(["opsig", "check", "--no-cache", *words, *form, *FLAGS], cwd=project, capture_output=True, text=True)
        assert done.returncode in (0, 1, 2), done
        assert "hunter2" not in done.stdout + done.stderr, (words, done)
        said += done.stdout + done.stderr
    return said


for name, source in SOURCES.items():
    (project / "a.cpp").write_text(source)
    said = run("a.cpp")
    if "#embed" in source:
        assert "cannot read 'a.cpp': it embeds" in said and "outside the project" in said, said
    elif name != "include":
        assert "could not be read" in said, (name, said)
said = run(".")
assert "'linked.cpp' (a link to a non-code file outside the project)" in said, said
assert "'linked.py' (a link to a non-code file outside the project)" in said, said
# Named, it is read: as what it is.
assert "this is not C++" in run("linked.cpp")

# What the project has itself may be embedded, and its lists may have any name.
(project / "own.bin").write_bytes(b"abc")
(project / "own.list").write_text('#define SCHEMA "g(Tensor a) -> int"\n')
(project / "a.cpp").write_text(HEAD + 'constexpr char own[] = {\n#embed "own.bin"\n};\nstatic_assert(own[1] == 98);\n'
                               '#include "own.list"\nTORCH_LIBRARY(lib, m) { m.def(SCHEMA, &k); }\n')
done = subprocess.run(["opsig", "check", "--no-cache", "a.cpp", *FLAGS], cwd=project, capture_output=True, text=True)
assert done.returncode == 1 and "the schema returns 'int'" in done.stdout, done
assert "in part" not in done.stderr, done
