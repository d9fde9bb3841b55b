# What a project can ask of opsig in its CMakeLists.txt.
#
# Both functions take the SCHEMA OPTIONS of the command line; without them opsig finds its schemas as it does
# there (OPSIG_TORCH_ROOT, .opsig.yaml, the distribution's PyTorch):
#   TORCH_ROOT DIR  TORCH VERSION  SCHEMAS FILE  TAGS FILE  DEPENDS FILE...
# When one of these files changes, what was made from it is checked or generated again. DEPENDS is for files
# that only .opsig.yaml names.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(_OPSIG_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/check-and-compile")

# opsig_check(TARGET [BACKEND FILE...] [WARN] [OPTIONS OPTION...] [schema options])
#
# Checks each C++ source of TARGET before it is compiled, with the flags it is compiled with; findings appear
# in the build's output. A finding of level error fails the build of that file, or with WARN none does.
# OPTIONS go to `opsig check` as they are. Each file is checked by itself: what only all files together can
# show, as a missing kernel, takes `opsig check` over all of them.
#
# It works where CMake knows a compiler launcher: Ninja and Makefiles. One that is set already (ccache) stays.
function(opsig_check target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "WARN" "TORCH_ROOT;TORCH;SCHEMAS;TAGS"
                        "BACKEND;OPTIONS;DEPENDS")
  _opsig_refuse_unknown(opsig_check)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "opsig_check needs Ninja or Makefiles, not '${CMAKE_GENERATOR}'")
  endif()
  _opsig_schema_options(options files)
  foreach(backend IN LISTS ARG_BACKEND)
    _opsig_absolute(backend "${backend}")
    list(APPEND options "--backend=${backend}")
    list(APPEND files "${backend}")
  endforeach()
  list(APPEND options ${ARG_OPTIONS})

  get_target_property(dir ${target} SOURCE_DIR)
  _opsig_find_upwards(config "${dir}" .opsig.yaml)
  list(APPEND files ${config})
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "^\\$<")
      set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS
                   ${files} "${_OPSIG_LAUNCHER}")
    endif()
  endforeach()

  if(ARG_WARN)
    list(PREPEND options --warn)
  endif()
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher "")
  endif()
  get_target_property(program opsig::opsig IMPORTED_LOCATION)
  list(PREPEND launcher "${_OPSIG_LAUNCHER}" "${program}" ${options} --)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
endfunction()

# opsig_generate_backend(TARGET YAML FILE [OUTPUT_DIR DIR] [EMBEDDED_TEMPLATES] [DECLARATIONS_ONLY]
#                        [schema options])
#
# Generates declarations, wrappers and registrations of the backend that FILE describes, as
# `opsig gen backend` does, into DIR (default: a folder of the build tree), and puts DIR on the include path of
# TARGET, which compiles the sources too unless it wants the DECLARATIONS_ONLY. The files are generated once
# while CMake configures, because their names depend on FILE.
function(opsig_generate_backend target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "EMBEDDED_TEMPLATES;DECLARATIONS_ONLY"
                        "YAML;OUTPUT_DIR;TORCH_ROOT;TORCH;SCHEMAS;TAGS" "DEPENDS")
  _opsig_refuse_unknown(opsig_generate_backend)
  if(NOT ARG_YAML)
    message(FATAL_ERROR "opsig_generate_backend needs YAML FILE")
  endif()
  _opsig_absolute(yaml "${ARG_YAML}")
  if(NOT ARG_OUTPUT_DIR)
    set(ARG_OUTPUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/${target}-opsig")
  endif()
  get_filename_component(out "${ARG_OUTPUT_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  _opsig_schema_options(options files)
  if(ARG_EMBEDDED_TEMPLATES)
    list(APPEND options --embedded-templates)
  endif()
  get_target_property(program opsig::opsig IMPORTED_LOCATION)
  set(command "${program}" gen backend ${options} "--source_yaml=${yaml}")

  # In a folder of its own, so that files of another YAML do not count.
  set(names_dir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}-opsig-names")
  file(REMOVE_RECURSE "${names_dir}")
  file(MAKE_DIRECTORY "${names_dir}")
  execute_process(COMMAND ${command} "--output_dir=${names_dir}" RESULT_VARIABLE status
                  OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "opsig gen backend cannot generate from ${yaml}:\n${text}")
  endif()
  file(GLOB names RELATIVE "${names_dir}" "${names_dir}/*")
  set(generated ${names})
  list(TRANSFORM generated PREPEND "${out}/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${yaml}" ${files})

  # opsig leaves files as they are whose text does not change; the stamp tells that it was run.
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}-opsig.stamp")
  file(MAKE_DIRECTORY "${out}")
  file(TOUCH "${out}/.opsig-generated")
  add_custom_command(
    OUTPUT "${stamp}" BYPRODUCTS ${generated}
    COMMAND ${command} "--output_dir=${out}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${yaml}" ${files} "${program}"
    COMMENT "Generating the backend of ${ARG_YAML}" VERBATIM)
  add_custom_target(${target}-opsig DEPENDS "${stamp}")
  add_dependencies(${target} ${target}-opsig)
  if(ARG_DECLARATIONS_ONLY)
    list(FILTER generated INCLUDE REGEX "\\.h$")
  endif()
  target_sources(${target} PRIVATE ${generated})
  target_include_directories(${target} PRIVATE "${out}")
endfunction()

macro(_opsig_refuse_unknown function)
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function} does not know '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
endmacro()

function(_opsig_absolute out path)
  get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(${out} "${absolute}" PARENT_SCOPE)
endfunction()

function(_opsig_find_upwards out dir name)
  set(found "")
  while(NOT found)
    if(EXISTS "${dir}/${name}")
      set(found "${dir}/${name}")
    endif()
    get_filename_component(above "${dir}" DIRECTORY)
    if(above STREQUAL dir)
      break()
    endif()
    set(dir "${above}")
  endwhile()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# From ARG_*: the options of opsig, and the files that they stand for.
function(_opsig_schema_options out_options out_files)
  set(options "")
  set(files "")
  foreach(name TORCH_ROOT SCHEMAS TAGS)
    if(ARG_${name})
      _opsig_absolute(path "${ARG_${name}}")
      string(TOLOWER "${name}" option)
      string(REPLACE "_" "-" option "${option}")
      list(APPEND options "--${option}=${path}")
      if(name STREQUAL TORCH_ROOT)
        file(GLOB path "${path}/torchgen/packaged/ATen/native/*s.yaml"
             "${path}/aten/src/ATen/native/*s.yaml")
      endif()
      list(APPEND files ${path})
    endif()
  endforeach()
  if(ARG_TORCH)
    list(APPEND options "--torch=${ARG_TORCH}")
  endif()
  foreach(file IN LISTS ARG_DEPENDS)
    _opsig_absolute(file "${file}")
    list(APPEND files "${file}")
  endforeach()
  set(${out_options} "${options}" PARENT_SCOPE)
  set(${out_files} "${files}" PARENT_SCOPE)
endfunction()
