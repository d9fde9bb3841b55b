//===- BackendSelect.cpp - RegisterBackendSelect.cpp ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factory function has no tensor to be dispatched by, so a kernel that all backends share reads
// the backend from its tensor options and dispatches again.
//
//===----------------------------------------------------------------------===//
#include "Register/BackendSelectInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringRef Needs[] = {"backend_select_method_definitions",
                               "backend_select_function_registrations"};

constexpr Template DefinitionText = R"(// aten::${schema}
C10_ALWAYS_INLINE
${signature} {
  ${=compute_key}
  return at::_ops::${op}::redispatch(
      _dk, ${args});
}
)";

constexpr Template KeyOfOptionsText =
    "DispatchKeySet _dk = c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device));";
constexpr Template KeyOfOptionsAndTensorsText =
    R"(DispatchKeySet _dk_set = c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device)) | c10::detail::multi_dispatch_key_set(${tensors});
DispatchKeySet _dk_mask = c10::DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::BackendSelect);
DispatchKeySet _dk = c10::impl::computeDispatchKeySet(_dk_set, _dk_mask);)";

constexpr Template RegistrationText = R"(m.impl("aten::${op}", TORCH_FN(${name}));)";

/// Names of the parameters of tensor-like types.
std::vector<StringRef> tensorsOf(const FunctionSchema &S) {
  std::vector<StringRef> Names;
  for (const Argument &A : S.Args.all())
    if (A.Ty.isTensorLike())
      Names.push_back(A.Name);
  return Names;
}

} // namespace

std::variant<BackendSelect, NoBackendSelect> planBackendSelect(const NativeFunction &F,
                                                               const Selector &Selected) {
  if (!F.Schema.Args.hasTensorOptions())
    return NoBackendSelect::NoOptions;
  std::string Name = F.Schema.Name.Name.str();
  if (StringRef(Name).ends_with("_like") || StringRef(Name).starts_with("new_"))
    return NoBackendSelect::HasTensor;
  if (!Selected.isSelected(F))
    return NoBackendSelect::NotSelected;
  return tensorsOf(F.Schema).empty() ? BackendSelect::ByOptions
                                     : BackendSelect::ByOptionsAndTensors;
}

namespace {

std::string definition(const NativeFunction &F, BackendSelect By, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  Signature Own = dispatcherSignature(S, Lowering::of(F, D));
  std::vector<StringRef> Tensors = tensorsOf(S), Args;
  for (const Binding &B : Own.Params)
    Args.push_back(B.Name);
  return printed<DefinitionText>(
      "schema"_hole = S.str(), "signature"_hole = Own.defn(D, nativeName(S)),
      "compute_key"_hole =
          By == BackendSelect::ByOptions
              ? printed<KeyOfOptionsText>()
              : printed<KeyOfOptionsAndTensorsText>("tensors"_hole = join(Tensors, ", ")),
      "op"_hole = S.Name.unambiguous(), "args"_hole = join(Args, ", "));
}

} // namespace

void generateBackendSelect(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  std::vector<std::string> Headers, Definitions, Registrations;
  for (const NativeFunction &F : In.Ops.Functions) {
    auto Plan = planBackendSelect(F, In.Selected);
    const auto *By = std::get_if<BackendSelect>(&Plan);
    if (!By)
      continue;
    Headers.push_back(("#include <ATen/ops/" + F.rootName() + "_ops.h>").str());
    Definitions.push_back(definition(F, *By, In.dialect()));
    Registrations.push_back(printed<RegistrationText>("op"_hole = F.Schema.Name.str(),
                                                      "name"_hole = nativeName(F.Schema)));
  }
  addFile(In, {AtenFolder::Main, AtenList::Main, "RegisterBackendSelect.cpp"},
          {{"ops_headers", std::move(Headers)},
           {"backend_select_method_definitions", std::move(Definitions)},
           {"backend_select_function_registrations", std::move(Registrations)}},
          Needs, Out, Diags);
}

} // namespace opsig
