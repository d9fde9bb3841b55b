"""opsig for Python: where its programs are, and a check inside of setup.py's build.

    python -m opsig check csrc          # as the program opsig
    opsig.find_opsig_bin()              # its path
    cmdclass={"build_ext": opsig.checked(BuildExtension)}

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import sys
from typing import NoReturn

from ._build_ext import checked
from ._version import __version__

__all__ = ["__version__", "checked", "find_opsig_bin", "find_opsig_clangd_bin", "prefix"]


def prefix() -> str:
    """The folder that holds bin, lib and share, as an installation of opsig has them.

    CMake's find_package(opsig) finds opsig there: -DCMAKE_PREFIX_PATH="$(python -c 'import opsig; print(opsig.prefix())')".
    """
    return os.path.dirname(os.path.abspath(__file__))


def find_opsig_bin() -> str:
    """The path of the program opsig that belongs to this package."""
    return _find("opsig")


def find_opsig_clangd_bin() -> str:
    """The path of opsig-clangd, the clangd that shows opsig's findings, that belongs to this package."""
    return _find("opsig-clangd")


def _find(program: str) -> str:
    path = os.path.join(prefix(), "bin", program)
    if not os.path.isfile(path):
        raise FileNotFoundError(
            f"opsig {__version__} is incomplete, '{path}' is missing; "
            f"install it again: {sys.executable} -m pip install --force-reinstall opsig"
        )
    if not os.access(path, os.X_OK):
        raise PermissionError(
            f"'{path}' cannot be executed: it has no execute permission, or its file system is mounted with 'noexec'; "
            "install opsig into another folder"
        )
    return path


def _run(program: str) -> NoReturn:
    """Becomes the program, with the arguments of this process."""
    try:
        path = _find(program)
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{program}: error: {error}")
