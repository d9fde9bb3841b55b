//===- PythonInternal.h - Python code that defines and registers operators ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonFacts of each unit => uses of torch.library with the schema of their operator
// (PythonChecks)
//      (those of operators without a known name: UnnamedOperators.cpp)
//   => functions against schemas (PythonSignatures.cpp), formulas of autograd and vmap
//        (PythonFormulas.cpp; of classes PythonClasses.cpp), bodies against marks, sizes and
//        elements in fakes (PythonBodies.cpp), annotations and mutates_args
//        (PythonAnnotations.cpp), calls that torch.library refuses (PythonCalls.cpp), second
//        kernels (PythonSeconds.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_PYTHON_PYTHONINTERNAL_H
#define OPSIG_LIB_CHECK_PYTHON_PYTHONINTERNAL_H

#include "Effects/FakeAliases.h"
#include "Registrations/RegistrationInternal.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Frontend/PythonImports.h"
#include <deque>

namespace opsig {

struct PythonUnit {
  const UnitFacts *Unit;
  const PythonFacts &Facts;
};

/// A function and the unit that defines it; null where it is not known.
struct PythonFound {
  const PythonUnit *In = nullptr;
  const PythonCallable *Function = nullptr;

  explicit operator bool() const { return Function != nullptr; }
};

/// What the checks of Python code work on.
struct PythonContext {
  llvm::ArrayRef<UnitFacts> Units;
  const Registry &Registered;
  /// Of the release whose rules count for the Python code.
  const Dialect &D;
  /// The schema that counts for an entry; PyTorch's own among them.
  llvm::function_ref<KernelSchema(const EntryRef &, const RegisteredOp &)> SchemaFor;
  ProjectEffects &Effects;
};

/// The first release that has the name; null if there is none.
const Dialect *firstWithApi(const PythonApi &Api);
bool hasApi(const Dialect &D, const PythonApi &Api);
/// "torch.library.custom_op", "torch.Tag.out".
std::string nameOfApi(const PythonApi &Api);
/// \p Use names an operator where older releases expect a Library.
bool usesFullName(const LibraryUse &Use);

/// Reports what is wrong with Python code that uses torch.library.
void checkPython(const PythonContext &Context, UnitFiles &Files, Comparison &Done, Findings &Diags);

/// An operator whose name only running the code would tell.
struct UnnamedOperator {
  const FunctionSchema *Schema = nullptr;
  /// Where the schema is written: in C++, or
  const EntryRef *Def = nullptr;
  /// by the use of a Python file that defines the operator.
  const PythonUnit *In = nullptr;
  const LibraryUse *Use = nullptr;
  std::string Key;    ///< no other operator has it
  std::string Folder; ///< of an extension, where the code is that defines it and its kernels
};

/// Finds the operator that a use stands for, although its name is not known.
class UnnamedOperators {
public:
  UnnamedOperators(const Registry &Registered, const Dialect &D) : Registered(Registered), D(D) {}
  /// Adds those that the unit defines.
  void add(const PythonUnit &In);
  /// None where it is not certain which one it is.
  std::optional<UnnamedOperator> find(const PythonUnit &In, const LibraryUse &Use) const;

private:
  std::optional<UnnamedOperator> ofExtension(const PythonUnit &In, const LibraryUse &Use) const;

  struct Made {
    const PythonUnit *In;
    const LibraryUse *Use;
    std::optional<FunctionSchema> Schema;
  };
  const Registry &Registered;
  const Dialect &D;
  std::deque<Made> All;
  std::map<std::pair<const UnitFacts *, std::string>, std::vector<const Made *>> ByKey;
};

/// The folder of a kernel-builder extension that the file belongs to, with the last '/'; "" for
/// none.
llvm::StringRef extensionFolder(llvm::StringRef File);

/// One use with what was found out about it.
struct PythonCase {
  const PythonUnit &In;
  const LibraryUse &Use;
  PythonFound Function, Setup;
  KernelSchema Schema;
  std::string Op; ///< "ns::add.out"; "" where it is not known
  std::optional<UnnamedOperator> Unnamed = std::nullopt;

