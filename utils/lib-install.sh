# shellcheck shell=bash
# lib-install.sh - the packages that opsig's scripts need, and how they get there. Sourced, not run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   opsig_install GROUP...      makes sure that the packages of the groups (compiler, build, torch, test) are there
#   opsig_packages GROUP...     prints their names, one a line
#
# On Debian 12, 13 and testing, where they have the same names, it installs what is missing, as root or through
# sudo, and does not touch apt when nothing is. Anywhere else the packages have other names and versions, so it
# looks for the tools themselves and names those that are missing. With OPSIG_NO_INSTALL=1 (the scripts'
# --no-install) it never installs. Returns 0 when everything is there, else 2 with the reason on stderr.
#
# Where they come from: the main archive, but for clang-22 and LLVM 22 on Debian 12, which are in its security
# archive; Debian's images and installer enable that. python3-torch and libtorch-dev are the release of PyTorch
# that Debian's release has, with its generator, torchgen, for /usr/bin/python3.

# group | Debian package | how to see that it is there on any system | what it is
_opsig_packages='
compiler|clang-22|command clang++-22|Clang 22, the compiler
build|libclang-22-dev|file clang/ClangConfig.cmake|Clang 22, the libraries and their CMake files
build|llvm-22-dev|file llvm/LLVMConfig.cmake|LLVM 22, the libraries and their CMake files
build|lld-22|tool ld.lld|LLD 22, which links the portable programs
build|libclang-rt-22-dev|link -fsanitize=fuzzer,address|Clang 22, the runtimes of libFuzzer and the sanitizers
build|libyaml-cpp-dev|header yaml-cpp/yaml.h|yaml-cpp, headers and library
build|libzstd-dev|header zstd.h|zstd, headers and library, which LLVM compresses with
build|libgtest-dev|header gtest/gtest.h|GoogleTest, headers and library
build|ninja-build|command ninja|Ninja
build|cmake|command cmake|CMake 3.25 or newer
torch|libtorch-dev|header ATen/ATen.h|PyTorch, headers and library
torch|python3-torch|python torch, torchgen|PyTorch in Python, with torchgen, for /usr/bin/python3
test|llvm-22-tools|tool lit|lit, FileCheck, not and split-file of LLVM 22
test|clang-tidy-22|command clang-tidy-22|clang-tidy of LLVM 22, which the tests load a module into
test|clang-format-22|command clang-format-22|clang-format of LLVM 22, which checks how sources are formatted
test|python3|command python3|Python 3
test|git|command git|git
test|make|command make|make, a build tool that projects of one test use
test|xz-utils|command xz|xz, which unpacks sources of Debian
test|pybind11-dev|header pybind11/pybind11.h|pybind11, which headers of PyTorch for Python include
test|libfmt-dev|header fmt/format.h|fmt, which headers of newer PyTorch for Python include
test|python3-dev|pyheader Python.h|Python 3, the headers
test|python3-venv|python venv, ensurepip|virtual environments of Python, with pip
test|python3-yaml|python yaml|PyYAML, which reads the template for GitLab in its test
test|python3-setuptools|python setuptools|setuptools, which builds extensions of Python
test|mypy|command mypy|mypy, a type checker for Python
test|fish|command fish|fish, a shell whose completions are tested
test|zsh|command zsh|zsh, another one
test|pre-commit|command pre-commit|pre-commit, which runs checks before a commit
test|groff-base|command groff|groff, which formats man pages
editor|neovim|command nvim|neovim, the editor of some tests
site|python3-myst-parser|python myst_parser|MyST, which reads the documents for Sphinx
site|furo|python furo|furo, how the site of the documents looks
emacs|emacs-nox|command emacs|Emacs, the editor of one test
emacs|elpa-eglot|elisp eglot-|eglot, its client of language servers, as Debian 12 has it
helix|hx|command hx|Helix, the editor of one test, which Debian has since 13
browser|chromium|command chromium|Chromium, the browser that pages are tested in
node|nodejs|command node|Node.js 20, which VS Code runs in
node|npm|command npm|npm, which has the packages of the extension of VS Code and its tests
node|libnode-dev|path /usr/include/node/node.h|Node.js, the headers
bazel|bazel-bootstrap|command bazel-4|Bazel 4 as Debian 12 has it, which builds the workspace of one test
package|lintian|command lintian|lintian, which checks packages by the policy of Debian
systems|mmdebstrap|command mmdebstrap|mmdebstrap, which unpacks another release of Debian
'

# The folder of LLVM 22; the scripts add its bin to PATH.
_opsig_llvm_prefix() {
  local Config
  if Config=$(command -v llvm-config-22); then "$Config" --prefix; else echo /usr/lib/llvm-22; fi
}

