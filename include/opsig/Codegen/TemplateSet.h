//===- TemplateSet.h - The template files of a run --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// template files (PyTorch's, the user's or opsig's own) x values => text, once their holes are
// checked
//
// PyTorch keeps the frames of its generated files in template files, and backends replace them.
// opsig takes whichever it is given, so what a template asks for is checked before anything is made
// from it.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_TEMPLATESET_H
#define OPSIG_CODEGEN_TEMPLATESET_H

#include "opsig/Dialect/Dialect.h"
#include "opsig/Support/CodeTemplate.h"
#include "opsig/Support/Finding.h"

namespace opsig {

/// Where templates come from.
enum class TemplateOrigin : uint8_t {
  /// Files as PyTorch ships them, or written in their place: comments are those of its generator.
  Files,
  /// opsig's own.
  Embedded,
};

/// Template files by name. Their text is in a SourceFiles, in which it has "\n" line ends only.
class TemplateSet {
public:
  TemplateSet(TemplateOrigin Origin, const SourceFiles &Files) : Origin(Origin), Files(&Files) {}

  void add(llvm::StringRef Name, SourceId File);

  TemplateOrigin origin() const { return Origin; }

  /// What fills a template.
  struct Filling {
    llvm::ArrayRef<TemplateValue> Values;
    /// The holes that the template must have.
    llvm::ArrayRef<llvm::StringRef> Required;
    const Dialect &D;
  };

  /// Appends template \p Name to \p To. Instead it reports one that was not added, every hole that
  /// has no value and every required one that the template lacks; then the result is false.
  bool print(llvm::StringRef Name, std::string &To, const Filling &With, Findings &Diags) const;

private:
  struct Entry {
    SourceId File;
    CodeTemplate Template;
  };

  TemplateOrigin Origin;
  const SourceFiles *Files;
  llvm::StringMap<Entry> ByName;
};

/// opsig's own templates, small and sufficient for an out-of-tree backend: name and text of each.
struct EmbeddedTemplate {
  llvm::StringLiteral Name;
  llvm::StringLiteral Text;
};
llvm::ArrayRef<EmbeddedTemplate> embeddedTemplates();

} // namespace opsig

#endif
