//===- Documents.h - The texts that an editor has open ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// didOpen, didChange, didClose => Documents: what stands in each buffer now
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LSP_DOCUMENTS_H
#define OPSIG_LSP_DOCUMENTS_H

#include "opsig/Lsp/Message.h"
#include <map>
#include <memory>

namespace opsig {

struct Document {
  std::string Uri;  ///< as the editor writes it
  std::string Path; ///< "" where it is no file on disk
  std::shared_ptr<const std::string> Text;
  std::optional<int64_t> Version;
};

class Documents {
public:
  /// Each takes the parameters of its notification. A change of what is not open, or that has no
  /// text, changes nothing. True where a document has another text now.
  bool open(const llvm::json::Object &Params);
  bool change(const llvm::json::Object &Params);
  bool close(const llvm::json::Object &Params);

  void setUnits(PositionUnits Of) { Units = Of; }
  PositionUnits units() const { return Units; }

  /// Null where it is not open.
  const Document *find(llvm::StringRef Uri) const;
  const Document *findPath(llvm::StringRef Path) const;
  /// By URI.
  const std::map<std::string, Document, std::less<>> &all() const { return ByUri; }

private:
  std::map<std::string, Document, std::less<>> ByUri;
  PositionUnits Units = PositionUnits::Utf16;
};

} // namespace opsig

#endif
