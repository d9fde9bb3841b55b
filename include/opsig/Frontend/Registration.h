//===- Registration.h - What TORCH_LIBRARY code registers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// initialisers of library blocks, functions that fill them (Clang AST, after macro expansion)
//   => RegistrationBlock { namespace, key, RegistrationEntry* { string, key, RegisteredKernel } }
//
// Plain data, as everything in a UnitFacts.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_REGISTRATION_H
#define OPSIG_FRONTEND_REGISTRATION_H

#include "opsig/Frontend/KernelDecl.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// The value of a string literal, of adjacent ones, or of a constant made of them, and where its
/// bytes stand.
struct LiteralText {
  /// Length bytes of the value from Offset on. As long as its source: letter for letter; otherwise
  /// one byte that is written as an escape.
  struct Piece {
    uint32_t Offset = 0;
    uint32_t Length = 0;
    Span Source;
    /// It is part of a constant that stands for something else, too, so that an edit would change
    /// both.
    bool Shared = false;
  };
  std::string Value;
  /// By Offset. Bytes in no piece were made by the preprocessor.
  std::vector<Piece> Pieces;
  /// The literals with their quotes, or the macro that holds them.
  Span Whole;

  /// Where the bytes stand: up to the end of the piece they begin in. Whole where that is not
  /// known.
  Span at(size_t Offset, size_t Length) const;
  bool isShared(size_t Offset, size_t Length) const;
};

/// Which C++ types a kernel may have is up to what it is handed to.
enum class KernelInterface : uint8_t {
  Dispatcher, ///< torch::Library
  Legacy,     ///< c10::RegisterOperators, which takes a few more
  Stable,     ///< TORCH_BOX of the stable ABI, where a value is copied as the type says
};

/// 64 bits that a kernel which is boxed by hand takes from its stack, or puts there.
struct StackValue {
  uint32_t Index = 0;
  CppType Type;         ///< what they are taken as, or made of; unread where nothing converts them
  std::string TypeText; ///< in one line; "" for an unread Type
  Span At;
  Span TypeAt;              ///< `int64_t` of `to<int64_t>(stack[1])`; invalid for what is put there
  bool Conditional = false; ///< stands in a branch, a loop or a lambda
};

/// What the body of such a kernel does with the stack, in the order of the source.
struct StackUse {
  std::vector<StackValue> Taken, Given;
  /// No other use of the stack was seen, and no error.
  bool Whole = false;

  bool isKnown() const { return !Taken.empty() || !Given.empty(); }
};

/// What is given to impl() or def().
struct RegisteredKernel {
  enum Form : uint8_t {
    None,          ///< nothing: def("schema")
    Function,      ///< a function, by name, pointer or TORCH_FN
    Lambda,        ///< a lambda or another object or class with one operator()
    Boxed,         ///< has no C++ signature
    Fallthrough,   ///< goes on to the next key
    Overloaded,    ///< the name of several functions
    Generic,       ///< a lambda or object whose operator() is a template
    Stateful,      ///< an object where only a lambda without captures is taken
    NoKernelClass, ///< a class where one derived from c10::OperatorKernel is wanted
    Uncalled,      ///< the name of a maker of CppFunction, without its call
    BareBoxed,     ///< takes an operator and its stack, and no maker says so
    Unread,        ///< something else, or code with errors
  } Is = None;
  std::string Name; ///< qualified; "" for what has no name
  bool Noexcept = false;
  KernelInterface Interface = KernelInterface::Dispatcher;
  /// What stands in the registration.
  Span Use;
  /// The declaration in the main file if there is one. Of a lambda NameAt is the introducer. Empty
  /// for forms without a signature.
  KernelDecl Decl;
  /// The other declarations outside of system headers, in the order of the source.
  std::vector<KernelDecl> Others;
  /// All declarations can be edited: no macro, no template is involved.
  bool Editable = false;
  /// What the linker looks for: the mangled name of a function that files of the project declare,
  /// and this file does not define. "" where that is nobody's business, or may be a library's.
  std::string Symbol;
  /// Of a Boxed one of the stable ABI whose body stands in the same unit.
  StackUse Stack;
  /// Of a Lambda that a function of the project's makes of a function: that one, as
  /// `with_wide_types(&f)` has it. None or one.
  std::vector<RegisteredKernel> Wrapped;

