//===- RegistrationTable.cpp - what a whole project's registrations lack ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/MeantOperatorsInternal.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

class TableChecker {
public:
  TableChecker(const RegistrationTable &Table, const Operators &Ops, UnitFiles &Files,
               Findings &Diags);

  void run();
  /// What is not told of Meta kernels, since files that were not read may have them.
  std::vector<std::string> notes() const;

private:
  void implWithoutDef(const RegisteredOp &Op);
  const EntryRef *slippedDef(const RegisteredOp &Op);
  void reportMisspelledDef(const EntryRef &Def, const RegisteredOp &Op);
  bool isLikelyTypo(const EntryRef &E, const OperatorSuggestion &Suggestion) const;
  bool ownsNamespace(StringRef Namespace);
  void definedByPyTorch(const RegisteredOp &Op);
  void defWithoutKernel(const RegisteredOp &Op);
  void backendKernel(const RegisteredOp &Op);
  void missingMeta(const RegisteredOp &Op);
  Place nameOf(const EntryRef &E) const { return E.namePlace(Files); }
  void rename(const EntryRef &E, StringRef Op, Finding &Diag) const;
  bool isNativeName(StringRef Name) const {
    return Name.consume_front("aten::") && (Ops.find(Name) || Ops.isUnread(Name));
  }
  static StringRef namespaceOf(StringRef Op) { return Op.split("::").first; }

  /// What is missing may be in a file, or a part of one, that was not read.
  bool isOpen(StringRef Op) const { return Table.Of == Scope::Unit || !Table.Read.isWholeFor(Op); }

  const RegistrationTable &Table;
  ArrayRef<RegisteredOp> ByName;
  const Operators &Ops;
  UnitFiles &Files;
  Findings &Diags;
  MeantOperators Meant;
  /// Operators whose kernels, or which themselves, stand under a wrong name that was reported.
  std::set<std::string> Settled;
  /// Namespaces with some impl(): without any, the kernels are in files that were not given.
  std::set<StringRef> WithKernels;
  /// Namespaces of which some operator has a kernel for Meta.
  std::set<StringRef> WithMeta;
  /// How many operators without one may have one in a file that was not read, by the file.
  std::map<std::string, unsigned> WithFakesElsewhere;
};

/// Every definition stands behind a condition that is off: other files may have more of that build.
bool isOnlyElsewhere(const RegisteredOp &Op) {
  return all_of(Op.Defs, [](const EntryRef *E) { return E->Unit->isOtherBranch(); });
}

/// Serves Meta, directly or as one of all keys.
bool servesMeta(const EntryRef &E) {
  StringRef Key = E.key();
  return Key.empty() || Key == "Meta" || Key.starts_with("Composite") || Key == "CatchAll" ||
         !E.keyKnown();
}

TableChecker::TableChecker(const RegistrationTable &Table, const Operators &Ops, UnitFiles &Files,
                           Findings &Diags)
    : Table(Table), ByName(Table.Registered.operators()), Ops(Ops), Files(Files), Diags(Diags),
      Meant(Table, Ops, Files) {
  for (const EntryRef &E : Table.Registered.entries())
    if (!E.Op.empty() && E.hasKernel() && !E.Unit->isOtherBranch()) {
      if (E.Entry->Is == RegistrationEntry::Impl)
        WithKernels.insert(namespaceOf(E.Op));
      if (E.key() == "Meta")
        WithMeta.insert(namespaceOf(E.Op));
    }
}

/// Who has the TORCH_LIBRARY block has all definitions, and so has who has fragments alone and
/// defines more than he lacks; others add kernels to somebody else's operators.
bool TableChecker::ownsNamespace(StringRef Namespace) {
  if (Table.Registered.ownsNamespace(Namespace))
    return true;
  size_t Defined = 0, Missing = 0;
  for (const RegisteredOp &Op : ByName)
    if (namespaceOf(Op.Name) == Namespace) {
      Defined += !Op.Defs.empty();
      Missing += Op.Defs.empty() && !Meant.byName(Op.Name);
    }
  return Defined != 0 && Defined >= Missing;
}

