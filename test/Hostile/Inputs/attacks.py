"""Checkouts that attack whoever reads them: attacks.py KIND FLAG...; each one is checked with FLAGs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from checkouts import EVIL, FUNCTIONS, HOME, CHANGED, SETTINGS, SOURCE, project, run


# -- environments


PACKAGES = ".venv/lib/python3.11/site-packages"
ATEN = "torchgen/packaged/ATen/native"


def venv(replaced):
    """The files of a virtual environment with a PyTorch, some of them replaced; its programs are the checkout's."""
    files = {f".venv/bin/{name}": EVIL for name in ("python3", "python", "python3.11", "git", "clang-format")}
    files |= {".venv/pyvenv.cfg": "home = /usr/bin\n", f"{PACKAGES}/torch/version.py": "__version__ = '2.6.0'\n"}
    files |= {f"{PACKAGES}/{ATEN}/native_functions.yaml": FUNCTIONS, f"{PACKAGES}/{ATEN}/tags.yaml": "- tag: core\n  desc: x\n"}
    return {**files, **{name if name.startswith(".venv") else f"{PACKAGES}/{name}": text for name, text in replaced.items()}}


def environments():
    def look(files):
        root = project(files, own={"a.cpp": SOURCE, "b.py": "import torch\ntorch.library.define('b::g', '(Tensor x) -> Tensor')\n"})
        return run(root, "check", "--no-cache", "--verbose", ".", PATH=f"{root}/.venv/bin:.venv/bin:/usr/bin:/bin")

    assert "1 kernel compared; 1 error" in look(venv({}))
    # What it has in place of schemas and versions, of torchgen's lists and of headers.
    places = [f"{ATEN}/native_functions.yaml", f"{ATEN}/tags.yaml", "torch/version.py", ".venv/pyvenv.cfg", "torchgen/model.py"]
    for place in places:
        for target in (f">{HOME}/netrc", f">{HOME}/list", f">{HOME}/version", "|", ">/dev/zero"):
            look(venv({place: target}))
    said = look(venv({f"{ATEN}/native_functions.yaml": f">{HOME}/list"}))
    assert "2 findings in this file" in said and "its text is not shown" in said, said
    # No PyTorch in it: a python3 is asked, but not that of the checkout.
    look(venv({f"{ATEN}/native_functions.yaml": ""}))
    look({".venv": f">{HOME}", ".venv2/pyvenv.cfg": "x"})
    look({".venv/pyvenv.cfg": "home=/\n", ".venv/lib": ">../.venv", ".venv/python3.11": ">.", ".venv/site-packages": ">."})
    # A tree of sources, headers with schemas beside them, tags beside schemas.
    tree = {"aten/src/ATen/native/native_functions.yaml": f">{HOME}/list", "aten/src/ATen/native/tags.yaml": f">{HOME}/list"}
    assert "its text is not shown" in look({**tree, "version.txt": "2.6.0\n"})
    headers = {"inc/ATen/ATen.h": "#pragma once\n", f"inc/{ATEN}/native_functions.yaml": f">{HOME}/list"}
    look({**headers, f"inc/{ATEN}/tags.yaml": f">{HOME}/netrc", ".opsig.yaml": "flags: [-Iinc]\n"})
    beside = {"n/native.yaml": FUNCTIONS, "n/tags.yaml": f">{HOME}/list", ".opsig.yaml": "torch: 2.6\nschemas: n/native.yaml\n"}
    assert "its text is not shown" in look(beside)


# -- odd files


def odd():
    names = [".opsig.yaml", "pyproject.toml", ".clangd", "compile_flags.txt", "compile_commands.json",
             "build/compile_commands.json", ".gitignore", ".clang-format", "a.h", "b.py", "c.cpp"]
    for name in names:
        for target in ("|", ">/dev/zero", ">" + Path(name).name):
            own = {"a.cpp": SOURCE, "native.yaml": FUNCTIONS, "tags.yaml": "- tag: core\n  desc: x\n"}
            root = project({name: target}, own=own)
            given = ["--torch", "2.6", "--schemas", "native.yaml", "--tags", "tags.yaml"]
            run(root, "check", "--no-cache", ".", *given, flags=[] if name.startswith("compile") and target == "|" else None)
    # Files of the system that have no size, no end, or a secret.
    for name in ("/proc/self/pagemap", "/proc/self/mem", "/proc/self/environ", "/proc/self/fd/0", "/dev/stdin", "/dev/tty"):
        settings = "torch: 2.6\nschemas: native.yaml\ntags: tags.yaml\n"
        root = project({"a.cpp": f'#include "{name}"\n#include "x.h"\n' + SOURCE, "x.h": f">{name}",
                        ".opsig.yaml": settings + f"backend: {name}\nbaseline: {name}\n"})
        run(root, "check", "--no-cache", "--verbose", "a.cpp", OWN_SECRET="hunter2")
    # What patterns of settings cost.
    stars, name = "/".join(["**", "a"] * 14), "a*" * 60 + "b"
    deep = "/".join("a" * 40) + "/k.cpp"
    for key in ("exclude", "suppress-paths", "variants"):
        root = project({deep: SOURCE.replace("lib,", "deep,"), "a" * 200 + ".cpp": "int i;\n",
                        ".opsig.yaml": SETTINGS + f'{key}: ["{stars}/b", "{name}", "**/{name}/**", "{"[a-z]*" * 40}b"]\n'})
        assert "2 kernels compared; 2 errors" in run(root, "check", "--no-cache", "."), key
    root = project({"pyproject.toml": "[tool.opsig]\nexclude = " + "[" * 100000, ".opsig.yaml": ""}, own={"a.cpp": SOURCE})
    run(root, "check", "--no-cache", ".")
    root = project({"pyproject.toml": "[tool.opsig]\n" + "a." * 100000 + "b = 1\n"}, own={"a.cpp": SOURCE})
    run(root, "check", "--no-cache", ".")


