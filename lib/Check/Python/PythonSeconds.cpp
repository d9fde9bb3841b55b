//===- PythonSeconds.cpp - Second kernels and fakes that PyTorch rejects ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Meta kernel, and so a fake, is refused by every release where the operator has a kernel for
// CompositeImplicitAutograd. Some refuse a second one of Python for a key, also one for Autograd or
// FuncTorchBatched that register_autograd() or register_vmap() makes, and a fake beside a Meta
// kernel of C++; the others do so with allow_override=False.
//
//===----------------------------------------------------------------------===//
#include "Python/PythonInternal.h"
#include "Registrations/ScriptFolders.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

static constexpr StringLiteral Composite = "CompositeImplicitAutograd";

/// Whether the code of a use surely runs: what it asks for is defined by the project in any case.
bool PythonChecks::isReached(const LibraryUse &Use) const {
  if (Use.Conditional || Use.InFunction)
    return false;
  return all_of(Use.Guards, [&](const PythonGuard &Guard) {
    const RegisteredOp *Known = Context.Registered.find(Guard.Op);
    bool IsDefined = Known && any_of(Known->Defs, [](const EntryRef *Def) {
                       return !Def->Entry->Conditional && !isOfOtherBranch(*Def->Unit, *Def->Entry);
                     });
    return Guard.Exists && IsDefined;
  });
}

/// The kernel in C++ because of which \p Key is refused; null if there is none.
const EntryRef *PythonChecks::refusingKernel(const PythonCase &Of, StringRef Key,
                                             bool Replaces) const {
  const RegisteredOp *Known = Context.Registered.find(Of.Op);
  if (Key != "Meta" || !Known)
    return nullptr;
  auto Refuses = [&](const EntryRef *E) {
    if (E->Unit->Python || !E->keyKnown() || E->Entry->Conditional ||
        isOfOtherBranch(*E->Unit, *E->Entry))
      return false;
    bool IsComposite = E->key().empty() || E->key() == Composite;
    return IsComposite || (E->key() == "Meta" && Of.Use.What == "fake" && !Replaces);
  };
  auto Found = find_if(Known->Kernels, Refuses);
  return Found == Known->Kernels.end() ? nullptr : *Found;
}

/// "a CPU", "an Autograd", "a fake or Meta"
static std::string firstOf(StringRef Key) {
  return ((Key == "Meta" ? "a fake or " : Key.starts_with("A") ? "an " : "a ") + Key).str();
}

void PythonChecks::refuseSecond(const PythonCase &Of, StringRef Key, const Twine &Other,
                                const Place &At) {
  report(finding::PythonRegistration, *Of.In.Unit, Of.Use.At,
         ("'" + Twine(Of.Op) + "' already has " + Other + ", so PyTorch " + dialect().Name +
          " rejects " + (Of.Use.What == "fake" ? "this fake" : "this " + Twine(Key) + " kernel"))
             .str(),
         Of)
      .note(At, "first registered here");
}

void PythonChecks::checkSecondFor(const PythonCase &Of, StringRef Key) {
  const LibraryTraits &Library = library();
  bool Replaces = Library.ReplacesKernels && !Of.Use.NeverReplaces;
  if (const EntryRef *Cpp = refusingKernel(Of, Key, Replaces))
    return refuseSecond(
        Of, Key, Cpp->key() == "Meta" ? "a Meta kernel in C++" : "a kernel for " + Twine(Composite),
        Files.place(*Cpp->Unit, Cpp->Entry->At));
  if (const FirstOne *First = Key == "Meta" ? firstFor(Of, Composite) : nullptr)
    return refuseSecond(Of, Key, "a kernel for " + Twine(Composite), First->At);
  const FirstOne *First = firstFor(Of, Key);
  if (!First)
    Registered[{Of.Op, Key.str()}].push_back({Of.In.Unit, place(*Of.In.Unit, Of.Use.At)});
  else if (!Replaces)
    refuseSecond(Of, Key, firstOf(Key) + " kernel in Python", First->At);
}

const PythonChecks::FirstOne *PythonChecks::firstFor(const PythonCase &Of, StringRef Key) const {
  auto Known = Registered.find({Of.Op, Key.str()});
  if (Known == Registered.end())
    return nullptr;
  auto First = find_if(
      Known->second, [&](const FirstOne &One) { return !areOtherScripts(*One.Unit, *Of.In.Unit); });
  return First == Known->second.end() ? nullptr : &*First;
}

void PythonChecks::checkSecond(const PythonCase &Of) {
  StringRef What = Of.Use.What;
  static constexpr StringLiteral Registering[] = {"fake", "library-kernel", "kernel", "autograd",
                                                  "vmap"};
  if (!is_contained(Registering, What) || Of.Op.empty() || CustomOps.count(Of.Op) ||
      !isReached(Of.Use))
    return;
  std::set<StringRef> Keys;
  auto At = ByPlace.find({Of.In.Unit, Of.Use.At.Offset});
  if (At == ByPlace.end())
    return;
  // A loop over a table registers several by one call.
  auto IsOwn = [&](const EntryRef *E) {
    return any_of(Of.Use.Keys,
                  [&](const PythonText &Key) { return E->key().equals_insensitive(Key.Value); });
  };
  bool AreTold = any_of(At->second, IsOwn);
  for (const EntryRef *E : At->second)
    if ((!AreTold || IsOwn(E)) && E->Op == Of.Op && E->keyKnown() &&
        E->Entry->Is == RegistrationEntry::Impl)
      Keys.insert(E->key().empty() ? StringRef(Composite) : E->key());
  // A registrar of the project's own registers a kernel by the same call.
  for (StringRef Key : Keys)
    if (What != "fake" || Key == "Meta")
      checkSecondFor(Of, Key);
}
