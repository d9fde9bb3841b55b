//===- SchemaRegistrations.cpp - RegisterSchema.cpp -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// selected functions by namespace => m.def lines => the block of aten, and one block per other
// namespace
//
//===----------------------------------------------------------------------===//
#include "Print/CppInternal.h"
#include "Print/StringsInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Dialect/AtenTraits.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template LibraryText = R"(

${macro}(${namespace}, m) {
  ${=definitions}
};)";

/// The schemas of one namespace. Where tags are shared, their numbers start anew in every one.
class SchemaDefinitions {
public:
  explicit SchemaDefinitions(const Dialect &D) : Shape(D.Aten.Tags) {}

  std::string definition(const NativeFunction &F) {
    std::string Tags = tagList(F);
    if (Shape == SchemaTags::InBraces || F.Tags.empty())
      return define(F, Tags);
    auto [At, IsNew] = Numbers.try_emplace(Tags, Numbers.size());
    std::string Name = "tags_" + std::to_string(At->second);
    std::string Vector = IsNew ? "const std::vector<at::Tag> " + Name + " = " + Tags + ";\n" : "";
    return Vector + define(F, Name);
  }

private:
  static std::string tagList(const NativeFunction &F) {
    return "{" + each(F.Tags, [](StringRef Tag) { return "at::Tag::" + Tag.str(); }).str() + "}";
  }

  static std::string define(const NativeFunction &F, StringRef Tags) {
    return ("m.def(" + cppString(F.schemaText()) + ", " + Tags + ");\n").str();
  }

  SchemaTags Shape;
  StringMap<size_t> Numbers;
};

} // namespace

void generateSchemaRegistrations(const AtenInput &In, FileWriter &Out) {
  const Dialect &D = In.dialect();
  MapVector<StringRef, std::vector<const NativeFunction *>> ByNamespace;
  if (!In.Options.SkipDispatcherOpRegistration)
    for (const NativeFunction &F : In.Ops.Functions)
      ByNamespace[F.Namespace].push_back(&F);

  std::vector<std::string> Aten;
  std::string Others;
  for (const auto &[Namespace, Functions] : ByNamespace) {
    SchemaDefinitions Definitions(D);
    std::vector<std::string> Lines;
    for (const NativeFunction *F : Functions)
      if (In.SelectedSchemas.isSelected(*F))
        Lines.push_back(Definitions.definition(*F));
    bool IsFragment = is_contained(D.Aten.FragmentNamespaces, Namespace);
    if (Namespace == "aten")
      Aten = std::move(Lines);
    else
      print<LibraryText>(
          Others, "macro"_hole = IsFragment ? "TORCH_LIBRARY_FRAGMENT" : "TORCH_LIBRARY",
          "namespace"_hole = Namespace, "definitions"_hole = llvm::join(Lines, "\t"));
  }
  Out.add({"RegisterSchema.cpp"}, "aten_schema_registrations"_hole = Aten,
          "schema_registrations"_hole = Others);
}

} // namespace opsig
