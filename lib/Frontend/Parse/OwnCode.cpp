//===- OwnCode.cpp - code that a signal may end -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/OwnCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Path.h"
#ifdef __linux__
#include <link.h>
#include <ucontext.h>
#endif

using namespace opsig;
using llvm::StringRef;

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) &&                         \
    !LLVM_ADDRESS_SANITIZER_BUILD

OwnCode::OwnCode() {
  auto Add = [](dl_phdr_info *Library, size_t, void *Into) {
    StringRef Name = llvm::sys::path::filename(Library->dlpi_name); // the program itself has none
    if (!Name.empty() && !Name.starts_with("libLLVM") && !Name.starts_with("libclang"))
      return 0;
    for (const auto &Part : llvm::ArrayRef(Library->dlpi_phdr, Library->dlpi_phnum))
      if (Part.p_type == PT_LOAD && (Part.p_flags & PF_X)) {
        uintptr_t Begin = Library->dlpi_addr + Part.p_vaddr;
        static_cast<OwnCode *>(Into)->Ranges.emplace_back(Begin, Begin + Part.p_memsz);
      }
    return 0;
  };
  dl_iterate_phdr(Add, this);
}

uintptr_t opsig::interruptedAt(void *Context) {
  const mcontext_t &Machine = static_cast<ucontext_t *>(Context)->uc_mcontext;
#ifdef __x86_64__
  return Machine.gregs[REG_RIP];
#else
  return Machine.pc;
#endif
}

#else

OwnCode::OwnCode() = default;
uintptr_t opsig::interruptedAt(void *) { return 0; }

#endif
