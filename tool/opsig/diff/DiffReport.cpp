//===- DiffReport.cpp - What a diff says to people --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diff/DiffReport.h"
#include "opsig/Support/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <map>

namespace opsig {

namespace {

/// As many operators with the same change are one item.
constexpr size_t FewestInList = 3;

std::string nameOf(const NativeFunction &F) { return F.Schema.Name.str(); }

/// The file's whole path is said once, at the top.
std::string place(Place At, const SourceFiles &Files) {
  if (!At.isValid())
    return "";
  return (llvm::sys::path::filename(Files.name(At.File)) + ":" + llvm::Twine(At.Line)).str();
}

/// The change without the argument's name: many operators may have the same.
std::string foldedText(const Change &C) {
  std::string Text = headingOf(C.Is).str();
  bool IsArguments = C.Is == ChangeKind::ArgumentRetyped || C.Is == ChangeKind::Default;
  std::string What = IsArguments ? Change{C.Is, "", C.From, C.To}.str() : C.str();
  // Each operator has kernels of its own.
  if (C.Is == ChangeKind::KernelAdded || C.Is == ChangeKind::KernelGone)
    What = "'" + C.Subject + "'";
  if (C.Is == ChangeKind::Autogen || C.Is == ChangeKind::KernelRenamed ||
      C.Subject == "structured_delegate")
    What = C.Subject.empty() ? "" : "'" + C.Subject + "'";
  if (C.Is == ChangeKind::DefaultKernelGone)
    What = "";
  return What.empty() ? Text : Text + ": " + What;
}

std::string lineOf(const Change &C) {
  std::string What = C.str();
  return headingOf(C.Is).str() + (What.empty() ? "" : ": " + What);
}

/// Of all that a call can look like, what people write.
bool isForPeople(const SignatureChange &S) {
  return !S.Convention.contains("faithful") && S.Convention != "cpp_symint";
}

class ReportMaker {
public:
  ReportMaker(const DiffOutcome &Outcome, const DiffChoice &Choice)
      : Outcome(Outcome), Diff(Outcome.Release), Choice(Choice),
        OldFiles(Outcome.Old.Schemas->Files), NewFiles(Outcome.New.Schemas->Files) {}

  DiffReport make() {
    Out.Title =
        "PyTorch " + Outcome.Old.Source.Version.Text + " => " + Outcome.New.Source.Version.Text;
    Out.Old = Outcome.Old.Source.NativeFunctions;
    Out.New = Outcome.New.Source.NativeFunctions;
    addEverywhere();
    for (const BackendDiff &B : Outcome.Backends)
      addBackend(B);
    addGone();
    addRenamed();
    addBreaking();
    if (!Choice.OnlyBreaking) {
      addOthers();
      addAdded();
    }
    addDeprecations();
    Out.Counts = counts();
    return std::move(Out);
  }

private:
  void add(DiffSection Section) {
    if (!Section.Items.empty())
      Out.Sections.push_back(std::move(Section));
  }

  void addEverywhere() {
    DiffSection Section{
        "Everywhere", "entries that did not change but that the new release reads differently", {}};
    for (const UniformChange &C : Diff.Everywhere) {
      if (Choice.OnlyBreaking && C.Is != UniformChange::Rule)
        continue;
      std::string Remark = counted(C.Operators, "operator") + ", e.g. " + C.Example;
      if (C.Is == UniformChange::Rule)
        Remark += "; " + C.Where;
      Section.Items.push_back({uniformText(C), std::move(Remark), {}, {}, {}});
    }
    add(std::move(Section));
  }

  static std::string uniformText(const UniformChange &C) {
    if (C.Is != UniformChange::Tag)
      return C.From + " => " + C.To;
    return C.From.empty() ? "new tag '" + C.To + "'" : "tag '" + C.From + "' removed";
  }

  //===-- backends -----------------------------------------------------------===//

  static std::string words(BackendEntryChange::Kind Kind) {
    switch (Kind) {
    case BackendEntryChange::Gone:
      return "PyTorch removed this operator";
    case BackendEntryChange::Renamed:
      return "renamed";
    case BackendEntryChange::Signature:
      return "the signature of its kernel changed";
    case BackendEntryChange::SymIntGone:
      return "listed under 'symint:', but its schema no longer has a SymInt";
    case BackendEntryChange::SymIntOffered:
      return "can now be listed under 'symint:'";
    case BackendEntryChange::Alias:
      return "its kernel must write to or return different arguments";
    }
    return "";
  }

