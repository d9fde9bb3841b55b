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

void generateViewMetaBindings(const PythonInput &In, FileWriter &Out) {
  const Dialect &D = In.dialect();
  if (D.Functionalization.Views != ViewRecord::Classes)
    return;
  std::string Lines;
  for (const FunctionOrViewGroup &Entry : In.Ops.ViewGrouped) {
    const auto *G = std::get_if<NativeFunctionsViewGroup>(&Entry);
    if (!G || G->composite())
      continue;
    for (const NativeFunction *F : {G->View, G->ViewInplace})
      if (F)
        Lines += "  create_binding_with_pickle<at::functionalization::" +
                 viewMetaClass(*G, *F, Lowering::of(*F, D)).Name + ">(functionalization);\n";
  }
  Out.add({"ViewMetaClassesPythonBinding.cpp"}, "view_meta_bindings"_hole = Lines);
}

} // namespace opsig
