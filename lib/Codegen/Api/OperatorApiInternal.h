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

#include "Print/CppInternal.h"
#include "opsig/Dialect/OutputTraits.h"
#include "opsig/Support/Finding.h"

namespace opsig {

struct AtenInput;

/// The body that takes the place of the dispatcher's call, if one does.
using StaticCall = std::optional<std::string>;

class OperatorApi {
public:
  OperatorApi(const NativeFunction &F, const Dialect &D);

  const NativeFunction &function() const { return F; }
  const Dialect &dialect() const { return D; }
  const Lowering &lowering() const { return L; }
  /// The dispatcher signature.
  const Signature &signature() const { return Own; }

  /// `struct add_Tensor`, for Operators.h.
  void printStruct(std::string &Out) const;
  /// Its members, for Operators_N.cpp.
  void printDefinition(std::string &Out, const StaticCall &CallKernel = std::nullopt) const;

  /// Whether at::symint has templates of its functions.
  bool hasSymIntTemplates() const {
    return D.Output.SymInts != SymIntTemplates::None && F.hasSymInt(D);
  }

  // What cannot be forwarded is reported to Diags and left out.

  /// at::add and, where the release has them, its templates in at::symint; nothing without either.
  void printFunctions(std::string &Out, Findings &Diags) const;
  /// at::redispatch::add.
  void printRedispatchFunctions(std::string &Out, Findings &Diags) const;
  /// Tensor::add. Only for functions that are methods.
  void printMethodDeclarations(std::string &Out) const;
  void printMethodDefinitions(std::string &Out, Findings &Diags) const;

private:
  /// A form of the function in the C++ API, and the call that it makes of the dispatcher's. It is
  /// text: several files have it, and of all functions it takes a fifth of what signatures would.
  struct Form {
    std::string Name;
    std::string Returns;
    std::string Params; ///< of functions with their defaults, of methods without
    std::string Args;
    std::optional<std::string> WhyNot; ///< no such call can be made
    std::string IntName; ///< of one that takes SymInt: the name of the one that does not
    bool takesSymInt() const { return !IntName.empty(); }
  };
  CppSignatures cpp(bool Method) const;
  /// In torchgen's order.
  std::vector<Form> forms(bool Method) const;
  /// Calls \p Print with each form that can make a call.
  template <typename Fn>
  void forEachForm(llvm::ArrayRef<Form> All, Findings &Diags, Fn Print) const;
  /// \p Class is "Tensor::" for methods.
  void forward(std::string &Out, const Form &From, llvm::StringRef Class = "",
               bool Redispatches = false) const;
  void printSymIntTemplate(std::string &Out, const Form &From) const;

  const NativeFunction &F;
  const Dialect &D;
  Lowering L;
  Signature Own;
  std::string Name;   ///< "add_Tensor"
  std::string Schema; ///< as printed
  std::vector<Form> Functions;
};

/// Of every function of \p In, in their order. Made once, whoever asks first.
llvm::ArrayRef<OperatorApi> operatorApis(const AtenInput &In);

/// Reports that no call can be made for \p F.
void reportUnforwardable(const NativeFunction &F, llvm::StringRef Why, Findings &Diags);

} // namespace opsig

#endif
