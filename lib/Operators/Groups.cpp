//===- Groups.cpp - Functions that belong together --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GroupingInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

llvm::SmallVector<const NativeFunction *, 4> NativeFunctionsGroup::functions() const {
  llvm::SmallVector<const NativeFunction *, 4> All{Functional, Out};
  if (Inplace)
    All.push_back(Inplace);
  if (Mutable)
    All.push_back(Mutable);
  return All;
}

llvm::SmallVector<const NativeFunction *, 4> functionsOf(const FunctionOrGroup &G) {
  if (const auto *F = std::get_if<const NativeFunction *>(&G))
    return {*F};
  return std::get<NativeFunctionsGroup>(G).functions();
}

NativeFunction *PreGroup::find(SchemaKind Kind) const {
  for (NativeFunction *F : Members)
    if (F->Kind == Kind)
      return F;
  return nullptr;
}

bool JoinContext::groupIsBroken(const NativeFunction &F) const {
  if (Broken.Names.empty())
    return false;
  return Broken.UnreadableRoots.contains(F.rootName()) ||
         Broken.Signatures.contains(F.Schema.signature().str());
}

llvm::StringRef JoinContext::signature(size_t Index, const NativeFunction &F) {
  assert(&F == &Ops.Functions[Index]);
  if (Index == Signatures.size())
    Signatures.push_back(F.Schema.signature().str());
  return Signatures[Index];
}

std::vector<PreGroup> preGroup(JoinContext &C) {
  std::vector<PreGroup> Groups;
  llvm::DenseMap<llvm::StringRef, size_t> BySignature;
  for (auto [Index, F] : llvm::enumerate(C.Ops.Functions)) {
    llvm::StringRef Signature = C.signature(Index, F);
    if (C.Refused.contains(&F))
      continue;
    auto [It, New] = BySignature.try_emplace(Signature, Groups.size());
    if (New)
      Groups.push_back({Signature, {}});
    PreGroup &Group = Groups[It->second];
    if (const NativeFunction *Other = Group.find(F.Kind)) {
      C.Diags
          .report(finding::DuplicateSignature, F.SchemaText.At,
                  "'{0}' and '{1}' are both {2} variants with the signature '{3}'; rename or "
                  "remove one",
                  F.Schema.Name.str(), Other->Schema.Name.str(), toString(F.Kind), Group.Signature)
          .op(F.Schema.Name.str())
          .note(Other->SchemaText.At, "the other variant is here");
      C.Refused.insert(&F);
      continue;
    }
    Group.Members.push_back(&F);
  }
  return Groups;
}

namespace {

class GroupCheck {
public:
  GroupCheck(const NativeFunctionsGroup &G, JoinContext &C) : G(G), C(C) {}

  void run() {
    structuredness();
    namespaces();
    mutableName();
    if (G.structured())
      structuredGroup();
    autogen();
    kernelNamespaces(*G.Out, C);
  }

  /// torchgen declares all kernels of an operator in one namespace: those of a group's out
  /// function.
  static void kernelNamespaces(const NativeFunction &F, JoinContext &C) {
    for (const KernelEntry &Entry : F.Dispatch) {
      const KernelEntry &First = F.Dispatch[0];
      if (Entry.CppNamespace == First.CppNamespace)
        continue;
      C.Diags
          .report(finding::KernelNamespaces, Entry.At,
                  "the kernels of '{0}' are in namespaces '{1}' and '{2}'; move them into one "
                  "namespace",
                  F.Schema.Name.str(), First.CppNamespace, Entry.CppNamespace)
          .op(F.Schema.Name.str())
          .note(First.At, "first kernel listed here");
      return;
    }
  }

private:
  Finding &report(FindingId Id, const NativeFunction &F, std::string Message) {
    return C.Diags.add(Id, F.SchemaText.At, std::move(Message)).op(F.Schema.Name.str());
  }
  static std::string name(const NativeFunction *F) { return "'" + F->Schema.Name.str() + "'"; }

  /// \p F's delegate can be used; where it cannot that is reported already.
  bool delegateExists(const NativeFunction &F) const {
    const NativeFunction *Target = C.Ops.find(F.StructuredDelegate->str());
    return Target && Target->Structured;
  }

  void structuredness() {
    for (const NativeFunction *F : G.functions()) {
      if (F->partOfStructuredGroup() == G.structured() ||
          (F->StructuredDelegate && !delegateExists(*F)))
        continue;
      std::string Message =
          G.structured()
              ? name(F) + " is in the structured group of " + name(G.Out) +
                    ", so it needs 'structured_delegate: " + G.Out->Schema.Name.str() + "'"
              : name(F) + " has 'structured_delegate', but " + name(G.Out) +
                    ", the out variant of its group, is not structured";
      report(finding::StructuredMix, *F, std::move(Message))
          .note(G.Out->SchemaText.At, "the out variant is here");
    }
  }

  void namespaces() {
    for (const NativeFunction *F : G.functions())
      if (F->Namespace != G.Functional->Namespace)
        report(finding::GroupNamespaces, *F,
               name(F) + " is in namespace '" + F->Namespace +
                   "', but its functional variant is in '" + G.Functional->Namespace + "'")
            .note(G.Functional->SchemaText.At, "the functional variant is here");
  }

