//===- PythonNumber.h - Numbers as Python reads and prints them ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => int(text) | float(text) => repr
//
// Generators written in Python hand default values through these functions, so generated texts
// show what comes out of them. Only ASCII digits and spaces count here.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_PYTHONNUMBER_H
#define OPSIG_SUPPORT_PYTHONNUMBER_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace opsig {

/// str(int(Text)): "007" => "7", "-0" => "0"; nothing where int() would raise.
std::optional<std::string> pythonInt(llvm::StringRef Text);

/// float(Text); nothing where float() would raise.
std::optional<double> pythonFloat(llvm::StringRef Text);

/// The shortest digits that read back as a finite \p Value: "1.25", "3.0", and with an exponent,
/// which stands apart, "1" and "-08".
struct PythonDigits {
  std::string Mantissa;
  std::string Exponent; ///< with its sign and at least two digits; empty without
};
PythonDigits pythonDigits(double Value);

/// repr(Value): "1e-08", "0.5", "inf".
std::string pythonRepr(double Value);

} // namespace opsig

#endif
