//===- HeaderTokens.h - Which tokens headers have in one reading ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a reading => per file: the hash of its tokens, each time that it is entered
//
// A shared precompiled header was read in another place than its files include it. Where each of
// its headers has the same tokens there and here, it says the same.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_HEADERTOKENS_H
#define OPSIG_LIB_FRONTEND_PARSE_HEADERTOKENS_H

#include "Parse/FileTrace.h"
#include "opsig/Frontend/Parse.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <map>
#include <optional>

namespace clang {
class Preprocessor;
class Token;
} // namespace clang

namespace opsig {

/// Of each file, sorted, each once. A time when it has none does not count: most headers are
/// guarded, and have none from the second time on.
using HeaderTokens = std::map<llvm::sys::fs::UniqueID, std::vector<uint64_t>>;

/// Fills a HeaderTokens. Who watches the tokens of the preprocessor hands them over.
class HeaderTokenWatch : public clang::PPCallbacks {
public:
  HeaderTokenWatch(clang::Preprocessor &PP, HeaderTokens &Out) : PP(PP), Out(Out) {}

  void add(const clang::Token &Tok);

  void LexedFileChanged(clang::FileID File, LexedFileChangeReason Why,
                        clang::SrcMgr::CharacteristicKind, clang::FileID,
                        clang::SourceLocation) override;
  void InclusionDirective(clang::SourceLocation, const clang::Token &, llvm::StringRef Name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override;
  bool FileNotFound(llvm::StringRef) override { return true; }

private:
  struct Entry {
    std::optional<llvm::sys::fs::UniqueID> File;
    uint64_t Hash = 0;
    bool HasTokens = false;
  };
  void mix(uint64_t Value);
  void leave();

  clang::Preprocessor &PP;
  HeaderTokens &Out;
  std::vector<Entry> Within;
};

/// Makes the watch of \p PP, and hands all tokens to it.
std::unique_ptr<HeaderTokenWatch> watchHeaderTokens(clang::Preprocessor &PP, HeaderTokens &Out);

/// The text of a file up to the end of the line that may be its last #include, with all that may
/// look like one. What follows includes nothing, so that it makes no difference to any header.
llvm::StringRef textUpToIncludes(llvm::StringRef Text);

/// What an answer of haveSameTokens() depends on, besides the command.
struct ComparedFile {
  explicit ComparedFile(FileStates &States) : Trace(States) {}
  /// All files but the rest of this one.
  FileTrace Trace;
  /// textUpToIncludes(); none where the file includes itself, so that all of it counts.
  std::optional<std::string> Text = std::nullopt;
};

/// Whether the files of \p Of have the same tokens where \p Job is read by itself. Needs the
/// preprocessor alone. Fills \p Compared, if any.
bool haveSameTokens(const ParseJob &Job, const ParseOptions &Options, const HeaderTokens &Of,
                    ComparedFile *Compared = nullptr);

} // namespace opsig

#endif
