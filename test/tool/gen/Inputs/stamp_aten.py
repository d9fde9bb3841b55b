# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# stamp_aten.py OPSIG: changes one file after the other; behind each its run, and whether the outputs are those of the first.
import os
import shutil
import subprocess
import sys
from pathlib import Path

OUT = Path("out")
OPTIONS = ["--per-operator-headers", "-o", "lists.cmake", "--op-selection-yaml-path", "selection.yaml"]


def run():
    command = [sys.argv[1], "gen", "aten", "--torch", os.environ["OPSIG_TORCH_VERSION"], "-s", "aten", "-d", OUT]
    command += ["--aoti_install_dir", "out", "--update-aoti-c-shim", "--verbose", "--stamp", "st"]
    done = subprocess.run([*command, *OPTIONS], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return "spared" if "everything still matches 'st'; nothing was generated" in done.stderr else "made"


def outputs():
    files = [path for path in OUT.rglob("*") if path.is_file()] + list(Path().glob("*lists.cmake"))
    return {path: path.read_bytes() for path in files}


def add_line(path):
    path.write_bytes(path.read_bytes() + b"\n")


print("no stamp:", run())
first = outputs()
print("nothing has changed:", run())
changes = {
    "header of an operator": lambda: add_line(OUT / "ops" / "twice.h"),
    "source": lambda: add_line(OUT / "RegisterSchema.cpp"),
    "list": lambda: add_line(Path("ops_lists.cmake")),
    "header that is gone": (OUT / "Functions.h").unlink,
    "folder that is gone": lambda: shutil.rmtree(OUT / "ops"),
}
for what, change in changes.items():
    change()
    print(f"{what}: {run()}, {'as before' if outputs() == first else 'different'}")

shutil.rmtree(OUT)
OPTIONS += ["--generate", "sources"]
run()
first = outputs()
shutil.rmtree(OUT / "ops")
print(f"empty folder that is gone: {run()}, {'as before' if (OUT / 'ops').is_dir() else 'different'}")
add_line(Path("aten/templates/Function.h"))
print(f"template: {run()}, {'as before' if outputs() == first else 'different'}")
Path("aten/templates/Another.h").write_text("\n")
print(f"new template: {run()}, {'as before' if outputs() == first else 'different'}")
for name in ("aten/native/native_functions.yaml", "aten/native/tags.yaml", "selection.yaml"):
    add_line(Path(name))
    print(f"{Path(name).stem.replace('native_functions', 'schemas')}: {run()}")
