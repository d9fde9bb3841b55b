//===- KernelDecl.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/KernelDecl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

llvm::raw_ostream &opsig::operator<<(llvm::raw_ostream &OS, const KernelDecl &K) {
  OS << K.ReturnText << ' ' << K.qualifiedName() << '(';
  llvm::interleaveComma(K.Params, OS, [&](const KernelParam &P) {
    OS << P.TypeText << (P.Name.empty() ? "" : " ") << P.Name;
  });
  return OS << ')';
}
