//===- DispatchHeaders.cpp - <Key>Functions.h, ops/<op>_<key>_dispatch.h -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// key => direct bindings of its functions => a header per base name, or <Key>Functions_inl.h with
// all
//
//===----------------------------------------------------------------------===//
#include "Register/RegistrationPlanInternal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;

namespace opsig {

namespace {

/// Declarations of a namespace, each once.
struct Block {
  std::string Text;
  StringSet<> Known;
};

/// The forms of a function, a line each. They are the same under every key.
using Declarations = DenseMap<const NativeFunction *, std::string>;

class KeyHeaders {
public:
  KeyHeaders(const AtenInput &In, DispatchKey Key, Declarations &Known, FileWriter &Out)
      : In(In), Key(Key), Index(indexOrNone(In, Key)), Known(Known), Out(Out) {}

  void add() {
    std::vector<std::string> Includes, All;
    if (In.Options.PerOperatorHeaders)
      Includes = addOperatorHeaders();
    else
      All = allDeclarations();
    Out.add(spec("Functions.h", "DispatchKeyFunctions.h"),
            frame("dispatch_key"_hole = toString(Key)),
            "inline_headers"_hole = ("#include <ATen/" + toString(Key) + "Functions_inl.h>").str());
    Out.add(spec("Functions_inl.h", "DispatchKeyFunctions_inl.h"),
            frame("dispatch_namespace"_hole = toLower(Key)),
            "DispatchKeyFunctions_inl_includes"_hole = Includes,
            "dispatch_namespaced_declarations"_hole = All);
  }

private:
  FileSpec spec(StringRef End, StringRef Template) const {
    return {(toString(Key) + End).str(), Template, FileFolder::Main, listOfKey(Key)};
  }

  StringRef declarations(const NativeFunction &F) const {
    auto [It, IsNew] = Known.try_emplace(&F);
    if (IsNew) {
      CppSignatures Forms = cppSignatures(F, CppForm(), Lowering::of(F, In.dialect()));
      for (const Signature *Form : Forms.all())
        It->second += "TORCH_API " + Form->decl(In.dialect()) + ";\n";
    }
    return It->second;
  }

  std::vector<std::string> addOperatorHeaders();
  std::vector<std::string> allDeclarations() const;
  std::string directNamespace(StringRef KernelNamespace) const;

  const AtenInput &In;
  DispatchKey Key;
  const BackendIndex &Index;
  Declarations &Known;
  FileWriter &Out;
};

/// A header for every base name that has functions under the key. Returns lines that include them
/// all.
std::vector<std::string> KeyHeaders::addOperatorHeaders() {
  MapVector<StringRef, std::vector<const NativeFunction *>> ByRoot;
  for (const FunctionOrGroup &G : In.Ops.Grouped)
    for (const KeyFunction &F : planKeyFunctions(G, Index))
      ByRoot[rootName(G)].push_back(F.Function);

  std::vector<StringRef> Names;
  for (auto &[Name, Functions] : ByRoot) {
    Names.push_back(Name);
    Out.add({(Name + dispatchSuffix(Key) + ".h").str(), "DispatchKeyFunction.h", FileFolder::Ops,
             FileList::Ops},
            frame("dispatch_namespace"_hole = toLower(Key)),
            "dispatch_namespaced_declarations"_hole =
                each(Functions, [&](const NativeFunction *F) { return declarations(*F); }));
  }
  // Sorted as names, not as lines.
  sort(Names);
  std::vector<std::string> Includes;
  for (StringRef Name : Names)
    Includes.push_back(opInclude(Name, dispatchSuffix(Key)));
  return Includes;
}

/// "at::native" => "at::cpu".
std::string KeyHeaders::directNamespace(StringRef KernelNamespace) const {
  return llvm::join(split(KernelNamespace, "native"), toLower(Key));
}

std::vector<std::string> KeyHeaders::allDeclarations() const {
  MapVector<std::string, Block, std::map<std::string, unsigned>> Blocks;
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    Block &B = Blocks[directNamespace(kernelNamespace(G, Index))];
    for (const KeyFunction &F : planKeyFunctions(G, Index))
      if (StringRef Text = declarations(*F.Function); B.Known.insert(Text).second)
        B.Text += Text;
  }
  std::vector<std::string> Texts;
  for (const auto &[Namespace, B] : Blocks)
    if (!B.Text.empty())
      // The last line is blank, but not empty.
      Texts.push_back(openNamespaces(Namespace) + B.Text + closeNamespaces(Namespace) +
                      "        \n");
  return Texts;
}

} // namespace

FileList listOfKey(DispatchKey Key) {
  if (isCudaKey(Key))
    return FileList::Cuda;
  return isXpuKey(Key) ? FileList::Xpu : FileList::Main;
}

void generateDispatchHeaders(const AtenInput &In, FileWriter &Out) {
  Declarations Known;
  for (DispatchKey Key : In.Keys) {
    size_t NumBefore = Out.diags().size();
    if (is_contained(In.FunctionKeys, Key))
      KeyHeaders(In, Key, Known, Out).add();
    if (Out.diags().size() != NumBefore)
      return; // The other keys would say the same of the same templates.
  }
}

} // namespace opsig
