# What a project can ask of opsig in its CMakeLists.txt.
#
# All functions take the SCHEMA OPTIONS of the command line; without them opsig finds its schemas as it does
# there (OPSIG_TORCH_ROOT, .opsig.yaml, the distribution's PyTorch):
#   TORCH_ROOT DIR  TORCH VERSION  SCHEMAS FILE  TAGS FILE  DEPENDS FILE...
# When one of these files changes, what was made from it is checked or generated again. DEPENDS is for files
# that only .opsig.yaml names.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(_OPSIG_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/check-and-compile")
set(_OPSIG_CHANGED_COMMANDS "${CMAKE_CURRENT_LIST_DIR}/changed-commands")

# opsig_check(TARGET [BACKEND FILE...] [WARN] [OPTIONS OPTION...] [schema options])
#
# Checks each C++ source of TARGET before it is compiled, with the flags it is compiled with; findings appear
# in the build's output. A finding of level error fails the build of that file, or with WARN none does.
# OPTIONS go to `opsig check` as they are. Each file is checked by itself: what only all files together can
# show, as a missing kernel, takes opsig_check_project.
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
  _opsig_add_backends(options files)
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

# opsig_check_project(NAME TARGETS TARGET... [BACKEND FILE...] [PYTHON FILE...] [EXCLUDE_FROM_ALL]
#                     [OPTIONS OPTION...] [schema options])
#
# Checks all C++ sources of the TARGETS together. What opsig reads of a source, its facts, is a step of the build,
# which is done again when the source, something that it includes, its compile command, or a schema has changed;
# a last step joins the facts, runs every check on them and fails where something is found. NAME is a target that
# does all this, as `all` does unless EXCLUDE_FROM_ALL is given. PYTHON files, which may define operators and
# register kernels by torch.library, are read where facts are joined. OPTIONS go to `opsig check` where facts are
# joined: --checks, --level, --baseline and so on.
#
# It comes behind all that gives sources to the TARGETS. It needs Ninja. Files that a target generates are there
# before its sources are read.
function(opsig_check_project name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "EXCLUDE_FROM_ALL" "TORCH_ROOT;TORCH;SCHEMAS;TAGS"
                        "TARGETS;BACKEND;PYTHON;OPTIONS;DEPENDS")
  _opsig_refuse_unknown(opsig_check_project)
  if(NOT CMAKE_GENERATOR STREQUAL "Ninja")
    message(FATAL_ERROR "opsig_check_project needs Ninja, not '${CMAKE_GENERATOR}'")
  endif()
  if(NOT ARG_TARGETS)
    message(FATAL_ERROR "opsig_check_project needs TARGETS TARGET...")
  endif()
  # What depfiles name is as Ninja has it.
  cmake_policy(SET CMP0116 NEW)
  _opsig_schema_options(options files)
  _opsig_add_backends(options files)
  _opsig_find_upwards(config "${CMAKE_CURRENT_SOURCE_DIR}" .opsig.yaml)
  list(APPEND files ${config})
  get_target_property(program opsig::opsig IMPORTED_LOCATION)
  set(check "${program}" check -p "${CMAKE_BINARY_DIR}" ${options})
  # Checks that look into bodies have facts of their own.
  set(reading_options ${ARG_OPTIONS})
  list(FILTER reading_options INCLUDE REGEX "^--checks=")

  set(dir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.facts")
  set(commands "")
  set(command_files "")
  set(facts "")
  set(joined "")
  foreach(target IN LISTS ARG_TARGETS)
    set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
    _opsig_sources(sources generated ${target})
    get_target_property(before ${target} MANUALLY_ADDED_DEPENDENCIES)
    if(NOT before)
      set(before "")
    endif()
    foreach(source IN LISTS sources)
      string(SHA1 hash "${source}")
      string(SUBSTRING "${hash}" 0 8 hash)
      get_filename_component(stem "${source}" NAME)
      set(stem "${dir}/${stem}-${hash}")
      if("${stem}.facts" IN_LIST facts)
        continue() # of two targets
      endif()
      file(RELATIVE_PATH shown "${CMAKE_SOURCE_DIR}" "${source}")
      add_custom_command(
        OUTPUT "${stem}.facts"
        COMMAND ${check} ${reading_options} --quiet "--facts-out=${stem}.facts" "--depfile=${stem}.d" "${source}"
        DEPENDS "${source}" "${stem}.command" ${generated} ${before} ${files} "${program}"
        DEPFILE "${stem}.d"
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
        COMMENT "Reading facts of ${shown}" VERBATIM)
      list(APPEND facts "${stem}.facts")
      list(APPEND command_files "${stem}.command")
      string(APPEND commands "${source}\t${stem}.command\n")
      string(APPEND joined "--facts-in\n\"${stem}.facts\"\n")
    endforeach()
  endforeach()

  set(python "")
  foreach(file IN LISTS ARG_PYTHON)
    _opsig_absolute(file "${file}")
    list(APPEND python "${file}")
    string(APPEND joined "\"${file}\"\n")
  endforeach()

  # A command line has an end, a file has not.
  file(GENERATE OUTPUT "${dir}/joined.txt" CONTENT "${joined}")
  file(GENERATE OUTPUT "${dir}/commands.txt" CONTENT "${commands}")
  add_custom_command(
    OUTPUT "${dir}/commands.stamp" BYPRODUCTS ${command_files}
    COMMAND "${_OPSIG_CHANGED_COMMANDS}" "${CMAKE_BINARY_DIR}/compile_commands.json" "${dir}/commands.txt"
    COMMAND "${CMAKE_COMMAND}" -E touch "${dir}/commands.stamp"
    DEPENDS "${CMAKE_BINARY_DIR}/compile_commands.json" "${dir}/commands.txt" "${_OPSIG_CHANGED_COMMANDS}"
    COMMENT "Looking for changed compile commands" VERBATIM)
  add_custom_command(
    OUTPUT "${dir}/checked.stamp"
    COMMAND ${check} ${ARG_OPTIONS} "@${dir}/joined.txt"
    COMMAND "${CMAKE_COMMAND}" -E touch "${dir}/checked.stamp"
    DEPENDS ${facts} ${python} "${dir}/joined.txt" ${files} "${program}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Checking ${name}" VERBATIM)
  set(all ALL)
  if(ARG_EXCLUDE_FROM_ALL)
    set(all "")
  endif()
  add_custom_target(${name} ${all} DEPENDS "${dir}/commands.stamp" "${dir}/checked.stamp")
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

# The C++ sources of a target, absolute, without those that opsig wrote itself; and the headers that its build makes.
function(_opsig_sources out_sources out_generated target)
  get_target_property(dir ${target} SOURCE_DIR)
  get_target_property(all ${target} SOURCES)
  set(sources "")
  set(generated "")
  foreach(source IN LISTS all)
    if(source MATCHES "^\\$<")
      continue()
    endif()
    get_source_file_property(is_generated "${source}" TARGET_DIRECTORY ${target} GENERATED)
    get_filename_component(absolute "${source}" ABSOLUTE BASE_DIR "${dir}")
    get_filename_component(folder "${absolute}" DIRECTORY)
    if(EXISTS "${folder}/.opsig-generated")
      continue()
    elseif(source MATCHES "\\.(cpp|cc|cxx|c\\+\\+|C|cp|cu|hip|mu)$")
      list(APPEND sources "${absolute}")
    elseif(is_generated AND source MATCHES "\\.(h|hh|hpp|hxx|cuh|inc|def)$")
      list(APPEND generated "${absolute}")
    endif()
  endforeach()
  set(${out_sources} "${sources}" PARENT_SCOPE)
  set(${out_generated} "${generated}" PARENT_SCOPE)
endfunction()

# Adds the YAML of ARG_BACKEND to options of opsig, and to the files that they stand for.
function(_opsig_add_backends options_name files_name)
  foreach(backend IN LISTS ARG_BACKEND)
    _opsig_absolute(backend "${backend}")
    list(APPEND ${options_name} "--backend=${backend}")
    list(APPEND ${files_name} "${backend}")
  endforeach()
  set(${options_name} "${${options_name}}" PARENT_SCOPE)
  set(${files_name} "${${files_name}}" PARENT_SCOPE)
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
