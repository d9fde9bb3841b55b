# How opsig's targets are built: one static library a folder under lib/, with explicit links.

find_program(OPSIG_CCACHE ccache)
if(OPSIG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${OPSIG_CCACHE})
endif()

add_library(opsig_options INTERFACE)
target_include_directories(opsig_options INTERFACE ${CMAKE_SOURCE_DIR}/include)
target_include_directories(opsig_options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_options(opsig_options INTERFACE -Wall -Wextra -Wno-unused-parameter
                       -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Lets ccache keep objects that were made with a precompiled header.
  target_compile_options(opsig_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
# What is read may be a stranger's: a fault in reading it should end the program, and not take it over. Sanitizers have
# checks of their own, and what is not optimised cannot have FORTIFY's.
if(OPSIG_HARDEN AND NOT OPSIG_SANITIZE)
  include(CheckCXXCompilerFlag)
  # Control-flow protection has another name on arm64.
  foreach(flag -fstack-protector-strong -fcf-protection -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "OPSIG_HAS${flag}" has_flag)
    check_cxx_compiler_flag(${flag} ${has_flag})
    if(${has_flag})
      target_compile_options(opsig_options INTERFACE ${flag})
    endif()
  endforeach()
  target_compile_options(opsig_options INTERFACE
                         $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=3>)
endif()
# Addresses of functions are found at the start, and no longer writable then.
target_link_options(opsig_options INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
if(OPSIG_SANITIZE)
  target_compile_options(opsig_options INTERFACE -fsanitize=${OPSIG_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(opsig_options INTERFACE -fsanitize=${OPSIG_SANITIZE})
endif()
if(OPSIG_BUILD_FUZZERS)
  target_compile_options(opsig_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# yaml-cpp, as an archive where there is one: its shared library has another name in each release of Debian, and
# what is built on one runs on the others without it. Debian's archive is made for programs; cmake/YamlModule says
# what a module needs besides, and finds out whether that is all.
set(opsig_yaml_cpp_shared yaml-cpp) # its name before 0.8
if(TARGET yaml-cpp::yaml-cpp)
  set(opsig_yaml_cpp_shared yaml-cpp::yaml-cpp)
endif()
find_library(OPSIG_YAML_CPP_ARCHIVE NAMES ${CMAKE_STATIC_LIBRARY_PREFIX}yaml-cpp${CMAKE_STATIC_LIBRARY_SUFFIX})
add_library(opsig_yaml_cpp INTERFACE)
if(OPSIG_YAML_CPP_ARCHIVE)
  target_link_libraries(opsig_yaml_cpp INTERFACE ${OPSIG_YAML_CPP_ARCHIVE})
  target_include_directories(opsig_yaml_cpp SYSTEM INTERFACE
    $<TARGET_PROPERTY:${opsig_yaml_cpp_shared},INTERFACE_INCLUDE_DIRECTORIES>)
else()
  message(STATUS "yaml-cpp has no archive here: opsig needs its shared library")
  target_link_libraries(opsig_yaml_cpp INTERFACE ${opsig_yaml_cpp_shared})
endif()
if(OPSIG_YAML_CPP_ARCHIVE AND NOT DEFINED OPSIG_YAML_MODULE)
  try_compile(OPSIG_YAML_MODULE ${CMAKE_BINARY_DIR}/YamlModule ${CMAKE_SOURCE_DIR}/cmake/YamlModule YamlModule
              CMAKE_FLAGS -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DARCHIVE=${OPSIG_YAML_CPP_ARCHIVE})
  if(NOT OPSIG_YAML_MODULE)
    message(STATUS "yaml-cpp's archive cannot be linked into modules: they need its shared library")
  endif()
endif()
if(OPSIG_YAML_MODULE)
  add_library(opsig_stream_tables STATIC ${CMAKE_SOURCE_DIR}/cmake/YamlModule/StreamTables.cpp)
  set_target_properties(opsig_stream_tables PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()

# What nearly every source has of the standard library and LLVM, and nothing of opsig, so that an edit rebuilds only who
# includes it. Parsing these is half of what compiling most sources takes.
set(opsig_common_headers
  <algorithm> <array> <cstdint> <deque> <functional> <map> <memory> <mutex> <optional> <set> <string> <tuple>
  <unordered_map> <utility> <vector>
  <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/MapVector.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallString.h>
  <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringSet.h> <llvm/ADT/StringSwitch.h>
  <llvm/Support/Error.h> <llvm/Support/FileSystem.h> <llvm/Support/FormatVariadic.h> <llvm/Support/MemoryBuffer.h>
  <llvm/Support/Path.h> <llvm/Support/raw_ostream.h>)
set(opsig_clang_headers
  <clang/AST/ASTContext.h> <clang/AST/DeclTemplate.h> <clang/AST/ExprCXX.h> <clang/AST/RecursiveASTVisitor.h>
  <clang/Frontend/CompilerInstance.h> <clang/Lex/Preprocessor.h>
  <clang/Tooling/Tooling.h>)

# opsig_precompile(target OWNER other [MORE header...]): a target that owns itself precompiles the common headers and MORE,
# all others take what their owner made, whose flags they must have. With CMAKE_DISABLE_PRECOMPILE_HEADERS each source
# shows that it includes what it uses.
function(opsig_precompile target)
  cmake_parse_arguments(ARG "" "OWNER" "MORE" ${ARGN})
  if(target STREQUAL ARG_OWNER)
    target_precompile_headers(${target} PRIVATE ${opsig_common_headers} ${ARG_MORE})
  else()
    target_precompile_headers(${target} REUSE_FROM ${ARG_OWNER})
  endif()
endfunction()

# opsig_library(Name SOURCES... LINKS ... [CLANG]): target opsigName from lib/Name; with CLANG its sources are made of
# Clang's headers, which opsigFrontend precompiles.
function(opsig_library name)
  cmake_parse_arguments(ARG "CLANG" "" "SOURCES;LINKS" ${ARGN})
  add_library(opsig${name} STATIC ${ARG_SOURCES})
  target_link_libraries(opsig${name} PUBLIC opsig_options ${ARG_LINKS})
  # A library's own headers are named with their component: "Effects/EffectsInternal.h".
  target_include_directories(opsig${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  set_target_properties(opsig${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(ARG_CLANG)
    opsig_precompile(opsig${name} OWNER opsigFrontend MORE ${opsig_clang_headers})
  else()
    opsig_precompile(opsig${name} OWNER opsigSupport)
  endif()
endfunction()

# opsig_clang_module(Name SOURCES...): Name.so, which clang-tidy or Clang loads. It holds opsig's own libraries,
# and of LLVM nothing: that is the loading program's. With a link to LLVM's libraries a program of another
# release would have them twice, before anything could be said about it.
function(opsig_clang_module name)
  if(OPSIG_SANITIZE)
    return() # the loading programs are built without
  endif()
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "")
  target_link_libraries(${name} PRIVATE opsig_options)
  set(libraries Tidy Check Registry Frontend Workspace Report Signature Operators Schema Torchgen Dialect Support)
  foreach(library ${libraries})
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:opsig${library}>)
    add_dependencies(${name} opsig${library})
  endforeach()
  if(OPSIG_YAML_MODULE)
    target_link_libraries(${name} PRIVATE ${OPSIG_YAML_CPP_ARCHIVE} $<TARGET_FILE:opsig_stream_tables>)
    add_dependencies(${name} opsig_stream_tables)
  else()
    target_link_libraries(${name} PRIVATE ${opsig_yaml_cpp_shared})
  endif()
  target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL)
  install(TARGETS ${name} LIBRARY DESTINATION lib/opsig)
endfunction()

# What LLVM's archives need: archives, too, where they are packaged, else shared libraries. Runtime packages have no
# other name for zstd's than this. An archive that was installed since this folder was configured is found, too.
if(NOT OPSIG_ZSTD MATCHES "\\.a$")
  unset(OPSIG_ZSTD CACHE)
endif()
find_library(OPSIG_ZSTD NAMES libzstd.a zstd libzstd.so.1)
find_library(OPSIG_ZLIB NAMES libz.a z)
file(GLOB opsig_clang_archives ${LLVM_INSTALL_PREFIX}/lib/libclang[A-Z]*.a)
file(GLOB opsig_llvm_archives ${LLVM_INSTALL_PREFIX}/lib/libLLVM*.a)
set(OPSIG_HAS_ARCHIVES OFF)
if(opsig_clang_archives AND opsig_llvm_archives AND OPSIG_ZSTD AND OPSIG_ZLIB AND NOT OPSIG_SANITIZE)
  set(OPSIG_HAS_ARCHIVES ON)
endif()
# Whether a program that is linked so needs glibc and nothing else.
set(OPSIG_PORTABLE OFF)
if(OPSIG_HAS_ARCHIVES AND OPSIG_YAML_CPP_ARCHIVE AND OPSIG_ZSTD MATCHES "\\.a$" AND OPSIG_ZLIB MATCHES "\\.a$")
  set(OPSIG_PORTABLE ON)
endif()

# opsig_link_archives(target [ARCHIVE...]): opsig's own libraries without those that they bring, LLVM's and Clang's
# archives, and the ones given, which may need all of these.
function(opsig_link_archives target)
  target_link_libraries(${target} PRIVATE opsig_options)
  foreach(library Editor StableAbi Upgrade Edit Coverage Check Report Registry Frontend Workspace ReleaseDiff Codegen Signature Operators Schema Torchgen Dialect Lsp Support)
    target_link_libraries(${target} PRIVATE $<TARGET_FILE:opsig${library}>)
    add_dependencies(${target} opsig${library})
  endforeach()
  target_link_libraries(${target} PRIVATE
    -Wl,--start-group ${ARGN} ${opsig_clang_archives} ${opsig_llvm_archives} -Wl,--end-group
    opsig_yaml_cpp ${OPSIG_ZSTD} ${OPSIG_ZLIB} ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE LINKER:--gc-sections)
endfunction()

# opsig_program_links(target): archives, where there are some, for opsig's own libraries would otherwise bring LLVM's
# shared ones. Relocating those takes 18 ms of every start, what is linked in takes 4.
function(opsig_program_links target)
  if(OPSIG_STATIC_LLVM AND OPSIG_HAS_ARCHIVES)
    opsig_link_archives(${target})
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  else()
    message(STATUS "${target} is linked with LLVM's shared libraries")
    target_link_libraries(${target} PRIVATE opsigCodegen opsigCoverage opsigStableAbi opsigUpgrade opsigEditor)
  endif()
endfunction()
