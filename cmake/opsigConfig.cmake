# opsig for CMake projects: find_package(opsig).
#
#   opsig::opsig           the program
#   OPSIG_TIDY_MODULE      OpsigTidy.so, for clang-tidy --load
#   OPSIG_CLANG_PLUGIN     OpsigPlugin.so, for clang++ -fplugin
#   opsig_check(TARGET ...), opsig_check_project(NAME ...), opsig_generate_backend(TARGET ...)
#                          see opsigFunctions.cmake
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
get_filename_component(_opsig_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET opsig::opsig)
  add_executable(opsig::opsig IMPORTED)
  set_target_properties(opsig::opsig PROPERTIES IMPORTED_LOCATION "${_opsig_prefix}/bin/opsig")
endif()
set(OPSIG_TIDY_MODULE "${_opsig_prefix}/lib/opsig/OpsigTidy.so")
set(OPSIG_CLANG_PLUGIN "${_opsig_prefix}/lib/opsig/OpsigPlugin.so")

foreach(_opsig_file "${_opsig_prefix}/bin/opsig" "${OPSIG_TIDY_MODULE}" "${OPSIG_CLANG_PLUGIN}")
  if(NOT EXISTS "${_opsig_file}")
    set(opsig_FOUND FALSE)
    set(opsig_NOT_FOUND_MESSAGE "this installation of opsig lacks ${_opsig_file}")
    return()
  endif()
endforeach()

include("${CMAKE_CURRENT_LIST_DIR}/opsigFunctions.cmake")
