//===- Messages.cpp - What is said on standard error -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Messages.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

void complain(llvm::Error Err) {
  llvm::handleAllErrors(std::move(Err), [](const llvm::ErrorInfoBase &Each) {
    llvm::WithColor::error(llvm::errs(), "opsig") << safeText(Each.message()) << '\n';
  });
}

void reportNote(const llvm::Twine &Text) {
  llvm::WithColor::note(llvm::errs(), "opsig") << safeText(Text.str()) << '\n';
}

void reportWarning(const llvm::Twine &Text) {
  llvm::WithColor::warning(llvm::errs(), "opsig") << safeText(Text.str()) << '\n';
}

} // namespace opsig
