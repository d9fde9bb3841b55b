# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds torchgen and its data in a torch root, and runs scripts against it.

torch root (site-packages folder or source tree) => TorchRoot => shadow root => torchgen process
"""
import os
import re
import subprocess
from pathlib import Path

PYTHON = "/usr/bin/python3"
DEBIAN_ROOT = Path("/usr/lib/python3/dist-packages")


class UnusableRoot(Exception):
    """The folder is no torch root, or its torchgen does not run."""


class TorchRoot:
    """One torchgen with its YAML files and templates.

    path     the folder as the user named it; opsig gets the same
    aten     the folder that holds native/ and templates/
    release  (major, minor)
    """

    def __init__(self, path):
        self.path = Path(path)
        self.aten = self._find_aten()
        self.release = self._read_release()
        stubs = self.path / "torchgen" / "gen_backend_stubs.py"
        for needed in (self.native_yaml, self.tags_yaml, stubs):
            if not needed.is_file():
                raise UnusableRoot(f"{self.path}: no {needed.relative_to(self.path)}")

    def _find_aten(self):
        for below in ("aten/src/ATen", "torchgen/packaged/ATen"):
            if (self.path / below).is_dir():
                return self.path / below
        raise UnusableRoot(f"{self.path}: neither aten/src/ATen nor torchgen/packaged/ATen")

    def _read_release(self):
        places = (("version.txt", ""), ("torch/version.py", r"__version__ = ['\"]"))
        for name, before in places:
            file = self.path / name
            text = file.read_text() if file.is_file() else ""
            found = re.search(before + r"(\d+)\.(\d+)", text)
            if found:
                return (int(found[1]), int(found[2]))
        raise UnusableRoot(f"{self.path}: no version in version.txt or torch/version.py")

    @property
    def native_yaml(self):
        return self.aten / "native" / "native_functions.yaml"

    @property
    def tags_yaml(self):
        return self.aten / "native" / "tags.yaml"

    @property
    def include(self):
        """The folder of the headers that were installed with this root, or None.

        A wheel has them in torch/include, Debian in usr/include beside usr/lib/python3/dist-packages.
        """
        path = self.path.resolve()
        for folder in (path / "torch" / "include", path.parent.parent.parent / "include"):
            if (folder / "ATen" / "ATen.h").is_file():
                return folder
        return None

    def environment(self, scratch, front=()):
        """The environment of a torchgen process. Its byte code goes to `scratch`."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        env["PYTHONPATH"] = os.pathsep.join(str(Path(f).resolve()) for f in (*front, self.path))
        env["PYTHONPYCACHEPREFIX"] = str(Path(scratch) / "bytecode")
        return env

    def make_shadow(self, scratch):
        """A folder in which gen_backend_stubs finds its data whatever the root is.

        gen_backend_stubs reads aten/src/ATen beside the torchgen package; installed packages keep
        that folder inside torchgen. Two links give every root the shape of a source tree.
        """
        shadow = Path(scratch) / "shadow"
        (shadow / "aten" / "src").mkdir(parents=True)
        (shadow / "torchgen").symlink_to((self.path / "torchgen").resolve())
        (shadow / "aten" / "src" / "ATen").symlink_to(self.aten.resolve())
        return shadow


def run_torchgen(arguments, env, cwd=None, stdin=""):
    """Runs PYTHON with `arguments` and returns its standard output; UnusableRoot if it fails."""
    # -P: the folder of the script must not stand before torchgen's on the module path.
    command = [PYTHON, "-P", *map(str, arguments)]
    done = subprocess.run(
        command, env=env, cwd=cwd, input=stdin, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UnusableRoot(f"torchgen failed: {' '.join(command)}\n{done.stderr[-2000:]}")
    return done.stdout
