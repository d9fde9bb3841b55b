# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, shutil, stat, subprocess
from pathlib import Path

ENV = {**os.environ, "XDG_CONFIG_HOME": str(Path("config").resolve())}
ENV.pop("OPSIG_CACHE_KEY", None)
Path("p/.git").mkdir()
KEY = Path("config/opsig/cache-key")


def run(cache="kept", files=("a.cpp", "b.cpp"), **env):
    done = subprocess.run(["opsig", "check", "--verbose", "--no-shared-pch", "--cache", "../" + cache, *files], cwd="p", capture_output=True,
                          text=True, timeout=60, env={**ENV, **env})
    kept = [line for line in done.stderr.split("\n") if "have not changed since" in line]
    return done.returncode, int(kept[0].split("note: ")[1].split()[0]) if kept else 0, done.stdout, done.stderr


first = run()
assert first[:2] == (1, 0), first
assert run()[:3] == (1, 2, first[2])
assert stat.S_IMODE(KEY.stat().st_mode) == 0o600 and stat.S_IMODE(Path("kept").stat().st_mode) == 0o700

# Entries of another key are none. Who states the same key shares a folder, wherever it comes from.
assert run(XDG_CONFIG_HOME=str(Path("other").resolve()))[1] == 0
shutil.rmtree("kept")
assert run(OPSIG_CACHE_KEY="one")[1] == 0 and run(OPSIG_CACHE_KEY="one")[1] == 2
assert run(OPSIG_CACHE_KEY="two")[1] == 0 and run()[1] == 0
shutil.rmtree("kept")
run()

# An entry does not answer another question: not when it is renamed, nor when its text changes, nor with a hash in place of
# its seal.
facts = sorted(Path("kept").glob("llvmcache-facts-*"))
good = [file.read_bytes() for file in facts]
facts[0].write_bytes(good[1]), facts[1].write_bytes(good[0])
assert run()[:3] == (1, 0, first[2])
for file in sorted(Path("kept").glob("llvmcache-facts-*")):
    text = file.read_bytes()
    assert b"::k" in text or b"::g" in text or b"int" in text, text
    file.write_bytes(text[:64] + text[64:].replace(b"int", b"tin").replace(b"double", b"elbuod"))
assert run()[:3] == (1, 0, first[2])
for file in sorted(Path("kept").glob("llvmcache-facts-*")):
    file.write_bytes(b"0" * 32 + file.read_bytes()[32:])
assert run()[:3] == (1, 0, first[2]) and run()[1] == 2

# No link is followed, not to an entry, not to what is written, not to the folder itself.
for file in sorted(Path("kept").glob("llvmcache-facts-*")):
    file.rename(Path("moved-" + file.name))
    file.symlink_to(Path("..", "moved-" + file.name))
assert run()[1] == 0 and not any(file.is_symlink() for file in Path("kept").glob("llvmcache-facts-*"))
mine = Path("mine")
mine.write_text("mine\n")
Path("kept/llvmcache.timestamp").unlink(missing_ok=True)
Path("kept/llvmcache.timestamp").symlink_to("../mine")
os.utime("mine", (0, 0))
run()
assert mine.read_text() == "mine\n" and mine.stat().st_mtime == 0
Path("outside").mkdir()
Path("p/cache").symlink_to("../outside")
status = run(cache="p/cache")
assert status[:2] == (1, 0) and not list(Path("outside").iterdir()) and "outside the project" in status[3], status

# Where others could write, they can no longer.
os.chmod("kept", 0o777)
assert run()[0] == 1 and stat.S_IMODE(Path("kept").stat().st_mode) == 0o700

# A key that others know, or that is a link, is none; then nothing is kept, which is said, and all is checked.
os.chmod(KEY, 0o644)
status = run()
assert status[:3] == (1, 0, first[2]) and "nothing is cached for the next run" in status[3], status
KEY.rename("key")
os.chmod("key", 0o600)
KEY.symlink_to("../../key")
assert run()[:3] == (1, 0, first[2])
KEY.unlink()
KEY.write_text("short")
os.chmod(KEY, 0o600)
assert run()[:3] == (1, 0, first[2])
KEY.unlink()
assert run()[1] == 0 and run()[1] == 2
