//===- CodeAnswers.h - What an editor shows of registrations ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CodeIndex x a position in a file => CodeTarget: the operator, key or kernel that stands there
//   => hover text, definitions, references
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_CODEANSWERS_H
#define OPSIG_EDITOR_CODEANSWERS_H

#include "opsig/Editor/CodeIndex.h"
#include <functional>

namespace opsig {

/// The files of a workspace as an editor sees them: an open buffer goes before what is on disk.
/// Null for what cannot be read.
using TextOfPath = std::function<std::shared_ptr<const std::string>(llvm::StringRef Path)>;

/// A place in a file that is asked about.
struct CodePlace {
  std::string Path;  ///< absolute
  size_t Offset = 0; ///< into its text now
};

struct CodeTarget {
  enum Kind : uint8_t {
    Nothing,     ///< which is somebody else's business
    Operator,    ///< its name in a registration, or the schema behind it
    Key,         ///< the dispatch key of a block
    Namespace,   ///< of a block
    Kernel,      ///< what is given to a registration
    Declaration, ///< the name in a declaration of a kernel
    Use,         ///< `torch.ops.ns.add` in Python code
  } Is = Nothing;
  /// Of Operator and Kernel.
  const EntryRef *Entry = nullptr;
  /// Of Key and Namespace.
  const RegistrationBlock *Block = nullptr;
  std::string Name; ///< of Key and Namespace
  /// "ns::add.out", each once: of a kernel all that it serves.
  std::vector<std::string> Ops;
  /// Where schemas list the kernel (Declaration).
  std::vector<const ExpectedKernel *> Listed;
  const LoadedSchemas *Schemas = nullptr; ///< those of Listed
  /// What is pointed at, in the text now.
  FileSpan At;

  /// clangd has something to say of it, too.
  bool isShared() const { return Is == Kernel || Is == Declaration; }
  explicit operator bool() const { return Is != Nothing; }
};

/// Answers from what was read, for the texts that there are now.
class CodeAnswers {
public:
  CodeAnswers(const CodeIndex &Index, TextOfPath Texts) : Index(Index), Texts(std::move(Texts)) {}

  CodeTarget targetAt(const CodePlace &At) const;
  /// What stands there in Python code: also an operator that is used by its name in torch.ops.
  CodeTarget pythonTargetAt(const CodePlace &At) const;
  /// \p Markdown: for who shows that. "" where there is nothing to say.
  std::string hover(const CodeTarget &Target, bool Markdown) const;
  /// m.impl => m.def => kernels, or the line of the YAML; a kernel's declaration => what lists or
  /// registers it.
  std::vector<FileSpan> definitions(const CodeTarget &Target) const;
  /// The kernels of an operator.
  std::vector<FileSpan> implementations(const CodeTarget &Target) const;
  /// All registrations and lines of YAML files; each once.
  std::vector<FileSpan> references(const CodeTarget &Target) const;

  /// Where what was read stands now; where it was changed, about there.
  FileSpan now(FileSpan Then) const;
  /// The text that \p Path had when it was read.
  std::shared_ptr<const std::string> textThen(llvm::StringRef Path) const;

private:
  std::optional<CodeTarget> entryAt(const EntryRef &E, llvm::StringRef Path, size_t Then) const;
  std::optional<CodeTarget> blockAt(const SourceFacts &From, const RegistrationBlock &Block,
                                    llvm::StringRef Path, size_t Then) const;
  std::optional<CodeTarget> declarationAt(const SourceFacts &From, llvm::StringRef Path,
                                          size_t Then) const;
  std::vector<std::string> overloadsOf(llvm::StringRef Op) const;
  CodeTarget declared(const SourceFacts &From, const KernelDecl &Decl, FileSpan At) const;
  std::vector<FileSpan> registrationsOf(llvm::StringRef Op) const;
  std::vector<FileSpan> linesOf(const NativeFunction &F, const LoadedSchemas &In) const;
  std::string shownPlace(const FileSpan &At) const;
  void describeOp(llvm::StringRef Op, bool Markdown, std::string &Out) const;

  const CodeIndex &Index;
  TextOfPath Texts;
};

/// A place of \p Files as a stretch of bytes.
FileSpan spanOf(const Place &At, const SourceFiles &Files);

} // namespace opsig

#endif
