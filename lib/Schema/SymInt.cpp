//===- SymInt.cpp - int where another schema has SymInt ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Schema/SymInt.h"

bool opsig::hasIntForSymInt(llvm::StringRef Ours, llvm::StringRef Other) {
  while (!Ours.empty() || !Other.empty()) {
    bool IsSymInt = Other.consume_front("SymInt");
    if (IsSymInt ? !Ours.consume_front("SymInt") && !Ours.consume_front("int")
                 : Ours.take_front() != Other.take_front())
      return false;
    if (!IsSymInt) {
      Ours = Ours.drop_front();
      Other = Other.drop_front();
    }
  }
  return true;
}
