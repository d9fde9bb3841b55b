//===- DispatcherCalls.cpp - operators that code looks up by name ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OperatorLookup => is there such an operator?
//   typed<Sig> => compared as a kernel of the operator is: with the schema, then with the types of
//   the kernels, which the dispatcher compares in full
//
//===----------------------------------------------------------------------===//
#include "Registrations/MeantOperatorsInternal.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// A list of overloads that is no longer than this is printed.
constexpr size_t MostOverloads = 8;

class LookupChecker {
public:
  LookupChecker(const LookupContext &Context, UnitFiles &Files, Findings &Diags)
      : Context(Context), Table(Context.Table), Ops(Context.Ops), Files(Files), Diags(Diags),
        Meant(Table, Ops, Files) {}

  void check(const UnitFacts &Unit, const OperatorLookup &L);

private:
  void unknown(const UnitFacts &Unit, const OperatorLookup &L, StringRef Op);
  bool isCertainlyMissing(const OperatorLookup &L, StringRef Op);
  bool isWritten(StringRef Op);
  std::string overloadsOf(StringRef BaseName) const;
  void checkTyped(const UnitFacts &Unit, const OperatorLookup &L, StringRef Op,
                  const TypedHandle &Typed);
  Findings compare(const EntryRef &E, const RegisteredOp *Op, const NativeFunction *F);

  const LookupContext &Context;
  const RegistrationTable &Table;
  const Operators &Ops;
  UnitFiles &Files;
  Findings &Diags;
  MeantOperators Meant;
};

//===- Existence -------------------------------------------------------------===//

/// `def("name", &kernel)`: \p Literal is all that def() is told of the operator.
bool isDefinedByName(StringRef Text, StringRef Literal) {
  for (size_t At = Text.find(Literal); At != StringRef::npos; At = Text.find(Literal, At + 1)) {
    StringRef Before = Text.take_front(At).rtrim();
    if (Before.ends_with("def(") || Before.ends_with("op("))
      return true;
  }
  return false;
}

/// Some file that was read has a literal that defines it, be it in a branch of an #if that is off.
bool LookupChecker::isWritten(StringRef Op) {
  auto [Namespace, Name] = Op.split("::");
  std::string Plain = "\"" + Name.str(), Full = "\"" + Op.str();
  std::string Block = "(" + Namespace.str() + ",", Python = "\"" + Namespace.str() + "\"";
  for (const UnitFacts &Unit : Context.Units)
    for (uint32_t File = 0; File < Unit.Files.size(); ++File) {
      SourceId Id = Files.file(Unit, File);
      StringRef Text = Id == SourceId::None ? "" : Files.sources().text(Id);
      bool HasBlock = Text.contains(Block) || Text.contains(Python);
      if (Text.contains(Full + "(") ||
          (HasBlock && (Text.contains(Plain + "(") || isDefinedByName(Text, Plain + "\""))))
        return true;
    }
  return false;
}

/// Who has the TORCH_LIBRARY block of a namespace defines its operators, and all of PyTorch's are
/// in its YAML.
bool LookupChecker::isCertainlyMissing(const OperatorLookup &L, StringRef Op) {
  StringRef Namespace = Op.split("::").first;
  bool IsNative = Namespace == "aten";
  if (IsNative && Ops.IsEmpty)
    return false;
  bool IsOpen = Table.Of == Scope::Unit || !Table.Read.isWhole(Namespace);
  return (IsNative || (!IsOpen && Table.Registered.ownsNamespace(Namespace))) && !isWritten(Op);
}

/// "its overloads are 'Tensor', 'Scalar'": of the operator as it is defined in the project or by
/// PyTorch; "" for none.
std::string LookupChecker::overloadsOf(StringRef BaseName) const {
  std::vector<std::string> Found;
  auto Add = [&](StringRef Op) {
    auto [Base, Overload] = Op.split('.');
    if (Base == BaseName)
      Found.push_back("'" + Overload.str() + "'");
  };
  for (const RegisteredOp &Op : Table.Registered.operators())
    if (!Op.Defs.empty())
      Add(Op.Name);
  if (BaseName.starts_with("aten::"))
    for (StringRef Name : Ops.names())
      Add(("aten::" + Name).str());
  if (Found.empty())
    return "";
  if (Found.size() == 1)
    return Found[0] == "''" ? "its only overload has no name" : "its only overload is " + Found[0];
  if (Found.size() > MostOverloads) {
    Found.resize(MostOverloads);
    Found.push_back("...");
  }
  return "its overloads are " + join(Found, ", ");
}

void LookupChecker::unknown(const UnitFacts &Unit, const OperatorLookup &L, StringRef Op) {
  StringRef Name = L.Name.Value, Overload = L.Overload.Value;
  Place At = Files.place(Unit, L.Name.Whole);
  std::string Fails = "'" + L.Function + "' fails";
  if (!Name.contains("::")) {
    Diags
        .report(finding::DispatcherCallUnknown, At,
                "{0}: operator name '{1}' has no namespace; write 'namespace::{1}'", Fails, Name)
        .op(("::" + Op).str());
    return;
  }
  auto [Base, End] = Name.split('.');
  std::string Overloads = overloadsOf(Base);
  if (!End.empty()) {
    Diags
        .report(finding::DispatcherCallUnknown, At,
                "{0}: the name cannot contain an overload; pass the overload separately: "
                "\"{1}\", \"{2}\"",
                Fails, Base, End)
        .op(Op);
    return;
  }
  if (!Overloads.empty()) {
    Diags
        .report(finding::DispatcherCallUnknown, Files.place(Unit, L.Overload.Whole),
                "{0}: '{1}' has no overload '{2}'; {3}", Fails, Base, Overload, Overloads)
        .op(Op);
    return;
  }
  Diags
      .report(finding::DispatcherCallUnknown, At, "{0}: no schema for '{1}' was found{2}{3}", Fails,
              Op, Name.starts_with("aten::") ? " in these files or in this PyTorch release" : "",
              Meant.byName(Op).text())
      .op(Op);
}

