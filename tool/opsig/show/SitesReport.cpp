//===- SitesReport.cpp - What `opsig show ns::op FILE...` says ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "show/Rows.h"
#include "show/SitesReport.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

std::string placeText(const Place &At, const SourceFiles &Files) {
  return At.isValid() ? safeText(Files.name(At.File)) + ":" + std::to_string(At.Line) : "";
}

void printPlace(llvm::json::OStream &J, const Place &At, const SourceFiles &Files) {
  if (!At.isValid())
    return;
  J.attribute("file", utf8(Files.name(At.File)));
  J.attribute("line", At.Line);
  J.attribute("column", At.Column);
}

std::string label(const OperatorSite &S) {
  switch (S.Is) {
  case OperatorSite::Definition:
    return "defined";
  case OperatorSite::Kernel:
    return S.Key.empty() ? "every key" : S.Key;
  default:
    return toString(S.Is).str();
  }
}

/// The text that the operator is called by where it is shown: the first schema that is written.
std::string title(const OperatorSites &Op, const NativeFunction *Native) {
  for (const OperatorSite &S : Op.All)
    if (S.Is == OperatorSite::Definition && !S.Text.empty()) {
      llvm::StringRef Namespace = llvm::StringRef(Op.Name).split("::").first;
      bool HasOne =
          llvm::StringRef(S.Text).take_until([](char C) { return C == '('; }).contains("::");
      return HasOne ? S.Text : (Namespace + "::" + S.Text).str();
    }
  return Native ? "aten::" + Native->Schema.str() : Op.Name;
}

bool has(const OperatorSites &Op, OperatorSite::Kind Kind) {
  return llvm::any_of(Op.All, [&](const OperatorSite &S) { return S.Is == Kind; });
}

} // namespace

std::vector<const OperatorSites *> sitesNamed(llvm::StringRef Name,
                                              llvm::ArrayRef<OperatorSites> All) {
  std::vector<const OperatorSites *> Out;
  for (const OperatorSites &Op : All)
    if (Op.Name == Name)
      return {&Op};
  for (const OperatorSites &Op : All)
    if (llvm::StringRef(Op.Name).split('.').first == Name)
      Out.push_back(&Op);
  return Out;
}

void printJson(llvm::raw_ostream &OS, const OperatorSites &Op, const NativeFunction *Native,
               const SourceFiles &Files) {
  llvm::json::OStream J(OS);
  J.object([&] {
    J.attribute("op", utf8(Op.Name));
    if (has(Op, OperatorSite::Definition) || Native)
      J.attribute("schema", utf8(title(Op, Native)));
    J.attributeArray("sites", [&] {
      for (const OperatorSite &S : Op.All)
        J.object([&] {
          J.attribute("kind", toString(S.Is));
          if (S.Is == OperatorSite::Kernel)
            J.attribute("key", utf8(S.Key));
          J.attribute(S.Is == OperatorSite::Definition ? "schema" : "function", utf8(S.Text));
          printPlace(J, S.At, Files);
          if (S.Function.isValid())
            J.attributeObject("declaration", [&] { printPlace(J, S.Function, Files); });
        });
    });
  });
  J.flush();
  OS << '\n';
}

void printText(llvm::raw_ostream &OS, const OperatorSites &Op, const NativeFunction *Native,
               const SourceFiles &Files) {
  printTitle(OS, title(Op, Native));
  for (const OperatorSite &S : Op.All) {
    std::string Text;
    if (S.Is == OperatorSite::Definition)
      Text = S.Text.empty() ? ", schema inferred from the kernel" : "";
    else
      Text =
          ", " + S.Text + (S.Function.isValid() ? " (" + placeText(S.Function, Files) + ")" : "");
    printPlaceRow(OS, label(S), "", S.At, Files, Text);
  }
  if (!has(Op, OperatorSite::Definition))
    printRow(OS, "defined", Native ? "by PyTorch" : "not in the files that were read");
  if (!has(Op, OperatorSite::Kernel))
    printRow(OS, "kernels", "not in the files that were read");
}

} // namespace opsig
