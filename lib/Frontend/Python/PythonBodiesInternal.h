//===- PythonBodiesInternal.h - Bodies of Python functions => FunctionFlow --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_PYTHON_PYTHONBODIESINTERNAL_H
#define OPSIG_LIB_FRONTEND_PYTHON_PYTHONBODIESINTERNAL_H

#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/PythonFacts.h"
#include "llvm/Support/JSON.h"

namespace opsig {

/// What "bodies" of a file's answer says (share/python/kernel_bodies.py), for UnitFacts::Flows;
/// none where it is not of that form.
std::optional<std::vector<FunctionFlow>> pythonFlows(const llvm::json::Object &Answer);

/// What the second line of a file's answer says. What is not there, or is something else, stays as
/// it is by default.
PythonFacts pythonFacts(const llvm::json::Object &Facts);

} // namespace opsig

#endif
