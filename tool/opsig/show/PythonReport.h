//===- PythonReport.h - What `opsig show` says of Python --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_PYTHONREPORT_H
#define OPSIG_TOOL_PYTHONREPORT_H

#include "opsig/Signature/Python.h"

namespace llvm::json {
class OStream;
}

namespace opsig {

/// How one operator is called from Python, whether or not PyTorch binds it.
struct PythonReport {
  std::string Function;            ///< "add(Tensor input, Tensor other, *, Scalar alpha=1)"
  std::string Method;              ///< the same of the method; empty without
  std::vector<std::string> Fields; ///< of a result whose fields have names
  std::string Returns;             ///< "at::Tensor"
  std::string Call;                ///< "self.add(other, alpha)"
  std::vector<std::string> Params; ///< of the lambda around the call: "const at::Tensor & self"
  std::vector<std::string> Args;   ///< what the lambda is called with: "_r.tensor(0)"
};

/// Nothing for an operator that cannot be called from Python.
std::optional<PythonReport> pythonReport(const NativeFunction &F, const Dialect &D);

/// The attribute "python"; null without a report.
void printPython(llvm::json::OStream &J, const std::optional<PythonReport> &R);
/// Label and text.
std::vector<std::pair<llvm::StringRef, std::string>> textRows(const PythonReport &R);

} // namespace opsig

#endif
