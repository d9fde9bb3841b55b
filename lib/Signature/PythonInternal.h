//===- PythonInternal.h - What the Python sources share ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_SIGNATURE_PYTHONINTERNAL_H
#define OPSIG_LIB_SIGNATURE_PYTHONINTERNAL_H

#include "opsig/Signature/Python.h"

namespace opsig {

/// The member of the parser's result that an argument is read with: "toSymInt", "tensorlist_n<2>".
/// Nothing for a type that cannot be read.
std::optional<std::string> pythonUnpack(const PythonArgument &A, const Dialect &D);

/// As whyNotPython() of Python.h, for a function that has the signature \p AsFunction.
std::optional<PythonBlocker> whyNotPython(const NativeFunction &F,
                                          const PythonSignature &AsFunction, const Dialect &D);

/// Why \p S cannot serve \p F, although each is good by itself.
std::optional<PythonBlocker> whyNotServed(const PythonSignature &S, const NativeFunction &F);

/// The operator that a schema returns without references: "::std::tuple<at::Tensor,at::Tensor>".
std::string pythonReturnText(const NativeFunction &F, const Dialect &D);

} // namespace opsig

#endif
