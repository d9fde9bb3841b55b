//===- StableInternal.h - From uses to what stands in for them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ApiUse => the row for its name (RuleTable.h; the table: StableRules.cpp), or a rule for what no
//   row can say (CallRules.cpp: methods, functions, operators; FactoryRules.cpp: tensors made from
//   options; DispatchRules.cpp: AT_DISPATCH; SliceRules.cpp: indices in braces; AddressRules.cpp:
//   pointers to tensors; DispatcherRules.cpp: operators that have no function of their own)
//   + RegistrationBlock* (RegistrationRules.cpp), PythonModule* (ModuleInternal.h), their kernels'
//     types (BoxedTypes.cpp)
//   => StableChange* (Plan.cpp) => findings (StableFindings.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_STABLEABI_RULES_STABLEINTERNAL_H
#define OPSIG_LIB_STABLEABI_RULES_STABLEINTERNAL_H

#include "opsig/Frontend/ApiUse.h"
#include "opsig/StableAbi/Stable.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

/// What rules work on.
struct StableContext {
  const UnitFacts &Unit;
  const StableNames &Names;
  SourceFiles &Files;
  StablePlan &Plan;

  /// What stands there, as it is.
  llvm::StringRef text(Span S) const;
  /// \p S with the blanks in front of it and the end of its line, where it has the lines for
  /// itself.
  Span wholeLines(Span S) const;
  /// \p S with the semicolon behind it; none where something else follows.
  std::optional<Span> statement(Span S) const;
};

/// Puts one way together. Names that are written are looked up, so that it is known what they need.
class WayBuilder {
public:
  WayBuilder(const StableContext &Context) : Context(Context) {}

  WayBuilder &at(Span At) {
    Way.Rewrites.push_back({At, {}});
    return *this;
  }
  WayBuilder &text(llvm::StringRef Text) {
    Way.Rewrites.back().With.push_back({Text.str(), {}});
    return *this;
  }
  WayBuilder &from(Span At) {
    Way.Rewrites.back().With.push_back({"", At});
    return *this;
  }
  WayBuilder &pieces(llvm::ArrayRef<StablePiece> Pieces) {
    llvm::append_range(Way.Rewrites.back().With, Pieces);
    return *this;
  }
  /// A stable name, in full.
  WayBuilder &name(llvm::StringRef Name) {
    need(Name);
    return text(Name);
  }
  /// \p Name has to be there, whatever is written.
  WayBuilder &need(llvm::StringRef Name);
  WayBuilder &header(llvm::StringRef Name) {
    Way.Headers.insert(Name.str());
    return *this;
  }
  /// What the names in \p Code need.
  WayBuilder &lookUp(llvm::StringRef Code);
  /// What is inside the brackets; \p With32Bits: as arguments of the class of that type of indices.
  WayBuilder &templateArguments(const ApiUse &Use, bool With32Bits);
  /// StableRule::To, filled with what \p Use has. Names in it are looked up.
  WayBuilder &pattern(llvm::StringRef To, const ApiUse &Use, bool LookUp = true);
  /// An argument for an optional list: what is written as a number or in braces is a vector that
  /// lives as long as the call. A view of it would be made inside of the optional, of what is gone.
  WayBuilder &optionalList(llvm::StringRef Element, const ApiArgument &Given);
  /// One that findHelper() knows.
  WayBuilder &helper(llvm::StringRef Name);
  WayBuilder &helper(StableHelper Helper) {
    Way.Helper = std::move(Helper);
    return *this;
  }

  /// Empty where all that it needs is there.
  const std::string &missing() const { return Missing; }
  RewriteAlternative take() { return std::move(Way); }

private:
  void part(char Letter, const ApiUse &Use);
  void arguments(const ApiUse &Use);

  const StableContext &Context;
  RewriteAlternative Way;
  std::string Missing;
};

/// Whether the namespaces of a full name say that it is stable.
bool isStableName(llvm::StringRef Name);

/// What a change is about, as reports name it.
struct Subject {
  std::string What;
  Span At;
  Subject(llvm::StringRef What, Span At) : What(What), At(At) {}
  Subject(const ApiUse &Use) : Subject(Use.Name, Use.NameAt.isValid() ? Use.NameAt : Use.At) {}
};

StableChange staysAsIs(const Subject &Of, FindingId Id, std::string Why);
/// Moves by \p Way, or stays where that needs what is missing.
StableChange movesBy(const Subject &Of, FindingId Id, llvm::StringRef Instead, WayBuilder Way);
/// The same, where what is written instead is described and not named.
StableChange movesInWords(const Subject &Of, FindingId Id, llvm::StringRef Instead, WayBuilder Way);
/// Adds another way for the case that the first does not work.
void addAlternative(StableChange &Change, WayBuilder Way);

/// Somebody has to look at what moves, if there is a \p Why.
void toBeReviewed(StableChange &Change, std::string Why);

/// What is written several times now has to be looked at where it is more than a name: a call is
/// made as often.
void lookWhereRepeated(StableChange &Change, Span Repeated, const StableContext &Context);

/// Dtype, layout, device and pinned memory behind what is written, up to the last that is said; the
/// first three of \p Like, where that is given and the options do not say them.
void addParts(WayBuilder &Way, const ApiOptions &O, Span Like = {}, llvm::StringRef Dot = ".");

