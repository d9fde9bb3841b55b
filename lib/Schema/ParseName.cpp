//===- ParseName.cpp - Text => OperatorName --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig::schema {

/// Bases of Python's augmented assignments: `__iadd__` is the inplace variant of `__add__`.
static constexpr llvm::StringLiteral AugmentedAssignments[] = {
    "add", "sub", "mul", "div", "mod", "pow", "lshift", "rshift", "and", "xor", "or"};

/// Takes `ns::` off \p Text.
static bool takeNamespace(Context &C, llvm::StringRef &Text, std::string &Namespace) {
  size_t Colons = Text.rfind("::");
  if (Colons == llvm::StringRef::npos)
    return true;
  llvm::StringRef Written = Text.take_front(Colons);
  llvm::StringRef Prefix = Text.take_front(Colons + 2);
  Text = Text.drop_front(Colons + 2);
  if (!C.G.NamespacedNames) {
    C.error(
        finding::OpNameNamespace, Prefix,
        "this release of PyTorch does not support a namespace in the operator's name; write '{0}'",
        quoted(Text));
    return false;
  }
  llvm::SmallVector<llvm::StringRef, 2> Levels;
  Written.split(Levels, "::");
  for (llvm::StringRef Level : Levels) {
    if (Level.empty()) {
      C.error(finding::OpNameEmptyNamespace, Prefix, "expected a namespace before '::'");
      return false;
    }
    if (llvm::StringRef Bad = firstNonIdentifier(Level); !Bad.empty()) {
      C.error(finding::OpNameNotIdentifier, Bad, "{0} cannot be part of the namespace '{1}'",
              characterName(Bad), quoted(Written));
      return false;
    }
  }
  Namespace = Written.str();
  return true;
}

static bool parseBase(Context &C, llvm::StringRef Text, BaseOperatorName &N) {
  if (!takeNamespace(C, Text, N.Namespace))
    return false;
  if (Text.empty()) {
    C.error(finding::OpNameMissing, Text, "expected the name of the operator");
    return false;
  }
  if (llvm::StringRef Bad = firstNonIdentifier(Text); !Bad.empty()) {
    C.error(finding::OpNameNotIdentifier, Bad,
            "{0} cannot be part of an operator's name, which becomes a C++ name",
            characterName(Bad));
    return false;
  }
  if (Text.ends_with("_out")) {
    C.error(finding::OpNameOutSuffix, Text.take_back(4),
            "the suffix '_out' is reserved for the C++ names of out variants; write the overload "
            "'{0}.out'",
            quoted(Text.drop_back(4)));
    return false;
  }

  std::string Namespace = std::exchange(N, BaseOperatorName::of(Text)).Namespace;
  N.Namespace = std::move(Namespace);
  llvm::StringRef Base = N.Base;
  if (N.Dunder && !N.Inplace && Base.starts_with("i")) {
    C.error(finding::OpNameDunderI, Text.drop_front(2).drop_back(2),
            "the '__i' in '{0}' means in-place, but '{1}' has no in-place form; expected one "
            "of: {2}",
            quoted(Text), quoted(Base.drop_front()),
            llvm::join(std::begin(AugmentedAssignments), std::end(AugmentedAssignments), ", "));
    return false;
  }
  if (N.Inplace && Base.ends_with("_functional")) {
    C.error(finding::OpNameFunctionalInplace, Text.take_back(1),
            "'{0}' cannot be functional, because its trailing '_' makes it in-place", quoted(Text));
    return false;
  }
  if (Base.empty()) {
    C.error(finding::OpNameMissing, Text, "expected a name before the suffix '{0}'", quoted(Text));
    return false;
  }
  return true;
}

static bool parseOverload(Context &C, llvm::StringRef Dot, llvm::StringRef Text) {
  if (Text.empty()) {
    C.error(
        finding::OverloadEmpty, Dot,
        "expected the name of an overload after '.'; remove the '.' if there is no overload name");
    return false;
  }
  if (llvm::StringRef Bad = firstNonIdentifier(Text, /*MayBeginWithDigit=*/true); !Bad.empty()) {
    C.error(finding::OverloadNotIdentifier, Bad,
            "{0} cannot be part of an overload's name, which becomes part of a C++ name",
            characterName(Bad));
    return false;
  }
  if (Text == "default" || Text == "__init__") {
    C.error(finding::OverloadReserved, Text,
            "PyTorch rejects the overload name '{0}' at registration{1}", Text,
            Text == "default" ? "; Python uses this name for the overload without a name" : "");
    return false;
  }
  return true;
}

std::optional<OperatorName> parseName(Context &C, llvm::StringRef Text) {
  OperatorName N;
  size_t Dot = Text.find('.');
  bool Good = parseBase(C, Text.take_front(Dot), N.Name);
  if (Dot != llvm::StringRef::npos) {
    llvm::StringRef Overload = Text.drop_front(Dot + 1);
    Good &= parseOverload(C, Text.substr(Dot, 1), Overload);
    N.Overload = Overload.str();
  }
  if (!Good)
    return std::nullopt;
  return N;
}

} // namespace opsig::schema

/// `__base__`, with no other underscore than these four.
static bool isDunder(llvm::StringRef Text) {
  return Text.size() > 4 && Text.starts_with("__") && Text.ends_with("__") &&
         !Text.drop_front(2).drop_back(2).contains('_');
}

opsig::BaseOperatorName opsig::BaseOperatorName::of(llvm::StringRef Written) {
  BaseOperatorName N;
  if (isDunder(Written)) {
    N.Dunder = true;
    Written = Written.drop_front(2).drop_back(2);
    N.Inplace = Written.starts_with("i") &&
                llvm::is_contained(schema::AugmentedAssignments, Written.drop_front());
    Written = Written.drop_front(N.Inplace);
  } else if (Written.consume_back("_")) {
    N.Inplace = true;
  } else {
    N.FunctionalOverload = Written.consume_back("_functional");
  }
  N.Base = Written.str();
  return N;
}
