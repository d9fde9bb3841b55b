//===- Python.h - How operators are called from Python ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeFunction (x method or function) => PythonSignature => text of PyTorch's argument parser
// functions + deprecated ones => PythonOverload* => by name => PythonFunction (groups, in the order
//   in which the parser tries them)
// PythonSignature x NativeFunction => PythonDispatch: from parsed arguments to the C++ call
//
// A PythonSignature is not one-to-one with a function: deprecated signatures share a function with
// the one they stand for, and a function shares a signature with its out form.
//
// Nothing here owns schemas: functions and deprecated entries must outlive what is made of them.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_PYTHON_H
#define OPSIG_SIGNATURE_PYTHON_H

#include "opsig/Operators/DeprecatedFunctions.h"
#include "opsig/Signature/Signature.h"
#include <array>

namespace opsig {

//===-- signatures ----------------------------------------------------------===//

/// Whether a function is called on a tensor (self is no argument) or by itself.
enum class PythonForm : uint8_t { Function, Method };

struct PythonArgument {
  llvm::StringRef Name;
  Type Ty;
  /// As the argument parser reads it, but for what means None.
  std::optional<std::string> Default;
  /// C++ that the parser takes for an argument that was not given; empty without.
  std::string DefaultInit;

  /// "Scalar alpha=1"
  std::string str(PythonForm Form, const Dialect &D) const;
};

struct PythonSignature {
  std::string Name; ///< "add_", "__and__"
  PythonForm Form = PythonForm::Function;
  std::vector<PythonArgument> Positional;
  std::vector<PythonArgument> Keyword; ///< without out and tensor options
  /// `out`, which stands for all out arguments of the schema.
  std::optional<PythonArgument> Out;
  /// dtype, layout, device, pin_memory, requires_grad, or nothing.
  std::vector<PythonArgument> Options;
  /// Set for a deprecated signature.
  const DeprecatedFunction *Deprecated = nullptr;

  /// Positional, Keyword, Out, Options: the order in which the parser numbers them.
  llvm::SmallVector<const PythonArgument *, 12> arguments() const;
  unsigned count() const;
  unsigned outIndex() const { return Positional.size() + Keyword.size(); }

  /// "add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)"
  std::string str(const Dialect &D) const;
  std::string strWithoutOut(const Dialect &D) const;
};

/// Why \p F cannot be called from Python; nothing if it can.
struct PythonBlocker {
  FindingId Id;
  std::string Message;
};
std::optional<PythonBlocker> whyNotPython(const NativeFunction &F, const Dialect &D);

/// The signature of a function that whyNotPython has nothing against.
PythonSignature pythonSignature(const NativeFunction &F, PythonForm Form, const Dialect &D);
/// The deprecated signature that \p Old gives \p F.
PythonSignature pythonSignature(const DeprecatedFunction &Old, const NativeFunction &F,
                                PythonForm Form, const Dialect &D);

/// "IntArrayRef[2]" of `int[2]`; \p Simple leaves out sizes. Nothing for a type that the argument
/// parser has no word for.
std::optional<std::string> pythonTypeText(const Type &T, const Dialect &D, bool Simple = false);

/// The names of the fields of a result that is a struct sequence; empty where it is none.
std::vector<llvm::StringRef> pythonResultFields(const FunctionSchema &S);

/// Whether a call can be recorded by the tracer of TorchScript.
bool isTraceable(const FunctionSchema &S);

//===-- overloads -----------------------------------------------------------===//

/// A signature, and the function that it calls.
struct PythonOverload {
  PythonSignature Signature;
  const NativeFunction *Function = nullptr;
};

/// Overloads that differ in `out` only: they share the signature with `out`, if there is one.
struct PythonOverloadGroup {
  PythonSignature Signature;
  const NativeFunction *Base = nullptr;
  const NativeFunction *Out = nullptr; ///< null without
  std::string Text;                    ///< Signature.str()
};

/// All that is called by one name in one module.
struct PythonFunction {
  const BaseOperatorName *Name = nullptr;
  std::vector<PythonOverload> Overloads; ///< in function order, then the deprecated ones
  std::vector<PythonOverloadGroup> Groups;

  /// Called without the argument parser.
  bool hasNoArguments() const;
  bool isTraceable() const;
  unsigned maxArguments() const;
};

/// Pairs overloads with their out forms and puts the pairs into the order in which a call must try
/// them. Reports duplicates, out forms without partner, and overloads without an order.
std::vector<PythonOverloadGroup> groupPythonOverloads(llvm::ArrayRef<PythonOverload> Overloads,
                                                      const Dialect &D, Findings &Diags);

//===-- what is bound where -------------------------------------------------===//

enum class PythonNamespace : uint8_t { Tensor, Torch, Nn, Fft, Linalg, Nested, Sparse, Special };
inline constexpr unsigned NumPythonModules = 8;

/// Whether PyTorch generates a Python binding of \p F at all.
bool isBoundToPython(const NativeFunction &F, const Dialect &D);

/// The bindings of a release.
struct PythonBindings {
  /// In function order, methods of tensors included.
  std::vector<const NativeFunction *> Functions;
  /// By PythonNamespace, in the order in which names first come up.
  std::array<std::vector<PythonFunction>, NumPythonModules> Modules;

  llvm::ArrayRef<PythonFunction> of(PythonNamespace M) const { return Modules[unsigned(M)]; }
};

/// Reports every bound function that cannot be called from Python, deprecated entries that match no
/// function, and what is wrong with overloads; usable only if no error was added.
PythonBindings bindToPython(const Operators &Ops, const DeprecatedFunctions &Deprecated,
                            Findings &Diags);

//===-- dispatch ------------------------------------------------------------===//

/// How a call is made once the parser has found a signature: a lambda that calls the C++ API, and
/// what is handed to it.
struct PythonDispatch {
  struct Param {
    llvm::StringRef Name;
    std::string Type; ///< without a reference where the value is a temporary
    std::string From; ///< "_r.tensor(0)", "options", "self"
  };
  std::vector<Param> Params;
  std::string Returns;                 ///< "at::Tensor"
  std::string Callee;                  ///< "self.add", "torch::empty_symint"
  std::vector<std::string> CalleeArgs; ///< names of parameters, or constants
  std::vector<std::string> Before;     ///< statements before the lambda, in lines
  std::string After;                   ///< ".set_requires_grad(...)" behind its call, or empty
};

/// \p F is the function of \p S, or the base of its group.
PythonDispatch pythonDispatch(const PythonSignature &S, const NativeFunction &F, const Dialect &D);

} // namespace opsig

#endif
