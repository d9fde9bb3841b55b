//===- FindingLinks.cpp - Links of findings in messages of clangd -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FindingLinks.h"

namespace json = llvm::json;
using llvm::StringRef;

namespace opsig {

static constexpr llvm::StringLiteral Link = "codeDescription", CheckPrefix = "opsig-";

bool mayLinkFindings(StringRef Body) { return Body.contains(Link) && Body.contains(CheckPrefix); }

static void linkFinding(json::Object &Hit, const DocsLinks &Docs) {
  StringRef Check = Hit.getString("code").value_or("");
  if (!Hit.get(Link) || !Check.consume_front(CheckPrefix))
    return;
  std::string Page = Docs.page(Check);
  if (Page.empty())
    Hit.erase(Link);
  else
    Hit[Link] = json::Object{{"href", std::move(Page)}};
}

static void linkFindings(json::Value &Each, const DocsLinks &Docs) {
  if (json::Array *List = Each.getAsArray()) {
    for (json::Value &Item : *List)
      linkFindings(Item, Docs);
  } else if (json::Object *Object = Each.getAsObject()) {
    linkFindings(*Object, Docs);
  }
}

void linkFindings(json::Object &Message, const DocsLinks &Docs) {
  linkFinding(Message, Docs);
  for (auto &Field : Message)
    linkFindings(Field.second, Docs);
}

} // namespace opsig
