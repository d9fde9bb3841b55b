# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# aten_signals.py OPSIG NUMBER: sends each signal NUMBER times.
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

OPSIG, NUMBER = sys.argv[1], int(sys.argv[2])
OUT = Path("out")


def start(source):
    command = [OPSIG, "gen", "aten", "--torch", os.environ["OPSIG_TORCH_VERSION"], "-s", source, "-d", OUT]
    command += ["-o", OUT / "lists.cmake", "--per-operator-headers"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def finish(source):
    begin = time.monotonic()
    process = start(source)
    _, told = process.communicate()
    check(process.returncode == 0, told)
    return files(), time.monotonic() - begin


def files():
    return {str(p.relative_to(OUT)): p.read_bytes() for p in OUT.rglob("*") if p.is_file()}


def check(condition, what):
    if not condition:
        sys.exit(f"not as it should be: {what}")


def end(name, moment, source):
    """Ends a run from the other source's files; returns what came of it."""
    old, new = (trees[other] for other in (OTHER[source], source))
    process = start(source)
    time.sleep(moment)
    process.send_signal(getattr(signal, name))
    _, told = process.communicate()
    found = files()
    where = f"{name} after {moment:.3f} s, status {process.returncode}, {told}"
    temporary = [file for file in found if file not in old]
    odd = [file for file in old if found.get(file) not in (old[file], new[file])]
    check(not odd, f"{where}: neither old nor new: {odd[:5]}")
    news = sum(found[file] != old[file] for file in old)
    if name != "SIGKILL":
        check(not temporary, f"{where}: temporary files stay: {temporary[:5]}")
        # While files are put in place, a signal waits.
        states = [new] if process.returncode == 0 else [old, new]
        check(found in states, f"{where}: {news} files are new")
    again, _ = finish(source)
    odd = [file for file in again if again[file] != new.get(file)]
    check(again == new, f"{where}: not completed: {odd[:5]}")
    return f"{news} new"


OTHER = {"aten": "aten-old", "aten-old": "aten"}
for template in Path("aten-old/templates").iterdir():
    template.chmod(0o644)
    template.write_text(template.read_text() + "// old\n")
trees = {}
trees["aten"], _ = finish("aten")
trees["aten-old"], seconds = finish("aten-old")
check(trees["aten"].keys() == trees["aten-old"].keys(), "not the same names")
change = sum(trees["aten"][file] != text for file, text in trees["aten-old"].items())
print(f"all: {len(trees['aten'])} files, {change} change, {seconds:.2f} s")
lot = random.Random(6633)
source = "aten-old"
for name in ("SIGINT", "SIGTERM", "SIGKILL"):
    came = []
    for turn in range(NUMBER):
        source = OTHER[source]
        # Files are put in place towards the end.
        earliest = 0.7 if turn % 2 else 0.02
        came.append(end(name, lot.uniform(earliest, 1.0) * seconds, source))
    print(f"{name}: {NUMBER} times: {', '.join(came)}", flush=True)
print("all as it should be")
