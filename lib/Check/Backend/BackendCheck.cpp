//===- BackendCheck.cpp - kernels of out-of-tree backends ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BackendKernels => mismatches; missing, undeclared and unknown kernels
//
//===----------------------------------------------------------------------===//
#include "Backend/BackendInternal.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

class BackendChecker {
public:
  BackendChecker(const BackendKernels &Class, const CheckContext &Context, UnitFiles &Files,
                 Comparison &Done, Findings &Diags)
      : Class(Class), Units(Context.Units), Of(Context.Of), Ops(Context.Ops),
        Layout(Context.Layout), D(*Ops.D), Files(Files), Done(Done), Diags(Diags) {}

  void run();

private:
  std::vector<const ExpectedKernel *> missing() const;
  void dropSkipped();
  bool mayBeElsewhere(const ExpectedKernel &W) const;
  void checkMissing();
  void reportMissing(const ExpectedKernel &Expected);
  /// One finding for all of \p These.
  void reportMissing(ArrayRef<const ExpectedKernel *> These, StringRef Where);
  void recordElsewhere(size_t Count);
  std::string whyNothingFound() const;
  void checkNothingFound();
  void checkMisplaced();
  std::string nearestScope() const;
  void reportUndeclared(const Match &M);
  void reportUnknown(const std::string &Name, ArrayRef<Found> Decls);
  void reportSpare(const std::string &Name, ArrayRef<Found> Decls);
  bool mayServeUnread(StringRef Name) const;
  /// "; did you mean 'add_out'?": a kernel of a similar name, or a missing one of the same
  /// signature.
  std::string whatIsMeant(const Found &F) const;

  const BackendKernels &Class;
  ArrayRef<UnitFacts> Units;
  Scope Of;
  const Operators &Ops;
  const ProjectLayout &Layout;
  const Dialect &D;
  UnitFiles &Files;
  Comparison &Done;
  Findings &Diags;
  std::set<const ExpectedKernel *> Served;
  std::vector<const ExpectedKernel *> Missing;
};

void BackendChecker::reportMissing(const ExpectedKernel &W) {
  std::string Qualified = Class.Scope + "::" + W.Name;
  Finding &Diag =
      Diags.report(finding::MissingKernel, W.At, "missing kernel for '{0}'; define '{1}'",
                   W.Function->shownName(), Qualified);
  Diag.op(W.Function->shownName());
  Diag.Hint = (Class.IsNamespace ? "" : "static ") + W.Signature.defn(D, W.Name);
  addSchemaNotes(Diag, W);
}

/// "'a', 'b', 'c' and 9 more"
std::string someOf(ArrayRef<const ExpectedKernel *> These) {
  constexpr size_t Most = 5;
  std::vector<std::string> Names;
  for (const ExpectedKernel *W : These.take_front(Most))
    Names.push_back("'" + W->Name + "'");
  std::string Out = join(Names, ", ");
  return These.size() > Most ? Out + " and " + std::to_string(These.size() - Most) + " more" : Out;
}

void BackendChecker::reportMissing(ArrayRef<const ExpectedKernel *> These, StringRef Where) {
  Diags.report(finding::MissingKernel, These.front()->At, "{0}: {1}", Where, someOf(These));
}

/// Where a build has more sources than were given, only what a class that is there does not even
/// declare is in none of them; where nothing is known of a build, what no other source mentions
/// together with the class.
bool BackendChecker::mayBeElsewhere(const ExpectedKernel &W) const {
  if (Layout.IsPart)
    return !isClassThere(Class.Class, Units) || Class.Decls.count(W.Name) != 0;
  StringRef Scope = Class.Scope;
  return Layout.IsMentionedOutside &&
         Layout.IsMentionedOutside(Scope.substr(Scope.rfind(':') + 1), W.Name);
}

std::vector<const ExpectedKernel *> BackendChecker::missing() const {
  std::vector<const ExpectedKernel *> Out;
  if (Of == Scope::Project)
    copy_if(Class.Expected, std::back_inserter(Out), [&](const ExpectedKernel *W) {
      // A function that is there was not matched where it may serve an item with an error.
      bool IsUnclear = Class.Decls.count(W->Name) && mayServeUnread(W->Name);
      return !Served.count(W) && !W->Generated && !mayExistUnread(W->Name, Units) && !IsUnclear;
    });
  return Out;
}

/// "; 'a::b' has 3 functions with names of missing kernels": the scope that has most of them.
std::string BackendChecker::nearestScope() const {
  std::set<StringRef> Names;
  for (const ExpectedKernel *W : Class.Expected)
    Names.insert(W->Name);
  std::map<StringRef, std::set<StringRef>> ByScope;
  for (const UnitFacts &Unit : Units)
    for (const std::vector<KernelDecl> *Decls : {&Unit.Definitions, &Unit.Kernels})
      for (const KernelDecl &K : *Decls)
        if (Names.count(K.Name))
          ByScope[K.Scope].insert(K.Name);
  auto Fewer = [](const auto &L, const auto &R) { return L.second.size() < R.second.size(); };
  auto Most = max_element(ByScope, Fewer);
  if (Most == ByScope.end())
    return "";
  size_t Count = Most->second.size();
  std::string Where = Most->first.empty() ? "the global namespace" : "'" + Most->first.str() + "'";
  return "; " + Where + " has " +
         (Count == 1 ? "a function with the name of a missing kernel"
                     : std::to_string(Count) + " functions with the names of missing kernels");
}

