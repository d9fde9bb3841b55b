# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import shutil, subprocess, sys, time
from pathlib import Path

FLAGS = ["--", *sys.argv[1:]]
HERE = Path.cwd()
PROJECT = HERE / "project"
(PROJECT / ".git").mkdir(parents=True)
FILES = [PROJECT / f"{name}.cpp" for name in "abcd"]
for file in FILES:
    file.write_text((HERE / "kernel.cpp").read_text().replace("lib,", f"lib_{file.stem},"))


def start(*words, folder="work"):
    (HERE / folder).mkdir(exist_ok=True)
    return subprocess.Popen(["opsig", *map(str, words)], cwd=HERE / folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def gone(*words):
    # The shell waits until its folder is removed.
    (HERE / "work").mkdir(exist_ok=True)
    run = subprocess.Popen(["sh", "-c", 'read go; exec opsig "$@"', "sh", *map(str, words)], cwd=HERE / "work", text=True,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    (HERE / "work").rmdir()
    out, said = run.communicate("go\n", timeout=100)
    return run.returncode, out, said


for words in ([], ["--no-shared-pch"], ["-j2", "--cache", HERE / "cache"], ["-j2", "--cache", HERE / "cache"]):
    status, out, said = gone("check", *(words if "--cache" in words else [*words, "--no-cache"]), *FILES, *FLAGS)
    assert status == 1 and out.count("error: parameter 'b' of 'k' is 'int'") == 4, (words, status, out, said)

for words in (["check", "."], ["check", "a.cpp"], ["check"], ["check", "--since", "HEAD"], ["config"], ["coverage", "."], ["sync", "."],
              ["stabilize", "."], ["upgrade", "."], ["diff", "a.yaml", "b.yaml"], ["gen", "a.yaml"], ["explain", "opsig-run"],
              ["lsp"]):
    status, out, said = gone(*words, *(FLAGS if words[0] == "check" else []))
    assert 0 <= status <= 127, (words, status, out, said)
    if words[0] == "check":
        assert status == 2 and "error: " in said, (words, status, out, said)

# In the middle of a run, at whatever point.
for delay in (0.02, 0.1):
    shutil.copytree(PROJECT, HERE / "moving")
    run = start("check", "--no-cache", "-j2", ".", *FLAGS, folder="moving")
    time.sleep(delay)
    shutil.rmtree(HERE / "moving")
    out, said = run.communicate(timeout=100)
    assert run.returncode in (0, 1, 2), (delay, run.returncode, out, said)
