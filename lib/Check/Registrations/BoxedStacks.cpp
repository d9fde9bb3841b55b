//===- BoxedStacks.cpp - kernels that are boxed by hand against their schemas ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller puts one value for each argument on the stack, in order, and then takes one for each
// return from its bottom. What a tensor, a list, a string or an optional is made of belongs to the
// kernel from then on.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class StackChecker {
public:
  StackChecker(const EntryRef &E, const KernelSchema &Schema, UnitFiles &Files, Findings &Diags)
      : E(E), K(E.Entry->Kernel), Schema(Schema), Files(Files), Diags(Diags),
        Types(E.Unit->Names, KernelInterface::Stable) {}

  void run();

private:
  void checkTaken(const StackValue &V);
  void checkGiven(const StackValue &V);
  void checkTwice();
  void checkMissing();
  void checkKept();
  bool differs(const StackValue &V, const Argument &Want, bool IsReturn) const;
  Finding &report(FindingId Id, Span At, TextRange Part, std::string Message);
  std::string name() const { return kernelName(K); }

  const EntryRef &E;
  const RegisteredKernel &K;
  const KernelSchema &Schema;
  UnitFiles &Files;
  Findings &Diags;
  TypeInference Types;
};

/// "the last argument of the schema is value 2"
std::string lastOf(size_t Count, StringRef What) {
  return Count ? formatv("the last {0} of the schema is value {1}", What, Count - 1).str()
               : "the schema has no " + What.str();
}

/// Symbolic ints come as numbers.
Type realType(const Type &Ty) { return Ty.dispatched().withoutSymInt(); }

/// Its 64 bits are, or hold, a handle of something that is freed by whoever takes it.
bool isOwned(const Type &Ty) {
  return !Ty.isBase() || Ty.is("Tensor") || Ty.is("str") || Ty.is("Generator");
}

Finding &StackChecker::report(FindingId Id, Span At, TextRange Part, std::string Message) {
  Finding &Diag = Diags.add(Id, kernelPlace(E, At, Files), std::move(Message));
  Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, Schema, Part, Files);
  return Diag;
}

bool StackChecker::differs(const StackValue &V, const Argument &Want, bool IsReturn) const {
  Type Real = realType(Want.Ty);
  if (!V.Type.isRead() || isOpenType(Real))
    return false;
  InferredType Got = IsReturn ? Types.returns(V.Type).value_or(std::vector<InferredType>(1)).front()
                              : Types.param(V.Type, V.Index);
  return Got.Is == InferredType::Known && !Types.fits(Got.Ty, Real);
}

void StackChecker::checkTaken(const StackValue &V) {
  const std::vector<Argument> &Args = Schema.Schema->Args.All;
  if (V.Index >= Args.size()) {
    report(finding::BoxedStack, V.At, Schema.Schema->NameAt,
           formatv("{0} reads stack value {1}; {2}", name(), V.Index,
                   lastOf(Args.size(), "argument")));
    return;
  }
  const Argument &Arg = Args[V.Index];
  if (!differs(V, Arg, /*IsReturn=*/false))
    return;
  CppType Usual = canonicalStableCppType(realType(Arg.Ty)).decayed();
  std::string Needs = Usual.isRead() ? ", which is '" + Usual.written() + "' in C++" : "";
  Finding &Diag =
      report(finding::BoxedStack, V.TypeAt.isValid() ? V.TypeAt : V.At, Arg.TypeAt,
             formatv("{0} reads stack value {1} as '{2}'; the schema's '{3}' is '{4}'{5}", name(),
                     V.Index, V.TypeText, Arg.Name, realType(Arg.Ty).str(), Needs));
  if (!Usual.isRead())
    return;
  Diag.Hint = Usual.written();
  if (V.TypeAt.isValid())
    Diag.Fixes = {
        {Files.file(*E.Unit, V.TypeAt.File), V.TypeAt.Offset, V.TypeAt.Length, Usual.written()}};
}

