//===- EmbeddedTemplates.cpp - opsig's own templates ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They stand in for PyTorch's where there is no PyTorch source or wheel at hand, so they have its
// holes, but only those that an out-of-tree backend needs: its code calls no helper function, and
// has its kernels declared in one class.
//
//===----------------------------------------------------------------------===//
#include "opsig/Codegen/TemplateSet.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringLiteral NativeFunctionsText = R"(// ${generated_comment}
// clang-format off
#pragma once

#include <ATen/core/Tensor.h>

${namespace_prologue}

// The kernels of the backend, to be defined in its own sources.
struct ${class_name} {
  ${dispatch_declarations}
};

${namespace_epilogue}
)";

constexpr StringLiteral RegistrationText = R"(// ${generated_comment}
// clang-format off
${external_backend_headers}

#include <ATen/Context.h>
#include <ATen/DeviceGuard.h>
#include <ATen/Functions.h>
#include <ATen/core/op_registration/adaption.h>
#include <torch/library.h>

${dispatch_definitions}
)";

constexpr StringLiteral DefinitionsText = R"(${ns_prologue}
namespace {

// What the dispatcher calls.

${dispatch_anonymous_definitions}

// Runs when the library is loaded.

${static_init_dispatch_registrations}

} // namespace
${ns_epilogue}
)";

constexpr EmbeddedTemplate Templates[] = {
    {"DispatchKeyNativeFunctions.h", NativeFunctionsText},
    {"RegisterDispatchKey.cpp", RegistrationText},
    {"RegisterDispatchDefinitions.ini", DefinitionsText},
};

} // namespace

ArrayRef<EmbeddedTemplate> embeddedTemplates() { return Templates; }

} // namespace opsig
