//===- UnitReader.h - Many files => translation units, fast -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// jobs => those of which the cache has facts that still hold
//   + those that share headers, which are read once (a shared precompiled header)
//   + parseKernels() of the others, several at a time => UnitFacts*, in order
//
// The result is the same without cache and without shared precompiled headers.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_UNITREADER_H
#define OPSIG_FRONTEND_UNITREADER_H

#include "opsig/Frontend/NoteText.h"
#include <memory>
#include <optional>

namespace opsig {

/// One step of reading a file, or headers that several files share, and its cost.
struct ReadingStep {
  enum class Kind {
    Kept,           ///< found in the cache
    Planned,        ///< includes of several files were compared
    HeaderMade,     ///< a shared precompiled header was made
    HeaderKept,     ///< one was found in the cache
    WithHeader,     ///< a file was read with one
    Misfit,         ///< a file could not be read with one, and is read once more
    Alone,          ///< a file was read by itself
    Compared,       ///< there is something to report of it: tokens of headers were compared
    ComparedBefore, ///< likewise, of a text with the same includes, and found in the cache
    Confirmed,      ///< likewise, and it was read once more by itself
  };
  Kind Is;
  std::string File; ///< of those that share something, the first
  /// CPU time of the threads that read; Bodies is the part of it that went into function bodies.
  double Seconds = 0, Bodies = 0;
  unsigned Header = 0; ///< its number, from 1 on
  /// Why it does not fit, or cannot be created or read completely.
  std::string Why = {};
};

struct ReadingSettings {
  /// The cache folder; "" for no cache.
  std::string Cache;
  /// The version of opsig; cache entries of other versions are not used.
  std::string Opsig;
  /// Reads headers that several files include once. Who reports something that such units show has
  /// them confirmed first.
  bool SharedPchs = false;
  /// Files to read at a time; 0: one per processor.
  unsigned Threads = 0;
  /// What is in Cache is used; nothing is added or removed.
  bool CacheIsReadOnly = false;
  /// How often read() gets each file. If more than once, shared precompiled headers stay in memory
  /// from one reading to the next, also where messages are listened to and texts are not on disk.
  unsigned Readings = 1;
};

/// For those who look into texts and messages of a reading: of the job of that number.
struct ReadingListeners {
  std::function<NoteText(size_t)> Note;
  std::function<ClangMessages *(size_t)> Messages;
  /// Called by several threads.
  std::function<void(size_t)> Done;
  /// Called with the absolute paths of all files that the reading was made of, those of the system
  /// included. Called by several threads; for nothing where every file is read by itself.
  std::function<void(size_t, std::vector<std::string>)> Files;
};

class UnitReader {
public:
  explicit UnitReader(ReadingSettings Settings);
  ~UnitReader();

  /// Units are in the order of \p Jobs. Where somebody listens to texts, nothing comes out of the
  /// cache; where somebody listens to messages, or \p Options has texts that are not on disk, every
  /// file is read by itself, unless it is read several times (ReadingSettings::Readings).
  std::vector<UnitFacts> read(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                              const ReadingListeners &Listeners = {});

  /// Whether \p File was read with a shared precompiled header.
  bool isUnconfirmed(llvm::StringRef File) const;
  /// Makes sure of files that were read with a shared precompiled header: none where their units
  /// stand, and otherwise what they are when the file is read by itself.
  std::vector<std::optional<UnitFacts>> confirm(llvm::ArrayRef<ParseJob> Jobs,
                                                const ParseOptions &Options);

  /// How many shared precompiled headers were made so far, and how many units were read with one.
  unsigned numSharedPchs() const;
  unsigned numWithSharedPch() const;
  /// Why nothing is kept, though a cache was asked for; "" otherwise.
  const std::string &cacheProblem() const;
  /// How many units came out of the cache so far.
  unsigned numKept() const;
  /// All that was done so far.
  std::vector<ReadingStep> steps() const;

  struct Impl;

private:
  std::unique_ptr<Impl> TheImpl;
};

} // namespace opsig

#endif
