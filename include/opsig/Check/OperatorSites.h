//===- OperatorSites.h - Where a project says something of an operator --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts of C++ and Python x name of an operator
//   => OperatorSites: definitions, kernels by key, fakes, formulas, each with its place
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_OPERATORSITES_H
#define OPSIG_CHECK_OPERATORSITES_H

#include "opsig/Check/Registrations.h"

namespace opsig {

struct OperatorSite {
  enum Kind : uint8_t {
    Definition,
    Kernel,   ///< C++ or Python
    Fake,     ///< Python; one in C++ is a kernel for Meta
    Autograd, ///< a formula in Python
    Vmap,     ///< a rule in Python
  } Is;
  /// Of a kernel: "CPU"; "" for every key (CompositeImplicitAutograd).
  std::string Key;
  /// Of a definition: the schema, or "" where it is made of the kernel. Else the function: "scale",
  /// "a lambda", "falls through".
  std::string Text;
  Place At;       ///< where it is registered
  Place Function; ///< the declaration that was read; invalid where it is not known
};
/// "definition", "kernel", "fake", "autograd", "vmap".
llvm::StringRef toString(OperatorSite::Kind Kind);

struct OperatorSites {
  std::string Name;              ///< "ns::add.out"
  std::vector<OperatorSite> All; ///< by kind; of one kind in the order of the files
};

/// Of each operator that \p Units define or register something for, by name. YAMLs of \p Backends
/// define, too.
std::vector<OperatorSites> operatorSites(llvm::ArrayRef<UnitFacts> Units,
                                         llvm::ArrayRef<ExternalBackend> Backends,
                                         const Operators &Ops, SourceFiles &Files);

} // namespace opsig

#endif
