# The suite. A test is one file with RUN lines (test/unit has its own rules); utils/test runs it all.
#
# Folders mirror lib/: a test of lib/Schema is in test/Schema. Tests of programs are in test/tool, of the
# house rules in test/Repo; test/Oracle, test/Backend, test/Bazel and test/Fuzz need more than opsig itself.
#
# Features (for REQUIRES):
#   torch      /usr/bin/python3 has torch and torchgen (Debian's python3-torch)
#   libtorch   libtorch's headers and library are installed (Debian's libtorch-dev)
#   torch-2.6 and the like   that torch is of that release
#   sarif-model   that torch has classes for SARIF logs, as it has at least until 2.6 and not in 2.9
#   stable-abi   those headers have the stable ABI that kernels are boxed with
#   autograd   tools/autograd of Debian's release: in OPSIG_AUTOGRAD_DIR, in its torchgen (since Debian 13), or
#              fetched (utils/fetch-autograd)
#   fuzzer     the fuzzing programs are built
#   debian-13, debian-testing   that release's packages of PyTorch are there, or were fetched (test/Oracle)
#   slow       minutes are allowed: utils/test --all
#   asan, ubsan   opsig is built with that sanitizer
#   pybind11   the headers that an extension module for /usr/bin/python3 needs (pybind11-dev, python3-dev)
#   mypy       /usr/bin/mypy is there
#   pip        the wheel of pip that Debian's python3-venv comes with is there
#   setuptools   /usr/bin/python3 has it (Debian's python3-setuptools)
#   site       what utils/site makes its pages with
#   clang-tidy, clang-format, opsig-clangd, nvim, hx   those programs are there
#   eglot      Emacs has it, as Debian's elpa-eglot
#   strace, lintian, ninja   those programs are there
#   yaml       PyYAML is there for /usr/bin/python3
#   debian-llvm   LLVM is Debian's, whose licences are where packages take them from
#   vscode-tools, code-server   what npm has for the extension of VS Code and its tests (test/Editors)
#   bazel      Bazel 4 of Debian's bazel-bootstrap; any other would fetch rules that the tests have not
# Substitutions: %opsig, %python, %mypy, %src_root, %build_root, %utils, %inputs, %torch_root, %autograd_dir,
# %torch_std (the flag of the standard that libtorch's headers want; OPSIG_TORCH_STD for scripts), %torch_version
# (the installed PyTorch's MAJOR.MINOR; OPSIG_TORCH_VERSION). opsig, FileCheck, not, split-file and clang++ are on
# PATH.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats

PYTHON = "/usr/bin/python3"
MYPY = "/usr/bin/mypy"


def python_package_dir(name):
    """The folder that holds the package `name` of Debian's Python, or None."""
    code = "import importlib.util as u, sys; s = u.find_spec(sys.argv[1]); print(s.origin if s else '')"
    try:
        # In an empty environment: only what the distribution installed counts.
        out = subprocess.run(
            [PYTHON, "-c", code, name], capture_output=True, text=True, env={}, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    origin = out.stdout.strip()
    return os.path.dirname(os.path.dirname(origin)) if origin else None


def has_libtorch():
    libraries = glob.glob("/usr/lib/*/libtorch_cpu.so") + glob.glob("/usr/lib/libtorch_cpu.so")
    return os.path.exists("/usr/include/ATen/ATen.h") and bool(libraries)


def has_stable_abi():
    """Whether the headers have TORCH_BOX, as they do since 2.10."""
    try:
        with open("/usr/include/torch/csrc/stable/library.h") as header:
            return "#define TORCH_BOX" in header.read()
    except OSError:
        return False


bin_dir = os.path.join(config.opsig_obj_root, "bin")
utils_dir = os.path.join(config.opsig_src_root, "utils")
torch_root = python_package_dir("torchgen")
torch_std = subprocess.check_output([os.path.join(utils_dir, "torch-std")], text=True).strip()


def find_torch_version():
    """MAJOR.MINOR of this system's PyTorch, or ""."""
    try:
        with open(os.path.join(torch_root or "/nonexistent", "torch", "version.py")) as version:
            return re.search(r"^__version__ = '(\d+\.\d+)", version.read(), re.M)[1]
    except OSError:
        return ""


torch_version = find_torch_version()


def find_autograd_dir():
    """tools/autograd of this system's PyTorch: what torchgen brings along, or what was fetched."""
    packaged = os.path.join(torch_root or "/nonexistent", "torchgen", "packaged", "autograd")
    if os.path.exists(os.path.join(packaged, "gen_python_functions.py")):
        return packaged
    return os.path.join(config.opsig_obj_root, "sources", "tools", "autograd")


autograd_dir = os.environ.get("OPSIG_AUTOGRAD_DIR") or find_autograd_dir()

config.name = "opsig"
config.test_source_root = os.path.join(config.opsig_src_root, "test")
config.test_exec_root = os.path.join(config.opsig_obj_root, "test")
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cpp", ".yaml"]
config.excludes = ["Inputs"]

config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "/usr/bin:/bin")]
)
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["OPSIG_TORCH_STD"] = torch_std
config.environment["OPSIG_TORCH_VERSION"] = torch_version
# A sanitizer's finding is a failure, also where the program would have gone on.
config.environment["UBSAN_OPTIONS"] = os.environ.get(
    "UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1"
)
# LLVM's libraries are built without AddressSanitizer, so that pieces of its pools that opsig's own code marks as unused are
# used by them: a finding that is none.
config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"
for Name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "CCACHE_DIR", "OPSIG_CACHE", "XDG_CACHE_HOME", "HOME"):
    if Name in os.environ:
        config.environment[Name] = os.environ[Name]
