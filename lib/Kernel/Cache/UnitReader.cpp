//===- UnitReader.cpp - many files => translation units ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "Parse/ParseInternal.h"

#include "llvm/Support/ThreadPool.h"
#include <atomic>

using namespace opsig;
using namespace llvm;

struct UnitReader::Impl {
  ReadingSettings Settings;
  CacheFolder Folder;
  FileStates States;
  FactsCache Facts;
  std::atomic<unsigned> NumKept = 0;

  explicit Impl(ReadingSettings S)
      : Settings(std::move(S)), Folder(Settings.Cache), Facts(Folder, States, Settings.Opsig) {}

  TranslationUnit readKept(const ParseJob &Job, const ParseOptions &Options);
};

TranslationUnit UnitReader::Impl::readKept(const ParseJob &Job, const ParseOptions &Options) {
  if (std::optional<TranslationUnit> Kept = Facts.find(Job, Options)) {
    ++NumKept;
    return std::move(*Kept);
  }
  FileTrace Trace(States);
  TranslationUnit Unit =
      parseKernels(Job, Options, NoteText(), ParseAids{/*Messages=*/nullptr, &Trace});
  Facts.keep(Job, Options, Unit, Trace);
  return Unit;
}

UnitReader::UnitReader(ReadingSettings Settings)
    : TheImpl(std::make_unique<Impl>(std::move(Settings))) {}

UnitReader::~UnitReader() { TheImpl->Folder.prune(); }

unsigned UnitReader::numKept() const { return TheImpl->NumKept; }

std::vector<TranslationUnit> UnitReader::read(ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                                              const ReadingListeners &Listeners) {
  std::vector<TranslationUnit> Units(Jobs.size());
  bool Keeps = TheImpl->Folder.isOpen() && Options.Buffers.empty() && !Listeners.Note &&
               !Listeners.Messages;
  DefaultThreadPool Pool(hardware_concurrency(TheImpl->Settings.Threads));
  for (size_t I = 0; I < Jobs.size(); ++I)
    Pool.async([&, I] {
      if (Keeps)
        Units[I] = TheImpl->readKept(Jobs[I], Options);
      else
        Units[I] =
            parseKernels(Jobs[I], Options, Listeners.Note ? Listeners.Note(I) : NoteText(),
                         Listeners.Messages ? Listeners.Messages(I) : nullptr);
      if (Listeners.Done)
        Listeners.Done(I);
    });
  Pool.wait();
  return Units;
}
