//===- NameLists.cpp - Lists of operator, argument and tag names ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions => ATenOpList.cpp, aten_interned_strings.h; tags.yaml => enum_tag.h
//
//===----------------------------------------------------------------------===//
#include "opsig/Codegen/Sharding.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace opsig {

namespace {

/// Operator names that C++ reads as operators, so no symbol can be named after them.
constexpr StringLiteral AlternativeTokens[] = {
    "and", "and_eq", "bitand", "bitor", "compl", "not", "not_eq", "or", "or_eq", "xor", "xor_eq"};

struct InternedNames {
  std::set<std::string> Operators;
  std::set<std::string> Arguments;
};

InternedNames collectNames(const Operators &Ops) {
  InternedNames Names;
  for (const NativeFunction &F : Ops.Functions) {
    Names.Operators.insert(F.Schema.Name.Name.str());
    // An inplace function may have no functional form, but its symbol exists all the same.
    Names.Operators.insert(F.Schema.Name.Name.Base);
    for (const Argument &A : F.Schema.Args.All)
      Names.Arguments.insert(A.Name);
  }
  for (StringRef Token : AlternativeTokens)
    Names.Operators.erase(Token.str());
  return Names;
}

/// "_(aten, abs) \" lines.
std::string symbolLines(StringRef Namespace, const std::set<std::string> &Names) {
  std::string Lines;
  ListSeparator LineEnd(" \\\n");
  for (StringRef Name : Names)
    Lines += (StringRef(LineEnd) + "_(" + Namespace + ", " + Name + ")").str();
  return Lines;
}

} // namespace

void generateOperatorList(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  std::vector<std::string> Lines;
  for (const NativeFunction &F : In.Ops.Functions) {
    const OperatorName &Name = F.Schema.Name;
    Lines.push_back("{\"aten::" + Name.Name.str() + "\", \"" + Name.Overload + "\"},");
  }
  TemplateValues Values;
  Values["aten_ops"] = std::move(Lines);
  addFile(In, {AtenFolder::Core, AtenList::Core, "ATenOpList.cpp"}, std::move(Values), {"aten_ops"},
          Out, Diags);
}

void generateNameLists(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  InternedNames Names = collectNames(In.Ops);
  TemplateValues Symbols;
  Symbols["aten_symbols"] = symbolLines("aten", Names.Operators);
  Symbols["attr_symbols"] = symbolLines("attr", Names.Arguments);
  addFile(In, {AtenFolder::Core, AtenList::Core, "aten_interned_strings.h"}, std::move(Symbols),
          {"aten_symbols", "attr_symbols"}, Out, Diags);

  std::vector<std::string> Tags = In.Ops.ValidTags;
  llvm::sort(Tags);
  TemplateValues Enum;
  Enum["enum_of_valid_tags"] = join(Tags, ",\n");
  bool HeaderOnly = In.dialect().Aten.HasHeaderOnlyFolder;
  addFile(In,
          {HeaderOnly ? AtenFolder::HeaderOnly : AtenFolder::Core,
           HeaderOnly ? AtenList::None : AtenList::Core, "enum_tag.h"},
          std::move(Enum), {"enum_of_valid_tags"}, Out, Diags);
}

void generateFixedSources(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  addFile(In, {AtenFolder::Main, AtenList::Main, "Functions.cpp"}, {}, {}, Out, Diags);
  addFile(In, {AtenFolder::Core, AtenList::Core, "TensorMethods.cpp"}, {}, {}, Out, Diags);
}

} // namespace opsig
