# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# aten_settings.py OPSIG: runs in each setting and compares all files, the lists of -o among them.
import os
import shutil
import subprocess
import sys
from pathlib import Path

OPSIG = sys.argv[1]
HERE = Path.cwd()
PER_OPERATOR = ["--per-operator-headers"]


def generate(more=(), env=None, cwd=".", source="aten", out="out", remove=()):
    """Returns the files below `out`, paths of the lists with the folder's spelling taken out."""
    folder = Path(cwd, out)
    shutil.rmtree(folder, ignore_errors=True)
    environment = {**os.environ, **(env or {})}
    for name in remove:
        environment.pop(name, None)
    command = [OPSIG, "gen", "aten", "--torch", os.environ["OPSIG_TORCH_VERSION"], "--source-path", source]
    command += ["--install_dir", out, "-o", f"{out}/lists.cmake", *more]
    subprocess.run(command, check=True, cwd=cwd, env=environment, stdin=subprocess.DEVNULL)
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    for name in files:
        if name.endswith("lists.cmake"):
            files[name] = files[name].replace(f'"{out}/'.encode(), b'"out/')
    return files


def compare(name, want, **settings):
    got = generate(**settings)
    odd = sorted(f for f in want.keys() | got.keys() if want.get(f) != got.get(f))
    told = f"not the same: {len(odd)}: {' '.join(odd[:5])}" if odd else "the same"
    print(f"{name}: {told}", flush=True)


def threads():
    want = generate(PER_OPERATOR)
    print(f"usual: {len(want)} files", flush=True)
    for number in ("1", "2", "5"):
        compare(f"-j {number}", want, more=[*PER_OPERATOR, "-j", number])
    compare("again", want, more=PER_OPERATOR)


def surroundings():
    want = generate()
    for locale in ("C", "POSIX", "C.UTF-8", "tr_TR.UTF-8", "no_SUCH.locale"):
        compare(f"LC_ALL={locale}", want, env={"LC_ALL": locale, "LANG": locale})
    compare("TZ", want, env={"TZ": "Asia/Kathmandu"})
    compare("PYTHONHASHSEED", want, env={"PYTHONHASHSEED": "77", "TMPDIR": "/nonexistent"})
    compare("no HOME, no PATH", want, remove=["HOME", "PATH", "USER", "PWD"])


def folders():
    want = generate()
    compare("absolute paths", want, source=str(HERE / "aten"), out=str(HERE / "out"))
    compare("from elsewhere", want, source=str(HERE / "aten"), out=str(HERE / "out"), cwd="/")
    (HERE / "some" / "where").mkdir(parents=True)
    compare("upwards", want, source="../../aten", out="../../out", cwd="some/where")
    compare("through a link", want, source="./linked/../linked/")
    compare("over other files", want, out="some/where/else")


def proof():
    """That a difference is seen."""
    yaml = HERE / "aten" / "native" / "native_functions.yaml"
    yaml.chmod(0o644)
    want = generate()
    std = "- func: std(Tensor self, bool unbiased={})"
    yaml.write_text(yaml.read_text().replace(std.format("True"), std.format("False")))
    compare("an argument changed", want)


threads()
surroundings()
folders()
proof()
