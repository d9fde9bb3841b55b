# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re, resource, subprocess, sys
from pathlib import Path

FLAGS = ["--", *sys.argv[1:]]
subprocess.run([sys.executable, "make.py", "8"], check=True)
BOMBS = [f"bomb{number}.cpp" for number in range(8)]


def check(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["opsig", "check", "--no-cache", *words, *FLAGS], capture_output=True, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = [line.split(":")[0] for line in done.stdout.splitlines() if ": error: " in line]
    return done, found, seconds


# 6 s in vain, on each processor, and what it takes to find the includes; each of the eight would take 3.
for threads in ("-j1", "-j2"):
    done, found, seconds = check(threads, "--time-limit=3", "--total-time-limit=6", "also.cpp", *BOMBS)
    assert done.returncode == 2 and found == ["also.cpp"], done
    assert seconds < (24 if threads == "-j1" else 40), (threads, seconds)
    assert "8 inputs could not be read (" in done.stderr, done
    why = dict(re.findall(r"cannot read '(\w+\.cpp)': (.*)", done.stderr))
    assert set(why) == set(BOMBS), done
    assert "took more than 3 s" in why.values() or threads != "-j1", done
    assert "the files skipped before it took 6 s" in why.values(), done
    assert all(re.fullmatch(r"took more than (3 s|the \d s left for it)|the files skipped before it took 6 s", each) for each in why.values()), done
# What others take no longer than goes first, though it stands behind: also.cpp was read, and so is z.cpp.
Path("z.cpp").write_text(Path("also.cpp").read_text().replace("lib,", "last,"))
done, found, _ = check("-j1", "--time-limit=10", "--total-time-limit=20", "also.cpp", *BOMBS, "z.cpp")
assert done.returncode == 2 and found == ["also.cpp", "z.cpp"], done
assert "8 inputs could not be read (" in done.stderr, done
# A setting of 0 bounds each file alone.
done, found, _ = check("-j2", "--time-limit=1", "--total-time-limit=0", "also.cpp", *BOMBS)
assert done.returncode == 2 and found == ["also.cpp"], done
assert done.stderr.count(": took more than 1 s") == 8, done
