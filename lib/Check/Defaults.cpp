//===- Defaults.cpp - default arguments of kernels ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only values are compared that both sides spell out, as a number or as nothing: C++ has a hundred
// ways to write the others.
//
//===----------------------------------------------------------------------===//
#include "CheckInternal.h"

#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

/// A schema default in the words of KernelParam::DefaultValue.
static std::string valueOf(StringRef Default) {
  return StringSwitch<std::string>(Default)
      .Case("None", "none")
      .Case("True", "1")
      .Case("False", "0")
      .Default(Default.str());
}

/// Whether both are known and not the same.
static bool differ(StringRef Schema, StringRef Found) {
  if (Schema == "none" || Found == "none")
    return Schema != Found && !Found.empty();
  double Wanted = 0, Got = 0;
  return !Schema.getAsDouble(Wanted) && !Found.getAsDouble(Got) && Wanted != Got;
}

void opsig::reportDefaults(const Match &M, const Dialect &D, UnitFiles &Files, Diagnostics &Diags) {
  const KernelDecl &K = *M.Kernel.Decl;
  const std::vector<Binding> &Want = M.Wanted->Signature.Params;
  const NativeFunction &F = *M.Wanted->Function;
  // Which parameter is which is certain only where the lists agree.
  if (!M.Differences.empty() || K.Params.size() != Want.size())
    return;
  for (size_t I = 0; I < Want.size(); ++I) {
    const Argument *Arg = Want[I].Arg;
    const KernelParam &P = K.Params[I];
    if (!Arg || !Arg->Default || !P.Default.isValid() ||
        !differ(valueOf(*Arg->Default), P.DefaultValue))
      continue;
    Diagnostic &Diag =
        Diags.report(diag::KernelDefault, Files.place(*M.Kernel.Unit, P.Default),
                     "parameter '{0}' of '{1}' is '{2}' by default; the schema says '{3}'", P.Name,
                     K.Name, Files.text(*M.Kernel.Unit, P.Default), *Arg->Default);
    Diag.op(F.Schema.Name.str());
    Diag.Hint = defaultText(*Arg->Default, Arg->Ty, D, /*SymInt=*/false);
    if (K.Editable)
      Diag.Fixes.push_back({Diag.At.File, P.Default.Offset, P.Default.Length, Diag.Hint});
    addSchemaNotes(Diag, *M.Wanted);
  }
}
