//===- RegistrationStrings.cpp - strings and places of registrations ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/InputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

std::string opsig::operatorOf(const EntryRef &E) {
  return !E.Op.empty() || !E.Schema ? E.Op : E.nameIn(E.Block->Namespace);
}

bool opsig::mayEdit(const EntryRef &E, TextRange Part, Finding &Diag, UnitFiles &Files) {
  bool IsShared = E.Entry->Text.isShared(Part.Offset, Part.Length);
  if (IsShared)
    Diag.note(E.place(Part, Files), "not fixed: other code also uses the constant");
  return !IsShared;
}

namespace {

StringRef macroOf(RegistrationBlock::Kind Kind) {
  switch (Kind) {
  case RegistrationBlock::Library:
    return "TORCH_LIBRARY";
  case RegistrationBlock::Fragment:
    return "TORCH_LIBRARY_FRAGMENT";
  case RegistrationBlock::Impl:
    return "TORCH_LIBRARY_IMPL";
  case RegistrationBlock::Legacy:
  case RegistrationBlock::Unknown:
    return "";
  }
  llvm_unreachable("closed kind");
}

class EntryChecker {
public:
  EntryChecker(const EntryRef &E, const Grammar &G, MisplacedNames &Misplaced, UnitFiles &Files,
               Findings &Diags)
      : E(E), G(G), Misplaced(Misplaced), Files(Files), Diags(Diags) {}

  void run();

private:
  Place at(TextRange Part) const { return E.place(Part, Files); }
  void checkString();
  bool isBetter(StringRef Text, const SchemaError &Like) const;
  void mend(SchemaError Error, Finding &Diag) const;
  std::string ownName(const SchemaError &Error) const;
  void checkNamespace();
  void checkPlace();

  void misplaced(StringRef Name);

