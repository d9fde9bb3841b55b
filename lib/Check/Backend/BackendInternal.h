//===- BackendInternal.h - The steps of checking what a YAML lists -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found* of one name x ExpectedKernel* => Match* (Match.cpp) => Difference*
//   => findings with their fixes (Report.cpp, Defaults.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_BACKEND_BACKENDINTERNAL_H
#define OPSIG_LIB_CHECK_BACKEND_BACKENDINTERNAL_H

#include "FixIts/FixItsInternal.h"
#include "opsig/Check/BackendKernels.h"

namespace opsig {

/// How a declaration differs from an expected signature.
std::vector<Difference> differences(const Signature &Want, const Found &F);

/// Gives every declaration of one name the expected kernel that it stands for: the one it
/// equals, else the nearest that none equals. A declaration for which none is left is in no match,
/// nor is one whose nearest is refused by \p IsNear.
std::vector<Match> matchKernels(
    llvm::ArrayRef<const ExpectedKernel *> Expected, llvm::ArrayRef<Found> Decls,
    llvm::function_ref<bool(const Match &)> IsNear = [](const Match &) { return true; });

/// Both take parameters of the same known types.
bool haveSameParams(const KernelDecl &L, const KernelDecl &R);

/// A type that could not be read may hide any number of parameters: of such a list only the types
/// that stand at their places can be said to be wrong. Whether that is more than that.
bool isGuess(const Match &M);

/// Most parameters have the expected type, or at least its name. Where a name may stand for other
/// functions, too, only such a declaration is taken for a kernel.
bool looksMeant(const Match &M);

/// A function, the signature that an operator of PyTorch wants of it, and how findings speak of
/// both.
struct ComparedKernel {
  Found Kernel;
  std::string Name; ///< "'add'", "the lambda"
  /// Where findings point about parts that have no place; invalid: at its name.
  Place Otherwise;
  /// Other declarations of the function, which are fixed with it.
  std::vector<Found> Others;
  const NativeFunction &Function;
  const Signature &Want;
  std::vector<Difference> Differences;
  /// Says where the kernel is asked for, or registered.
  llvm::function_ref<void(Finding &)> AddNotes;
};

/// One kernel-signature per difference, each with the edits that fix it.
void reportDifferences(const ComparedKernel &K, const Dialect &D, UnitFiles &Files,
                       Findings &Diags);

/// The same for a kernel that a YAML asks for, and its default arguments.
void reportMismatch(const Match &M, const Dialect &D, UnitFiles &Files, Findings &Diags);

/// A kernel-default for each parameter of an equal pair whose default is another value than the
/// schema's.
void reportDefaults(const ComparedKernel &K, const Dialect &D, UnitFiles &Files, Findings &Diags);

/// \p M was compared.
void countCompared(const Match &M, Comparison &Done);

/// BackendKernels::Misnamed, for a class that no file has.
std::vector<Match> findMisnamedClass(const BackendKernels &Class, llvm::ArrayRef<UnitFacts> Units);
/// BackendKernels::Free, for kernels that are members of a class.
std::vector<Match> findFreeKernels(const BackendKernels &Class, llvm::ArrayRef<UnitFacts> Units);
/// A kernel-class-name for the class of the ones, and one for each of the others.
void reportMisplaced(const BackendKernels &Class, UnitFiles &Files, Findings &Diags);

/// Notes that point at the YAML: where the kernel is named, and the schema.
void addSchemaNotes(Finding &Diag, const ExpectedKernel &Expected);

} // namespace opsig

#endif
