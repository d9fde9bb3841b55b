//===- StreamTables.cpp - What yaml-cpp's archive refers to directly --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian compiles the archive for position independent programs: calls may lead to shared
// libraries, but data is taken to be in the program itself. In a module it is not. All such data
// are the virtual tables of a few streams, which a module may have of its own, since they are
// templates, and one byte that says whether there are other threads.
//
//===----------------------------------------------------------------------===//
#include <fstream>
#include <sstream>

template class std::basic_ios<char>;
template class std::basic_streambuf<char>;
template class std::basic_filebuf<char>;
template class std::basic_ifstream<char>;
template class std::basic_stringbuf<char>;
template class std::basic_stringstream<char>;

// "There may be others", whatever glibc knows: counters of references are then always changed by
// atomic instructions.
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;
