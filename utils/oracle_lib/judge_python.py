# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `opsig gen python` with gen_autograd_python and its neighbours, byte by byte.

A source tree has these generators in tools/autograd, a wheel of a newer release in
torchgen/packaged/autograd. Debian packages only their source: --autograd-dir or the environment
variable OPSIG_AUTOGRAD_DIR names a folder with it (utils/fetch-autograd makes one).

Compared are the exit status, the names of all files and the bytes of each, but for
python_functions_N.cpp and python_functionsEverything.cpp: those bind autograd's nodes, which come
from derivatives.yaml, and opsig does not write them. Before 2.1 the order of the tags in
python_enum_tag.cpp depends on Python's hash seed, so there the lines of both sides are sorted.

Inputs under test/Oracle/python-bad/ are wrong in one way each, which their names tell: added to the
release's own files (deprecated-*.yaml to deprecated.yaml, others to native_functions.yaml), both
generators must refuse them, and opsig must write nothing. A comment `# releases: <2.13` says for
which releases that is so.
"""
import os
import re
import subprocess
from pathlib import Path

from judge_backend import BackendYaml, files_below, text_difference
from torchroot import UnusableRoot, run_torchgen

HERE = Path(__file__).resolve().parent
NOT_WRITTEN = re.compile(r"python_functions(_\d+|Everything)\.cpp")
VIEW_META = "ViewMetaClassesPythonBinding.cpp"


class AutogradFolder:
    """The generators of a root.

    path     the folder with deprecated.yaml and templates/
    package  how Python finds it
    front    folders that stand before the root on Python's path
    """

    def __init__(self, root, scratch, given):
        packaged = root.path / "torchgen" / "packaged" / "autograd"
        self.front = []
        if (packaged / "gen_python_functions.py").is_file():
            self.path, self.package = packaged.resolve(), "torchgen.packaged.autograd"
            return
        source = root.path / "tools" / "autograd"
        if not source.is_dir():
            source = Path(given or os.environ.get("OPSIG_AUTOGRAD_DIR") or "/nonexistent")
        if not (source / "gen_python_functions.py").is_file():
            raise UnusableRoot(
                f"{root.path}: no tools/autograd; name one with --autograd-dir or "
                "OPSIG_AUTOGRAD_DIR (utils/fetch-autograd downloads that of Debian's release)"
            )
        # A tree with no more than both packages: paths in comments are relative to torchgen's.
        tree = Path(scratch).resolve() / "python-tree"
        (tree / "tools").mkdir(parents=True)
        (tree / "tools" / "autograd").symlink_to(source.resolve())
        (tree / "torchgen").symlink_to((root.path / "torchgen").resolve())
        self.path, self.package, self.front = tree / "tools" / "autograd", "tools.autograd", [tree]


def schemas(root):
    return [str(root.native_yaml.resolve()), str(root.tags_yaml.resolve())]


def run_reference(root, autograd, scratch, folder, native, tags):
    folder.mkdir(parents=True)
    templates = root.aten / "templates"
    views = [templates.resolve()] if (templates / VIEW_META).is_file() else []
    arguments = [autograd.package, native, tags, folder, autograd.path, *views]
    env = root.environment(scratch, front=autograd.front)
    run_torchgen([HERE / "reference_python.py", *arguments], env=env)


def why_refused(root, autograd, scratch, folder, native, tags, autograd_dir):
    """The last line that torchgen prints where it refuses, else None."""
    folder.mkdir(parents=True)
    arguments = ["--operators", autograd.package, native, tags, folder, autograd_dir]
    env = root.environment(scratch, front=autograd.front)
    try:
        run_torchgen([HERE / "reference_python.py", *arguments], env=env)
    except UnusableRoot as error:
        return (str(error).strip().splitlines() or ["?"])[-1][:200]
    return None


def run_opsig(opsig, root, folder, native, tags, autograd_dir):
    release = ".".join(map(str, root.release))
    command = [str(opsig), "gen", "python", "--torch", release]
    command += [native, tags, str(folder), str(autograd_dir)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def with_lines_sorted(data):
    return b"\n".join(sorted(line.rstrip(b";") for line in data.split(b"\n")))


def compare_files(tally, want, got, sorts_tags):
    left_out = sorted(file for file in want if NOT_WRITTEN.fullmatch(file))
    if left_out:
        print(f"  not written by opsig: {' '.join(left_out)}")
    wanted = {file: text for file, text in want.items() if file not in left_out}
    tally.same("set of files", "gen python", sorted(wanted), sorted(got))
    for file in sorted(set(wanted) & set(got)):
        texts = wanted[file], got[file]
        if sorts_tags and file == "python_enum_tag.cpp":
            texts = tuple(map(with_lines_sorted, texts))
        tally.compared["files"] = tally.compared.get("files", 0) + 1
        if texts[0] != texts[1]:
            tally.differ("files", f"{file}\n{text_difference(*texts)}")


def wrong_input(root, autograd, folder, yaml):
    """The arguments for one wrong input: NATIVE, TAGS and AUTOGRAD_DIR."""
    native, tags = schemas(root)
    if not yaml.stem.startswith("deprecated-"):
        copy = folder / "native_functions.yaml"
        copy.write_text(root.native_yaml.read_text() + yaml.read_text())
        return str(copy), tags, autograd.path
    copy = folder / "autograd"
    copy.mkdir()
    (copy / "templates").symlink_to(autograd.path / "templates")
    deprecated = (autograd.path / "deprecated.yaml").read_text() + yaml.read_text()
    (copy / "deprecated.yaml").write_text(deprecated)
    return native, tags, copy


def compare_refused(tally, opsig, root, autograd, scratch, yaml):
    folder = scratch / "python-bad" / yaml.stem
    folder.mkdir(parents=True)
    arguments = wrong_input(root, autograd, folder, yaml)
    because = why_refused(root, autograd, scratch, folder / "torchgen", *arguments)
    tally.same("refused by torchgen", yaml.name, True, because is not None)
    done = run_opsig(opsig, root, folder / "opsig", *arguments)
    where = f"{yaml.name} (torchgen: {because})"
    tally.same("refused: exit status", where, 2, done.returncode)
    tally.same("refused: named", where, True, f"[opsig-{yaml.stem}]" in done.stderr)
    tally.same("refused: nothing written", where, False, (folder / "opsig").exists())


def judge_python(tally, opsig, root, scratch, given, bad_yamls):
    autograd = AutogradFolder(root, scratch, given)
    folders = {who: scratch / "python" / who for who in ("torchgen", "opsig")}
    run_reference(root, autograd, scratch, folders["torchgen"], *schemas(root))
    done = run_opsig(opsig, root, folders["opsig"], *schemas(root), autograd.path)
    tally.same("exit status", done.stderr.strip()[:600], 0, done.returncode)
    sorts_tags = root.release < (2, 1)
    if sorts_tags:
        print("  python_enum_tag.cpp: lines are sorted on both sides (torchgen's order is random)")
    want, got = (files_below(folders[who]) for who in ("torchgen", "opsig"))
    compare_files(tally, want, got, sorts_tags)
    for yaml in bad_yamls:
        if BackendYaml(yaml, None).is_for(root.release):
            compare_refused(tally, opsig, root, autograd, scratch, yaml)
