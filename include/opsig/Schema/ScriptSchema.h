//===- ScriptSchema.h - Schema strings as libtorch reads them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the string of m.def("...") => tokens => ScriptSchema | errors at offsets, remarks
//
// TORCH_LIBRARY code is read by TorchScript's parser, whose language is another one than that of
// native_functions.yaml (Parse.h): it has more types, is free in its layout, and takes much that is
// likely a mistake. What it refuses is an error here, what it takes by mistake a remark.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_SCRIPTSCHEMA_H
#define OPSIG_SCHEMA_SCRIPTSCHEMA_H

#include "opsig/Schema/Parse.h"

namespace opsig {

/// A stretch of the parsed string, in bytes.
struct TextRange {
  uint32_t Offset = 0;
  uint32_t Length = 0;
};

/// A type as libtorch understands it: `Dimname` is a str, `int[2]` an int[].
struct ScriptType {
  enum Kind : uint8_t {
    Named,    ///< "Tensor", "int", "Scalar"
    Variable, ///< a lower case name that is no type: stands for any type
    List,
    Optional,
    Tuple,
    Dict,
    Future,
    Await,
    RRef,
    Union,
    Class, ///< __torch__.torch.classes.Name
  } Is = Named;
  std::string Name; ///< of Named, Variable and Class
  std::vector<ScriptType> Elements;

  static ScriptType named(llvm::StringRef Name) { return {Named, Name.str(), {}}; }
  static ScriptType list(ScriptType Element) { return around(List, std::move(Element)); }
  static ScriptType optional(ScriptType Element) { return around(Optional, std::move(Element)); }
  /// Without a copy of \p Element, which may be deep.
  static ScriptType around(Kind Is, ScriptType Element) {
    ScriptType Out{Is, "", {}};
    Out.Elements.push_back(std::move(Element));
    return Out;
  }
  bool is(llvm::StringRef Base) const { return Is == Named && Name == Base; }
  /// "int[]?", "Dict(str, Tensor)".
  std::string str() const;
  friend bool operator==(const ScriptType &, const ScriptType &) = default;
};

struct ScriptAlias {
  std::vector<std::string> Before; ///< "*" for any
  std::vector<std::string> After;  ///< as Before where it is not written
  bool IsWrite = false;
  friend bool operator==(const ScriptAlias &, const ScriptAlias &) = default;
};

/// An argument or a return.
struct ScriptArgument {
  ScriptType Ty;
  std::string Name; ///< "" for a return without
  std::optional<ScriptAlias> Alias;
  std::optional<int64_t> Size; ///< 2 of `int[2]`
  bool HasDefault = false;
  bool KeywordOnly = false;
  TextRange TypeAt, NameAt, DefaultAt;

  bool isWrite() const { return Alias && Alias->IsWrite; }
};

struct ScriptSchema {
  std::string Namespace; ///< "" without
  std::string Name;
  std::string Overload;
  TextRange NameAt; ///< namespace and overload included
  /// Only the name was given.
  bool NameOnly = false;
  std::vector<ScriptArgument> Args, Returns;
  bool VarArgs = false, VarReturns = false;

  /// "add.out".
  std::string operatorName() const { return Overload.empty() ? Name : Name + "." + Overload; }
};

/// What libtorch's own headers say of strings that not all releases read alike.
struct ScriptRules {
  /// Lower case names that are no types stand for any type, also where no kernel is at hand to say
  /// which one; otherwise only in PyTorch's own namespaces.
  bool TypeVariables = true;
  /// Await(T) is a type.
  bool Awaits = false;
  /// What a ScalarType's default may be called, beside the few words that always were taken.
  std::vector<std::string> ScalarTypes;
  /// Names of devices, in lower case; none: any that a release has had.
  std::vector<std::string> DeviceTypes;
  friend bool operator==(const ScriptRules &, const ScriptRules &) = default;
};

/// Parses a schema or the name of an operator. \p Errors gets the first thing that libtorch
/// refuses, and then nothing is returned; \p Remarks everything that it takes although it is likely
/// wrong. Of
/// \p G only the names of the types count.
std::optional<ScriptSchema> parseScriptSchema(llvm::StringRef Text, const Grammar &G,
                                              const ScriptRules &Rules, SchemaErrors &Errors,
                                              SchemaErrors &Remarks);

} // namespace opsig

#endif
