//===- Registrations.cpp - Register<Key>.cpp --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// key => groups => texts of their functions => blocks (a kernel namespace each) => file or shards
//
//===----------------------------------------------------------------------===//
#include "Print/NamespacesInternal.h"
#include "Register/DeviceTextInternal.h"
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Codegen/RegistrationHelpers.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringRef FileTemplate = "RegisterDispatchKey.cpp";
constexpr StringRef BlockTemplate = "RegisterDispatchDefinitions.ini";

// Without one of these a template would lose what is generated.
constexpr StringRef FileNeeds[] = {"dispatch_headers", "ops_headers", "dispatch_definitions"};
constexpr StringRef BlockNeeds[] = {"ns_prologue", "dispatch_anonymous_definitions",
                                    "static_init_dispatch_registrations",
                                    "dispatch_namespaced_definitions", "ns_epilogue"};

/// CPU has by far the most functions.
constexpr unsigned CpuShards = 4;

constexpr Template LibraryBlockText = R"(

TORCH_LIBRARY_IMPL(${namespace}, ${key}, m) {
    ${=registrations}
${ending})";
constexpr Template StructuredRegistrationText = R"(m.impl("${op}", TORCH_FN(${wrapper}));)";

//===-- Functions -----------------------------------------------------------===//

/// One key's file.
class RegistrationFile {
public:
  RegistrationFile(const AtenInput &In, DispatchKey Key, Diagnostics &Diags)
      : In(In), D(In.dialect()), Key(Key), Index(indexOrNone(In, Key)), Diags(Diags) {}

  void add(AtenSink Out);

private:
  /// What goes into the block of one kernel namespace.
  struct Block {
    std::string Namespace;
    std::vector<std::string> Definitions, Direct;
    /// Of the operators in RegisteredFor.
    std::vector<std::string> Registrations;
    StringRef RegisteredFor;
  };

  void addGroup(const FunctionOrGroup &G, std::vector<Block> &Blocks);
  void addFunction(const KeyFunction &F, Block &B);
  Expected<std::string> definition(const KeyFunction &F) const;
  std::string registration(const KeyFunction &F, const Signature &Own) const;

  std::string libraryBlock(const Block &B) const;
  std::string blockText(Block B) const;
  std::string definitionsText(std::vector<Block> Blocks) const;

  std::vector<std::string> helpers() const;
  std::vector<std::string> operatorHeaders() const;
  TemplateValues fileValues() const;
  bool hasFunctionsHeader() const { return is_contained(In.FunctionKeys, Key); }

  const AtenInput &In;
  const Dialect &D;
  DispatchKey Key;
  const BackendIndex &Index;
  Diagnostics &Diags;
};

Expected<std::string> RegistrationFile::definition(const KeyFunction &F) const {
  if (const auto *Structured = std::get_if<StructuredKernel>(&F.By))
    return structuredDefinition(*Structured, Index, In.Options.Rocm, D);
  return wrapperDefinition(std::get<Wrapper>(F.By), {Index, D, ""});
}

std::string RegistrationFile::registration(const KeyFunction &F, const Signature &Own) const {
  if (const auto *Unstructured = std::get_if<Wrapper>(&F.By))
    return wrapperRegistration(*Unstructured, {Index, D, ""});
  return printed<StructuredRegistrationText>("op"_hole = F.Function->Schema.Name.str(),
                                             "wrapper"_hole = Own.Name);
}

void RegistrationFile::addFunction(const KeyFunction &F, Block &B) {
  Signature Own = F.signature(Index, D);
  Expected<std::string> Definition = definition(F);
  Expected<std::string> Direct = directDefinitions(*F.Function, Own, D);
  if (!Definition || !Direct) {
    std::string Op = F.Function->Schema.Name.str();
    // Where both fail, it is for the same reason.
    if (!Definition && !Direct)
      consumeError(Direct.takeError());
    Error Why = Definition ? Direct.takeError() : Definition.takeError();
    Diags
        .report(diag::RegistrationWrapper, F.Function->Entry, "'{0}' gets no wrapper for {1}: {2}",
                Op, toString(Key), toString(std::move(Why)))
        .op(Op);
    return;
  }
  B.Definitions.push_back(std::move(*Definition));
  B.Direct.push_back(std::move(*Direct));
  if (In.Selected.isSelected(*F.Function))
    B.Registrations.push_back(registration(F, Own));
}

//===-- Blocks --------------------------------------------------------------===//

void RegistrationFile::addGroup(const FunctionOrGroup &G, std::vector<Block> &Blocks) {
  std::string Namespace = withoutNative(kernelNamespace(G, Index));
  auto B = find_if(Blocks, [&](const Block &B) { return B.Namespace == Namespace; });
  if (B == Blocks.end())
    B = Blocks.insert(B, Block{.Namespace = std::move(Namespace)});
  // A block registers for one namespace of operators; when the next comes, torchgen drops what the
  // former had.
  if (B->RegisteredFor != operatorNamespace(G)) {
    B->Registrations.clear();
    B->RegisteredFor = operatorNamespace(G);
  }
  for (const KeyFunction &F : planKeyFunctions(G, Index))
    addFunction(F, *B);
}