# -- repositories


def git(root, *words):
    identity = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True,
                   env={**os.environ, **identity, "GIT_CONFIG_GLOBAL": "/dev/null"})


def repository(files):
    root = project(files)
    shutil.rmtree(root / ".git")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    return root


def repositories():
    program = Path("evil.sh").resolve()
    program.write_text(EVIL)
    program.chmod(0o755)
    core = "".join(f"\t{key} = {program}\n" for key in
                   ("fsmonitor", "sshCommand", "pager", "editor", "hooksPath", "askPass", "gitProxy", "alternateRefsCommand"))
    filters = "".join(f"\t{key} = {program}\n" for key in ("clean", "smudge", "process"))
    all_programs = (f'[core]\n\trepositoryformatversion = 1\n{core}[diff]\n\texternal = {program}\n[filter "x"]\n{filters}'
                    f'\trequired = true\n[diff "x"]\n\ttextconv = {program}\n\tcommand = {program}\n[gpg]\n\tprogram = {program}\n'
                    f'[remote "o"]\n\turl = ext::{program}\n\tpromisor = true\n\tuploadpack = {program}\n'
                    f"[extensions]\n\tpartialClone = o\n[uploadpack]\n\tpackObjectsHook = {program}\n[log]\n\tshowSignature = true\n")
    endless = ["[include]\n\tpath = /dev/zero\n", "[core]\n\tattributesFile = /dev/zero\n", "[core]\n\texcludesFile = /dev/zero\n",
               "[core]\n\tworktree = /\n", "[core]\n\tbare = true\n", "[" + "x" * 10**6]
    for config in (all_programs, *endless):
        root = repository({".gitattributes": "* filter=x diff=x\n"})
        (root / "a.cpp").write_text(CHANGED)
        (root / ".git/config").write_text(config)
        said = run(root, "check", "--no-cache", ".", "--since=HEAD")
        assert config is not all_programs or "1 kernel compared; 1 error" in said, said
    # Pipes in it. Nobody waits for them for ever.
    for name in (".gitignore", ".git/packed-refs"):
        root = repository({})
        (root / "a.cpp").write_text(CHANGED)
        (root / name).unlink(missing_ok=True)
        os.mkfifo(root / name)
        run(root, "check", "--no-cache", ".", "--since=HEAD" if name == ".gitignore" else "--since=x")
    for text in ("gitdir: ../other\n", "gitdir: /dev/zero\n", "|", ">/dev/zero", f">{HOME}"):
        root = project({"sub/a.cpp": SOURCE})
        shutil.rmtree(root / ".git")
        if text == "|":
            os.mkfifo(root / ".git")
        elif text.startswith(">"):
            (root / ".git").symlink_to(text[1:])
        else:
            (root / ".git").write_text(text)
        run(root, "check", "--no-cache", ".", "--since=HEAD")
    names = ["a\x1b[31mb", "x\n::error::y", "\u202ecpp.evil", "\x9b31m", "a%0Ab", "`touch ran`", "$(touch ran)", "-p", "<script>"]
    files = {}
    for number, name in enumerate(names):
        files[f"{name}.cpp"] = SOURCE.replace("lib,", f"file{number},")
        files[f"d/{name}/k.cpp"] = SOURCE.replace("lib,", f"folder{number},")
    root = repository(files)
    for name, text in files.items():
        (root / name).write_text(text.replace("int b)", "int  b)"))
    for more in (["--since=HEAD"], ["--format", "github"], ["--fix", "--dry-run"]):
        run(root, "check", "--no-cache", ".", *more)


{"environments": environments, "odd": odd, "repositories": repositories}[sys.argv[1]]()
