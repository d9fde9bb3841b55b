//===- DispatchHeaders.cpp - <Key>Functions.h, ops/<op>_<key>_dispatch.h -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// key => direct bindings of its functions => a header per base name, or <Key>Functions_inl.h with
// all
//
//===----------------------------------------------------------------------===//
#include "Print/NamespacesInternal.h"
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringRef HeaderTemplate = "DispatchKeyFunctions.h";
constexpr StringRef InlineTemplate = "DispatchKeyFunctions_inl.h";
constexpr StringRef OperatorTemplate = "DispatchKeyFunction.h";

// Without one of these a template would lose what is generated.
constexpr StringRef HeaderNeeds[] = {"inline_headers"};
constexpr StringRef InlineNeeds[] = {"DispatchKeyFunctions_inl_includes",
                                     "dispatch_namespaced_declarations"};
constexpr StringRef OperatorNeeds[] = {"dispatch_namespaced_declarations"};

constexpr Template InlineIncludeText = "#include <ATen/${key}Functions_inl.h>";
constexpr Template OperatorIncludeText = "#include <ATen/ops/${file}>";

// The last line is blank, but not empty.
constexpr Template NamespaceText = R"(

${open}${declarations}
${close}        )";

/// The declarations of \p G under a key, an element for every function.
std::vector<std::string> declarationsOf(const FunctionOrGroup &G, const BackendIndex &Index,
                                        const Dialect &D) {
  std::vector<std::string> Declarations;
  for (const KeyFunction &F : planKeyFunctions(G, Index))
    Declarations.push_back(directDeclarations(*F.Function, D));
  return Declarations;
}

//===-- One key's headers ---------------------------------------------------===//

class KeyHeaders {
public:
  KeyHeaders(const AtenInput &In, DispatchKey Key, AtenSink Out, Diagnostics &Diags)
      : In(In), D(In.dialect()), Key(Key), Index(indexOrNone(In, Key)), Out(Out), Diags(Diags) {}

  void add() {
    std::vector<std::string> Includes, Declarations;
    if (In.Options.PerOperatorHeaders)
      Includes = addOperatorHeaders();
    else
      Declarations = allDeclarations();
    addFile(In, spec("Functions.h", HeaderTemplate),
            {{"dispatch_key", toString(Key).str()},
             {"inline_headers", printed<InlineIncludeText>("key"_hole = toString(Key))}},
            HeaderNeeds, Out, Diags);
    addFile(In, spec("Functions_inl.h", InlineTemplate),
            {{"dispatch_namespace", toLower(Key)},
             {"DispatchKeyFunctions_inl_includes", std::move(Includes)},
             {"dispatch_namespaced_declarations", std::move(Declarations)}},
            InlineNeeds, Out, Diags);
  }

private:
  AtenFileSpec spec(StringRef End, StringRef Template) const {
    return {AtenFolder::Main, listOfKey(Key), (toString(Key) + End).str(), Template};
  }

  std::vector<std::string> addOperatorHeaders();
  std::vector<std::string> allDeclarations() const;
  std::string headerName(StringRef Root) const {
    return (Root + "_" + toLower(Key) + "_dispatch.h").str();
  }

  const AtenInput &In;
  const Dialect &D;
  DispatchKey Key;
  const BackendIndex &Index;
  AtenSink Out;
  Diagnostics &Diags;
};

/// A header for every base name that has functions under the key. Returns lines that include them
/// all.
std::vector<std::string> KeyHeaders::addOperatorHeaders() {
  MapVector<StringRef, std::vector<std::string>> ByRoot;
  for (const FunctionOrGroup &G : In.Ops.Grouped)
    for (std::string &Declaration : declarationsOf(G, Index, D))
      ByRoot[rootName(G)].push_back(std::move(Declaration));

  std::vector<StringRef> Names;
  for (auto &[Name, Declarations] : ByRoot) {
    Names.push_back(Name);
    AtenFileSpec Spec{AtenFolder::Ops, AtenList::Ops, headerName(Name), OperatorTemplate};
    addFile(In, Spec,
            {{"dispatch_namespace", toLower(Key)},
             {"dispatch_namespaced_declarations", std::move(Declarations)}},
            OperatorNeeds, Out, Diags);
  }
  // Sorted as names, not as lines.
  sort(Names);
  std::vector<std::string> Includes;
  for (StringRef Name : Names)
    Includes.push_back(printed<OperatorIncludeText>("file"_hole = headerName(Name)));
  return Includes;
}

/// "at::native" => "at::cpu".
std::string directNamespace(StringRef KernelNamespace, DispatchKey Key) {
  constexpr StringRef Native = "native";
  std::string Result, Replacement = toLower(Key);
  while (true) {
    auto [Before, After] = KernelNamespace.split(Native);
    Result += Before;
    if (Before.size() == KernelNamespace.size())
      return Result;
    Result += Replacement;
    KernelNamespace = After;
  }
}

/// Declarations of a namespace, each once.
struct DeclarationBlock {
  std::string Namespace;
  std::string Text;
  StringSet<> Known;

  void add(StringRef Declaration) {
    if (Known.insert(Declaration).second)
      Text += Declaration;
  }
};

std::vector<std::string> KeyHeaders::allDeclarations() const {
  std::vector<DeclarationBlock> Blocks;
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    std::string Namespace = directNamespace(kernelNamespace(G, Index), Key);
    auto B = find_if(Blocks, [&](const DeclarationBlock &B) { return B.Namespace == Namespace; });
    if (B == Blocks.end())
      B = Blocks.insert(B, {std::move(Namespace), "", {}});
    for (StringRef Declaration : declarationsOf(G, Index, D))
      B->add(Declaration);
  }
  std::vector<std::string> Texts;
  for (const DeclarationBlock &B : Blocks)
    if (!B.Text.empty())
      Texts.push_back(withoutEmptyLines(printed<NamespaceText>(
          "open"_hole = openNamespaces(B.Namespace), "declarations"_hole = B.Text,
          "close"_hole = closeNamespaces(B.Namespace))));
  return Texts;
}

} // namespace

void generateDispatchHeaders(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  for (DispatchKey Key : In.Keys) {
    size_t NumBefore = Diags.size();
    if (is_contained(In.FunctionKeys, Key))
      KeyHeaders(In, Key, Out, Diags).add();
    if (Diags.size() != NumBefore)
      return; // The other keys would say the same of the same templates.
  }
}

} // namespace opsig
