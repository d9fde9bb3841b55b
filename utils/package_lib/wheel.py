"""Makes a wheel of installed programs: `wheel.py STAGE VERSION SOURCES OUTPUT` prints its name.

pip puts what is in .data/scripts on the PATH and what is in .data/data below the same prefix, where the
programs look for it. Nothing in it is Python, so it is for every version.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import base64
import hashlib
import os
import sys
import zipfile
from pathlib import Path

TAG = "py3-none-manylinux_2_36_x86_64"
EPOCH = (1980, 1, 1, 0, 0, 0)
# In a prefix that is a virtual environment nobody looks for these.
LEFT_OUT = ("share/opsig/bazel",)


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
        executable = os.access(file, os.X_OK)
        if name.startswith("bin/"):
            wheel.add(f"{data_folder}/scripts/{name[4:]}", file.read_bytes(), executable)
        else:
            wheel.add(f"{data_folder}/data/{name}", file.read_bytes(), executable)


def main():
    stage, version, sources, output = sys.argv[1:]
    path = Path(output) / f"opsig-{version}-{TAG}.whl"
    part = path.with_suffix(".part")
    info_folder, data_folder = f"opsig-{version}.dist-info", f"opsig-{version}.data"
    wheel = Wheel(part)
    add_stage(wheel, Path(stage), data_folder)
    readme = (Path(sources) / "README.md").read_text()
    wheel.add(f"{info_folder}/METADATA", metadata(version, readme).encode())
    about = f"Wheel-Version: 1.0\nGenerator: opsig\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    wheel.add(f"{info_folder}/WHEEL", about.encode())
    for name in ("LICENSE", "NOTICE"):
        wheel.add(f"{info_folder}/{name}", (Path(sources) / name).read_bytes())
    wheel.close(info_folder)
    part.rename(path)
    print(path)


main()
