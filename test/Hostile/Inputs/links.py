# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os, subprocess, tempfile
from pathlib import Path

home = Path("home")
home.mkdir()
os.environ["HOME"] = str(home.resolve())
Path("p/.git").mkdir()
Path("p/inside").mkdir()


def run(*words, cwd="p"):
    done = subprocess.run(["opsig", *words], cwd=cwd, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def secret(name):
    file = home / name
    file.write_text("mine\n")
    return file


# Each way to write a file, given a link that leads to one of the user's.
OPTIONS = {
    "output": ["check", "a.cpp", "--output", "@"],
    "sarif": ["check", "a.cpp", "--format", "sarif", "--output", "@"],
    "html": ["check", "a.cpp", "--format", "html", "--output", "@"],
    "json": ["check", "a.cpp", "--format", "json", "--output", "@"],
    "baseline": ["check", "a.cpp", "--write-baseline", "@"],
    "export": ["check", "a.cpp", "--export-fixes", "@"],
    "facts": ["check", "a.cpp", "--facts-out", "@"],
    "depfile": ["check", "a.cpp", "--facts-out", "facts.json", "--depfile", "@"],
}
for name, words in OPTIONS.items():
    mine = secret(name)
    link = Path("p", name)
    link.symlink_to(Path("../home", name))
    status, said = run(*[name if word == "@" else word for word in words])
    assert mine.read_text() == "mine\n", name
    assert status == 2 and "outside the project" in said, (name, said)
    # The same through a folder, also where the file does not exist yet.
    folder = Path("p", name + "-folder")
    folder.symlink_to("../home")
    for file in (name, name + "-new"):
        status, said = run(*[f"{folder.name}/{file}" if word == "@" else word for word in words])
        assert mine.read_text() == "mine\n" and not (home / (name + "-new")).exists(), name
        assert status == 2 and "outside the project" in said, (name, said)
    # Within the project a link is followed.
    link.unlink()
    link.symlink_to("inside/" + name)
    Path("p/inside", name).write_text("")
    status, said = run(*[name if word == "@" else word for word in words])
    assert status != 2 and Path("p/inside", name).read_text() and link.is_symlink(), (name, said)
# Facts and what they were made of come together, or not at all.
Path("p/facts.json").unlink(missing_ok=True)
Path("p/gone").symlink_to("../home/depfile")
assert run("check", "a.cpp", "--facts-out", "facts.json", "--depfile", "gone")[0] == 2
assert not Path("p/facts.json").exists()

# Sources that are edited.
outside = home / "outside.cpp"
outside.write_text(Path("p/a.cpp").read_text())
Path("p/linked.cpp").symlink_to("../home/outside.cpp")
status, said = run("check", "linked.cpp", "--fix")
assert outside.read_text() == Path("p/a.cpp").read_text() and status == 2, said
assert "outside the project" in said, said
kernels = home / "kernels.cpp"
kernels.write_text(Path("p/kernels.cpp").read_text())
Path("p/kernels.cpp").unlink()
Path("p/kernels.cpp").symlink_to("../home/kernels.cpp")
before = kernels.read_text()
status, said = run("sync", "--backend", "demo.yaml", "kernels.cpp")
assert kernels.read_text() == before and status == 2 and "outside the project" in said, said

# Generated files.
Path("p/gen").symlink_to("../home")
status, said = run("gen", "backend", "--source_yaml", "demo.yaml", "--output_dir", "gen",
                   "--schemas", "native.yaml", "--tags", "tags.yaml", "--torch", "1.13")
assert status == 2 and "outside the project" in said, said
assert not list(home.glob("*NativeFunctions*")) and not list(home.glob("Register*"))

# Without a repository around it a link may not leave its folder; the system's links are the user's own.
with tempfile.TemporaryDirectory() as bare:
    mine = secret("output").resolve()
    Path(bare, "report").symlink_to(mine)
    status, said = run("check", "../p/a.cpp", "--output", bare + "/report", cwd="home")
    assert status == 2 and mine.read_text() == "mine\n", said
assert run("check", "a.cpp", "--output", "/dev/stdout")[0] == 1
assert run("check", "a.cpp", "--output", "/dev/null")[0] == 1
