"""Makes a wheel of installed programs: `wheel.py STAGE VERSION ARCH SOURCES OUTPUT` prints its name.

The package `opsig` is an installation: pip keeps its folders together wherever it puts packages (--user, --target, venv,
conda), so the programs find their files beside themselves. What pip puts on the PATH are scripts that start them. Man
pages and completions go below the prefix, where shells look for them. Nothing in it depends on a version of Python.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import base64
import hashlib
import os
import sys
import zipfile
from pathlib import Path

# Static programs need neither glibc nor musl. The oldest of both that pip has a tag for stand for any.
PLATFORMS = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")
EPOCH = (1980, 1, 1, 0, 0, 0)
PROGRAMS = ("opsig", "opsig-clangd")
# In a prefix that is a virtual environment nobody looks for these.
LEFT_OUT = ("share/opsig/bazel",)
# What has its place below the prefix; everything else belongs into the package.
OF_PREFIX = ("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/")


def tags(arch):
    return [f"py3-none-{platform}_{arch}" for platform in PLATFORMS]


def metadata(version, readme):
    return f"""Metadata-Version: 2.1
Name: opsig
Version: {version}
Summary: keeps PyTorch operator schemas and C++ kernels in agreement
License: Apache-2.0 WITH LLVM-exception
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Topic :: Software Development :: Quality Assurance
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""


class Wheel:
    """A zip file that ends with a record of what is in it."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        info = zipfile.ZipInfo(name, EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, info_folder):
        name = f"{info_folder}/RECORD"
        self.add(name, "\n".join([*self.record, f"{name},,", ""]).encode())
        self.zip.close()


def add_stage(wheel, stage, data_folder):
    for file in sorted(stage.rglob("*")):
        name = file.relative_to(stage).as_posix()
        if not file.is_file() or name.startswith(LEFT_OUT):
            continue
        folder = f"{data_folder}/data" if name.startswith(OF_PREFIX) else "opsig"
        wheel.add(f"{folder}/{name}", file.read_bytes(), os.access(file, os.X_OK))


def add_python(wheel, sources, version, data_folder):
    for file in sorted((sources / "opsig").glob("*.py")):
        wheel.add(f"opsig/{file.name}", file.read_bytes())
    wheel.add("opsig/_version.py", f'__version__ = "{version}"\n'.encode())
    wheel.add("opsig/py.typed", b"")
    script = (sources / "script.py").read_text()
    for program in PROGRAMS:
        text = script.replace("@PROGRAM@", program).replace("@VERSION@", version)
        wheel.add(f"{data_folder}/scripts/{program}", text.encode(), executable=True)


def main():
    stage, version, arch, sources, output = sys.argv[1:]
    sources = Path(sources)
    platforms = ".".join(f"{platform}_{arch}" for platform in PLATFORMS)
    path = Path(output) / f"opsig-{version}-py3-none-{platforms}.whl"
    part = path.with_suffix(".part")
    info_folder, data_folder = f"opsig-{version}.dist-info", f"opsig-{version}.data"
    wheel = Wheel(part)
    add_stage(wheel, Path(stage), data_folder)
    add_python(wheel, sources / "share" / "wheel", version, data_folder)
    readme = (sources / "README.md").read_text()
    wheel.add(f"{info_folder}/METADATA", metadata(version, readme).encode())
    about = ["Wheel-Version: 1.0", "Generator: opsig", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags(arch))]
    wheel.add(f"{info_folder}/WHEEL", "\n".join([*about, ""]).encode())
    for name in ("LICENSE", "NOTICE"):
        wheel.add(f"{info_folder}/{name}", (sources / name).read_bytes())
    wheel.close(info_folder)
    part.rename(path)
    print(path)


if __name__ == "__main__":
    main()
