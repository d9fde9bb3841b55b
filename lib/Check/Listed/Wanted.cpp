//===- Wanted.cpp - the kernels that YAML files ask for ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Check/Check.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace llvm;

namespace {

void addKernels(const ExternalBackend::Kernels &Of, const ExternalBackend &Backend,
                const Lowerings &Lower, std::vector<WantedKernel> &Out) {
  DenseSet<const NativeFunction *> Generated;
  for (const BackendOp &Op : Backend.FullCodegen)
    Generated.insert(Op.Function);
  for (const BackendOp &Op : Of.Ops) {
    const KernelEntry *Entry = Of.Index->kernel(*Op.Function);
    if (!Entry || Entry->Structured)
      continue;
    Out.push_back({Op.Function, Entry->Key, Entry->Kernel, Backend.CppNamespace,
                   Backend.CppNamespace + "::" + Backend.ClassName,
                   kernelSignature(*Op.Function, *Of.Index, Lower.of(*Op.Function)), Op.At,
                   Generated.contains(Op.Function)});
  }
}

} // namespace

std::vector<WantedKernel> opsig::wantedKernels(const Operators &Ops,
                                               ArrayRef<ExternalBackend> Backends) {
  Lowerings Lower(Ops);
  std::vector<WantedKernel> Out;
  for (const ExternalBackend &Backend : Backends) {
    for (const ExternalBackend::Kernels &Of : Backend.kernels())
      addKernels(Of, Backend, Lower, Out);
  }
  return Out;
}

std::vector<WantedKernel> opsig::wantedNativeKernels(const Operators &Ops) {
  Lowerings Lower(Ops);
  std::vector<WantedKernel> Out;
  for (const NativeFunction &F : Ops.Functions) {
    StringSet<> Seen;
    for (const KernelEntry &Entry : F.Dispatch) {
      // Several keys may share a kernel.
      if (Entry.Structured || !Seen.insert(Entry.CppNamespace + "::" + Entry.Kernel).second)
        continue;
      Out.push_back({&F, Entry.Key, Entry.Kernel, Entry.CppNamespace, "",
                     nativeSignature(F.Schema, Lower.of(F), Entry.supportsSymInt()), Entry.At});
    }
  }
  return Out;
}

namespace {

/// Structured kernels, each class once: several keys may share one.
class StructuredKernels {
public:
  explicit StructuredKernels(const Operators &Ops) : D(*Ops.D) {}

  void addMeta(const NativeFunctionsGroup &Group, const std::string &Namespace, const Twine &Name) {
    if (WantedKernel *Meta =
            add(*Group.Functional, nullptr, Namespace, Name, structuredMeta(Group, D)))
      Meta->ReturnsPrecomputed = Group.Out->Precomputed.has_value();
  }
  void addImpl(const NativeFunctionsGroup &Group, const KernelEntry &Entry,
               const std::string &Namespace) {
    add(*Group.Out, &Entry, Namespace, Entry.Kernel, structuredImpl(Group, D));
  }

  std::vector<WantedKernel> Out;

private:
  WantedKernel *add(const NativeFunction &F, const KernelEntry *Entry, std::string Namespace,
                    const Twine &Suffix, Signature Wanted) {
    std::string Class = (Namespace + "::structured_" + Suffix).str();
    if (!Seen.insert(Class).second)
      return nullptr;
    std::string Name = Wanted.Name;
    Out.push_back({&F, Entry ? Entry->Key : DispatchKey::Meta, std::move(Name),
                   std::move(Namespace), std::move(Class), std::move(Wanted),
                   Entry ? Entry->At : Place()});
    Out.back().Structured = true;
    return &Out.back();
  }

  const Dialect &D;
  StringSet<> Seen;
};

} // namespace

std::vector<WantedKernel> opsig::wantedStructuredKernels(const Operators &Ops) {
  StructuredKernels Wanted(Ops);
  for (const FunctionOrGroup &Item : Ops.Grouped) {
    const auto *Group = std::get_if<NativeFunctionsGroup>(&Item);
    if (!Group || !Group->structured())
      continue;
    Wanted.addMeta(*Group, "at::meta", structuredMetaName(*Group));
    for (const KernelEntry &Entry : Group->Out->Dispatch)
      if (Entry.Structured)
        Wanted.addImpl(*Group, Entry, Entry.CppNamespace);
  }
  return std::move(Wanted.Out);
}

std::vector<WantedKernel> opsig::wantedStructuredKernels(const Operators &Ops,
                                                         ArrayRef<ExternalBackend> Backends) {
  StructuredKernels Wanted(Ops);
  DenseMap<const NativeFunction *, const NativeFunctionsGroup *> GroupOf;
  for (const FunctionOrGroup &Item : Ops.Grouped)
    if (const auto *Group = std::get_if<NativeFunctionsGroup>(&Item))
      GroupOf[Group->Out] = Group;
  for (const ExternalBackend &Backend : Backends)
    for (const ExternalBackend::Kernels &Of : Backend.kernels())
      for (const BackendOp &Op : Of.Ops) {
        const KernelEntry *Entry = Of.Index->kernel(*Op.Function);
        const NativeFunctionsGroup *Group = GroupOf.lookup(Op.Function);
        if (Entry && Entry->Structured && Group)
          Wanted.addImpl(*Group, *Entry, Backend.StructuredScope);
      }
  return std::move(Wanted.Out);
}

std::vector<std::string> opsig::scopesOf(ArrayRef<WantedKernel> Wanted) {
  std::vector<std::string> Scopes;
  StringSet<> Seen;
  for (const WantedKernel &W : Wanted)
    for (const std::string &Scope : {W.Class, W.Namespace})
      if (!Scope.empty() && Seen.insert(Scope).second)
        Scopes.push_back(Scope);
  return Scopes;
}

VirtualFile opsig::fallbackHeader(const ExternalBackend &Backend) {
  std::string Text;
  raw_string_ostream OS(Text);
  // An out-of-line definition is read even though the class does not declare it.
  OS << "#pragma once\n#include <ATen/Tensor.h>\n";
  if (!Backend.CppNamespace.empty())
    OS << "namespace " << Backend.CppNamespace << " {\n";
  OS << "struct " << Backend.ClassName << " {};\n";
  if (!Backend.CppNamespace.empty())
    OS << "}\n";
  // torchgen calls the header by the key; forks, whose key has another name, by the class.
  return {(Backend.Layout.empty() ? Backend.Backend + "NativeFunctions" : Backend.ClassName) + ".h",
          Text};
}
