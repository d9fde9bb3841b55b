"""More checkouts that attack whoever reads them: strangers.py KIND FLAG...; each one is checked with FLAGs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import struct
import sys
from pathlib import Path

from checkouts import EVIL, FUNCTIONS, HOME, RAN, SETTINGS, SOURCE, project, run

PYTHON = "import torch\ntorch.library.define('b::g', '(Tensor x) -> Tensor')\n"
EVIL_PYTHON = f"open({str(RAN)!r}, 'w')\nprint({str(HOME)!r})\n"
FORMATS = ("text", "concise", "grouped", "json", "sarif", "html", "junit", "github", "gitlab", "checkstyle")


def look(files, *words, **more):
    return run(project(files), "check", "--no-cache", "--verbose", *(words or ["."]), **more)


# -- settings that other programs have, and opsig's


def settings():
    # What clangd takes for a compiler, a database, an index, a plugin.
    clangd = "CompileFlags:\n  Compiler: csrc/evil.sh\n  CompilationDatabase: /dev/zero\n  Add: [-fplugin=./evil.sh, -B., -x, cuda, --ptxas-path=./evil.sh]\n"
    said = look({".clangd": clangd + f"Index:\n  External:\n    File: {HOME}/list\n    MountPoint: {HOME}\n", "csrc/evil.sh": EVIL}, flags=[])
    assert "1 file" in said, said
    # The flags of a project, by each name that its settings can have.
    flags = ["--target=amdgcn-amd-amdhsa", "-mcpu=native", "--offload-arch-tool=csrc/evil.sh", "-fplugin=csrc/evil.sh", "-B.", "-wrapper,csrc/evil.sh",
             "--cuda-path=.", "-ccbin", "csrc/evil.sh", "-no-integrated-as", f"-include{HOME}/netrc", f"@{HOME}/netrc", f"--config={HOME}/netrc"]
    own = {"csrc/evil.sh": EVIL, "as": EVIL, "ld": EVIL, "bin/ptxas": EVIL, "bin/nvcc": EVIL, "amdgpu-arch": EVIL, "nvptx-arch": EVIL, "clang": EVIL}
    for place, text in ((".opsig.yaml", SETTINGS + f"flags: {json.dumps(flags)}\n"), ("pyproject.toml", f"[tool.opsig]\nflags = {json.dumps(flags)}\n"),
                        ("compile_flags.txt", "\n".join(flags))):
        files = {**own, place: text}
        look({**files, ".opsig.yaml": ""} if place == "pyproject.toml" else files, flags=[])
    # Aliases that hold themselves, many of them, and tags that make objects of other programs.
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    tagged = f'!!python/object/apply:os.system ["touch {RAN}"]'
    for text in ("exclude: &a [*a]\n", bomb + "exclude: *a11\n", f"exclude: {tagged}\n", "<<: &m {<<: *m}\n", f"flags: !include {HOME}/netrc\n", f"torch: {tagged}\n",
                 "? " * 20000, "{" * 20000, '"' + "\\x1b" * 1000 + '": 1\n', "exclude: [" + "a," * 10**6 + "]\n"):
        look({".opsig.yaml": SETTINGS + text})
        look({"native.yaml": FUNCTIONS + "- " + text.replace("\n", "\n  ")})
        look({".opsig.yaml": SETTINGS + "baseline: b.json\n", "b.json": text})
    for text in ("[" * 10**5, '{"version": 1, "findings": ' + "[" * 10**5, "{}", "null", '{"findings": {"a": 1e999}}', '"\\ud800"', "[" + "0," * 10**6 + "0]"):
        look({".opsig.yaml": SETTINGS + "baseline: b.json\n", "b.json": text})
    # How texts are formatted, of which --fix asks.
    for place in (".clang-format", "_clang-format", ".editorconfig"):
        for text in ("BasedOnStyle: file:/dev/zero\n", f"BasedOnStyle: file:{HOME}/netrc\n", "BasedOnStyle: InheritParentConfig\n", f"IncludeCategories: {tagged}\n",
                     "IncludeCategories:\n- Regex: '(a|aa)+(a|aa)+(a|aa)+(a|aa)+$'\n  Priority: 1\n", f">{HOME}/netrc", "|", ">/dev/zero"):
            look({place: text, ".clang-format-ignore": "**" * 10000}, ".", "--fix", "--dry-run")


# -- compile commands


def commands():
    odd = [7, None, [], {}, "", "\0", "\x1b[31m", "\n::error::x", "a" * 10**6, "-", "@a", "../" * 1000]
    entries = [{"directory": ".", "file": "a.cpp", "arguments": [word]} for word in odd]
    entries += [{"directory": word, "file": "a.cpp", "arguments": ["c++", "a.cpp"]} for word in odd]
    entries += [{"directory": ".", "file": word, "arguments": ["c++", "a.cpp"], "output": f"{HOME}/netrc"} for word in odd]
    entries += [{"directory": ".", "file": "a.cpp", "command": word} for word in odd]
    for entry in entries:
        look({"a.cpp": "int i;\n", "compile_commands.json": json.dumps([entry])}, flags=[])
    for place in ("/dev/zero", "/dev/fd/0", "/proc/self/fd", "pipe", "a.cpp", "loop", f"{HOME}", "/proc/self/root"):
        entry = {"directory": place, "file": "a.cpp", "arguments": ["c++", "-I.", "-include", "netrc", "a.cpp"]}
        look({"a.cpp": "int i;\n", "compile_commands.json": json.dumps([entry]), "pipe": "|", "loop": ">loop"}, flags=[])
    # Compilers of the checkout, and words in front of them.
    evil = {name: EVIL for name in ("evil.sh", "g++", "clang++", "nvcc", "hipcc", "icpx", "mcc", "ccache", "bin/clang++", "bin/nvcc")}
    for words in (["./evil.sh"], ["ccache", "./g++"], ["./ccache", "g++"], ["nvcc", "-ccbin", "./evil.sh"], ["./bin/nvcc", "-x", "cu"], ["./hipcc"], ["./icpx", "-fsycl"],
                  ["./mcc"], ["sh", "-c", "./evil.sh"], ["env", "-S", "./evil.sh"], ["python3", "evil.sh"], ["clang++", "--driver-mode=cl"], ["../p/evil.sh", "--cc1"],
                  ["clang++", "-cc1", "-load", "./evil.sh"], ["clang++", "-###"], ["g++", "-wrapper", "./evil.sh"], ["g++", "-specs=evil.sh"]):
        entry = {"directory": ".", "file": "a.cpp", "arguments": [*words, "-c", "a.cpp"]}
        look({"a.cpp": "int i;\n", **evil, "compile_commands.json": json.dumps([entry])}, flags=[], PATH="/usr/bin:/bin:.", NVCC_PREPEND_FLAGS="-ccbin ./evil.sh")
    many = [{"directory": ".", "file": "a.cpp", "arguments": ["c++", f"-DN={number}", "a.cpp"]} for number in range(50000)]
    look({"a.cpp": "int i;\n", "compile_commands.json": json.dumps(many)}, flags=[])
    look({"a.cpp": "int i;\n", "compile_commands.json": "[" * 10**6}, flags=[])
    look({"a.cpp": "int i;\n", "compile_commands.json": '[{"a":' * 10**5}, flags=[])


# -- what sources include, and what they say of themselves


def sources():
    netrc = HOME / "netrc"
    wrong = SOURCE.replace("#include <torch/library.h>\n", "")
    heads = [f'#line 1 "{netrc}"\n', f'# 1 "{netrc}" 1 3 4\n', f'#include "{netrc}"\n', "#include_next <netrc>\n", "#include <netrc>\n", f'#import "{netrc}"\n',
             f'#define P "{netrc}"\n#include P\n', f'__asm__(".incbin \\"{netrc}\\"");\n', f'#pragma GCC dependency "{netrc}"\n', f'#pragma include_alias("a.h", "{netrc}")\n',
             f'#if __has_include("{netrc}") && __has_embed("{netrc}")\n#warning there\n#endif\n', f'#pragma clang __debug dump x\n', "#pragma clang __debug crash\n",
             "#pragma clang __debug parser_crash\n", "#pragma clang __debug overflow_stack\n", "#pragma clang __debug llvm_fatal_error\n",
             "#pragma clang __debug llvm_unreachable\n", f'#pragma clang module load "{HOME}"\n', "#pragma clang module build x\nmodule x {}\n#pragma clang module contents\n",
             f'extern "C" int f() __attribute__((annotate("{netrc}")));\n', f'const char s[] = {{\n#embed "{netrc}"\n}};\n', f'#error \x1b[31m {netrc}\n', "#error \u202e\n",
             '__attribute__((deprecated("\x1b[31m\n"))) int d;\n', f'_Pragma("clang diagnostic error \\"{netrc}\\"")\n']
    for head in heads:
        source = "#include <torch/library.h>\n" + head + wrong
        for words in (["."], [".", "--fix", "--dry-run"], [".", "--format", "html"])[: 3 if str(netrc) in head and "\x1b" not in head else 1]:
            look({"a.cpp": source, ".opsig.yaml": SETTINGS + f"flags: [-I{HOME}, -isystem{HOME}, -F{HOME}]\n"}, *words)
    # Files of the system, by a flag or a name, where this process has what nobody else may know.
    for name in ("/proc/self/environ", "/proc/self/cmdline", "/proc/thread-self/environ", "/proc/self/fd/0", "/proc/self/maps", "/proc/1/environ"):
        for word in ("-include", "-imacros", "-isystem", "-iquote", "-ivfsoverlay", "-fmodule-map-file=", "-fsanitize-ignorelist="):
            words = json.dumps([word + name] if word.endswith("=") else [word, name])
            look({".opsig.yaml": SETTINGS + f"flags: {words}\n"}, OWN_SECRET="hunter2")
    # Header maps, as a stranger writes them.
    for buckets, size in ((8, 8), (2**31, 8), (0, 0), (7, 7)):
        for strings in (b"\0", b"\0netrc\0" + str(HOME).encode() + b"/\0netrc\0", b"\xff" * 40):
            root = project({"a.cpp": '#include "netrc"\n' + SOURCE, ".opsig.yaml": SETTINGS + "flags: [-Ix.hmap, -I, x.hmap, -F, x.hmap]\n"})
            head = struct.pack("<IHHIIII", 0x686D6170, 1, 0, 24 + 12 * min(size, 8), 1, buckets, 2**31)
            (root / "x.hmap").write_bytes(head + struct.pack("<III", 1, 7, 7 + len(str(HOME)) + 2) * min(size, 8) + strings)
            run(root, "check", "--no-cache", ".")
    maps = [f'module x {{ umbrella "/" export * link "evil" }}\n', f'extern module y "{netrc}"\n', "module x { module * { " * 10**4, f'module z {{ header "{netrc}" }}\n', ">/dev/zero", "|"]
    for text in maps:
        look({"inc/module.modulemap": text, "inc/x.h": "\n", "a.cpp": '#include "x.h"\n' + SOURCE, ".opsig.yaml": SETTINGS + "flags: [-Iinc, -fmodules, -fcxx-modules]\n"})
    # What an allow comment says is no command to a terminal, and allows nothing else.
    for comment in ("// opsig: allow \x1b[31m", "// opsig: allow opsig-\x1b]0;x\x07", "// opsig: allow *\u202e", "// NOLINT(\x1b[31m)", "// NOLINTNEXTLINE" * 10000,
                    "// opsig: allow " + "a," * 10**5, "/* opsig: allow" * 10**4):
        for form in FORMATS if "\x1b[31m" in comment else ["text"]:
            look({"a.cpp": SOURCE.replace("int b)", f"int b) {comment}\n")}, ".", "--format", form)
    for text in ("\ufeff" + SOURCE, SOURCE.replace("\n", "\r"), SOURCE.replace(" ", "\0"), SOURCE.encode("utf-16").decode("latin-1"), SOURCE * 1 + "\x1a" * 1000):
        look({"a.cpp": text})


# -- Python, notebooks and build files


def python():
    shadows = {name: EVIL_PYTHON for name in ("sitecustomize.py", "usercustomize.py", "ast.py", "json.py", "signal.py", "gc.py", "sys.py", "torch/__init__.py",
                                              "encodings/__init__.py", "sitecustomize/__init__.py", "conftest.py", "python_text.py", "torch_library.py")}
    shadows |= {"x.pth": f"import os; os.system('touch {RAN}')\n", "pyvenv.cfg": f"home = {HOME}\n", "python3": EVIL, "python3._pth": ".\n", "pythonstartup.py": EVIL_PYTHON,
                "python3.11": EVIL, "git": EVIL, "clang-format": EVIL, "env": EVIL, "sh": EVIL}
    root = project({**shadows, "b.py": PYTHON, "sub/b.py": f"# -*- coding: {HOME} -*-\n" + PYTHON})
    assert "compared" in run(root, "check", "--no-cache", ".", PYTHONPATH=str(root), PYTHONSTARTUP=f"{root}/pythonstartup.py", PYTHONINSPECT="1", PYTHONHOME=str(root),
                             PYTHONUSERBASE=str(root), PATH=f".:{root}:/usr/bin:/bin")
    texts = [PYTHON + "x = " + "(" * 10**5, PYTHON + "x = " + "-" * 10**5 + "1\n", PYTHON + "if 1:\n" + "".join(" " * n + "if 1:\n" for n in range(1, 200)),
             PYTHON + "x = " + "a." * 10**5 + "b\n", PYTHON + "x = " + " + ".join(["1"] * 10**5) + "\n", PYTHON + "x = f'" + "{" * 5000, PYTHON + "x = 9**9**9**9\n",
             PYTHON + "x = 'a' * 10**10\n", PYTHON + "lambda: " * 50000 + "1\n", PYTHON + "# -*- coding: utf-7 -*-\n", PYTHON + "x = '\x1b[31m'\n", PYTHON.replace("(Tensor x)", "(Tensor \x1b[31m)"),
             PYTHON.replace("b::g", "b::" + "g" * 10**6), PYTHON * 5000, "from b import *\n" + PYTHON, PYTHON + "match x:\n  case " + "[" * 5000]
    for text in texts:
        look({"b.py": text})
    # Modules that import each other in a circle, a hundred of them.
    circle = {f"m{n}.py": f"from m{(n + 1) % 100} import define as define{n}, f{(n + 1) % 100}\n" + PYTHON + f"def f{n}(): return f{(n + 1) % 100}\n" for n in range(100)}
    look(circle)
    for name, text in (("setup.py", "from setuptools import setup\nsetup(ext_modules=" + "[" * 10**5), ("setup.py", "sources = [" + "'a.cpp'," * 10**5 + "]\n"),
                       ("setup.py", EVIL_PYTHON + f"CppExtension('x', ['a.cpp'], include_dirs=['{HOME}', '$(touch {RAN})'], extra_compile_args=['-fplugin=./evil.sh', '@{HOME}/netrc'])\n"),
                       ("setup.cfg", "[" * 10**5), ("CMakeLists.txt", "include_directories(" * 10**4), ("CMakeLists.txt", f"include_directories({HOME})\nexecute_process(COMMAND touch {RAN})\n"),
                       ("CMakePresets.json", json.dumps({"configurePresets": [{"binaryDir": "/dev/zero"}, {"binaryDir": str(HOME)}]})), ("BUILD.bazel", "(" * 10**5),
                       ("pyproject.toml", "[build-system]\nrequires = [" + "[" * 10**5), ("x.egg-link", f"{HOME}\n"), ("meson.build", "[" * 10**5)):
        look({name: text, "evil.sh": EVIL})
    # A notebook of 100 MB, and of nothing but brackets.
    root = project({"n.ipynb": '{"cells": [{"source": ["import torch.library"]}]}'})
    with open(root / "n.ipynb", "ab") as file:
        file.truncate(100 << 20)
    run(root, "check", "--no-cache", ".")
    look({"n.ipynb": '{"cells": ' + "[" * 10**6 + '"torch.library"'})


# -- folders


def folders():
    stars = "\n".join(["**/a*" * 30 + "b", "!" + "**/" * 200 + "*", "[a-z" * 100, "\\", "*" * 10000, "a/**/b/**/c/**/d"] * 50) + "\n"
    deep = "/".join(["a" * 100] * 20)
    look({".gitignore": stars, f"{deep}/.gitignore": stars, f"{deep}/k.cpp": SOURCE.replace("lib,", "deep,")})
    look({".gitignore": "".join(f"/x{n}\n" for n in range(10**5)), **{f"d{n}/k.cpp": "int i;\n" for n in range(50)}})
    look({".ignore": stars, ".git/info/exclude": stars, ".opsigignore": stars})
    links = {"l/up": ">..", "l/here": ">.", "l/a": ">b", "l/b": ">a", "l/home": f">{HOME}", "l/root": ">/", "l/proc": ">/proc", "l/dev": ">/dev", "l/cwd": ">/proc/self/cwd"}
    links |= {f"chain/{n}": f">{n + 1}" for n in range(60)} | {"chain/k.cpp": ">0", "l/a.cpp": ">a.cpp", "l/pipe.cpp": "|", "l/b.py": "|", "l/zero.cpp": ">/dev/zero", "l/z.py": ">/dev/zero"}
    look(links)
    for name in ("a.cpp", "native.yaml", "tags.yaml", ".opsig.yaml", "b.py", ".clang-format", "compile_commands.json", ".gitignore"):
        look({name: "", f"{name}/x": "text\n"}, flags=[])
    names = ["\x1b[31mk", "k\n::error::x", "\u202ek", "\x9b31mk", "-Wall", "@k", "k'\"`$(touch ran)", "<b>k", "]]>k", "k\\", "%s%n", "k:1:1: error: x", " ", "k\u200b", "k\u2028"]
    files = {f"{name}.cpp": SOURCE.replace("lib,", f"lib{number},") for number, name in enumerate(names)}
    files |= {f"{name}.py": PYTHON.replace("b::g", f"b{number}::g: Tensor") for number, name in enumerate(names)}
    for form in FORMATS:
        look(files, ".", "--format", form)
        look({f"d{name}/k.cpp": text for name, text in files.items()}, ".", "--format", form)
    for variables in ({"LC_ALL": "C"}, {"LANG": "../../../home/netrc"}, {"LC_ALL": "tr_TR.UTF-8"}, {"TERM": "\x1b[31m"}, {"COLUMNS": "-1"}, {"COLUMNS": "9" * 400}, {"NO_COLOR": ""},
                      {"TMPDIR": "/dev/null"}, {"HOME": ""}, {"PATH": ""}, {"XDG_CACHE_HOME": "relative"}, {"OPSIG_RESTARTED": '{"restarts": -1}'}, {"OPSIG_RESTARTED": "[" * 10**5}):
        look({"b.py": PYTHON}, **variables)


{"settings": settings, "commands": commands, "sources": sources, "python": python, "folders": folders}[sys.argv[1]]()
