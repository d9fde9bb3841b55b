# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# aten_unwritable.py OPSIG: prints a line for each case. `aten_unwritable.py OPSIG mounted DIR` is the part that runs where
# it may mount.
import ctypes
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

OPSIG = sys.argv[1]
OUT = Path("out")
CAN_OVERRIDE, CAN_READ_ALL, DROP = 1, 2, 24  # CAP_DAC_..., PR_CAPBSET_DROP
MAY_NOT = "only root may mount here"


def as_a_user():
    """Makes root subject to the permissions of files."""
    for capability in (CAN_OVERRIDE, CAN_READ_ALL):
        ctypes.CDLL(None).prctl(DROP, capability, 0, 0, 0)


def limit_files(size, action):
    def prepare():
        signal.signal(signal.SIGXFSZ, action)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return prepare


def generate(out=OUT, prepare=None):
    command = [OPSIG, "gen", "aten", "--torch", os.environ["OPSIG_TORCH_VERSION"], "-s", "aten", "-d", out]
    return subprocess.run(
        [*command, "--per-operator-headers"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=prepare,
        restore_signals=False,
    )


def files(folder):
    found = (path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def make_old(folder):
    """A tree of files that all differ from what is to be written."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree("tree", folder)
    for path in Path(folder).rglob("*"):
        if path.is_file():
            path.write_bytes(b"old\n")
    return files(folder)


def check(condition, what):
    if not condition:
        sys.exit(f"{what}")


def check_refused(done, reason, name=".*"):
    told = re.search(rf"opsig: error: cannot (?:write|make) '({name})': {reason}$", done.stderr, re.M)
    check(done.returncode == 2 and told, f"status {done.returncode}: {done.stderr}")


def check_complete(folder):
    done = generate(folder)
    check(done.returncode == 0, done.stderr)
    check(files(folder) == files("tree"), f"not complete: {sorted(files(folder))}")


def pages(folder):
    return sum(len(data) // 4096 + 1 for data in files(folder).values())


def mounted(disk):
    disk = Path(disk)
    disk.mkdir()
    make_old(OUT)
    size = pages(OUT) + 2 * pages("tree")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={4096 * size}", "tmpfs", disk]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        sys.exit(77)
    old = make_old(disk / "out")
    (disk / "filler").write_bytes(bytes(4096 * (size - pages(OUT) - pages("tree") // 2)))
    check_refused(generate(disk / "out"), "No space left on device", f"{disk}/out/.*")
    (disk / "filler").unlink()
    check(files(disk) == {f"out/{name}": data for name, data in old.items()}, "changed")
    print("full")
    subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
    check_refused(generate(disk / "out"), "Read-only file system", f"{disk}/out/.*")
    subprocess.run(["mount", "-o", "remount,bind,rw", disk], check=True)
    check_complete(disk / "out")
    print("read-only")


def disks():
    """Mounts in a name space of its own, which ends with it; as root or as one who plays root."""
    for options in ("-m", "-rm"):
        shutil.rmtree("disk", ignore_errors=True)
        inside = ["unshare", options, sys.executable, __file__, OPSIG, "mounted", "disk"]
        done = subprocess.run(inside, capture_output=True, text=True, check=False)
        mounts = done.returncode != 77 and "unshare:" not in done.stderr
        if mounts:
            check(done.stdout == "full\nread-only\n", done.stdout + done.stderr)
            return "as it should be"
    return f"skipped: {MAY_NOT}"


def limited():
    old = make_old(OUT)
    done = generate(prepare=limit_files(8192, signal.SIG_IGN))
    check_refused(done, "File too large", "out/.*")
    check(files(OUT) == old, "changed")
    check_complete(OUT)


def killed_by_limit():
    old = make_old(OUT)
    done = generate(prepare=limit_files(8192, signal.SIG_DFL))
    check(done.returncode in (2, -signal.SIGXFSZ), f"status {done.returncode}")
    found = files(OUT)
    check({name: found.get(name) for name in old} == old, "changed")
    check_complete(OUT)


def folder_not_writable():
    old = make_old(OUT)
    (OUT / "ops").chmod(0o555)
    check_refused(generate(prepare=as_a_user), "Permission denied", "out/ops/.*")
    check(files(OUT) == old, "changed")
    (OUT / "ops").chmod(0o755)
    check_complete(OUT)


def folder_not_made():
    Path("closed").mkdir(mode=0o555)
    check_refused(generate("closed/out", as_a_user), "Permission denied", "closed/out.*")
    check(not files("closed"), "something was written")


def folder_in_the_way():
    old = make_old(OUT)
    (OUT / "Functions.h").unlink()
    (OUT / "Functions.h").mkdir()
    check_refused(generate(), "Is a directory", "out/Functions.h")
    del old["Functions.h"]
    check(files(OUT) == old, "changed")
    (OUT / "Functions.h").rmdir()
    check_complete(OUT)


def file_not_writable():
    """Files are replaced, not written into: the folder's permissions count."""
    make_old(OUT)
    (OUT / "Functions.h").chmod(0o444)
    done = generate(prepare=as_a_user)
    check(done.returncode == 0, done.stderr)
    check_complete(OUT)


def main():
    if sys.argv[2:]:
        mounted(sys.argv[3])
        return
    check_made = generate("tree")
    check(check_made.returncode == 0, check_made.stderr)
    told = disks()
    print(f"a disk with little space: {told}\na read-only disk: {told}", flush=True)
    cases = {
        "files of limited size": limited,
        "killed by the limit": killed_by_limit,
        "a folder without the right to write": folder_not_writable,
        "no right to make the folder": folder_not_made,
        "a folder in the way": folder_in_the_way,
        "a file without the right to write": file_not_writable,
    }
    for name, case in cases.items():
        case()
        print(f"{name}: as it should be", flush=True)


main()
