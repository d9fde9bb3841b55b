//===- OutVariantsInternal.h - Operators and their out variants -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_REGISTRATIONS_OUTVARIANTSINTERNAL_H
#define OPSIG_LIB_CHECK_REGISTRATIONS_OUTVARIANTSINTERNAL_H

#include "Registrations/RegistrationInternal.h"

namespace opsig {

/// The releases whose rules count.
struct TagRules {
  const Dialect &Cpp, &Python;

  const Dialect &of(const EntryRef &E) const { return E.Unit->Python ? Python : Cpp; }
};

/// The tag is given to the operator where it is defined, for certain.
bool hasOperatorTag(const EntryRef &Def, llvm::StringRef Tag);

/// Reports schemas that Tag::out or Tag::inplace of their operators does not fit.
void checkOperatorTags(const EntryRef &Def, const FunctionSchema &S, const TagRules &Rules,
                       UnitFiles &Files, Findings &Diags);

/// Reports out variants, by their names or tags, whose arguments and outputs are not those of the
/// operator, and those that lack the tag.
void checkOutVariants(llvm::ArrayRef<RegisteredOp> ByName, const TagRules &Rules, UnitFiles &Files,
                      Comparison &Done, Findings &Diags);

} // namespace opsig

#endif
