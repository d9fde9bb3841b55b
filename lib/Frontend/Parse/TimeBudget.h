//===- TimeBudget.h - What files that are given up may take together ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// time of readings that came to their end, time of those that did not => how long the next may take
//
// Each file may take its own bound, but a run of many that do would have none. What is given up
// uses a budget of the run up, and what is read adds to it, so that a run takes no longer in vain
// than it takes for what it reads, and a fixed time besides. The less is left, the sooner the next
// file is given up; a run in which no file is given up is not bounded at all. Files that can be
// read come first: where one was given up, the next one that takes long has to wait for the others.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_TIMEBUDGET_H
#define OPSIG_LIB_FRONTEND_PARSE_TIMEBUDGET_H

namespace opsig {

class TimeBudget {
public:
  /// 0: as much as each file may take.
  void setBound(unsigned Seconds) { Most = Seconds; }
  unsigned bound() const { return Most; }

  /// Processor time, divided by how many processors there are for it.
  void wasRead(double Seconds) { Spent -= Seconds; }
  void wasGivenUp(double Seconds) { Spent += Seconds; }
  /// One of these took more than it may.
  void sawBoundExceeded() { Exceeded = true; }
  /// What one whole file took of the processor.
  void sawFile(double Seconds) {
    OfFiles += Seconds;
    ++NumFiles;
  }
  /// That a run before this one has used up. Some is left all the same, as that run's findings are
  /// lost.
  void wasUsedBefore(double Seconds) {
    Before += Seconds;
    Exceeded |= Seconds > 0;
  }
  /// In vain, without what was read; less than 0 where that was more.
  double spent() const { return Before + Spent; }

  /// How long a file may take that has \p Bound of its own (0: none), if others that are not done
  /// yet may use up \p Others. 0: it cannot be read.
  unsigned share(unsigned Bound, double Others = 0) const;
  /// The same of a file that can be read again, when all others have had a turn: once one took too
  /// much, not a lot more than others have taken.
  unsigned turn(unsigned Bound, double Others = 0) const;
  /// Seconds, maybe less than 0.
  double left() const;

private:
  unsigned Most = 0, NumFiles = 0;
  double Spent = 0, Before = 0, OfFiles = 0;
  bool Exceeded = false;
};

} // namespace opsig

#endif
