//===- OperatorApiInternal.h - The C++ API of one operator ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeFunction => its struct in at::_ops (dispatcher convention)
//                => functions, methods and redispatching functions (cpp convention) that forward to
//                it
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_OPERATORAPIINTERNAL_H
#define OPSIG_CODEGEN_OPERATORAPIINTERNAL_H

#include "opsig/Signature/Signature.h"
#include "opsig/Support/Diagnostic.h"

namespace opsig {

class OperatorApi {
public:
  OperatorApi(const NativeFunction &F, const Dialect &D);

  const NativeFunction &function() const { return F; }
  const Dialect &dialect() const { return D; }
  const Lowering &lowering() const { return L; }
  /// The dispatcher signature.
  const Signature &signature() const { return Own; }

  /// `struct add_Tensor`, for Operators.h.
  std::string structDeclaration() const;
  /// Its members, for Operators_N.cpp. \p CallBody replaces the call of the dispatcher.
  std::string structDefinition(std::optional<std::string> CallBody = std::nullopt) const;

  /// Whether at::symint has templates of its functions.
  bool hasSymIntTemplates() const {
    return D.Output.SymInts != SymIntTemplates::None && F.hasSymInt(D);
  }

  // What cannot be forwarded is reported to Diags and left out.

  /// at::add and, where the release has them, its templates in at::symint; "" without either.
  std::string functions(Diagnostics &Diags) const;
  /// at::redispatch::add.
  std::string redispatchFunctions(Diagnostics &Diags) const;
  /// Tensor::add. Only for functions that are methods.
  std::string methodDeclarations() const;
  std::string methodDefinitions(Diagnostics &Diags) const;

private:
  CppSignatures cpp(bool Method) const;
  /// The arguments of at::_ops::add_Tensor::call, in terms of \p From.
  std::optional<std::string> forwarded(const Signature &From, bool Method,
                                       Diagnostics &Diags) const;
  std::string symIntTemplate(const Signature &Form, const CppSignatures &All,
                             llvm::StringRef Args) const;

  const NativeFunction &F;
  const Dialect &D;
  Lowering L;
  Signature Own;
  std::string Name;   ///< "add_Tensor"
  std::string Schema; ///< as printed
};

/// \p Text as a C++ string literal.
std::string cppStringLiteral(llvm::StringRef Text);

/// Reports that no call can be made for \p F.
void reportUnforwardable(const NativeFunction &F, llvm::Error Why, Diagnostics &Diags);

} // namespace opsig

#endif
