//===- DirectFunctions.cpp - C++ functions that go past the dispatcher ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Signature/Translate.h"
#include "opsig/Support/Printer.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template DeclarationText = "TORCH_API ${signature};\n";

constexpr Template DefinitionText = R"(

${signature} {
return ${wrapper}(${args});
}
)";

CppSignatures formsOf(const NativeFunction &F, const Dialect &D) {
  return cppSignatures(F, CppForm(), Lowering::of(F, D));
}

} // namespace

std::string directDeclarations(const NativeFunction &F, const Dialect &D) {
  std::string Text;
  CppSignatures Forms = formsOf(F, D);
  for (const Signature *Form : Forms.all())
    Text += printed<DeclarationText>("signature"_hole = Form->decl(D));
  return Text;
}

Expected<std::string> directDefinitions(const NativeFunction &F, const Signature &Own,
                                        const Dialect &D) {
  std::string Text;
  CppSignatures Forms = formsOf(F, D);
  for (const Signature *Form : Forms.all()) {
    Expected<std::vector<Expr>> Args = translate(Form->Params, Own.Params, D);
    if (!Args)
      return Args.takeError();
    Text += printed<DefinitionText>("signature"_hole = Form->defn(D), "wrapper"_hole = Own.Name,
                                    "args"_hole = join(*Args));
  }
  return Text;
}

} // namespace opsig
