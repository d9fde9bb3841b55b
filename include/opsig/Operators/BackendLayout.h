//===- BackendLayout.h - How forks lay out the YAML of a backend -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backends with generators of their own have YAML of their own: other sections, items that are
// mappings, schemas of operators that PyTorch does not have. A layout describes one of them, as
// data: those that are known here, and `backend-layouts` of .opsig.yaml.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_BACKENDLAYOUT_H
#define OPSIG_OPERATORS_BACKENDLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace opsig {

/// A list in the YAML.
struct BackendSection {
  enum Kind : uint8_t {
    Operators, ///< names of operators that there are, or schemas of which only the name counts
    Schemas,   ///< schemas, each of which defines an operator
    SymInt,    ///< names of operators whose kernels take SymInt
    Ignored,
    Generated, ///< as Operators, but the backend's generator writes their kernels
  };
  std::string Name; ///< "supported"
  Kind Is = Operators;
  /// Of the kernels; empty for the backend's own. "Autograd${backend}".
  std::string Key;
  /// Of the operators that schemas define: "npu".
  std::string Namespace;
};

/// A second kernel that an item with a field, `custom_autograd: True`, asks for.
struct ExtraKernel {
  std::string Field;
  std::string Key;
  std::string Kernel; ///< as BackendLayout::Kernel
};

struct BackendLayout {
  std::string Name; ///< "torch_npu"

  /// What `backend:` may be, and which dispatch key that stands for: NPU, PrivateUse1.
  std::vector<std::pair<std::string, std::string>> Keys;
  /// Values of `backend:` that others have, too: they count where the file has a section that
  /// PyTorch's own layout lacks.
  std::vector<std::string> SharedKeys;
  // What holds where the file does not say.
  std::string Backend;
  std::string CppNamespace;
  std::string ClassName;
  /// Kernels are functions of the namespace that is called as the class would be; their structured
  /// classes stand there, too, and not beside the class.
  bool IsNamespace = false;
  /// Kernels have the native signature; else the dispatcher's, as external backends of torchgen.
  bool IsNative = false;

  /// The file is a list of items, which counts as the first section.
  bool IsList = false;
  /// The items of the list have schemas, as native_functions.yaml has; the backend is the key of
  /// Keys that most of them have kernels for, PyTorch itself may have some for it, and kernels of
  /// other keys are PyTorch's.
  bool IsNativeFunctions = false;
  std::vector<BackendSection> Sections;

  /// Items that are mappings have one key, the operator, and its fields behind that. PyTorch's own
  /// layout with such items is this one, whatever its `backend:`.
  bool ItemsByName = false;
  /// The field of an item with the operator's name or schema.
  std::string Operator = "func";
  /// Fields of items that decide nothing here.
  std::vector<std::string> Ignored;
  /// What stands for a field that an item does not have.
  std::vector<std::pair<std::string, std::string>> Defaults;

  /// The kernel's name: ${name} is that of torchgen, ${overload} "_" and the overload, if there is
  /// one, ${operator} the operator's own name with "_" for its dot, ${field} what the item's field
  /// says. Empty: items name their kernels, key by key, under
  /// `dispatch:`; those without have none.
  std::string Kernel;
  /// What follows "structured_" in the class of a structured kernel; empty: its kernel's name.
  std::string StructuredKernel;
  /// A kernel is structured where PyTorch's is, unless the item says otherwise; else only where the
  /// item says so.
  bool StructuredByDefault = false;
  /// Out functions are the primary ones where the file does not say.
  bool OutIsPrimary = true;
  /// Classes of structured kernels are members of the backend's class.
  bool StructuredInClass = false;
  /// The field that says that the class of a structured kernel has a meta function of its own.
  std::string MetaField;
  /// A kernel that is called as PyTorch's own for CPU or CUDA is that one.
  bool SharesNamed = false;
  /// PyTorch's structured kernel is taken where CPU and CUDA share one, unless a field of these
  /// asks for another.
  bool SharesStructured = false;
  std::vector<std::string> OverrideFields;
  std::vector<ExtraKernel> Extra;

  const BackendSection *section(llvm::StringRef Name) const;
  /// A section or a field of an item is called so.
  bool knows(llvm::StringRef Name) const;
};

/// Those of public forks.
llvm::ArrayRef<BackendLayout> knownBackendLayouts();

} // namespace opsig

#endif
