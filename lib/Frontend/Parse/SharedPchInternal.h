//===- SharedPchInternal.h - What scans, shared PCHs and readings share ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_PARSE_SHAREDPCHINTERNAL_H
#define OPSIG_LIB_FRONTEND_PARSE_SHAREDPCHINTERNAL_H

#include "Parse/SharedPch.h"
#include "opsig/Frontend/FromAst.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

namespace clang {
class ASTDeserializationListener;
class CompilerInvocation;
class LangOptions;
class MacroInfo;
} // namespace clang

namespace opsig {

struct ClangRun;

uint64_t wordHash(llvm::StringRef Word);

/// A definition as it is written, from the name on.
std::string macroText(const clang::MacroInfo &Macro, const clang::SourceManager &SM,
                      const clang::LangOptions &Options);

/// Whether files of this command can share a precompiled header. What it includes by itself is part
/// of that.
bool takesSharedPch(clang::CompilerInvocation &Invocation);
/// Lets it read \p Text instead, which has to live as long; false where it cannot share a
/// precompiled header.
bool replaceInput(clang::CompilerInvocation &Invocation, llvm::StringRef Text);

/// Follows the preprocessor. A header that is missing is passed over.
class GraphWriter : public clang::PPCallbacks {
public:
  GraphWriter(clang::Preprocessor &PP, IncludeGraph &Graph) : PP(PP), Graph(Graph) {}

  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &, llvm::StringRef Name,
                          bool Angled, clang::CharSourceRange, clang::OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override;
  bool FileNotFound(llvm::StringRef) override {
    Missed = true;
    return true;
  }
  /// Takes in the words.
  void finish();
  bool missed() const { return Missed; }

private:
  clang::Preprocessor &PP;
  IncludeGraph &Graph;
  bool Missed = false;
};

/// Which files a preprocessor enters, and which of their lines it leaves out.
class ReadLines {
public:
  void add(llvm::StringRef Part);
  std::string hash() const;

private:
  llvm::MD5 Hash;
};

class LineWatch : public clang::PPCallbacks {
public:
  LineWatch(clang::Preprocessor &PP, ReadLines &Lines) : PP(PP), Lines(Lines) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token &, llvm::StringRef Name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef File, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override;
  void SourceRangeSkipped(clang::SourceRange Range, clang::SourceLocation) override;
  bool FileNotFound(llvm::StringRef) override { return true; }

private:
  clang::Preprocessor &PP;
  ReadLines &Lines;
};

/// Whether the tokens of \p Text, of which \p P was made, are the same with \p More in front. What
/// is asked of files for that goes to \p Trace.
bool makeNoDifference(const ParseJob &Job, const ParseOptions &Options,
                      llvm::ArrayRef<LeadingMacro> More, llvm::StringRef Text, const SharedPch &P,
                      FileTrace &Trace);

/// Whether a reading with a shared precompiled header is what it would be without.
class SharedPchFit {
public:
  SharedPchFit(const SharedPch &P) : P(P), Reached(P.Headers.Files.size()) {}

  /// So far, and at the end with \p Whole.
  bool fits() const { return Good; }
  void misfit(const llvm::Twine &Why) {
    if (Good)
      WhyNot = Why.str();
    Good = false;
  }
  /// Of the first thing that does not fit; "" where all does.
  const std::string &whyNot() const { return WhyNot; }
  /// The name of a shared header, without its folders.
  llvm::StringRef nameOf(uint32_t Header) const {
    return llvm::sys::path::filename(P.Headers.Files[Header].Name);
  }
  /// What the file did not include by its end it never sees.
  bool fitsWhole() const { return Good && Reached.all(); }

  /// Text may still come in front of a header that is shared.
  bool isBefore() const { return !Reached.all(); }
  const SharedPch &sharedPch() const { return P; }
  void include(uint32_t Header, clang::SourceLocation At) {
    LastInclude = At;
    noteFolders(Header, Reached);
    P.Headers.reach(Header, Reached);
  }
  /// Where the headers of PyTorch were found that have come since the last call, in the order in
  /// which the file would have found them.
  std::vector<std::string> takeFolders() { return std::exchange(Folders, {}); }
  /// Notes whether the headers may have seen one of \p TopLevel, which the project declares in
  /// front of one of them.
  void noteDecls(llvm::ArrayRef<clang::Decl *> TopLevel, const clang::SourceManager &SM);
  /// They have not: the file says the same without, if the tokens of the headers are the same.
  bool isToldByTokens() const { return !SeesProject; }
  bool isReached(uint32_t Header) const { return Reached.test(Header); }
  /// Those that \p Header would include for the first time, itself among them.
  llvm::BitVector newWith(uint32_t Header) const {
    llvm::BitVector New(Reached.size());
    P.Headers.reach(Header, New);
    return New.reset(Reached);
  }

private:
  void noteFolders(uint32_t Header, llvm::BitVector Seen);

  const SharedPch &P;
  llvm::BitVector Reached;
  std::vector<std::string> Folders;
  /// The directive that was the last to bring a header.
  clang::SourceLocation LastInclude;
  bool SeesProject = false;
  bool Good = true;
  std::string WhyNot;
};

/// Lets \p Run begin with \p P, which has to live as long.
void loadSharedPch(const SharedPch &P, ClangRun &Run);

/// Watches a reading with the shared precompiled header of \p Fit.
std::unique_ptr<clang::PPCallbacks> watchSharedPch(clang::Preprocessor &PP, ProjectPlaces &Project,
                                                   SharedPchFit &Fit,
                                                   clang::ASTDeserializationListener *&Listener);

} // namespace opsig

#endif
