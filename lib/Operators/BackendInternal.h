//===- BackendInternal.h - The YAML of a backend -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tree => which layout it has => PyTorch's own (BackendYaml.cpp) or a fork's (ForkYaml.cpp)
//     (its items: ForkItems.cpp) => ExternalBackend
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_OPERATORS_BACKENDINTERNAL_H
#define OPSIG_LIB_OPERATORS_BACKENDINTERNAL_H

#include "FieldReaderInternal.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Operators/Operators.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {

/// Names of operators that a YAML lists, with suggestions for wrong ones.
class OperatorNames {
public:
  explicit OperatorNames(const Operators &Ops) : Ops(Ops), Near(Ops.names()) {}

  /// Reports a name that nobody has under backend-unknown-op.
  const NativeFunction *find(llvm::StringRef Name, const Place &At, Findings &Diags);
  /// "; did you mean 'add.Tensor'?"
  std::string suggestion(llvm::StringRef Name);

private:
  const Operators &Ops;
  OperatorNameIndex Near;
};

/// The key that is called \p Name, if this release has it and external backends may have kernels
/// for it; reports what is wrong at \p At under \p Id.
std::optional<DispatchKey> readBackendKey(llvm::StringRef Name, const Place &At, FindingId Id,
                                          const Operators &Ops, Findings &Diags,
                                          bool MayBeInTree = false);

/// Reports the keys of \p Map that are none of \p Known, with who knows them: "\p What has no field
/// 'custom'; the layout of torch_npu has it".
void reportUnknownFields(const YamlNode &Map, const llvm::Twine &What,
                         llvm::ArrayRef<llvm::StringRef> Known,
                         llvm::ArrayRef<const BackendLayout *> Layouts, Findings &Diags);

/// Reports that \p Field, "backend" or "cpp_namespace", is missing, with an example of it.
void reportMissingField(llvm::StringRef Field, const Place &At, Findings &Diags);

/// Adds one item that could not be used, with all its texts.
void addUnread(UnreadItems &To, const YamlNode &Item);
void addUnread(UnreadItems &To, llvm::StringRef Name);
/// Adds the fields of \p Root that have no use: those that are none of \p Known, and those that an
/// earlier field is called like. A repeated field of \p Head makes the whole file unreadable.
void addUnusedFields(UnreadItems &To, const YamlNode &Root, llvm::ArrayRef<llvm::StringRef> Known,
                     llvm::ArrayRef<llvm::StringRef> Head);
/// \p Diags has errors beyond its first \p Before findings.
bool hasNewErrors(const Findings &Diags, size_t Before);

/// Tells of operators that a section lists again, which no generator minds.
class ListedOnce {
public:
  explicit ListedOnce(Findings &Diags) : Diags(Diags) {}
  void add(llvm::StringRef Name, const Place &At);

private:
  Findings &Diags;
  llvm::StringMap<Place> Seen;
};

/// A layout that is known by a section, and not read.
struct UnreadLayout {
  llvm::StringLiteral Name, Section;
  llvm::StringLiteral Why; ///< what such a file is, and which one to give in its place
};
llvm::ArrayRef<UnreadLayout> unreadLayouts();

/// A name or a schema in a section, with the fields beside it.
struct ForkItem {
  const BackendSection *Section;
  LocatedText Text;
  const YamlNode *Node = nullptr;   ///< all of the item
  const YamlNode *Fields = nullptr; ///< null where the item is a text alone
  const NativeFunction *Function = nullptr;
  bool Wrong = false; ///< an error was reported for it

  llvm::StringRef name() const {
    return Text.Text.take_until([](char C) { return C == '('; });
  }
  /// The value of field \p Name; null where there is none.
  const YamlNode *field(llvm::StringRef Name) const {
    for (size_t I = 0; Fields && I + 1 < Fields->Children.size(); I += 2)
      if (Fields->Children[I]->Text.Text == Name)
        return Fields->Children[I + 1];
    return nullptr;
  }
  /// Field \p Name is there and true.
  bool says(llvm::StringRef Name) const {
    const YamlNode *Node = field(Name);
    return Node && Node->isBool() && Node->boolean();
  }
};

/// The items of all lists, in the order of the layout's sections.
class ForkItems {
public:
  ForkItems(const BackendLayout &Layout, llvm::ArrayRef<const BackendLayout *> Others,
            Findings &Diags)
      : Layout(Layout), Others(Others), Diags(Diags) {}

  void readSection(const BackendSection &Section, llvm::ArrayRef<const YamlNode *> Nodes);

  std::vector<ForkItem> All;
  /// What a list of kernels with SymInt names, and whether it names some that could not be read.
  llvm::StringMap<Place> SymInt;
  bool SymIntUnknown = false;
  UnreadItems Unread;

private:
  void checkFields(const YamlNode &Map);
  bool readMapping(const YamlNode &Map, ForkItem &I);
  bool readNamedMapping(const YamlNode &Map, ForkItem &I);

  const BackendLayout &Layout;
  llvm::ArrayRef<const BackendLayout *> Others;
  Findings &Diags;
};

/// Reads \p Root, which is laid out as \p Layout says. Items with errors are left out.
ExternalBackend readForkYaml(const YamlNode &Root, SourceId File, const BackendLayout &Layout,
                             llvm::ArrayRef<const BackendLayout *> Others, const Operators &Ops,
                             Findings &Diags);

} // namespace opsig

#endif