/// The definition whose name is a slip for that of \p Op: three kernels agree on a name, and
/// nothing has that of the definition. Two may be a slip and its copy.
const EntryRef *TableChecker::slippedDef(const RegisteredOp &Op) {
  const OperatorSuggestion &ByName = Meant.byName(Op.Name);
  if (ByName.Is != OperatorSuggestion::Typo || ByName.Names.size() != 1 || Op.Kernels.size() <= 2)
    return nullptr;
  const RegisteredOp *Def = Table.Registered.find(ByName.Names.front());
  bool IsAlone = Def && Def->Kernels.empty() && Def->Defs.size() == 1;
  return IsAlone && Def->Defs.front()->Schema ? Def->Defs.front() : nullptr;
}

void TableChecker::reportMisspelledDef(const EntryRef &Def, const RegisteredOp &Op) {
  Finding &Diag = Diags.report(
      finding::DefWithoutKernel, nameOf(Def),
      "no kernel for '{0}' was found; did you mean '{1}', which has kernels?", Def.Op, Op.Name);
  Diag.op(operatorOf(Def));
  for (const EntryRef *E : Op.Kernels)
    Diag.note(nameOf(*E), "kernel registered here");
  if (!isOpen(Op.Name) && Meant.isCertainTypo(Def, Op))
    rename(Def, Op.Name, Diag);
  Settled.insert(Def.Op);
}

/// What was not read may define an operator whose name is only similar, but hardly beside one that
/// lacks just this kernel. Nor is it likely to add one to PyTorch's own namespace whose name is
/// nearly one of PyTorch's.
bool TableChecker::isLikelyTypo(const EntryRef &E, const OperatorSuggestion &Suggestion) const {
  if (namespaceOf(E.Op) == "aten")
    return bool(Suggestion);
  bool IsSpelled = Suggestion.Is != OperatorSuggestion::Overload || Suggestion.HasBest;
  return Suggestion && IsSpelled && Meant.isFree(Suggestion.Names.front(), E);
}

void TableChecker::implWithoutDef(const RegisteredOp &Op) {
  StringRef Namespace = namespaceOf(Op.Name);
  bool IsNative = Namespace == "aten";
  if (!Op.Defs.empty() || Table.Misplaced.count(Op.Name) || (IsNative && isNativeName(Op.Name)))
    return;
  if (const EntryRef *Def = IsNative ? nullptr : slippedDef(Op))
    return reportMisspelledDef(*Def, Op);
  bool IsOpen = isOpen(Op.Name) || !(IsNative || ownsNamespace(Namespace));
  for (const EntryRef *E : Op.Kernels) {
    bool MayBeNewer = IsNative && Table.Layout.PythonRelease && E->Unit->Python;
    if ((IsOpen || MayBeNewer) && !isLikelyTypo(*E, Meant.byName(Op.Name)))
      continue;
    OperatorSuggestion Suggestion = Meant.of(*E);
    Finding &Diag = Diags.report(
        finding::ImplWithoutDef, nameOf(*E),
        IsOpen && !IsNative ? "no schema for '{0}' was found in the files that were read{1}"
                            : "no schema for '{0}' was found, so this kernel is never called{1}",
        Op.Name, Suggestion.text());
    Diag.op(operatorOf(*E));
    if (Suggestion && (Suggestion.HasBest || Suggestion.Names.size() == 1) &&
        Meant.isFree(Suggestion.Names.front(), *E))
      Settled.insert(Suggestion.Names.front());
    if (std::string Certain = Meant.certain(*E, Suggestion, IsOpen || MayBeNewer); !Certain.empty())
      rename(*E, Certain, Diag);
  }
}

/// A library that defines what libtorch has is refused when it is loaded.
void TableChecker::definedByPyTorch(const RegisteredOp &Op) {
  const NativeFunction *F = nativeFunction(Op.Name, Ops);
  if (!F)
    return;
  for (const EntryRef *E : Op.Defs) {
    if (E->Entry->Conditional || E->Block->Is == RegistrationBlock::Legacy)
      continue;
    Diags
        .report(finding::DuplicateDef, nameOf(*E),
                "PyTorch already defines '{0}'; use TORCH_LIBRARY_IMPL to add a kernel to it",
                Op.Name)
        .op(operatorOf(*E))
        .note(F->SchemaText.At, F->SchemaText.Text.str());
    break;
  }
}

