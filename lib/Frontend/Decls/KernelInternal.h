//===- KernelInternal.h - The steps from an AST to kernels ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ASTContext => TypeNames (ResolveNames.cpp) | top level declarations => KernelDecl* (Collect.cpp,
//   each one ReadDecl.cpp), its types as trees (ReadType.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_DECLS_KERNELINTERNAL_H
#define OPSIG_LIB_FRONTEND_DECLS_KERNELINTERNAL_H

#include "opsig/Frontend/FromAst.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

namespace opsig {

class UnitSpans;

/// Unread for a type that is dependent or contains an error. Without places.
CppType readType(clang::QualType T, const clang::ASTContext &Context);

/// Fills the places of \p T, which may have been read of a type that \p Written leads to, as that
/// of a function has its parameters without const.
void placeType(CppType &T, clang::TypeLoc Written, UnitSpans &Spans);

/// The name of a class template as in CppType.
std::string templateName(const clang::TemplateDecl &Template);

/// Looks up every name that a CType may hold.
TypeNames resolveNames(clang::ASTContext &Context);

/// Which names mean the types of \p Names in the declaration \p F without their namespaces.
ShortNames shortNames(const clang::FunctionDecl &F, const TypeNames &Names);

/// See KernelParam::DefaultValue; "" where the value cannot be told.
std::string defaultValue(const clang::Expr &Default, const clang::ASTContext &Context);

/// The qualified name of a class or namespace, without inline and anonymous namespaces.
std::string scopeName(const clang::DeclContext &Scope);

/// What the declaration \p F says. InMainFile, Undeclared and Redeclarations are left for who
/// knows. Without a valid NameAt it stands in no file; without a valid ParamList a macro or a
/// typedef holds its parameters.
KernelDecl readDecl(const clang::FunctionDecl &F, UnitSpans &Spans);

/// Whether \p Class, a name with its parts as it is written in \p F, means one that derives from
/// torch::autograd::Function. Names that a body declares are not known.
bool isAutogradFunction(llvm::ArrayRef<llvm::StringRef> Class, const clang::FunctionDecl &F);
/// Whether the definition \p Class derives from torch::autograd::Function.
bool isAutogradFunction(const clang::CXXRecordDecl &Class);

/// Fills Obstacles of \p K and Use of its parameters, out of the tokens of \p F as they are written.
void readTokens(const clang::FunctionDecl &F, UnitSpans &Spans, KernelDecl &K);

/// \p Other, a declaration of the same function in a file of others, would no longer agree with
/// \p K after an edit.
void addForeign(KernelDecl &K, const clang::FunctionDecl &Other, const UnitSpans &Spans);

/// Adds the functions of the wanted scopes among \p TopLevel, declarations of the main file, and
/// their redeclarations in \p Project, to \p Unit, whose Names are there already.
void collectKernels(llvm::ArrayRef<clang::Decl *> TopLevel, clang::ASTContext &Context,
                    llvm::ArrayRef<std::string> Scopes, llvm::ArrayRef<ClangError> Errors,
                    ProjectPlaces &Project, UnitFacts &Unit);

} // namespace opsig

#endif
