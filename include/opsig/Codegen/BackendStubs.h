//===- BackendStubs.h - The files of an out-of-tree backend -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators x ExternalBackend => WrapperPlan => wrappers and registrations => GeneratedFile*
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_BACKENDSTUBS_H
#define OPSIG_CODEGEN_BACKENDSTUBS_H

#include "opsig/Codegen/Files.h"
#include "opsig/Operators/Operators.h"

namespace opsig {

struct BackendStubInput {
  const Operators &Ops;
  const ExternalBackend &Backend;
  /// Must hold backendTemplateNames().
  const TemplateSet &Templates;
  /// As the user spelled it; it is printed into an #include.
  std::string OutputDir;
};

/// DispatchKeyNativeFunctions.h, RegisterDispatchKey.cpp and RegisterDispatchDefinitions.ini.
llvm::ArrayRef<llvm::StringRef> backendTemplateNames();

/// <Key>NativeFunctions.h (declarations of all kernels), Register<Key>.cpp and, for a backend with
/// an `autograd:` list, RegisterAutograd<Key>.cpp, in this order; none for a backend that lists no
/// op under `supported:`. Templates and wrappers that cannot be used are reported; then the result
/// is empty.
std::vector<GeneratedFile> generateBackendStubs(const BackendStubInput &Input, Findings &Diags);

} // namespace opsig

#endif
