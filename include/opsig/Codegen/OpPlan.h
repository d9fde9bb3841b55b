//===- OpPlan.h - What is generated for an operator, and why ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function x the plans of all families (those that their generators print) => OpPlan
//
// Nothing is decided here: each line asks the plan of its family.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_OPPLAN_H
#define OPSIG_CODEGEN_OPPLAN_H

#include "opsig/Codegen/Aten.h"
#include "opsig/Codegen/WrapperPlan.h"
#include <memory>

namespace opsig {

/// What Register<Key>.cpp has for an operator.
struct PlannedRegistration {
  DispatchKey Key;
  /// "wrapper", "copy-from-functional", "return-self"; of structured groups "structured-impl",
  /// "structured-meta", "structured-call-out".
  llvm::StringRef Kind;
  std::string Wrapper; ///< "wrapper_CPU_add_Tensor"
  /// The kernel, the class whose member runs, or the other form of the operator; "" where nothing
  /// is called.
  std::string Calls;
  std::string DeclaredIn; ///< the header of what is called; "" where it is not a kernel
  std::string Class;      ///< of structured groups: the class that is made
  std::string Parent;     ///< and what it derives from
  DeviceHandling Devices;
  bool GuardsOutputs = false; ///< the class sets a device guard, once it knows the outputs
  std::string DirectHeader;   ///< that of the function that goes past the dispatcher, if any
  std::string Why;
  Place At; ///< of the line that names the kernel; invalid where none does
};

/// Keys under which nothing is registered, for one reason.
struct UnregisteredKeys {
  std::string Why;
  std::vector<DispatchKey> Keys;
};

/// What a family of files has for an operator.
struct PlannedPart {
  std::string Family;   ///< "vmap", "shim-cpu"
  llvm::StringRef Kind; ///< a word that depends on the family; "none" where there is nothing
  std::string What;     ///< names, files; "" where Kind says all
  std::string Why;      ///< mostly of "none"
};

struct OpPlan {
  const NativeFunction *Function;
  std::vector<PlannedRegistration> Registrations; ///< in the order of the keys; backends last
  std::vector<UnregisteredKeys> Unregistered;
  std::vector<PlannedPart> Parts;
  std::vector<std::string> Headers; ///< "ATen/ops/add_native.h": those about this base name
};

/// Makes plans; looks through all operators once.
class OpPlanner {
public:
  /// Both must outlive the planner.
  OpPlanner(const AtenInput &In, llvm::ArrayRef<ExternalBackend> Backends);
  ~OpPlanner();
  OpPlan plan(const NativeFunction &F) const;

  struct Context;

private:
  std::unique_ptr<Context> C;
};

} // namespace opsig

#endif
