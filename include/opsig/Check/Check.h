//===- Check.h - Kernels against operators -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, ExternalBackend* => ExpectedKernel*        (ExpectedKernels.cpp)
// UnitFacts* + ExpectedKernel* => pairs, rests          (Match.cpp)
//   => compare => Finding at the parameter, with fixes  (Report.cpp, Fixes.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_CHECK_H
#define OPSIG_CHECK_CHECK_H

#include "opsig/Signature/Signature.h"

namespace opsig {

struct Comparison;
struct ProjectLayout;
struct UnitFacts;
struct VirtualFile;

/// Which part of a project the translation units are.
enum class Scope : uint8_t {
  Unit,    ///< a single file, as in an editor; kernels that other files may define are not missing
  Project, ///< the whole project
};

/// The input of the checks of a run.
struct CheckContext {
  llvm::ArrayRef<UnitFacts> Units;
  Scope Of;
  const Operators &Ops;
  const ProjectLayout &Layout;
};

/// A kernel that a YAML file lists.
struct ExpectedKernel {
  const NativeFunction *Function;
  DispatchKey Key;
  std::string Name;      ///< "add"
  std::string Namespace; ///< "demo", "at::native"
  std::string Class;     ///< "demo::DemoNativeFunctions"; "" for at::native's
  opsig::Signature Signature;
  /// The YAML line that lists it; invalid for an implied kernel.
  Place At;
  /// Listed under full_codegen: a generator writes it into a file that need not be passed.
  bool Generated = false;
  /// A member of a class that is generated from the YAML: sources define it, and its declaration is
  /// not edited.
  bool Structured = false;
  /// A structured kernel with precomputed values, which its meta function returns.
  bool ReturnsPrecomputed = false;
  /// A structured kernel that the backend must define in its own class.
  bool Needed = false;
  /// Other entries of the backend's YAML that could not be read; null for PyTorch's kernels.
  const UnreadItems *Unread = nullptr;
};

/// Kernels of out-of-tree backends: supported, full_codegen, autograd, each in YAML order, backend
/// by backend.
std::vector<ExpectedKernel> expectedKernels(const Operators &Ops,
                                            llvm::ArrayRef<ExternalBackend> Backends);
/// Unstructured kernels of native_functions.yaml, in its order; one for each name and signature.
std::vector<ExpectedKernel> expectedNativeKernels(const Operators &Ops);

/// Meta functions (Name "meta") and implementations ("impl") of structured kernels, group by group.
/// Their classes are generated from the YAML, and sources define the members.
std::vector<ExpectedKernel> expectedStructuredKernels(const Operators &Ops);
/// The same of backends whose YAML lists structured kernels.
std::vector<ExpectedKernel> expectedStructuredKernels(const Operators &Ops,
                                                      llvm::ArrayRef<ExternalBackend> Backends);

/// ParseOptions::Scopes for these kernels, each once.
std::vector<std::string> scopesOf(llvm::ArrayRef<ExpectedKernel> Expected);

/// The header with the backend's class, which is generated from the same YAML: its name and a text
/// that declares the class without members but for classes of structured kernels, for when the real
/// one is not there yet.
VirtualFile fallbackHeader(const ExternalBackend &Backend, const Operators &Ops);

/// Reports kernel-signature, missing-kernel, unknown-kernel for kernels of backends.
/// missing-kernel only if the units are the whole project, or of a part of it one for all that the
/// class, which is there, does not declare; never of what other sources mention. Opens the files
/// that findings point into. Everything the findings need to outlive this call is in \p Files. Adds
/// to \p Done which kernels were compared.
void checkBackendKernels(llvm::ArrayRef<ExpectedKernel> Expected, const CheckContext &Context,
                         SourceFiles &Files, Comparison &Done, Findings &Diags);

/// Reports backend-lost-autograd for operators that backends support, but not under autograd,
/// while PyTorch itself has a CompositeImplicitAutograd kernel for them. Needs no sources.
void checkBackendAutograd(llvm::ArrayRef<ExternalBackend> Backends, Findings &Diags);

/// Reports kernel-signature and kernel-default for kernels of PyTorch itself, and unknown-kernel
/// for SymInt kernels that the YAML does not name. Files of at::native hold many functions that
/// share a kernel's name, so only what is nearly a kernel is compared.
void checkNativeKernels(llvm::ArrayRef<ExpectedKernel> Expected, llvm::ArrayRef<UnitFacts> Units,
                        const Dialect &D, SourceFiles &Files, Comparison &Done, Findings &Diags);

/// Reports kernel-signature for definitions of structured kernels, whatever their classes declare,
/// and missing-kernel for those that are Needed, where the units are the whole project.
void checkStructuredKernels(llvm::ArrayRef<ExpectedKernel> Expected, const CheckContext &Context,
                            SourceFiles &Files, Comparison &Done, Findings &Diags);

/// What a front end may tell about a file that was not read completely; "" if it was:
/// "'a.h' and 2 more headers were not found; kernels that need them are not compared".
std::string incompleteParse(const UnitFacts &Unit);

} // namespace opsig

#endif