/// Edits of the name in the string what stands behind the namespace, where it is letter for letter.
void TableChecker::rename(const EntryRef &E, StringRef Op, Finding &Diag) const {
  std::string Old = E.Schema->operatorName();
  TextRange Name = E.Schema->NameAt;
  auto Length = uint32_t(Old.size());
  if (Name.Length < Length)
    return;
  TextRange Part{Name.Offset + Name.Length - Length, Length};
  Span At = E.Entry->Text.at(Part.Offset, Part.Length);
  if (!At.isValid() || Files.text(*E.Unit, At) != Old || !mayEdit(E, Part, Diag, Files))
    return;
  Diag.Fixes = {{Files.file(*E.Unit, At.File), At.Offset, At.Length, Op.split("::").second.str()}};
}

void TableChecker::defWithoutKernel(const RegisteredOp &Op) {
  if (Op.Defs.empty() || isOnlyElsewhere(Op) || !Op.Kernels.empty() || isOpen(Op.Name) ||
      Settled.count(Op.Name) || Table.Misplaced.count(Op.Name) ||
      !WithKernels.count(namespaceOf(Op.Name)))
    return;
  const EntryRef &E = *Op.Defs.front();
  Diags.report(finding::DefWithoutKernel, nameOf(E), "no kernel for '{0}' was found", Op.Name)
      .op(operatorOf(E));
}

/// Its schema, or the kernel that it is inferred from, was read and may have a derivative.
bool isKnownToCarry(const EntryRef &Def) {
  if (Def.Schema && !Def.Schema->NameOnly)
    return mayRecordDerivative(*Def.Schema);
  const RegisteredKernel &K = Def.Entry->Kernel;
  return hasKnownTypes(K) && StringRef(K.Decl.ReturnCanonical.written()).contains("Tensor");
}

/// A kernel for one backend in place of one for all: the derivative of the latter is lost.
void TableChecker::backendKernel(const RegisteredOp &Op) {
  auto Has = [&](StringRef Key) {
    return any_of(Op.Kernels, [&](const EntryRef *E) { return E->key() == Key; });
  };
  auto ServesAll = [](const EntryRef *E) {
    return E->keyKnown() && E->Block->Is != RegistrationBlock::Legacy &&
           !E->Unit->isOtherBranch() &&
           (E->key().empty() || E->key() == "CompositeImplicitAutograd");
  };
  const NativeFunction *F = nativeFunction(Op.Name, Ops);
  bool OfPyTorch = F && F->hasKernel(DispatchKey::CompositeImplicitAutograd);
  if ((F && !mayHaveDerivative(F->Schema)) ||
      any_of(Op.Defs, [](const EntryRef *Def) { return !isKnownToCarry(*Def); }))
    return;
  for (const EntryRef *E : Op.Kernels) {
    StringRef Key = E->key();
    bool GoesOn = E->Entry->Kernel.Is == RegisteredKernel::Fallthrough;
    if (!isBackendKey(Key) || GoesOn || E->Unit->isOtherBranch() || isOpen(Op.Name) ||
        Has("Autograd") || Has(("Autograd" + Key).str()) || Has("CompositeExplicitAutograd"))
      continue;
    auto ForAll = find_if(reverse(Op.Kernels), [&](const EntryRef *Other) {
      return ServesAll(Other) && Table.In.between(E->from(), Other->from()) != Exclusivity::Never;
    });
    bool IsOwn = ForAll != Op.Kernels.rend();
    if (!IsOwn && !OfPyTorch)
      continue;
    Finding &Diag =
        Diags.report(finding::CompositeBackendKernel, nameOf(*E),
                     "the {1} kernel of '{0}' replaces its CompositeImplicitAutograd kernel, so "
                     "'{0}' has no derivative for {1}; register an Autograd{1} kernel",
                     Op.Name, Key);
    Diag.op(operatorOf(*E));
    if (IsOwn)
      Diag.note(Files.place(*(*ForAll)->Unit, (*ForAll)->Entry->At),
                "CompositeImplicitAutograd kernel registered here");
    else
      Diag.note(F->SchemaText.At, F->SchemaText.Text.str());
  }
}

