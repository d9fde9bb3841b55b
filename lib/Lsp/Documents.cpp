//===- Documents.cpp - The texts that an editor has open --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Lsp/Documents.h"

namespace json = llvm::json;

namespace opsig {

bool Documents::open(const json::Object &Params) {
  const json::Object &Of = objectAt(Params, {"textDocument"});
  std::string Uri = uriOf(Params).str();
  std::optional<llvm::StringRef> Text = Of.getString("text");
  if (Uri.empty() || !Text)
    return false;
  ByUri[Uri] = {Uri, pathOfUri(Uri), std::make_shared<std::string>(*Text),
                Of.getInteger("version")};
  return true;
}

bool Documents::change(const json::Object &Params) {
  auto Known = ByUri.find(uriOf(Params));
  const json::Array *Changes = Params.getArray("contentChanges");
  if (Known == ByUri.end() || !Changes)
    return false;
  Document &Of = Known->second;
  std::string Text = *Of.Text;
  for (const json::Value &Each : *Changes) {
    const json::Object *Change = Each.getAsObject();
    std::optional<llvm::StringRef> New = Change ? Change->getString("text") : std::nullopt;
    if (!New)
      continue;
    const json::Object *Range = Change->getObject("range");
    if (!Range) {
      Text = New->str();
      continue;
    }
    TextLines Lines(Text);
    size_t Begin = Lines.offset(positionOf(objectAt(*Range, {"start"})), Units);
    size_t End = Lines.offset(positionOf(objectAt(*Range, {"end"})), Units);
    if (Begin <= End)
      Text.replace(Begin, End - Begin, New->data(), New->size());
  }
  Of.Version = objectAt(Params, {"textDocument"}).getInteger("version");
  if (Text == *Of.Text)
    return false;
  Of.Text = std::make_shared<std::string>(std::move(Text));
  return true;
}

bool Documents::close(const json::Object &Params) {
  auto Known = ByUri.find(uriOf(Params));
  if (Known == ByUri.end())
    return false;
  ByUri.erase(Known);
  return true;
}

const Document *Documents::find(llvm::StringRef Uri) const {
  auto Known = ByUri.find(Uri);
  return Known == ByUri.end() ? nullptr : &Known->second;
}

const Document *Documents::findPath(llvm::StringRef Path) const {
  for (const auto &[Uri, Of] : ByUri)
    if (Of.Path == Path)
      return &Of;
  return nullptr;
}

} // namespace opsig
