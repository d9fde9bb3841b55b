//===- WorkspaceTexts.cpp - Open buffers, and files on disk behind them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WorkspaceTexts.h"
#include "opsig/Support/ReadFile.h"

namespace json = llvm::json;

namespace opsig {

std::shared_ptr<const std::string> WorkspaceTexts::text(llvm::StringRef Path) {
  if (Path.empty())
    return nullptr;
  if (const Document *Of = Open.findPath(Path))
    return Of->Text;
  if (auto Known = Read.find(Path); Known != Read.end())
    return Known->second;
  std::shared_ptr<const std::string> Text;
  if (auto Buffer = readWholeFile(Path))
    Text = std::make_shared<std::string>((*Buffer)->getBuffer());
  else
    llvm::consumeError(Buffer.takeError());
  return Read[Path.str()] = Text;
}

json::Object WorkspaceTexts::range(const FileSpan &At) {
  std::shared_ptr<const std::string> Text = text(At.Path);
  if (!Text)
    return rangeJson({}, {});
  TextLines Lines(*Text);
  return rangeJson(Lines.position(At.Offset, Open.units()),
                   Lines.position(At.Offset + At.Length, Open.units()));
}

std::string WorkspaceTexts::uriOf(llvm::StringRef Path) const {
  const Document *Of = Open.findPath(Path);
  return Of ? Of->Uri : uriOfPath(Path);
}

json::Array WorkspaceTexts::locations(llvm::ArrayRef<FileSpan> Spans) {
  json::Array Out;
  for (const FileSpan &At : Spans)
    if (text(At.Path))
      Out.push_back(json::Object{{"uri", uriOf(At.Path)}, {"range", range(At)}});
  return Out;
}

} // namespace opsig
