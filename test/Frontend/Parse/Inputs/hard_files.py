# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, resource, signal, subprocess, sys

FLAGS = ["--", *sys.argv[1:], "-fconstexpr-steps=100000000"]


def check(*words, blocked=True, **variables):
    block = (lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGURG])) if blocked else None
    done = subprocess.run(["opsig", "check", "--no-cache", "--time-limit", "1", *words, *FLAGS], capture_output=True, text=True,
                          preexec_fn=block, timeout=600, env={**os.environ, **variables})
    found = sorted(line.split(":")[0] for line in done.stdout.splitlines() if ": error: " in line)
    return done, found


# Time: which one it is, is certain.
done, found = check("-j2", "loop.cpp", "wrong.cpp", "other.cpp")
assert done.returncode == 2 and found == ["other.cpp", "wrong.cpp"], done
assert "cannot read 'loop.cpp': took more than 6 s" in done.stderr and "1 input could not be read" in done.stderr, done

# Memory: two at a time, beside one that only reads.
done, found = check("-j3", "--memory-limit", "200", "heap.cpp", "second.cpp", "wrong.cpp", "other.cpp")
assert done.returncode == 2 and found == ["other.cpp", "wrong.cpp"], done
for name in ("heap.cpp", "second.cpp"):
    assert f"cannot read '{name}': needed more than " in done.stderr, done
assert "2 inputs could not be read" in done.stderr and "cannot be stopped" not in done.stderr, done
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 << 20

# A run that knows suspects reads those that are innocent, and has no memory of the others.
names = [os.path.abspath(name).encode().hex().upper() for name in ("heap.cpp", "wrong.cpp")]
known = '{"restarts": 1, "suspects": ["%s", "%s"], "too-hard": []}' % tuple(names)
done, found = check("-j1", "--memory-limit", "200", "heap.cpp", "wrong.cpp", "other.cpp", blocked=False, OPSIG_RESTARTED=known)
assert done.returncode == 2 and found == ["other.cpp", "wrong.cpp"], done
assert "cannot read 'heap.cpp': needed more than 200 MiB of memory" in done.stderr, done
# What is no list of files is nothing.
for text in ("", "{", "[]", '{"restarts": -1, "suspects": [1, "x", "0"], "too-hard": [["x"]]}'):
    done, found = check("wrong.cpp", blocked=False, OPSIG_RESTARTED=text)
    assert done.returncode == 1 and found == ["wrong.cpp"], (text, done)