  /// By triton_op() of PyTorch itself, which registers the function as the fake kernel, too.
  bool isTritonOp() const { return Use.Api == "torch.library.triton_op"; }
  /// As messages call the operator: "'ns::add.out'", "the operator of 'f'".
  std::string opName() const;
  /// What no other operator has.
  const std::string &key() const { return Unnamed ? Unnamed->Key : Op; }
  /// The project itself wrote the schema.
  bool isOwn() const { return Schema.Def || Unnamed; }
  bool hasSchema() const {
    return Schema.Schema && !Schema.Schema->NameOnly && !Schema.Schema->VarArgs &&
           !Schema.Schema->VarReturns;
  }
};

/// What all checks of one run share.
class PythonChecks {
public:
  PythonChecks(const PythonContext &Context, UnitFiles &Files, Comparison &Done, Findings &Diags);

  void run();

  /// "'f'", "the lambda".
  static std::string nameOf(const PythonCallable &F);
  Finding &report(FindingId Id, const UnitFacts &Unit, Span At, std::string Message,
                  const PythonCase &Of);
  void noteSchema(Finding &Diag, const PythonCase &Of, TextRange Part);
  Place place(const UnitFacts &Unit, Span At) { return Files.place(Unit, At); }
  Fix edit(const UnitFacts &Unit, Span At, std::string Text) {
    return {Files.file(Unit, At.File), At.Offset, At.Length, std::move(Text)};
  }
  const LibraryTraits &library() const { return Context.D.Library; }
  const Dialect &dialect() const { return Context.D; }
  /// \p Key has the name that a package of the project's may give PrivateUse1.
  bool isRenamed(llvm::StringRef Key) const;
  ProjectEffects &effects() const { return Context.Effects; }
  UnitFiles &files() { return Files; }
  /// The one operator that a name without a namespace, or with one that is not set off by "::", is
  /// surely meant for; "" where there is none.
  std::string operatorMeantBy(llvm::StringRef Name) const;
  /// The operator that a name of the unit stands for: what custom_op made, or torch.ops.ns.op.
  const FunctionSchema *schemaOfCallee(const PythonUnit &In, llvm::StringRef Callee) const;
  /// What the kernels of the operator in Python files return; those of C++ files are added once.
  KernelReturns &returnsOf(const PythonCase &Of) { return Returned[Of.key()]; }

private:
  void checkFakes();
  void addCppReturns(const PythonCase &Of);
  void findSchema(PythonCase &Of) const;
  void readUnits();
  void checkApis(const PythonUnit &In);
  PythonFound find(const PythonUnit &In, const PythonReference &R) const;
  std::optional<ImportedFunction> importedFunction(const UnitFacts &From,
                                                   llvm::StringRef Symbol) const;
  PythonFound findImported(const PythonUnit &In, llvm::StringRef Import, unsigned Depth = 0) const;
  KernelSchema schemaOf(const PythonUnit &In, const LibraryUse &Use, std::string &Op) const;
  void checkUse(const PythonUnit &In, const LibraryUse &Use);
  void dropUnread();
  void countUse(const PythonCase &Of);
  void checkSecond(const PythonCase &Of);
  void checkSecondFor(const PythonCase &Of, llvm::StringRef Key);
  void refuseSecond(const PythonCase &Of, llvm::StringRef Key, const llvm::Twine &Other,
                    const Place &At);
  bool isReached(const LibraryUse &Use) const;
  const EntryRef *refusingKernel(const PythonCase &Of, llvm::StringRef Key, bool Replaces) const;