  bool hasSignature() const { return Is == Function || Is == Lambda; }
  /// The same, or what keeps it from having one is a finding of its own.
  bool isUnboxed() const { return Is != None && Is != Boxed && Is != Fallthrough; }
};

struct RegistrationEntry {
  enum Kind : uint8_t { Def, Impl, Fallback } Is = Def;
  /// Name or schema. Without value where it is no constant.
  LiteralText Text;
  bool TextKnown = false;
  /// The entry's own dispatch key, "CPU"; "" without.
  std::string Key;
  /// It has an own key that is no constant.
  bool KeyUnknown = false;
  /// Stands in a branch or a loop, or behind a statement that may leave the function.
  bool Conditional = false;
  /// Of a Def whose text is a name: its schema is written somewhere, but only running the code
  /// would tell how. No kernel comes with it.
  bool SchemaUnread = false;
  /// Stands in a function that may not be called.
  bool InFunction = false;
  /// The branch around it, by a number of its block; 0 for none. The branches in that one have the
  /// numbers up to LastInner.
  uint16_t Branch = 0, LastInner = 0;
  RegisteredKernel Kernel;
  /// Of a Def: the names of its tags, "out"; none where only running the code would tell.
  std::optional<std::vector<std::string>> Tags;
  Span At; ///< the call
  /// The compiler saw nothing of it: what is known is what its words say.
  bool TextOnly = false;
};

/// One TORCH_LIBRARY or STABLE_TORCH_LIBRARY block, or all of one RegisterOperators object.
struct RegistrationBlock {
  enum Kind : uint8_t {
    Library,
    Fragment,
    Impl,
    Legacy,
    Unknown, ///< a function that fills somebody else's block
  } Is = Library;
  std::string Namespace; ///< "" for Legacy and Unknown; "_" stands for any
  /// The macro that gives the namespace, as it stands in the block's own macro; "" without.
  std::string NamespaceMacro;
  /// The block's own macro does not expand that one: its name is the namespace.
  bool Pasted = false;
  std::string Key;     ///< of an Impl: "CPU"; "" if it is no constant
  bool Stable = false; ///< of the stable ABI: takes boxed kernels and those of TORCH_BOX
  Span At;             ///< the name of the macro, or where the object is declared
  /// Between the braces of what fills the block; invalid where that is no function of a file.
  Span Body;
  std::string Variable; ///< "m": what the block is called there
  std::vector<RegistrationEntry> Entries;
  /// Nothing was left out: no call that could not be read, no function out of sight that gets the
  /// block, but for those of HandedTo.
  bool Complete = true;
  /// A branch, a loop or a return decides whether some of HandedTo get it.
  bool HandedInBranch = false;
  /// Mangled names of functions of other files that get the block, too, in the order of the calls.
  std::vector<std::string> HandedTo;
  /// Of an Unknown one: the mangled name by which other files call the function that fills it; ""
  /// if they cannot.
  std::string Filler;

  bool isWhole() const { return Complete && HandedTo.empty(); }
};

/// What one call of `class_<T>(...).def(...)` adds to the class.
struct ClassMember {
  enum Kind : uint8_t { Init, Method, Static, Getter } Is = Method;
  std::string Name; ///< "" of an Init, and where it is no constant
  RegisteredKernel Kernel;
};

/// `torch::class_<T>("ns", "Name")`, `m.class_<T>("Name")`.
struct RegisteredClass {
  std::string Namespace; ///< "" where it is no constant
  std::string Name;      ///< likewise
  CppType Type;          ///< T
  Span At;
  bool Conditional = false; ///< stands in a branch or a loop
  std::vector<ClassMember> Members;
};

/// The custom classes of a unit.
struct CustomClasses {
  std::vector<RegisteredClass> Registered;
  /// Classes of the project's that derive from CustomClassHolder and that kernels take or return,
  /// as CppType::str() has them; sorted, each once.
  std::vector<std::string> Used;
  /// The text of the project's files may register more than Registered.
  bool MayHaveMore = false;
};

} // namespace opsig

#endif
