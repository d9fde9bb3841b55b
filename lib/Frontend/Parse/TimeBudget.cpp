//===- TimeBudget.cpp - What files that are given up may take together --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/TimeBudget.h"
#include <algorithm>

using namespace opsig;

unsigned TimeBudget::share(unsigned Bound, double Others) const {
  if (!Most || !Bound)
    return Bound;
  constexpr double Least = 2;
  double Anew = std::max(Least, double(Most) / 20);
  double Left = Most - std::min(Before, std::max(double(Most) - Anew, double(0))) - Spent - Others;
  if (Left < 1)
    return 0;
  // A part, so that something is left for those that follow.
  double Share = std::min<double>(Bound, Left * 3 / 5);
  return std::max(1u, static_cast<unsigned>(Share));
}
