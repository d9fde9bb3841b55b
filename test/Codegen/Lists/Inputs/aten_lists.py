# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# aten_lists.py OPSIG
import os
import shutil
import subprocess
import sys
from pathlib import Path

OPSIG = sys.argv[1]
TORCH = os.environ["OPSIG_TORCH_VERSION"]
SOURCE = Path("aten").resolve()
CASES = (
    "-d out -o lists.cmake --per-operator-headers",
    "--install_dir ./out/../out//gen -o lists",
    "-d HERE/out -o HERE/out/lists.tar.cmake",
    "-d out --output-dependencies some.lists --dry-run --per-operator-headers",
    "-o .lists --dry-run --generate headers",
    "-d out --dry-run",
    # Since Python 3.14 a dot at the end is a suffix, and torchgen names its lists otherwise.
    f"-d out -o lists{'.' if sys.version_info < (3, 14) else ''} --generate sources declarations_yaml",
)


def below(folder):
    return {str(p.relative_to(folder)): p.is_file() and p.read_bytes() for p in folder.rglob("*")}


def run(command, words):
    """In the folder "run", the same for both programs; returns all below it."""
    here = Path("run").resolve()
    shutil.rmtree(here, ignore_errors=True)
    (here / "out").mkdir(parents=True)
    words = [word.replace("HERE", str(here)) for word in words.split()]
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    # Newer generators tell on standard output which old headers they miss.
    subprocess.run(
        [*command, "-s", str(SOURCE), *words],
        cwd=here, env=env, check=True, stdout=subprocess.DEVNULL,
    )
    return below(here)


for words in CASES:
    want = run([sys.executable, "-P", "-m", "torchgen.gen"], words)
    got = run([OPSIG, "gen", "aten", "--torch", TORCH], words)
    odd = sorted(n for n in want.keys() | got.keys() if want.get(n, 0) != got.get(n, 0))
    files = sum(data is not False for data in got.values())
    print(f"{words}: {f'other: {odd}' if odd else f'the same {files} files'}", flush=True)
    if words == "-d out --dry-run":
        dry = f"{len(got) - files} folders and {files} files of a dry run"
print(dry)
