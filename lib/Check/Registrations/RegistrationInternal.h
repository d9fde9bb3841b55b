//===- RegistrationInternal.h - The steps of checking TORCH_LIBRARY code ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registry
//   => strings and places of entries (RegistrationStrings.cpp), misspelled heads of blocks
//        (MisspelledNames.cpp)
//   => kernel type => inferred schema type | why there is none                (InferredType.cpp)
//   => kernel by itself, against its schema, against other kernels
//        (RegisteredTypes.cpp, RegisteredSchemas.cpp, RegisteredLists.cpp, RegisteredPeers.cpp,
//        AutogradKeys.cpp; boxed by hand: BoxedStacks.cpp;
//        aten: NativeOverride.cpp)
//   => its body against the schema's alias annotations (RegisteredEffects.cpp, Annotations.cpp)
//   => operators that code looks up by name (DispatcherCalls.cpp)
//   => fallbacks (Fallbacks.cpp), kernels that no call comes to (Unreachable.cpp), custom classes
//        (CustomClasses.cpp)
//   => what the whole project lacks (RegistrationTable.cpp, UnregisteredKernels.cpp), and what was
//        meant by names that nobody defines (MeantOperators.cpp),
//        namespace by namespace (ReadNamespaces.cpp); kernels that no file defines
//        (LinkedKernels.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_REGISTRATIONINTERNAL_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_REGISTRATIONINTERNAL_H

#include "Backend/BackendInternal.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Check/PythonRelease.h"
#include "opsig/Check/Registrations.h"
#include "opsig/Registry/Registry.h"
#include "opsig/Workspace/BuildVariants.h"
#include <map>
#include <set>

namespace opsig {

/// What the dispatcher makes of a C++ type.
struct InferredType {
  enum Verdict : uint8_t {
    Known,      ///< Ty
    Unknown,    ///< a class that may be registered, or something that could not be read
    Refused,    ///< does not compile; Why tells
    Unloadable, ///< compiles, but ends the program when it is loaded; Why tells
  } Is = Unknown;
  Type Ty;
  std::string Why;
  /// What to write instead ("int64_t"), in the words of signatures; unread if nothing fits.
  CppType Instead;
  /// Where the part is written that Instead can take the place of, or that can go; invalid if there
  /// is none.
  Span Bad = {};

  static InferredType known(Type Ty) { return {Known, std::move(Ty), "", {}, {}}; }
  static InferredType refused(std::string Why, CppType Instead, Span Bad) {
    return {Refused, {}, std::move(Why), std::move(Instead), Bad};
  }
  /// Where values are not \p Boxed one by one, compilers take the type all the same.
  InferredType unlessLoaded(bool Boxed) && {
    if (!Boxed)
      Is = Unloadable;
    return std::move(*this);
  }
  bool isBad() const { return Is == Refused || Is == Unloadable; }
};

/// Names of one translation unit that the rules of inference need.
class TypeInference {
public:
  TypeInference(const TypeNames &Names, KernelInterface Interface)
      : Names(Names), Interface(Interface) {}

  /// \p Declared is the type of parameter number \p Index.
  InferredType param(const CppType &Declared, unsigned Index) const;
  /// One for each return; a tuple is several. Nothing where the type could not be read. What a
  /// method of a custom class returns becomes an IValue without the dispatcher's restrictions.
  std::optional<std::vector<InferredType>> returns(const CppType &T, bool OfMethod = false) const;
  /// A leading DispatchKeySet, which no argument stands for.
  static bool isKeySet(const CppType &T);
  /// A parameter of one of the types that make a kernel one of SymInts.
  bool isSym(const CppType &T) const;
  /// It would be one of those types, were it not a reference.
  bool isSymByReference(const CppType &T) const;
  /// Whether values of the type \p Want reach a kernel that has \p Got, a type of param(), as such.
  static bool fits(const Type &Got, const Type &Want);

private:
  InferredType infer(const CppType &T, bool Boxed) const;
  InferredType leaf(const CppType &T, bool Boxed) const;
  InferredType container(const CppType &T, bool Boxed) const;
  std::optional<InferredType> refusedElement(const CppType &T) const;
  // StableTypes.cpp
  InferredType stableParam(const CppType &Declared) const;
  InferredType stableReturn(const CppType &Declared) const;
  InferredType stable(const CppType &T) const;
  bool isInt64(const CppType &T) const;
  bool hasSymInt(const CppType &Declared) const;