void StackChecker::checkGiven(const StackValue &V) {
  const std::vector<Argument> &Returns = Schema.Schema->Returns;
  if (V.Index >= Returns.size()) {
    report(finding::BoxedStack, V.At, Schema.Schema->NameAt,
           formatv("{0} returns stack value {1}; {2}", name(), V.Index,
                   lastOf(Returns.size(), "return")));
    return;
  }
  const Argument &Return = Returns[V.Index];
  if (differs(V, Return, /*IsReturn=*/true))
    report(finding::BoxedStack, V.At, Return.TypeAt,
           formatv("{0} returns stack value {1} as '{2}'; the schema needs '{3}'", name(), V.Index,
                   V.TypeText, realType(Return.Ty).str()));
}

/// Whoever takes a handle frees it.
void StackChecker::checkTwice() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All;
  DenseMap<uint32_t, const StackValue *> First;
  for (const StackValue &V : K.Stack.Taken) {
    if (V.Conditional || !V.Type.isRead() || V.Index >= Args.size() ||
        !isOwned(Args[V.Index].Ty.dispatched()))
      continue;
    auto [It, New] = First.try_emplace(V.Index, &V);
    if (New)
      continue;
    Finding &Diag =
        report(finding::BoxedStack, V.At, Args[V.Index].NameAt,
               formatv("{0} reads stack value {1} ('{2}') twice, so its data is freed twice",
                       name(), V.Index, Args[V.Index].Name));
    Diag.note(kernelPlace(E, It->second->At, Files), "first read here");
  }
}

/// What lies at the place of a return is an argument, which may be the one that is returned.
void StackChecker::checkMissing() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All, &Returns = Schema.Schema->Returns;
  for (uint32_t I = 0; I < Returns.size(); ++I) {
    bool Given = any_of(K.Stack.Given, [&](const StackValue &V) { return V.Index == I; });
    bool MayStay = I < Args.size() && Args[I].Ty.dispatched() == Returns[I].Ty.dispatched();
    if (Given || MayStay)
      continue;
    report(finding::BoxedStack, K.Use, Returns[I].TypeAt,
           formatv("{0} does not return stack value {1}; the schema needs '{2}' there", name(), I,
                   realType(Returns[I].Ty).str()));
  }
}

void StackChecker::checkKept() {
  const std::vector<Argument> &Args = Schema.Schema->Args.All;
  std::vector<std::string> Numbers, Names;
  TextRange First;
  for (uint32_t I = 0; I < Args.size(); ++I) {
    auto IsThere = [&](ArrayRef<StackValue> Values) {
      return any_of(Values, [&](const StackValue &V) { return V.Index == I; });
    };
    bool Stays = I < Schema.Schema->Returns.size() && !IsThere(K.Stack.Given);
    if (IsThere(K.Stack.Taken) || Stays || !isOwned(Args[I].Ty.dispatched()))
      continue;
    if (Names.empty())
      First = Args[I].NameAt;
    Numbers.push_back(std::to_string(I));
    Names.push_back("'" + Args[I].Name + "'");
  }
  if (Names.empty())
    return;
  report(finding::BoxedStackKept, K.Use, First,
         formatv("{0} never reads stack value{1} {2} ({3}), so {4} memory is not freed", name(),
                 Names.size() == 1 ? "" : "s", join(Numbers, ", "), join(Names, ", "),
                 Names.size() == 1 ? "its" : "their"));
}

void StackChecker::run() {
  if (!K.Stack.isKnown() || Schema.Schema->VarArgs || Schema.Schema->VarReturns)
    return;
  for (const StackValue &V : K.Stack.Taken)
    checkTaken(V);
  for (const StackValue &V : K.Stack.Given)
    checkGiven(V);
  checkTwice();
  if (!K.Stack.Whole)
    return;
  checkMissing();
  checkKept();
}

} // namespace

bool opsig::checkBoxedStack(const EntryRef &E, const KernelSchema &Schema, UnitFiles &Files,
                            Findings &Diags) {
  size_t Before = Diags.all().size();
  StackChecker(E, Schema, Files, Diags).run();
  return Diags.all().size() == Before;
}
