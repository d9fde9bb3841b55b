//===- SchemaRegistrations.cpp - RegisterSchema.cpp -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// selected functions by namespace => m.def lines => the block of aten, and one block per other
// namespace
//
//===----------------------------------------------------------------------===//
#include "Api/OperatorApiInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

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
    std::string Tags = "{";
    ListSeparator Comma;
    for (StringRef Tag : F.Tags)
      Tags += (StringRef(Comma) + "at::Tag::" + Tag).str();
    return Tags + "}";
  }

  static std::string define(const NativeFunction &F, StringRef Tags) {
    return ("m.def(" + cppStringLiteral(F.Schema.str()) + ", " + Tags + ");\n").str();
  }

  SchemaTags Shape;
  StringMap<size_t> Numbers;
};

std::string libraryBlock(StringRef Namespace, ArrayRef<std::string> Definitions, const Dialect &D) {
  StringRef Macro = is_contained(D.Aten.FragmentNamespaces, Namespace) ? "TORCH_LIBRARY_FRAGMENT"
                                                                       : "TORCH_LIBRARY";
  return ("\n" + Macro + "(" + Namespace + ", m) {\n  " + join(Definitions, "\t") + "\n};").str();
}

} // namespace

void generateSchemaRegistrations(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  MapVector<StringRef, std::vector<const NativeFunction *>> ByNamespace;
  for (const NativeFunction &F : In.Ops.Functions)
    ByNamespace[F.Namespace].push_back(&F);

  std::vector<std::string> Aten;
  std::string Others;
  for (const auto &[Namespace, Functions] : ByNamespace) {
    SchemaDefinitions Definitions(In.dialect());
    std::vector<std::string> Lines;
    for (const NativeFunction *F : Functions)
      if (In.SelectedSchemas.isSelected(*F))
        Lines.push_back(Definitions.definition(*F));
    if (Namespace == "aten")
      Aten = std::move(Lines);
    else
      Others += libraryBlock(Namespace, Lines, In.dialect());
  }

  TemplateValues Values;
  bool Skips = In.Options.SkipDispatcherOpRegistration;
  Values["aten_schema_registrations"] = Skips ? std::vector<std::string>() : std::move(Aten);
  Values["schema_registrations"] = Skips ? "" : std::move(Others);
  addFile(In, {AtenFolder::Main, AtenList::Main, "RegisterSchema.cpp"}, std::move(Values),
          {"aten_schema_registrations", "schema_registrations"}, Out, Diags);
}

} // namespace opsig
