//===- BackendSelect.cpp - RegisterBackendSelect.cpp ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factory function has no tensor to be dispatched by, so a kernel that all backends share reads
// the backend from its tensor options and dispatches again.
//
//===----------------------------------------------------------------------===//
#include "Register/RegistrationPlanInternal.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template DefinitionText = R"(
// aten::${schema}
C10_ALWAYS_INLINE
${signature} {
  ${if tensors}
  DispatchKeySet _dk_set = c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device)) | c10::detail::multi_dispatch_key_set(${tensors});
DispatchKeySet _dk_mask = c10::DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::BackendSelect);
DispatchKeySet _dk = c10::impl::computeDispatchKeySet(_dk_set, _dk_mask);
  ${else}
  DispatchKeySet _dk = c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device));
  ${end}
  return at::_ops::${op}::redispatch(
      _dk, ${args});
}
)";

constexpr Template RegistrationText = R"(m.impl("aten::${op}", TORCH_FN(${name}));)";

auto tensorsOf(const FunctionSchema &S) {
  return make_filter_range(S.Args.all(), [](const Argument &A) { return A.Ty.isTensorLike(); });
}

} // namespace

std::variant<BackendSelect, Nothing> planBackendSelect(const NativeFunction &F,
                                                       const Selector &Selected) {
  if (!F.Schema.Args.hasTensorOptions())
    return Nothing{"it takes no tensor options"};
  std::string Name = F.Schema.Name.Name.str();
  if (StringRef(Name).ends_with("_like") || StringRef(Name).starts_with("new_"))
    return Nothing{"operators named 'new_*' or '*_like' take the backend from a tensor argument"};
  if (!Selected.isSelected(F))
    return Nothing{"it is not selected"};
  return tensorsOf(F.Schema).empty() ? BackendSelect::ByOptions
                                     : BackendSelect::ByOptionsAndTensors;
}

void generateBackendSelect(const AtenInput &In, FileWriter &Out) {
  using Function = const NativeFunction &;
  auto Chosen = make_filter_range(In.Ops.Functions, [&](Function F) {
    return std::holds_alternative<BackendSelect>(planBackendSelect(F, In.Selected));
  });
  auto Define = [&](std::string &To, Function F) {
    Signature Own = dispatcherSignature(F.Schema, Lowering::of(F, In.dialect()));
    print<DefinitionText>(
        To, "schema"_hole = F.schemaText(),
        "signature"_hole = Own.defn(In.dialect(), nativeName(F.Schema)),
        "tensors"_hole =
            each(tensorsOf(F.Schema), [](const Argument &A) -> StringRef { return A.Name; }),
        "op"_hole = F.Schema.Name.unambiguous(), "args"_hole = names(Own.Params));
  };
  auto Register = [](std::string &To, Function F) {
    print<RegistrationText>(To, "op"_hole = F.Schema.Name.str(),
                            "name"_hole = nativeName(F.Schema));
  };
  Out.add({"RegisterBackendSelect.cpp"},
          frame("ops_headers"_hole = each(Chosen, [](Function F) { return opInclude(F, "_ops"); })),
          "backend_select_method_definitions"_hole = each(Chosen, Define),
          "backend_select_function_registrations"_hole = each(Chosen, Register));
}

} // namespace opsig
