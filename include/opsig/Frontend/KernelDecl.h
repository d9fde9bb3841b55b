//===- KernelDecl.h - Kernels as they are declared --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_KERNELDECL_H
#define OPSIG_FRONTEND_KERNELDECL_H

#include "opsig/Frontend/KernelParam.h"
#include "opsig/Frontend/TypeNames.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace opsig {

/// What an edit must not take away.
struct EditBlocker {
  enum Kind : uint8_t { Comment, Directive, Macro } Is = Comment;
  Span At;
};

/// Where the body of a function that returns nothing ends, as far as its text tells.
struct VoidReturnPaths {
  Span Open, Close;          ///< its braces; invalid where these are not known
  std::vector<Span> Returns; ///< each "return" without a value
  bool FallsOff = true;      ///< Close is reached, as far as the last statement tells
  bool ReturnsValue = false; ///< a "return" has a value all the same, which Clang refuses

  /// The body is that of a function that returns something, or never comes back.
  bool returnsOnAllPaths() const {
    return ReturnsValue || (Close.isValid() && Returns.empty() && !FallsOff);
  }
};

/// A function declaration that may be a kernel.
struct KernelDecl {
  std::string Name;        ///< "add"
  std::string Scope;       ///< "demo::DemoNativeFunctions"; no inline or anonymous namespaces
  bool Member = false;     ///< Scope is a class
  bool Definition = false; ///< has a body
  bool Internal = false;   ///< static or in an anonymous namespace; never set for members
  bool InMainFile = false;
  /// Defines a member of a class that declares none of that name.
  bool Undeclared = false;
  /// The parameter list is what Clang saw: no macro is involved. And for a kernel that is
  /// registered by hand, no file of others declares it.
  bool Editable = false;
  /// The file that declares it, too, and is none of the project; "" without such.
  std::string ForeignFile;
  std::vector<KernelParam> Params;
  std::string ReturnText;
  CppType ReturnCanonical; ///< as Clang sees it
  Span Return;             ///< invalid where a macro holds it
  Span NameAt;             ///< the macro that holds the name, if one does
  Span ParamList;          ///< between the parentheses
  /// From its first word (`static`) to the end of its declarator; invalid where a macro holds one.
  Span Head;
  /// The namespaces that it is written in, as Scope has them: "demo", "" for none.
  std::string Surroundings;
  ShortNames Short; ///< what its types may be called
  /// From Head to the return type behind the list, in order of the source.
  std::vector<EditBlocker> EditBlockers;
  VoidReturnPaths Ends; ///< of a definition that returns void
  /// Of a definition: the first call of X::apply, X derived from torch::autograd::Function, and the
  /// first word by which a tensor gives its memory away. Invalid without, and in a branch of an
  /// #if.
  Span Applies, TakesMemory;
  /// Other declarations of the same function: indices into UnitFacts::Kernels.
  std::vector<uint32_t> Redeclarations;

  /// "demo::DemoNativeFunctions::add".
  std::string qualifiedName() const { return Scope.empty() ? Name : Scope + "::" + Name; }
};

/// "at::Tensor demo::f(const at::Tensor & self)", for tests and messages.
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const KernelDecl &K);

} // namespace opsig

#endif
