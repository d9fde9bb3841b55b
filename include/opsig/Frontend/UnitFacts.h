//===- UnitFacts.h - What a source file holds for the checks -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ source => (Parse.h: Clang AST) UnitFacts { KernelDecl*, RegistrationBlock*, TypeNames }
//   => lib/Check
//
// Plain data without references to an AST, so a UnitFacts can outlive its parse and can be created
// on another thread.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_UNITFACTS_H
#define OPSIG_FRONTEND_UNITFACTS_H

#include "opsig/Frontend/KernelDecl.h"
#include "opsig/Frontend/Registration.h"
#include "opsig/Frontend/TypeNames.h"
#include <memory>
#include <string>
#include <vector>

namespace opsig {

// Few files look into these parts. Each of them includes the header of its part.
struct ApiUse;           // ApiUse.h
struct AutogradFunction; // DispatcherCall.h
struct FunctionFlow;     // BodyFlow.h
struct OperatorLookup;   // DispatcherCall.h
struct PythonFacts;      // PythonFacts.h
struct PythonModule;     // PythonModule.h
struct PythonUse;        // PythonModule.h

/// The definition of a class with kernels, or a part of such a namespace.
struct KernelScope {
  std::string Name; ///< as KernelDecl::Scope
  Span Body;        ///< between the braces
  bool IsClass = false;
  /// Whether text at the end of the class is public.
  bool PublicAtEnd = true;
};

/// The namespaces in which a file may register operators.
struct RegistrationReach {
  bool Anywhere = false;               ///< for any
  std::vector<std::string> Namespaces; ///< sorted
};

/// A function template that the main file defines and other files can use.
struct TemplateDefinition {
  std::string Name; ///< qualified
  Span NameAt;
  /// Something in the file may instantiate it.
  bool Used = false;
};

/// A function that is defined on lines excluded by a preprocessor condition.
struct SkippedDefinition {
  std::string Name; ///< qualified, as its tokens say
  Span At;
};

/// Lines of the main file that a condition excludes and that contain registrations.
struct SkippedBranch {
  Span Lines;
  Span Directive; ///< the condition
  /// It is about a release, a platform or a compiler: what stands there may be right for another
  /// one.
  bool OfOther = false;
};

/// The facts of one file and of the headers it includes.
struct UnitFacts {
  UnitFacts();
  UnitFacts(const UnitFacts &);
  UnitFacts(UnitFacts &&) noexcept;
  UnitFacts &operator=(const UnitFacts &);
  UnitFacts &operator=(UnitFacts &&) noexcept;
  ~UnitFacts();

  /// As the caller named it.
  std::string MainFile;
  /// Paths of the files that spans point into; the main file first, under the caller's name, the
  /// others absolute.
  std::vector<std::string> Files;
  /// In source order; redeclarations outside of the main file last.
  std::vector<KernelDecl> Kernels;
  /// Other functions that the main file defines and other files can see: what they register may be
  /// only declared there.
  std::vector<KernelDecl> Definitions;
  /// The wanted classes and namespaces that the main file opens, in source order.
  std::vector<KernelScope> Scopes;
  /// Library blocks of the main file and of headers of the project, in the order in which the
  /// compiler meets them.
  std::vector<RegistrationBlock> Registrations;
  CustomClasses Classes;
  /// What kernels of the main file do, and the functions that they call there; the kernels first.
  std::vector<FunctionFlow> Flows;
  /// What files of the project ask the dispatcher for, in source order, and their autograd
  /// functions; both only where bodies were read.
  std::vector<OperatorLookup> Lookups;
  std::vector<AutogradFunction> Functions;
  /// Definitions of the main file that take or return tensors, and that no other file can see and
  /// nothing in it mentions; Use is the name. None if there were errors.
  std::vector<RegisteredKernel> Unused;
  /// Mangled names of all functions that files of the project define here for other ones to see,
  /// sorted, each once; and the templates among them. Both only of what was read whole.
  std::vector<std::string> Symbols;
  std::vector<TemplateDefinition> Templates;
  TypeNames Names;

  /// The file was read to its end. Otherwise FirstError tells why, and nothing else is filled.
  bool Parsed = false;
  /// As written in #include, in order, each once.
  std::vector<std::string> MissingHeaders;
  /// Errors of Clang outside function bodies, without mismatches between out-of-line definitions
  /// and their class.
  unsigned NumErrors = 0;
  /// The parser lost its way in the main file, so that what stands there is in part a guess.
  bool Garbled = false;
  /// "file:line:column: message" of the first error; of a unit that is complete(), of the first
  /// error in a function body.
  std::string FirstError;
  /// Identifiers that stand before "(" anywhere in the main file, sorted. Filled only if there were
  /// errors or missing headers: a kernel that is mentioned there may exist although the parse lacks
  /// it.
  std::vector<std::string> Mentioned;
  /// Filled only if there were errors or missing headers: what Registrations may lack.
  RegistrationReach Reach;
  /// The include folders, absolute, in which headers with names of PyTorch's were found. They are
  /// this machine's, and not part of facts.
  std::vector<std::string> TorchFolders;
  /// Where files of the project use PyTorch's API, by file and place; only where
  /// ParseOptions::Uses asks for it.
  std::vector<ApiUse> Uses;
  /// What pybind11 is used for, likewise.
  std::vector<PythonModule> Modules;
  std::vector<PythonUse> PythonUses;
  /// Functions that the main file defines where a condition is off, by name.
  std::vector<SkippedDefinition> SkippedDefinitions;
  /// What the main file registers where a condition is off; none or one, which holds nothing but
  /// Registrations and what they need.
  std::vector<UnitFacts> OtherBranches;
  /// Of one of OtherBranches: where its registrations stand, and the flags that turn on those which
  /// the compiler has read.
  std::vector<SkippedBranch> Branches;
  std::vector<std::string> BranchFlags;
  /// "c++20", where the file could be read by this standard only, and not by that of its command.
  std::string RaisedStandard;
  /// Null for any other file than a Python file. Copies of the unit share it.
  std::shared_ptr<PythonFacts> Python;

  bool complete() const { return Parsed && MissingHeaders.empty() && NumErrors == 0; }
  bool isOtherBranch() const { return !Branches.empty(); }
};

} // namespace opsig

#endif