//===- Types -----------------------------------------------------------------===//

/// The signature with plain ints for symbolic ones, which the dispatcher converts where no kernel
/// takes those.
std::optional<RegisteredKernel> withPlainInts(const EntryRef &E) {
  const CppType &Plain = E.Unit->Names.Bases[unsigned(CppBase::Long)];
  if (!Plain.isRead())
    return std::nullopt;
  RegisteredKernel K = E.Entry->Kernel;
  bool Changed = false;
  auto Replace = [&](auto &Self, CppType &T) -> void {
    if (T.is("c10::SymInt")) {
      T.Name = Plain.Name;
      Changed = true;
    }
    for (CppType &Part : T.Args)
      Self(Self, Part);
  };
  Replace(Replace, K.Decl.ReturnCanonical);
  for (KernelParam &P : K.Decl.Params)
    Replace(Replace, P.Canonical);
  return Changed ? std::optional(K) : std::nullopt;
}

Findings LookupChecker::compare(const EntryRef &E, const RegisteredOp *Op,
                                const NativeFunction *F) {
  Findings Said;
  if (F) {
    if (!checkNativeOverride(E, *F, *Ops.D, Files, Said))
      return Findings();
    return Said;
  }
  KernelSchema Schema = Context.SchemaFor(E, *Op);
  if (Schema.Schema)
    checkKernelSchema(E, Schema, *Ops.D, Files, Said);
  auto IsError = [](const Finding &D) { return D.Severity == Level::Error; };
  if (any_of(Said.all(), IsError))
    return Said;
  Findings Differing;
  for (const EntryRef *Kernel : Op->Kernels) {
    const EntryRef *Pair[] = {Kernel, &E};
    checkKernelsAgree(Pair, Context.In, Files, Differing);
    if (Differing.empty() && Kernel->Entry->Kernel.hasSignature())
      break; // it is what one kernel is: whether kernels agree is another finding
  }
  return Differing;
}

void LookupChecker::checkTyped(const UnitFacts &Unit, const OperatorLookup &L, StringRef Op,
                               const TypedHandle &Typed) {
  const RegisteredOp *Registered = Table.Registered.find(Op);
  const NativeFunction *F = nativeFunction(Op, Ops);
  if (!F && !Registered)
    return;
  RegistrationBlock Block;
  Block.Is = RegistrationBlock::Impl;
  Block.Namespace = Op.split("::").first.str();
  Block.At = L.At;
  RegistrationEntry Entry;
  Entry.Is = RegistrationEntry::Impl;
  Entry.Kernel = Typed.Signature;
  Span Use = std::exchange(Entry.Kernel.Use, {}); // nothing is registered there
  EntryRef E{&Unit, &Block, &Entry, std::nullopt, Op.str()};
  Findings Said = compare(E, Registered, F);
  if (Said.empty())
    return;
  // A signature with symbolic ints is compared with those of kernels that take some, if there are
  // any.
  bool TakesSymbolic = Registered && any_of(Registered->Kernels, [](const EntryRef *Kernel) {
                         return withPlainInts(*Kernel).has_value();
                       });
  if (std::optional<RegisteredKernel> Plain = withPlainInts(E); Plain && !TakesSymbolic) {
    Entry.Kernel = *Plain;
    if (compare(E, Registered, F).empty())
      return;
  }
  for (const Finding &Hit : Said.all()) {
    if (Hit.Severity != Level::Error)
      continue;
    Place At = Hit.At.isValid() ? Hit.At : Files.place(Unit, Use);
    Finding &Diag = Diags.add(finding::DispatcherCallType, At, Hit.Message);
    Diag.op(Op);
    Diag.Hint = Hit.Hint;
    Diag.Notes = Hit.Notes;
    if (At.Line != Files.place(Unit, L.Name.Whole).Line)
      Diag.note(Files.place(Unit, L.Name.Whole), "operator looked up here");
  }
}

void LookupChecker::check(const UnitFacts &Unit, const OperatorLookup &L) {
  std::string Op = L.Name.Value;
  if (!L.Overload.Value.empty())
    Op += "." + L.Overload.Value;
  const RegisteredOp *Registered = Table.Registered.find(Op);
  // No operator has a dot in its name, whatever is read.
  bool IsMalformed =
      !StringRef(L.Name.Value).contains("::") || StringRef(L.Name.Value).contains('.');
  bool IsKnown = nativeFunction(Op, Ops) || (Registered && !Registered->Defs.empty()) ||
                 Table.Misplaced.count(Op) ||
                 (StringRef(Op).starts_with("aten::") && Ops.isUnread(StringRef(Op).substr(6)));
  if (!IsKnown || IsMalformed) {
    if (!L.Optional && (IsMalformed || isCertainlyMissing(L, Op)))
      unknown(Unit, L, Op);
    return;
  }
  for (const TypedHandle &Typed : L.Typed)
    checkTyped(Unit, L, Op, Typed);
}

} // namespace

void opsig::checkDispatcherCalls(const LookupContext &Context, UnitFiles &Files, Findings &Diags) {
  LookupChecker Checker(Context, Files, Diags);
  for (const UnitFacts &Unit : Context.Units)
    for (const OperatorLookup &L : Unit.Lookups)
      Checker.check(Unit, L);
}
