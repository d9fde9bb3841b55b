//===- MarkedYaml.h - YAML with its diagnostics written into it -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// marked text => (marks taken out) files => loaded in every measured dialect => diagnostics ==
// marks
//
// A mark stands below the line that it is about:
//
//   - func: f(Tensor self) -> Tensor
//     varaints: function
//     ^~~~~~~~ has no field 'varaints'; did you mean 'variants'? [opsig-unknown-field]
//
// It shows the place with its length, a part of the message and the id. After the id may follow
//   in 1.13, 2.1 to 2.3, 2.6 on
//                   the dialects that report it; without this all do. In a dialect without marks
//                   the text must be accepted.
//   (stricter: WHY) torchgen's own loading accepts the text; WHY says why opsig does not.
//
// "--- tags.yaml" and "--- backend.yaml" begin another file. Without tags.yaml a usual one serves;
// a text with nothing but a backend.yaml has the operators of backendOperators().
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TEST_UNIT_OPERATORS_MARKEDYAML_H
#define OPSIG_TEST_UNIT_OPERATORS_MARKEDYAML_H

#include "opsig/Operators/Operators.h"

namespace opsig::test {

/// The dialects that were compared with a release's own generator, oldest first.
std::vector<const Dialect *> measuredDialects();
const Dialect &dialect(llvm::StringRef Name);

/// The tags.yaml of a text without one.
const char *usualTags();
const char *backendOperators();

/// What the marks of \p Marked say is exactly what loading it reports, in every measured dialect.
/// Where OPSIG_DUMP_CASES names a file, the cases are also appended to it, one JSON object a line,
/// for a judge: name, dialect, native, tags, backend, marks, stricter.
void expectFindings(llvm::StringRef Marked);

/// The files of a test, loaded.
struct Loaded {
  SourceFiles Files;
  Findings Diags;
  std::unique_ptr<Operators> Ops;
  std::optional<ExternalBackend> Backend;

  Loaded(llvm::StringRef Native, const Dialect &D, llvm::StringRef Tags = usualTags(),
         const LoadOptions &Options = {});
  void loadBackendYaml(llvm::StringRef Text);
  /// What was found, as a user sees it, in file order.
  std::string printed();
};

/// Loads a text that has no errors; the test fails if it has.
std::unique_ptr<Loaded> load(llvm::StringRef Native, const Dialect &D,
                             llvm::StringRef Tags = usualTags(), const LoadOptions &Options = {});

} // namespace opsig::test

#endif