void BackendChecker::recordElsewhere(size_t Count) {
  Done.Notes.push_back(
      formatv("{0} of the {1} kernels of '{2}' {3} not in the files that you passed; {4}", Count,
              Class.Expected.size(), Class.Class, Count == 1 ? "is" : "are",
              Layout.IsPart ? "pass --all to read the other files of the build too"
                            : "pass the other source files of the project too")
          .str());
}

/// Why no kernel could be compared: the class, or what stands for it, is in none of these files, or
/// could not be read, as its header is missing.
std::string BackendChecker::whyNothingFound() const {
  size_t Unread = count_if(Class.Expected, [&](const ExpectedKernel *W) {
    return !W->Generated && mayExistUnread(W->Name, Units);
  });
  if (Unread)
    return formatv(
        "none of the {2} kernels of '{0}' was found; files that could not be read completely "
        "mention {1} of them",
        Class.Class, Unread, Class.Expected.size());
  return formatv("no kernel was found in class or namespace '{0}' or in namespace '{1}'{2}",
                 Class.Class, Class.Namespace, nearestScope());
}

/// One cause for all that is missing.
void BackendChecker::checkNothingFound() {
  std::string Where = whyNothingFound();
  if (Layout.IsPart || any_of(Missing, [&](const ExpectedKernel *W) { return mayBeElsewhere(*W); }))
    Done.Notes.push_back(Where);
  else
    reportMissing(Missing, Where + "; missing");
}

/// A kernel of another configuration is none that somebody forgot.
void BackendChecker::dropSkipped() {
  std::vector<std::string> Where;
  erase_if(Missing, [&](const ExpectedKernel *W) {
    std::string At = skippedDefinition(Class.Scope + "::" + W->Name, Units, Files);
    // Without any class the kernels may be functions of the namespace itself.
    if (At.empty() && Class.Decls.empty())
      At = skippedDefinition(Class.Namespace + "::" + W->Name, Units, Files);
    if (!At.empty())
      Where.push_back("'" + W->Name + "' (" + At + ")");
    return !At.empty();
  });
  if (Where.empty())
    return;
  constexpr size_t Most = 5;
  size_t More = Where.size() - std::min(Where.size(), Most);
  Where.resize(Where.size() - More);
  Done.Notes.push_back(
      formatv("these kernels of '{0}' are defined only in inactive '#if' branches: {1}{2}",
              Class.Class, join(Where, ", "), More ? formatv(" and {0} more", More).str() : "")
          .str());
}

/// What another class or a free function stands for is not missing, unless another file may have it
/// in its place.
void BackendChecker::checkMisplaced() {
  std::vector<Match> All = Class.Misnamed;
  append_range(All, Class.Free);
  if (Of != Scope::Project || All.empty())
    return;
  for (const Match &M : All)
    Served.insert(M.Expected);
  if (none_of(All, [&](const Match &M) { return mayBeElsewhere(*M.Expected); }))
    return reportMisplaced(Class, Files, Diags);
  Done.Notes.push_back(formatv("{0} of the {1} kernels expected in '{2}' {3} in a different class "
                               "or namespace; other files may define {4} in '{2}'",
                               All.size(), Class.Expected.size(), Class.Class,
                               All.size() == 1 ? "is" : "are", All.size() == 1 ? "it" : "them")
                           .str());
}

void BackendChecker::checkMissing() {
  Missing = missing();
  dropSkipped();
  if (Missing.empty())
    return;
  if (Class.Decls.empty() && Class.Misnamed.empty())
    return checkNothingFound();
  std::vector<const ExpectedKernel *> Certain;
  copy_if(Missing, std::back_inserter(Certain),
          [&](const ExpectedKernel *W) { return !mayBeElsewhere(*W); });
  if (Certain.size() < Missing.size())
    recordElsewhere(Missing.size() - Certain.size());
  if (Layout.IsPart && !Certain.empty())
    return reportMissing(Certain,
                         "'" + Class.Class + "' does not declare kernels that the YAML lists");
  for (const ExpectedKernel *W : Certain)
    reportMissing(*W);
}

/// \p Name is that of a kernel of an operator of which nothing but the name is known, or may be
/// that of one that the backend's YAML lists in an item with an error.
bool BackendChecker::mayServeUnread(StringRef Name) const {
  return Ops.IsEmpty ||
         any_of(Ops.Unread,
                [&](const auto &Unread) {
                  StringRef Rest = Name, Base = Unread.getKey().split('.').first;
                  return Rest.consume_front(Base) && (Rest.empty() || Rest.starts_with("_"));
                }) ||
         any_of(Class.Unread, [&](const UnreadItems *Items) { return Items->mayMean(Name); });
}