  void addBackend(const BackendDiff &B) {
    llvm::StringRef File = OldFiles.name(B.Backend->File);
    DiffSection Section{("Backend " + B.Backend->Backend + ", " + File).str(), "", {}};
    if (B.KeyTaken)
      Section.Items.push_back(
          {B.Backend->Backend,
           "native_functions.yaml now has kernels for this key, so no backend can use it",
           {},
           {},
           {}});
    std::vector<const NativeFunction *> Offered;
    for (const BackendEntryChange &E : B.Entries) {
      if (E.Is == BackendEntryChange::SymIntOffered) {
        Offered.push_back(E.Function);
        continue;
      }
      DiffItem Item{nameOf(*E.Function), words(E.Is) + "; " + place(E.At, OldFiles), {}, {}, {}};
      if (!E.From.empty())
        Item.Pairs.push_back({toString(E.Is).str(), E.From, E.To});
      Section.Items.push_back(std::move(Item));
    }
    if (!Choice.OnlyBreaking)
      addList(Section, words(BackendEntryChange::SymIntOffered), Offered);
    addList(Section,
            "the backend needs its own kernel, because PyTorch removed the one for all backends",
            B.LostDefault);
    if (!Choice.OnlyBreaking)
      addList(Section, "new, without a kernel for all backends", B.NewWithoutDefault);
    add(std::move(Section));
  }

  static void addList(DiffSection &Section, std::string Head,
                      llvm::ArrayRef<const NativeFunction *> Functions) {
    if (Functions.empty())
      return;
    DiffItem Item{std::move(Head), counted(Functions.size(), "operator"), {}, {}, {}};
    for (const NativeFunction *F : Functions)
      Item.Names.push_back(nameOf(*F));
    Section.Items.push_back(std::move(Item));
  }

  //===-- operators ----------------------------------------------------------===//

  void addGone() {
    DiffSection Section{"Replace", "removed operators", {}};
    std::vector<const NativeFunction *> Generated;
    for (const NativeFunction *F : Diff.Gone) {
      if (F->Generated)
        Generated.push_back(F);
      else
        Section.Items.push_back({nameOf(*F), place(F->SchemaText.At, OldFiles), {}, {}, {}});
    }
    addList(Section, "generated by autogen", Generated);
    add(std::move(Section));
  }

  DiffItem itemOf(const OperatorChange &C) const {
    DiffItem Item{nameOf(*C.Old), C.Breaks.str(), {}, {}, {}};
    for (const Change &Each : C.Changes)
      if (!Choice.OnlyBreaking || Each.Is < ChangeKind::Autogen)
        Item.Lines.push_back(lineOf(Each));
    if (!(C.Old->Schema == C.New->Schema))
      Item.Pairs.push_back({"schema", C.Old->Schema.str(), C.New->Schema.str()});
    for (const SignatureChange &S : C.Signatures)
      if (isForPeople(S))
        Item.Pairs.push_back({S.Convention.str(), S.From, S.To});
    return Item;
  }

  void addRenamed() {
    DiffSection Section{"Use the new name", "renamed operators", {}};
    for (const OperatorChange &C : Diff.Changed) {
      if (!C.Renamed)
        continue;
      DiffItem Item = itemOf(C);
      Item.Head += " => " + nameOf(*C.New);
      bool IsCertain = *C.Renamed == RenameVerifier::SharedKernel;
      Item.Remark = toString(*C.Renamed).str() + ": the same schema" +
                    (IsCertain ? " and kernel" : "; no other operator has this schema");
      Item.Pairs.clear();
      Section.Items.push_back(std::move(Item));
    }
    add(std::move(Section));
  }

  /// All that changed, as a key of a list of operators.
  static std::string allFolded(const OperatorChange &C) {
    std::vector<std::string> Texts;
    for (const Change &Each : C.Changes)
      if (std::string Text = foldedText(Each);
          Each.Is < ChangeKind::Autogen && !llvm::is_contained(Texts, Text))
        Texts.push_back(std::move(Text));
    return llvm::join(Texts, "; ") + "\n" + C.Breaks.str();
  }

  /// A section for each thing to do; each operator is in the first one that it belongs to, and its
  /// remark has the others.
  void addBreaking() {
    addBreaking({"Change your kernels", "their signatures or alias annotations changed", {}},
                [](const Impact &I) { return I.Kernels; });
    addBreaking({"Add a kernel", "PyTorch no longer has one for your backend", {}},
                [](const Impact &I) { return !I.Kernels && I.Backends; });
    addBreaking({"Change your calls", "existing calls may no longer compile or run", {}},
                [](const Impact &I) { return !I.Kernels && !I.Backends && I.any(); });
  }

  /// Operators that change alike stand together, at the first one's place.
  void addBreaking(DiffSection Section, llvm::function_ref<bool(const Impact &)> Belongs) {
    std::map<std::string, std::vector<const OperatorChange *>> Alike;
    for (const OperatorChange &C : Diff.Changed)
      if (!C.Renamed && Belongs(C.Breaks))
        Alike[allFolded(C)].push_back(&C);
    llvm::StringSet<> Done;
    for (const OperatorChange &C : Diff.Changed) {
      if (C.Renamed || !Belongs(C.Breaks))
        continue;
      std::string Key = allFolded(C);
      const auto &Group = Alike[Key];
      if (Group.size() < FewestInList) {
        Section.Items.push_back(itemOf(C));
      } else if (Done.insert(Key).second) {
        DiffItem Item{llvm::StringRef(Key).split('\n').first.str(),
                      counted(Group.size(), "operator") + "; breaks " + C.Breaks.str(),
                      {},
                      {},
                      {}};
        for (const OperatorChange *Each : Group)
          Item.Names.push_back(nameOf(*Each->Old));
        Section.Items.push_back(std::move(Item));
      }
    }
    llvm::stable_sort(Section.Items, [](const DiffItem &L, const DiffItem &R) {
      return !L.Names.empty() < !R.Names.empty();
    });
    add(std::move(Section));
  }

