//===- UnnamedOperators.cpp - Operators whose names are not constants ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is certain without the name: a function that custom_op() got and what is registered by it;
// two names that one module writes by the same settled expression (python_unnamed.py); and the
// operators of a kernel-builder extension. Its C++ code is in the folder torch-ext, its package in
// a folder of that, and `add_op_namespace_prefix("f")` names the extension's own operator 'f'.
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "opsig/Operators/Operators.h"

using namespace opsig;
using namespace llvm;

StringRef opsig::extensionFolder(StringRef File) {
  constexpr StringLiteral Folder = "torch-ext/";
  size_t At = File.rfind(Folder);
  bool IsFolder = At != StringRef::npos && (At == 0 || File[At - 1] == '/');
  return IsFolder ? File.take_front(At + Folder.size()) : StringRef();
}

std::string PythonCase::opName() const {
  if (!Unnamed)
    return "'" + Op + "'";
  if (Unnamed->Def)
    return "'" + Unnamed->Def->Op + "'";
  const PythonCallable *F = Unnamed->In->Facts.find(Unnamed->Use->Function);
  return F && !F->isLambda() ? "the operator of '" + F->Qualified + "'" : "the operator";
}

void UnnamedOperators::add(const PythonUnit &In) {
  for (const LibraryUse &Use : In.Facts.Uses) {
    if (!Use.Signature.IsKnown || Use.Unnamed.empty())
      continue;
    SchemaErrors Errors, Remarks;
    std::optional<FunctionSchema> Schema = parseScriptSchema(
        "f" + Use.Signature.Value, grammarOf(D), In.Unit->Names.Strings, Errors, Remarks);
    if (!Schema)
      continue;
    const Made &One = All.emplace_back(Made{&In, &Use, std::move(Schema)});
    ByKey[{In.Unit, Use.Unnamed}].push_back(&One);
    if (!Use.Expression.empty())
      ByKey[{In.Unit, Use.Expression}].push_back(&One);
  }
}

std::optional<UnnamedOperator> UnnamedOperators::find(const PythonUnit &In,
                                                      const LibraryUse &Use) const {
  auto Known = ByKey.find({In.Unit, Use.Unnamed});
  if (Known == ByKey.end() || Use.Unnamed.empty())
    return ofExtension(In, Use);
  if (Known->second.size() != 1)
    return std::nullopt;
  const Made &One = *Known->second.front();
  return UnnamedOperator{
      &*One.Schema, nullptr, One.In, One.Use, One.In->Unit->MainFile + One.Use->Unnamed, ""};
}

/// The one that C++ code in the same extension defines.
std::optional<UnnamedOperator> UnnamedOperators::ofExtension(const PythonUnit &In,
                                                             const LibraryUse &Use) const {
  StringRef Folder = extensionFolder(In.Unit->MainFile);
  const RegisteredOp *Op = Use.Extension.empty() || Folder.empty()
                               ? nullptr
                               : Registered.find("TORCH_EXTENSION_NAME::" + Use.Extension);
  const EntryRef *Only = nullptr;
  for (const EntryRef *Def : Op ? ArrayRef(Op->Defs) : ArrayRef<const EntryRef *>()) {
    if (extensionFolder(Def->Unit->MainFile) != Folder)
      continue;
    if (Only || !Def->Schema || Def->Schema->NameOnly)
      return std::nullopt;
    Only = Def;
  }
  if (!Only)
    return std::nullopt;
  return UnnamedOperator{&*Only->Schema, Only, nullptr, nullptr, Only->Op + " " + Folder.str(),
                         Folder.str()};
}
