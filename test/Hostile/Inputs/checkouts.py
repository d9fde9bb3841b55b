"""What tests of hostile checkouts share: checkouts, runs of opsig, and what no run may do.

A run must end by itself within a minute of processor time and 2 GiB, start nothing of the checkout, show no line of the files
in the folder "home", change nothing in it, and print only text.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

FLAGS = ["--", *sys.argv[2:]]
HOME, RAN = Path("home").resolve(), Path("ran").resolve()
OPSIG = shutil.which("opsig")
EVIL = f"#!/bin/sh\ntouch '{RAN}'\necho '{HOME}'\n"
FUNCTIONS = "- func: f(Tensor a, int b) -> Tensor\n"
SOURCE = ('#include <torch/library.h>\nstatic at::Tensor k(const at::Tensor &a, int b) { return a; }\n'
          'TORCH_LIBRARY(lib, m) { m.def("f(Tensor a, int b) -> Tensor", &k); }\n')
CHANGED = SOURCE.replace("int b)", "int  b)")
# Settings that keep a run away from the PyTorch of this machine.
SETTINGS = "torch: 2.6\nschemas: native.yaml\ntags: tags.yaml\n"
SECRETS = {
    "netrc": "machine hunter2 login hunter2\nmachine: hunter2\n",
    "list": "- func: hunter2(Tensor a, hunter2) -> Tensor\n- hunter2\n",
    "version": "__version__ = 'hunter2'\nhunter2 = [\n",
}
# What is no plain text, in names and in lines of sources.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")
HOME.mkdir()
for secret, secret_text in SECRETS.items():
    (HOME / secret).write_text(secret_text)
count = 0


def home():
    """All files of the user but those of opsig's own folders."""
    own = (HOME / "cache", HOME / ".config")
    return {file: file.read_bytes() for file in HOME.rglob("*") if file.is_file() and not any(map(file.is_relative_to, own))}


def project(files, own=None):
    """A checkout with `files`: "#!..." can be executed, ">..." is a link, "|" a pipe; "" takes a file away."""
    global count
    count += 1
    root = Path(f"p{count}").resolve()
    (root / ".git").mkdir(parents=True)
    usual = {"a.cpp": SOURCE, ".opsig.yaml": SETTINGS, "native.yaml": FUNCTIONS, "tags.yaml": "- tag: core\n  desc: x\n"}
    for name, text in {**(usual if own is None else own), **files}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if text == "|":
            os.mkfifo(file)
        elif text.startswith(">"):
            file.symlink_to(text[1:])
        elif text:
            file.write_text(text)
            file.chmod(0o755 if text.startswith("#!") else 0o644)
    return root


def run(root, *words, flags=None, **variables):
    """What opsig says, after looking for all that it must not do."""
    environment = {**os.environ, "HOME": str(HOME), "XDG_CACHE_HOME": str(HOME / "cache"), **variables}
    theirs, before = home(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([OPSIG, *words, *(FLAGS if flags is None else flags)], cwd=root, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = (done.stdout + done.stderr).decode()  # which is UTF-8
    assert done.returncode in (0, 1, 2), (root, words, done)
    assert not RAN.exists(), (root, words, "a program of the checkout ran")
    assert "hunter2" not in said, (root, words, said)
    assert not UNSAFE.search(said), (root, words, UNSAFE.search(said), said)
    assert home() == theirs, (root, words, "a file of the user was changed")
    assert used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime < 60, (root, words)
    assert used.ru_maxrss >> 21 == 0, (root, words, used.ru_maxrss)
    return said