/// "$x" for a parameter `Tensor &`.
constexpr llvm::StringLiteral LvalueObject = "lvalue_of(torch::stable::Tensor($x))";

/// Whether \p Name, as `at::` or `torch::` names it, is \p Wanted of any of PyTorch's namespaces.
llvm::StringRef withoutNamespace(llvm::StringRef Name);

/// The rule for a use, if there is one. None: it is stable, or part of another.
using RuleResult = std::optional<StableChange>;
RuleResult typeRule(const ApiUse &Use, const StableContext &Context);
RuleResult constantRule(const ApiUse &Use, const StableContext &Context);
RuleResult macroRule(const ApiUse &Use, const StableContext &Context);
RuleResult dispatchRule(const ApiUse &Use, const StableContext &Context);
RuleResult methodRule(const ApiUse &Use, const StableContext &Context);
RuleResult functionRule(const ApiUse &Use, const StableContext &Context);
RuleResult factoryRule(const ApiUse &Use, const StableContext &Context);
RuleResult padRule(const ApiUse &Use, const StableContext &Context);
/// `x.index({...})` of slices and numbers.
RuleResult sliceRule(const ApiUse &Use, const StableContext &Context);
/// `x.index_put_({...}, y);` of such.
RuleResult slicePutRule(const ApiUse &Use, const StableContext &Context);
RuleResult operatorRule(const ApiUse &Use, const StableContext &Context);
RuleResult constructRule(const ApiUse &Use, const StableContext &Context);
RuleResult optionsRule(const ApiUse &Use, const StableContext &Context);

/// A tensor whose address becomes another thing: only a function that goes from one world to the
/// other can do without.
RuleResult addressRule(const ApiUse &Use, const StableContext &Context);

/// Whether a number is given, and no list.
bool isNumber(const ApiArgument &Given);
/// A call that is boxed by a function written beside it. None where the operator is not known, or
/// takes what cannot be boxed.
RuleResult dispatcherRule(const ApiUse &Use, llvm::StringRef Operator,
                          const StableContext &Context);
/// `a * b`.
RuleResult dispatchedOperator(const ApiUse &Use, llvm::StringRef Overload,
                              const StableContext &Context);

/// A helper by its name, and the headers that it includes.
struct KnownHelper {
  StableHelper Helper;
  std::vector<std::string> Headers;
};
const KnownHelper *findHelper(llvm::StringRef Name);

/// The directives of a block that are open at \p Offset, "#ifndef USE_ROCM"; "" is among them where
/// there are several branches.
std::vector<std::string> conditionsAt(llvm::StringRef Text, Span Body, uint32_t Offset);
/// What a macro is given first, of the text behind its name; "" for nothing.
llvm::StringRef firstArgument(llvm::StringRef Behind);
/// What goes into a block that is written, with the ends of its lines.
struct BlockLine {
  std::vector<std::string> Conditions; ///< "#ifndef USE_ROCM"
  std::vector<StablePiece> Pieces;
};
/// `m.impl(NAME, BOX);`
BlockLine implLine(std::vector<std::string> Conditions, llvm::StringRef Variable, StablePiece Name,
                   llvm::ArrayRef<StablePiece> Box);
/// "STABLE_TORCH_LIBRARY_IMPL(ns, CUDA, m" with its body, behind what stands there.
std::vector<StablePiece> writtenBlock(const llvm::Twine &Opening, llvm::ArrayRef<BlockLine> Lines);
/// `TORCH_BOX(&f)` for a function that is named at \p Use.
std::vector<StablePiece> boxed(Span Use, const StableContext &Context);
void planRegistrations(const StableContext &Context, const BoxedKernels &Boxed);
/// Types of functions that some unit registers, wherever this one declares or defines them.
void planBoxedTypes(const StableContext &Context, const BoxedKernels &Boxed);

/// Decides which modules of pybind11's become operators, once all units are in.
void resolveModules(BoxedKernels &Boxed);
void planModules(const StableContext &Context, const BoxedKernels &Boxed);
/// Whether all declarations of a function that Python has called so far can get the numbers that
/// TORCH_BOX carries.
bool numbersCanMove(const KernelDecl &D);
/// The same function with those.
RegisteredKernel withWideNumbers(RegisteredKernel Kernel);
/// Whether TORCH_BOX carries a parameter of the type, and what is returned.
bool isCarried(const CppType &T);
bool isReturned(const CppType &T);

/// What the dispatcher took by reference is boxed as a value.
bool returnsReference(const KernelDecl &D, const StableContext &Context);
Span referenceSign(const KernelDecl &D);
std::string identityOf(const KernelDecl &D);
/// The function that is registered: what it says, or what a function of the project's makes a
/// lambda of.
const RegisteredKernel &kernelBehind(const RegisteredKernel &Kernel);
/// Whether TORCH_BOX takes the function as it is, or as it will be.
enum class Boxable : uint8_t { AsItIs, WithOtherTypes, No };
Boxable boxable(const RegisteredKernel &Kernel, const BoxedKernels &Boxed);

} // namespace opsig

#endif
