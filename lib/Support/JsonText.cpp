//===- JsonText.cpp - JSON that others wrote => values -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"

using namespace llvm;

Error opsig::checkJsonDepth(StringRef Text) {
  unsigned Depth = 0;
  bool Quoted = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (Quoted) {
      I += C == '\\';
      Quoted = C != '"';
    } else if (C == '"') {
      Quoted = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > MostJsonDepth)
        return createStringError("its brackets are nested more than %u levels deep", MostJsonDepth);
    } else if ((C == ']' || C == '}') && Depth > 0) {
      --Depth;
    }
  }
  return Error::success();
}

Expected<json::Value> opsig::parseJson(StringRef Text) {
  if (Error E = checkJsonDepth(Text))
    return std::move(E);
  return json::parse(Text);
}

void opsig::printJsonLine(raw_ostream &OS, function_ref<void(json::OStream &)> Print) {
  std::string Text;
  raw_string_ostream To(Text);
  {
    json::OStream J(To);
    Print(J);
  }
  OS << safeJson(Text) << '\n';
}

void opsig::printJsonLine(raw_ostream &OS, const json::Value &Value) {
  printJsonLine(OS, [&](json::OStream &J) { J.value(Value); });
}

std::string opsig::utf8(StringRef Text) {
  return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
}
