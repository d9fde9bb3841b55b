//===- SharedPch.h - Headers that many files include, read once ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file => (scan, headers of others empty) ScannedIncludes   (Scan.cpp)
// all headers of several files => (preprocessor alone) IncludeGraph
// some of them => SharedPch: their AST, without bodies      (MakeSharedPch.cpp)
// file x SharedPch => its AST, and whether that is the same as without (SharedPchWatch.cpp)
//
// A shared precompiled header holds headers that its files include anyway, and none of the project.
// They come before the file instead of where they are included. This makes no difference unless
// the text in front of an #include defines what the headers ask for, or asks for what they define:
// then the watch says that the header does not fit. Files of others are trusted to include what
// they need.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_SHAREDPCH_H
#define OPSIG_LIB_FRONTEND_PARSE_SHAREDPCH_H

#include "Parse/FileTrace.h"
#include "Parse/HeaderTokens.h"
#include "opsig/Frontend/Parse.h"
#include "clang/Basic/FileEntry.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>

namespace clang {
class FileManager;
class Preprocessor;
} // namespace clang

namespace opsig {

/// `#include <name>` or `#include "name"`.
struct IncludeSpelling {
  std::string Name;
  bool Angled = false;
  std::string directive() const {
    return "#include " + (Angled ? "<" + Name + ">" : "\"" + Name + "\"") + "\n";
  }
};

/// A macro that a file defines before all of its includes.
struct LeadingMacro {
  std::string Name;
  std::string Text; ///< "NAME", "NAME value", "NAME(x) value" as written
  friend bool operator==(const LeadingMacro &, const LeadingMacro &) = default;
};

/// What a file and the headers of its project include of others.
struct ScannedIncludes {
  struct Header {
    IncludeSpelling As;
    llvm::sys::fs::UniqueID Id;
  };
  std::vector<Header> Headers; ///< in order, each once
  std::vector<LeadingMacro> Macros;
};
/// None where the command cannot be used, or includes something by itself. What foreign headers
/// define is not known, so that conditions may be decided wrongly: good for a plan only. \p
/// WhyUnread becomes the reason if the file is given up.
std::optional<ScannedIncludes> scanIncludes(const ParseJob &Job, const ParseOptions &Options,
                                            std::string *WhyUnread = nullptr);

/// Which headers include which.
struct IncludeGraph {
  struct File {
    std::string Name; ///< absolute
    llvm::sys::fs::UniqueID Id;
    uint64_t Size = 0;
    IncludeSpelling As;
    bool Reachable = false; ///< from anywhere, if it is spelled as in As
    bool Lacks = false;     ///< an include of its own was not found
    std::vector<uint32_t> Includes;
    /// Of each of Includes, which of SharedPch::TorchFolders it was found in, from 1 on; 0 for
    /// none. Of a shared precompiled header only.
    std::vector<uint32_t> FoundIn = {};
  };
  std::vector<File> Files; ///< in the order in which they were included first
  std::map<llvm::sys::fs::UniqueID, uint32_t> Indices;
  /// Hashes of all identifiers that the preprocessor has met, sorted.
  std::vector<uint64_t> Words;
  /// Of those that macros have pasted together, which need not stand in any file.
  std::vector<uint64_t> Pasted;

  std::optional<uint32_t> find(const llvm::sys::fs::UniqueID &Id) const;
  uint32_t add(clang::FileEntryRef File, clang::FileManager &Files);
  /// Adds \p From and all that it includes to \p Reached.
  void reach(uint32_t From, llvm::BitVector &Reached) const;
  bool hasWord(llvm::StringRef Word) const;
  bool wasPasted(llvm::StringRef Word) const;
};
/// Of \p Text, compiled as \p Job is. None where it cannot be preprocessed.
std::optional<IncludeGraph> includeGraph(const ParseJob &Job, const ParseOptions &Options,
                                         llvm::StringRef Text);

struct SharedPch {
  std::string Key;
  std::vector<LeadingMacro> Macros;
  /// Sets of macros that may be there besides: with each of them the headers are the same.
  std::vector<std::vector<LeadingMacro>> Harmless;
  IncludeGraph Headers;
  /// Which lines of the headers conditions left in; not kept.
  std::string Lines;
  std::vector<std::string> TorchFolders;
  /// Of the headers, for those who outlive the rest.
  std::shared_ptr<const HeaderTokens> Tokens = std::make_shared<HeaderTokens>();
  std::string Trace; ///< as FileTrace::write() made it
  /// Keeps Ast.
  std::shared_ptr<void> Memory;
  llvm::StringRef Ast;
  /// Of the entry of the cache that holds Ast, where it is from there.
  std::string AstSeal;
  /// Has Ast as a file for all readings: to add it takes as long as to hash all of it.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = nullptr;

  void setAst(llvm::StringRef Bytes, std::shared_ptr<void> Keeper);
};
/// What a shared precompiled header is made of, and which macros may make no difference to it.
struct SharedPchText {
  llvm::ArrayRef<LeadingMacro> Macros;
  llvm::ArrayRef<IncludeSpelling> Headers;
  std::vector<std::vector<LeadingMacro>> MaybeHarmless = {};
};
/// Reads the headers, compiled as \p Job is, in front of which are the macros. None where they
/// cannot be read without an error.
std::optional<SharedPch> makeSharedPch(const ParseJob &Job, const ParseOptions &Options,
                                       const SharedPchText &Of, FileStates &States);

/// Without the AST, which has a file of its own.
std::string sharedPchToText(const SharedPch &P, llvm::StringRef AstSeal, const MovablePaths &Paths);
/// None where it is damaged, or a header is not as it was.
std::optional<SharedPch> sharedPchFromText(llvm::StringRef Text, FileStates &States,
                                           const FileTrace::Question &IsProjectFile);

} // namespace opsig

#endif
