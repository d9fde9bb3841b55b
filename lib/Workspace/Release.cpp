//===- Release.cpp - Which rules a PyTorch is held to -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseInternal.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Torchgen/Torchgen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace opsig {

namespace {

/// The files of torchgen that say something of the release.
class TorchgenSources {
public:
  explicit TorchgenSources(llvm::StringRef Root) {
    for (llvm::ArrayRef<llvm::StringRef> Places : torchgenFiles()) {
      TorchgenText &Text = Texts.emplace_back();
      for (llvm::StringRef Place : Places) {
        llvm::SmallString<128> Path(Root);
        llvm::sys::path::append(Path, Place);
        if (Root.empty())
          continue;
        auto Buffer = readWholeFile(Path);
        if (!Buffer) {
          llvm::consumeError(Buffer.takeError());
          continue;
        }
        Text = {Path.str().str(), (*Buffer)->getBuffer()};
        Buffers.push_back(std::move(*Buffer));
        break;
      }
    }
  }

  std::vector<TorchgenText> Texts;

private:
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Buffers;
};

/// "the nearest verified releases are 1.2 and 3.4": the nearest that were, on both sides.
std::string measuredNeighbours(const llvm::VersionTuple &Version) {
  llvm::StringRef Below, Above;
  for (const Dialect *D : allDialects()) {
    if (D->Standing != DialectStanding::Verified)
      continue;
    if (llvm::VersionTuple(D->Major, D->Minor) <= Version)
      Below = D->Name;
    else if (Above.empty())
      Above = D->Name;
  }
  if (Below.empty() || Above.empty())
    return "the nearest verified release is " + (Below.empty() ? Above : Below).str();
  return "the nearest verified releases are " + Below.str() + " and " + Above.str();
}

/// How the rules came to be those of this release; "" where they were measured with it.
std::string standing(const TorchVersion &Version, const DialectChoice &Choice,
                     const SchemaSource &Source) {
  if (Source.IsVerified)
    return "";
  std::string Text = "PyTorch " + Version.Text;
  if (Choice.Match == DialectMatch::NewerThanKnown || Choice.Match == DialectMatch::OlderThanKnown)
    Text += std::string(" is ") +
            (Choice.Match == DialectMatch::NewerThanKnown ? "newer" : "older") +
            " than all releases that opsig supports";
  else
    Text += " is not among the releases that opsig was verified with";
  bool IsRecorded = Choice.Match == DialectMatch::Exact;
  Text += IsRecorded ? "; the rules extrapolated for " : "; the rules of ";
  Text += Choice.Chosen->Name.str() + " are used";
  if (size_t Own = Source.Facts->count(ListOrigin::Torchgen))
    Text += ", with " + counted(Own, "list") + " from its own torchgen";
  return Text + "; " + measuredNeighbours(Version.Release);
}

void reportLists(const ReleaseTraits &Facts, const Dialect &Base, SchemaSource &Source) {
  std::string Computed;
  for (const ListFact &L : Facts.lists()) {
    if (L.Read.Origin == ListOrigin::Computed && L.Name != "shim-versions")
      Computed += (Computed.empty() ? "" : "; ") + L.Variable.str() + " (" + L.Read.File + ":" +
                  std::to_string(L.Read.Line) + ": " + L.Read.Why + ")";
    if (L.Name == "dispatch-keys" && !L.Foreign.empty())
      Source.Notes.push_back("unknown dispatch keys in '" + Source.TorchRoot +
                             "': " + llvm::join(L.Foreign, ", ") + "; their kernels are ignored");
  }
  if (!Computed.empty())
    Source.Notes.push_back("opsig cannot read the following lists of torchgen, and uses those of "
                           "PyTorch " +
                           Base.Name.str() + " instead: " + Computed);
}

/// A release whose lists are much more like those of another one than like its own.
void reportContradiction(const TorchVersion &Version, const ReleaseTraits &Facts,
                         const std::vector<TorchgenList> &Read, const Dialect &Chosen,
                         SchemaSource &Source) {
  static constexpr size_t MayDiffer = 4; // a vendor adds some names
  size_t Own = Facts.distance();
  if (Own <= MayDiffer)
    return;
  const Dialect *Nearest = nearestDialect(Read);
  if (Nearest == &Chosen || ReleaseTraits(*Nearest, Read).distance() * 4 > Own)
    return;
  std::string Other = Nearest->Name.str();
  Source.Warnings.push_back("'" + Source.TorchRoot + "' names PyTorch " + Version.Text +
                            " as its release, but the lists in its torchgen match PyTorch " +
                            Other + "; opsig uses the rules of " + Chosen.Name.str() +
                            " with those lists; to use the rules of " + Other + ", pass '" +
                            Source.Spell("torch", Other) + "'");
}

/// Of a release that the user states, what opsig does instead; "" where opsig knows it.
std::string unknownRelease(const ReleaseQuestion &Question, const DialectChoice &Choice,
                           const SchemaSource &Source) {
  bool IsKnown =
      Choice.Match != DialectMatch::NewerThanKnown && Choice.Match != DialectMatch::OlderThanKnown;
  if (!Question.Expected || Question.From.empty() || IsKnown)
    return "";
  return "unknown PyTorch release " + Question.Expected->Text + " (" + Question.From +
         "); opsig knows " + allDialects().front()->Name.str() + " to " +
         allDialects().back()->Name.str() + ", and uses the rules of " + Choice.Chosen->Name.str();
}

} // namespace

bool chooseRelease(const ReleaseQuestion &Question, SchemaSource &Source) {
  std::optional<TorchVersion> Version = Question.Expected ? Question.Expected : Question.OfRoot;
  bool IsStated = Version.has_value();
  // The lists of another release would not fit to the rules that the user asks for.
  bool IsRoots = !Question.Expected || !Question.OfRoot ||
                 Question.Expected->Release == Question.OfRoot->Release;
  TorchgenSources Sources(IsRoots ? Source.TorchRoot : "");
  std::vector<TorchgenList> Read = readTorchgen(Sources.Texts);
  if (!IsStated) {
    if (Source.TorchRoot.empty())
      return false;
    const Dialect *Nearest = nearestDialect(Read);
    Version = readTorchVersion((Nearest ? Nearest : allDialects().back())->Name);
    Source.Warnings.push_back(
        "'" + Source.TorchRoot + "' does not state its PyTorch version; using the rules of " +
        Version->Text + ", " +
        (Nearest ? "the closest match to its torchgen" : "the newest that opsig supports") +
        " (pass '" + Source.Spell("torch", "VERSION") + "' to choose)");
  }
  DialectChoice Choice = chooseDialect(Version->Release);
  bool IsExact = Choice.Match == DialectMatch::Exact;
  Source.IsVerified = IsStated && IsExact && Choice.Chosen->Standing == DialectStanding::Verified;
  Source.Facts = std::make_shared<const ReleaseTraits>(*Choice.Chosen, Read);
  Source.D = &Source.Facts->dialect();
  reportLists(*Source.Facts, *Choice.Chosen, Source);
  if (IsStated && IsExact)
    reportContradiction(*Version, *Source.Facts, Read, *Choice.Chosen, Source);
  // Of a release that nobody named all is said above.
  Source.UnknownRelease = unknownRelease(Question, Choice, Source);
  Source.NamesRootsRelease = !Source.UnknownRelease.empty() && Question.OfRoot;
  if (std::string Text = standing(*Version, Choice, Source);
      IsStated && Source.UnknownRelease.empty() && !Text.empty())
    Source.Notes.push_back(std::move(Text));
  Source.Version = std::move(*Version);
  return true;
}

} // namespace opsig
