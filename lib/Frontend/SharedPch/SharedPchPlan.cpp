//===- SharedPchPlan.cpp - which files share which prefix ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ParseInternal.h"
#include "SharedPch/SharedPchPlan.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using llvm::BitVector;

/// Making a prefix costs as much as reading its headers, and half of that again to write them.
static constexpr double CostOfMaking = 1.5;
/// And to try with which macros they are the same, as much as the preprocessor alone takes.
static constexpr double CostOfTrying = 0.15;
/// More sets of headers than this are not compared each with each.
static constexpr size_t MaxCompared = 200;

std::string opsig::allIncludes(llvm::ArrayRef<ScannedIncludes> Scans) {
  std::set<llvm::sys::fs::UniqueID> Seen;
  std::string Text;
  for (const ScannedIncludes &Scan : Scans)
    for (const ScannedIncludes::Header &Header : Scan.Headers)
      if (Seen.insert(Header.Id).second)
        Text += Header.As.directive();
  return Text;
}

std::vector<LeadingMacro> SharedPchGroup::moreOf(const SharedPchGroup &Other) const {
  std::vector<LeadingMacro> More = Other.Macros;
  llvm::erase_if(More,
                 [&](const LeadingMacro &Macro) { return llvm::is_contained(Macros, Macro); });
  return More;
}

namespace {

/// Files with the same macros, and the headers that all of them include.
struct Cluster {
  std::vector<size_t> Files;
  std::vector<LeadingMacro> Macros;
  BitVector Common;
  /// Clusters that may share its prefix.
  std::vector<Cluster> Others = {};
};

class Planner {
public:
  Planner(const IncludeGraph &Graph, const FileTrace::Question &IsProjectFile,
          const SharedPchLimits &Limits)
      : Graph(Graph), Limits(Limits), Good(Graph.Files.size(), true) {
    for (uint32_t I = 0; I < Graph.Files.size(); ++I)
      if (Graph.Files[I].Lacks || IsProjectFile(Graph.Files[I].Name) ||
          llvm::StringRef(Graph.Files[I].Name).starts_with(FallbackDir))
        Good.reset(I);
    // Nor what includes one of these.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t I = 0; I < Graph.Files.size(); ++I)
        if (Good.test(I) && llvm::any_of(Graph.Files[I].Includes,
                                         [&](uint32_t Included) { return !Good.test(Included); })) {
          Good.reset(I);
          Changed = true;
        }
    }
  }

  void add(size_t Number, const ScannedIncludes &Scan);
  std::vector<SharedPchGroup> plan();

private:
  uint64_t weight(const BitVector &Headers) const {
    uint64_t Bytes = 0;
    for (unsigned I : Headers.set_bits())
      Bytes += Graph.Files[I].Size;
    return Bytes;
  }
  double gain(size_t NumFiles, const BitVector &Common) const {
    size_t Times = NumFiles * Limits.Readings;
    return Times < 2 ? 0 : (Times - CostOfMaking) * weight(Common);
  }
  double gainOfJoining(const Cluster &L, const Cluster &R) const;
  static void join(Cluster &Into, const Cluster &Other) {
    llvm::append_range(Into.Files, Other.Files);
    Into.Common &= Other.Common;
  }
  void joinClusters();
  void shareClusters();
  bool isWorthwhile(const Cluster &C) const {
    return C.Files.size() * Limits.Readings > 1 && weight(C.Common) >= Limits.LeastSharedPch;
  }
  double gainOfSharing(const Cluster &Host, const Cluster &Guest) const;
  std::optional<SharedPchGroup> groupOf(Cluster C) const;
  std::optional<uint32_t> heaviest(const BitVector &From, const BitVector &Left) const;
  std::vector<IncludeSpelling> headersOf(const BitVector &Common) const;

  const IncludeGraph &Graph;
  const SharedPchLimits Limits;
  BitVector Good;
  std::vector<Cluster> Clusters;
};

void Planner::add(size_t Number, const ScannedIncludes &Scan) {
  Cluster Own{{Number}, {}, BitVector(Graph.Files.size())};
  for (const LeadingMacro &Macro : Scan.Macros)
    if (Graph.hasWord(Macro.Name))
      Own.Macros.push_back(Macro);
  for (const ScannedIncludes::Header &Header : Scan.Headers)
    if (std::optional<uint32_t> Index = Graph.find(Header.Id))
      Graph.reach(*Index, Own.Common);
  Own.Common &= Good;
  for (Cluster &Known : Clusters)
    if (Known.Macros == Own.Macros && Known.Common == Own.Common)
      return join(Known, Own);
  if (Clusters.size() < MaxCompared) {
    Clusters.push_back(std::move(Own));
    return;
  }
  Cluster *Best = nullptr;
  uint64_t Most = 0;
  for (Cluster &Known : Clusters) {
    BitVector Both = Known.Common;
    Both &= Own.Common;
    if (uint64_t Weight = Known.Macros == Own.Macros ? weight(Both) : 0; Weight > Most)
      Best = &Known, Most = Weight;
  }
  if (Best)
    join(*Best, Own);
}

double Planner::gainOfJoining(const Cluster &L, const Cluster &R) const {
  if (L.Macros != R.Macros)
    return 0;
  BitVector Both = L.Common;
  Both &= R.Common;
  return gain(L.Files.size() + R.Files.size(), Both) - gain(L.Files.size(), L.Common) -
         gain(R.Files.size(), R.Common);
}