# What tests keep of their readings is theirs, and of this run. Systems that were fetched stay where they are.
user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
config.environment.setdefault("OPSIG_CACHE", os.path.join(user_cache, "opsig"))
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
shutil.rmtree(config.environment["XDG_CACHE_HOME"], ignore_errors=True)
# Where the key of the cache is.
config.environment["XDG_CONFIG_HOME"] = os.path.join(config.test_exec_root, "config")

if torch_root and python_package_dir("torch") == torch_root:
    config.available_features.add("torch")
    config.available_features.add(f"torch-{torch_version}")
if torch_root and os.path.exists(
    os.path.join(torch_root, "torch", "onnx", "_internal", "diagnostics", "infra", "sarif")
):
    config.available_features.add("sarif-model")
if os.path.exists(os.path.join(autograd_dir, "gen_python_functions.py")):
    config.available_features.add("autograd")
if has_libtorch():
    config.available_features.add("libtorch")
    if has_stable_abi():
        config.available_features.add("stable-abi")
if glob.glob("/usr/include/python3*/Python.h") and os.path.exists(
    "/usr/include/pybind11/pybind11.h"
):
    config.available_features.add("pybind11")
if python_package_dir("myst_parser") and python_package_dir("furo"):
    config.available_features.add("site")
if os.path.exists("/usr/share/doc/libclang-22-dev/copyright"):
    config.available_features.add("debian-llvm")
if python_package_dir("yaml"):
    config.available_features.add("yaml")
if python_package_dir("setuptools"):
    config.available_features.add("setuptools")
if glob.glob("/usr/share/python-wheels/pip-*.whl"):
    config.available_features.add("pip")
if os.path.exists(MYPY):
    config.available_features.add("mypy")
if glob.glob(os.path.join(bin_dir, "*fuzz*")):
    config.available_features.add("fuzzer")
for Program, Feature in (
    ("clang-tidy-22", "clang-tidy"),
    ("clang-format-22", "clang-format"),
    (os.path.join(bin_dir, "opsig-clangd"), "opsig-clangd"),
    ("nvim", "nvim"),
    ("hx", "hx"),
    ("chromium", "chromium"),
    ("fish", "fish"),
    ("zsh", "zsh"),
    ("groff", "groff"),
    ("pre-commit", "pre-commit"),
    ("strace", "strace"),
    ("lintian", "lintian"),
    ("ninja", "ninja"),
    ("bazel-4", "bazel"),
):
    if shutil.which(Program):
        config.available_features.add(Feature)
if shutil.which("emacs") and glob.glob("/usr/share/emacs/site-lisp/elpa*/eglot-*"):
    config.available_features.add("eglot")
if lit_config.params.get("slow"):
    config.available_features.add("slow")
for Sanitizer, Feature in (("address", "asan"), ("undefined", "ubsan")):
    if Sanitizer in config.cxx_flags.lower():
        config.available_features.add(Feature)

config.substitutions += [
    (r"%opsig\b(?!-)", os.path.join(bin_dir, "opsig")),
    (r"%python\b", PYTHON),
    (r"%mypy\b", MYPY),
    (r"%zsh\b", shutil.which("zsh") or "zsh"),
    (r"%src_root\b", config.opsig_src_root),
    (r"%build_root\b", config.opsig_obj_root),
    (r"%utils\b", utils_dir),
    (r"%inputs\b", os.path.join(config.test_source_root, "Inputs")),
    (r"%torch_std\b", torch_std),
    (r"%torch_version\b", torch_version),
    (r"%torch_root\b", torch_root or "/nonexistent"),
    (r"%autograd_dir\b", autograd_dir),
]

# In a clone whose path has a space, the paths in RUN lines need care.
roots = [root for root in (config.opsig_src_root, config.opsig_obj_root) if " " in root]
if roots:
    sys.path.append(config.test_source_root)
    import lit_spaces

    config.test_format = lit_spaces.ShTest(roots)
    config.substitutions = [
        (name, lit_spaces.without_spaces(value, roots)) for name, value in config.substitutions
    ]

# A test that hangs must not hang the suite. lit can stop tests only where it has psutil.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = lit_config.maxIndividualTestTime or 1800
