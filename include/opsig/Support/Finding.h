//===- Finding.h - What is wrong, where, and how to fix it -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wrong input => Finding (id, level, place, message, notes, fixes) => text | JSON
//
// A finding is plain data. Libraries put findings into a Findings; only a front end prints them.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_FINDING_H
#define OPSIG_SUPPORT_FINDING_H

#include "opsig/Support/SourceText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <functional>
#include <optional>

namespace opsig {

enum class Level : uint8_t { Error, Warning };

/// "error", "warning".
llvm::StringRef levelName(Level L);

/// How certain a finding is that depends on what the code does, not on its declarations.
enum class Confidence : uint8_t {
  Unstated,
  Likely, ///< true on some paths only, or if a value is shared that may be copied
  Certain,
};

/// "likely", "certain"; "" for Unstated.
llvm::StringRef confidenceName(Confidence Sure);

/// Every kind of finding. FindingIds.h has the names; only files that use a name include it.
enum class FindingId : uint16_t;

/// "kernel-signature"; printed as [opsig-kernel-signature].
llvm::StringRef findingName(FindingId Id);
Level findingLevel(FindingId Id);
/// Whether `opsig check --fix` fixes it unless something forbids the edit.
bool isFixable(FindingId Id);
/// The id of that name, without "opsig-".
std::optional<FindingId> findFindingId(llvm::StringRef Name);

/// Ids about one subject, in the table's order.
struct FindingGroup {
  llvm::StringRef Title;
  /// The subcommands that report them: "check, sync".
  llvm::StringRef Commands;
  std::vector<FindingId> Ids;
};
/// All groups; each id is in exactly one.
std::vector<FindingGroup> findingGroups();

/// Replace Length bytes at Offset of File by Text. All fixes of one finding belong together.
struct Fix {
  SourceId File = SourceId::None;
  uint32_t Offset = 0;
  uint32_t Length = 0;
  std::string Text;
  friend bool operator==(const Fix &, const Fix &) = default;
};

struct Note {
  Place At;
  std::string Message;
};

struct Finding {
  FindingId Id;
  Level Severity;
  Place At;
  std::string Message;
  /// The operator: PyTorch's "add.out", "ns::add.out", "::add.out" if the namespace is unknown.
  std::string Op;
  /// What should stand at the place; printed under the caret line.
  std::string Hint;
  std::vector<Note> Notes;
  std::vector<Fix> Fixes;
  Confidence Sure = Confidence::Unstated;

  Finding &note(Place Where, std::string Text);
  Finding &op(llvm::StringRef Name);
};

/// Collects the findings of a run, in the order they were found.
class Findings {
public:
  /// Adds a finding; \p Format is an llvm::formatv format for \p Values.
  /// The reference is valid until the next report.
  template <typename... Ts>
  Finding &report(FindingId Id, Place At, const char *Format, Ts &&...Values) {
    return add(Id, At, llvm::formatv(Format, std::forward<Ts>(Values)...).str());
  }
  Finding &add(FindingId Id, Place At, std::string Message);
  void append(Finding D) { Found.push_back(std::move(D)); }
  /// Sets the operator of each finding from number \p From on that has none yet. Findings with an
  /// operator keep it.
  void setOp(llvm::StringRef Name, size_t From);

  llvm::ArrayRef<Finding> all() const { return Found; }
  bool empty() const { return Found.empty(); }
  size_t numErrors() const;
  bool hasErrors() const { return numErrors() != 0; }
  size_t size() const { return Found.size(); }

  /// Orders by file name, line, column and length (stable) and drops exact repeats.
  void sort(const SourceFiles &Files);

private:
  std::vector<Finding> Found;
};

struct PrintOptions {
  bool Colors = false;
  /// Paths below this folder are printed relative to it; "": paths are printed unchanged.
  std::string Folder = {};
  /// Lines that are too long for a screen (a schema, generated code, binary data) are cut to this
  /// many columns.
  size_t LongestLine = 160;
  /// Returns the address of a check's page, to which its name links; "" for no link.
  std::function<std::string(FindingId)> PageOf = {};
  /// Returns the address of a file, to which its places link; "" for no link.
  std::function<std::string(llvm::StringRef File)> AddressOf = {};

  llvm::StringRef shown(llvm::StringRef File) const {
    llvm::StringRef Below = File;
    bool IsBelow = !Folder.empty() && Below.consume_front(Folder) && Below.consume_front("/");
    return IsBelow ? Below : File;
  }
};

/// Prints in Clang's style: place, level, message, [opsig-id], the source line with a caret, the
/// hint, then the notes.
void printText(llvm::raw_ostream &OS, const Finding &D, const SourceFiles &Files,
               const PrintOptions &Options = {});

/// Prints one JSON object and a newline: id, level, file, line, column, message, op, notes, fixes,
/// and confidence where one is stated.
void printJson(llvm::raw_ostream &OS, const Finding &D, const SourceFiles &Files);

/// The candidate most similar to \p Name, if one is similar enough to be a typo of it.
std::optional<std::string> nearest(llvm::StringRef Name,
                                   llvm::ArrayRef<llvm::StringRef> Candidates);

/// "; did you mean 'X'?" or nothing.
std::string didYouMean(llvm::StringRef Name, llvm::ArrayRef<llvm::StringRef> Candidates);

} // namespace opsig

#endif
