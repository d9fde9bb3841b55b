//===- Dialect.h - What differs between PyTorch releases, as data -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// version => Dialect (traits of ten kinds) => consulted by Operators, Signature and Codegen
//
// A spelling that differs is a string, a shape that differs is an enum, an output that exists or
// not is a bool. There is no logic here, and nothing outside this library names a version. Text
// that names nothing is not here either: the trait says which text, and its printer has both.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_DIALECT_DIALECT_H
#define OPSIG_DIALECT_DIALECT_H

#include "opsig/Dialect/KeyTraits.h"
#include "opsig/Dialect/SchemaTraits.h"
#include "opsig/Dialect/SpellingTraits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VersionTuple.h"
#include <memory>
#include <optional>

namespace opsig {

struct AtenTraits;
struct DispatchTableTraits;
struct FunctionalizationTraits;
struct LibraryTraits;
struct OutputTraits;
struct PythonTraits;
struct ShimTraits;

/// How well a dialect is known.
enum class DialectStanding : uint8_t {
  /// Every signature and file was compared with the release's own generator.
  Verified,
  /// Put together from recorded turning points between two measured releases.
  Extrapolated,
};

/// What one release accepts and prints. A copy may be given other lists; those of the original live
/// as long as the program, those of a copy are their giver's to keep.
struct Dialect {
private:
  /// What few files read, whose headers they include themselves.
  struct RareTraits;
  std::unique_ptr<RareTraits> Rare;

public:
  Dialect();
  Dialect(const Dialect &Other);
  Dialect &operator=(const Dialect &Other);
  ~Dialect();

  llvm::StringRef Name; ///< "major.minor" of the first release it describes
  unsigned Major = 0;
  unsigned Minor = 0;
  DialectStanding Standing = {};
  SchemaTraits Schema = {};
  KeyTraits Keys = {};
  SpellingTraits Spelling = {};
  OutputTraits &Output;
  AtenTraits &Aten;
  FunctionalizationTraits &Functionalization;
  ShimTraits &Shims;
  PythonTraits &Python;
  LibraryTraits &Library;
  DispatchTableTraits &Table;
};

/// All dialects, oldest first.
llvm::ArrayRef<const Dialect *> allDialects();

/// How a version found its dialect.
enum class DialectMatch : uint8_t {
  Exact,
  /// The newest dialect not newer than the version; changes between the two may be missing.
  Older,
  /// The version is newer than all dialects; the newest one serves.
  NewerThanKnown,
  /// The version is older than all dialects; the oldest one serves.
  OlderThanKnown,
};

struct DialectChoice {
  const Dialect *Chosen;
  DialectMatch Match;
};

/// The dialect of a release.
DialectChoice chooseDialect(const llvm::VersionTuple &Version);

/// Parses "2.4", "2.4.1", "v2.4.0a0+git123", "1.13.1+cpu"; nothing if there is no "N.N" at the
/// start.
std::optional<llvm::VersionTuple> parseTorchVersion(llvm::StringRef Text);

} // namespace opsig

#endif
