//===- CppType.h - C++ types as trees ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  a type of Clang's, and where it is written (lib/Frontend/Decls/ReadType.cpp)
// Out: CppType: what is left of the type after every alias, using declaration and inline namespace,
//   each part with its place in the source => compared, inferred from, edited, kept in facts
//
// Two types of one translation unit are the same exactly when their trees are equal; places do not
// count. Trees of different translation units must not be compared. Text is made of a tree for
// messages only, and never taken apart again.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_CPPTYPE_H
#define OPSIG_FRONTEND_CPPTYPE_H

#include "opsig/Frontend/Span.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace opsig {

struct CppType {
  enum Form : uint8_t {
    Unread,   ///< could not be read, or depends on what could not
    Named,    ///< a class, an enumeration, a built-in type; as an argument also a value
    Pointer,  ///< to Args[0]
    LeftRef,  ///< T &
    RightRef, ///< T &&
    Opaque,   ///< of functions, arrays and what else is only compared: Name is all there is
  };
  Form Is = Unread;
  bool Const = false;
  bool Volatile = false;
  std::string Name;          ///< "std::vector", "long", "3"; no versions of the standard library
  std::vector<CppType> Args; ///< of a template, without a vector's default allocator
  /// Where this part by itself is written: its name without arguments and const; "*", "&". Invalid
  /// where a macro or an alias holds it.
  Span At;

  static CppType named(std::string Name, std::vector<CppType> Args = {}) {
    return {Named, false, false, std::move(Name), std::move(Args), {}};
  }
  /// A pointer or reference to \p To; unread where that is.
  static CppType of(Form Is, CppType To);
  CppType constant() && {
    Const = Is != Unread;
    return std::move(*this);
  }

  bool isRead() const { return Is != Unread; }
  bool isRef() const { return Is == LeftRef || Is == RightRef; }
  /// This name, no template.
  bool is(llvm::StringRef Plain) const { return Is == Named && Args.empty() && Name == Plain; }
  bool isTemplate(llvm::StringRef Template, size_t NumArgs = 1) const {
    return Is == Named && Args.size() == NumArgs && Name == Template;
  }
  /// The arguments of a template.
  llvm::ArrayRef<CppType> arguments() const {
    return Is == Named ? llvm::ArrayRef(Args) : llvm::ArrayRef<CppType>();
  }
  /// What a reference refers to, else the type itself.
  const CppType &referee() const { return isRef() ? Args.front() : *this; }
  /// Without reference and const.
  CppType decayed() const;
  /// Each part has a name of its own, so that rules of inference can be asked: no function, no
  /// array, no member of a template, nothing without a name.
  bool isPlain() const;

  /// "std::vector<at::Tensor> const&"; "" for what could not be read.
  std::string str() const;
  /// As declarations have it: "const std::vector<at::Tensor> &", each name as \p Spell gives it,
  /// \p Comma between arguments; "" for what could not be read.
  std::string written(llvm::function_ref<std::string(llvm::StringRef Name)> Spell,
                      llvm::StringRef Comma) const;
  /// The same with the tree's own names.
  std::string written() const;

  friend bool operator==(const CppType &L, const CppType &R) {
    return L.Is == R.Is && L.Const == R.Const && L.Volatile == R.Volatile && L.Name == R.Name &&
           L.Args == R.Args;
  }
};

} // namespace opsig

#endif