/// Numbers that come of elements, which a Meta kernel does not have.
bool givesOnlyNumbers(const EntryRef &Def) {
  if (!Def.Schema || Def.Schema->NameOnly || Def.Schema->VarReturns || Def.Schema->Returns.empty())
    return false;
  auto IsNumber = [](const Return &A) {
    return A.Ty.is("int") || A.Ty.is("float") || A.Ty.is("bool") || A.Ty.is("Scalar");
  };
  return all_of(Def.Schema->Returns, IsNumber) &&
         none_of(Def.Schema->Args.All, [](const Argument &A) { return A.isWrite(); });
}

/// custom_op() makes the fake itself of what writes to arguments and returns nothing, which is not
/// known where the schema is not. Of such an operator the definition and a kernel are one call.
bool mayHaveTrivialFake(const RegisteredOp &Op) {
  const EntryRef &Def = *Op.Defs.front();
  if (Def.Entry->SchemaUnread)
    return true;
  auto IsOfCall = [&](const EntryRef *E) {
    return E->Unit == Def.Unit && E->Entry->At == Def.Entry->At;
  };
  if (!Def.Unit->Python || none_of(Op.Kernels, IsOfCall))
    return false;
  return !Def.Schema || Def.Schema->NameOnly ||
         (Def.Schema->Returns.empty() &&
          any_of(Def.Schema->Args.All, [](const Argument &A) { return A.isWrite(); }));
}

/// Where a project gives its operators Meta kernels, one without is likely forgotten.
void TableChecker::missingMeta(const RegisteredOp &Op) {
  if (Op.Defs.empty() || isOnlyElsewhere(Op) || Op.Kernels.empty() || isOpen(Op.Name) ||
      Settled.count(Op.Name) || !WithMeta.count(namespaceOf(Op.Name)) ||
      givesOnlyNumbers(*Op.Defs.front()) || mayHaveTrivialFake(Op) ||
      any_of(Op.Kernels, [](const EntryRef *E) { return servesMeta(*E); }))
    return;
  if (Table.Layout.MayHaveFake)
    if (std::string File = Table.Layout.MayHaveFake(Op.Name); !File.empty()) {
      ++WithFakesElsewhere[File];
      return;
    }
  const EntryRef &E = *Op.Defs.front();
  Diags
      .report(finding::MissingMeta, nameOf(E),
              "'{0}' has no Meta kernel, unlike other operators of its namespace", Op.Name)
      .op(operatorOf(E));
}

void TableChecker::run() {
  for (const RegisteredOp &Op : ByName)
    implWithoutDef(Op);
  for (const RegisteredOp &Op : ByName) {
    definedByPyTorch(Op);
    defWithoutKernel(Op);
    backendKernel(Op);
    missingMeta(Op);
  }
}

std::vector<std::string> TableChecker::notes() const {
  std::vector<std::string> Out;
  for (const auto &[File, Count] : WithFakesElsewhere)
    Out.push_back(formatv("missing Meta kernels of {1} are not reported, because '{0}' was not "
                          "read and may register them",
                          File, counted(Count, "operator")));
  return Out;
}

} // namespace

bool opsig::isBackendKey(StringRef Key) {
  static constexpr StringLiteral Keys[] = {"CPU", "CUDA", "HIP",  "XLA",         "MPS",
                                           "IPU", "XPU",  "HPU",  "PrivateUse1", "PrivateUse2",
                                           "VE",  "Lazy", "MTIA", "PrivateUse3"};
  return is_contained(Keys, Key);
}

void opsig::checkRegistrationTable(const RegistrationTable &Table, const Operators &Ops,
                                   UnitFiles &Files, Comparison &Done, Findings &Diags) {
  TableChecker Checker(Table, Ops, Files, Diags);
  Checker.run();
  append_range(Done.Notes, Checker.notes());
}
