//===- TextInternal.h - Types and signatures as text ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CType x Dialect => letters at the end of a text
//
// Most of what is generated are signatures. Streams, which ask for every piece where it goes, take
// twice the time.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_SIGNATURE_TEXTINTERNAL_H
#define OPSIG_LIB_SIGNATURE_TEXTINTERNAL_H

#include "opsig/Signature/CType.h"

namespace opsig {

void append(std::string &Text, const CType &Ty, const Dialect &D);
void append(std::string &Text, const ReturnCType &Ty, const Dialect &D);

} // namespace opsig

#endif
