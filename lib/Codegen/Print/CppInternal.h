//===- CppInternal.h - C++ that many families print -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// signatures, namespaces, calls => values of templates; what can fail on the way => its first
// reason
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CODEGEN_PRINT_CPPINTERNAL_H
#define OPSIG_LIB_CODEGEN_PRINT_CPPINTERNAL_H

#include "opsig/Signature/Translate.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

//===-- Planning that may fail ----------------------------------------------===//

/// A family has nothing for a function: why, for people.
struct Nothing {
  llvm::StringRef Why;
};

/// Takes what may have failed: the first reason is kept, and what failed is empty.
class FirstError {
public:
  template <typename T> T take(llvm::Expected<T> Value) {
    if (Value)
      return std::move(*Value);
    fail(llvm::toString(Value.takeError()));
    return T();
  }
  void fail(const llvm::Twine &Reason) {
    if (!Why)
      Why = Reason.str();
  }
  explicit operator bool() const { return Why.has_value(); }

  std::optional<std::string> Why;
};

/// Arguments for \p Want made of \p Have, joined with ", ".
template <typename T>
std::string argumentsFor(llvm::ArrayRef<Binding> Want, const std::vector<T> &Have, const Dialect &D,
                         FirstError &Failed, TranslateOptions Options = {}) {
  if constexpr (std::same_as<T, Binding>)
    return Failed.take(callArguments(Have, Want, D, Options));
  std::vector<NamedCType> Types;
  for (const Binding &B : Want)
    Types.push_back(B.Type);
  if constexpr (!std::same_as<T, Binding>)
    return join(Failed.take(translate(llvm::ArrayRef<Expr>(Have), Types, D, Options)));
}

//===-- Lists of parameters -------------------------------------------------===//

/// "const at::Tensor & self, int64_t dim=0"
inline auto declarations(llvm::ArrayRef<Binding> Params, const Dialect &D) {
  return each(std::move(Params), [&D](const Binding &B) { return B.decl(D); });
}
/// The same without defaults.
inline auto definitions(llvm::ArrayRef<Binding> Params, const Dialect &D) {
  return each(std::move(Params), [&D](const Binding &B) { return B.defn(D); });
}
/// "self, dim"
inline auto names(llvm::ArrayRef<Binding> Params) {
  return each(std::move(Params), [](const Binding &B) -> llvm::StringRef { return B.Name; });
}

/// A signature as defn() spells it, printed into the buffer of what it stands in. What it is made
/// of has to live on.
inline auto definition(const Signature &S, const Dialect &D, llvm::StringRef As = {}) {
  return [&S, &D, As](std::string &To) { S.appendDefn(To, D, As); };
}
/// "Type name(c10::DispatchKeySet dispatchKeySet, ...)"
constexpr llvm::StringLiteral KeySetParam = "c10::DispatchKeySet dispatchKeySet";
inline auto redispatchingDefn(const Signature &S, const Dialect &D, llvm::StringRef As = {}) {
  return [&S, &D, As](std::string &To) { S.appendDefn(To, D, As, KeySetParam); };
}

//===-- Namespaces and headers ----------------------------------------------===//

/// A line "namespace a {" for every level of "a::b", outermost first.
inline std::string openNamespaces(llvm::StringRef Path) {
  std::string Text;
  for (llvm::StringRef Name : llvm::split(Path, "::"))
    Text += ("namespace " + Name + " {\n").str();
  return Text;
}

/// A line "} // namespace b" for every level of "a::b", innermost first.
inline std::string closeNamespaces(llvm::StringRef Path) {
  std::string Text;
  for (llvm::StringRef Name : llvm::split(Path, "::"))
    Text = ("} // namespace " + Name + "\n").str() + Text;
  return Text;
}

/// \p Text without every \p Part: "at" of "at::native" without "::native".
inline std::string without(llvm::StringRef Part, std::string Text) {
  for (size_t At; (At = Text.find(Part)) != std::string::npos;)
    Text.erase(At, Part.size());
  return Text;
}

/// "#include <ATen/ops/add_native.h>"
inline std::string opInclude(llvm::StringRef Root, llvm::StringRef Suffix) {
  std::string Line; // of which there are ten thousands
  Line.reserve(32 + Root.size() + Suffix.size());
  return (((Line += "#include <ATen/ops/") += Root) += Suffix) += ".h>";
}
inline std::string opInclude(const NativeFunction &F, llvm::StringRef Suffix) {
  return opInclude(F.rootName(), Suffix);
}
/// "_cpu_dispatch"
inline std::string dispatchSuffix(DispatchKey Key) { return "_" + toLower(Key) + "_dispatch"; }
/// "#include <ATen/CPUFunctions.h>"
inline std::string functionsInclude(DispatchKey Key) {
  return ("#include <ATen/" + toString(Key) + "Functions.h>").str();
}

/// Of a list, also of an optional one; 0 without. std::array<bool, N> has it in its type.
inline unsigned sizeOfList(const Type &T) {
  std::optional<Type> List = T.listLike();
  return List && !List->elem().is(BaseTy::Bool) ? List->listSize() : 0;
}

inline llvm::StringRef boolText(bool Value) { return Value ? "true" : "false"; }

} // namespace opsig

#endif
