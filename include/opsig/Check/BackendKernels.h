//===- BackendKernels.h - What stands for the kernels of a backend ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ExpectedKernel*, UnitFacts* => per class: declarations and definitions, paired with what is
// expected => BackendCheck.cpp (findings) | lib/Edit (what to add)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_BACKENDKERNELS_H
#define OPSIG_CHECK_BACKENDKERNELS_H

#include "opsig/Check/Check.h"
#include "opsig/Registry/UnitFiles.h"
#include "opsig/Signature/Compare.h"
#include <map>
#include <set>

namespace opsig {

/// A declaration that was matched with an expected kernel.
struct Match {
  Found Kernel;
  const ExpectedKernel *Expected;
  std::vector<Difference> Differences; ///< empty: as expected
};

/// The kernels of one class, and their counterparts in the files.
struct BackendKernels {
  std::string Class;
  std::string Namespace;
  /// No file declares the class or a member of it: the kernels are functions of a namespace, either
  /// the one with the class's name or the one around it. Some file has a function there with the
  /// name of a kernel.
  bool IsNamespace = false;
  /// The scope of the kernels: Class, which may be the name of a namespace, or Namespace.
  std::string Scope;
  /// In the order of the YAML.
  std::vector<const ExpectedKernel *> Expected;
  /// Every function of the class by name, one entry per place.
  std::map<std::string, std::vector<Found>> Decls;
  /// Matched definitions and declarations, names in alphabetical order.
  std::vector<Match> Definitions;
  std::vector<Match> Declarations;
  /// Members of another class that is probably meant if no file has Class: its name is a typo, or
  /// it has more kernels than the namespaces.
  std::vector<Match> Misnamed = {};
  /// Functions of Namespace where members of a class are expected and missing.
  std::vector<Match> Free = {};

  /// Entries of the YAML files that could not be read.
  std::set<const UnreadItems *> Unread = {};
};

/// Sorted by the name of the class.
std::vector<BackendKernels> findBackendKernels(llvm::ArrayRef<ExpectedKernel> Expected,
                                               llvm::ArrayRef<UnitFacts> Units, UnitFiles &Files);

/// Whether a file defines the class \p Name.
bool isClassThere(llvm::StringRef Name, llvm::ArrayRef<UnitFacts> Units);

/// Whether a file that could not be read completely mentions \p Name.
bool mayExistUnread(llvm::StringRef Name, llvm::ArrayRef<UnitFacts> Units);

/// "at::Tensor (*)(const at::Tensor &)", with names that mean the same anywhere in \p Unit.
std::string pointerType(const Signature &Want, const UnitFacts &Unit, const Dialect &D,
                        UnitFiles &Files);

/// \p Want as a declaration named \p Name, in the words and the layout of \p Like; where that has
/// no declaration, with qualified names. Without default arguments and semicolon.
std::string declarationLike(const Found &Like, const Signature &Want, llvm::StringRef Name,
                            const Dialect &D, UnitFiles &Files);

} // namespace opsig

#endif