  const PythonContext &Context;
  UnitFiles &Files;
  Comparison &Done;
  Findings &Diags;
  std::vector<PythonUnit> All;
  UnnamedOperators Unnamed;
  PythonModules Modules; ///< their files
  std::map<std::pair<const UnitFacts *, uint32_t>, std::vector<const EntryRef *>> ByPlace;
  /// Where uses are that were compared although their names are not known.
  std::set<std::tuple<SourceId, unsigned, unsigned>> ComparedAt;
  std::map<std::string, unsigned> LeftAlone;     ///< by the reason
  std::map<std::string, KernelReturns> Returned; ///< by operator
  std::vector<PythonCase> Fakes;                 ///< compared when all kernels are known
  std::set<std::pair<const PythonCallable *, std::string>> Compared;
  struct FirstOne {
    const UnitFacts *Unit;
    Place At;
  };
  /// The first one of those that run together with \p Of; null if there is none.
  const FirstOne *firstFor(const PythonCase &Of, llvm::StringRef Key) const;
  std::map<std::pair<std::string, std::string>, std::vector<FirstOne>>
      Registered; ///< by operator, key
  std::set<std::string> CustomOps;
};

/// How a function is called: by position, and by name.
struct PythonCall {
  std::vector<std::string> Positional;
  std::vector<std::string> Keywords;
};

/// Why a call does not reach a function.
struct PythonMismatch {
  enum Kind : uint8_t {
    TooMany, ///< Arguments are given by position, and no parameter takes them
    Missing, ///< Parameter gets nothing
    Unknown, ///< an argument is given by a name that no parameter has
    Twice,   ///< an argument is given by name to a parameter that has one by position
  } Is;
  std::vector<std::string> Arguments;
  const PythonParameter *Parameter = nullptr;
};

/// What Python would raise for \p Call, as far as the parameters of \p F tell behind the first
/// \p Skip ones and those of the names \p Bound.
std::vector<PythonMismatch> bindPython(const PythonCallable &F, uint32_t Skip,
                                       llvm::ArrayRef<std::string> Bound, const PythonCall &Call);

void checkPythonSignature(const PythonCase &Of, PythonChecks &Checks);
/// Reports defaults that are others than the schema's, behind the first \p Skip parameters.
void comparePythonDefaults(const PythonCase &Of, uint32_t Skip, PythonChecks &Checks);
void checkPythonResults(const PythonCase &Of, PythonChecks &Checks);
/// Whether the parameters of these names, behind the first \p More ones, surely get tensors.
bool areTensors(const PythonCase &Of, uint32_t More, llvm::ArrayRef<std::string> Names);
void checkPythonBody(const PythonCase &Of, PythonChecks &Checks);
void checkPythonShapes(const PythonCase &Of, PythonChecks &Checks);
bool isPythonFake(const LibraryUse &Use);
/// Reports what a fake returns that is no new tensor, when the kernels of all files are known.
void checkPythonFakeAliases(const PythonCase &Of, PythonChecks &Checks);
void checkPythonAutograd(const PythonCase &Of, PythonChecks &Checks);
void checkPythonVmap(const PythonCase &Of, PythonChecks &Checks);
void checkPythonClasses(const PythonUnit &In, PythonChecks &Checks);
/// Of a kernel that is `F.apply`: what the operator's schema says of the class.
void checkPythonApply(const PythonCase &Of, PythonChecks &Checks);

constexpr const char *OneGradientPerArgument =
    "return one gradient per argument, and 'None' for an argument without a gradient";

/// How many values there are.
struct PythonCount {
  uint32_t Least = 0, Most = 0;
};

/// How many gradients a result of \p F stands for: what is no tuple is one. Gradients are tensors.
std::optional<uint32_t> countPythonGradients(const PythonReturn &R, const PythonCallable &F);
/// The positional arguments that the dispatcher passes: it leaves out those at the end that equal
/// their defaults.
PythonCount positionalCount(const FunctionSchema &Schema);
/// Why a parameter with so many values cannot be taken apart like that, which the code of \p Name
/// writes as \p Text; "" if it can.
std::string whyNotUnpacked(const PythonUnpack &U, PythonCount Values, llvm::StringRef Text,
                           llvm::StringRef Name);

void checkPythonAnnotations(const PythonCase &Of, PythonChecks &Checks);
/// The release infers a schema although the use has one.
bool ignoresSchema(const PythonCase &Of, const PythonChecks &Checks);
/// The schema that it infers is another one, or is not known.
bool hasOtherSchema(const PythonCase &Of, const PythonChecks &Checks);
void checkPythonNames(const PythonCase &Of, PythonChecks &Checks);
void checkPythonKeys(const PythonCase &Of, PythonChecks &Checks);
void checkPythonArgument(const PythonCase &Of, PythonChecks &Checks);
/// \p IsCustomOp: custom_op() made the operator, whoever defines its kernels.
void checkPythonDevices(const PythonCase &Of, bool IsCustomOp, PythonChecks &Checks);
void checkPythonLibraries(const PythonUnit &In, PythonChecks &Checks);

} // namespace opsig

#endif
