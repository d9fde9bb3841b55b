//===- KernelDecl.h - Kernels as they are declared --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ source => (Parse.h: Clang AST) TranslationUnit { KernelDecl*, TypeNames } => lib/Check
//
// Plain data: nothing here refers to an AST, so a TranslationUnit can outlive its parse and be made
// in another thread.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_KERNEL_KERNELDECL_H
#define OPSIG_KERNEL_KERNELDECL_H

#include "opsig/Kernel/BodyFlow.h"
#include "opsig/Kernel/KernelParam.h"
#include "opsig/Kernel/Registration.h"
#include "opsig/Kernel/TypeNames.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace opsig {

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
  /// The parameter list is what Clang saw: no macro is involved.
  bool Editable = false;
  std::vector<KernelParam> Params;
  std::string ReturnText;
  std::string ReturnCanonical; ///< "" if it could not be resolved
  Span Return;                 ///< invalid where a macro holds it
  Span NameAt;                 ///< the macro that holds the name, if one does
  Span ParamList;              ///< between the parentheses
  /// From its first word (`static`) to the end of its declarator; invalid where a macro holds one.
  Span Head;
  /// The namespaces that it is written in, as Scope has them: "demo", "" for none.
  std::string Surroundings;
  ShortNames Short; ///< what its types may be called
  /// Other declarations of the same function: indices into TranslationUnit::Kernels.
  std::vector<uint32_t> Redeclarations;

  /// "demo::DemoNativeFunctions::add".
  std::string qualifiedName() const { return Scope.empty() ? Name : Scope + "::" + Name; }
};

/// "at::Tensor demo::f(const at::Tensor & self)", for tests and messages.
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const KernelDecl &K);

/// The definition of a class that holds kernels, or a part of a namespace that does.
struct KernelScope {
  std::string Name; ///< as KernelDecl::Scope
  Span Body;        ///< between the braces
  bool IsClass = false;
  /// What is added at the end of a class is public.
  bool PublicAtEnd = true;
};

/// What was read from one file and the headers it includes.
struct TranslationUnit {
  /// As the caller named it.
  std::string MainFile;
  /// Paths of the files that spans point into; the main file first, under the caller's name, the
  /// others absolute.
  std::vector<std::string> Files;
  /// In source order; redeclarations outside of the main file last.
  std::vector<KernelDecl> Kernels;
  /// The wanted classes and namespaces that the main file opens, in source order.
  std::vector<KernelScope> Scopes;
  /// Library blocks of the main file and of headers of the project, in the order in which the
  /// compiler meets them.
  std::vector<RegistrationBlock> Registrations;
  /// What kernels of the main file do, and the functions that they call there; the kernels first.
  std::vector<FunctionFlow> Flows;
  /// Definitions of the main file that take or return tensors, and that no other file can see and
  /// nothing in it mentions; Use is the name. None if there were errors.
  std::vector<RegisteredKernel> Unused;
  TypeNames Names;

  /// The file was read to its end. Otherwise FirstError tells why, and nothing else is filled.
  bool Parsed = false;
  /// As written in #include, in order, each once.
  std::vector<std::string> MissingHeaders;
  /// Errors of Clang, mismatches of out-of-line definitions with their class not counted.
  unsigned NumErrors = 0;
  /// The parser lost its way in the main file, so that what stands there is in part a guess.
  bool Garbled = false;
  /// "file:line:column: message" of the first error.
  std::string FirstError;
  /// Identifiers that stand before "(" anywhere in the main file, sorted. Filled only if there were
  /// errors or missing headers: a kernel that is mentioned there may exist although the parse lacks
  /// it.
  std::vector<std::string> Mentioned;

  bool complete() const { return Parsed && MissingHeaders.empty() && NumErrors == 0; }
};

} // namespace opsig

#endif
