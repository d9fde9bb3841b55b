//===- InferredSchema.h - The schema that libtorch makes of a kernel ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// m.def("scale", &scale): name x KernelDecl => FunctionSchema, scale(Tensor x, float by) -> Tensor
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_INFERREDSCHEMA_H
#define OPSIG_CHECK_INFERREDSCHEMA_H

#include "opsig/Frontend/Registration.h"
#include "opsig/Schema/FunctionSchema.h"

namespace opsig {

/// The alias annotations of a schema: at most one for each argument and each return. Empty lists
/// mean no annotations.
struct SchemaMarks {
  std::vector<std::optional<AliasAnnotation>> Args, Returns;
};

/// The schema of operator \p Op, made of its kernel's types as libtorch makes it: no defaults, and
/// nothing marked as written. Arguments, which are `_0`, `_1` there, have the names of the
/// parameters where each has one. None where a type is none of the dispatcher's, or is not known.
/// \p Defaults are added where they are given, one for each argument, "" for none; and so are \p
/// Marks.
std::optional<FunctionSchema> inferredSchema(llvm::StringRef Op, const RegisteredKernel &Kernel,
                                             const TypeNames &Names,
                                             llvm::ArrayRef<std::string> Defaults = {},
                                             const SchemaMarks &Marks = {});

} // namespace opsig

#endif
