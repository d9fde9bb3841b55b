"""Builds what `pip install` of this repository installs: nothing but the need of opsig's released wheel (PEP 517).

pre-commit installs a repository of hooks of `language: python` so. The programs themselves are built by CMake.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
from pathlib import Path

from wheel import Wheel

ROOT = Path(__file__).resolve().parent.parent.parent


def project_version():
    """The version that stands in CMakeLists.txt and nowhere else."""
    return re.search(r"^project\(opsig VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = project_version()
    name = f"opsig_hook-{version}-py3-none-any.whl"
    info_folder = f"opsig_hook-{version}.dist-info"
    wheel = Wheel(Path(wheel_directory) / name)
    metadata = f"Metadata-Version: 2.1\nName: opsig-hook\nVersion: {version}\nRequires-Dist: opsig=={version}\n"
    wheel.add(f"{info_folder}/METADATA", metadata.encode())
    about = "Wheel-Version: 1.0\nGenerator: opsig\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    wheel.add(f"{info_folder}/WHEEL", about.encode())
    wheel.close(info_folder)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("this repository has no source distribution; build opsig with CMake, or install its wheel: pip install opsig")
