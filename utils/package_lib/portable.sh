# shellcheck shell=bash
# portable.sh - what the tarball and the wheel hold. Sourced by utils/package, not run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   architecture NAME   prints the kernel's name of a processor, as in the names of packages; fails if there is no opsig for it
#   stage               makes the folder Stage
#
# Uses Root, Build, Arch, Version, Work, MayBuild, stop and built of utils/package.

architecture() {
  case $1 in
  x86_64 | x86-64 | amd64) echo x86_64 ;;
  arm64 | aarch64) echo aarch64 ;;
  *) stop 2 "no opsig for '$1'; expected x86_64 or arm64" ;;
  esac
}

# What programs hold of others' libraries is theirs; their licences go with it.
licences() {
  /usr/bin/python3 -B "$Root/utils/package_lib/components.py" licences "$(linked_build)" "$1"
}

# linked_build: the build folder whose link commands made the programs.
linked_build() {
  if [ "$Arch" = "$(uname -m)" ]; then echo "$Build"; else echo "$Root/build-arm64"; fi
}

# programs: the folder of the two static programs, which are built where they may be.
programs() {
  local Folder=$Build/portable
  if [ "$Arch" != "$(uname -m)" ]; then Folder=$(cross_programs) || exit; elif [ $MayBuild = yes ]; then
    built opsig-portable opsig-clangd-portable
  fi
  for Program in opsig opsig-clangd; do
    [ -x "$Folder/$Program-portable" ] || stop 1 "target $Program-portable is not built; cmake says why"
  done
  echo "$Folder"
}

# cross_programs: the same for another processor.
cross_programs() {
  local Cross=$Root/build-arm64 Sysroot
  [ "$Arch" = aarch64 ] || stop 1 "programs for $Arch can be made on $Arch only"
  if [ $MayBuild = yes ]; then
    Sysroot=$("$Root/utils/sysroot" arm64) || exit
    {
      cmake -S "$Root" --preset arm64 "-DOPSIG_SYSROOT=$Sysroot" &&
        cmake --build "$Cross" -j "${OPSIG_JOBS:-2}" --target opsig-portable opsig-clangd-portable
    } >"$Work/log" 2>&1 ||
      stop 1 "cannot be built for $Arch ($(grep -m 1 -i error "$Work/log" || tail -n 1 "$Work/log"))"
  fi
  echo "$Cross/portable"
}

# needs_nothing PROGRAM: it is static, for the right processor, and can lie anywhere in memory.
needs_nothing() {
  local Header Name
  Name=$(basename "$1")
  Header=$("$(_opsig_llvm_prefix)/bin/llvm-readelf" -hld "$1")
  case $Header in *'(NEEDED)'* | *' INTERP '*) stop 1 "$Name needs shared libraries: $(grep -m 1 NEEDED <<<"$Header")" ;; esac
  grep -q 'Type: *DYN ' <<<"$Header" || stop 1 "$Name lies at a fixed address"
  case $Arch in x86_64) Machine=X86-64 ;; aarch64) Machine=AArch64 ;; esac
  grep -q "Machine:.*$Machine" <<<"$Header" || stop 1 "$Name is not for $Arch: $(grep Machine: <<<"$Header")"
}

# The folder Stage: an installation that can be put anywhere.
Stage=
stage() {
  local Clang Program Programs
  if [ -n "$Stage" ]; then return 0; fi
  # Man pages and completions are what the program of this machine says of itself.
  built opsig-installed
  Programs=$(programs) || exit
  Stage=$Work/opsig-$Version
  cmake --install "$Build" --prefix "$Stage" >"$Work/log" 2>&1 || stop 1 "cmake --install failed"
  # Modules work in the one LLVM that a distribution has, not in any.
  rm -r "$Stage/lib/opsig"
  Clang=$(clang-22 -print-resource-dir)
  mkdir -p "$Stage/lib/clang/$(basename "$Clang")"
  cp -rL "$Clang/include" "$Stage/lib/clang/$(basename "$Clang")/"
  licences "$Stage/share/doc/opsig/licences"
  for Program in opsig opsig-clangd; do
    cp "$Programs/$Program-portable" "$Stage/bin/$Program"
    "$(_opsig_llvm_prefix)/bin/llvm-strip" "$Stage/bin/$Program"
    needs_nothing "$Stage/bin/$Program"
  done
}
