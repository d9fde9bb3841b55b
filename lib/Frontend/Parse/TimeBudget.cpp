//===- TimeBudget.cpp - What files that are given up may take together --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/TimeBudget.h"
#include <algorithm>

using namespace opsig;

double TimeBudget::left() const {
  constexpr double Least = 2;
  double Anew = std::max(Least, double(Most) / 20);
  return Most - std::min(Before, std::max(double(Most) - Anew, double(0))) - Spent;
}

unsigned TimeBudget::share(unsigned Bound, double Others) const {
  if (!Most || !Bound)
    return Bound;
  double Left = left() - Others;
  if (Left < 1)
    return 0;
  // A part, so that something is left for those that follow.
  double Share = std::min<double>(Bound, Left * 2 / 3);
  return std::max(1u, static_cast<unsigned>(Share));
}

unsigned TimeBudget::turn(unsigned Bound, double Others) const {
  constexpr double Times = 4;
  unsigned Share = share(Bound, Others);
  if (!Most || !Exceeded || !NumFiles)
    return Share;
  double Usual = Times * OfFiles / NumFiles;
  return std::min(Share, static_cast<unsigned>(std::max({Usual, left() / 10, 1.0})));
}
