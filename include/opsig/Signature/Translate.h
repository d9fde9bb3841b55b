//===- Translate.h - Arguments of one convention from those of another ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// available bindings => named types with their expressions => one expression per parameter
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_TRANSLATE_H
#define OPSIG_SIGNATURE_TRANSLATE_H

#include "opsig/Signature/Signature.h"

namespace opsig {

/// A value at hand: C++ text and what it stands for.
struct Expr {
  std::string Text;
  NamedCType Type;
};

struct TranslateOptions {
  /// The code stands in a method of Tensor: *this is self.
  bool Method = false;
  /// Conversions that copy (to vectors, to owning optionals) are allowed.
  bool AllowExpensive = false;
};

/// One expression per goal, in their order. Fails when a goal cannot be built:
/// "cannot make 'TYPE NAME' from the available arguments: ...".
llvm::Expected<std::vector<Expr>> translate(llvm::ArrayRef<Expr> Have,
                                            llvm::ArrayRef<NamedCType> Want, const Dialect &D,
                                            TranslateOptions Options = {});
llvm::Expected<std::vector<Expr>> translate(llvm::ArrayRef<Binding> Have,
                                            llvm::ArrayRef<Binding> Want, const Dialect &D,
                                            TranslateOptions Options = {});

/// What translate makes, joined with ", ".
llvm::Expected<std::string> callArguments(llvm::ArrayRef<Binding> Have,
                                          llvm::ArrayRef<Binding> Want, const Dialect &D,
                                          TranslateOptions Options = {});

/// Texts joined with ", ".
std::string join(llvm::ArrayRef<Expr> Exprs);

} // namespace opsig

#endif