  const EntryRef &E;
  const Grammar &G;
  MisplacedNames &Misplaced;
  UnitFiles &Files;
  Findings &Diags;
};

/// Without an error, and without a remark like \p Like.
bool EntryChecker::isBetter(StringRef Text, const SchemaError &Like) const {
  SchemaErrors Errors, Remarks;
  return parseScriptSchema(Text, G, rulesOf(*E.Unit, *E.Block, *E.Entry), Errors, Remarks) &&
         none_of(Remarks, [&](const SchemaError &R) { return R.Message == Like.Message; });
}

/// What the kernel calls the argument that has another one's name.
std::string EntryChecker::ownName(const SchemaError &Error) const {
  const std::vector<KernelParam> &Params = E.Entry->Kernel.Decl.Params;
  if (Error.Id != finding::RegisteredNameTwice || !E.Schema || !E.Entry->Kernel.hasSignature())
    return "";
  const std::vector<Argument> &Args = E.Schema->Args.All;
  unsigned First = !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
  auto It = find_if(Args, [&](const Argument &A) { return A.NameAt.Offset == Error.Offset; });
  if (It == Args.end() || Params.size() != Args.size() + First)
    return "";
  std::string Name = Params[First + (It - Args.begin())].Name;
  bool Taken = any_of(Args, [&](const Argument &A) { return A.Name == Name; });
  return Taken ? "" : Name;
}

/// Where the string is one literal, letter for letter, and is better then.
void EntryChecker::mend(SchemaError Error, Finding &Diag) const {
  if (Error.Suggestion.empty())
    Error.suggest(ownName(Error));
  if (Error.Suggestion.empty())
    return;
  const LiteralText &Text = E.Entry->Text;
  Span At = Text.at(Error.SuggestionOffset, Error.SuggestionLength);
  std::string Now = Text.Value;
  if (!At.isValid() || At == Text.Whole || At.Length != Error.SuggestionLength ||
      Files.text(*E.Unit, At) !=
          StringRef(Now).substr(Error.SuggestionOffset, Error.SuggestionLength))
    return;
  Now.replace(Error.SuggestionOffset, Error.SuggestionLength, Error.Suggestion);
  if (!isBetter(Now, Error))
    return;
  if (mayEdit(E, {uint32_t(Error.SuggestionOffset), uint32_t(Error.SuggestionLength)}, Diag, Files))
    Diag.Fixes = {{Files.file(*E.Unit, At.File), At.Offset, At.Length, Error.Suggestion}};
}

void EntryChecker::checkString() {
  size_t Before = Diags.size();
  for (const SchemaErrors *List : {&E.Errors, &E.Remarks})
    for (const SchemaError &Error : *List)
      mend(Error, Diags.add(Error.Id, at({uint32_t(Error.Offset), uint32_t(Error.Length)}),
                            Error.Message));
  if (E.Schema)
    Diags.setOp(E.nameIn(E.Block->Namespace), Before);
}

/// Of "add.out" and of "other::add.out" also what the block makes of it.
void EntryChecker::misplaced(StringRef Name) {
  auto [Namespace, Rest] = Name.split("::");
  if (Rest.empty())
    std::swap(Namespace, Rest);
  if (!Namespace.empty())
    Misplaced.insert((Namespace + "::" + Rest).str());
  if (!E.Block->Namespace.empty())
    Misplaced.insert(E.Block->Namespace + "::" + Rest.str());
}

/// A definition in a block of kernels, in the words of the file's language.
std::string whyNotDefined(const EntryRef &E) {
  if (isPython(E.Unit->MainFile))
    return formatv("a Library of kind 'IMPL' cannot define operators; define this operator through "
                   "a Library of '{0}' with kind 'DEF' or 'FRAGMENT'",
                   E.Block->Namespace);
  return formatv("an operator cannot be defined in a TORCH_LIBRARY_IMPL block; move it into the "
                 "TORCH_LIBRARY block of '{0}'",
                 E.Block->Namespace);
}

/// The namespace of the string has to be that of the block.
void EntryChecker::checkNamespace() {
  if (!E.hasOtherNamespace())
    return;
  const FunctionSchema &S = *E.Schema;
  Diags
      .report(finding::RegistrationNamespace, at(S.NameAt),
              "'{0}' is in a {1} block of '{2}'; move it into a block of namespace '{3}'",
              S.Name.str(), macroOf(E.Block->Is), E.Namespace, S.operatorNamespace())
      .op(operatorOf(E));
  misplaced(S.Name.str());
}

/// What may stand in which block, and which string it may have.
void EntryChecker::checkPlace() {
  const RegistrationEntry &Entry = *E.Entry;
  RegistrationBlock::Kind Block = E.Block->Is;
  Place At = Files.place(*E.Unit, Entry.At);
  if (Entry.Is == RegistrationEntry::Fallback) {
    if (Block == RegistrationBlock::Library || Block == RegistrationBlock::Fragment)
      Diags.report(finding::RegistrationMisplaced, At,
                   "a fallback must be in a TORCH_LIBRARY_IMPL(_, KEY, m) block");
    else if (Block == RegistrationBlock::Impl && E.Block->Namespace != "_")
      Diags.report(finding::RegistrationMisplaced, At,
                   "a fallback cannot apply to the namespace '{0}' alone; move it into a "
                   "TORCH_LIBRARY_IMPL(_, {1}, m) block",
                   E.Block->Namespace, E.Block->Key.empty() ? "KEY" : E.Block->Key);
    return;
  }
  if (E.isDefInImpl()) {
    Diags.report(finding::RegistrationMisplaced, At, "{0}", whyNotDefined(E));
    if (E.Schema)
      misplaced(E.nameIn(E.Namespace));
    return;
  }
  if (Block == RegistrationBlock::Impl && !Entry.Key.empty() && !E.Block->Key.empty() &&
      Entry.Key != E.Block->Key)
    Diags.report(finding::RegistrationMisplaced, At,
                 "the kernel is for {0}, but the block is for {1}", Entry.Key, E.Block->Key);
  if (!E.Schema)
    return;
  if (E.isSchemaInImpl()) {
    misplaced(E.nameIn(E.Namespace));
    Diags
        .report(finding::RegistrationMisplaced, at({0, uint32_t(Entry.Text.Value.size())}),
                "impl() expects the name of an operator, not its schema")
        .op(operatorOf(E));
  }
  if (E.isDef() && E.Schema->NameOnly && !Entry.SchemaUnread && !Entry.Kernel.isUnboxed())
    Diags
        .report(finding::RegistrationMisplaced, at(E.Schema->NameAt),
                Entry.Kernel.Is == RegisteredKernel::None
                    ? "'{0}' is defined without a schema and without a kernel to infer one from; "
                      "write the schema"
                    : "'{0}' is defined without a schema, and none can be inferred from a "
                      "boxed kernel; write the schema",
                E.Schema->operatorName())
        .op(operatorOf(E));
}

void EntryChecker::run() {
  if (E.Entry->TextKnown) {
    checkString();
    if (E.Schema)
      checkNamespace();
    else
      misplaced(writtenName(*E.Entry));
  }
  checkPlace();
}

} // namespace

void opsig::checkStrings(Registry &R, const StringGrammars &GrammarOf, MisplacedNames &Misplaced,
                         UnitFiles &Files, Findings &Diags) {
  resolveMisspelled(R);
  for (const EntryRef &E : R.entries())
    EntryChecker(E, GrammarOf(*E.Unit), Misplaced, Files, Diags).run();
}
