//===- PythonFacts.h - What a Python file says of its functions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON of share/python => PythonFacts { PythonCallable*, LibraryUse*, PythonLibrary*, PythonApi*,
//   PythonClass*, PythonShape*, PythonOffer* }
//
// The heads of share/python/python_functions.py, python_uses.py and kernel_bodies.py say what each
// field means. What functions do with tensors is in UnitFacts::Flows, as of C++.
// Places are spans of the unit's only file.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONFACTS_H
#define OPSIG_FRONTEND_PYTHONFACTS_H

#include "opsig/Frontend/Span.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// A string of the file; without At where nothing is given, without IsKnown where only running the
/// code would tell.
struct PythonText {
  std::string Value;
  Span Whole;
  bool IsKnown = false;
  /// Where the value stands letter for letter in one piece; invalid otherwise.
  Span Exact;
};

/// An annotation.
struct PythonType {
  Span At;
  std::string Text;
  std::string Word;     ///< the type in a schema; "" where none is known
  bool Refused = false; ///< no release takes it
  bool NeedsBuiltinLists = false, NeedsModuleNames = false, NeedsImpliedNames = false;
  bool NeedsQuotes = false, NeedsGenerators = false;
  /// The one way to say the same that is taken, in that or in any release; without quotes; by a
  /// name that the module has. "" where there is none.
  std::string Instead, Plain, Imported;
  bool InsteadNeedsBuiltinLists = false;
};

struct PythonParameter {
  enum Kind : uint8_t { Positional, Normal, Star, Keyword, Stars } Is = Normal;
  std::string Name;
  Span Whole, NameAt; ///< Whole with annotation and default
  std::optional<PythonType> Type;
  bool HasDefault = false;
  Span DefaultAt;
  std::string DefaultText;
  std::optional<std::string> Default; ///< as a schema writes it
  bool DefaultIsConstant = false;     ///< and no call that makes an object
  bool DefaultRefused = false;
};

/// One `return`, or the body of a lambda.
struct PythonReturn {
  enum Form : uint8_t {
    Unknown,
    None,
    Tuple,
    List,
    Value,
    Call,
    Tensor,   ///< one, for certain
    Sequence, ///< a tuple or list of any length
  } Is = Unknown;
  /// Parameters: the form is known where these are tensors.
  std::vector<std::string> Tensors;
  Span At;
  uint32_t Count = 0;   ///< of a tuple or list
  uint32_t Defined = 0; ///< of those, up to the last that is not None
  std::string Callee;
  /// Of a tuple of two.
  Form FirstIs = Unknown, SecondIs = Unknown;
  Span ValueAt;
  struct Element {
    Span At;
    bool IsNone = false;
    Span CutAt; ///< where the text begins that goes with it
  };
  Span Ends;                     ///< where that text ends of the last one
  std::vector<Element> Elements; ///< none where they are not surely told apart
  uint32_t FirstCount = 0, SecondCount = 0;
};

/// What a function takes out of a parameter that nothing assigns.
struct PythonUnpack {
  enum Kind : uint8_t {
    Exactly, ///< `a, b = inputs`
    AtLeast, ///< `a, *b = inputs`
    Element, ///< `inputs[1]`, which needs two
    Key,     ///< `inputs["x"]`
  } Is = Exactly;
  std::string Parameter;
  uint32_t Count = 0;
  std::string Word; ///< the key
  Span At;
};

struct PythonCallable {
  std::string Name, Qualified, Form;
  Span At, NameAt, List;
  Span Slash; ///< the '/' behind positional-only parameters, with the comma in front of it
  std::vector<PythonParameter> Parameters;
  std::optional<PythonType> Returns;
  std::string Gives; ///< the annotation that Returns lacks, where only one can be right
  std::vector<PythonReturn> Results;
  bool FallsOff = false;
  std::vector<PythonUnpack> Unpacks;
  std::string Alters; ///< the decorator that may change its signature

  bool isLambda() const { return Form == "lambda"; }
  /// Its `return`s are what a call gives.
  bool isPlain() const { return (isLambda() || Form == "function") && Alters.empty(); }
};

/// What is given for a function.
struct PythonReference {
  bool IsGiven = false;
  Span At;
  int Function = -1;  ///< in PythonFacts::Functions
  std::string Import; ///< "pkg.mod.f", ".mod:f"
  uint32_t Skip = 0;  ///< leading parameters that are bound
  std::vector<std::string> Keywords;
  std::string Why; ///< it is not known
};

struct PythonMutates {
  bool IsGiven = false, Unknown = false;
  Span At;
  std::vector<PythonText> Names;
  std::optional<PythonText> Word;
};

/// `if not hasattr(torch.ops.ns, "op")` around a use.
struct PythonGuard {
  std::string Op;
  bool Exists = false; ///< the use needs the operator to be there
};

struct LibraryUse {
  std::string What, Api;
  Span At;
  PythonText Op;
  PythonReference Function, Setup;
  std::vector<PythonText> Keys;
  bool Devices = false, HasSchema = false, KeySet = false, Conditional = false, InFunction = false;
  bool Tagged = false, NeverReplaces = false;
  bool LacksMutates = false; ///< and gives no arguments of which only running it would tell
  /// Why Python itself refuses the call: "decorator": it is one, and lacks the function;
  /// "positional": the setup function is not given by name.
  std::string Refused;
  std::string BlockKey;
  PythonMutates Mutates;
  PythonText Schema;
  /// Which operator without a known name it is for; of the use that defines it also its name as an
  /// expression, and its schema without a name. "" where nothing is known.
  std::string Unnamed, Expression;
  /// What a kernel-builder extension of unknown name calls the operator.
  std::string Extension;
  PythonText Signature;
  std::vector<PythonGuard> Guards;
};

struct PythonLibrary {
  Span At;
  PythonText Namespace, Kind, Key;
  std::string Lost; ///< "", "statement", "function"
};

struct PythonApi {
  std::string Name;
  Span At;
  bool Guarded = false;
};

/// A class of torch.autograd.Function; -1 for what it does not have.
struct PythonClass {
  std::string Name;
  Span At;
  int Forward = -1, Backward = -1, Setup = -1;
};

/// What a function does with a size or an element of a tensor.
struct PythonShape {
  enum Kind : uint8_t {
    Number, ///< `int(x.shape[0])`
    Value,  ///< `x.item()`
    Branch, ///< `if x.any()`
    Size,   ///< a parameter is a size of what is made: `x.new_empty(n)`
  } Is = Number;
  uint32_t Function = 0; ///< in PythonFacts::Functions
  uint32_t Param = 0;    ///< in PythonCallable::Parameters: whose size or element it is
  Span At;
  std::string What; ///< "int()", "item()"
  /// What can stand in its place.
  std::optional<std::string> Instead;
};

/// A name that other files import, and what it stands for.
struct PythonOffer {
  std::string Name;
  PythonReference Of;
};

struct PythonFacts {
  std::vector<PythonCallable> Functions;
  std::vector<LibraryUse> Uses;
  std::vector<PythonLibrary> Libraries;
  std::vector<PythonApi> Apis;
  std::vector<PythonClass> Classes;
  std::vector<PythonShape> Shapes;
  std::vector<std::string> Backends; ///< what PrivateUse1 may be called: "npu"
  std::vector<PythonOffer> Offers;
  bool IsScript = false; ///< a program: no process runs it and another one

  const PythonCallable *find(const PythonReference &R) const {
    return R.Function < 0 ? nullptr : &Functions[size_t(R.Function)];
  }
};

} // namespace opsig

#endif