  void mutableName() {
    if (G.Mutable && !G.Functional->Schema.Name.Name.FunctionalOverload)
      report(finding::MutableFunctionalName, *G.Functional,
             name(G.Functional) + " is the functional variant of the mutable operator " +
                 name(G.Mutable) + ", so its name must end in '_functional'")
          .note(G.Mutable->SchemaText.At, "the mutable operator is here");
  }

  void structuredGroup() {
    for (DispatchKey Key : {DispatchKey::CompositeImplicitAutograd,
                            DispatchKey::CompositeImplicitAutogradNestedTensor})
      if (const KernelEntry *Entry = G.Out->kernel(Key))
        C.Diags
            .report(finding::StructuredComposite, Entry->At,
                    "{0} is structured, so it cannot have a {1} kernel", name(G.Out), toString(Key))
            .op(G.Out->Schema.Name.str());
    for (const NativeFunction *F : {G.Functional, G.Inplace})
      if (F && F->StructuredDelegate && *F->StructuredDelegate != G.Out->Schema.Name &&
          delegateExists(*F))
        report(finding::WrongDelegate, *F,
               name(F) + " delegates to '" + F->StructuredDelegate->str() +
                   "', but the out variant of its group is " + name(G.Out))
            .note(G.Out->SchemaText.At, "the out variant is here");
  }

  /// What was generated must be what the entries announce, in sorted order.
  void autogen() {
    std::vector<std::string> Generated, Announced;
    const NativeFunction *Written = nullptr;
    for (const NativeFunction *F : G.functions()) {
      if (F->hasTag("generated"))
        Generated.push_back(F->Schema.Name.str());
      else if (!Written)
        Written = F;
      for (const OperatorName &Name : F->Autogen) {
        Announced.push_back(Name.str());
        Written = F;
      }
    }
    llvm::sort(Generated);
    llvm::sort(Announced);
    Announced.erase(llvm::unique(Announced), Announced.end());
    if (Generated == Announced)
      return;
    std::string Expected = llvm::join(Generated, ", "), Found = llvm::join(Announced, ", ");
    std::string Message = Generated.empty()   ? "nothing is generated for " + name(Written) +
                                                    "; remove 'autogen: " + Found + "'"
                          : Announced.empty() ? name(Written) + " needs 'autogen: " + Expected +
                                                    "' to list the variants generated from it"
                                              : "'autogen' of " + name(Written) +
                                                    " must list the generated variants '" +
                                                    Expected + "', not '" + Found + "'";
    report(finding::AutogenMismatch, *Written, std::move(Message));
  }

  const NativeFunctionsGroup &G;
  JoinContext &C;
};

/// A group, or nothing where there is only one function or no out function.
std::optional<NativeFunctionsGroup> makeGroup(const PreGroup &Pre, JoinContext &C) {
  const NativeFunction *Out = Pre.find(SchemaKind::Out);
  const NativeFunction *Functional = Pre.find(SchemaKind::Functional);
  if (Pre.Members.size() == 1)
    return std::nullopt;
  if (const NativeFunction *Scratch = Pre.find(SchemaKind::Scratch)) {
    C.Diags
        .report(finding::ScratchInGroup, Scratch->SchemaText.At,
                "'{0}' takes scratch arguments, so it cannot be grouped with other variants",
                Scratch->Schema.Name.str())
        .op(Scratch->Schema.Name.str());
    return std::nullopt;
  }
  if (!Functional) {
    const NativeFunction &F = *Pre.Members[0];
    if (!C.groupIsBroken(F))
      C.Diags
          .report(finding::NoFunctional, F.SchemaText.At,
                  "'{0}' and its variants have no functional variant; add '{1}'",
                  F.Schema.Name.str(), Pre.Signature)
          .op(F.Schema.Name.str());
    return std::nullopt;
  }
  if (!Out)
    return std::nullopt;
  return NativeFunctionsGroup{Functional, Pre.find(SchemaKind::Inplace),
                              Pre.find(SchemaKind::Mutable), Out};
}

/// A function outside any group: it cannot be a generated one.
void checkSingle(const NativeFunction &F, JoinContext &C) {
  GroupCheck::kernelNamespaces(F, C);
  if (F.Generated && !C.groupIsBroken(F))
    C.Diags
        .report(finding::GeneratedUngrouped, F.SchemaText.At,
                "the generated variant '{0}' has the signature '{1}', which does not match the "
                "group of this entry",
                F.Schema.Name.str(), F.Schema.signature().str())
        .op(F.Schema.Name.str());
}

} // namespace

void buildGroups(JoinContext &C, const std::vector<PreGroup> &Groups) {
  for (const PreGroup &Pre : Groups) {
    if (std::optional<NativeFunctionsGroup> G = makeGroup(Pre, C)) {
      if (!C.groupIsBroken(*G->Out))
        GroupCheck(*G, C).run();
      if (C.takesBroken())
        resolveGroup(Pre);
      C.Ops.Grouped.push_back(*G);
      continue;
    }
    for (NativeFunction *F : Pre.Members) {
      checkSingle(*F, C);
      if (C.takesBroken())
        resolveSingle(*F);
      C.Ops.Grouped.push_back(F);
    }
  }
  if (!C.takesBroken())
    return;
  for (NativeFunction &F : C.Ops.Functions)
    if (C.Refused.contains(&F)) {
      resolveSingle(F);
      C.Ops.Grouped.push_back(&F);
    }
}

} // namespace opsig
