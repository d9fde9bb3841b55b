//===- NearNames.cpp - What was meant, among many names ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/NearNames.h"
#include "opsig/Support/Diagnostic.h"

namespace opsig {

std::string NearNames::didYouMean(llvm::StringRef Name) {
  if (exhausted())
    return "";
  ComparisonsLeft -= Candidates.size();
  return opsig::didYouMean(Name, Candidates);
}

} // namespace opsig
