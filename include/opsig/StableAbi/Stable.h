//===- Stable.h - What a project needs to use libtorch's stable ABI alone -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts { ApiUse*, RegistrationBlock* } x StableNames, what the headers say is stable
//   => StableChange { what, instead of it, since when, how it is rewritten } => findings | edits
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_STABLEABI_STABLE_H
#define OPSIG_STABLEABI_STABLE_H

#include "opsig/Check/InferredSchema.h"
#include "opsig/Frontend/UnitFacts.h"
#include "opsig/Operators/Operators.h"
#include "opsig/Support/Finding.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VersionTuple.h"
#include <functional>
#include <map>
#include <set>

namespace opsig {

/// A name that code of the stable ABI may use.
struct StableName {
  llvm::VersionTuple Since; ///< empty: as long as there has been the ABI
  std::string Header;       ///< as it is included
};

/// What is stable, and from when on.
struct StableNames {
  /// "torch::stable::fill_", "torch::stable::Tensor::dim", "STD_TORCH_CHECK". None where it is not.
  std::function<std::optional<StableName>(llvm::StringRef)> Find;
  /// Whether a function or method of that name can be called with so many arguments.
  std::function<bool(llvm::StringRef, unsigned)> Takes;
  /// Whether code may include this header of PyTorch's.
  std::function<bool(llvm::StringRef)> IsHeader;
  /// Of the release that the code uses; null: what calls them stays.
  const Operators *Ops = nullptr;
  /// What code may need at most.
  std::optional<llvm::VersionTuple> Target;

  bool allows(const StableName &Name) const { return !Target || !(*Target < Name.Since); }
};

struct KnownStableNames {
  StableNames Names;
  /// The oldest target that the headers know.
  llvm::VersionTuple Oldest;
};
/// Of the first folder for headers of PyTorch that one of \p Units includes from. Fails where none
/// does, or that PyTorch has no stable ABI. \p Ops has to live as long.
llvm::Expected<KnownStableNames> stableNamesOf(llvm::ArrayRef<UnitFacts> Units,
                                               const Operators *Ops);

/// A part of what is written: words, or what stands somewhere now, with its own changes.
struct StablePiece {
  std::string Text;
  Span From;
};

/// What is written instead of what stands at At.
struct StableRewrite {
  Span At;
  std::vector<StablePiece> With;
};

/// The definition of a function that rewritten code calls.
struct StableHelper {
  std::string Name, Text;
};

/// One way to do without an unstable name: all of Rewrites or none.
struct RewriteAlternative {
  std::vector<StableRewrite> Rewrites;
  llvm::VersionTuple Since;
  std::set<std::string> Headers;
  std::optional<StableHelper> Helper;
};

struct StableChange {
  enum How : uint8_t {
    Moves,   ///< as it is
    Review,  ///< moves, but somebody has to look at it
    Stays,   ///< there is no rule for it
    NotRead, ///< nobody knows what is in lines that conditions leave out, or in What, a macro
  } Is = Stays;
  FindingId Id = {};
  std::string What;     ///< "at::Tensor::fill_"
  std::string Instead;  ///< "torch::stable::fill_"; "" for nothing
  bool InWords = false; ///< Instead is no code: "the headers that are needed"
  std::string Why;      ///< what is to be looked at, or done by hand
  Span At;
  llvm::VersionTuple Since; ///< of the first way
  /// In the order in which they are tried. None for what stays.
  std::vector<RewriteAlternative> Ways;
  /// Names of functions: all changes that have one of them are made, or none is, in whichever files
  /// they stand.
  std::set<std::string> AtomicGroup;
  /// Where what this changes can be wrong elsewhere: the body in which a parameter is used, by its
  /// name. Of what stays, what stays with it.
  Span AffectedRange;
  std::string ReachName;
};

struct StablePlan {
  /// In the order of files and places.
  std::vector<StableChange> Changes;
  /// By file: headers of stable names that are used already.
  std::map<uint32_t, std::set<std::string>> Kept;
  /// By file: the directives that include PyTorch's headers, and those of them that stay.
  std::map<uint32_t, std::vector<Span>> Unstable, Stable;
  /// Registrations that nobody wrote as such, but a macro, or that could not be read: their blocks
  /// cannot move without them.
  std::vector<Span> Unwritten;
};

/// What a message is about: "'at::Tensor::fill_'".
std::string subjectOf(const StableChange &Change);
/// What is said of a change that is NotRead.
std::string notReadText(const StableChange &Change);
/// How much of its place is marked: of what was not read, the name, or that it begins there.
uint32_t markedLength(const StableChange &Change);

/// What all units together say of the functions that are registered: "demo::f(at::Tensor &, long)".
struct BoxedKernels {
  std::set<std::string> Registered;
  /// Of these, those that a function of the project's was given, which makes a lambda of other
  /// types of each: `with_wide_types(&f)`; only where the types differ as TORCH_BOX wants it.
  std::set<std::string> Wrapped;
  /// Those that some unit defines.
  std::set<std::string> Defined;
  /// Those of which a declaration cannot be changed, or not so; and those of which numbers of any
  /// type cannot be.
  std::set<std::string> Fixed, FixedNumbers;
  /// Those of a PYBIND11_MODULE that becomes operators.
  std::set<std::string> Bound;
  /// Those whose bodies use pybind11 otherwise than to release Python's lock, and those that
  /// release it.
  std::set<std::string> OfPython, Releasing;
  /// One of the latter that is no function of such a module, so that none becomes operators.
  std::string Releaser;
  /// All such modules.
  std::vector<std::pair<const UnitFacts *, const PythonModule *>> Modules;
  /// What the schema of a kernel of a unit has to say of memory. Without it schemas have no marks.
  std::function<SchemaMarks(const UnitFacts &, const RegisteredKernel &)> MarksOf;

  SchemaMarks marks(const UnitFacts &Unit, const RegisteredKernel &Kernel) const {
    return MarksOf ? MarksOf(Unit, Kernel) : SchemaMarks();
  }
};
/// What all \p Units say, which have to live as long.
BoxedKernels boxedKernels(llvm::ArrayRef<UnitFacts> Units);

/// \p Files are opened for what stands in registrations.
StablePlan planStable(const UnitFacts &Unit, const StableNames &Names, SourceFiles &Files,
                      const BoxedKernels &Boxed = {});

/// One finding for each change of \p Plan.
void reportStable(const UnitFacts &Unit, const StablePlan &Plan, SourceFiles &Files,
                  Findings &Diags);

} // namespace opsig

#endif
