//===- PythonReport.cpp - What `opsig show` says of Python ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "show/PythonReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {

std::optional<PythonReport> pythonReport(const NativeFunction &F, const Dialect &D) {
  if (whyNotPython(F, D))
    return std::nullopt;
  PythonSignature Signature = pythonSignature(F, PythonForm::Function, D);
  PythonDispatch Dispatch = pythonDispatch(Signature, F, D);
  PythonReport R;
  R.Function = Signature.str(D);
  if (F.IsMethodVariant)
    R.Method = pythonSignature(F, PythonForm::Method, D).str(D);
  for (llvm::StringRef Field : pythonResultFields(F.Schema))
    R.Fields.push_back(Field.str());
  R.Returns = std::move(Dispatch.Returns);
  R.Call = Dispatch.Callee + "(" + llvm::join(Dispatch.CalleeArgs, ", ") + ")";
  for (PythonDispatch::Param &P : Dispatch.Params) {
    R.Params.push_back(P.Type + " " + P.Name.str());
    R.Args.push_back(std::move(P.From));
  }
  return R;
}

void printPython(llvm::json::OStream &J, const std::optional<PythonReport> &R) {
  if (!R) {
    J.attribute("python", nullptr);
    return;
  }
  auto List = [&](llvm::StringRef Name, llvm::ArrayRef<std::string> Texts) {
    J.attributeArray(Name, [&] {
      for (const std::string &Text : Texts)
        J.value(Text);
    });
  };
  J.attributeObject("python", [&] {
    J.attribute("function", R->Function);
    if (!R->Method.empty())
      J.attribute("method", R->Method);
    List("fields", R->Fields);
    J.attribute("returns", R->Returns);
    J.attribute("call", R->Call);
    List("lambda", R->Params);
    List("arguments", R->Args);
  });
}

std::vector<std::pair<llvm::StringRef, std::string>> textRows(const PythonReport &R) {
  std::vector<std::pair<llvm::StringRef, std::string>> Rows = {{"python", R.Function}};
  if (!R.Method.empty())
    Rows.emplace_back("python method", R.Method);
  if (!R.Fields.empty())
    Rows.emplace_back("python result", llvm::join(R.Fields, ", "));
  return Rows;
}

} // namespace opsig
