# What is installed beside the programs, and packages of all of it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(GNUInstallDirs)

# Man pages and completions are what the program says of itself.
set(help_dir ${CMAKE_BINARY_DIR}/share/opsig)
file(MAKE_DIRECTORY ${help_dir})
set(help_files "")
function(opsig_help_file name)
  add_custom_command(OUTPUT ${help_dir}/${name} COMMAND opsig help ${ARGN} > ${help_dir}/${name} DEPENDS opsig VERBATIM)
  set(help_files ${help_files} ${help_dir}/${name} PARENT_SCOPE)
endfunction()

set(man_pages opsig.1)
opsig_help_file(opsig.1 --man)
foreach(command show check sync diff coverage stabilize upgrade "gen aten" "gen backend" "gen python" "gen stubs" explain config cache lsp help)
  string(REPLACE " " "-" page "opsig-${command}.1")
  separate_arguments(words UNIX_COMMAND "${command}")
  opsig_help_file(${page} --man ${words})
  list(APPEND man_pages ${page})
endforeach()
foreach(shell bash zsh fish)
  opsig_help_file(opsig.${shell} --completion ${shell})
endforeach()
add_custom_target(opsig-help ALL DEPENDS ${help_files})

# What is installed, and so what a package needs to be built: not the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
add_custom_target(opsig-installed DEPENDS opsig-help)
foreach(program opsig opsig-clangd OpsigTidy OpsigPlugin)
  if(TARGET ${program})
    add_dependencies(opsig-installed ${program})
  endif()
endforeach()

list(TRANSFORM man_pages PREPEND ${help_dir}/)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
if(TARGET opsig-clangd)
  install(FILES docs/man/opsig-clangd.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES ${help_dir}/opsig.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME opsig)
install(FILES ${help_dir}/opsig.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _opsig)
install(FILES ${help_dir}/opsig.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES README.md CHANGELOG.md NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs PATTERN man EXCLUDE)

# A repository for Bazel: rules, with links to what they run. They lead to where it is installed, wherever that is.
install(DIRECTORY bazel/ DESTINATION share/opsig/bazel)
foreach(link bin/opsig share/opsig/stand-ins share/opsig/python)
  get_filename_component(folder share/opsig/bazel/${link} DIRECTORY)
  file(RELATIVE_PATH target /${folder} /${link})
  install(CODE "
    set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/opsig/bazel/${link}\")
    get_filename_component(folder \"\${link}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    file(CREATE_LINK ${target} \"\${link}\" SYMBOLIC)")
endforeach()
