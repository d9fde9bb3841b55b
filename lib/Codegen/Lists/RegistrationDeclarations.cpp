//===- RegistrationDeclarations.cpp - RegistrationDeclarations.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per function, for generators of out-of-tree backends: what the dispatcher calls, and
// as JSON in a comment its schema and which kernels there are.
//
//===----------------------------------------------------------------------===//
#include "Print/CppInternal.h"
#include "Print/StringsInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Dialect/OutputTraits.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template DeclarationText = "${returns} ${name}(${params});";
constexpr Template CommentText =
    R"( // {"schema": ${schema}, "dispatch": "${dispatch}", "default": "${default}"}
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

/// A dispatcher declaration without defaults, its types in the spelling of this file.
void declare(std::string &Out, const NativeFunction &F, const Dialect &D) {
  Signature Sig = dispatcherSignature(F.Schema, Lowering::of(F, D));
  auto Spelled = [&](std::string Type) {
    return D.Output.RegistrationTypesOmitAt ? without("at::", std::move(Type)) : Type;
  };
  print<DeclarationText>(Out, "returns"_hole = Spelled(Sig.Returns.str(D)), "name"_hole = Sig.Name,
                         "params"_hole = each(Sig.Params, [&](const Binding &Param) {
                           return Spelled(Param.Type.Ty.str(D)) + " " + Param.Name;
                         }));
}

} // namespace

void generateRegistrationDeclarations(const AtenInput &In, FileWriter &Out) {
  Out.add(
      {"RegistrationDeclarations.h"}, "registration_declarations"_hole = [&](std::string &To) {
        for (const NativeFunction &F : In.Ops.Functions) {
          declare(To, F, In.dialect());
          print<CommentText>(To, "schema"_hole = jsonString("aten::" + F.schemaText()),
                             "dispatch"_hole = pythonBool(hasKernelOfItsOwn(F, In.Ops)),
                             "default"_hole = pythonBool(worksByDefault(F)));
        }
      });
}

} // namespace opsig
