//===- KernelMarks.h - What a schema has to say of its kernel's memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernel x its body, in any unit => SchemaMarks with which the checks of alias annotations report
// nothing
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_KERNELMARKS_H
#define OPSIG_CHECK_KERNELMARKS_H

#include "opsig/Check/InferredSchema.h"
#include "opsig/Frontend/UnitFacts.h"
#include <memory>

namespace opsig {

class Operators;
class ProjectEffects;

class KernelMarks {
public:
  /// \p Units were read with bodies. They and \p Ops must outlive this object.
  KernelMarks(const Operators &Ops, llvm::ArrayRef<UnitFacts> Units);
  ~KernelMarks();

  /// Returns no marks if the body was not read.
  SchemaMarks of(const UnitFacts &Unit, const RegisteredKernel &Kernel);

private:
  llvm::ArrayRef<UnitFacts> Units;
  std::unique_ptr<ProjectEffects> Effects;
};

} // namespace opsig

#endif
