//===- NameLists.cpp - Lists of operator, argument and tag names ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions => ATenOpList.cpp, aten_interned_strings.h; tags.yaml => enum_tag.h
//
//===----------------------------------------------------------------------===//
#include "opsig/Codegen/Aten.h"
#include "opsig/Dialect/AtenTraits.h"
#include <set>

using namespace llvm;

namespace opsig {

namespace {

using Names = std::set<std::string>;

/// Operator names that C++ reads as operators, so no symbol can be named after them.
constexpr StringLiteral AlternativeTokens[] = {
    "and", "and_eq", "bitand", "bitor", "compl", "not", "not_eq", "or", "or_eq", "xor", "xor_eq"};

Names operatorNames(const Operators &Ops) {
  Names Result;
  for (const NativeFunction &F : Ops.Functions) {
    Result.insert(F.Schema.Name.Name.str());
    // An inplace function may have no functional form, but its symbol exists all the same.
    Result.insert(F.Schema.Name.Name.Base);
  }
  for (StringRef Token : AlternativeTokens)
    Result.erase(Token.str());
  return Result;
}

Names argumentNames(const Operators &Ops) {
  Names Result;
  for (const NativeFunction &F : Ops.Functions)
    for (const Argument &A : F.Schema.Args.All)
      Result.insert(A.Name);
  return Result;
}

/// "_(aten, abs) \" lines, as one value.
std::string symbolLines(StringRef Namespace, const Names &Of) {
  auto Line = [&](StringRef Name) { return ("_(" + Namespace + ", " + Name + ")").str(); };
  return each(Of, Line, " \\\n").str();
}

} // namespace

void generateOperatorList(const AtenInput &In, FileWriter &Out) {
  Out.add({"ATenOpList.cpp", "", FileFolder::Core, FileList::Core},
          "aten_ops"_hole = each(In.Ops.Functions, [](const NativeFunction &F) {
            const OperatorName &Name = F.Schema.Name;
            return "{\"aten::" + Name.Name.str() + "\", \"" + Name.Overload + "\"},";
          }));
}

void generateNameLists(const AtenInput &In, FileWriter &Out) {
  Out.add({"aten_interned_strings.h", "", FileFolder::Core, FileList::Core},
          "aten_symbols"_hole = symbolLines("aten", operatorNames(In.Ops)),
          "attr_symbols"_hole = symbolLines("attr", argumentNames(In.Ops)));
  bool HeaderOnly = In.dialect().Aten.HasHeaderOnlyFolder;
  Names Tags(In.Ops.ValidTags.begin(), In.Ops.ValidTags.end());
  Out.add({"enum_tag.h", "", HeaderOnly ? FileFolder::HeaderOnly : FileFolder::Core,
           HeaderOnly ? FileList::None : FileList::Core},
          "enum_of_valid_tags"_hole = each(Tags, [](StringRef Tag) { return Tag; }, ",\n").str());
}

void generateFixedSources(const AtenInput &In, FileWriter &Out) {
  Out.add({"Functions.cpp"});
  Out.add({"TensorMethods.cpp", "", FileFolder::Core, FileList::Core});
}

} // namespace opsig
