//===- Subcommands.cpp - What all subcommands share --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Subcommands.h"

namespace cl = llvm::cl;

namespace opsig {

void Subcommand::addCommonOptions() {
  Color.emplace("color", cl::sub(parser()), cl::desc("Choose when text output has colors"),
                cl::init(ColorWhen::Auto),
                cl::values(clEnumValN(ColorWhen::Auto, "auto",
                                      "On a terminal, unless NO_COLOR is set (default)"),
                           clEnumValN(ColorWhen::Always, "always", "Also in a file or a pipe"),
                           clEnumValN(ColorWhen::Never, "never", "Nowhere")));
}

Subcommand::Choices Subcommand::allChoices() {
  Choices All = choices();
  if (Color)
    All.push_back({"color", &Color->getParser()});
  return All;
}

} // namespace opsig