  const TypeNames &Names;
  KernelInterface Interface;
  bool IsReturn = false;
  bool IsOfMethod = false;
};

/// Two files that define the same operators of one namespace, which no program can have both of.
struct DetectedVariants {
  std::string First, Second;
  std::string Namespace;
  size_t Common = 0; ///< operators that both define
  bool OtherPackage = false;
};

/// Which registrations are ever in one program.
class Programs {
public:
  Programs(const BuildVariants &Of, UnitFiles &Files) : Of(Of), Files(Files) {}

  Exclusivity between(const BlockRef &L, const BlockRef &R) const;
  bool areTogether(const BlockRef &L, const BlockRef &R) const {
    return between(L, R) == Exclusivity::No;
  }

private:
  const BuildVariants &Of;
  UnitFiles &Files;
};

/// Whether a part of the string of \p E stands for it alone, so that it may be edited; where it
/// does not, \p Diag gets a note of it.
bool mayEdit(const EntryRef &E, TextRange Part, Finding &Diag, UnitFiles &Files);

/// It stands behind a condition about a release, a platform or a compiler that is not this one.
bool isOfOtherBranch(const UnitFacts &Unit, const RegistrationEntry &Entry);

/// PyTorch's function of the name "aten::add.out"; null where there is none.
inline const NativeFunction *nativeFunction(llvm::StringRef Op, const Operators &Ops) {
  return Op.consume_front("aten::") ? Ops.find(Op) : nullptr;
}

/// For Finding::Op: "ns::add.out", "::add.out" where the namespace is not known.
std::string operatorOf(const EntryRef &E);

/// The entries and blocks of which something is not known, with what that is; but for dispatch keys
/// that \p Said reports.
std::vector<UnreadRegistration> unreadRegistrations(const Registry &R, const Findings &Said,
                                                    UnitFiles &Files);

/// Keys that \p Said reports and that are errors for Clang, too.
std::vector<KeyError> reportedKeyErrors(llvm::ArrayRef<UnitFacts> Units, const Findings &Said,
                                        UnitFiles &Files);

/// Those that the definitions of \p Entries show and the programs of \p Layout do not speak of.
std::vector<DetectedVariants> detectVariants(llvm::ArrayRef<EntryRef> Entries,
                                             const ProjectLayout &Layout, UnitFiles &Files);

/// Defined somewhere, by a string that cannot be used, in a wrong place or under a wrong name: what
/// is wrong with it is said there, and not again of all that relies on it. As "ns::add.out".
using MisplacedNames = std::set<std::string, std::less<>>;

/// Resolves the entries of misspelled blocks, and reports what is wrong with the strings of \p R
/// and with their places. The operators of entries that are wrong in themselves are in \p
/// Misplaced.
void checkStrings(Registry &R, const StringGrammars &GrammarOf, MisplacedNames &Misplaced,
                  UnitFiles &Files, Findings &Diags);
/// Fills EntryRef::Elsewhere.
void findDefinitions(llvm::MutableArrayRef<EntryRef> Entries, llvm::ArrayRef<UnitFacts> Units);

/// Of which namespaces every registration in the files of a run is known.
class ReadNamespaces {
public:
  ReadNamespaces(llvm::ArrayRef<UnitFacts> Units, llvm::ArrayRef<BlockRef> Blocks);

  bool isWhole(llvm::StringRef Namespace) const {
    return !isNoneWhole() && !Lacking.count(Namespace.str());
  }
  /// All registrations of "ns::op" or "ns::op.overload" were read.
  bool isWholeFor(llvm::StringRef Op) const;
  /// No namespace is whole.
  bool isNoneWhole() const { return AnyLacks || !LackingNames.empty(); }
  const std::set<std::string> &lacking() const { return Lacking; }

private:
  void addUnknown(const RegistrationBlock &Block);