# _opsig_probe KIND ARGUMENT: whether a tool or library is there, asked of the system, not of dpkg.
_opsig_probe() {
  local Cxx
  Cxx=$(command -v clang++-22 || command -v c++) || Cxx=false
  case $1 in
  command) command -v "$2" ;;
  path) test -e "$2" ;;
  tool) test -x "$(_opsig_llvm_prefix)/bin/$2" ;;
  file) test -e "$(_opsig_llvm_prefix)/lib/cmake/$2" ;;
  header) echo "#include <$2>" | "$Cxx" -std=c++20 -x c++ -E -o /dev/null - ;;
  link) echo 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) { return 0; }' |
    "$Cxx" -x c++ "$2" -o /dev/null - ;;
  pyheader) ls /usr/include/python3*/"$2" ;;
  elisp) ls -d /usr/share/emacs/site-lisp/elpa*/"$2"* ;;
  python) /usr/bin/python3 -c "import $2" ;;
  esac >/dev/null 2>&1
}

# _opsig_debian: prints 12, 13 or testing; fails on any other system. What comes after 13 is testing, which
# has no VERSION_ID before it is released.
_opsig_debian() {
  local File=${OPSIG_OS_RELEASE:-/etc/os-release}
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null && test -r "$File" && (
    unset ID VERSION_ID
    # shellcheck disable=SC1090
    . "$File"
    test "${ID:-}" = debian || exit 1
    case ${VERSION_ID:-testing} in
    12 | 13) echo "$VERSION_ID" ;;
    testing | 1[4-9] | [2-9][0-9]) echo testing ;;
    *) exit 1 ;;
    esac
  )
}

# _opsig_missing GROUP... : the table's lines whose package (on Debian) or tool (elsewhere) is missing.
_opsig_missing() {
  local Group Package Probe What Debian=no
  if _opsig_debian >/dev/null; then Debian=yes; fi
  while IFS='|' read -r Group Package Probe What; do
    case " $* " in *" $Group "*) ;; *) continue ;; esac
    if [ $Debian = yes ]; then
      case $(dpkg-query -W -f '${Status}' "$Package" 2>/dev/null) in *' ok installed') continue ;; esac
    elif _opsig_probe "${Probe%% *}" "${Probe#* }"; then
      continue
    fi
    echo "$Group|$Package|$Probe|$What"
  done <<<"$_opsig_packages"
}

# _opsig_apt ARGUMENT... : apt-get without questions, as root or through sudo.
_opsig_apt() {
  local -a Command=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@")
  if [ "$(id -u)" -ne 0 ]; then Command=(sudo "${Command[@]}"); fi
  # Hundreds of lines that say "Unpacking" help nobody; what goes wrong is on stderr.
  "${Command[@]}" >/dev/null
}

# _opsig_known_groups GROUP... : fails, and says so, where the table has no such group.
_opsig_known_groups() {
  local Group
  for Group in "$@"; do
    case $_opsig_packages in *$'\n'"$Group|"*) ;; *)
      echo "opsig_install: no group '$Group'" >&2
      return 2
      ;;
    esac
  done
}

opsig_packages() {
  local Line
  _opsig_known_groups "$@" || return 2
  while IFS= read -r Line; do
    case " $* " in *" ${Line%%|*} "*) cut -d'|' -f2 <<<"$Line" ;; esac
  done <<<"$_opsig_packages"
}

opsig_install() {
  _opsig_known_groups "$@" || return 2
  local Missing
  Missing=$(_opsig_missing "$@")
  if [ -z "$Missing" ]; then return 0; fi

  local -a Packages
  mapfile -t Packages < <(cut -d'|' -f2 <<<"$Missing")

  if ! _opsig_debian >/dev/null; then
    {
      echo "This is not Debian 12, 13 or testing, so nothing is installed here. Missing, with Debian's package name:"
      while IFS='|' read -r _ Package _ What; do echo "  $What ($Package)"; done <<<"$Missing"
    } >&2
    return 2
  fi
  if [ "${OPSIG_NO_INSTALL:-0}" = 1 ]; then
    echo "Missing packages, and --no-install was given: ${Packages[*]}" >&2
    return 2
  fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "Missing packages, and neither root nor sudo to install them: ${Packages[*]}" >&2
    return 2
  fi

  echo "Installing ${Packages[*]}" >&2
  if ! _opsig_apt update; then
    echo "apt-get update failed; trying with the lists that are there" >&2
  fi
  local Package
  for Package in "${Packages[@]}"; do
    if ! apt-cache show "$Package" >/dev/null 2>&1; then
      echo "apt knows no package '$Package'." >&2
      if [ "$(_opsig_debian)" = 12 ]; then
        echo "LLVM 22 is in Debian 12's security archive:" >&2
        echo "  deb http://security.debian.org/debian-security bookworm-security main" >&2
      fi
      return 2
    fi
  done
  if ! _opsig_apt install -y --no-install-recommends "${Packages[@]}"; then
    echo "apt-get could not install: ${Packages[*]}" >&2
    return 2
  fi
}
