//===- EditorInternal.h - What the answers to an editor share ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_EDITOR_EDITORINTERNAL_H
#define OPSIG_LIB_EDITOR_EDITORINTERNAL_H

#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// One of `TORCH_LIBRARY_IMPL(ns, CPU, m)`, as it is written.
struct BlockArgument {
  llvm::StringRef Name;
  size_t Offset;     ///< of Name
  size_t Begin, End; ///< between parenthesis or comma and the next
};

/// The arguments of the macro that stands at the offset \p Macro of \p Text; what is not closed
/// ends with the text.
std::vector<BlockArgument> blockArguments(llvm::StringRef Text, size_t Macro);

/// Text for people, as Markdown or plain.
class HoverText {
public:
  explicit HoverText(bool Markdown) : Markdown(Markdown) {}

  void title(llvm::StringRef Name);
  void paragraph(llvm::StringRef Text);
  void code(llvm::StringRef Text, llvm::StringRef Language);
  /// \p What with \p Name as code before it: "- `CPU`: `add_cpu`, a.cpp:3".
  void item(llvm::StringRef Name, llvm::StringRef What);
  /// \p Text as code within a line.
  std::string quoted(llvm::StringRef Text) const {
    return Markdown ? markdownCode(Text) : safeText(Text);
  }
  std::string take() { return std::move(Out); }
  bool empty() const { return Out.empty(); }

private:
  void begin(bool IsItem);

  bool Markdown;
  bool InItems = false;
  std::string Out;
};

} // namespace opsig

#endif