  bool AnyLacks = false;
  std::set<std::string> Lacking;
  /// Names without overloads of what may belong to any namespace.
  std::set<std::string> LackingNames;
};

/// The schema that an entry's kernel has to fit, and where it is from.
struct KernelSchema {
  const FunctionSchema *Schema = nullptr;
  /// The string in C++, or
  const EntryRef *Def = nullptr;
  /// the function of the YAML.
  const NativeFunction *Function = nullptr;
};

/// Reports kernels that cannot be registered, whatever the schema: their form, their types.
void checkKernelForm(const EntryRef &E, UnitFiles &Files, Findings &Diags);
void checkKernelTypes(const EntryRef &E, FindingId Id, UnitFiles &Files, Findings &Diags);
/// Reports differences between a kernel and its schema. True if libtorch takes it.
bool checkKernelSchema(const EntryRef &E, const KernelSchema &Schema, const Dialect &D,
                       UnitFiles &Files, Findings &Diags);
/// Whether libtorch would take the kernel, and nothing were to be said of it.
bool takesKernel(const EntryRef &E, const KernelSchema &Schema, const Dialect &D, UnitFiles &Files);
/// The same of a kernel that is boxed by hand, by what its body does with the stack.
bool checkBoxedStack(const EntryRef &E, const KernelSchema &Schema, UnitFiles &Files,
                     Findings &Diags);
/// Types that only exist at run time, or are not inferred from any C++ type we know.
bool isOpenType(const Type &Ty);
/// What is to be said of an entry's kernel and its schema.
struct KernelVerdict {
  const EntryRef *Entry;
  KernelSchema Schema;
  bool Taken = true; ///< by libtorch
  std::vector<Finding> Hits;
};
/// Takes the edits of functions out of \p Verdicts that another of them shows to be right, or that
/// two schemas need in different forms.
void resolveSharedKernels(llvm::MutableArrayRef<KernelVerdict> Verdicts, const Dialect &D,
                          UnitFiles &Files);
/// Takes the edits of parameters out of \p Verdicts that something besides the schema speaks
/// against, and notes what that is.
void resolveSchemaEvidence(llvm::MutableArrayRef<KernelVerdict> Verdicts,
                           llvm::ArrayRef<UnitFacts> Units, UnitFiles &Files);
/// Reports references to symbolic ints of a kernel that has no others. No schema fits those; where
/// there is one, checkKernelSchema() says which.
void checkSymIntReferences(const EntryRef &E, UnitFiles &Files, Findings &Diags);
/// Reports parameters that are missing, too many or out of place, with the edits that make the list
/// as \p Want has it, where every type of that is known. \p SameType is asked for argument and
/// parameter. False if there are none: each parameter stands for the argument at its place.
bool checkKernelList(const EntryRef &E, const KernelSchema &Schema, const ExpectedList &Want,
                     llvm::function_ref<bool(unsigned Arg, const KernelParam &P)> SameType,
                     UnitFiles &Files, Findings &Diags);
/// Reports those of an operator's kernels whose types differ from those of the first one that they
/// are in a program with.
void checkKernelsAgree(llvm::ArrayRef<const EntryRef *> Kernels, const Programs &In,
                       UnitFiles &Files, Findings &Diags);
/// The edits that mark arguments \p Args of a schema in a string as written, each by a letter of
/// its own, and the returns that \p IsArg says are one of them; none where that cannot be written.
std::vector<Fix> markWritten(const KernelSchema &Schema, llvm::ArrayRef<unsigned> Args,
                             llvm::function_ref<bool(unsigned Return, unsigned Arg)> IsArg,
                             UnitFiles &Files);
/// A parameter that is a tensor by a reference that is not const.
bool isWritableTensor(const CppType &T);
/// To PyTorch the operator does nothing: it returns nothing and marks no argument as written,
/// although it gets tensors.
bool looksPure(const FunctionSchema &S);
/// Reports what the bodies of an operator's kernels, which have the types of the schema, do against
/// its alias annotations. \p AreAll says that the operator has no other kernels; where it may have,
/// one of those may write what the schema marks.
void checkRegisteredEffects(llvm::ArrayRef<const EntryRef *> Kernels, bool AreAll,
                            const KernelSchema &Schema, ProjectEffects &Effects, UnitFiles &Files,
                            Findings &Diags);
/// The body of the kernel \p E was read, and does not write to that argument of the schema.
bool neverWrites(const EntryRef &E, const FunctionSchema &S, unsigned Arg, ProjectEffects &Effects);
/// Reports what the kernel \p E of an operator, whose schema libtorch makes of the kernel of
/// \p Def, writes to for certain: such a schema has no alias annotations.
void checkInferredEffects(const EntryRef &E, const EntryRef &Def, ProjectEffects &Effects,
                          UnitFiles &Files, Findings &Diags);
/// Reports kernels of \p Op that call it again with their own arguments; \p F is PyTorch's function
/// of that name, or null.
void checkOwnCalls(const RegisteredOp &Op, const NativeFunction *F, ProjectEffects &Effects,
                   UnitFiles &Files, Findings &Diags);
/// Reports a kernel of an operator of PyTorch that has not the signature of its other kernels.
/// False if no signature is known for the operator.
bool checkNativeOverride(const EntryRef &E, const NativeFunction &F, const Dialect &D,
                         UnitFiles &Files, Findings &Diags);

/// What the checks of the table work on.
struct RegistrationTable {
  const Registry &Registered;
  const ReadNamespaces &Read;
  Scope Of;
  const MisplacedNames &Misplaced;
  const Programs &In;
  const ProjectLayout &Layout;
};
/// Reports what the registrations of a project lack; of a namespace that was not read whole, so
/// that the missing one may be among the others, only names that are nearly another's.
/// Says in \p Done what files that were not read may have.
void checkRegistrationTable(const RegistrationTable &Table, const Operators &Ops, UnitFiles &Files,
                            Comparison &Done, Findings &Diags);

/// What the check of operators that code looks up works on.
struct LookupContext {
  llvm::ArrayRef<UnitFacts> Units;
  const RegistrationTable &Table;
  const Operators &Ops;
  const Programs &In;
  /// The schema that counts for an entry among all that registers an operator.
  llvm::function_ref<KernelSchema(const EntryRef &, const RegisteredOp &)> SchemaFor;
};
/// Reports names that no operator has, and types that are not those of the operator.
void checkDispatcherCalls(const LookupContext &Context, UnitFiles &Files, Findings &Diags);

/// Whether an argument is a tensor, or a list of tensors, from which the dispatcher takes a key.
bool takesTensors(const FunctionSchema &Schema);

/// Whether autograd can have something to do with an operator of PyTorch: out variants have no
/// derivative, nor has what takes or returns no tensors.
bool mayHaveDerivative(const FunctionSchema &Schema);

/// The same for an operator of the project.
bool mayRecordDerivative(const FunctionSchema &Schema);

/// "CPU", "CUDA": a kernel for it computes, and autograd runs before it.
bool isBackendKey(llvm::StringRef Key);

/// Reports kernels of \p Op, all of which are known, that do autograd's work behind autograd, and
/// such as compute in its place.
void checkAutogradKeys(const RegisteredOp &Op, UnitFiles &Files, Findings &Diags);

/// Reports fallbacks for keys that have one already, of the project's or of libtorch's own.
void checkFallbacks(llvm::ArrayRef<EntryRef> Entries, const Programs &In, const Dialect &D,
                    UnitFiles &Files, Findings &Diags);

/// Reports the first kernel of \p Op, all of which are known, if no call comes to any of them.
void checkReach(const RegisteredOp &Op, UnitFiles &Files, Findings &Diags);

/// What custom classes are checked with.
struct ClassCheck {
  llvm::ArrayRef<UnitFacts> Units;
  Scope Of;
  const Registry &Registered;
};
/// The schema that an entry's kernel has to fit; empty where none is known.
using SchemaOf = llvm::function_ref<KernelSchema(const EntryRef &E)>;
/// Reports custom classes that schemas name or kernels take and that nobody registers, or that are
/// taken by value, and types of members that cannot be registered.
void checkCustomClasses(const ClassCheck &All, SchemaOf Schema, UnitFiles &Files, Findings &Diags);

/// Blocks whose entries all name one namespace that is nearly that of the block, and that is the
/// one which is meant; and blocks that have the name of a macro for a namespace where others have
/// what the macro stands for.
std::map<const RegistrationBlock *, llvm::StringRef>
misspelledNamespaces(llvm::ArrayRef<BlockRef> Blocks);

/// Lets the entries of such blocks be those of the namespace that is meant.
void resolveMisspelled(Registry &R);

/// Visits what \p Units register, then what the YAML of \p Backends does, with misspelled entries
/// as they are meant.
void forEachRegistry(
    llvm::ArrayRef<UnitFacts> Units, llvm::ArrayRef<ExternalBackend> Backends, const Operators &Ops,
    SourceFiles &Files,
    llvm::function_ref<void(llvm::ArrayRef<UnitFacts> Of, const Registry &Known, UnitFiles &In)>
        Visit);

/// Reports namespaces and dispatch keys of blocks that are misspelled for another one's, and lets
/// the entries of the former be those of the namespace that is meant. \p IsWhole says of which
/// namespaces every registration of the project is known.
void checkMisspelledNames(Registry &R, const Dialect &D,
                          llvm::function_ref<bool(llvm::StringRef)> IsWhole, UnitFiles &Files,
                          Findings &Diags);

/// Reports functions that can only be meant as kernels of the operators, but are not registered.
void checkUnregisteredKernels(llvm::ArrayRef<UnitFacts> Units, llvm::ArrayRef<RegisteredOp> ByName,
                              const Dialect &D, UnitFiles &Files, Findings &Diags);

/// Reports kernels that are only declared where they are registered, and that no file defines so.
/// Gives what a user should know of those that are defined where a condition is off.
std::vector<std::string> checkLinkedKernels(llvm::ArrayRef<EntryRef> Entries,
                                            llvm::ArrayRef<UnitFacts> Units,
                                            const ProjectLayout &Layout, UnitFiles &Files,
                                            Findings &Diags);

/// Whether types of both files can be held against each other.
bool haveSameNames(const TypeNames &L, const TypeNames &R);

/// The C++ type that a kernel's parameter (return) for a schema type usually has, in the words of
/// signatures; unread if none is known. \p Size is that of a list, or 0.
CppType canonicalCppType(const Type &Ty, uint32_t Size, bool IsReturn, const Dialect &D);

/// The same for kernels of the stable ABI.
CppType canonicalStableCppType(const Type &Ty);

/// Every declaration of the kernel of \p E but the first, in its file and elsewhere.
std::vector<Found> otherDecls(const EntryRef &E);
/// All of them, the first one first; none where one cannot be edited.
std::vector<Found> editableDecls(const EntryRef &E);

/// As the dispatcher counts: a leading DispatchKeySet is not the schema's. Edits leave it alone.
KernelDecl withoutKeySet(KernelDecl Decl);
/// otherDecls() so counted; they are in \p Counted, which has to live as long.
std::vector<Found> otherDeclsWithoutKeySet(const EntryRef &E, std::vector<KernelDecl> &Counted);

/// What a finding about a parameter, or about the returns, covers.
Span typeSpan(const KernelParam &P);
Span returnSpan(const RegisteredKernel &K);

/// Where the finding about parameter or return of a kernel points: into its declaration, or at its
/// use.
Place kernelPlace(const EntryRef &E, Span Part, UnitFiles &Files);
/// "'add_cpu'", "the lambda".
std::string kernelName(const RegisteredKernel &K);
/// Adds notes: where the kernel is registered, where the schema is.
void addRegistrationNotes(Finding &Diag, const EntryRef &E, const KernelSchema &Schema,
                          TextRange Part, UnitFiles &Files);

} // namespace opsig

#endif
