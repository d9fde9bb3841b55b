"""Checkouts that attack commands besides `check`, and what is printed for programs: commands.py KIND FLAG...

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import re
import subprocess
import sys
import time
import xml.dom.minidom
from pathlib import Path

from checkouts import FLAGS, FUNCTIONS, HOME, OPSIG, SETTINGS, SOURCE, UNSAFE, project, run

OWN = {".opsig.yaml": SETTINGS, "native.yaml": FUNCTIONS, "tags.yaml": "- tag: core\n  desc: x\n"}
# For Markdown, HTML, terminals, logs, XML, spreadsheets, options and response files.
NAMES = ["a|b", "`x`", "[l](javascript:x)", "<img src=x>", "\x1b]8;;http:x\x07y", "x\n::error ::y", "x\r##[error]y", "\u202ecpp.b", "@who",
         "=1+cmd|'x'!A0", "\ufffe", "\u200b", "\U000e0041", "\u2028::warning ::z", "-Wall", "--fix", "@d", "a b", "$(x)", "]]>", "--><b>"]


def named():
    """A file with a finding for each name, and a kernel that Clang has something to say about."""
    text = "{ at::Tensor::nosuch<\"%s\">(a); return a; }"
    files = {f"{name}.cpp": SOURCE.replace("lib,", f"n{number},").replace("{ return a; }", text % name.split("\n")[0].split("\r")[0]) +
             '#include "no|such`<b>\u202e.h"\n' for number, name in enumerate(NAMES)}
    return project(files, own=OWN)


# -- formats


def formats():
    root = named()
    for form in ("text", "concise", "grouped", "json", "sarif", "html", "github", "gitlab", "junit"):
        out = root / "report"
        run(root, "check", "--no-cache", ".", "--format", form, "--output", "report")
        said = out.read_text()
        assert not UNSAFE.search(said), (form, UNSAFE.search(said))
        commands = [line for line in said.split("\n") if re.match(r"\s*::\w", line)]
        assert form == "github" or not commands, (form, commands)
        assert all(re.match("::(error|warning|notice) [^:]*::", line) for line in commands), commands
        assert "##[" not in said, form
        if form in ("sarif", "gitlab"):
            assert json.loads(said)
        if form == "json":
            assert len([json.loads(line) for line in said.splitlines()]) >= len(NAMES)
        if form == "junit":
            assert len(xml.dom.minidom.parseString(said).getElementsByTagName("failure")) >= len(NAMES)
        if form == "html":
            assert "<img" not in said and "--><b>" not in said and "`<b>" not in said
        out.unlink()
    for more in (["--statistics"], ["--statistics", "--format=json"], ["--show-files"], ["--add-suppressions=\u202e"],
                 ["--add-suppressions=*/ x\n#error"], ["--level=\x1b=error"], ["--checks=\u202e"], ["--since=-\x1b"]):
        run(root, "check", "--no-cache", ".", *more)
    for words in (["upgrade", ".", "--report"], ["upgrade", ".", "--report", "--format=json"], ["coverage", "."],
                  ["coverage", ".", "--format=markdown"], ["coverage", ".", "--format=json"], ["coverage", ".", "--format=html"],
                  ["stabilize", ".", "--report", "--partial"], ["gen", "stubs", ".", "--output", "-"]):
        run(root, *words)
    table = run(root, "upgrade", ".", "--report", "--format=markdown")
    for row in table.split("\n"):
        if row.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", row)) == 5, row
            assert "<" not in re.sub("`+[^`]*`+", "", row.replace(r"\`", "")) and "](" not in row.replace(r"\](", ""), row
    # Settings, schemas and places are printed by other commands.
    odd = "\u202e\x1b[31m\n::error ::x"
    setting = json.dumps(odd)
    root = project({".opsig.yaml": f"torch: 2.6\nschemas: {json.dumps('s' + odd + '.yaml')}\ntags: tags.yaml\nchecks: {setting}\n",
                    f"s{odd}.yaml": FUNCTIONS + "- func: g(Tensor a, str x=\"\u202e::error\") -> Tensor\n"})
    for words in (["config", f"{odd}.cpp"], ["config", "a.cpp", "--format=json"], ["show", "f"], ["show", "f", "--format=json"],
                  ["show", "g"], ["show", "g", "--format=json"], ["show", "g", "--plan"], ["show", "g", "--plan", "--format=json"],
                  ["show", odd], ["explain", odd], [odd]):
        run(root, *words, flags=[])


# -- files that are read, written and cleared


def links():
    other = HOME / "other"
    (other / ".git").mkdir(parents=True)
    (other / "a.cpp").write_text(SOURCE)
    (other / "setup.py").write_text("hunter2 torch -std=c++11\nhunter2\n")
    (HOME / "build").write_text("hunter2 torch\nset(CXX_STANDARD 11)\nhunter2\n")
    led = {"a.cpp": f">{other}/a.cpp", "sub": f">{other}", "setup.py": f">{HOME}/build", "CMakeLists.txt": f">{HOME}/build",
           "out.pyi": f">{HOME}/netrc", "f.json": f">{HOME}/netrc"}
    root = project(led)
    for words in (["check", "--no-cache", ".", "--fix"], ["check", "--no-cache", "a.cpp", "--add-suppressions=x"],
                  ["check", "--no-cache", "sub", "--add-suppressions=x"], ["upgrade", "."], ["upgrade", "sub", "."],
                  ["upgrade", ".", "--dry-run"], ["upgrade", ".", "--report", "--format=json"], ["stabilize", "--partial", "a.cpp"],
                  ["sync", "a.cpp"], ["gen", "stubs", ".", "--output", "out.pyi"], ["check", "--no-cache", "--facts-in", "f.json"],
                  ["check", "--no-cache", ".", "--fix", "--export-fixes", "f.json"]):
        run(root, *words)
    for target in ("|", ">/dev/zero", ">/proc/self/mem", ">/dev/stdin"):
        root = project({name: target for name in ("setup.py", "CMakeLists.txt", "f.json", "ops.txt", "dump.txt")})
        for words in (["upgrade", ".", "--report"], ["check", "--no-cache", "--facts-in", "f.json"],
                      ["check", "--no-cache", ".", "--baseline", "f.json"], ["coverage", ".", "--ops", "ops.txt"],
                      ["coverage", ".", "--dispatch-dump", "dump.txt"]):
            run(root, *words)


def caches():
    # Folders that are no cache, lead out of the project, or hold more than one.
    root = project({"c": f">{HOME}", "c3/x": f">{HOME}/netrc", "c4/readings": f">{HOME}", "c5/llvmcache-facts-0": f">{HOME}/netrc",
                    "c6/llvmcache-facts-1/x": "mine", "c6/mine/x": "mine", "c6/mine.txt": "mine", "c6/llvmcache-pch-2": "|"})
    kept = [root / name for name in ("c6/llvmcache-facts-1/x", "c6/mine/x", "c6/mine.txt")]
    for folder in ("c", "c3", "c4", "c4/readings", "c5", "c6", ".", "..", "/", "/proc/self", "a.cpp", "no", "\u202e\x1b"):
        for act in ("show", "clear", "dir"):
            run(root, "cache", act, "--cache", folder, flags=[])
    run(root, "cache", "\x1b[31m", flags=[])
    for folder in ("c", "c5", "c6"):
        run(root, "check", "--cache", folder, ".")
        run(root, "cache", "clear", "--cache", folder, flags=[])
    assert all(file.read_text() == "mine" for file in kept)


def facts():
    """Facts and compile commands of somebody else: they name files of the user, and hold anything."""
    root = project({})
    run(root, "check", "--no-cache", "a.cpp", "--facts-out", "f.json")
    text = (root / "f.json").read_text()
    for bad in (text.replace(str(root / "a.cpp"), f"{HOME}/netrc").replace('"a.cpp"', f'"{HOME}/netrc"'), "[" * 100000, text[:-20],
                text.replace("lib", "\\u001b]0;x\\u0007\\n::error ::"), text.replace("1", "99999999999"), text.replace("1", "-1"), "{}",
                "[]", "null", '"\\ud800"', ""):
        (root / "g.json").write_text(bad)
        run(root, "check", "--no-cache", "--facts-in", "g.json")
    # A rule for make, smuggled in by a name.
    header = "h\n\tevil: $(shell touch ran) #.h"
    root = project({header: "#pragma once\n", "z.h": f">{header}", "a.cpp": '#include "z.h"\n' + SOURCE,
                    "k\n\tevil: $(shell x).cpp": SOURCE.replace("lib,", "k,")})
    for name in ("a.cpp", "k\n\tevil: $(shell x).cpp"):
        run(root, "check", "--no-cache", name, "--facts-out", "f.json", "--depfile", "f.d")
        lines = (root / "f.d").read_text().replace("\\\n", "").rstrip("\n").split("\n") if (root / "f.d").exists() else []
        assert len(lines) <= 1 and not any("evil" in line.split(":")[0] or re.search(r"(?<!\$)\$\(", line) for line in lines), lines
    entries = [{"directory": str(HOME), "file": "netrc", "command": "clang++ -c netrc"},
               {"directory": "/", "file": "/dev/zero", "command": "clang++ -c x"},
               {"directory": "a\0b", "file": "a\0.cpp", "command": "clang++ x\0y"},
               {"directory": ".", "file": "a.cpp", "arguments": ["clang++", *["-Ix"] * 3000]},
               {"directory": "\u202e", "file": "\x1b\n::error ::", "command": "'"}]
    for commands in (entries, [{}], [1], {}, [{"file": "a.cpp"}], [{"directory": 1, "file": [], "arguments": {}}]):
        root = project({"compile_commands.json": json.dumps(commands), "a.cpp": "int i;\n"})
        for more in (["--all"], ["a.cpp"]):
            run(root, "check", "--no-cache", *more, flags=[])
    # Lines that say they are of another file.
    root = project({"a.cpp": f'#line 1 "{HOME}/netrc"\n' + SOURCE, "b.cpp": f'# 1 "{HOME}/netrc" 1 3\n' + SOURCE.replace("lib,", "b,"),
                    "c.cpp": '#line 1 "x\\033[31m\\n::error ::y"\n' + SOURCE.replace("lib,", "c,"),
                    "d.cpp": "#pragma GCC system_header\n" + SOURCE.replace("lib,", "d,")})
    for form in ("text", "json", "github", "html", "sarif"):
        run(root, "check", "--no-cache", ".", "--format", form)


# -- what is large


def large():
    began = time.monotonic()
    for name, text in {"setup.py": "torch " + "-std=c++11 " * 20000, "CMakeLists.txt": "torch\n" + ("CXX_STANDARD" + " " * 1000) * 5000}.items():
        run(project({name: text}), "upgrade", ".", "--report")
    # 3,000 fixes in one line; suggestions for 5,000 names, and for a long one.
    kernels = " ".join(f'm.def("f{number}(Tensor a, int b) -> Tensor", &k);' for number in range(3000))
    line = SOURCE.split("\n")[0] + "\n" + SOURCE.split("\n")[1] + f" TORCH_LIBRARY(lib, m) {{ {kernels} }}\n"
    assert len(run(project({"a.cpp": line}), "check", "--no-cache", ".")) < 10**6
    unknown = "\n".join(f'm.impl("abcdefghijk{number}xyz", &k);' for number in range(5000))
    impl = SOURCE + f'TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {{ {unknown}\nm.impl("{"a" * 500000}", &k); }}\n'
    run(project({"a.cpp": impl}), "check", "--no-cache", ".", "--statistics")
    # A Python file with more registrations than anybody writes, and types without end.
    root = project({"k.py": "import torch\n" + "".join(f"torch.library.define('q{number}::f', '(Tensor x) -> Tensor')\n" for number in range(40000))})
    assert "too many registrations" in run(root, "check", "--no-cache", ".")
    for schema in ("f(int" + "[]" * 50000 + " x) -> Tensor", "f(Tensor a) -> " + "(" * 50000, "f(Tensor(" + "|".join(["a"] * 20000) + ") a) -> Tensor",
                   "f(int x=" + "9" * 50000 + ") -> Tensor", "n" * 200000 + "(Tensor a) -> Tensor"):
        run(project({"a.cpp": SOURCE.replace("f(Tensor a, int b) -> Tensor", schema)}), "check", "--no-cache", ".")
        run(project({}), "show", schema[:100000], flags=[])
    # Trees that are deeper than any stack.
    for number, body in enumerate(["int x = " + "1+" * 100000 + "1;", "void g(int a) {" + "if (a) {} else " * 10000 + "{} }",
                                   "namespace a {" * 3000 + "}" * 3000, "int " + "*" * 50000 + "x;", "auto x = " + "[] { return " * 2000]):
        said = run(project({"b.cpp": body + "\n" + SOURCE.replace("lib,", f"deep{number},")}), "check", "--no-cache", ".")
        assert "a.cpp:2:42: error" in said, said
    assert time.monotonic() - began < 3000


# -- servers and watchers


def message(value):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def server():
    root = project({"n.yaml": f">{HOME}/list", "native_functions.yaml": FUNCTIONS})
    uris = ["file:///proc/self/environ", "file:///dev/zero", "file:///dev/stdin", "http://x/y", "file://%00", "file:///a%00b.py",
            "file:///%ff.yaml", "untitled:x", "", "file://host/etc/passwd", f"file://{root}/n.yaml", f"file://{HOME}/list",
            f"file://{root}/native_functions.yaml", f"file://{root}/a%0a::error.yaml", f"file://{root}/../../{HOME}/list"]
    places = [{"line": -1, "character": -5}, {"line": 2**31, "character": 2**40}, {"line": 0, "character": 9}, {"line": 1.5, "character": "x"}]
    asked, sent = 1, [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"rootUri": f"file://{root}", "capabilities": {}}}]

    def notify(method, **params):
        sent.append({"jsonrpc": "2.0", "method": method, "params": params})

    for uri in uris:
        document = {"uri": uri}
        for text in (FUNCTIONS, "a: b\n\u202e", "- func: f(Tensor a\r\r\r\n"):
            notify("textDocument/didOpen", textDocument={**document, "languageId": "yaml", "version": -1, "text": text})
            for method in ("hover", "completion", "codeAction", "definition", "documentSymbol", "references", "formatting"):
                for at in places:
                    asked += 1
                    where = {"textDocument": document, "position": at, "range": {"start": at, "end": places[0]}, "context": {"diagnostics": []}}
                    sent.append({"jsonrpc": "2.0", "id": asked, "method": f"textDocument/{method}", "params": where})
            changes = [{"range": {"start": places[2], "end": places[0]}, "text": "q"}, {"range": {"start": places[0], "end": places[1]}, "text": "q"},
                       {"text": None}]
            notify("textDocument/didChange", textDocument={**document, "version": 0}, contentChanges=changes)
            notify("textDocument/didClose", textDocument=document)
    # What is no message is answered or skipped, and what follows is heard.
    sent += [b"{", b"[]", b"null", b"[" * 100000, b'{"jsonrpc":"2.0","id":{},"method":[]}', b'\xff\xfe']
    asked += 1
    sent += [{"jsonrpc": "2.0", "id": asked, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}]
    done = subprocess.run([OPSIG, "lsp"], cwd=root, input=b"".join(map(message, sent)), capture_output=True, timeout=300,
                          env={**os.environ, "HOME": str(HOME), "OWN_SECRET": "hunter2"})
    answered = {int(number) for number in re.findall(rb'"id":(\d+)', done.stdout)}
    assert done.returncode == 0 and answered >= set(range(1, asked + 1)), (done.returncode, set(range(1, asked + 1)) - answered, done.stderr)
    assert b"hunter2" not in done.stdout + done.stderr
    for frame in (b"Content-Length: 99999999999999999999\r\n\r\n{}", b"Content-Length: -1\r\n\r\n{}", b"\r\n\r\n", b"Content-Length: 5\n\n{}",
                  b"X" * 200000, b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"):
        done = subprocess.run([OPSIG, "lsp"], cwd=root, input=frame, capture_output=True, timeout=60)
        assert done.returncode in (0, 1, 2), (frame[:40], done)


def watch():
    """Files that change without end do not keep a run away; pipes, loops and odd names in the folder do not end the watcher."""
    root = project({"p.cpp": "|", "loop": ">.", "d/p.h": "|", "x\n::error ::y\u202e.cpp": SOURCE.replace("lib,", "w,")})
    said = open(root.parent / "watched", "w+", encoding="utf-8")
    watcher = subprocess.Popen([OPSIG, "check", "--no-cache", "--watch", ".", *FLAGS], cwd=root, stdout=said, stderr=said, stdin=subprocess.DEVNULL)

    def runs():
        return Path(said.name).read_text().count("for changes; press Ctrl+C")

    def until(true):
        began = time.monotonic()
        while not true():
            assert time.monotonic() - began < 100 and watcher.poll() is None, Path(said.name).read_text()
            yield
    for _ in until(lambda: runs() == 1):
        time.sleep(0.05)
    for number, _ in enumerate(until(lambda: runs() > 1)):
        (root / "x\n::error ::y\u202e.cpp").write_text(SOURCE.replace("lib,", f"w{number},"))
        time.sleep(0.02)
    watcher.terminate()
    watcher.wait(timeout=60)
    text = Path(said.name).read_text()
    assert not UNSAFE.search(text) and not re.search(r"^::", text, re.MULTILINE), text


{"caches": caches, "facts": facts, "formats": formats, "large": large, "links": links, "server": server, "watch": watch}[sys.argv[1]]()
