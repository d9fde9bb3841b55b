//===- ParseInternal.h - The steps from a file to its AST -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile command + file system with stub headers for missing ones => Clang AST => UnitFacts
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_PARSEINTERNAL_H
#define OPSIG_LIB_FRONTEND_PARSE_PARSEINTERNAL_H

#include "opsig/Frontend/NoteText.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <set>

namespace clang {
class CompilerInvocation;
class Decl;
class FunctionDecl;
} // namespace clang

namespace llvm::vfs {
class FileSystem;
}

namespace opsig {

class FileTrace;
class SharedPchFit;

/// The real files, under the in-memory ones, with a folder FallbackDir in which any path that ends
/// in the name of a fallback header is that header. What is asked of the real files goes to
/// \p Trace, which may be null.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const ParseOptions &Options,
                                                               FileTrace *Trace = nullptr);
/// \p Above, and what it has not of \p Base.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
overlaid(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Above);
inline constexpr llvm::StringLiteral FallbackDir = "/opsig-fallback-headers";

/// What goes along with one parse, each null where nobody wants it.
struct ParseAids {
  ClangMessages *Messages = nullptr;
  FileTrace *Trace = nullptr;
  /// Headers that have been read, and at the end whether they made no difference.
  SharedPchFit *SharedPch = nullptr;
  /// Becomes why the run did not come to its end; "" where it did.
  std::string *WhyUnread = nullptr;
  /// The flags are what another reading of the file has found out, and nothing more is tried.
  bool Again = false;
  /// CPU seconds in function bodies are added to it.
  double *Bodies = nullptr;
};
UnitFacts parseKernels(const ParseJob &Job, const ParseOptions &Options, const NoteText &Note,
                       const ParseAids &Aids);

/// What \p Job compiles with \p Flags, which go before others.
ParseJob withFlags(ParseJob Job, llvm::ArrayRef<std::string> Flags);

struct SkippedRegistrations;
/// Fills OtherBranches of \p Unit, which was read of \p Job: reads the file once more with the
/// flags of \p Skipped, and takes what is not seen then from its text.
void readOtherBranches(const ParseJob &Job, const ParseOptions &Options, FileTrace *Trace,
                       SkippedRegistrations Skipped, UnitFacts &Unit);

/// Takes out all that would write a file, load one that is no text, or run foreign code.
void keepReading(clang::CompilerInvocation &Invocation);

/// Fills a ClangMessages, and says which bodies it needs for that.
class MessageReader {
public:
  explicit MessageReader(ClangMessages &Out)
      : Out(Out), Named(Out.Named.begin(), Out.Named.end()) {}

  /// Takes in an error, or a note on one. True if it says nothing of any declaration: it is in the
  /// body \p Current, which is read for this alone.
  bool add(clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info,
           const clang::FunctionDecl *Current);
  /// \p D is about to be skipped: whether it has one of the names, or uses one.
  bool wantsBody(const clang::Decl &D);

private:
  bool isOwnBody(const clang::FunctionDecl *F) const;

  ClangMessages &Out;
  std::set<std::string, std::less<>> Named;
  std::set<const clang::Decl *> Own;
  bool LastIsError = false;
};

/// Lets crashes in llvm::CrashRecoveryContext be survived, in threads that have a stack for signals
/// also those of a full stack. Has to be called once; true.
bool recoverFromCrashes();

} // namespace opsig

#endif
