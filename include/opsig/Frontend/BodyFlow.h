//===- BodyFlow.h - What a function does with its tensors --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// body (Clang AST) => FunctionFlow { values, calls, writes, returns } => lib/Check, which knows
// what the called operators do
//
// A value is a tensor, a list of tensors, or a pointer or accessor into one, as one expression of
// the body has it; assignments make new values, so the order of statements counts. Whether a view
// is one is no question of this file: a call has a result, and schemas say what it shares.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_BODYFLOW_H
#define OPSIG_FRONTEND_BODYFLOW_H

#include "opsig/Frontend/KernelParam.h"
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace opsig {

/// Index into FunctionFlow::Values.
using FlowIndex = uint32_t;
/// Something that shares memory with no parameter, as far as is known.
inline constexpr FlowIndex NoValue = 0;
/// FlowValue::Index of an element that may be any.
inline constexpr uint32_t AnyPart = ~0u;

struct FlowValue {
  enum Kind : uint8_t {
    None,      ///< NoValue
    Parameter, ///< parameter number Index
    Result,    ///< what call number Index returns
    Part,      ///< element Index of the tuple or list From[0]; AnyPart: one of them
    Tuple,     ///< a tuple, or a list that is written out, of From
    OneOf,     ///< one of From: several ways lead here
    OrElse,    ///< From[0] wherever there is one, and From[1] where there is none
  } Is = None;
  uint32_t Index = 0;
  std::vector<FlowIndex> From;
};

/// An argument that holds a value; the object of a method is one, called "self".
struct FlowArgument {
  std::string Param;     ///< the callee's name for it; "" without
  uint32_t Position = 0; ///< the object of a method is in none of the places
  FlowIndex Value = NoValue;
  /// The parameter is a pointer to what is not const: the callee may write through it.
  bool Writable = false;
};

struct FlowCall {
  static constexpr uint32_t NoFlow = ~0u;

  std::string Callee; ///< "at::Tensor::add_", "at::add_out"; "" where that is not known
  /// Parameters of the callee that are tensors or lists of them, by name, the object not counted.
  std::vector<std::string> TensorParams;
  /// The canonical types (TypeNames) of all its parameters, where it may be an operator: they
  /// tell overloads of one apart.
  std::vector<CppType> ParamTypes;
  std::vector<FlowArgument> Args;
  /// The callee's body: index into UnitFacts::Flows.
  uint32_t Flow = NoFlow;
  /// Where that is in another file: the callee's mangled name; "" where it may be no function of
  /// the project.
  std::string Symbol;
  Span At;
};

/// An element is assigned, or the memory filled.
struct FlowWrite {
  FlowIndex Value = NoValue;
  Span At;
};

struct FlowReturn {
  FlowIndex Value = NoValue;
  Span At;
};

/// A parameter that is a number, in a place that says which kind of number is meant; or a number
/// that the body has of a parameter which is a tensor.
struct FlowNumber {
  uint32_t Param = 0;
  enum Kind : uint8_t {
    Floating,   ///< a floating-point one is computed with others or given to what takes them
    Whole,      ///< an index, a count, or given to what takes integers
    Size,       ///< `sizes` of `x.sizes()`, a size of a tensor
    SizeHolder, ///< the type of a variable that holds such a size
    SizeUser,   ///< `empty` of `at::empty({n})`, which gets one and could take a symbolic one
    Element,    ///< `item` of `x.item()`, a value of a tensor
  } Is = Floating;
  Span At;
};

struct FunctionFlow {
  std::string Name; ///< qualified; "" for a lambda
  /// The mangled name by which other files call it; "" if they cannot.
  std::string Symbol;
  /// As in KernelDecl: what joins them.
  Span NameAt;
  uint32_t NumParams = 0;
  /// The first is NoValue, the next are the parameters.
  std::vector<FlowValue> Values;
  std::vector<FlowCall> Calls;
  std::vector<FlowWrite> Writes;
  std::vector<FlowReturn> Returns;
  /// Values that go where they are lost from sight: anything may happen to them.
  std::vector<FlowIndex> Escapes;
  /// Calls that each way to the end of the body comes to, and whose arguments are all parameters
  /// of this function as it got them. None where a guard may change what the dispatcher chooses.
  std::vector<FlowCall> Handed;
  /// The first Floating and Whole one for each parameter, and all others.
  std::vector<FlowNumber> Numbers;
  /// All of the body could be read.
  bool Complete = true;
  /// Some way through the body ends otherwise than in an exception.
  bool Finishes = false;
};

/// For tests: what is done, call by call, then writes, returns and escapes.
///   call at::Tensor::add_(self: #1)
///   write #1 | result of call 0 | part 1 of (#1, none) | one of {#1, none}
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const FunctionFlow &F);

} // namespace opsig

#endif
