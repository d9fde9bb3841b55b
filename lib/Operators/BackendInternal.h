//===- BackendInternal.h - The YAML of a backend -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tree => which layout it has => PyTorch's own (BackendYaml.cpp) or a fork's (ForkYaml.cpp)
//   => ExternalBackend
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_OPERATORS_BACKENDINTERNAL_H
#define OPSIG_LIB_OPERATORS_BACKENDINTERNAL_H

#include "FieldReaderInternal.h"
#include "opsig/Operators/Operators.h"
#include "opsig/Support/NearNames.h"

namespace opsig {

/// Names of operators that a YAML lists, with suggestions for wrong ones.
class OperatorNames {
public:
  explicit OperatorNames(const Operators &Ops) : Ops(Ops), Names(Ops.names()), Near(Names) {}

  /// Reports a name that nobody has under backend-unknown-op.
  const NativeFunction *find(llvm::StringRef Name, const Place &At, Diagnostics &Diags);
  /// "; did you mean 'add.Tensor'?"
  std::string suggestion(llvm::StringRef Name);

private:

  const Operators &Ops;
  std::vector<llvm::StringRef> Names;
  NearNames Near;
};

/// The key that is called \p Name, if this release has it and external backends may have kernels
/// for it; reports what is wrong at \p At under \p Id. \p What follows the name in the message.
std::optional<DispatchKey> readBackendKey(llvm::StringRef Name, const Place &At, DiagId Id,
                                          llvm::StringRef What, const Operators &Ops,
                                          Diagnostics &Diags, bool MayBeInTree = false);

/// "; torch_npu's layout has it": which of \p Layouts know a section or field \p Name.
std::string knownElsewhere(llvm::StringRef Name, llvm::ArrayRef<const BackendLayout *> Layouts);

/// Reads \p Root, which is laid out as \p Layout says. What could be read; usable only where
/// nothing was reported.
ExternalBackend readForkYaml(const YamlNode &Root, FileId File, const BackendLayout &Layout,
                             llvm::ArrayRef<const BackendLayout *> Others, const Operators &Ops,
                             Diagnostics &Diags);

} // namespace opsig

#endif