bool mentions(const CppType &T, StringRef Name) {
  return (T.Is == CppType::Named && T.Name == Name) ||
         any_of(T.Args, [&](const CppType &A) { return mentions(A, Name); });
}

/// Takes or returns a tensor, as every kernel does.
bool handlesTensors(const Found &F) {
  const CppType &Tensor = F.Unit->Names.Bases[unsigned(CppBase::Tensor)];
  auto Handles = [&](const CppType &T) { return mentions(T, Tensor.Name); };
  return Tensor.isRead() &&
         (Handles(F.Decl->ReturnCanonical) ||
          any_of(F.Decl->Params, [&](const KernelParam &P) { return Handles(P.Canonical); }));
}

std::string BackendChecker::whatIsMeant(const Found &F) const {
  std::vector<StringRef> Names;
  for (const ExpectedKernel *W : Class.Expected)
    Names.push_back(W->Name);
  std::string Similar = OperatorNameIndex(Names).didYouMean(F.Decl->Name);
  if (!Similar.empty())
    return Similar;
  std::vector<const ExpectedKernel *> Same;
  copy_if(Missing, std::back_inserter(Same), [&](const ExpectedKernel *W) {
    return StringRef(W->Name).starts_with(F.Decl->Name) && differences(W->Signature, F).empty();
  });
  return Same.size() == 1 ? "; did you mean '" + Same.front()->Name + "'?" : "";
}

void BackendChecker::reportUnknown(const std::string &Name, ArrayRef<Found> Decls) {
  for (const Found &F : Decls) {
    // The declaration of a definition that is reported itself says nothing new.
    bool Defined = any_of(Decls, [](const Found &Other) { return Other.Decl->Definition; });
    if (!handlesTensors(F) || (Defined && !F.Decl->Definition))
      continue;
    Diags.report(finding::UnknownKernel, Files.place(*F.Unit, F.Decl->NameAt),
                 "'{0}' matches no operator that the backend supports{1}", Name, whatIsMeant(F));
  }
}

/// Overloads that the backend does not support, of an operator that it does. Where the class
/// declares one, it may be anything.
void BackendChecker::reportSpare(const std::string &Name, ArrayRef<Found> Decls) {
  bool IsClassKnown = isClassThere(Class.Class, Units);
  for (const Found &F : Decls) {
    bool IsKernel = any_of(Class.Definitions, [&](const Match &M) {
      return M.Kernel.Decl == F.Decl ||
             (M.Kernel.Decl->Name == Name && haveSameParams(*M.Kernel.Decl, *F.Decl));
    });
    if (!IsKernel && F.Decl->Definition && (F.Decl->Undeclared || !IsClassKnown) &&
        handlesTensors(F))
      Diags.report(finding::UnknownKernel, Files.place(*F.Unit, F.Decl->NameAt),
                   "'{0}' with these parameters matches no operator that the backend supports",
                   Name);
  }
}

void BackendChecker::reportUndeclared(const Match &M) {
  if (!M.Kernel.Decl->Undeclared || any_of(Class.Declarations, [&](const Match &Declaration) {
        return Declaration.Expected == M.Expected;
      }))
    return;
  Finding &Diag = Diags.report(
      finding::UndeclaredKernel, Files.place(*M.Kernel.Unit, M.Kernel.Decl->NameAt),
      "'{1}' is defined here, but '{0}' does not declare it", Class.Class, M.Expected->Name);
  Diag.op(M.Expected->Function->shownName());
  addSchemaNotes(Diag, *M.Expected);
}

void BackendChecker::run() {
  // Where some file defines a function of the class, a mere declaration is not a kernel.
  bool HasDefinitions = any_of(Class.Decls, [](const auto &Named) {
    return any_of(Named.second, [](const Found &F) { return F.Decl->Definition; });
  });
  for (const Match &M : Class.Definitions) {
    Served.insert(M.Expected);
    countCompared(M, Done);
    reportMismatch(M, D, Files, Diags);
    reportUndeclared(M);
  }
  for (const Match &M : Class.Declarations) {
    if (!HasDefinitions)
      Served.insert(M.Expected);
    countCompared(M, Done);
    reportMismatch(M, D, Files, Diags);
  }
  std::set<StringRef> Names;
  for (const ExpectedKernel *W : Class.Expected)
    Names.insert(W->Name);
  checkMisplaced();
  checkMissing();
  if (Class.IsNamespace)
    return; // a namespace holds anything
  for (const auto &[Name, Decls] : Class.Decls)
    if (mayServeUnread(Name))
      continue;
    else if (Names.count(Name))
      reportSpare(Name, Decls);
    else
      reportUnknown(Name, Decls);
}

} // namespace

void opsig::checkBackendKernels(ArrayRef<ExpectedKernel> Expected, const CheckContext &Context,
                                SourceFiles &Files, Comparison &Done, Findings &Diags) {
  UnitFiles TheFiles(Context.Units, Files);
  for (const BackendKernels &Class : findBackendKernels(Expected, Context.Units, TheFiles))
    BackendChecker(Class, Context, TheFiles, Done, Diags).run();
}
