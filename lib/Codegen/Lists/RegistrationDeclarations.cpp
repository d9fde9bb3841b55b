//===- RegistrationDeclarations.cpp - RegistrationDeclarations.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per function, for generators of out-of-tree backends: what the dispatcher calls, and
// as JSON in a comment its schema and which kernels there are.
//
//===----------------------------------------------------------------------===//
#include "Print/JsonStringInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringRef Needs[] = {"registration_declarations"};

constexpr Template DeclarationText =
    R"(${declaration}; // {"schema": ${schema}, "dispatch": "${dispatch}", "default": "${default}"}
)";

StringRef pythonBool(bool Value) { return Value ? "True" : "False"; }

/// Whether some backend has a kernel of its own: CompositeImplicitAutograd, alone or together with
/// its nested form, serves all.
bool hasKernelOfItsOwn(const NativeFunction &F, const Operators &Ops) {
  bool Implicit = false;
  for (const BackendIndex &Index : Ops.Indices) {
    if (!Index.hasKernel(F))
      continue;
    if (Index.Key == DispatchKey::CompositeImplicitAutograd)
      Implicit = true;
    else if (Index.Key != DispatchKey::CompositeImplicitAutogradNestedTensor)
      return true;
  }
  return !Implicit;
}

/// Whether it works where a backend registers nothing. A structured group generates composite
/// kernels for its functional and inplace members.
bool worksByDefault(const NativeFunction &F) {
  bool Generated = F.partOfStructuredGroup() &&
                   (F.kind() == SchemaKind::Functional || F.kind() == SchemaKind::Inplace);
  return Generated || F.hasCompositeKernel();
}

std::string withoutAt(StringRef Type) {
  std::string Text;
  while (!Type.empty()) {
    auto [Before, After] = Type.split("at::");
    Text += Before;
    Type = After;
  }
  return Text;
}

/// A dispatcher declaration without defaults, its types in the spelling of this file.
std::string declaration(const NativeFunction &F, const Dialect &D) {
  Signature Sig = dispatcherSignature(F.Schema, Lowering::of(F, D));
  auto Spelled = [&](std::string Type) {
    return D.Output.RegistrationTypesOmitAt ? withoutAt(Type) : Type;
  };
  std::string Text = Spelled(Sig.Returns.str(D)) + " " + Sig.Name + "(";
  StringRef Separator;
  for (const Binding &Param : Sig.Params) {
    Text += Separator;
    Text += Spelled(Param.Type.Ty.str(D)) + " " + Param.Name;
    Separator = ", ";
  }
  return Text + ")";
}

} // namespace

void generateRegistrationDeclarations(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  std::string Lines;
  for (const NativeFunction &F : In.Ops.Functions)
    Lines += printed<DeclarationText>("declaration"_hole = declaration(F, In.dialect()),
                                      "schema"_hole = jsonString("aten::" + F.Schema.str()),
                                      "dispatch"_hole = pythonBool(hasKernelOfItsOwn(F, In.Ops)),
                                      "default"_hole = pythonBool(worksByDefault(F)));
  TemplateValues Values;
  Values["registration_declarations"] = std::move(Lines);
  addFile(In, {AtenFolder::Main, AtenList::Main, "RegistrationDeclarations.h"}, std::move(Values),
          Needs, Out, Diags);
}

} // namespace opsig
