# shellcheck shell=bash
# lib-apt.sh - packages of any of Debian's releases, fetched but not installed. Sourced, not run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   opsig_debian_suite RELEASE             prints the suite of a release: 12, 13 or testing
#   opsig_here                             prints the release that runs here; 12 where that is not Debian
#   opsig_mirror                           prints where packages come from
#   opsig_security_mirror                  prints where security updates come from
#   opsig_cache                            prints the folder of what is kept for the next time
#   opsig_own_apt STATE RELEASE PROGRAM COMMAND...
#                                          runs apt-get in the current folder with a state of its own below STATE;
#                                          what is free, and what OPSIG_APT_COMPONENTS names besides; with
#                                          OPSIG_APT_ARCHITECTURE for another processor, as arm64
#
# The system's apt and its lists are left alone, and neither root nor a line in the system's sources is needed.
# What apt says goes to STATE/log; where it fails, the reason is printed on stderr, after the name of PROGRAM.

opsig_debian_suite() {
  case $1 in
  12) echo bookworm ;;
  13) echo trixie ;;
  testing) echo testing ;;
  *) return 1 ;;
  esac
}

opsig_here() {
  # shellcheck source=utils/lib-install.sh
  (. "$(dirname "${BASH_SOURCE[0]}")/lib-install.sh" && _opsig_debian) || echo 12
}

opsig_mirror() { echo "${OPSIG_DEBIAN_MIRROR:-http://deb.debian.org/debian}"; }

opsig_security_mirror() { echo "${OPSIG_DEBIAN_SECURITY_MIRROR:-http://security.debian.org/debian-security}"; }

opsig_cache() { echo "${OPSIG_CACHE:-${XDG_CACHE_HOME:-${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}/.cache}/opsig}"; }

opsig_own_apt() {
  local State=$1 Release=$2 Program=$3 Suite Options=
  shift 3
  Suite=$(opsig_debian_suite "$Release") || {
    echo "$Program: '$Release' is none of Debian's releases 12, 13, testing" >&2
    return 2
  }
  command -v apt-get >/dev/null || {
    echo "$Program: there is no apt-get to fetch Debian's packages with" >&2
    return 2
  }
  mkdir -p "$State"/{lists/partial,cache/archives/partial}
  local Keys=/usr/share/keyrings/debian-archive-keyring.gpg
  if [ -r $Keys ]; then Options="[signed-by=$Keys] "; fi
  printf "%s $Options%s $Suite main${OPSIG_APT_COMPONENTS:+ $OPSIG_APT_COMPONENTS}\n" \
    deb "$(opsig_mirror)" deb-src "$(opsig_mirror)" >"$State/sources.list"
  # Clang 22 came to Debian 12 as an update.
  if [ -n "${OPSIG_APT_ARCHITECTURE:-}" ] && [ "$Suite" = bookworm ]; then
    echo "deb $Options$(opsig_security_mirror) $Suite-security main" >>"$State/sources.list"
  fi
  # Nothing counts as installed, so the newest of the suite is what is fetched. A mirror may be a snapshot,
  # whose lists are older than they promise to become.
  local -a Apt=(apt-get -qq -o "Dir::Etc::SourceList=$State/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
    -o "Dir::State::Lists=$State/lists" -o Dir::State::Status=/dev/null -o "Dir::Cache=$State/cache"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Languages=none
    -o Acquire::Check-Valid-Until=false -o Acquire::Retries=1 -o Acquire::http::Timeout=20
    -o APT::Sandbox::User=)
  if [ -n "${OPSIG_APT_ARCHITECTURE:-}" ]; then
    Apt+=(-o "APT::Architecture=$OPSIG_APT_ARCHITECTURE" -o "APT::Architectures=$OPSIG_APT_ARCHITECTURE")
  fi
  # An update that failed in part leaves older lists in use, and exit status 0.
  if ! "${Apt[@]}" -o APT::Update::Error-Mode=any update >"$State/log" 2>&1 || ! "${Apt[@]}" "$@" >"$State/log" 2>&1; then
    echo "$Program: Debian $Release: $(grep -m 1 '^E:' "$State/log" || tail -n 1 "$State/log")" >&2
    return 2
  fi
}
