# The program as a distribution's package has it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# distribution/opsig is opsig linked once more, from the same objects, by a distribution's rules: it can lie anywhere in
# memory, and zlib, zstd and the C++ library are the distribution's own, so that their updates reach it. LLVM stays linked in, since
# its shared library takes longer to start than the rest of most runs. It is built when utils/package deb asks for it.
if(NOT OPSIG_HAS_ARCHIVES OR NOT OPSIG_STATIC_LLVM)
  return()
endif()

function(opsig_distribution name)
  add_executable(${name}-distribution EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}> $<TARGET_OBJECTS:opsigProjects>)
  set_target_properties(${name}-distribution PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/distribution)
  set(OPSIG_ZLIB z)
  set(OPSIG_ZSTD zstd)
  opsig_link_archives(${name}-distribution)
  get_target_property(options ${name}-distribution LINK_OPTIONS)
  list(REMOVE_ITEM options -static-libstdc++ -static-libgcc)
  set_target_properties(${name}-distribution PROPERTIES LINK_OPTIONS "${options}")
  target_link_options(${name}-distribution PRIVATE -pie LINKER:--build-id)
  # Addresses that the program writes at its start take one bit each instead of 24 bytes, as glibc 2.36 and newer read them.
  include(CheckLinkerFlag)
  check_linker_flag(CXX LINKER:-z,pack-relative-relocs OPSIG_HAS_RELR)
  if(OPSIG_HAS_RELR)
    target_link_options(${name}-distribution PRIVATE LINKER:-z,pack-relative-relocs)
  endif()
endfunction()
opsig_distribution(opsig)
