//===- ExpectedKernels.cpp - the kernels that YAML files ask for ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Check/Check.h"
#include "opsig/Frontend/Parse.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace llvm;

namespace {

void addKernels(const ExternalBackend::Kernels &Of, const ExternalBackend &Backend,
                const Lowerings &Lower, std::vector<ExpectedKernel> &Out) {
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
    Out.back().Unread = &Backend.Unread;
  }
}

} // namespace

std::vector<ExpectedKernel> opsig::expectedKernels(const Operators &Ops,
                                                   ArrayRef<ExternalBackend> Backends) {
  Lowerings Lower(Ops);
  std::vector<ExpectedKernel> Out;
  for (const ExternalBackend &Backend : Backends) {
    for (const ExternalBackend::Kernels &Of : Backend.kernels())
      addKernels(Of, Backend, Lower, Out);
  }
  return Out;
}

std::vector<ExpectedKernel> opsig::expectedNativeKernels(const Operators &Ops) {
  Lowerings Lower(Ops);
  std::vector<ExpectedKernel> Out;
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

  ExpectedKernel *addMeta(const NativeFunctionsGroup &Group, const KernelEntry *Entry,
                          const std::string &Namespace, const Twine &Name) {
    ExpectedKernel *Meta = add(*Group.Functional, Entry, Namespace, Name, structuredMeta(Group, D));
    if (Meta)
      Meta->ReturnsPrecomputed = Group.Out->Precomputed.has_value();
    return Meta;
  }
  ExpectedKernel *addImpl(const NativeFunctionsGroup &Group, const KernelEntry &Entry,
                          const std::string &Namespace) {
    return add(*Group.Out, &Entry, Namespace, Entry.Kernel, structuredImpl(Group, D));
  }
  /// What the class of a backend's structured kernel has to define.
  void addOwn(const NativeFunctionsGroup &Group, const KernelEntry &Entry,
              const ExternalBackend &Backend) {
    ExpectedKernel *Meta =
        Entry.DefinesMeta ? addMeta(Group, &Entry, Backend.StructuredScope, Entry.Kernel) : nullptr;
    if (Meta)
      Meta->Needed = Backend.StructuredInClass;
    if (ExpectedKernel *Impl = addImpl(Group, Entry, Backend.StructuredScope))
      Impl->Needed = Backend.StructuredInClass;
  }

  std::vector<ExpectedKernel> Out;

private:
  ExpectedKernel *add(const NativeFunction &F, const KernelEntry *Entry, std::string Namespace,
                      const Twine &Suffix, Signature Expected) {
    std::string Class = (Namespace + "::structured_" + Suffix).str();
    std::string Name = Expected.Name;
    if (!Seen.insert(Class + "::" + Name).second)
      return nullptr;
    Out.push_back({&F, Entry ? Entry->Key : DispatchKey::Meta, std::move(Name),
                   std::move(Namespace), std::move(Class), std::move(Expected),
                   Entry ? Entry->At : Place()});
    Out.back().Structured = true;
    return &Out.back();
  }

  const Dialect &D;
  StringSet<> Seen;
};

} // namespace

std::vector<ExpectedKernel> opsig::expectedStructuredKernels(const Operators &Ops) {
  StructuredKernels Expected(Ops);
  for (const FunctionOrGroup &Item : Ops.Grouped) {
    const auto *Group = std::get_if<NativeFunctionsGroup>(&Item);
    if (!Group || !Group->structured())
      continue;
    Expected.addMeta(*Group, nullptr, "at::meta", structuredMetaName(*Group));
    for (const KernelEntry &Entry : Group->Out->Dispatch)
      if (Entry.Structured)
        Expected.addImpl(*Group, Entry, Entry.CppNamespace);
  }
  return std::move(Expected.Out);
}

std::vector<ExpectedKernel> opsig::expectedStructuredKernels(const Operators &Ops,
                                                             ArrayRef<ExternalBackend> Backends) {
  StructuredKernels Expected(Ops);
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
          Expected.addOwn(*Group, *Entry, Backend);
      }
  return std::move(Expected.Out);
}

std::vector<std::string> opsig::scopesOf(ArrayRef<ExpectedKernel> Expected) {
  std::vector<std::string> Scopes;
  StringSet<> Seen;
  for (const ExpectedKernel &W : Expected)
    for (const std::string &Scope : {W.Class, W.Namespace})
      if (!Scope.empty() && Seen.insert(Scope).second)
        Scopes.push_back(Scope);
  return Scopes;
}

namespace {

using GroupKernel = std::pair<const NativeFunctionsGroup *, StringRef>;

/// Those whose classes are members of the backend's, with the names of their kernels.
std::vector<GroupKernel> structuredInClass(const ExternalBackend &Backend, const Operators &Ops) {
  std::vector<GroupKernel> Out;
  if (!Backend.StructuredInClass)
    return Out;
  for (const ExternalBackend::Kernels &Of : Backend.kernels())
    for (const FunctionOrGroup &Item : Ops.Grouped)
      if (const auto *Group = std::get_if<NativeFunctionsGroup>(&Item))
        if (const KernelEntry *Entry = Of.Index->kernel(*Group->Out); Entry && Entry->Structured)
          Out.emplace_back(Group, Entry->Kernel);
  return Out;
}

/// "  struct structured_mul_out : at::meta::structured_mul {};", as far as PyTorch's headers are
/// there. Out-of-line members are read even though the class does not declare them.
void declareStructured(raw_ostream &OS, const NativeFunctionsGroup &Group, StringRef Kernel) {
  OS << "#if __has_include(<ATen/ops/" << Group.Functional->rootName() << "_meta.h>)\n"
     << "  struct structured_" << Kernel << " : at::meta::structured_" << structuredMetaName(Group)
     << " {\n    using base = at::meta::structured_" << structuredMetaName(Group) << ";\n  };\n"
     << "#else\n  struct structured_" << Kernel << " {};\n#endif\n";
}

} // namespace

VirtualFile opsig::fallbackHeader(const ExternalBackend &Backend, const Operators &Ops) {
  std::vector<GroupKernel> Structured = structuredInClass(Backend, Ops);
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "#pragma once\n#include <ATen/Tensor.h>\n";
  for (const auto &[Group, Kernel] : Structured) {
    StringRef Root = Group->Functional->rootName();
    OS << "#if __has_include(<ATen/ops/" << Root << "_meta.h>)\n#include <ATen/ops/" << Root
       << "_meta.h>\n#endif\n";
  }
  if (!Backend.CppNamespace.empty())
    OS << "namespace " << Backend.CppNamespace << " {\n";
  // An out-of-line definition is read even though the class does not declare it.
  OS << "struct " << Backend.ClassName << " {\n";
  for (const auto &[Group, Kernel] : Structured)
    declareStructured(OS, *Group, Kernel);
  OS << "};\n";
  if (!Backend.CppNamespace.empty())
    OS << "}\n";
  return {Backend.Header, Text};
}
