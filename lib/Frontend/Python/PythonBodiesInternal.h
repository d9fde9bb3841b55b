//===- PythonBodiesInternal.h - Bodies of Python functions => FunctionFlow --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_PYTHON_PYTHONBODIESINTERNAL_H
#define OPSIG_LIB_FRONTEND_PYTHON_PYTHONBODIESINTERNAL_H

#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Support/JsonView.h"

namespace opsig {

/// What "bodies" of a file's answer says (share/python/kernel_bodies.py), for UnitFacts::Flows;
/// none where it is not of that form.
std::optional<std::vector<FunctionFlow>> pythonFlows(const JsonObject &Answer);

} // namespace opsig

#endif
