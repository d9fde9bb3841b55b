# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, subprocess
from pathlib import Path

SECRETS = {
    "netrc": "machine example.com login hunter2 password hunter2\n",
    "hunter2.yaml": "hunter2: hunter2\nusers:\n- hunter2\n",
    "key": "-----BEGIN hunter2-----\nhunter2\n\x1b[31mhunter2\n",
    "list.yaml": "- hunter2\n- func: hunter2(Tensor a) -> Tensor\n",
}
home = Path("home").resolve()
home.mkdir()
for name, text in SECRETS.items():
    (home / name).write_text(text)
os.environ["HOME"] = str(home)
settings = Path("settings.yaml").read_text()
count = 0


def attack(config, source="", links=(), more=()):
    global count
    count += 1
    project = Path(f"p{count}")
    (project / ".git").mkdir(parents=True)
    for name in ("native.yaml", "tags.yaml", "a.cpp"):
        (project / name).write_text(Path(name).read_text())
    if source:
        (project / "a.cpp").write_text(source)
    if config is not None:
        (project / ".opsig.yaml").write_text(config)
    for name, target in links:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).symlink_to(target)
    said = ""
    others = (["--format", "html"], ["--format", "sarif"], ["--format", "json"], ["--fix", "--dry-run"])
    for words in (["check", "a.cpp", "--verbose"], ["check", "a.cpp", *others[count % 4]]):
        done = subprocess.run(["opsig", *words, *more], cwd=project, capture_output=True, timeout=60)
        assert done.returncode in (0, 1, 2), done
        text = (done.stdout + done.stderr).decode()
        assert "hunter2" not in text.replace("hunter2.yaml", ""), (config, source, words, text)
        said += text
    return said


for number, name in enumerate(SECRETS):
    file = home / name
    for field in ("backend", "schemas", "tags"):
        base = "".join(line for line in settings.splitlines(True) if not line.startswith(field))
        attack(base + f"{field}: {file}\n")
    if number % 2:
        continue
    attack(settings + "backend: inner.yaml\n", links=[("inner.yaml", file)])
    attack(settings + "backend: sub/inner.yaml\n", links=[("sub", home), ])
    attack(None, links=[(".opsig.yaml", file)])
    attack(settings + f"baseline: {file}\n")
    attack(settings + "build: build\n", links=[("build/compile_commands.json", file)])
    attack(settings, source=f'#include "{file}"\n')
    attack(settings, source='#include "inner.h"\n', links=[("inner.h", file)])
said = attack(settings + f"backend: {home}/hunter2.yaml\n")
assert "outside the project" in said, said
# What the user names is shown.
named = subprocess.run(["opsig", "check", "--backend", home / "hunter2.yaml"], cwd="p1", capture_output=True, text=True)
assert "has no field 'hunter2'" in named.stdout, named
