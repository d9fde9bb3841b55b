//===- PythonTraits.h - A release's Python bindings --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_DIALECT_PYTHONTRAITS_H
#define OPSIG_DIALECT_PYTHONTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace opsig {

/// How the Python bindings come by the type of a result whose fields have names.
enum class NamedResults : uint8_t {
  /// By its name, from a map that python_return_types.cpp fills.
  Map,
  /// From a function of its own, get_<name>_namedtuple, which python_return_types.h declares.
  NamedTuples,
  /// Likewise, from get_<name>_structseq.
  StructSeqs,
};

/// How a table of Python methods names the C++ function of an entry.
enum class MethodCast : uint8_t {
  /// cast(wrapper<name>), and "(name)" where no cast is needed.
  AroundParentheses,
  /// cast(wrapper<name>), and "name" where no cast is needed.
  WhereNeeded,
};

/// What an entry of annotated_fn_args.py says.
enum class AnnotatedArguments : uint8_t {
  /// Positional arguments.
  Positional,
  /// Positional and keyword-only arguments, and which of both each is.
  All,
};

/// How a method without arguments asks whether its tensor overrides torch functions.
enum class OverrideCheck : uint8_t {
  /// if(check_has_torch_function(self_))
  Checked,
  /// if (has_torch_function(self_))
  Direct,
};

/// Traits of the Python bindings.
struct PythonTraits {
  /// C++ names of functions that are bound by hand or not at all. A "*" at the front or at the end
  /// stands for any text, a "?" for any character.
  llvm::ArrayRef<llvm::StringRef> Unbound;
  /// The same by whole schemas.
  llvm::ArrayRef<llvm::StringRef> UnboundSchemas;
  /// Of the generated functions those tagged view_copy are bound.
  bool BindsGeneratedViewCopies;
  /// What the argument parser's bindings can hand back to Python, without references.
  llvm::ArrayRef<llvm::StringRef> ReturnTypes;
  /// Functions that make a tensor like another one ask the parser for its dtype, layout and device
  /// as defaults.
  bool LikeDefaultsFromSelf;
  /// A function of category "dummy" takes no tensor options.
  bool DummiesTakeNoOptions;
  /// Overloads that take a tensor come before those that take an int in its place.
  bool TensorsBeforeInts;
  /// Lists of float and Scalar may have a size.
  bool SizedNumberLists;
  /// Inplace _foreach functions return the list they were given.
  bool ForeachReturnsSelf;
  NamedResults Results;
  MethodCast Cast;
  llvm::StringRef NullPointer; ///< at the end of an entry of a table of methods
  llvm::StringRef DeviceInit;  ///< function: makes the device of TensorOptions ready
  /// Methods do not initialize the device where the tensor dispatches to Python.
  bool SparesDispatchingTensors;
  OverrideCheck Override;
  /// The functions that python_functions.h declares take the module.
  bool NodesTakeModule;
  AnnotatedArguments Annotated;
};

} // namespace opsig

#endif
