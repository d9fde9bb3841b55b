# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# interrupted_edits.py OPSIG --every N: tries every N-th step of a run, in each way.
import argparse
import os
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

FILES = ["k.h", "one.cpp", "two.cpp"]
SAVED = "// somebody saved this\n"


def run(opsig, command, fault=None, plain=False):
    env = dict(os.environ)
    steps = Path("steps").absolute()
    steps.write_bytes(bytes(4))
    if fault:
        # A folder's name may hold a space, which would end the path.
        env.update(LD_PRELOAD="../fault.so", FAULT=fault, FAULT_STEPS=str(steps))
        env.update(FAULT_FILE="one.cpp", FAULT_TEXT=SAVED)
        if plain:
            env.update(FAULT_PLAIN="1")
    done = subprocess.run(
        [opsig, *command, *FILES], env=env, cwd="work", capture_output=True, text=True, check=False
    )
    return done, struct.unpack("i", steps.read_bytes())[0]


def files():
    found = (path for path in Path("work").rglob("*") if path.is_file())
    return {str(path.relative_to("work")): path.read_text() for path in found}


def restore():
    shutil.rmtree("work", ignore_errors=True)
    shutil.copytree("tree", "work")


class Trial:
    def __init__(self, opsig, command, plain):
        self.opsig, self.command, self.plain = opsig, command, plain
        self.wrong = []
        self.lost = []
        restore()
        self.old = files()
        done, _ = run(opsig, command)
        assert done.returncode == 0, done.stdout + done.stderr
        self.new = files()
        assert all(self.old[name] != self.new[name] for name in FILES)
        # What a run does that begins after the save.
        restore()
        Path("work/one.cpp").write_text(SAVED)
        done, _ = run(opsig, command)
        self.after_save = (done.returncode, files())
        assert self.after_save[1]["one.cpp"] == SAVED

    def expect(self, condition, where, what):
        if not condition:
            self.wrong.append(f"{where}: {what}")

    def start(self, fault):
        restore()
        return run(self.opsig, self.command, fault, self.plain)

    def complete(self, where):
        done, _ = run(self.opsig, self.command)
        self.expect(done.returncode == 0, where, f"the next run fails: {done.stdout}{done.stderr}")
        self.expect(files() == self.new, where, f"the next run leaves {sorted(files())}")

    def killed(self, step):
        done, _ = self.start(f"kill:{step}")
        found = files()
        where = f"kill:{step}"
        self.expect(done.returncode == -signal.SIGKILL, where, f"status {done.returncode}")
        for name in FILES:
            whole = found.get(name) in (self.old[name], self.new[name])
            self.expect(whole, where, f"{name} is neither old nor new")
        self.complete(where)

    def failing(self, step, way):
        where = f"{way}:{step}"
        done, _ = self.start(where)
        found = files()
        left = any(".opsig-part-" in name for name in found)
        mine = {name: text for name, text in found.items() if ".opsig-part-" not in name}
        if done.returncode == 0:
            self.expect(mine == self.new, where, "not all is new")
        else:
            self.expect(done.returncode == 2, where, f"status {done.returncode}")
            self.expect("opsig: error: cannot " in done.stderr, where, f"says {done.stderr}")
            self.expect(mine == self.old, where, "not all is old")
        # What could not be removed goes with the next run.
        if left or done.returncode:
            self.complete(where)

    def saved(self, step):
        where = f"save:{step}"
        done, _ = self.start(where)
        found = files()
        if found.get("one.cpp") != SAVED:
            self.lost.append(where)
            return done.returncode
        # The first steps write readings to the cache. A save at one of them comes before 'one.cpp' is read, or after.
        if (done.returncode, found) == self.after_save:
            return done.returncode
        others = self.new if done.returncode == 0 else self.old
        self.expect(
            all(found[name] == others[name] for name in FILES if name != "one.cpp"), where, "a mix"
        )
        if done.returncode:
            told = "'one.cpp' was changed by another program during this run; no file was changed"
            self.expect(done.returncode == 2 and told in done.stderr, where, done.stderr)
        self.expect(len(found) == len(self.old), where, f"leaves {sorted(found)}")
        return done.returncode

    def run(self, every):
        done, count = self.start("count:0")
        assert done.returncode == 0, done.stderr
        assert files() == self.new
        steps = sorted({*range(1, count + 1, every), count})
        for step in steps:
            self.killed(step)
            self.failing(step, "full")
            self.failing(step, "fail")
        refused = [self.saved(step) for step in steps]
        # Without an exchange there is a moment between looking and renaming, and none besides.
        self.expect(len(self.lost) <= self.plain, "save", f"lost: {self.lost}")
        # Before anything was put in its place, and when all is done.
        self.expect(2 in refused, "save", "never refused")
        print(f"{self.command[0]}{' plain' if self.plain else ''}: steps: {count}, {len(self.wrong)} wrong")
        for line in self.wrong[:20]:
            print("  " + line)
        return len(self.wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("opsig")
    parser.add_argument("--every", type=int, required=True)
    options = parser.parse_args()
    wrong = 0
    for command in (["check", "--fix"], ["sync"]):
        for plain in (False, True):
            wrong += Trial(options.opsig, command, plain).run(options.every)
    if wrong:
        sys.exit(1)
    print("all as it should be")


main()
