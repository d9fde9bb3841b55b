//===- EntryChanges.cpp - What changed of an entry beside its schema --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseDiffInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

bool hasDefaultKernel(const NativeFunction &F) {
  return F.hasCompositeKernel() || F.StructuredDelegate.has_value();
}

namespace {

class EntryComparer {
public:
  EntryComparer(const NativeFunction &Old, const NativeFunction &New) : Old(Old), New(New) {}

  std::vector<Change> run() {
    compareDefaultKernels();
    compareKernels();
    compareStructured();
    compareAutogen();
    compareTags();
    compareFields();
    return std::move(Out);
  }

private:
  void add(ChangeKind Kind, std::string Subject, std::string From, std::string To) {
    if (From != To)
      Out.push_back({Kind, std::move(Subject), std::move(From), std::move(To)});
  }

  /// Who serves a backend without a kernel of its own.
  static std::string defaultKernel(const NativeFunction &F) {
    for (const KernelEntry &Entry : F.Dispatch)
      if (isCompositeKey(Entry.Key))
        return toString(Entry.Key).str();
    return F.StructuredDelegate ? F.StructuredDelegate->str() : "";
  }

  void compareDefaultKernels() {
    if (hasDefaultKernel(Old) && !hasDefaultKernel(New))
      Out.push_back({ChangeKind::DefaultKernelGone, "", defaultKernel(Old), ""});
    else if (!hasDefaultKernel(Old) && hasDefaultKernel(New))
      Out.push_back({ChangeKind::DefaultKernelAdded, "", "", defaultKernel(New)});
  }

  static std::string kernelText(const KernelEntry *Entry) {
    if (!Entry)
      return "";
    return Entry->CppNamespace == "at::native" ? Entry->Kernel
                                               : Entry->CppNamespace + "::" + Entry->Kernel;
  }

  /// Keys whose kernel changes in the same way stand together.
  void compareKernels() {
    std::vector<Change> Found;
    auto Note = [&](DispatchKey Key, const KernelEntry *From, const KernelEntry *To) {
      std::string FromText = kernelText(From), ToText = kernelText(To);
      if (FromText == ToText)
        return;
      ChangeKind Kind = !To     ? ChangeKind::KernelGone
                        : !From ? ChangeKind::KernelAdded
                                : ChangeKind::KernelRenamed;
      auto Same = llvm::find_if(Found, [&](const Change &C) {
        return C.Is == Kind && C.From == FromText && C.To == ToText;
      });
      if (Same == Found.end())
        Found.push_back({Kind, toString(Key).str(), std::move(FromText), std::move(ToText)});
      else
        Same->Subject += ", " + toString(Key).str();
    };
    for (const KernelEntry &Entry : Old.Dispatch)
      Note(Entry.Key, &Entry, New.kernel(Entry.Key));
    for (const KernelEntry &Entry : New.Dispatch)
      if (!Old.hasKernel(Entry.Key))
        Note(Entry.Key, nullptr, &Entry);
    llvm::append_range(Out, Found);
  }

  static std::string precomputedText(const NativeFunction &F) {
    if (!F.Precomputed)
      return "";
    std::vector<std::string> Parts;
    for (const Precompute::Replacement &R : F.Precomputed->Replace) {
      std::vector<std::string> By;
      for (const Argument &A : R.By)
        By.push_back(A.str());
      Parts.push_back(R.Source + " -> " + llvm::join(By, ", "));
    }
    for (const Argument &A : F.Precomputed->Add)
      Parts.push_back(A.str());
    return llvm::join(Parts, "; ");
  }

  void compareStructured() {
    auto Delegate = [](const NativeFunction &F) {
      return F.StructuredDelegate ? F.StructuredDelegate->str() : "";
    };
    add(ChangeKind::Structured, "structured", Old.Structured ? "True" : "",
        New.Structured ? "True" : "");
    add(ChangeKind::Structured, "structured_delegate", Delegate(Old), Delegate(New));
    add(ChangeKind::Structured, "structured_inherits", Old.StructuredInherits,
        New.StructuredInherits);
    add(ChangeKind::Structured, "precomputed", precomputedText(Old), precomputedText(New));
  }

  void compareAutogen() {
    auto Names = [](const NativeFunction &F) {
      std::vector<std::string> Out;
      for (const OperatorName &N : F.Autogen)
        Out.push_back(N.str());
      return llvm::join(Out, ", ");
    };
    add(ChangeKind::Autogen, "", Names(Old), Names(New));
  }

  void compareTags() {
    for (const std::string &Tag : Old.Tags)
      if (!New.hasTag(Tag))
        Out.push_back({ChangeKind::TagGone, Tag, "", ""});
    for (const std::string &Tag : New.Tags)
      if (!Old.hasTag(Tag))
        Out.push_back({ChangeKind::TagAdded, Tag, "", ""});
  }

  static std::string variants(const NativeFunction &F) {
    if (F.IsFunctionVariant)
      return F.IsMethodVariant ? "function, method" : "function";
    return "method";
  }
  static std::string loops(const NativeFunction &F) {
    std::vector<std::string> Parts;
    for (const UfuncInnerLoop &L : F.UfuncInnerLoops)
      Parts.push_back(toString(L.Key).str() + ": " + L.Name + " (" + llvm::join(L.Dtypes, ", ") +
                      ")");
    return llvm::join(Parts, "; ");
  }

  void compareFields() {
    auto Field = [&](llvm::StringRef Name, std::string From, std::string To) {
      add(ChangeKind::Field, Name.str(), std::move(From), std::move(To));
    };
    auto Flag = [&](llvm::StringRef Name, bool From, bool To) {
      Field(Name, From ? "True" : "False", To ? "True" : "False");
    };
    auto Check = [](const NativeFunction &F) {
      return F.Check == DeviceCheck::NoCheck ? "NoCheck" : "ExactSame";
    };
    Field("variants", variants(Old), variants(New));
    Field("python_module", Old.PythonModule, New.PythonModule);
    Field("category_override", Old.CategoryOverride, New.CategoryOverride);
    Field("device_check", Check(Old), Check(New));
    Flag("device_guard", Old.DeviceGuard, New.DeviceGuard);
    Flag("use_const_ref_for_mutable_tensors", Old.UseConstRefForMutableTensors,
         New.UseConstRefForMutableTensors);
    Flag("manual_kernel_registration", Old.ManualKernelRegistration, New.ManualKernelRegistration);
    Flag("manual_cpp_binding", Old.ManualCppBinding, New.ManualCppBinding);
    Field("cpp_no_default_args", llvm::join(Old.CppNoDefaultArgs, ", "),
          llvm::join(New.CppNoDefaultArgs, ", "));
    Field("ufunc_inner_loop", loops(Old), loops(New));
  }

  const NativeFunction &Old, &New;
  std::vector<Change> Out;
};

} // namespace

std::vector<Change> entryChanges(const NativeFunction &Old, const NativeFunction &New) {
  return EntryComparer(Old, New).run();
}

} // namespace opsig
