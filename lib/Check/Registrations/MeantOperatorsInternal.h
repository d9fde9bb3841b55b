//===- MeantOperatorsInternal.h - Names of kernels that no operator has ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// entry whose name nobody defines => operators that may be meant => the one that is certain
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_MEANTOPERATORSINTERNAL_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_MEANTOPERATORSINTERNAL_H

#include "Registrations/RegistrationInternal.h"
#include "opsig/Operators/OperatorSuggestion.h"

namespace opsig {

class MeantOperators {
public:
  MeantOperators(const RegistrationTable &Table, const Operators &Ops, UnitFiles &Files)
      : Table(Table), Ops(Ops), Files(Files) {}

  /// By the name alone.
  const OperatorSuggestion &byName(llvm::StringRef Op);
  /// The same, with the overload first that the kernel fits.
  OperatorSuggestion of(const EntryRef &E);
  /// The one of \p Meant that the name can be edited to; "" where that is not certain: the kernel
  /// has to fit it alone and its key to lack a kernel, and \p IsOpen says that a part of the
  /// project was not read, which may have that. Another operator of PyTorch is never certain, since
  /// which names other releases have is not known.
  std::string certain(const EntryRef &E, const OperatorSuggestion &Meant, bool IsOpen);
  /// The name of \p Def can be edited to that of \p Op, under which its kernels are registered.
  bool isCertainTypo(const EntryRef &Def, const RegisteredOp &Op);
  /// Nothing in sight is the kernel of \p Op for the key of \p E.
  bool isFree(llvm::StringRef Op, const EntryRef &E) const;

private:
  OperatorNameIndex &indexOf(llvm::StringRef Namespace);
  bool fits(const EntryRef &E, llvm::StringRef Op);
  bool fitsNative(const EntryRef &E, const NativeFunction &F);
  /// Operators that the project defines in the namespace of \p Op and whose type the kernel has.
  std::vector<std::string> fitting(const EntryRef &E);
  bool isKnownToTorch(llvm::StringRef Op);

  const RegistrationTable &Table;
  const Operators &Ops;
  UnitFiles &Files;
  std::map<std::string, std::vector<std::string>> Names;
  std::map<std::string, OperatorNameIndex> Indices;
  std::map<std::string, OperatorSuggestion> Suggestions;
};

} // namespace opsig

#endif
