//===- Files.cpp - The one way in which generated files leave ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Codegen/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;

namespace opsig {

unsigned shardOf(StringRef Key, unsigned NumShards) {
  std::array<uint8_t, 20> Digest = SHA1::hash(arrayRefFromStringRef(Key));
  unsigned Remainder = 0;
  for (uint8_t Byte : reverse(Digest))
    Remainder = (Remainder * 256 + Byte) % NumShards;
  return Remainder;
}

FileSpec FileWriter::shardSpec(const FileSpec &Of, StringRef Id) {
  auto [Stem, Extension] = StringRef(Of.Name).rsplit('.');
  return {(Stem + Id + "." + Extension).str(),
          Of.Template.empty() ? StringRef(Of.Name) : Of.Template, Of.Folder, Of.List};
}

void FileWriter::addNamed(const FileSpec &Spec, ArrayRef<TemplateValue> Values) {
  std::vector<printer::Name> Names;
  std::vector<HoleView> Views;
  for (const TemplateValue &V : Values) {
    Names.push_back({V.Name, /*MayBeUnused=*/false, /*IsFlag=*/false});
    Views.push_back(V.Value);
  }
  if (fill(Spec, buffer(), Names, Views))
    Out(Spec, Buffer);
}

bool FileWriter::fill(const FileSpec &Spec, std::string &To, ArrayRef<printer::Name> Names,
                      ArrayRef<HoleView> Views) const {
  StringRef Template = Spec.Template.empty() ? StringRef(Spec.Name) : Spec.Template;
  std::string Comment = ("@generated " + Origin + Template).str();
  SmallVector<TemplateValue, 12> Values;
  SmallVector<StringRef, 12> Required;
  for (auto [Name, View] : zip(Names, Views)) {
    if (!View.isOffered())
      continue;
    Values.push_back({Name.Text, View});
    if (!Name.MayBeUnused)
      Required.push_back(Name.Text);
  }
  // The first of a name counts.
  Values.push_back({"generated_comment", Comment});
  return Templates.print(Template, To, {Values, Required, D}, Diags);
}

} // namespace opsig
