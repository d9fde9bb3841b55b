"""What packages hold of others' code: which libraries the programs are linked with, and their licences.

`components.py licences BUILD FOLDER [TARGET...]` copies the licence of each component into FOLDER;
`components.py copyright BUILD FILE [TARGET...]` prints a Debian copyright file: FILE, then those licences.
The libraries are read off the link commands of the TARGETS (default: those of programs that run on any Linux).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Component:
    """A library or a set of headers, as Debian packages it."""

    name: str
    package: str  # of Debian; its copyright file holds the licence
    licence: str  # an SPDX expression
    home: str
    version: str = ""
    targets: set = field(default_factory=set)  # the build's targets that hold it


GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
LLVM = "Apache-2.0 WITH LLVM-exception"
# By the names of archives. A name that is not here stops a package from being made.
KNOWN = (
    (r"lib(LLVM|clang|Polly)\w*\.a", "LLVM", "libclang-22-dev", LLVM, "https://llvm.org"),
    (r"libyaml-cpp\.a", "yaml-cpp", "libyaml-cpp-dev", "MIT", "https://github.com/jbeder/yaml-cpp"),
    (r"libzstd\.a", "zstd", "libzstd-dev", "BSD-3-Clause OR GPL-2.0-only", "https://facebook.github.io/zstd"),
    (r"libz\.a", "zlib", "zlib1g-dev", "Zlib", "https://zlib.net"),
    (r"lib(stdc\+\+|supc\+\+|gcc|gcc_eh)\.a", "libstdc++", "", GCC, "https://gcc.gnu.org"),
    (r"lib(c|m|dl|rt|pthread|util)\.a", "glibc", "libc6-dev", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc"),
)
HEADERS = ("Clang's headers", "libclang-common-22-dev", LLVM, "https://clang.llvm.org")


def stop(why):
    sys.exit(f"utils/package: {why}")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def link_command(build, target):
    """The words of the command that links a target."""
    try:
        commands = output("ninja", "-C", str(build), "--quiet", "-t", "commands", target).splitlines()
    except subprocess.CalledProcessError:
        return []
    return shlex.split(commands[-1]) if commands else []


def portable_targets(build):
    """The programs that run on any Linux: the twins for packages, where the build has them."""
    text = (Path(build) / "build.ninja").read_text()
    twins = {name: f"portable/{name}-portable" for name in ("opsig", "opsig-clangd")}
    return [twin if f"build {twin}:" in text else f"bin/{name}" for name, twin in twins.items()]


def archives(build, target):
    """The archives of other projects that a target is linked with, with those that the compiler adds."""
    words = link_command(build, target)
    if not words:
        stop(f"the build has no command that links '{target}'")
    found = [Path(word).name for word in words if word.endswith(".a") and os.path.isabs(word)]
    found = [name for name in found if not name.startswith("libopsig")]
    static = "-static" in words or "-static-pie" in words
    if static or "-static-libstdc++" in words:
        found.append("libstdc++.a")
    if static or "-static-libgcc" in words:
        found.append("libgcc.a")
    if static:
        found.append("libc.a")
    return found


def package_of_gcc():
    file = output("clang++-22", "-print-file-name=libstdc++.a")
    return output("dpkg-query", "-S", os.path.realpath(file)).split(":")[0]


def version_of(package):
    try:
        return output("dpkg-query", "-W", "-f", "${Version}", package)
    except subprocess.CalledProcessError:
        return stop(f"'{package}' is not installed, so its version and licence are not known")


def licence_file(component):
    file = Path("/usr/share/doc") / component.package / "copyright"
    return file if file.exists() else stop(f"the licence of {component.package} is not there: '{file}'")


def components(build, targets=(), headers=True):
    """What the targets hold, and, beside programs that run anywhere, Clang's own headers."""
    found = {}
    for target in targets or portable_targets(build):
        for archive in archives(build, target):
            known = next((k for k in KNOWN if re.fullmatch(k[0], archive)), None)
            if not known:
                stop(f"'{target}' is linked with '{archive}', whose licence is not known: add it to components.py")
            _, name, package, licence, home = known
            if name not in found:
                package = package or package_of_gcc()
                found[name] = Component(name, package, licence, home, version_of(package))
            found[name].targets.add(target)
    if headers:
        name, package, licence, home = HEADERS
        found[name] = Component(name, package, licence, home, version_of(package))
    return list(found.values())


def copy_licences(build, folder, targets):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for component in components(build, targets):
        shutil.copyfile(licence_file(component), Path(folder) / component.package)


def print_copyright(build, own, targets):
    held = components(build, targets, headers=False)
    print("opsig's own code")
    print("================\n")
    print(Path(own).read_text().rstrip())
    for component in held:
        title = f"{component.name} {component.version}, which is linked into opsig's programs"
        print(f"\n\n{title}\n{'=' * len(title)}\n\n{licence_file(component).read_text().rstrip()}")


def main():
    kind, build, where, *targets = sys.argv[1:]
    {"licences": copy_licences, "copyright": print_copyright}[kind](build, where, targets)


if __name__ == "__main__":
    main()
