# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, resource, signal, subprocess, sys
from pathlib import Path

FLAGS = ["--", *sys.argv[1:]]
FILES = {name: Path(name).read_text() for name in ("a.cpp", "h.h", "k.py", "native.yaml", ".opsig.yaml")}
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": os.path.abspath("cache"), "XDG_CONFIG_HOME": os.path.abspath("config")}


def run(*words, limit=None, ignore=False, **streams):
    def prepare():
        if ignore:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if limit:
            resource.setrlimit(limit[0], (limit[1], limit[1]))
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run(["opsig", "check", *words, *FLAGS], text=True, preexec_fn=prepare, env=ENVIRONMENT, timeout=100, **streams)


def same(left, right):
    return (left.returncode, left.stdout) == (right.returncode, right.stdout)


usual = run("a.cpp")
assert usual.returncode == 1 and "h.h:1:42: error" in usual.stdout, usual
for count in (6, 8, 10, 12, 16, 24):
    for cache in ([], ["--no-cache"]):
        done = run("a.cpp", "-j2", *cache, limit=(resource.RLIMIT_NOFILE, count))
        said = done.returncode in (2, 127) or "in part" in done.stderr
        assert same(done, usual) or said, (count, done)
# What a run could not keep is not taken for an answer by the next one.
for size in (0, 1, 100, 5000):
    for ignore in (False, True):
        subprocess.run(["rm", "-rf", "cache"], check=True)
        assert same(run("a.cpp", limit=(resource.RLIMIT_FSIZE, size), ignore=ignore), usual), size
        assert same(run("a.cpp"), usual), size
with open("/dev/full", "w") as full:
    for form in ("text", "json", "html", "junit", "github"):
        assert run("a.cpp", "--format", form, stdout=full).returncode == 2, form
        assert run("a.cpp", "--format", form, "--output", "/dev/full").returncode == 2, form
    assert same(run("a.cpp", stderr=full), usual)

changes = {"h.h": ("int     b", "int64_t b"), "a.cpp": ("int b)", "int c)"), "k.py": ("int)", "Int)"), "native.yaml": ("Tensor a", "Tensor c"),
           ".opsig.yaml": ("2.6", "2.5")}
for name, (old, new) in changes.items():
    for when in (None, 10**9, 4102444800 * 10**9): # as it was, long ago, and in many years
        for file, text in FILES.items():
            Path(file).write_text(text)
        run("a.cpp", "k.py")
        status = os.stat(name)
        Path(name).write_text(FILES[name].replace(old, new))
        os.utime(name, ns=(when or status.st_atime_ns, when or status.st_mtime_ns))
        assert os.stat(name).st_size == status.st_size
        kept, fresh = run("a.cpp", "k.py"), run("a.cpp", "k.py", "--no-cache")
        assert same(kept, fresh), (name, when, kept, fresh)
    assert name in ("native.yaml", ".opsig.yaml") or fresh.stdout != usual.stdout, name