  /// By what changed: an operator may stand in several lists.
  void addOthers() {
    DiffSection Section{"Nothing to do", "changes that break nothing", {}};
    std::map<std::pair<ChangeKind, std::string>, DiffItem> Items;
    for (const OperatorChange &C : Diff.Changed) {
      for (const Change &Each : C.Changes) {
        if ((C.Breaks.any() || C.Renamed) && Each.Is < ChangeKind::Autogen)
          continue;
        std::string Text = foldedText(Each);
        DiffItem &Item = Items[{Each.Is, Text}];
        Item.Head = Text;
        if (!llvm::is_contained(Item.Names, nameOf(*C.New)))
          Item.Names.push_back(nameOf(*C.New));
      }
    }
    for (auto &[Key, Item] : Items) {
      Item.Remark = counted(Item.Names.size(), "operator");
      Section.Items.push_back(std::move(Item));
    }
    add(std::move(Section));
  }

  void addAdded() {
    DiffSection Section{"New operators", "use them, or add kernels", {}};
    std::vector<const NativeFunction *> WithDefault, Without, Generated;
    for (const NativeFunction *F : Diff.Added)
      (F->Generated ? Generated : hasDefaultKernel(*F) ? WithDefault : Without).push_back(F);
    addList(Section, "PyTorch has a default kernel", WithDefault);
    addList(Section, "each backend needs its own kernel", Without);
    addList(Section, "generated by autogen", Generated);
    add(std::move(Section));
  }

  void addDeprecations() {
    DiffSection Section{"Deprecated Python signatures", "of deprecated.yaml", {}};
    for (const DeprecationChange &C : Diff.Deprecations)
      if (!C.IsNew || !Choice.OnlyBreaking)
        Section.Items.push_back({C.Schema, C.IsNew ? "new" : "removed", {}, {}, {}});
    add(std::move(Section));
  }

  std::string counts() const {
    if (Diff.empty())
      return "no differences: " + counted(Diff.Unchanged, "operator") + " compared";
    std::vector<std::string> Parts;
    for (const DiffCount &C : diffCounts(Outcome))
      Parts.push_back(std::to_string(C.Count) + " " + (C.Count == 1 ? C.One : C.Many).str());
    return llvm::join(Parts, ", ");
  }

  const DiffOutcome &Outcome;
  const ReleaseDiff &Diff;
  const DiffChoice &Choice;
  const SourceFiles &OldFiles, &NewFiles;
  DiffReport Out;
};

} // namespace

DiffReport makeReport(const DiffOutcome &Outcome, const DiffChoice &Choice) {
  return ReportMaker(Outcome, Choice).make();
}

std::vector<DiffCount> diffCounts(const DiffOutcome &Outcome) {
  const ReleaseDiff &Diff = Outcome.Release;
  auto IsRenamed = [](const OperatorChange &C) { return C.Renamed.has_value(); };
  size_t Renamed = llvm::count_if(Diff.Changed, IsRenamed);
  size_t Breaking = llvm::count_if(
      Diff.Changed, [&](const OperatorChange &C) { return !IsRenamed(C) && C.Breaks.any(); });
  std::vector<DiffCount> Out;
  auto Add = [&](llvm::StringRef Id, llvm::StringRef One, llvm::StringRef Many, size_t Count) {
    Out.push_back({Id, One, Many, Count});
  };
  auto AddState = [&](llvm::StringRef Id, llvm::StringRef Words, size_t Count) {
    Add(Id, Words, Words, Count);
  };
  AddState("gone", "removed", Diff.Gone.size());
  AddState("renamed", "renamed", Renamed);
  Add("breaking", "breaking change", "breaking changes", Breaking);
  Add("other", "harmless change", "harmless changes", Diff.Changed.size() - Renamed - Breaking);
  AddState("added", "new", Diff.Added.size());
  AddState("unchanged", "the same", Diff.Unchanged);
  size_t Entries = 0;
  for (const BackendDiff &B : Outcome.Backends)
    Entries += B.Entries.size();
  if (!Outcome.Backends.empty())
    Add("backend_entries", "change to backend entries", "changes to backend entries", Entries);
  if (Outcome.Kernels) {
    Add("kernel_findings", "finding in kernels", "findings in kernels",
        Outcome.Kernels->Changed.size());
    Add("orphaned_kernels", "kernel of a removed or renamed operator",
        "kernels of removed or renamed operators", Outcome.Kernels->Orphaned.size());
    Add("upgrades", "use of a removed or deprecated C++ API",
        "uses of removed or deprecated C++ APIs", Outcome.Upgrades.size());
  }
  return Out;
}

} // namespace opsig
