# opsig for CMake projects: find_package(opsig [COMPONENTS clangd tidy plugin]).
#
#   opsig::opsig           the program
#   opsig::opsig-clangd    clangd with opsig's checks (component clangd)
#   opsig::OpsigTidy       the module for clang-tidy --load (component tidy), also as OPSIG_TIDY_MODULE
#   opsig::OpsigPlugin     the plugin for clang++ -fplugin (component plugin), also as OPSIG_CLANG_PLUGIN
#   opsig_check(TARGET ...), opsig_check_project(NAME ...), opsig_generate_backend(TARGET ...)
#                          see opsigFunctions.cmake
#
# The program is always there. The tarball and the wheel have no modules, since these work in one build of LLVM only: their
# targets and variables are left out. A project that cannot do without one names it as a component.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
get_filename_component(_opsig_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# _opsig_part(COMPONENT TARGET KIND FILE): an imported target for a file of this installation, if it is there.
macro(_opsig_part component target kind file)
  set(opsig_${component}_FOUND FALSE)
  if(EXISTS "${_opsig_prefix}/${file}")
    set(opsig_${component}_FOUND TRUE)
    if(NOT TARGET opsig::${target})
      if("${kind}" STREQUAL PROGRAM)
        add_executable(opsig::${target} IMPORTED)
      else()
        add_library(opsig::${target} MODULE IMPORTED)
      endif()
      set_target_properties(opsig::${target} PROPERTIES IMPORTED_LOCATION "${_opsig_prefix}/${file}")
    endif()
  endif()
endmacro()

_opsig_part(opsig opsig PROGRAM bin/opsig)
_opsig_part(clangd opsig-clangd PROGRAM bin/opsig-clangd)
_opsig_part(tidy OpsigTidy MODULE lib/opsig/OpsigTidy.so)
_opsig_part(plugin OpsigPlugin MODULE lib/opsig/OpsigPlugin.so)
unset(OPSIG_TIDY_MODULE)
unset(OPSIG_CLANG_PLUGIN)
if(opsig_tidy_FOUND)
  set(OPSIG_TIDY_MODULE "${_opsig_prefix}/lib/opsig/OpsigTidy.so")
endif()
if(opsig_plugin_FOUND)
  set(OPSIG_CLANG_PLUGIN "${_opsig_prefix}/lib/opsig/OpsigPlugin.so")
endif()

if(NOT opsig_opsig_FOUND)
  set(opsig_FOUND FALSE)
  set(opsig_NOT_FOUND_MESSAGE
      "there is no '${_opsig_prefix}/bin/opsig'; install opsig again, or set opsig_DIR to the folder lib/cmake/opsig of \
another installation")
  return()
endif()
foreach(_opsig_component IN LISTS opsig_FIND_COMPONENTS)
  if(opsig_FIND_REQUIRED_${_opsig_component} AND NOT opsig_${_opsig_component}_FOUND)
    set(opsig_FOUND FALSE)
    set(opsig_NOT_FOUND_MESSAGE
        "opsig in '${_opsig_prefix}' has no component '${_opsig_component}'; modules for clang-tidy (tidy) and Clang \
(plugin) are in the Debian package and in what 'cmake --install' installs, not in the tarball and the wheel")
    return()
  endif()
endforeach()

include("${CMAKE_CURRENT_LIST_DIR}/opsigFunctions.cmake")
