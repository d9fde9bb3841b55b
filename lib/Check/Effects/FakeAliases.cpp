//===- FakeAliases.cpp - Fakes that return what is no new tensor ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/FakeAliases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

/// The argument itself, or an element of a list.
static bool maySame(const MarkedArgument &Arg, const ReturnEffect &E) {
  return Arg.List ? E.OfList && (E.MaySame || E.Element) : E.MaySame;
}

static bool isAlways(const MarkedArgument &Arg, const ReturnEffect &E) {
  return Arg.List ? E.AlwaysElement : E.Always;
}

void KernelReturns::add(const MarkedSchema &Schema, const KernelEffects &Kernel) {
  for (unsigned Return = 0; Return < Schema.Returns.size(); ++Return)
    for (const ReturnEffect &E : Kernel.ofReturn(Return, Schema.Returns.size()))
      if (const MarkedArgument *Arg = Schema.tensorOf(E.Param); Arg && maySame(*Arg, E))
        Arguments[{Return, unsigned(Arg - Schema.Args.data())}] |= isAlways(*Arg, E);
  for (const TwiceReturned &T : Kernel.Twice)
    Twice.insert({T.First, T.Second});
}

namespace {

class FakeComparer {
public:
  FakeComparer(const MarkedSchema &Schema, const KernelReturns &Kernels, const FakeWords &Words)
      : Schema(Schema), Kernels(Kernels), Words(Words) {}

  void compareReturn(unsigned Return, const ReturnEffect &E);
  void compareTwice(const TwiceReturned &T);

  std::vector<FakeAlias> Out;

private:
  bool isNew(unsigned Return) const {
    return Return < Schema.Returns.size() && Schema.Returns[Return].Tensor &&
           Schema.Returns[Return].Sets.empty();
  }
  std::string consequence(const MarkedArgument &Arg, bool IsSure) const;

  const MarkedSchema &Schema;
  const KernelReturns &Kernels;
  const FakeWords &Words;
};

/// "'x' itself", "an element of 'xs' itself".
std::string returned(const MarkedArgument &Arg, const MarkedReturn &R) {
  std::string Name = "'" + Arg.Name + "'";
  if (Arg.List)
    return (R.List ? "elements of " : "an element of ") + Name + (R.List ? "" : " itself");
  return Name + " itself" + (R.List ? " in its list" : "");
}

std::string FakeComparer::consequence(const MarkedArgument &Arg, bool IsSure) const {
  return formatv("so torch.compile {0} later uses of {1} '{2}' with the operator's result",
                 IsSure ? "replaces" : "may replace", Arg.List ? "an element of" : "the argument",
                 Arg.Name);
}

void FakeComparer::compareReturn(unsigned Return, const ReturnEffect &E) {
  const MarkedArgument *Arg = Schema.tensorOf(E.Param);
  if (!Arg || !isNew(Return) || !maySame(*Arg, E))
    return;
  bool Always = isAlways(*Arg, E);
  auto Known = Kernels.Arguments.find({Return, unsigned(Arg - Schema.Args.data())});
  bool IsKnown = Known != Kernels.Arguments.end();
  if (IsKnown && (Known->second || !Always))
    return;
  const MarkedReturn &R = Schema.Returns[Return];
  std::string What = returned(*Arg, R);
  if (!Always)
    What += E.Through.empty() ? " on some paths" : " if '" + E.Through + "' does not copy";
  std::string Where = Schema.Returns.size() == 1 ? "" : " as return " + std::to_string(Return + 1);
  std::string Instead =
      Arg->List || R.List ? "" : formatv("; use '{0}({1})'", Words.EmptyLike, Arg->Name).str();
  Out.push_back({formatv("{0} {1} {2}{3}, {4}{5}", Words.Fake, Always ? "returns" : "may return",
                         What, Where, consequence(*Arg, Always), Always ? Instead : ""),
                 Always ? Confidence::Certain : Confidence::Likely, E.At, Return});
}

void FakeComparer::compareTwice(const TwiceReturned &T) {
  if (!isNew(T.First) || !isNew(T.Second) || Kernels.Twice.contains({T.First, T.Second}))
    return;
  Out.push_back({formatv("{0} {3} the same tensor for return {1} and return {2}, so torch.compile "
                         "{4} return {2} in place of return {1}; create a separate tensor for each "
                         "return",
                         Words.Fake, T.First + 1, T.Second + 1, T.Always ? "returns" : "may return",
                         T.Always ? "uses" : "may use"),
                 T.Always ? Confidence::Certain : Confidence::Likely, T.At, T.Second});
}

} // namespace

std::vector<FakeAlias> opsig::aliasesOfFake(const MarkedSchema &Schema, const KernelEffects &Fake,
                                            const KernelReturns &Kernels, const FakeWords &Words) {
  FakeComparer Comparer(Schema, Kernels, Words);
  for (unsigned Return = 0; Return < Schema.Returns.size(); ++Return)
    for (const ReturnEffect &E : Fake.ofReturn(Return, Schema.Returns.size()))
      Comparer.compareReturn(Return, E);
  if (Schema.Returns.size() > 1)
    for_each(Fake.Twice, [&](const TwiceReturned &T) { Comparer.compareTwice(T); });
  return std::move(Comparer.Out);
}
