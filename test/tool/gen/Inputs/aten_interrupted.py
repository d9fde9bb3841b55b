# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# aten_interrupted.py OPSIG [--every N]: tries every N-th step of a run, in each way.
import argparse
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

COMMAND = ["gen", "aten", "--torch", os.environ["OPSIG_TORCH_VERSION"], "-d", "out", "-o", "out/lists.cmake"]
COMMAND += ["--per-operator-headers", "-s"]
HERE = re.escape(os.getcwd())
STOPPED = re.compile(rf"opsig: error: cannot (?:write|make) '(?:{HERE}/)?(out[^']*)': ([^;\n]*)(.*)")
PROGRESS = re.compile(r"; (\d+) files that come before it are new, (\d+) are as they were")


def run(opsig, source, fault=None):
    """Returns the finished process and how many steps it took (None if not counted)."""
    env = dict(os.environ)
    steps = Path("steps")
    steps.write_bytes(bytes(4))
    if fault:
        # A folder's name may hold a space, which would end the path.
        env.update(LD_PRELOAD="./fault.so", FAULT=fault, FAULT_STEPS="steps")
    done = subprocess.run(
        [opsig, *COMMAND, source], env=env, capture_output=True, text=True, check=False
    )
    return done, struct.unpack("i", steps.read_bytes())[0]


def files():
    found = (path for path in Path("out").rglob("*") if path.is_file())
    return {str(path.relative_to("out")): path.read_bytes() for path in found}


def restore(tree):
    """Puts the files of `tree` (None: no file) into "out"."""
    shutil.rmtree("out", ignore_errors=True)
    if tree:
        shutil.copytree(tree, "out")


def make_tree(opsig, source, tree):
    shutil.rmtree("out", ignore_errors=True)
    done, _ = run(opsig, source)
    assert done.returncode == 0, done.stderr
    made = files()
    os.rename("out", tree)
    return made


class Trial:
    """One way to end a run; `wrong` tells what was not as promised."""

    def __init__(self, opsig, old, new, tree):
        self.opsig, self.old, self.new, self.tree = opsig, old, new, tree
        self.runs = 0
        self.wrong = []

    def expect(self, condition, step, what):
        if not condition:
            self.wrong.append(f"step {step}: {what}")

    def start(self, step, fault):
        restore(self.tree)
        self.runs += 1
        return run(self.opsig, "new", f"{fault}:{step}")[0]

    def expect_whole_files(self, step):
        """Every file is an old or a new one, and no old one is lost; others are temporary."""
        found = files()
        known = self.old.keys() | self.new.keys()
        for name, data in found.items():
            if name not in known:
                self.expect(".opsig-part-" in name, step, f"{name} appeared")
            elif data not in (self.old.get(name), self.new.get(name)):
                self.wrong.append(f"step {step}: {name} is neither old nor new")
        self.expect(found.keys() >= self.old.keys(), step, "old files vanished")
        return found

    def expect_completed(self, step):
        done, _ = run(self.opsig, "new")
        self.expect(done.returncode == 0, step, f"the next run fails: {done.stderr}")
        want, found = {**self.old, **self.new}, files()
        self.expect(found == want, step, f"the next run leaves {odd_names(found, want)}")
        beside = sorted(path.name for path in Path().glob(".opsig-part*"))
        self.expect(not beside, step, f"the next run leaves {beside}")

    def expect_old_again(self, step):
        """Files that only the killed run has may stay."""
        done, _ = run(self.opsig, "old")
        self.expect(done.returncode == 0, step, f"the run after it fails: {done.stderr}")
        found = files()
        arrived = {name: self.new[name] for name in self.new if name in found}
        want = {**arrived, **self.old}
        self.expect(found == want, step, f"the run after it leaves {odd_names(found, want)}")

    def expect_named(self, step, done, reason):
        told = STOPPED.search(done.stderr)
        self.expect(done.returncode == 2, step, f"exit status {done.returncode}")
        self.expect(told, step, f"no file is named: {done.stderr}")
        if told:
            self.expect(told[2] == reason, step, f"the reason is {told[2]}")
        return told[3] if told else ""

    def report(self, name):
        print(f"{name}: {self.runs} runs, {len(self.wrong)} wrong")
        for line in self.wrong[:20]:
            print("  " + line)


