//===- FactsReport.cpp - What `opsig show --facts` prints -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "show/FactsReport.h"
#include "opsig/Support/JsonText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

llvm::json::Array namesIn(llvm::ArrayRef<llvm::StringRef> Names) {
  llvm::json::Array Out;
  for (llvm::StringRef Name : Names)
    Out.push_back(utf8(Name));
  return Out;
}

/// Why the list is the dialect's: "" where it is not.
std::string whyDialect(const ListFact &L) {
  switch (L.Read.Origin) {
  case ListOrigin::Torchgen:
    return "";
  case ListOrigin::NoFile:
    return "the file does not exist";
  case ListOrigin::NoVariable:
    return "no '" + L.Variable.str() + "' in " + L.Read.File;
  case ListOrigin::Computed:
    return L.Read.Why;
  }
  llvm_unreachable("closed kind");
}

/// "+2 -1": names that the release has and the dialect has not, and the other way round.
std::string difference(const ListFact &L) {
  auto Missing = [](llvm::ArrayRef<llvm::StringRef> In, llvm::ArrayRef<llvm::StringRef> Of) {
    return llvm::count_if(Of, [&](llvm::StringRef Name) { return !llvm::is_contained(In, Name); });
  };
  size_t More = Missing(L.OfDialect, L.Items) + L.Foreign.size();
  size_t Less = Missing(L.Items, L.OfDialect);
  if (!More && !Less)
    return "in a different order than";
  return llvm::formatv("+{0} -{1} relative to", More, Less).str();
}

} // namespace

void printFactsJson(llvm::raw_ostream &OS, const ReleaseTraits &Facts) {
  for (const ListFact &L : Facts.lists()) {
    bool Own = L.Read.Origin == ListOrigin::Torchgen;
    llvm::json::Object Out{{"list", L.Name},
                           {"variable", L.Variable},
                           {"source", Own ? "torchgen" : "dialect"},
                           {"dialect", Facts.dialect().Name},
                           {"file", L.Read.File},
                           {"line", L.Read.Line},
                           {"why", whyDialect(L)},
                           {"names", namesIn(L.Items)},
                           {"foreign", namesIn(L.Foreign)},
                           {"ordered", L.Ordered},
                           {"differs", L.differs()}};
    OS << llvm::json::Value(std::move(Out)) << '\n';
  }
}

void printFactsText(llvm::raw_ostream &OS, const ReleaseTraits &Facts) {
  std::string Dialect = "opsig's list for PyTorch " + Facts.dialect().Name.str();
  for (const ListFact &L : Facts.lists()) {
    size_t Count = L.Items.size() + L.Foreign.size();
    OS << llvm::formatv("{0,-24} {1,3} {2,-6} ", L.Name, Count, Count == 1 ? "name" : "names");
    std::string At = L.Read.File + ":" + std::to_string(L.Read.Line);
    if (L.Read.Origin == ListOrigin::Torchgen) {
      OS << At;
      if (L.differs())
        OS << " (" << difference(L) << ' ' << Dialect << ')';
    } else {
      OS << Dialect << " (" << (L.Read.Origin == ListOrigin::Computed ? At + ": " : "")
         << whyDialect(L) << ')';
    }
    OS << '\n';
  }
}

} // namespace opsig
