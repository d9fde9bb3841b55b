# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, resource, subprocess, sys
from pathlib import Path

FLAGS = ["--", *sys.argv[1:], "-fconstexpr-steps=100000000"]
os.mkdir(".git")
for number in range(2):
    Path(f"heap{number}.cpp").write_text(
        "constexpr int f() { int s = 0; for (int i = 0; i < 900000; ++i) { int *p = new int[%d]{}; p[4999] = i; s += p[4999]; } return s; }\n"
        "static_assert(f() == 1);\n" % (5000 + number))
    Path(f"macro{number}.cpp").write_text(
        "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\nC(int a%d();)\n" % number)
    # About 250 MiB, all of it in the preprocessor and the AST.
    Path(f"large{number}.cpp").write_text(
        "#include <torch/library.h>\n" + "".join(f"extern int v{i};\n" for i in range(700_000)) +
        "static at::Tensor k(const at::Tensor &a, int b) { return a; }\n"
        'TORCH_LIBRARY(lib%d, m) { m.def("f(Tensor a, int b) -> Tensor", &k); }\n' % number)


def check(*words):
    done = subprocess.run(["opsig", "check", "--no-cache", *words, *FLAGS], capture_output=True, text=True, timeout=600)
    found = sorted(line.split(":")[0] for line in done.stdout.splitlines() if ": error: " in line)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 << 20, (words, done)
    return done, found


ALL = [f"large{number}.cpp" for number in range(2)]
for threads in ("-j2", "-j16"):
    done, found = check(threads, ".")
    assert done.returncode == 2 and found == ALL, done
    for kind in ("heap", "macro"):
        for number in range(2):
            assert f"cannot read '{kind}{number}.cpp': needed more than 1024 MiB of memory" in done.stderr, done
    assert "4 inputs could not be read" in done.stderr, done
# A bound so low that each reading has to wait for the one before it changes nothing but the time.
done, found = check("-j8", "--total-memory-limit=600", *ALL)
assert done.returncode == 1 and found == ALL, done
# 0: nobody waits.
done, found = check("-j8", "--total-memory-limit=0", *ALL)
assert done.returncode == 1 and found == ALL, done
