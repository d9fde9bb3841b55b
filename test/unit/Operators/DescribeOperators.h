//===- DescribeOperators.h - Loaded operators as lines ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_OPERATORS_DESCRIBEOPERATORS_H
#define OPSIG_TEST_UNIT_OPERATORS_DESCRIBEOPERATORS_H

#include "opsig/Operators/Operators.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig::test {

/// Per generated function three lines: its schema, "key: namespace::kernel", its tags.
inline std::string generatedFunctions(const Operators &Ops) {
  std::string Text;
  for (const NativeFunction &F : Ops.Functions) {
    if (!F.Generated)
      continue;
    Text += F.Schema.str() + "\n   ";
    for (const BackendIndex &Index : Ops.Indices)
      if (const KernelEntry *Entry = Index.kernel(F))
        Text += " " + toString(Index.Key).str() + ": " + Entry->CppNamespace + "::" + Entry->Kernel;
    Text += "\n    " + llvm::join(F.Tags, ", ") + "\n";
  }
  return Text;
}

template <typename Group> std::string memberNames(const Group &G) {
  std::string Names;
  for (const NativeFunction *F : G.functions())
    Names += (Names.empty() ? "" : ", ") + F->Schema.Name.str();
  return Names;
}

/// "add" or "group add, add.out structured", a line each.
inline std::string groups(const Operators &Ops) {
  std::string Text;
  for (const FunctionOrGroup &Item : Ops.Grouped) {
    if (const auto *F = std::get_if<const NativeFunction *>(&Item))
      Text += (*F)->Schema.Name.str();
    else if (const auto *G = std::get_if<NativeFunctionsGroup>(&Item))
      Text += "group " + memberNames(*G) + (G->structured() ? " structured" : "");
    Text += "\n";
  }
  return Text;
}

/// "add" or "views t, t_ composite", a line each.
inline std::string viewGroups(const Operators &Ops) {
  std::string Text;
  for (const FunctionOrViewGroup &Item : Ops.ViewGrouped) {
    if (const auto *F = std::get_if<const NativeFunction *>(&Item))
      Text += (*F)->Schema.Name.str();
    else if (const auto *G = std::get_if<NativeFunctionsViewGroup>(&Item))
      Text += "views " + memberNames(*G) + (G->composite() ? " composite" : "");
    Text += "\n";
  }
  return Text;
}

/// "CPU add.out=add_out*", a line for each key; * marks structured kernels.
inline std::string indices(const Operators &Ops) {
  std::string Text;
  for (const BackendIndex &Index : Ops.Indices) {
    Text += toString(Index.Key);
    for (const NativeFunction &F : Ops.Functions)
      if (const KernelEntry *Entry = Index.kernel(F))
        Text += " " + F.Schema.Name.str() + "=" + Entry->Kernel + (Entry->Structured ? "*" : "");
    Text += Index.DeviceGuard ? " guard\n" : "\n";
  }
  return Text;
}

} // namespace opsig::test

#endif
