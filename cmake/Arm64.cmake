# A toolchain file: opsig for arm64, compiled on another processor with Clang and a sysroot of Debian's packages.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cmake --preset arm64 -DOPSIG_SYSROOT="$(utils/sysroot arm64)"
#
# utils/package --arch arm64 does this, too.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES OPSIG_SYSROOT)
if(NOT OPSIG_SYSROOT)
  message(FATAL_ERROR "OPSIG_SYSROOT is not set; use -DOPSIG_SYSROOT=\"$(utils/sysroot arm64)\"")
endif()
set(CMAKE_SYSROOT ${OPSIG_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${OPSIG_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Where Clang finds GCC by itself, the way goes through a symbolic link and '..'. Ninja takes '..' away from the paths of
# headers, does not find them, and compiles everything each time.
file(GLOB gccs ${OPSIG_SYSROOT}/usr/lib/gcc/aarch64-linux-gnu/*)
if(NOT gccs)
  message(FATAL_ERROR "'${OPSIG_SYSROOT}' has no GCC for arm64; make it anew by utils/sysroot arm64")
endif()
list(SORT gccs COMPARE NATURAL ORDER DESCENDING)
list(GET gccs 0 gcc)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
  set(CMAKE_${language}_FLAGS_INIT --gcc-install-dir=${gcc})
endforeach()
# The C library of the sysroot is found through its own symbolic links only.
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -fuse-ld=lld)
