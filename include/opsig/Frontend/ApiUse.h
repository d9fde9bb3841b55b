//===- ApiUse.h - Where a project uses PyTorch's C++ API ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// declarations and bodies of the project (Clang AST), macros and includes (preprocessor)
//   => ApiUse { what, its name, where each part of it stands } => lib/StableAbi
//
// A use is one spelling: what several expansions of a macro, or the cases of a dispatch, make of
// the same tokens is there once. What a use is worth, and what it becomes, is no question of this
// file.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_APIUSE_H
#define OPSIG_FRONTEND_APIUSE_H

#include "opsig/Frontend/Span.h"
#include <string>
#include <vector>

namespace opsig {

struct ApiArgument {
  Span At;
  std::string Type; ///< "c10::ScalarType", without const and reference; "" where it depends
  bool IsConst = false;
  bool IsLvalue = false; ///< a variable or what a reference leads to
};

/// What was chained to TensorOptions for a factory, as far as it is known.
struct ApiOptions {
  bool Known = false;
  Span Like; ///< the tensor of `x.options()`
  Span Dtype, Layout, Device, PinMemory, RequiresGrad;
  /// Variables that the options come from: the definitions' statements.
  std::vector<Span> Variables;
};

struct ApiUse {
  enum Kind : uint8_t {
    Include,   ///< Name: "ATen/ATen.h"
    Macro,     ///< of a header of PyTorch's, used
    Type,      ///< a class, enumeration, alias or template of one is named
    Constant,  ///< a variable or enumerator
    Function,  ///< called, or only named: then without ArgList
    Method,    ///< of an object
    Operator,  ///< an overloaded one: "at::operator+", "at::Tensor::operator[]"
    Construct, ///< an object is made with arguments
    Import,    ///< `using at::Tensor;`
    Directive, ///< `using namespace at;`
    Base,      ///< a class is derived from one
    Variable,  ///< a variable of TensorOptions: its statement
    Unread,    ///< lines that conditions leave out, and that mention PyTorch's names; with a Name,
               ///< the definition of a macro that is expanded nowhere
  } Is = Type;
  std::string Name; ///< qualified, of methods with the class of the object
  /// The header that declares it: "torch/headeronly/util/Half.h"; "" for what is in none.
  std::string Header;
  Span At;           ///< all of it, a call with its arguments
  Span NameAt;       ///< the name with its qualifier, without template arguments
  Span TemplateArgs; ///< with their brackets
  std::string TemplateText;
  Span Object;            ///< of a method
  std::string ObjectType; ///< as ApiArgument::Type
  bool Arrow = false;
  bool ObjectConst = false; ///< nothing can be bound to it that would change it
  bool ObjectLvalue = false;
  Span ArgList; ///< between the parentheses
  std::vector<ApiArgument> Args;
  /// Of the function that is called, as its declaration has them: "at::OptionalIntArrayRef".
  std::vector<std::string> Params;
  ApiOptions Options;
  /// The pointer that a method gives is only read through.
  bool OnlyRead = false;
  /// It stands in the definition of a macro of the project's.
  bool InMacro = false;
  /// How often it is used: of a Variable.
  uint32_t Count = 0;

  bool isCall() const { return ArgList.isValid(); }
};

} // namespace opsig

#endif
