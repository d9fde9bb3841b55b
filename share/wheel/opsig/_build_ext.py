"""A build_ext command that checks the sources of extensions while setup.py builds them.

The build's own commands are collected: from PyTorch's BuildExtension the build.ninja that it writes for each extension,
from any other build_ext what it starts the compiler with. One run of `opsig check` then reads all of them, also where a
compiler failed, so that its findings stand below the compiler's errors.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, Optional, Sequence, Type

Command = Dict[str, Any]  # an entry of compile_commands.json

_SOURCES = (".cpp", ".cc", ".cxx", ".c++", ".C", ".cu", ".hip", ".mu")


def checked(build_ext: Type[Any], *, warn: bool = False, options: Sequence[str] = ()) -> Type[Any]:
    """Returns a subclass of the command `build_ext` that runs `opsig check` over the sources that it compiles.

    An error that opsig finds fails the build, and so does a check that cannot be done. With `warn`, both are only
    printed. `options` are further options of `opsig check`. Other settings are read from .opsig.yaml or pyproject.toml.

    The check is one of all extensions after the last one is built, or has failed. It does not miss kernels and operators
    that these sources lack (--scope=unit), unless the options say otherwise.
    """

    class CheckedBuildExt(build_ext):  # type: ignore[misc]
        def build_extensions(self) -> None:
            self._opsig = _Collector()
            restore = self._opsig.record(self.compiler)
            try:
                super().build_extensions()
            except BaseException as error:
                restore()
                if isinstance(error, Exception):  # not an interrupt
                    self._opsig_check(failed=True)
                raise
            restore()
            self._opsig_check(failed=False)

        def build_extension(self, ext: Any) -> None:
            try:
                super().build_extension(ext)
            finally:
                # The next extension may overwrite this one's build.ninja.
                self._opsig.add_extension(ext, self.build_temp)

        def _opsig_check(self, failed: bool) -> None:
            problem = _check(self._opsig, options)
            if not problem:
                return
            if warn or failed:
                print(problem, file=sys.stderr)
                return
            # What is up to date would not be compiled, and so not be checked, the next time.
            for ext in self.extensions:
                path = self.get_ext_fullpath(ext.name)
                if os.path.exists(path):
                    os.remove(path)
            raise _compile_error()(problem)

    CheckedBuildExt.__name__ = build_ext.__name__
    CheckedBuildExt.__qualname__ = build_ext.__qualname__
    return CheckedBuildExt


class _Collector:
    """The commands that extensions are compiled with."""

    def __init__(self) -> None:
        self.commands: List[Command] = []
        self.skipped: List[str] = []  # the sources of which no command was seen
        self.folder = os.getcwd()
        self._spawned: Dict[str, List[str]] = {}  # by source
        self._lock = threading.Lock()  # build_ext --parallel

    def record(self, compiler: Any) -> Any:
        """Keeps the commands that `compiler` starts from now on; returns what ends this."""
        # Compilers of setuptools start programs by `call` where they have it, also those that are asked to `spawn`.
        name = "call" if hasattr(compiler, "call") else "spawn"
        start = getattr(compiler, name)

        def recorded(cmd: Sequence[str], *args: Any, **kwargs: Any) -> Any:
            words = [os.fspath(word) for word in cmd]
            if "-c" in words:
                with self._lock:
                    for word in words[1:]:
                        if word.endswith(_SOURCES):
                            self._spawned[self._absolute(word)] = words
            return start(cmd, *args, **kwargs)

        setattr(compiler, name, recorded)

        def restore() -> None:
            compiler.__dict__.pop(name, None)
            if getattr(compiler, name) != start:
                setattr(compiler, name, start)

        return restore

    def add_extension(self, ext: Any, build_temp: str) -> None:
        sources = [self._absolute(source) for source in ext.sources if source.endswith(_SOURCES)]
        with self._lock:
            by_source = {source: self._spawned[source] for source in sources if source in self._spawned}
        found: List[Command] = [
            {"directory": self.folder, "file": source, "arguments": words} for source, words in by_source.items()
        ]
        if len(found) < len(sources):
            found += [
                command
                for command in _ninja_commands(build_temp)
                if self._absolute(command["file"]) in sources and command["file"] not in by_source
            ]
        self.commands += found
        seen = {self._absolute(command["file"]) for command in found}
        self.skipped += [source for source in sources if source not in seen]

    def _absolute(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.folder, path))


def _ninja_commands(folder: str) -> List[Command]:
    """The compile commands of the build.ninja that PyTorch wrote into `folder`."""
    try:
        with open(os.path.join(folder, "build.ninja"), encoding="utf-8") as file:
            # Ninja before 1.10 prints the commands of no rule that is not named.
            rules = re.findall(r"^rule +(\S+)", file.read(), re.M)
    except OSError:
        return []
    try:
        done = subprocess.run(
            ["ninja", "-C", folder, "-t", "compdb", *rules], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
        # It says "Entering directory" first.
        text = done.stdout.decode("utf-8", "surrogateescape")
        return list(json.loads(text[text.index("[") :]))
    except (OSError, subprocess.CalledProcessError, ValueError):
        return []


def _check(collected: _Collector, options: Sequence[str]) -> Optional[str]:
    """Checks what was collected, prints the findings, and returns what is wrong."""
    from . import find_opsig_bin

    if collected.skipped:
        names = ", ".join(os.path.relpath(source, collected.folder) for source in collected.skipped)
        print(f"opsig: not checked, because it was not compiled now: {names}", file=sys.stderr)
    if not collected.commands:
        return None
    sources = list(dict.fromkeys(command["file"] for command in collected.commands))
    extent = [] if any(option.startswith(("--scope", "--extent")) for option in options) else ["--scope=unit"]
    with tempfile.TemporaryDirectory(prefix="opsig-") as folder:
        with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(collected.commands, file)
        words = ["check", "-p", folder, *extent, *options, *(os.path.relpath(s, collected.folder) for s in sources)]
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            done = subprocess.run(
                [find_opsig_bin(), *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=collected.folder,
                check=False,
            )
        except OSError as error:
            return f"opsig: the sources are not checked: {error}"
    findings = done.stdout.decode("utf-8", "replace")
    # To the same place as the compiler's errors, and behind them.
    print(findings, end="", file=sys.stderr, flush=True)
    if done.returncode == 0:
        return None
    if done.returncode == 1:
        errors = len(re.findall(r"^(?!opsig: )[^\n]*: error: ", findings, re.M))
        return f"opsig: {errors} error{'' if errors == 1 else 's'} in the sources of extensions" if errors else None
    return f"opsig: the sources are not checked: {shlex.join(['opsig', *words])} ended with status {done.returncode}"


def _compile_error() -> Type[Exception]:
    """What setuptools reports without a traceback."""
    try:
        from setuptools.errors import CompileError
    except ImportError:
        from distutils.errors import CompileError  # setuptools before 59
    return CompileError  # type: ignore[no-any-return]
