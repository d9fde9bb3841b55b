//===- OperatorSites.cpp - where a project says something of an operator ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/OperatorSites.h"
#include "opsig/Frontend/PythonFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

std::string kernelText(const RegisteredKernel &K) {
  std::string Name = K.Name.empty() ? "a kernel" : K.Name;
  switch (K.Is) {
  case RegisteredKernel::Fallthrough:
    return "falls through to the next key";
  case RegisteredKernel::Lambda:
    return K.Name.empty() ? "a lambda" : K.Name;
  case RegisteredKernel::Boxed:
    return Name + " (boxed)";
  default:
    return Name;
  }
}

class SiteCollector {
public:
  void addEntry(const EntryRef &E, UnitFiles &In);
  void addPython(const UnitFacts &Unit, UnitFiles &In);
  std::vector<OperatorSites> take();

private:
  bool becomes(const OperatorSite &Site);
  void add(const std::string &Op, OperatorSite Site) {
    std::vector<OperatorSite> &All = ByName[Op];
    bool IsKnown = any_of(All, [&](const OperatorSite &S) {
      return S.Is == Site.Is && S.Key == Site.Key && S.At == Site.At;
    });
    if (!IsKnown)
      All.push_back(std::move(Site));
  }

  std::map<std::string, std::vector<OperatorSite>> ByName;
};

void SiteCollector::addEntry(const EntryRef &E, UnitFiles &In) {
  if (E.Op.empty())
    return;
  const RegistrationEntry &Entry = *E.Entry;
  Place At = In.place(*E.Unit, Entry.Text.Whole);
  if (!At.isValid())
    At = In.place(*E.Unit, Entry.At);
  if (Entry.Is == RegistrationEntry::Def)
    add(E.Op, {OperatorSite::Definition,
               "",
               E.Schema && !E.Schema->NameOnly ? Entry.Text.Value : "",
               At,
               {}});
  if (Entry.Kernel.Is == RegisteredKernel::None)
    return;
  const KernelDecl &Decl = Entry.Kernel.Decl;
  Place Function = In.place(*E.Unit, Decl.NameAt);
  add(E.Op, {OperatorSite::Kernel, E.key().str(), kernelText(Entry.Kernel), At, Function});
}

/// A fake or a formula is registered as a kernel, too: it becomes what it is. The functions of
/// kernels are found here.
void SiteCollector::addPython(const UnitFacts &Unit, UnitFiles &In) {
  if (!Unit.Python)
    return;
  const PythonFacts &Facts = *Unit.Python;
  for (const LibraryUse &Use : Facts.Uses) {
    auto Is = StringSwitch<OperatorSite::Kind>(Use.What)
                  .Case("fake", OperatorSite::Fake)
                  .Case("autograd", OperatorSite::Autograd)
                  .Case("vmap", OperatorSite::Vmap)
                  .Default(OperatorSite::Kernel);
    OperatorSite Site{Is, "", "a function", In.place(Unit, Use.Op.Whole), {}};
    if (const PythonCallable *F = Facts.find(Use.Function)) {
      Site.Text = F->isLambda() ? "a lambda" : F->Qualified;
      Site.Function = In.place(Unit, F->NameAt);
    }
    if (!becomes(Site) && Is != OperatorSite::Kernel && Use.Op.IsKnown &&
        StringRef(Use.Op.Value).contains("::"))
      add(Use.Op.Value, std::move(Site));
  }
}

/// Says of each kernel that is registered at the place of \p Site what it is; false if there is
/// none.
bool SiteCollector::becomes(const OperatorSite &Site) {
  bool Found = false;
  for (auto &[Name, All] : ByName) {
    for (OperatorSite &S : All)
      if (S.Is == OperatorSite::Kernel && S.At.isValid() && S.At == Site.At) {
        Found = true;
        S.Is = Site.Is;
        if (Site.Is != OperatorSite::Kernel)
          S.Key.clear();
        if (!Site.Function.isValid())
          continue;
        S.Text = Site.Text;
        S.Function = Site.Function;
      }
    // One formula is registered for several keys.
    for (size_t I = All.size(); I-- > 0;)
      if (any_of(ArrayRef(All).take_front(I), [&](const OperatorSite &S) {
            return S.Is != OperatorSite::Definition && S.Is == All[I].Is && S.Key == All[I].Key &&
                   S.At == All[I].At;
          }))
        All.erase(All.begin() + I);
  }
  return Found;
}

std::vector<OperatorSites> SiteCollector::take() {
  std::vector<OperatorSites> Out;
  for (auto &[Name, All] : ByName) {
    OperatorSites &Op = Out.emplace_back();
    Op.Name = Name;
    for (auto Is : {OperatorSite::Definition, OperatorSite::Kernel, OperatorSite::Fake,
                    OperatorSite::Autograd, OperatorSite::Vmap})
      copy_if(All, std::back_inserter(Op.All), [&](const OperatorSite &S) { return S.Is == Is; });
  }
  return Out;
}

} // namespace

StringRef opsig::toString(OperatorSite::Kind Kind) {
  static constexpr StringLiteral Names[] = {"definition", "kernel", "fake", "autograd", "vmap"};
  return Names[Kind];
}

std::vector<OperatorSites> opsig::operatorSites(ArrayRef<UnitFacts> Units,
                                                ArrayRef<ExternalBackend> Backends,
                                                const Operators &Ops, SourceFiles &Files) {
  SiteCollector Sites;
  auto Read = [&](ArrayRef<UnitFacts>, const Registry &Known, UnitFiles &In) {
    for (const EntryRef &E : Known.entries())
      Sites.addEntry(E, In);
  };
  forEachRegistry(Units, Backends, Ops, Files, Read);
  UnitFiles Places(Units, Files);
  for (const UnitFacts &Unit : Units)
    Sites.addPython(Unit, Places);
  return Sites.take();
}
