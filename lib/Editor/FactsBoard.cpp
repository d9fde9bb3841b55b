//===- FactsBoard.cpp - What is known of a workspace, from several threads ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Editor/FactsBoard.h"

namespace opsig {

void FactsBoard::putBuffer(SourceFactsPtr Facts) {
  std::lock_guard Lock(Mutex);
  Buffers[Facts->Path] = std::move(Facts);
  Index.reset();
}

void FactsBoard::putFile(SourceFactsPtr Facts) {
  std::lock_guard Lock(Mutex);
  Files[Facts->Path] = std::move(Facts);
  Index.reset();
}

void FactsBoard::closeBuffer(llvm::StringRef Path) {
  std::lock_guard Lock(Mutex);
  auto Known = Buffers.find(Path);
  if (Known == Buffers.end())
    return;
  Files[Known->first] = std::move(Known->second);
  Buffers.erase(Known);
  Index.reset();
}

std::shared_ptr<const CodeIndex> FactsBoard::index() {
  std::lock_guard Lock(Mutex);
  if (Index)
    return Index;
  std::vector<SourceFactsPtr> All;
  for (const auto &[Path, Facts] : Buffers)
    All.push_back(Facts);
  for (const auto &[Path, Facts] : Files)
    if (!Buffers.count(Path))
      All.push_back(Facts);
  return Index = std::make_shared<CodeIndex>(std::move(All));
}

std::shared_ptr<const LoadedSchemas> FactsBoard::schemasFor(llvm::StringRef Path) {
  std::lock_guard Lock(Mutex);
  for (const ByPath *Of : {&Buffers, &Files})
    if (auto Known = Of->find(Path); Known != Of->end() && Known->second->Schemas)
      return Known->second->Schemas;
  for (const ByPath *Of : {&Buffers, &Files})
    for (const auto &[Name, Facts] : *Of)
      if (Facts->Schemas)
        return Facts->Schemas;
  return nullptr;
}

} // namespace opsig
