# Programs that need nothing of the system but glibc, for packages that are unpacked on any Linux.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# opsig itself is such a program wherever the archives are there. opsig-clangd has a twin, opsig-clangd-portable, made of
# the same sources with the same flags, that has Clang and LLVM inside; it is built when it is asked for.
if(NOT OPSIG_PORTABLE OR NOT OPSIG_STATIC_LLVM)
  message(STATUS "programs for any Linux cannot be linked: archives of Clang, LLVM, yaml-cpp, zstd or zlib are missing")
  return()
endif()
if(NOT TARGET opsig-clangd)
  return()
endif()

get_target_property(sources opsig-clangd SOURCES)
get_target_property(folder opsig-clangd SOURCE_DIR)
list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
add_executable(opsig-clangd-portable EXCLUDE_FROM_ALL ${sources}
  ${CMAKE_SOURCE_DIR}/cmake/Portable/WithoutZ3.cpp)
foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_OPTIONS)
  get_target_property(value opsig-clangd ${property})
  if(value)
    set_target_properties(opsig-clangd-portable PROPERTIES ${property} "${value}")
  endif()
endforeach()
set_target_properties(opsig-clangd-portable PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable)

# Of what opsig-clangd is linked with, clangd's archives, which need Clang's; targets are opsig's and LLVM's.
get_target_property(links opsig-clangd LINK_LIBRARIES)
list(FILTER links INCLUDE REGEX "^(/|-Wl,--(no-)?whole-archive)")
target_link_libraries(opsig-clangd-portable PRIVATE $<TARGET_FILE:opsigTidy>)
opsig_link_archives(opsig-clangd-portable ${links})
add_dependencies(opsig-clangd-portable opsigTidy)
