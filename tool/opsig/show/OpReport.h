//===- OpReport.h - What `opsig show` says of one operator ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeFunction + groups + backends => OpReport (all text is made) => JSON line | text for people
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_OPREPORT_H
#define OPSIG_TOOL_OPREPORT_H

#include "show/PythonReport.h"
#include "show/Rows.h"
#include "opsig/Signature/Translate.h"
#include <map>

namespace opsig {

/// A kernel of an operator: who serves which key.
struct KernelReport {
  llvm::StringRef Key;
  std::string Kernel; ///< "at::native::add_out"
  bool Structured = false;
  std::string Declaration; ///< what the kernel must look like; empty for structured ones
};

/// Argument expressions of a call from one convention to another; nothing where they cannot be
/// made.
using Expressions = std::optional<std::vector<std::string>>;
/// Dispatch key or C++ form => expressions, in the order of the report.
using ExpressionTable = std::vector<std::pair<std::string, Expressions>>;

struct TranslateReport {
  ExpressionTable DispatcherToNative;
  ExpressionTable NativeToDispatcher;
  ExpressionTable CppToDispatcher;
  ExpressionTable CppMethodToDispatcher; ///< empty without a method variant
};

struct OpReport {
  const NativeFunction *Function = nullptr;
  std::string Name;
  std::string Schema;
  std::vector<KernelReport> Kernels; ///< in index order; external backends last
  /// "cpp", "cpp_faithful", "cpp_symint", "cpp_symint_faithful" (those that exist), "dispatcher".
  std::vector<std::pair<llvm::StringRef, std::string>> Signatures;
  std::string StructuredMeta; ///< on the out function of a structured group
  std::string StructuredImpl;
  std::vector<std::string> Group; ///< names of the variants, this one included; empty without group
  std::optional<TranslateReport> Translate;
  std::optional<PythonReport> Python; ///< missing where it cannot be called from Python
};

/// Makes reports; finds the groups once.
class OpReporter {
public:
  OpReporter(const Operators &Ops, llvm::ArrayRef<ExternalBackend> Backends);
  OpReport report(const NativeFunction &F, bool WithTranslate) const;

private:
  bool isPyTorchs(const NativeFunction &F) const;
  /// PyTorch's in the order in which its YAML lists the kernels of \p F, then those of backends.
  std::vector<const BackendIndex *> indicesOf(const NativeFunction &F) const;
  TranslateReport translations(const NativeFunction &F, const Lowering &L,
                               const CppSignatures &Forms) const;

  const Operators &Ops;
  std::vector<const BackendIndex *> OfBackends;
  llvm::DenseMap<const NativeFunction *, const NativeFunctionsGroup *> GroupOf;
};

void printJson(llvm::raw_ostream &OS, const OpReport &Report);
/// For people: aligned, with the line of the YAML that the op comes from.
void printText(llvm::raw_ostream &OS, const OpReport &Report, const SourceFiles &Files);

} // namespace opsig

#endif
