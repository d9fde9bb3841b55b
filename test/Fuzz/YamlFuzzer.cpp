//===- YamlFuzzer.cpp - Any bytes as the YAML files of a release -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte chooses the dialect and the keys to drop. Lines "%%" cut the rest into
// native_functions.yaml, tags.yaml and a backend YAML. Whatever they are: loading returns
// diagnostics that point into the files, or operators of which each is in a group and none is in
// two. What is read as plain YAML, yaml-cpp reads in the same way.
//
//===----------------------------------------------------------------------===//

#include "opsig/Operators/Operators.h"
#include "opsig/Operators/ProjectConfig.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"
#include "../../lib/Operators/YamlTreeInternal.h"
#include <cstdlib>
#include <string>
#include <yaml-cpp/exceptions.h>

using namespace opsig;

/// Ends the program also where assertions are off.
static void require(bool Holds) {
  if (!Holds)
    abort();
}

/// Every diagnostic says something about a place that exists, and can be printed.
static void requirePrintable(Findings &Diags, const SourceFiles &Files) {
  Diags.sort(Files);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const Finding &D : Diags.all()) {
    require(!D.Message.empty());
    require(D.At.File != SourceId::None);
    if (D.At.isValid())
      require(Files.offsetOf(D.At) <= Files.text(D.At.File).size());
    printText(OS, D, Files);
    printJson(OS, D, Files);
  }
}

template <typename Groups> static size_t countMembers(const Groups &All) {
  llvm::DenseSet<const NativeFunction *> Seen;
  for (const auto &G : All) {
    if (const auto *F = std::get_if<const NativeFunction *>(&G)) {
      require(Seen.insert(*F).second);
      continue;
    }
    for (const NativeFunction *F : std::get<1>(G).functions())
      require(Seen.insert(F).second);
  }
  return Seen.size();
}

static void requireConsistent(const Operators &Ops) {
  require(countMembers(Ops.Grouped) == Ops.Functions.size());
  require(countMembers(Ops.ViewGrouped) == Ops.Functions.size());
  for (const NativeFunction &F : Ops.Functions) {
    require(Ops.find(F.Schema.Name.str()) == &F);
    require(F.Generated || F.Schema.str() == F.SchemaText.Text);
    require(F.Kind == F.Schema.kind());
    for (const KernelEntry &Entry : F.Dispatch)
      require(Ops.index(Entry.Key)->kernel(F)->Kernel == Entry.Kernel);
  }
}

static bool sameTree(const YamlNode &A, const YamlNode &B) {
  return A.Is == B.Is && A.Value == B.Value && A.Text.Text == B.Text.Text &&
         A.Text.Verbatim == B.Text.Verbatim && A.at().Line == B.at().Line &&
         A.at().Column == B.at().Column && A.at().Length == B.at().Length &&
         std::equal(A.Children.begin(), A.Children.end(), B.Children.begin(), B.Children.end(),
                    [](const YamlNode *C, const YamlNode *D) { return sameTree(*C, *D); });
}

static void requireAgreement(SourceId File, llvm::StringRef Text) {
  YamlNodes Plain, Judge;
  Findings Diags;
  if (!readPlainYaml(File, {Text, 0}, Plain))
    return;
  try {
    readYaml(File, {Text, 0}, Judge, Diags);
  } catch (const YAML::Exception &) {
    require(false);
  }
  require(Diags.empty() && sameTree(*Plain.Root, *Judge.Root));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size == 0)
    return 0;
  const Dialect &D = *allDialects()[Data[0] % allDialects().size()];
  LoadOptions Options;
  if (Data[0] & 0x80)
    Options.DroppedKeys.assign(D.Keys.DroppedByDefault.begin(), D.Keys.DroppedByDefault.end());

  llvm::StringRef Text(reinterpret_cast<const char *>(Data) + 1, Size - 1);
  auto [Native, Rest] = Text.split("\n%%\n");
  auto [Tags, Backend] = Rest.split("\n%%\n");
  SourceFiles Files;
  SourceId NativeFile = Files.add("native_functions.yaml", Native.str());
  SourceId TagsFile = Files.add("tags.yaml", Tags.str());
  SourceId BackendFile = Files.add("backend.yaml", Backend.str());

  for (SourceId File : {NativeFile, TagsFile, BackendFile})
    requireAgreement(File, Files.text(File));

  Findings Diags;
  std::unique_ptr<Operators> Ops = loadOperators(NativeFile, TagsFile, Files, D, Diags, Options);
  require(Ops != nullptr);
  if (!Diags.hasErrors()) {
    requireConsistent(*Ops);
    std::optional<ExternalBackend> B = loadBackend(BackendFile, Files, *Ops, Diags);
    require(B.has_value() != Diags.hasErrors());
  }
  requirePrintable(Diags, Files);

  Findings ConfigDiags;
  readProjectConfig(BackendFile, Files, ConfigDiags);
  requirePrintable(ConfigDiags, Files);
  return 0;
}