def odd_names(found, want):
    odd = sorted(name for name in found.keys() | want.keys() if found.get(name) != want.get(name))
    return f"{len(odd)}: {' '.join(odd[:5])}"


def killed(trial, steps):
    for step in steps:
        done = trial.start(step, "kill")
        trial.expect(done.returncode == -signal.SIGKILL, step, f"status {done.returncode}")
        trial.expect_whole_files(step)
        trial.expect_completed(step)


def killed_then_old(trial, steps):
    for step in steps:
        trial.start(step, "kill")
        trial.expect_old_again(step)


def disk_full(trial, steps):
    for step in steps:
        done = trial.start(step, "full")
        if done.returncode == 0:  # All was written by then.
            trial.expect(files() == {**trial.old, **trial.new}, step, "not all is new")
            continue
        trial.expect_named(step, done, "No space left on device")
        trial.expect(files() == trial.old, step, f"changed: {odd_names(files(), trial.old)}")
        trial.expect_completed(step)


def failing(trial, steps):
    for step in steps:
        done = trial.start(step, "fail")
        if done.returncode == 0:  # What was left could not be removed.
            found = {name: data for name, data in files().items() if ".opsig-part-" not in name}
            trial.expect(found == {**trial.old, **trial.new}, step, "not all is new")
            trial.expect_completed(step)
            continue
        more = trial.expect_named(step, done, "Input/output error")
        found = trial.expect_whole_files(step)
        trial.expect(found.keys() <= trial.old.keys() | trial.new.keys(), step, "others stay")
        changed = [name for name in trial.new if trial.old.get(name) != trial.new[name]]
        new = sum(found.get(name) == trial.new[name] for name in changed)
        progress = PROGRESS.search(more)
        told = (int(progress[1]), int(progress[2])) if progress else (0, len(changed))
        trial.expect(told == (new, len(changed) - new), step, f"told {told}, {new} are new")
        trial.expect_completed(step)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("opsig")
    parser.add_argument("--every", type=int, required=True)
    options = parser.parse_args()
    for template in Path("new/templates").iterdir():
        if template.name[0] not in "NT":  # Some files stay as they are.
            template.write_text("// new\n" + template.read_text())
    old, new = (make_tree(options.opsig, name, f"tree-{name}") for name in ("old", "new"))
    number = sum(old.get(name) != data for name, data in new.items())
    print(f"files: {len(old)} old, {len(new)} new, {number} to be written")

    restore("tree-old")
    done, count = run(options.opsig, "new", "count:0")
    assert done.returncode == 0, done.stderr
    print(f"steps: {count}")
    # A file is opened, written and renamed; else fault.c misses what opsig does.
    assert count >= 3 * number, "too few steps"
    steps = sorted({*range(1, count + 1, options.every), count})
    ways = {
        "killed": killed,
        "killed, then the old input again": killed_then_old,
        "disk full": disk_full,
        "failing step": failing,
    }
    wrong = 0
    for name, way in ways.items():
        trial = Trial(options.opsig, old, new, "tree-old")
        way(trial, steps)
        trial.report(name)
        wrong += len(trial.wrong)

    restore(None)
    _, count = run(options.opsig, "new", "count:0")
    for name, way in (("killed", killed), ("disk full", disk_full)):
        trial = Trial(options.opsig, {}, new, None)
        way(trial, sorted({*range(1, count + 1, options.every), count}))
        trial.report(f"{name}, into an empty place")
        wrong += len(trial.wrong)
    sys.exit(1 if wrong else 0)


main()
