# Programs that need nothing of the system but Linux, for packages that are unpacked anywhere.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# opsig-portable and opsig-clangd-portable are opsig and opsig-clangd linked once more, from the same objects: without a
# shared library, not even glibc's. They are built when they are asked for. The programs for development stay dynamic:
# they link faster, and tests inject faults into them by LD_PRELOAD.
#
# ld.lld links them. GNU ld writes files that llvm-strip refuses, and has no packed relocations (see below).
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=ld.lld OUTPUT_VARIABLE lld_of_compiler
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
get_filename_component(lld_dir "${lld_of_compiler}" DIRECTORY)
find_program(OPSIG_LLD NAMES ld.lld PATHS ${lld_dir} ${LLVM_INSTALL_PREFIX}/bin NO_DEFAULT_PATH)
if(NOT OPSIG_PORTABLE OR NOT OPSIG_STATIC_LLVM)
  message(STATUS "portable programs cannot be linked: archives of Clang, LLVM, yaml-cpp, zstd or zlib are missing")
  return()
endif()
if(NOT OPSIG_LLD)
  message(STATUS "portable programs cannot be linked: LLVM has no ld.lld (package lld-22)")
  return()
endif()

# opsig_portable(OF [LINK...]): the target OF-portable, of the objects of the target OF and what these need besides
# opsig's own libraries and Clang's.
function(opsig_portable of)
  set(name ${of}-portable)
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${of}> $<TARGET_OBJECTS:opsigProjects>
    ${CMAKE_SOURCE_DIR}/cmake/Portable/WithoutZ3.cpp ${CMAKE_SOURCE_DIR}/cmake/Portable/PasswdFile.cpp)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable)
  opsig_link_archives(${name} ${ARGN})
  get_filename_component(lld_dir ${OPSIG_LLD} DIRECTORY)
  # Addresses that the program writes at its start take one bit each (--pack-dyn-relocs=relr) instead of 24 bytes.
  target_link_options(${name} PRIVATE -B${lld_dir} -fuse-ld=lld -static-pie
    LINKER:--pack-dyn-relocs=relr LINKER:--build-id=sha1 LINKER:-z,nostart-stop-gc)
  # On arm64, glibc's archive reaches only the first 32 KB of the global offset table, and ld.lld does not say when that is
  # exceeded: the program crashes before main(). Named first, its entries come first.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
    target_link_options(${name} PRIVATE -lc)
  endif()
endfunction()

opsig_portable(opsig)
if(TARGET opsig-clangd)
  # Of what opsig-clangd is linked with, clangd's archives, which need Clang's; targets are opsig's and LLVM's.
  get_target_property(links opsig-clangd LINK_LIBRARIES)
  list(FILTER links INCLUDE REGEX "^(/|-Wl,--(no-)?whole-archive)")
  opsig_portable(opsig-clangd $<TARGET_FILE:opsigTidy> ${links})
  add_dependencies(opsig-clangd-portable opsigTidy)
  get_target_property(options opsig-clangd LINK_OPTIONS)
  target_link_options(opsig-clangd-portable PRIVATE ${options})
endif()
