//===- VerifiedEdits.h - Edits that leave nothing worse ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// propose what is not banned => edited texts => read again => errors and findings that are new
//   => edits that are to blame => ban => propose again ... => texts that are verified
//
// The loop is here. An EditPolicy knows which edits there are, who reads the texts, and which edit
// is to blame.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_VERIFIEDEDITS_H
#define OPSIG_EDIT_VERIFIEDEDITS_H

#include "opsig/Edit/Proof.h"
#include "llvm/Support/Error.h"

namespace opsig {

/// A file that changes.
struct EditedFileText {
  std::string Name;
  std::string Before, Now;
  clang::tooling::Replacements Changes;
};

class EditSet;
/// The files of \p Edits, in its order.
std::vector<EditedFileText> editedTexts(const EditSet &Edits, const SourceFiles &Files);

/// The edited files of one round, and the way back to what they were.
class EditedTexts {
public:
  EditedTexts() = default;
  EditedTexts(std::vector<EditedFileText> Files, FileIdentities &Identities);

  llvm::ArrayRef<EditedFileText> files() const { return Files; }
  std::vector<EditedFileText> takeFiles() { return std::move(Files); }
  const EditMaps &maps() const { return Maps; }
  /// For ParseOptions::Buffers.
  std::vector<VirtualFile> buffers() const;
  /// Where \p After, a place in an edited text, was before the edits.
  CodePoint original(CodePoint After) const;

private:
  std::vector<EditedFileText> Files;
  EditMaps Maps;
};

/// What a policy would edit now.
struct EditProposal {
  enum : uint8_t {
    Texts,   ///< they have to be read
    Nothing, ///< no edit is left
    Again,   ///< the policy has banned edits itself and begins again
  } Kind = Texts;
  std::vector<EditedFileText> Files = {};
};

/// What Clang says of one source, without and with the edits.
struct SourceErrors {
  llvm::ArrayRef<ClangMessage> Before, After;
  /// Only without them could it be read.
  bool IsLost = false;
};

/// Why an edit is not made after which Clang would report \p Error. \p With says with what: "" for
/// the headers in use.
std::string newErrorText(const ClangMessage &Error, llvm::StringRef With = "");

/// An error that is there only with the edits.
struct NewError {
  size_t Source; ///< its number in what EditPolicy::read() returned
  const ClangMessage &Error;
  /// Where it is and what its notes point at, before the edits.
  std::vector<CodePoint> Points;
  bool IsLastRound;
};

/// Something that the edits made worse.
struct Regression {
  /// Those that are to blame. The policy numbers its edits.
  std::vector<size_t> Edits;
  std::string Why;
  /// Where, in the text before the edits; "" if that is not known.
  std::string Path = "";
  uint32_t Offset = 0;
};

/// What comes of the reading of a round.
struct Verdict {
  std::vector<Regression> Regressions;
  /// The policy has added an edit that removes an error. No edit is banned then: what else is wrong
  /// may have the same cause.
  bool IsRepaired = false;
};

class EditPolicy {
public:
  virtual ~EditPolicy();

  /// How many times edits are proposed at most.
  virtual unsigned maxRounds() const = 0;
  /// Makes the texts of all edits that are not banned.
  virtual llvm::Expected<EditProposal> propose() = 0;
  /// Reads what \p Texts change. What the result refers to has to stay until the next call.
  virtual llvm::Expected<std::vector<SourceErrors>> read(const EditedTexts &Texts) = 0;
  virtual void blame(const NewError &Error, Verdict &Out) = 0;
  /// The source of this number cannot be read with the edits.
  virtual void blameForLoss(size_t Source, Verdict &Out);
  /// Called where Clang has nothing against the edits: for what else got worse.
  virtual void blameForFindings(const EditedTexts &Texts, Verdict &Out);
  virtual void ban(llvm::ArrayRef<Regression> Regressions) = 0;
  /// The last round had \p Out. Either fails, or adds to \p Out until nothing is left.
  virtual llvm::Error exhausted(Verdict &Out) = 0;
};

/// What is wrong with \p Texts, which are read.
llvm::Expected<Verdict> judgeEdits(EditPolicy &Policy, const EditedTexts &Texts, bool IsLast);

/// Returns the texts that nothing is wrong with; none if no edit is left.
llvm::Expected<EditedTexts> verifyEdits(EditPolicy &Policy, FileIdentities &Identities);

} // namespace opsig

#endif