/// The one of \p From that brings most of \p Left along, if that is enough.
std::optional<uint32_t> Planner::heaviest(const BitVector &From, const BitVector &Left) const {
  uint64_t Most = Limits.LeastHeader;
  std::optional<uint32_t> Best;
  for (unsigned I : From.set_bits()) {
    if (!Graph.Files[I].Reachable || !Left.test(I))
      continue;
    BitVector Own(Graph.Files.size());
    Graph.reach(I, Own);
    Own &= Left;
    if (uint64_t Weight = weight(Own); Weight > Most)
      Best = I, Most = Weight;
  }
  return Best;
}

/// Few, and large ones: small headers may not be meant to be included by themselves.
std::vector<IncludeSpelling> Planner::headersOf(const BitVector &Common) const {
  // What comes with another one needs no #include, but headers that include each other do.
  BitVector Tops = Common;
  for (unsigned I : Common.set_bits())
    if (Graph.Files[I].Reachable)
      for (uint32_t Included : Graph.Files[I].Includes)
        Tops.reset(Included);
  std::vector<uint32_t> Chosen;
  BitVector Left = Common;
  for (const BitVector &From : {Tops, Common})
    while (std::optional<uint32_t> Best = heaviest(From, Left)) {
      Chosen.push_back(*Best);
      BitVector Own(Graph.Files.size());
      Graph.reach(*Best, Own);
      Left.reset(Own);
    }
  llvm::sort(Chosen);
  std::vector<IncludeSpelling> Out;
  for (uint32_t I : Chosen)
    Out.push_back(Graph.Files[I].As);
  return Out;
}

/// The two that gain most by it become one, as long as any do.
void Planner::joinClusters() {
  size_t Size = Clusters.size();
  std::vector<std::vector<double>> Gains(Size, std::vector<double>(Size));
  auto Compare = [&](size_t L, size_t R) { Gains[L][R] = gainOfJoining(Clusters[L], Clusters[R]); };
  for (size_t L = 0; L < Size; ++L)
    for (size_t R = L + 1; R < Size; ++R)
      Compare(L, R);
  while (true) {
    double Most = 0;
    size_t Into = 0, Other = 0;
    for (size_t L = 0; L < Size; ++L)
      for (size_t R = L + 1; R < Size; ++R)
        if (Gains[L][R] > Most)
          Into = L, Other = R, Most = Gains[L][R];
    if (Most <= 0)
      return;
    join(Clusters[Into], Clusters[Other]);
    Clusters[Other] = Cluster();
    for (size_t I = 0; I < Size; ++I) {
      Gains[std::min(I, Other)][std::max(I, Other)] = 0;
      if (I != Into && !Clusters[I].Files.empty())
        Compare(std::min(I, Into), std::max(I, Into));
    }
  }
}

/// If \p Guest, which has macros besides, has no prefix but that of \p Host.
double Planner::gainOfSharing(const Cluster &Host, const Cluster &Guest) const {
  auto IsGuests = [&](const LeadingMacro &Macro) {
    return llvm::is_contained(Guest.Macros, Macro);
  };
  if (!isWorthwhile(Host) || Host.Macros.size() >= Guest.Macros.size() ||
      !llvm::all_of(Host.Macros, IsGuests))
    return 0;
  BitVector Both = Host.Common;
  Both &= Guest.Common;
  return gain(Host.Files.size() + Guest.Files.size(), Both) - CostOfTrying * weight(Both) -
         gain(Host.Files.size(), Host.Common) - gain(Guest.Files.size(), Guest.Common);
}

/// Those with most macros first: what has become a guest is no host.
void Planner::shareClusters() {
  std::vector<size_t> Order(Clusters.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t L, size_t R) {
    return std::pair(Clusters[R].Macros.size(), L) < std::pair(Clusters[L].Macros.size(), R);
  });
  for (size_t I : Order) {
    Cluster &Guest = Clusters[I];
    if (Guest.Files.empty() || !Guest.Others.empty())
      continue;
    Cluster *Host = nullptr;
    double Most = 0;
    for (Cluster &Other : Clusters)
      if (double Gain = gainOfSharing(Other, Guest); Gain > Most)
        Host = &Other, Most = Gain;
    if (!Host)
      continue;
    Host->Common &= Guest.Common;
    Host->Others.push_back(std::exchange(Guest, Cluster()));
  }
}

std::optional<SharedPchGroup> Planner::groupOf(Cluster C) const {
  std::vector<IncludeSpelling> Headers;
  if (isWorthwhile(C))
    Headers = headersOf(C.Common);
  if (Headers.empty())
    return std::nullopt;
  SharedPchGroup Out{std::move(C.Files), std::move(C.Macros), std::move(Headers)};
  for (Cluster &Other : C.Others)
    if (std::optional<SharedPchGroup> Own = groupOf(Other))
      Out.Others.push_back(std::move(*Own));
    else
      Out.Others.push_back({std::move(Other.Files), std::move(Other.Macros), {}});
  return Out;
}

std::vector<SharedPchGroup> Planner::plan() {
  joinClusters();
  shareClusters();
  std::vector<SharedPchGroup> Out;
  for (Cluster &C : Clusters)
    if (std::optional<SharedPchGroup> Group = groupOf(std::move(C)))
      Out.push_back(std::move(*Group));
  return Out;
}

} // namespace

std::vector<SharedPchGroup> opsig::planSharedPchs(llvm::ArrayRef<ScannedIncludes> Scans,
                                                  const IncludeGraph &Graph,
                                                  const FileTrace::Question &IsProjectFile,
                                                  const SharedPchLimits &Limits) {
  Planner ThePlanner(Graph, IsProjectFile, Limits);
  for (size_t I = 0; I < Scans.size(); ++I)
    ThePlanner.add(I, Scans[I]);
  return ThePlanner.plan();
}
