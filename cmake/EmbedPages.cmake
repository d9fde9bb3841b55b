# Writes OUTPUT: {"id", R"(text)"}, for each DIR/id.md but the list of them, README.md. Run with cmake -P; -DDIR=,
# -DOUTPUT=.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
file(GLOB pages ${DIR}/*.md)
list(REMOVE_ITEM pages ${DIR}/README.md)
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(id ${page} NAME_WE)
  file(READ ${page} text)
  string(APPEND rows "{\"${id}\", R\"opsig-page(${text})opsig-page\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
