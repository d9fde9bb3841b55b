//===- PythonViewMeta.cpp - Classes that record views, for Python -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view groups => ViewMetaClassesPythonBinding.cpp
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Signature/Functionalization.h"

using namespace llvm;

namespace opsig {

void generateViewMetaBindings(const PythonInput &In, PythonFiles &Out, Diagnostics &Diags) {
  const Dialect &D = In.dialect();
  if (D.Functionalization.Views != ViewRecord::Classes)
    return;
  std::vector<std::string> Lines;
  for (const FunctionOrViewGroup &Entry : In.Ops.ViewGrouped) {
    const auto *G = std::get_if<NativeFunctionsViewGroup>(&Entry);
    if (!G || G->composite())
      continue;
    for (const NativeFunction *F : {G->View, G->ViewInplace})
      if (F)
        Lines.push_back("  create_binding_with_pickle<at::functionalization::" +
                        viewMetaClass(*G, *F, Lowering::of(*F, D)).Name + ">(functionalization);");
  }
  TemplateValues Values;
  Values["view_meta_bindings"] = std::move(Lines);
  addPythonFile(In, "ViewMetaClassesPythonBinding.cpp", std::move(Values), {"view_meta_bindings"},
                Out, Diags);
}

} // namespace opsig
