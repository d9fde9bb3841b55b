//===- RegistrationPlanInternal.h - What a key registers, before its text ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function or group x BackendIndex => KeyFunction (Wrapper | StructuredKernel) => KeyCode:
// signature,
//   calls, devices => definition, registration, direct bindings
//
// The author of a structured operator writes a meta function, which computes shapes, and per
// backend an impl function, which fills outputs that exist already. The class made for it derives
// from both: it says what becomes of an output once its shape is known. The wrapper makes an object
// of it, and calls meta and impl.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_REGISTER_REGISTRATIONPLANINTERNAL_H
#define OPSIG_LIB_CODEGEN_REGISTER_REGISTRATIONPLANINTERNAL_H

#include "Print/CppInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Codegen/WrapperPlan.h"
#include "opsig/Dialect/OutputTraits.h"

namespace opsig {

//===-- Who is registered ---------------------------------------------------===//

struct StructuredKernel {
  const NativeFunctionsGroup *Group;
  /// The member of the group that is registered: functional, out or inplace.
  const NativeFunction *Function;

  /// What follows the meta function.
  enum class Then : uint8_t {
    Nothing, ///< key Meta
    CallOut, ///< the key for all backends: their out function is called through the dispatcher
    Impl,
  } After;

  std::string ClassName;   ///< "structured_add_out_inplace"
  std::string ParentClass; ///< "at::native::structured_add_out"
};

/// That of \p F in a group whose members have structured kernels under the key of \p Index. The key
/// for all backends has no out function, which is what backends define.
std::optional<StructuredKernel> planStructuredKernel(const NativeFunction &F,
                                                     const NativeFunctionsGroup &G,
                                                     const BackendIndex &Index);

/// A function that has a wrapper under a key.
struct KeyFunction {
  const NativeFunction *Function;
  std::variant<Wrapper, StructuredKernel> By;
};

/// What becomes of one member of \p G.
std::variant<KeyFunction, Unregistered>
planKeyFunction(const NativeFunction &F, const FunctionOrGroup &G, const BackendIndex &Index);
/// Those of \p G, in group order.
std::vector<KeyFunction> planKeyFunctions(const FunctionOrGroup &G, const BackendIndex &Index);

/// Whether any function of \p G has a kernel listed, or \p G is structured and gets some under
/// \p Key all the same.
bool isRegistered(const FunctionOrGroup &G, const BackendIndex &Index, DispatchKey Key);

/// The index of \p Key. For a key that no function lists, that of no key: even what is made for
/// every structured group is not made for it.
const BackendIndex &indexOrNone(const AtenInput &In, DispatchKey Key);

/// The namespace of the kernels of \p G: of the primary function's kernel, or PyTorch's own.
llvm::StringRef kernelNamespace(const FunctionOrGroup &G, const BackendIndex &Index);
llvm::StringRef rootName(const FunctionOrGroup &G);

//===-- What is printed -----------------------------------------------------===//

/// On whose behalf wrappers are made.
struct WrapperContext {
  const BackendIndex &Index;
  const Dialect &D;
  /// The class that all kernels of an external backend are static members of; "" for kernels in a
  /// namespace.
  llvm::StringRef ClassName = "";
  bool Rocm = false;
};

/// A wrapper: its own signature, under a name that no other wrapper has, and what it does.
struct KeyCode {
  KeyFunction For;
  Signature Own;
  DeviceHandling Devices;
  std::string Callee;   ///< "at::native::add", the functional form's wrapper, "op.impl"; "" without
  std::string Args;     ///< of that
  std::string MetaArgs; ///< of a structured kernel's meta function
  std::optional<CopyBack> Back;
};

KeyCode planKeyCode(KeyFunction For, const WrapperContext &C, FirstError &Failed);
void planStructuredCalls(KeyCode &Code, const StructuredKernel &K, const Lowering &L,
                         FirstError &Failed);

/// The definition of the wrapper.
void printDefinition(std::string &Out, const KeyCode &Code, const WrapperContext &C);
void printStructured(std::string &Out, const KeyCode &Code, const StructuredKernel &K,
                     const WrapperContext &C);

/// Statements that compare the devices of arguments; a comment where none are compared.
void printDeviceCheck(std::string &Out, const KeyCode &Code, const OutputTraits &O);

/// The registrations of \p Codes in a TORCH_LIBRARY_IMPL of their own.
void printLibraryBlock(std::string &Out, llvm::StringRef Namespace,
                       llvm::ArrayRef<const KeyCode *> Codes, const WrapperContext &C);

/// torchgen fills a hole with the list of a text's lines, of which an empty one is no element:
/// removes the empty lines from \p Begin on.
void removeEmptyLines(std::string &Text, size_t Begin);

/// Whether the class sets a device guard, once it knows the outputs.
bool guardsOutputs(DispatchKey Key, const Dialect &D);

//===-- What stands around it -----------------------------------------------===//

/// Which headers there are to include.
struct HeaderChoice {
  /// A header per operator instead of one for all.
  bool PerOperator = false;
  /// ROCm's instead of CUDA's.
  bool Rocm = false;
};

/// One #include line an element: the kernels' declarations, then what makes empty tensors for \p
/// Key.
std::vector<std::string> registrationHeaders(DispatchKey Key, const Dialect &D,
                                             HeaderChoice Choice = {});
/// Includes of files that use CUDA, or HIP in its place.
std::string cudaHeaders(bool Rocm, const OutputTraits &O);

/// Functions that structured kernels of \p Key make or check their outputs with.
std::vector<std::string> registrationHelpers(DispatchKey Key, const Dialect &D);

/// Which list names the files of \p Key.
FileList listOfKey(DispatchKey Key);

//===-- RegisterBackendSelect.cpp -------------------------------------------===//

enum class BackendSelect : uint8_t { ByOptions, ByOptionsAndTensors };
std::variant<BackendSelect, Nothing> planBackendSelect(const NativeFunction &F,
                                                       const Selector &Selected);

} // namespace opsig

#endif
