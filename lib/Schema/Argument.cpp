//===- Argument.cpp - Arguments, returns and alias annotations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Schema/Argument.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

std::string AliasAnnotation::str() const {
  return Before + (IsWrite ? "!" : "") + (After.empty() ? "" : " -> " + After);
}

llvm::SmallVector<llvm::StringRef, 2> aliasSets(llvm::StringRef Written) {
  llvm::SmallVector<llvm::StringRef, 2> Sets;
  Written.split(Sets, '|', -1, /*KeepEmpty=*/false);
  return Sets;
}

/// The annotation belongs to the word Tensor, the suffixes of the type follow it: "Tensor(a!)[]".
static void append(std::string &S, const Argument &A) {
  size_t Begin = S.size();
  S += A.Ty.str();
  if (A.Annotation)
    S.insert(Begin + A.Ty.innermost().str().size(), "(" + A.Annotation->str() + ")");
  if (!A.Name.empty())
    (S += ' ') += A.Name;
  if (A.Default) {
    S += '=';
    S += *A.Default;
  }
}

std::string Argument::str() const {
  std::string S;
  append(S, *this);
  return S;
}

bool operator==(const Argument &L, const Argument &R) {
  return L.Name == R.Name && L.Ty == R.Ty && L.Default == R.Default && L.Annotation == R.Annotation;
}

Arguments::Slice Arguments::preSelfPositional() const {
  return SelfIndex < 0 ? Slice() : positional().take_front(SelfIndex);
}

Arguments::Slice Arguments::postSelfPositional() const {
  return SelfIndex < 0 ? positional() : positional().drop_front(SelfIndex + 1);
}

Arguments::Slice Arguments::tensorOptions() const {
  return hasTensorOptions() ? all().slice(TensorOptionsIndex, 4) : Slice();
}

Arguments::Slice Arguments::kwargOnly() const { return nonOut().drop_front(NumPositional); }

Arguments::Slice Arguments::preTensorOptionsKwargOnly() const {
  return hasTensorOptions() ? kwargOnly().take_front(TensorOptionsIndex - NumPositional)
                            : kwargOnly();
}

Arguments::Slice Arguments::postTensorOptionsKwargOnly() const {
  return hasTensorOptions() ? nonOut().drop_front(TensorOptionsIndex + 4) : Slice();
}

bool Arguments::hasTensorArg() const {
  return llvm::any_of(nonOut(), [](const Argument &A) { return A.Ty.isTensorLike(); });
}

bool Arguments::hasSymIntArg() const {
  return llvm::any_of(nonOut(), [](const Argument &A) { return A.Ty.isSymIntLike(); });
}

bool Arguments::hasGeneratorArg() const {
  return llvm::any_of(nonOut(), [](const Argument &A) { return A.Ty.isGeneratorLike(); });
}

std::string Arguments::str() const {
  std::string S;
  S.reserve(24 * All.size()); // like "Tensor other, ", or more
  for (unsigned I = 0; I != All.size(); ++I) {
    if (I)
      S += ", ";
    if (I == NumPositional)
      S += "*, ";
    append(S, All[I]);
  }
  return S;
}

llvm::hash_code hash_value(const AliasAnnotation &A) {
  return llvm::hash_combine(A.Before, A.IsWrite, A.After);
}

llvm::hash_code hash_value(const Argument &A) {
  return llvm::hash_combine(A.Name, A.Ty, A.Default, A.Annotation);
}

llvm::hash_code hash_value(const Arguments &A) {
  return llvm::hash_combine(llvm::hash_combine_range(A.All.begin(), A.All.end()), A.NumPositional,
                            A.NumOut);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Argument &A) { return OS << A.str(); }

} // namespace opsig