std::string RegistrationFile::libraryBlock(const Block &B) const {
  if (B.Registrations.empty() || In.Options.SkipDispatcherOpRegistration)
    return "";
  return printed<LibraryBlockText>("namespace"_hole = B.RegisteredFor, "key"_hole = toString(Key),
                                   "registrations"_hole = join(B.Registrations, "\n"),
                                   "ending"_hole =
                                       D.Output.LibraryBlocksEndInSemicolon ? "};" : "}");
}

std::string RegistrationFile::blockText(Block B) const {
  std::string Library = libraryBlock(B);
  TemplateValues Values = {
      {"generated_comment", ("@generated by torchgen/gen.py from " + BlockTemplate).str()},
      {"ns_prologue", openNamespaces(B.Namespace)},
      {"ns_epilogue", closeNamespaces(B.Namespace)},
      {"dispatch_helpers",
       D.Output.Helpers == HelperPlace::KernelNamespace ? helpers() : std::vector<std::string>()},
      {"dispatch_anonymous_definitions", std::move(B.Definitions)},
      {"static_init_dispatch_registrations", std::move(Library)},
      {"deferred_dispatch_registrations", ""},
      {"dispatch_namespace", toLower(Key)},
      {"dispatch_namespaced_definitions", std::move(B.Direct)},
  };
  if (!In.Templates.check(BlockTemplate, Values, BlockNeeds, Diags))
    return "";
  return In.Templates.fill(BlockTemplate, Values, D);
}

std::string RegistrationFile::definitionsText(std::vector<Block> Blocks) const {
  std::string Text;
  for (Block &B : Blocks)
    if (!B.Direct.empty())
      Text += withoutEmptyLines(blockText(std::move(B)));
  return Text;
}

//===-- Files ---------------------------------------------------------------===//

std::vector<std::string> RegistrationFile::helpers() const {
  // Nothing there uses them, and an unused function is a warning.
  if (Key == DispatchKey::CompositeImplicitAutogradNestedTensor)
    return {};
  return registrationHelpers(Index.Key, D);
}

std::vector<std::string> RegistrationFile::operatorHeaders() const {
  bool CallsOut = Key == DispatchKey::CompositeExplicitAutogradNonFunctional;
  std::vector<std::string> Headers;
  if (!In.Options.PerOperatorHeaders) {
    Headers.push_back("#include <ATen/NativeFunctions.h>");
    if (CallsOut)
      Headers.push_back("#include <ATen/Functions.h>");
    if (hasFunctionsHeader())
      Headers.push_back(("#include <ATen/" + toString(Key) + "Functions.h>").str());
    return Headers;
  }
  std::string DispatchSuffix = "_" + toLower(Key) + "_dispatch.h>";
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    if (!isRegistered(G, Index, Key))
      continue;
    std::string Head = ("#include <ATen/ops/" + rootName(G)).str();
    Headers.push_back(Head + "_native.h>");
    if (CallsOut)
      Headers.push_back(Head + ".h>");
    if (hasFunctionsHeader())
      Headers.push_back(Head + DispatchSuffix);
  }
  sort(Headers);
  Headers.erase(unique(Headers), Headers.end());
  return Headers;
}

TemplateValues RegistrationFile::fileValues() const {
  const AtenOptions &Options = In.Options;
  return {
      {"extra_cuda_headers", isCudaKey(Key) ? cudaHeaders(Options.Rocm, D.Output) : ""},
      {"external_backend_headers", ""},
      {"dispatch_headers",
       registrationHeaders(Index.Key, D, {Options.PerOperatorHeaders, Options.Rocm})},
      {"ops_headers", operatorHeaders()},
      {"dispatch_helpers",
       D.Output.Helpers == HelperPlace::FileTop ? helpers() : std::vector<std::string>()},
  };
}

void RegistrationFile::add(AtenSink Out) {
  AtenFileSpec Spec{AtenFolder::Main, listOfKey(Key), ("Register" + toString(Key) + ".cpp").str(),
                    FileTemplate};
  TemplateValues Values = fileValues();
  if (!D.Output.ShardsRegistrations) {
    std::vector<Block> Blocks;
    for (const FunctionOrGroup &G : In.Ops.Grouped)
      addGroup(G, Blocks);
    Values["dispatch_definitions"] = definitionsText(std::move(Blocks));
    addFile(In, Spec, std::move(Values), FileNeeds, Out, Diags);
    return;
  }
  std::vector<ShardItem> Items;
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    std::vector<Block> Blocks;
    addGroup(G, Blocks);
    std::string Text = definitionsText(std::move(Blocks));
    if (Text.empty())
      continue;
    ShardItem &Item = Items.emplace_back();
    Item.Key = rootName(G);
    Item.Lists["dispatch_definitions"] = {std::move(Text)};
  }
  addShardedFiles(In, Spec, Items, Key == DispatchKey::CPU ? CpuShards : 1,
                  {"dispatch_definitions"}, Values, FileNeeds, Out, Diags);
}

} // namespace

void generateRegistrations(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  size_t NumBefore = Diags.size();
  for (DispatchKey Key : In.Keys) {
    RegistrationFile(In, Key, Diags).add(Out);
    if (Diags.size() != NumBefore)
      return; // The other keys would say the same of the same templates and operators.
  }
}

} // namespace opsig
