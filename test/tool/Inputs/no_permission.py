# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, shutil, subprocess, sys, tempfile
from pathlib import Path

opsig = shutil.which("opsig")
flags = ["--", "-std=c++20", "-nostdinc++", "-isystem", sys.argv[1]]
user = {}
if os.geteuid() == 0:
    user = {"user": 65534, "group": 65534, "extra_groups": []}
# Folders above the test, and those of lit, are not open to everybody.
folder = Path(tempfile.mkdtemp(dir="/tmp"))
project = folder / "project"
(project / ".git").mkdir(parents=True)
(project / "shut").mkdir()
for name in ("ok.cpp", "shut.cpp", "shut/in.cpp", "shut.py"):
    (project / name).write_text(Path("ok.cpp").read_text())
    (project / name).chmod(0o644)
(project / "shut.yaml").write_text("backend: X\n")
environment = {**os.environ, "HOME": "/nonexistent", "XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}
for name, header in (("header.cpp", "shut.h"), ("folder.cpp", "shut/in.h"), ("nowhere.cpp", "nowhere.h")):
    (project / name).write_text(f'#include "{header}"\n' + Path("ok.cpp").read_text().replace("lib,", f"of_{name[:-4]},"))
    (project / name).chmod(0o644)
(project / "shut.h").write_text("#pragma once\n")
(project / "shut/in.h").write_text("#pragma once\n")
for shut in ("shut", "shut.cpp", "shut.py", "shut.yaml", "shut.h"):
    (project / shut).chmod(0)
for each in (folder, project):
    each.chmod(0o555)


def run(status, wanted, *words):
    done = subprocess.run([opsig, *words, *flags], cwd=project, env=environment, capture_output=True, text=True, **user)
    assert done.returncode == status and wanted in done.stdout + done.stderr, (words, wanted, done)
    return done.stdout + done.stderr


try:
    probe = subprocess.run([opsig, "--version"], capture_output=True, **user) if user else None
except PermissionError:
    probe = subprocess.CompletedProcess([], 1)
if probe and probe.returncode:
    print("this build's folder is not open to other users")
    sys.exit(0)
try:
    said = run(2, "cannot read 'shut.cpp': Permission denied", "check", ".")
    assert "cannot read the folder './shut': Permission denied" in said and "cannot read 'shut.py': Permission denied" in said, said
    assert "ok.cpp:2:42: error:" in said and "3 inputs could not be read" in said, said
    run(2, "cannot read 'shut/in.cpp': Permission denied", "check", "shut/in.cpp")
    said = run(2, "cannot read the folder 'shut': Permission denied", "check", "shut")
    assert "no C++ or Python file in" not in said, said
    run(2, "cannot read 'shut.yaml': Permission denied", "check", "--backend", "shut.yaml", "ok.cpp")
    run(2, "cannot write 'ok.cpp': Permission denied; no file was changed", "check", "--fix", "ok.cpp")
    run(2, "cannot write 'out.sarif': Permission denied", "check", "--format", "sarif", "--output", "out.sarif", "ok.cpp")
    run(2, "cannot write 'base': Permission denied", "check", "--write-baseline", "base", "ok.cpp")
    # What may not be looked at is not "not found".
    for name, header in (("header.cpp", "shut.h"), ("folder.cpp", "shut/in.h")):
        said = run(1, f"cannot open file './{header}': Permission denied)", "check", name)
        assert f"'{header}' was not found" not in said and "1 kernel compared; 1 error" in said, said
    run(1, "1 file was read in part ('nowhere.h' was not found)", "check", "nowhere.cpp")
    run(2, "cannot look into 'shut': Permission denied", "check", "--torch-root", "shut", "ok.cpp")
    run(2, "no folder 'nowhere'", "check", "--torch-root", "nowhere", "ok.cpp")
    # Not the less a result.
    run(1, "1 file, 1 operator, 1 kernel compared; 1 error", "check", "ok.cpp")
    assert not (folder / "cache").exists()
finally:
    for each in (folder, project, project / "shut"):
        each.chmod(0o755)
    shutil.rmtree(folder)
